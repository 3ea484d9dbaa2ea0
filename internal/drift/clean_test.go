package drift

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
)

// world is a tool that does what it documents, with everything about it that
// is no drift: optional members at their rates, failures that are documented,
// rate limits, outages, proxies, slow days, two builds side by side, things that
// come to be, values that move.
type world struct {
	rng     *rand.Rand
	rates   []float64
	made    map[int]bool
	slow    int // calls left of a slow day
	down    int // calls left of an outage
	build   float64
	kind    int
	content int
}

func newWorld(rng *rand.Rand) *world {
	w := &world{rng: rng, made: map[int]bool{}, build: rng.Float64() * 0.5, kind: rng.IntN(3)}
	for range 6 {
		w.rates = append(w.rates, []float64{0.999, 0.95, 0.7, 0.4, 0.1, 0.01}[rng.IntN(6)])
	}
	return w
}

var worldOps = []interlock.Operation{
	operation("thing", "read", idInput, object(`"id":{"type":"string"},"name":{"type":"string"},"state":{"type":"string","enum":["new","old","odd"]},
		"distance":{"type":"number","description":"Length in metres"},"seen_at":{"type":"string","format":"date-time"},"revision":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}},
		"o0":{"type":"string"},"o1":{"type":"integer"},"o2":{"type":"number"},"o3":{"type":"boolean"},"o4":{"type":"string"},"o5":{"type":"string"}`, "id", "name"),
		interlock.FieldMeaning{At: "output:/distance", Unit: "m"}, interlock.FieldMeaning{At: "output:/revision", SemanticID: "state_revision"}),
	operation("list", "read", strings.Replace(strings.Replace(limits, `"minimum"`, `"default":20,"minimum"`, 1), `,"required":["limit"]`, "", 1), page),
	operation("waits", "read", `{"type":"object","properties":{"timeout":{"type":"number","exclusiveMinimum":0,"maximum":60,"description":"Longest wait in seconds"}},"required":["timeout"]}`,
		object(`"done":{"type":"boolean"},"timeout":{"type":"number"},"ends":{"type":"integer"}`, "done")),
}

// next makes one call of a clean world.
func (w *world) next() (args string, a answer) {
	r := w.rng
	a.took = time.Duration(math.Exp(math.Log(20e6) + 0.5*r.NormFloat64()))
	if w.slow > 0 {
		w.slow--
		a.took *= 20
	} else if r.Float64() < 0.0005 {
		w.slow = 100 + r.IntN(150)
	}
	args, a.status, a.body = w.answer(&a)
	switch {
	case w.down > 0:
		w.down--
		a.status, a.body = 503, `{"error":{"code":"unavailable"}}`
	case r.Float64() < 0.001:
		w.down = r.IntN(40)
	case r.Float64() < 0.03:
		a.status, a.body, a.said = 429, `{"error":{"code":"rate_limited"}}`, map[string]string{"retry-after": "1"}
	case r.Float64() < 0.01:
		a.status, a.body, a.said = 502, ``, map[string]string{"content-type": "text/html"}
	case r.Float64() < 0.01:
		a.status, a.body = 0, ``
		a.fail = &interlock.Error{Code: interlock.CodeTimeout, Reason: interlock.ReasonTimeout, Outcome: interlock.OutcomeUnknown}
	}
	return args, a
}

func (w *world) answer(a *answer) (args string, status int, body string) {
	switch w.kind {
	case 1:
		return w.list()
	case 2:
		return w.wait(a)
	}
	return w.thing()
}

