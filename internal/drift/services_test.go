package drift

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
)

const (
	idInput = `{"type":"object","properties":{"id":{"type":"string","format":"uuid"}},"required":["id"]}`
	limits  = `{"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":100,"description":"At most this many items"}},"required":["limit"]}`
	page    = `{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}},"total":{"type":"integer"},"note":{"type":"string"}},"required":["items","total"]}`
	absent  = `{"error":{"code":"not_found","message":"no such thing"}}`
	invalid = `{"error":{"code":"invalid_argument"}}`
)

func object(props string, required ...string) string {
	text := `{"type":"object","properties":{` + props + `,"note":{"type":"string","description":"Sometimes there"}}`
	if len(required) > 0 {
		text += `,"required":["` + strings.Join(required, `","`) + `"]`
	}
	return text + "}"
}

func rows(n, total int) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(`{"id":%d}`, i)
	}
	return fmt.Sprintf(`{"items":[%s],"total":%d,"note":"x"}`, strings.Join(items, ","), total)
}

type step struct {
	args  string
	a     answer
	probe string
}

func repeat3(f func(int) step) []step { return []step{f(1), f(2), f(3)} }

// service is one tool before and after the switch.
type service struct {
	name          string
	op            interlock.Operation
	before, after []step
	want          Kind
	severity      Severity
	verdict       Verdict
	also          []Kind // what the same calls show too
}

func byID(f func(n int) answer) []step {
	return repeat3(func(n int) step { return step{args: id(n), a: f(n)} })
}

