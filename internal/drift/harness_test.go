package drift

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/receipt"
)

var epoch = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func key(text []byte) string {
	mac := hmac.New(sha256.New, []byte("a key for tests"))
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// lab is a ledger with the log that it has seen.
type lab struct {
	t      testing.TB
	ledger *Ledger
	log    []interlock.LogEntry
	docs   map[string]*Documented
	now    time.Time
}

func newLab(t testing.TB) *lab {
	return &lab{t: t, ledger: NewLedger(), docs: map[string]*Documented{}, now: epoch}
}

// enter appends an entry as the log would, and everything that follows of it.
func (l *lab) enter(typ string, body any) {
	l.t.Helper()
	text, err := receipt.Canonical(body)
	if err != nil {
		l.t.Fatalf("%s: %v", typ, err)
	}
	sum := sha256.Sum256(text)
	e := interlock.LogEntry{Index: int64(len(l.log)), Type: typ, Digest: hex.EncodeToString(sum[:]), Body: text}
	l.log = append(l.log, e)
	news, err := l.ledger.Apply(e)
	if err != nil {
		l.t.Fatalf("apply: %v", err)
	}
	for _, r := range news {
		l.enter(r.Type, r.Body)
	}
}

func stated(t testing.TB, op interlock.Operation) Stated {
	t.Helper()
	hash, err := contract.Hash(op)
	if err != nil {
		t.Fatal(err)
	}
	pin, _ := contract.Pin(op)
	compiled, err := contract.Compile(op)
	if err != nil {
		t.Fatal(err)
	}
	return Stated{Tool: "lab/" + op.Name, Version: "1.0.0", Effect: op.Effect, Operation: op, Contract: hash, Pin: pin, Binding: "b1", Compiled: compiled}
}

// define registers a definition.
func (l *lab) define(s Stated, waiting bool) *Documented {
	l.t.Helper()
	d, err := Document(s)
	if err != nil {
		l.t.Fatal(err)
	}
	body := d.Body()
	body.Waiting, body.At = waiting, l.now.Format(time.RFC3339Nano)
	l.enter(interlock.EntryDocumented, body)
	if !waiting {
		l.docs[s.Tool] = d
	}
	return d
}

// answer is what a service gives.
type answer struct {
	status int
	body   string
	said   map[string]string
	took   time.Duration
	fail   error
	shown  []Shown
}

func ok(format string, args ...any) answer {
	return answer{status: 200, body: fmt.Sprintf(format, args...)}
}

func failed(status int, body string) answer { return answer{status: status, body: body} }

// exchange turns an answer into what the road would make of it.
func (a answer) exchange(args string, probe string, at time.Time) Exchange {
	x := Exchange{Args: json.RawMessage(args), Took: max(a.took, 3*time.Millisecond), At: at, Probe: probe, Key: key, Failure: a.fail, Shown: a.shown}
	x.Reply = interlock.Reply{Result: json.RawMessage(a.body), Status: a.status, Said: a.said}
	if a.status >= 300 && a.fail == nil {
		reason := interlock.ReasonSourceRefused
		if a.status >= 500 {
			reason = interlock.ReasonSourceFailed
		}
		x.Failure = &interlock.Error{Code: interlock.CodeUpstream, Reason: reason, Outcome: interlock.OutcomeFailed, Public: http.StatusText(a.status)}
	}
	return x
}

// call makes one call on record.
func (l *lab) call(tool, args string, a answer) Observation { return l.probe(tool, args, "", a) }

func (l *lab) probe(tool, args, probe string, a answer) Observation {
	l.t.Helper()
	d := l.docs[tool]
	l.now = l.now.Add(time.Second)
	o := d.Observe(a.exchange(args, probe, l.now))
	l.enter(interlock.EntryCall, map[string]any{"receipt": "r", "at": l.now.Format(time.RFC3339Nano), "tool": tool, "effect": d.stated.Effect, "observed": o})
	return o
}

func (l *lab) row(tool string) Row {
	l.t.Helper()
	r, ok := l.ledger.Row(tool, Policy{}, l.now)
	if !ok {
		l.t.Fatalf("no row for %s", tool)
	}
	return r
}

func (r Row) has(kind Kind) bool {
	return slices.ContainsFunc(r.Divergences, func(d Divergence) bool { return d.Kind == kind })
}

func (r Row) brief() string {
	text := string(r.Verdict)
	for _, d := range r.Divergences {
		text += fmt.Sprintf(" %s(%s %s: %s)", d.Kind, d.Severity, d.Pointer, d.Evidence)
	}
	for _, s := range r.Suspected {
		text += fmt.Sprintf(" suspected %s %s %d", s.Kind, s.Pointer, s.Seen)
	}
	return text
}

// replayed folds the log again.
func (l *lab) replayed() *Ledger {
	l.t.Helper()
	again := NewLedger()
	for _, e := range l.log {
		if _, err := again.Apply(e); err != nil {
			l.t.Fatal(err)
		}
	}
	return again
}

func operation(name, effect, input, output string, fields ...interlock.FieldMeaning) interlock.Operation {
	return interlock.Operation{Name: name, Effect: interlock.Effect(effect), InputSchema: json.RawMessage(input), OutputSchema: json.RawMessage(output), Fields: fields,
		Variants: []interlock.Variant{{ID: "default", Description: name}},
		Errors:   []interlock.ErrorCase{{When: "not_found", Status: 404}, {When: "invalid_argument", Status: 400}}}
}

func uuid(n int) string {
	sum := sha256.Sum256([]byte(fmt.Sprint("thing ", n)))
	h := hex.EncodeToString(sum[:])
	return fmt.Sprintf("%s-%s-4%s-a%s-%s", h[:8], h[8:12], h[13:16], h[17:20], h[20:32])
}

func id(n int) string { return fmt.Sprintf(`{"id":%q}`, uuid(n)) }
