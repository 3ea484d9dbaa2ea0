package receipt

import (
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

// page is how many entries are read at a time.
const page = 1000

// eachEntry calls do with the entries from index from up to, not including, to.
// One that is missing is ReasonLogInvalid.
func eachEntry(ctx context.Context, store interlock.LogStore, from, to int64, do func(interlock.LogEntry) error) error {
	for from < to {
		entries, err := store.LogEntries(ctx, from, int(min(page, to-from)))
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			return invalid(fmt.Sprintf("entry %d is missing", from))
		}
		for _, entry := range entries {
			if entry.Index != from {
				return invalid(fmt.Sprintf("entry %d stands in the place of entry %d", entry.Index, from))
			}
			if err := do(entry); err != nil {
				return err
			}
			from++
		}
	}
	return nil
}

// List reads up to limit committed entries from index on, in order.
func (l *Log) List(ctx context.Context, index int64, limit int) ([]interlock.LogEntry, error) {
	size := l.Size()
	if index < 0 || limit < 0 {
		return nil, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: stage,
			Public: "An index or a limit below zero. Count the entries of the log from 0."}
	}
	if index >= size || limit == 0 {
		return nil, nil
	}
	return l.store.LogEntries(ctx, index, int(min(int64(limit), size-index)))
}

// Proof shows that one entry is in the log, without the rest of it.
type Proof struct {
	Entry      interlock.LogEntry `json:"entry"`
	Hashes     []string           `json:"hashes"` // audit path of RFC 6962, base64
	Checkpoint string             `json:"checkpoint"`
}

// Prove gives the proof that the entry of an index is in the log as it stands.
func (l *Log) Prove(ctx context.Context, index int64) (Proof, error) {
	head := *l.head.Load()
	if index < 0 || index >= head.size {
		return Proof{}, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: stage,
			Public: fmt.Sprintf("The log has no entry %d. It has %d entries, counted from 0.", index, head.size)}
	}
	entries, err := l.List(ctx, index, 1)
	if err != nil {
		return Proof{}, err
	}
	if len(entries) != 1 || entries[0].Index != index {
		return Proof{}, invalid(fmt.Sprintf("entry %d is missing", index))
	}
	path, err := tlog.ProveRecord(head.size, index, tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		return readHashes(ctx, l.store, indexes)
	}))
	if err != nil {
		return Proof{}, err
	}
	proof := Proof{Entry: entries[0], Hashes: []string{}}
	for _, hash := range path {
		proof.Hashes = append(proof.Hashes, hash.String())
	}
	proof.Checkpoint, err = l.keys.sign(head)
	return proof, err
}

// VerifyProof checks a proof offline against the trusted verifier keys.
func VerifyProof(proof Proof, trusted []string) error {
	verifiers, err := parseVerifiers(trusted)
	if err != nil {
		return invalid(err.Error())
	}
	head, _, err := openCheckpoint(proof.Checkpoint, verifiers)
	if err != nil {
		return invalid(err.Error())
	}
	if err := checkEntry(proof.Entry, proof.Entry.Index); err != nil {
		return err
	}
	path := tlog.RecordProof{}
	for _, text := range proof.Hashes {
		hash, err := tlog.ParseHash(text)
		if err != nil || hash.String() != text {
			return invalid("a hash of the proof is malformed")
		}
		path = append(path, hash)
	}
	if err := tlog.CheckRecord(path, head.size, head.root, proof.Entry.Index, leafHash(proof.Entry)); err != nil {
		return invalid(fmt.Sprintf("entry %d is not in the tree of the checkpoint", proof.Entry.Index))
	}
	return nil
}