func services() []service {
	read := func(name, output string, fields ...interlock.FieldMeaning) interlock.Operation {
		return operation(name, "read", idInput, output, fields...)
	}
	missing := func(a answer) []step {
		return repeat3(func(n int) step { return step{args: id(100 + n), a: a} })
	}
	at := func(n int) string { return uuid(n) }
	timed := `{"type":"object","properties":{"timeout":{"type":"number","exclusiveMinimum":0,"maximum":300,"description":"Timeout in seconds"}},"required":["timeout"]}`
	held := func(seconds []float64, scale float64) (steps []step) {
		for _, s := range seconds {
			steps = append(steps, step{args: fmt.Sprintf(`{"timeout":%g}`, s), a: answer{status: 200, body: `{"done":false,"note":"x"}`, took: time.Duration(s*scale*1e9) + 4*time.Millisecond}})
		}
		return steps
	}
	amount := func(n int) string { return fmt.Sprintf(`{"id":%q,"amount":%d}`, uuid(n), n) }
	writeInput := `{"type":"object","properties":{"id":{"type":"string","format":"uuid"},"amount":{"type":"integer"}},"required":["id","amount"]}`
	list := func(limits []int, count func(int) int) (steps []step) {
		for _, n := range limits {
			args := fmt.Sprintf(`{"limit":%d}`, n)
			if n == 0 {
				args = `{}`
			}
			steps = append(steps, step{args: args, a: ok("%s", rows(count(n), 200))})
		}
		return steps
	}
	return []service{
		{"masked", read("masked", object(`"id":{"type":"string"},"name":{"type":"string"}`)),
			append(byID(func(n int) answer { return ok(`{"id":%q,"name":"lamp","note":"x"}`, at(n)) }), missing(failed(404, absent))...),
			missing(ok(`{}`)), ErrorMaskedAsEmptySuccess, Critical, DriftRejected, nil},
		{"masked from the start", read("find_user", object(`"id":{"type":"string"},"name":{"type":"string"}`, "id")),
			byID(func(n int) answer { return ok(`{"id":%q,"name":"Ann"}`, at(n)) }),
			repeat3(func(n int) step { return step{args: id(200 + n), a: ok("null"), probe: "absent:/id"} }), ErrorMaskedAsEmptySuccess, Critical, DriftRejected, []Kind{RequiredOutputMissing}},
		{"phantom by probe", read("get_order", object(`"id":{"type":"string"},"status":{"type":"string"}`, "id", "status")),
			append(byID(func(n int) answer { return ok(`{"id":%q,"status":"shipped"}`, at(n)) }), missing(failed(404, absent))...),
			repeat3(func(n int) step {
				return step{args: id(200 + n), a: ok(`{"id":%q,"status":"shipped"}`, at(200+n)), probe: "absent:/id"}
			}), PhantomSuccess, Critical, DriftRejected, nil},
		{"seconds read as milliseconds", operation("poll", "read", timed, object(`"timeout":{"type":"number"},"state":{"type":"string"}`, "timeout", "state"), interlock.FieldMeaning{At: "input:/timeout", Unit: "s"}, interlock.FieldMeaning{At: "output:/timeout", Unit: "s"}),
			repeat3(func(n int) step {
				return step{args: fmt.Sprintf(`{"timeout":%d}`, 10*n), a: ok(`{"timeout":%d.0,"state":"idle"}`, 10*n)}
			}),
			repeat3(func(n int) step {
				return step{args: fmt.Sprintf(`{"timeout":%d}`, 20*n), a: ok(`{"timeout":%g,"state":"idle"}`, float64(20*n)/1000)}
			}), ParamUnitShift, Critical, DriftRejected, nil},
		{"held a thousandth", operation("hold", "read", strings.Replace(timed, "300", "2", 1), object(`"done":{"type":"boolean"}`, "done"), interlock.FieldMeaning{At: "input:/timeout", Unit: "s"}),
			held([]float64{0.2, 0.5, 1}, 1), held([]float64{0.3, 0.6, 1.2}, 0.001), ParamUnitShift, Critical, DriftRejected, nil},
		{"type", read("stock", object(`"id":{"type":"string"},"count":{"type":"integer"}`, "id", "count")),
			byID(func(n int) answer { return ok(`{"id":%q,"count":12}`, at(n)) }), byID(func(n int) answer { return ok(`{"id":%q,"count":"12"}`, at(n)) }), OutputTypeChanged, Major, DriftRejected, nil},
		{"required", read("profile", object(`"id":{"type":"string"},"email":{"type":"string"}`, "id", "email")),
			byID(func(n int) answer { return ok(`{"id":%q,"email":"a@example.org"}`, at(n)) }), byID(func(n int) answer { return ok(`{"id":%q}`, at(n)) }), RequiredOutputMissing, Major, DriftRejected, nil},
		{"null", read("quota", object(`"id":{"type":"string"},"left":{"type":"integer"}`, "id", "left")),
			byID(func(n int) answer { return ok(`{"id":%q,"left":5}`, at(n)) }), byID(func(n int) answer { return ok(`{"id":%q,"left":null}`, at(n)) }), NullabilityChanged, Major, DriftRejected, nil},
		{"enum", read("state", object(`"id":{"type":"string"},"state":{"type":"string","enum":["queued","sent","delivered"]}`, "id", "state")),
			byID(func(n int) answer { return ok(`{"id":%q,"state":"sent"}`, at(n)) }), byID(func(n int) answer { return ok(`{"id":%q,"state":"lost"}`, at(n)) }), EnumEscape, Major, DriftRejected, nil},
		{"flip", read("labels", object(`"id":{"type":"string"},"labels":{"type":"array","items":{"type":"string"}}`, "id", "labels")),
			byID(func(n int) answer { return ok(`{"id":%q,"labels":["red"]}`, at(n)) }), byID(func(n int) answer { return ok(`{"id":%q,"labels":"red"}`, at(n)) }), ArrayScalarFlip, Major, DriftRejected, nil},
		{"another member", read("greet", strings.TrimSuffix(object(`"id":{"type":"string"},"text":{"type":"string"}`, "id", "text"), "}")+`,"additionalProperties":false}`),
			byID(func(n int) answer { return ok(`{"id":%q,"text":"hi"}`, at(n)) }), byID(func(n int) answer { return ok(`{"id":%q,"text":"hi","debug":1}`, at(n)) }), UndocumentedOutputField, Minor, DriftWithinPolicy, nil},
		{"gone", read("ledger", object(`"id":{"type":"string"},"entries":{"type":"integer"}`, "id", "entries")),
			byID(func(n int) answer { return ok(`{"id":%q,"entries":3}`, at(n)) }), byID(func(int) answer { return failed(410, `{"error":{"code":"gone","message":"moved"}}`) }), UndocumentedErrorCode, Minor, DriftWithinPolicy, nil},
		{"busy", operation("append", "write", writeInput, object(`"id":{"type":"string"},"entries":{"type":"integer"}`, "id", "entries")),
			repeat3(func(n int) step { return step{args: amount(n), a: ok(`{"id":%q,"entries":4}`, at(n))} }),
			repeat3(func(n int) step {
				return step{args: amount(n + 10), a: failed(409, `{"error":{"code":"busy","message":"try later"}}`)}
			}), UndocumentedErrorCode, Major, DriftRejected, nil},
		{"flagged", operation("invoice", "write", writeInput, object(`"invoice":{"type":"string"},"amount":{"type":"integer"}`, "invoice", "amount")),
			repeat3(func(n int) step { return step{args: amount(n), a: ok(`{"invoice":"inv-1","amount":%d}`, n)} }),
			repeat3(func(n int) step {
				return step{args: amount(n + 10), a: failed(422, fmt.Sprintf(`{"invoice":"inv-2","amount":%d}`, n+10))}
			}), SuccessFlaggedAsError, Critical, DriftRejected, []Kind{UndocumentedErrorCode}},
		{"flag lost", read("fetch", object(`"id":{"type":"string"},"text":{"type":"string"}`)),
			append(byID(func(n int) answer { return ok(`{"id":%q,"text":"milk"}`, at(n)) }), missing(failed(404, absent))...),
			missing(ok(absent)), ErrorFlagLost, Major, DriftRejected, nil},
		{"tightened", operation("search", "read", limits, page),
			list([]int{20, 60, 100}, func(n int) int { return n }),
			[]step{{args: `{"limit":60}`, a: failed(400, invalid)}, {args: `{"limit":80}`, a: failed(400, invalid)}, {args: `{"limit":100}`, a: failed(400, invalid)}}, ValidationTightened, Major, DriftRejected, nil},
		{"relaxed by probe", operation("range", "read", `{"type":"object","properties":{"days":{"type":"integer","minimum":1,"maximum":30,"description":"How many days back, 1 to 30"}},"required":["days"]}`, object(`"days":{"type":"integer"},"sum":{"type":"integer"}`, "days", "sum")),
			repeat3(func(n int) step {
				return step{args: fmt.Sprintf(`{"days":%d}`, n), a: ok(`{"days":%d,"sum":%d}`, n, 3*n)}
			}),
			[]step{{args: `{"days":31}`, a: ok(`{"days":31,"sum":93}`), probe: "outside:/days"}}, ValidationRelaxed, Minor, DriftWithinPolicy, nil},
		{"ignored", operation("items", "read", limits, page), list([]int{5, 10, 20}, func(n int) int { return n }), list([]int{4, 8, 16, 60}, func(int) int { return 30 }), ParamIgnored, Major, DriftRejected, nil},
		{"truncated", operation("orders", "read", limits, page), list([]int{20, 50, 80}, func(n int) int { return n }), list([]int{30, 60, 90}, func(n int) int { return min(10, n) }), SilentTruncation, Major, DriftRejected, nil},
		{"default", operation("events", "read", strings.Replace(strings.Replace(limits, `"minimum"`, `"default":20,"minimum"`, 1), `,"required":["limit"]`, "", 1), page),
			list([]int{0, 20, 0, 40, 0}, func(n int) int {
				if n == 0 {
					return 20
				}
				return n
			}), list([]int{0, 20, 0, 0}, func(n int) int {
				if n == 0 {
					return 50
				}
				return n
			}), DefaultChanged, Major, DriftRejected, nil},
		{"epoch", read("changed", object(`"id":{"type":"string"},"updated_at":{"type":"integer","description":"Unix time in seconds"}`, "id", "updated_at"), interlock.FieldMeaning{At: "output:/updated_at", SemanticID: "unix_time", Unit: "s"}),
			byID(func(n int) answer { return ok(`{"id":%q,"updated_at":%d}`, at(n), 1_760_000_000+n) }), byID(func(n int) answer { return ok(`{"id":%q,"updated_at":%d}`, at(n), (1_760_000_000+n)*1000) }), FormatShift, Major, DriftRejected, nil},
		{"swapped", operation("locate", "read", `{"type":"object","properties":{"lat":{"type":"number","minimum":-90,"maximum":90},"lon":{"type":"number","minimum":-180,"maximum":180}},"required":["lat","lon"]}`, object(`"lat":{"type":"number"},"lon":{"type":"number"},"cell":{"type":"string"}`, "lat", "lon", "cell")),
			repeat3(func(n int) step {
				return step{args: fmt.Sprintf(`{"lat":3%d.5,"lon":12%d}`, n, n), a: ok(`{"lat":3%d.5,"lon":12%d.0,"cell":"c"}`, n, n)}
			}),
			repeat3(func(n int) step {
				return step{args: fmt.Sprintf(`{"lat":3%d.5,"lon":12%d}`, n, n), a: ok(`{"lat":12%d.0,"lon":3%d.5,"cell":"c"}`, n, n)}
			}), CoordinateOrArgumentOrderSwap, Critical, DriftRejected, nil},
		{"touched", read("open", object(`"id":{"type":"string"},"revision":{"type":"integer"},"text":{"type":"string"}`, "id", "revision"), interlock.FieldMeaning{At: "output:/revision", SemanticID: "state_revision"}),
			byID(func(n int) answer { return ok(`{"id":%q,"revision":7,"text":"hello"}`, at(n)) }),
			[]step{{args: id(1), a: ok(`{"id":%q,"revision":8}`, at(1))}, {args: id(1), a: ok(`{"id":%q,"revision":9}`, at(1))}, {args: id(1), a: ok(`{"id":%q,"revision":10}`, at(1))}, {args: id(1), a: ok(`{"id":%q,"revision":11}`, at(1))}},
			SideEffectInRead, Critical, DriftRejected, nil},
		{"kilometres", read("trip", object(`"id":{"type":"string"},"distance":{"type":"number","description":"Length in metres"}`, "id", "distance"), interlock.FieldMeaning{At: "output:/distance", Unit: "m"}),
			byID(func(n int) answer { return ok(`{"id":%q,"distance":%d.0}`, at(n), 12500+1000*n) }), byID(func(n int) answer { return ok(`{"id":%q,"distance":%g}`, at(n), 12.5+float64(n)) }), OutputUnitShift, Critical, DriftRejected, nil},
		{"precision", operation("balance", "read", `{"type":"object","properties":{"account":{"type":"integer","minimum":1}},"required":["account"]}`, object(`"account":{"type":"integer"},"balance":{"type":"integer"}`, "account", "balance")),
			repeat3(func(n int) step {
				return step{args: fmt.Sprintf(`{"account":%d}`, 9007199254740991+2*n), a: ok(`{"account":%d,"balance":10}`, 9007199254740991+2*n)}
			}),
			repeat3(func(n int) step {
				v := 9007199254740991 + 2*n
				return step{args: fmt.Sprintf(`{"account":%d}`, v), a: ok(`{"account":%d,"balance":10}`, int64(float64(v)))}
			}), EncodingOrPrecisionLoss, Major, DriftRejected, nil},
	}
}

