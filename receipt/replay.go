package receipt

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

// maxTypes is how many types of entries a log may have.
const maxTypes = 1000

// replay grows the tree anew from entries, and holds it on its way against the
// checkpoints that were kept elsewhere.
type replay struct {
	check   Check
	right   edge
	from    int64 // first entry that is there
	total   int64 // entries there are, where that is known
	types   map[string]int64
	held    []checkpoint // by size
	next    int          // first of held that is not met yet
	stated  retentions
	books   *books
	written [][tlog.HashSize]byte
}

// newReplay begins on the edge of what retention has dropped.
func newReplay(c Check, right edge, held []checkpoint) (*replay, error) {
	r := &replay{check: c, right: right, from: right.size, types: map[string]int64{}, held: held}
	r.stated = retentions{floor: right.size, root: right.root()}
	slices.SortFunc(r.held, func(a, b checkpoint) int { return cmp.Compare(a.size, b.size) })
	if c.Books {
		r.books = newBooks()
	}
	for ; r.next < len(r.held) && r.held[r.next].size < right.size; r.next++ {
		if h := r.held[r.next]; !h.met {
			return nil, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: stage,
				Public: fmt.Sprintf("The checkpoint of %d entries is older than the %d that retention has dropped from this copy. Hold it against the store, or prove it with `interlock log consistency %[1]d`.", h.size, right.size)}
		}
	}
	return r, r.meet()
}

// add checks one entry and takes it into the tree; it gives the hashes that it
// completes, which are good until the next call.
func (r *replay) add(entry interlock.LogEntry) ([][tlog.HashSize]byte, error) {
	if err := checkEntry(entry, r.right.size); err != nil {
		return nil, err
	}
	if r.types[entry.Type]++; len(r.types) > maxTypes {
		return nil, invalid(fmt.Sprintf("there are more than %d types of entries", maxTypes))
	}
	r.written = r.right.add(leafHash(entry), r.written[:0])
	if err := r.read(entry); err != nil {
		return nil, err
	}
	return r.written, r.meet()
}

// read takes what an entry says, beside its place in the tree.
func (r *replay) read(entry interlock.LogEntry) error {
	if entry.Type == interlock.EntryRetention {
		if err := r.stated.read(entry); err != nil {
			return err
		}
	}
	if r.books != nil {
		if err := r.books.read(entry); err != nil {
			return err
		}
	}
	if r.check.Each != nil {
		if err := r.check.Each(entry); err != nil {
			return err
		}
	}
	if r.check.Progress != nil && r.right.size%4096 == 0 {
		r.check.Progress(r.right.size-r.from, max(0, r.total-r.from))
	}
	return nil
}

// meet compares the tree with the checkpoints of its present size.
func (r *replay) meet() error {
	for ; r.next < len(r.held) && r.held[r.next].size == r.right.size; r.next++ {
		if r.held[r.next].root != r.right.root() {
			return putBack(fmt.Sprintf("its first %d entries are not those that a checkpoint kept outside it signs", r.right.size))
		}
		r.held[r.next].met = true
	}
	return nil
}

// addLine takes the line of an entry. It must be spelled as Export spells it.
func (r *replay) addLine(line []byte) error {
	entry, ok := parseLine(line)
	if !ok {
		return invalid("the entry is malformed")
	}
	if r.check.Each != nil {
		entry.Body = bytes.Clone(entry.Body)
	}
	_, err := r.add(entry)
	return err
}

// report holds the tree that was grown against the checkpoint.
func (r *replay) report(head checkpoint, key string, trusted bool) (Report, error) {
	if r.right.size != head.size {
		return Report{}, invalid(fmt.Sprintf("there are %d entries, and the checkpoint signs %d", r.right.size, head.size))
	}
	if r.right.root() != head.root {
		return Report{}, invalid("the entries do not make the tree that the checkpoint signs")
	}
	if r.next < len(r.held) {
		return Report{}, putBack(fmt.Sprintf("it has %d entries, and a checkpoint that was kept outside it signs %d", head.size, r.held[r.next].size))
	}
	report := Report{Origin: head.origin, Key: key, Trusted: trusted, Size: head.size, Root: head.root.String(), Dropped: r.from, Types: r.types}
	for _, h := range r.held {
		if h.origin != head.origin {
			return Report{}, invalid("a checkpoint that was kept is of another log")
		}
		report.Held = append(report.Held, h.size)
	}
	if err := r.stated.check(); err != nil {
		return Report{}, err
	}
	var err error
	if r.books != nil {
		if report.Books, err = r.books.close(head); err != nil {
			return Report{}, err
		}
	}
	report.Witnessed, err = r.check.Witness.judge(r.held, r.check.Now)
	if r.check.Progress != nil {
		r.check.Progress(r.right.size-r.from, r.right.size-r.from)
	}
	return report, err
}
