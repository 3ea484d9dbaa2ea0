package receipt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

// Proof shows that one entry is in the log, without the rest of it. Of an entry
// that retention has dropped the body is gone; whoever kept it can put it back
// and verify.
type Proof struct {
	Entry      interlock.LogEntry `json:"entry"`
	Dropped    bool               `json:"dropped,omitempty"` // the entry's type, digest and body are no longer in the log
	Hashes     []string           `json:"hashes"`            // audit path of RFC 6962, base64
	Checkpoint string             `json:"checkpoint"`
}

// Prove gives the proof that the entry of an index is in the log as it stands.
func (l *Log) Prove(ctx context.Context, index int64) (Proof, error) {
	head := *l.head.Load()
	if index < 0 || index >= head.size {
		return Proof{}, notFound(fmt.Sprintf("The log has no entry %d. It has %d entries, counted from 0.", index, head.size))
	}
	proof := Proof{Entry: interlock.LogEntry{Index: index, Body: json.RawMessage("null")}, Hashes: []string{}}
	entries, err := l.List(ctx, index, 1)
	if err != nil {
		return Proof{}, err
	}
	if len(entries) == 1 && entries[0].Index == index {
		proof.Entry = entries[0]
	} else if floor, err := l.store.LogFloor(ctx); err != nil || index >= floor {
		return Proof{}, invalid(fmt.Sprintf("entry %d is missing", index))
	} else {
		proof.Dropped = true
	}
	path, err := tlog.ProveRecord(head.size, index, hashReader(ctx, l.store))
	if err != nil {
		return Proof{}, err
	}
	for _, hash := range path {
		proof.Hashes = append(proof.Hashes, hash.String())
	}
	proof.Checkpoint, err = l.keys.sign(head)
	return proof, err
}

func notFound(public string) error {
	return &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: stage, Public: public}
}

// VerifyProof checks a proof offline against the trusted verifier keys.
func VerifyProof(proof Proof, trusted []string) error {
	head, err := openTrusted(proof.Checkpoint, trusted)
	if err != nil {
		return err
	}
	if proof.Dropped {
		return unproved("the entry was dropped by retention; put the one that you kept in its place")
	}
	if err := checkEntry(proof.Entry, proof.Entry.Index); err != nil {
		return err
	}
	path, err := parseHashes(proof.Hashes)
	if err != nil {
		return err
	}
	if proof.Entry.Index < 0 || tlog.CheckRecord(path, head.size, head.root, proof.Entry.Index, leafHash(proof.Entry)) != nil {
		return unproved(fmt.Sprintf("entry %d is not in the tree of the checkpoint", proof.Entry.Index))
	}
	return nil
}

// unproved is the error of something that was brought along and does not hold:
// a proof, a checkpoint, a statement. The log itself may be sound.
func unproved(what string) *interlock.Error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonLogInvalid, Stage: stage,
		Public: "It does not verify: " + what + ".", Err: errors.New(what)}
}

