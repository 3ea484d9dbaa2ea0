package drift_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/drift/probe"
	"github.com/seed-ae386458/interlock/receipt"
)

const (
	someone  = "0a51b2a2-6f2c-4b1e-8c1d-3c8f6c1e9a11"
	notThere = `{"error":{"code":"not_found"}}`
	refusal  = `{"error":{"code":"invalid_argument"}}`
)

// service answers arguments that its input documents; what is outside is refused
// before it, unless it is lax.
type service struct {
	name, input, output string
	fields              []interlock.FieldMeaning
	clean, drifted      func(args map[string]any, n int) (int, string)
	lax                 bool // drifted, it takes what its input does not document
	want                drift.Kind
}

func services() []service {
	byID := `{"type":"object","properties":{"id":{"type":"string","format":"uuid","examples":["` + someone + `"]}},"required":["id"]}`
	known := func(args map[string]any, body string) (int, string) {
		if args["id"] == someone {
			return 200, body
		}
		return 404, notThere
	}
	days := func(args map[string]any, _ int) (int, string) {
		return 200, fmt.Sprintf(`{"days":%v,"sum":3}`, args["days"])
	}
	limited := func(count func(int) int) func(map[string]any, int) (int, string) {
		return func(args map[string]any, _ int) (int, string) {
			n := 20
			if v, ok := args["limit"].(float64); ok {
				n = int(v)
			}
			items := make([]string, count(n))
			for i := range items {
				items[i] = fmt.Sprintf(`{"id":%d}`, i)
			}
			return 200, `{"items":[` + strings.Join(items, ",") + `],"total":200}`
		}
	}
	list := `{"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":100,"examples":[20],"description":"At most this many items"}},"required":["limit"]}`
	page := `{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}},"total":{"type":"integer"}},"required":["items","total"]}`
	user := `{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"},"note":{"type":"string"}},"required":["id"]}`
	revision := 7
	return []service{
		{name: "masked", input: byID, output: user, want: drift.ErrorMaskedAsEmptySuccess,
			clean: func(a map[string]any, _ int) (int, string) { return known(a, `{"id":"`+someone+`"}`) },
			drifted: func(a map[string]any, _ int) (int, string) {
				if a["id"] == someone {
					return 200, `{"id":"` + someone + `"}`
				}
				return 200, `null`
			}},
		{name: "phantom", input: byID, output: user, want: drift.PhantomSuccess,
			clean: func(a map[string]any, _ int) (int, string) { return known(a, `{"id":"`+someone+`","name":"Ann"}`) },
			drifted: func(a map[string]any, _ int) (int, string) {
				return 200, fmt.Sprintf(`{"id":%q,"name":"Ann"}`, a["id"])
			}},
		{name: "relaxed", output: `{"type":"object","properties":{"days":{"type":"integer"},"sum":{"type":"integer"}},"required":["days","sum"]}`, want: drift.ValidationRelaxed, lax: true,
			input: `{"type":"object","properties":{"days":{"type":"integer","minimum":1,"maximum":30,"examples":[7],"description":"How many days back, 1 to 30"}},"required":["days"]}`,
			clean: days, drifted: days},
		{name: "ignored", input: list, output: page, want: drift.ParamIgnored, clean: limited(func(n int) int { return n }), drifted: limited(func(int) int { return 30 })},
		{name: "touched", input: byID, output: strings.Replace(user, `"name":{"type":"string"}`, `"revision":{"type":"integer"}`, 1), want: drift.SideEffectInRead,
			fields: []interlock.FieldMeaning{{At: "output:/revision", SemanticID: "state_revision"}},
			clean:  func(a map[string]any, _ int) (int, string) { return known(a, `{"id":"`+someone+`","revision":7}`) },
			drifted: func(a map[string]any, _ int) (int, string) {
				if a["id"] == someone {
					revision++
				}
				return known(a, fmt.Sprintf(`{"id":%q,"revision":%d}`, someone, revision))
			}},
		{name: "milliseconds", want: drift.ParamUnitShift,
			input:  `{"type":"object","properties":{"timeout":{"type":"number","exclusiveMinimum":0,"maximum":300,"examples":[30],"description":"Timeout in seconds"}},"required":["timeout"]}`,
			output: `{"type":"object","properties":{"timeout":{"type":"number"}},"required":["timeout"]}`,
			clean:  func(a map[string]any, _ int) (int, string) { return 200, fmt.Sprintf(`{"timeout":%v}`, a["timeout"]) },
			drifted: func(a map[string]any, _ int) (int, string) {
				return 200, fmt.Sprintf(`{"timeout":%v}`, a["timeout"].(float64)/1000)
			}},
	}
}

