package receipt

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed-ae386458/interlock"
)

// maxNotes is how many single oddities a report names.
const maxNotes = 20

// Books says what the bodies of a log add up to.
type Books struct {
	Receipts int64 `json:"receipts"` // entries with a receipt's id
	Intents  int64 `json:"intents"`
	Open     int64 `json:"open"` // intents that nothing has closed
	// Back is how often an entry has an earlier time than the one before it by
	// more than two seconds, and MaxBack the furthest; the order of the log is
	// its indexes, so a clock that was put back is told and is no fault.
	Back    int64    `json:"clock_back,omitempty"`
	MaxBack string   `json:"clock_back_most,omitempty"`
	Notes   []string `json:"notes,omitempty"` // oddities that are no damage, the first twenty
	Odd     int64    `json:"odd,omitempty"`   // how many there are
}

// clockSlack is how far times may stand out of order because calls run at once.
const clockSlack = 2 * time.Second

// books reads the bodies in order. It holds the intents that are open and
// nothing else of what it has read.
type books struct {
	Books
	open map[string]int64 // open intents by receipt id, with their index
	last time.Time
	most time.Duration
}

func newBooks() *books { return &books{open: map[string]int64{}} }

// bookBody is what the books read of a body.
type bookBody struct {
	Receipt      *string `json:"receipt"`
	At           *string `json:"at"`
	ArgsDigest   *string `json:"args_digest"`
	ResultDigest *string `json:"result_digest"`
	NeedDigest   *string `json:"need_digest"`
	Intent       *string `json:"intent"`
}

// callTypes are the entries that belong to one call.
func callType(typ string) bool {
	switch typ {
	case interlock.EntryIntent, interlock.EntryCall, interlock.EntryRefused, interlock.EntryIndeterminate:
		return true
	}
	return false
}

func (b *books) read(entry interlock.LogEntry) error {
	var body bookBody
	if err := json.Unmarshal(entry.Body, &body); err != nil {
		if callType(entry.Type) {
			return invalid(fmt.Sprintf("the body of entry %d is not that of a %s", entry.Index, entry.Type))
		}
		return nil // the members are something else in this body
	}
	b.time(body.At)
	if !callType(entry.Type) {
		return nil
	}
	if err := body.check(entry); err != nil {
		return err
	}
	b.Receipts++
	return b.link(entry, *body.Receipt, body.Intent)
}

// check holds the names in the body of a call to their form.
func (body bookBody) check(entry interlock.LogEntry) error {
	if body.Receipt == nil || !lowerHex(*body.Receipt, 2*idSize) {
		return invalid(fmt.Sprintf("entry %d has no receipt's id", entry.Index))
	}
	for _, digest := range []*string{body.ArgsDigest, body.ResultDigest} {
		if digest != nil && !lowerHex(*digest, 64) {
			return invalid(fmt.Sprintf("a digest in entry %d is none", entry.Index))
		}
	}
	if entry.Type != interlock.EntryRefused && body.ArgsDigest == nil && entry.Type != interlock.EntryIndeterminate {
		return invalid(fmt.Sprintf("entry %d does not name the arguments of its call", entry.Index))
	}
	return nil
}

func lowerHex(text string, n int) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(text) == n
}

// link follows an intent from its entry to the one that closes it.
func (b *books) link(entry interlock.LogEntry, receipt string, intent *string) error {
	if entry.Type == interlock.EntryIntent {
		if at, twice := b.open[receipt]; twice {
			return invalid(fmt.Sprintf("entries %d and %d are two intents of one call", at, entry.Index))
		}
		b.open[receipt] = entry.Index
		b.Intents++
		return nil
	}
	if intent == nil {
		return nil
	}
	if _, ok := b.open[*intent]; !ok {
		b.note("entry %d closes an intent that is not open", entry.Index)
	}
	if *intent != receipt {
		b.note("entry %d closes the intent of another call", entry.Index)
	}
	delete(b.open, *intent)
	return nil
}

func (b *books) note(format string, args ...any) {
	if b.Odd++; len(b.Notes) < maxNotes {
		b.Notes = append(b.Notes, fmt.Sprintf(format, args...))
	}
}

// time follows the clock.
func (b *books) time(text *string) {
	if text == nil {
		return
	}
	at, err := time.Parse(time.RFC3339Nano, *text)
	if err != nil {
		return
	}
	if back := b.last.Sub(at); !b.last.IsZero() && back > clockSlack {
		b.Back++
		b.most = max(b.most, back)
	}
	b.last = at
}

// close holds what is open at the end against what the checkpoint signs.
func (b *books) close(head checkpoint) (*Books, error) {
	if least := oldest(b.open, head.size); least != head.open {
		return nil, invalid(fmt.Sprintf("the checkpoint signs that the oldest open intent is %d, and by the entries it is %d", head.open, least))
	}
	b.Open = int64(len(b.open))
	if b.Back > 0 {
		b.MaxBack = b.most.Round(time.Millisecond).String()
	}
	report := b.Books
	return &report, nil
}
