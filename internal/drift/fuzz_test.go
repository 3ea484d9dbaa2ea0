package drift

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// FuzzObserve: no exchange makes an observation fail, and every one has a form
// that the log takes, within its bounds.
func FuzzObserve(f *testing.F) {
	var docs []*Documented
	for _, s := range services() {
		d, err := Document(stated(f, s.op))
		if err != nil {
			f.Fatal(err)
		}
		docs = append(docs, d)
		for _, st := range s.after[:1] {
			f.Add(uint8(len(docs)-1), []byte(st.args), []byte(st.a.body), st.a.status, "application/json", st.probe)
		}
	}
	f.Add(uint8(0), []byte(`{"id":`), []byte("\xff\x00"), 200, "text/html", "absent")
	f.Fuzz(func(t *testing.T, which uint8, args, body []byte, status int, media, probe string) {
		d := docs[int(which)%len(docs)]
		x := Exchange{Args: args, Took: time.Duration(status) * time.Millisecond, At: epoch, Probe: probe, Key: key,
			Reply: interlock.Reply{Result: body, Status: status, Said: map[string]string{"content-type": media, "retry-after": media}}}
		if status >= 300 || status < 0 {
			x.Failure = &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonToolError, Outcome: interlock.OutcomeFailed, Detail: body}
		} else if status == 7 {
			x.Failure = errors.New("broken")
		}
		o := d.Observe(x)
		text, err := receipt.Canonical(map[string]any{"at": "2026-11-01T12:00:00Z", "tool": d.stated.Tool, "effect": "read", "observed": o})
		if err != nil {
			t.Fatalf("no entry takes it: %v", err)
		}
		if len(text) > 64_000 {
			t.Fatalf("%d bytes", len(text))
		}
		l := NewLedger()
		doc, _ := receipt.Canonical(d.Body())
		for i, e := range []interlock.LogEntry{{Type: interlock.EntryDocumented, Body: doc}, {Type: interlock.EntryCall, Body: text}} {
			e.Index = int64(i)
			news, err := l.Apply(e)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range news {
				if _, err := receipt.Canonical(r.Body); err != nil {
					t.Fatalf("%s: %v", r.Type, err)
				}
			}
		}
		l.Rows(Policy{}, epoch)
	})
}

// FuzzApply: no entry panics, and whatever comes of one can be kept, restored
// and written.
func FuzzApply(f *testing.F) {
	l := history(f, 3)
	seen := map[string]int{}
	for _, e := range l.log {
		if seen[e.Type]++; seen[e.Type] < 12 {
			f.Add(e.Type, []byte(e.Body))
		}
	}
	base := map[string][]byte{}
	for name, state := range l.ledger.Changed() {
		if name == "lab/poll" || name == "lab/orders" || name == "lab/masked" {
			base[name] = state
		}
	}
	f.Fuzz(func(t *testing.T, typ string, body []byte) {
		g := NewLedger()
		for name, state := range base {
			if err := g.Restore(name, state); err != nil {
				t.Fatal(err)
			}
		}
		for range 4 {
			news, _ := g.Apply(interlock.LogEntry{Index: g.Applied(), Type: typ, Body: body})
			for _, r := range news {
				if _, err := json.Marshal(r.Body); err != nil {
					t.Fatal(err)
				}
			}
		}
		rows := g.Rows(Policy{}, l.now)
		if _, err := json.Marshal(rows); err != nil {
			t.Fatal(err)
		}
		for name, state := range g.Changed() {
			if state == nil {
				continue
			}
			if err := NewLedger().Restore(name, state); err != nil {
				t.Fatal(err)
			}
		}
	})
}