// run probes one service, and gives the row that comes of it.
func (s service) run(t *testing.T, serve func(map[string]any, int) (int, string), lax bool) drift.Row {
	t.Helper()
	op := interlock.Operation{Name: s.name, Effect: interlock.EffectRead, Binding: []byte(`{}`), InputSchema: []byte(s.input), OutputSchema: []byte(s.output), Fields: s.fields,
		Errors: []interlock.ErrorCase{{When: "not_found", Status: 404}, {When: "invalid_argument", Status: 400}}}
	compiled, err := contract.Compile(op)
	if err != nil {
		t.Fatal(err)
	}
	stated := drift.Stated{Tool: "lab/" + s.name, Version: "1.0.0", Effect: op.Effect, Operation: op, Binding: "b", Compiled: compiled}
	doc, err := drift.Document(stated)
	if err != nil {
		t.Fatal(err)
	}
	ledger, index := drift.NewLedger(), int64(0)
	enter := func(typ string, body any) {
		text, err := receipt.Canonical(body)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ledger.Apply(interlock.LogEntry{Index: index, Type: typ, Body: text}); err != nil {
			t.Fatal(err)
		}
		index++
	}
	enter(interlock.EntryDocumented, doc.Body())
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	p := probe.New(stated, "seed", 30)
	defer p.Close()
	for ask, more := p.Next(); more; ask, more = p.Next() {
		var args map[string]any
		if err := json.Unmarshal(ask.Args, &args); err != nil {
			t.Fatal(err)
		}
		status, body := 400, refusal
		if id, _ := args["id"].(string); lax || compiled.ValidateArgs(ask.Args) == nil && (args["id"] == nil || len(id) == 36) {
			status, body = serve(args, p.Sent())
		}
		x := drift.Exchange{Args: ask.Args, Probe: ask.Probe, At: at, Took: time.Millisecond, Reply: interlock.Reply{Status: status, Result: []byte(body)}, Key: func(text []byte) string {
			sum := sha256.Sum256(text)
			return hex.EncodeToString(sum[:8])
		}}
		if status >= 300 {
			x.Failure = &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonSourceRefused, Outcome: interlock.OutcomeFailed}
		}
		x.Shown = p.Learn(x)
		enter(interlock.EntryCall, map[string]any{"at": at.Format(time.RFC3339), "tool": stated.Tool, "effect": "read", "observed": doc.Observe(x)})
	}
	row, _ := ledger.Row(stated.Tool, drift.Policy{}, at)
	return row
}

// TestProbed: one probe of thirty requests finds what is not as documented, and
// nothing where all is.
func TestProbed(t *testing.T) {
	for _, s := range services() {
		t.Run(s.name, func(t *testing.T) {
			if r := s.run(t, s.clean, false); len(r.Divergences) > 0 {
				t.Errorf("clean: %+v", r.Divergences)
			}
			r := s.run(t, s.drifted, s.lax)
			if !slices.ContainsFunc(r.Divergences, func(d drift.Divergence) bool { return d.Kind == s.want }) {
				t.Errorf("want %s, have %+v, suspected %+v", s.want, r.Divergences, r.Suspected)
			}
			for _, d := range r.Divergences {
				t.Log(d.Kind, d.Severity, d.Pointer, d.Evidence)
			}
		})
	}
}