func (w *world) thing() (args string, status int, body string) {
	r := w.rng
	n := int(math.Abs(r.NormFloat64()) * 60)
	args = id(n)
	exists := n%5 != 0 || w.made[n]
	switch {
	case !exists:
		if r.Float64() < 0.2 {
			w.made[n] = true // somebody makes it, later
		}
		return args, 404, absent
	case r.Float64() < 0.02:
		return args, 400, invalid // for what the schema cannot say
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"id":%q,"name":"thing %d","state":%q`, uuid(n), n, []string{"new", "old", "odd"}[r.IntN(3)])
	values := []string{`"text"`, `7`, fmt.Sprintf("%.3f", 10*r.Float64()), `true`, fmt.Sprintf("%q", uuid(r.IntN(1000))), `"2026-11-01T10:00:00Z"`}
	second := r.Float64() < w.build
	for i, rate := range w.rates {
		if second {
			rate = 1 - rate/2
		}
		if r.Float64() < rate {
			fmt.Fprintf(&b, `,"o%d":%s`, i, values[i])
		}
	}
	if second {
		b.WriteString(`,"x-build":"b"`)
	}
	w.content += r.IntN(2)
	fmt.Fprintf(&b, `,"distance":%.1f,"revision":%d,"seen_at":"2026-11-0%dT10:00:00Z","tags":["a"]}`, 1000*math.Exp(r.NormFloat64()), w.content, 1+r.IntN(9))
	return args, 200, b.String()
}

func (w *world) list() (args string, status int, body string) {
	n := 20
	args = `{}`
	if w.rng.Float64() < 0.7 {
		n = 1 + w.rng.IntN(100)
		args = fmt.Sprintf(`{"limit":%d}`, n)
	}
	total := w.rng.IntN(150)
	return args, 200, rows(min(n, total), total)
}

func (w *world) wait(a *answer) (args string, status int, body string) {
	r := w.rng
	seconds := []float64{1, 2, 5, 10, 30}[r.IntN(5)]
	args = fmt.Sprintf(`{"timeout":%g}`, seconds)
	done := r.Float64() < 0.5
	if !done {
		a.took += time.Duration(seconds * 1e9)
	} else {
		a.took += time.Duration(seconds * 1e9 * r.Float64())
	}
	return args, 200, fmt.Sprintf(`{"done":%t,"timeout":%g,"ends":%d}`, done, seconds, r.IntN(1000))
}

// stream runs one clean stream and gives the row, and the most that its state
// took.
func cleanStream(t testing.TB, docs []*Documented, rng *rand.Rand, length int) Row {
	w := newWorld(rng)
	d := docs[w.kind]
	tl := newTool(d.Body())
	tl.Served = true
	at := epoch
	for i := range length {
		args, a := w.next()
		at = at.Add(time.Duration(rng.ExpFloat64() * float64(20*time.Minute)))
		o := d.Observe(a.exchange(args, "", at))
		m := moment{index: int64(i), at: at.Format(time.RFC3339), unix: at.Unix()}
		tl.see(m, &o)
		if len(tl.Found) > 0 {
			if _, err := tl.seal(m); err != nil {
				t.Fatal(err)
			}
			return tl.row(Policy{}, at)
		}
	}
	if _, err := tl.seal(moment{}); err != nil {
		t.Fatal(err)
	}
	return tl.row(Policy{}, at)
}

// TestSuiteCleanStreams: tools that do what they document are told of nothing,
// whatever else happens. The promise is alpha for each observation of each tool;
// over all streams of the long run that is less than ten.
func TestSuiteCleanStreams(t *testing.T) {
	streams, length := 12, 1200
	if suites() {
		streams, length = 2000, 3000
	}
	var docs []*Documented
	for _, op := range worldOps {
		d, err := Document(stated(t, op))
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	alarms := 0
	for i := range streams {
		r := cleanStream(t, docs, rand.New(rand.NewPCG(uint64(i), 11)), length)
		if len(r.Divergences) > 0 {
			alarms++
			t.Logf("stream %d: %s", i, r.brief())
		} else if r.Verdict != BehaviorAligned {
			t.Errorf("stream %d: %s", i, r.brief())
		}
	}
	allowed := int(alpha * float64(streams*length))
	t.Logf("%d false alarms in %d streams of %d observations; alpha allows %d", alarms, streams, length, allowed)
	if alarms > allowed {
		t.Errorf("%d false alarms, at most %d are allowed", alarms, allowed)
	}
}
