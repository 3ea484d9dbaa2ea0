package receipt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

// slotSize is the room of one checkpoint in a seen file: one sector of a disk,
// so that a write of it is whole or not there.
const slotSize = 512

// Seen is the last checkpoint that the disk confirmed, kept outside the store:
// a store that is put back whole to an earlier state still verifies by itself,
// and does not against this. The file holds two checkpoints that are written in
// turn and each stand under their own signature, so a write that was torn costs
// the newer one and nothing else. A write is not flushed: the end of the process
// loses nothing, and a loss of power makes the file older, never newer, than
// the log.
type Seen struct {
	path string

	mu   sync.Mutex
	file *os.File // guarded by mu; nil until the first write
	turn int64    // slot that is written next; guarded by mu
	last string   // guarded by mu
}

// NewSeen gives the seen file at path; nothing is made before there is a
// checkpoint to keep.
func NewSeen(path string) *Seen { return &Seen{path: path} }

// Checkpoints reads what is kept, the older one first; none where there is no
// file.
func (s *Seen) Checkpoints() ([]string, error) {
	file, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, seenError(s.path, err)
	}
	defer file.Close() //nolint:errcheck // read only
	data, err := io.ReadAll(io.LimitReader(file, 2*slotSize+1))
	if err != nil {
		return nil, seenError(s.path, err)
	}
	return slots(data), nil
}

// slots parts the bytes of a seen file.
func slots(data []byte) []string {
	var list []string
	for len(data) > 0 {
		n := min(len(data), slotSize)
		if text := strings.TrimRight(string(data[:n]), " \x00"); text != "" {
			list = append(list, text)
		}
		data = data[n:]
	}
	return list
}

// keep writes a signed checkpoint over the older of the two.
func (s *Seen) keep(signed string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if signed == s.last {
		return nil
	}
	if len(signed) > slotSize {
		return seenError(s.path, fmt.Errorf("a checkpoint of %d bytes", len(signed)))
	}
	if s.file == nil {
		file, err := os.OpenFile(s.path, os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			return seenError(s.path, err)
		}
		s.file = file
	}
	slot := signed + strings.Repeat(" ", slotSize-len(signed))
	if _, err := s.file.WriteAt([]byte(slot), s.turn*slotSize); err != nil {
		return seenError(s.path, err)
	}
	s.turn, s.last = 1-s.turn, signed
	return nil
}

// close makes what was written safe.
func (s *Seen) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	err := errors.Join(s.file.Sync(), s.file.Close())
	s.file = nil
	return err
}

func seenError(path string, err error) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: stage,
		Public: fmt.Sprintf("The file %s, which keeps the last checkpoint outside the store, cannot be used. Check that its directory exists and that this user may read and write there.", path),
		Err:    fmt.Errorf("seen file %s: %w", path, err)}
}

// check holds a log against the checkpoints that are kept. What is kept and
// opens under none of the keys is a torn write, as long as another one opens.
func (s *Seen) check(ctx context.Context, store interlock.LogStore, keys Keys, head checkpoint) error {
	if s == nil {
		return nil
	}
	texts, err := s.Checkpoints()
	if err != nil || len(texts) == 0 {
		return err
	}
	newest, slot, err := keys.newestOf(texts)
	if err != nil {
		return putBack(fmt.Sprintf("%s holds no checkpoint of this log", s.path))
	}
	s.mu.Lock()
	s.turn = int64(1 - slot)
	s.mu.Unlock()
	return continues(ctx, store, head, newest)
}

// RestoredBody says that the log was put back to an earlier state on purpose, as
// after a restore from a backup (interlock.EntryRestored).
type RestoredBody struct {
	At        string `json:"at"`
	Principal string `json:"principal"`
	Size      int64  `json:"size"`                // entries that the log has in the state it was put back to
	Lost      int64  `json:"lost"`                // entries that the checkpoint signed that was seen last
	LostRoot  string `json:"lost_root,omitempty"` // and their root, base64; empty where no checkpoint was readable
}

// OpenRestored opens a log that was put back to an earlier state on purpose: it
// states so in the log, with what was lost, and from then on this state is the
// one that is kept outside the store.
func OpenRestored(ctx context.Context, store interlock.LogStore, keys Keys, opts Options, principal string) (*Log, error) {
	if opts.Seen == nil {
		return nil, errors.New("open restored log: Options.Seen is required")
	}
	l, err := Open(ctx, store, keys, opts)
	if interlock.ReasonOf(err) != interlock.ReasonLogPutBack {
		return l, err // nothing was put back
	}
	texts, err := opts.Seen.Checkpoints()
	if err != nil {
		return nil, err
	}
	lost, _, unread := keys.newestOf(texts)
	seen := opts.Seen
	opts.Seen = nil
	if l, err = Open(ctx, store, keys, opts); err != nil {
		return nil, err
	}
	body := RestoredBody{At: l.Now(), Principal: principal, Size: l.Size(), Lost: lost.size}
	if unread == nil {
		body.LostRoot = lost.root.String()
	}
	if _, err := l.Append(ctx, interlock.EntryRestored, body, Flushed); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if err := errors.Join(l.Close(), seen.start(l.head.Load().signed)); err != nil {
		return nil, err
	}
	opts.Seen = seen
	return Open(ctx, store, keys, opts)
}

// start makes the file anew with one checkpoint.
func (s *Seen) start(signed string) error {
	if err := errors.Join(s.close(), os.Remove(s.path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return seenError(s.path, err)
	}
	s.mu.Lock()
	s.turn, s.last = 0, ""
	s.mu.Unlock()
	return errors.Join(s.keep(signed), s.close())
}

// newestOf gives the largest of the checkpoints that the keys open, and its
// place.
func (k Keys) newestOf(texts []string) (newest checkpoint, slot int, err error) {
	verifiers, err := parseVerifiers(k.VerifierKeys())
	if err != nil {
		return newest, 0, err
	}
	err = errCheckpoint
	for i, text := range texts {
		c, _, bad := openCheckpoint(text, verifiers)
		if bad != nil || c.origin != k.origin || err == nil && c.size < newest.size {
			continue
		}
		newest, slot, err = c, min(i, 1), nil
	}
	return newest, slot, err
}

// continues checks that the log under head is one that grew out of an earlier
// checkpoint.
func continues(ctx context.Context, store interlock.LogStore, head, earlier checkpoint) error {
	if earlier.size > head.size {
		return putBack(fmt.Sprintf("it has %d entries, and a checkpoint that was kept outside it signs %d", head.size, earlier.size))
	}
	root, err := rootAt(ctx, store, earlier.size)
	if err != nil {
		return err
	}
	if root != earlier.root {
		return putBack(fmt.Sprintf("its first %d entries are not those that a checkpoint kept outside it signs", earlier.size))
	}
	return nil
}

// putBack is the error of a log that is not what was seen of it before.
func putBack(what string) error {
	return &interlock.Error{Code: interlock.CodeInternal, Reason: interlock.ReasonLogPutBack, Stage: stage,
		Public: "The log is not the one that was seen before: " + what + ".", Err: errors.New(what)}
}

// rootAt gives the root of the tree of the first size entries.
func rootAt(ctx context.Context, store interlock.LogStore, size int64) (tlog.Hash, error) {
	root, err := tlog.TreeHash(size, hashReader(ctx, store))
	if err != nil {
		return root, fmt.Errorf("root of %d entries: %w", size, err)
	}
	return root, nil
}