func parseHashes(texts []string) ([]tlog.Hash, error) {
	var hashes []tlog.Hash
	for _, text := range texts {
		hash, err := tlog.ParseHash(text)
		if err != nil || hash.String() != text {
			return nil, unproved("a hash of the proof is malformed")
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

// openTrusted reads a checkpoint that one of the trusted keys has signed,
// whoever else has.
func openTrusted(signed string, trusted []string) (checkpoint, error) {
	verifiers, err := parseVerifiers(trusted)
	if err != nil {
		return checkpoint{}, unproved(err.Error())
	}
	return openHeld(signed, verifiers)
}

// openHeld reads a checkpoint that was kept somewhere: signed by one of the
// verifiers, and by any number of others.
func openHeld(signed string, verifiers []note.Verifier) (checkpoint, error) {
	opened, err := note.Open([]byte(signed), note.VerifierList(verifiers...))
	if err != nil {
		return checkpoint{}, unproved(fmt.Sprintf("the checkpoint's signature: %v", err))
	}
	c, err := parseCheckpoint(opened.Text)
	if err != nil {
		return c, unproved(err.Error())
	}
	for _, sig := range opened.Sigs {
		if sig.Name == c.origin {
			c.signed = signed
			return c, nil
		}
	}
	return checkpoint{}, unproved("the checkpoint is not signed by its own log")
}

// Consistency shows that a log of New entries is one that grew out of the log of
// Old entries.
type Consistency struct {
	Old        int64    `json:"old"`
	OldRoot    string   `json:"old_root"` // base64
	New        int64    `json:"new"`
	NewRoot    string   `json:"new_root"`
	Hashes     []string `json:"hashes"`     // proof of RFC 6962, base64
	Checkpoint string   `json:"checkpoint"` // of the log as it stands, which has New entries or more
	Rest       []string `json:"rest"`       // proof that the checkpoint's log grew out of that of New entries
}

// Consistency gives the proof from a log of older entries to one of newer; zero
// for newer is the log as it stands.
func (l *Log) Consistency(ctx context.Context, older, newer int64) (Consistency, error) {
	head := *l.head.Load()
	if newer == 0 {
		newer = head.size
	}
	if older < 0 || older > newer || newer > head.size {
		return Consistency{}, notFound(fmt.Sprintf("The log never had those sizes in that order: from %d to %d. It has %d entries.", older, newer, head.size))
	}
	c := Consistency{Old: older, New: newer}
	reader := hashReader(ctx, l.store)
	roots := make([]tlog.Hash, 2)
	for i, size := range []int64{older, newer} {
		var err error
		if roots[i], err = rootAt(ctx, l.store, size); err != nil {
			return Consistency{}, err
		}
	}
	c.OldRoot, c.NewRoot = roots[0].String(), roots[1].String()
	var err error
	if c.Hashes, err = proveTree(newer, older, reader); err != nil {
		return Consistency{}, err
	}
	if c.Rest, err = proveTree(head.size, newer, reader); err != nil {
		return Consistency{}, err
	}
	c.Checkpoint, err = l.keys.sign(head)
	return c, err
}

// proveTree gives the proof from a tree of older leaves to one of newer; it is
// empty where there is nothing to prove.
func proveTree(newer, older int64, reader tlog.HashReader) ([]string, error) {
	texts := []string{}
	if older == 0 || older == newer {
		return texts, nil
	}
	hashes, err := tlog.ProveTree(newer, older, reader)
	for _, hash := range hashes {
		texts = append(texts, hash.String())
	}
	return texts, err
}

// checkTree holds a tree against an older one by a proof.
func checkTree(texts []string, newer int64, newRoot tlog.Hash, older int64, oldRoot tlog.Hash) error {
	hashes, err := parseHashes(texts)
	if err != nil {
		return err
	}
	switch {
	case older == 0 && oldRoot == (edge{}).root() && len(hashes) == 0:
		return nil
	case older > 0 && older == newer && oldRoot == newRoot && len(hashes) == 0:
		return nil
	case older > 0 && older < newer && tlog.CheckTree(hashes, newer, newRoot, older, oldRoot) == nil:
		return nil
	}
	return unproved(fmt.Sprintf("the log of %d entries did not grow out of the one of %d", newer, older))
}

// VerifyConsistency checks a proof of consistency offline: that the checkpoint
// is by a trusted key, and that both earlier logs are prefixes of its log.
func VerifyConsistency(c Consistency, trusted []string) error {
	head, err := openTrusted(c.Checkpoint, trusted)
	if err != nil {
		return err
	}
	roots, err := parseHashes([]string{c.OldRoot, c.NewRoot})
	if err != nil {
		return err
	}
	if err := checkTree(c.Rest, head.size, head.root, c.New, roots[1]); err != nil {
		return err
	}
	return checkTree(c.Hashes, c.New, roots[1], c.Old, roots[0])
}