// TestServices: before the switch there is nothing; after it the kind is found,
// at its severity, and nothing else at MAJOR or above.
func TestServices(t *testing.T) {
	for _, s := range services() {
		t.Run(s.name, func(t *testing.T) {
			l := newLab(t)
			l.define(stated(t, s.op), false)
			tool := "lab/" + s.op.Name
			for _, st := range s.before {
				l.probe(tool, st.args, st.probe, st.a)
			}
			if r := l.row(tool); len(r.Divergences) > 0 || r.Verdict != InsufficientEvidence {
				t.Fatalf("before the switch: %s", r.brief())
			}
			for _, st := range s.after {
				l.probe(tool, st.args, st.probe, st.a)
			}
			s.judge(t, l, tool)
		})
	}
}

func (s service) judge(t *testing.T, l *lab, tool string) {
	t.Helper()
	r := l.row(tool)
	if !r.has(s.want) || r.Verdict != s.verdict {
		t.Errorf("want %s and %s, have %s", s.want, s.verdict, r.brief())
	}
	for _, d := range r.Divergences {
		expected := d.Kind == s.want
		for _, k := range s.also {
			expected = expected || d.Kind == k
		}
		if d.Kind == s.want && d.Severity != s.severity {
			t.Errorf("%s is %s, want %s", d.Kind, d.Severity, s.severity)
		}
		if !expected && d.Severity.rank() > Minor.rank() {
			t.Errorf("nothing to do with it: %s", r.brief())
		}
		if d.Evidence == "" || len(d.Digest) != 64 || d.Confidence <= 0 || d.Confidence > 1 || d.Pointer == "" {
			t.Errorf("not told in full: %+v", d)
		}
	}
	if len(r.Documented) != 64 || len(r.Observed) != 64 {
		t.Errorf("fingerprints: %q %q", r.Documented, r.Observed)
	}
	again, _ := l.replayed().Row(tool, Policy{}, l.now)
	if again.brief() != r.brief() || again.Observed != r.Observed {
		t.Errorf("the replayed log says %s, live was %s", again.brief(), r.brief())
	}
}
