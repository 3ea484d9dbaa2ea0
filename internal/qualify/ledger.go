package qualify

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/seed-ae386458/interlock"
)

// Entry is one line of a ledger: a plan that was registered, or cases that a
// run consumed. Each line carries the digest of the one before it, so that none
// can be taken out unnoticed from between others.
type Entry struct {
	Kind  string   `json:"kind"` // registered or consumed
	At    string   `json:"at"`
	Plan  string   `json:"plan"` // its digest
	Name  string   `json:"name"` // of the plan
	Split string   `json:"split"`
	Run   string   `json:"run,omitempty"`   // of consumed: what consumed them
	Cases []string `json:"cases,omitempty"` // of consumed: digests of the confirmation cases
	Prev  string   `json:"prev"`
}

// The kinds of entry.
const (
	Registered = "registered"
	Consumed   = "consumed"
)

// Ledger is what was registered and what was scored.
type Ledger struct {
	Entries []Entry
	last    string // digest of the last line
}

// ReadLedger reads a ledger; an empty text is an empty one.
func ReadLedger(text []byte) (Ledger, error) {
	var l Ledger
	for number, line := range bytes.Split(text, []byte{'\n'}) {
		if len(line) == 0 {
			continue
		}
		var e Entry
		if err := strict(line, &e); err != nil {
			return l, invalid("Line %d of the ledger: %v.", number+1, err)
		}
		if e.Prev != l.last {
			return l, refuse(interlock.CodeConflict, interlock.ReasonInputChanged, "", "Line %d of the ledger does not follow the one before it: a line was changed or taken out. Bring back the ledger as it was written.", number+1)
		}
		l.Entries, l.last = append(l.Entries, e), Digest(line)
	}
	return l, nil
}

// Next gives the line that adds an entry, with its line end.
func (l Ledger) Next(e Entry) ([]byte, error) {
	e.Prev = l.last
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

// Admit refuses a plan that was not registered, and a confirmation case that a
// run consumed, naming the run.
func (l Ledger) Admit(p Plan, cases []Case) error {
	if !slices.ContainsFunc(l.Entries, func(e Entry) bool { return e.Kind == Registered && e.Plan == p.Digest }) {
		return refuse(interlock.CodeConflict, interlock.ReasonPlanUnregistered, "", "The ledger holds no plan with the digest %s: it was not registered here before the run. Register it with interlock eval plan.", short(p.Digest))
	}
	if p.Split != Confirmation {
		return nil
	}
	for _, c := range cases {
		for _, e := range l.Entries {
			if e.Kind == Consumed && slices.Contains(e.Cases, c.Digest) {
				return refuse(interlock.CodeConflict, interlock.ReasonSplitConsumed, "", "The confirmation case %s was scored on %s by the run %s of the plan %q; a confirmation split is scored once.", c.ID, e.At, e.Run, e.Name)
			}
		}
	}
	return nil
}

// Consumption is the entry that a run writes before it scores.
func Consumption(p Plan, cases []Case, run, at string) Entry {
	e := Entry{Kind: Consumed, At: at, Plan: p.Digest, Name: p.Name, Split: p.Split, Run: run}
	if p.Split == Confirmation {
		for _, c := range cases {
			e.Cases = append(e.Cases, c.Digest)
		}
	}
	return e
}
