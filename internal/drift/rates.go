package drift

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// rates feeds the streams: each is one rate of the tool's.
func (t *tool) rates(m moment, o *Observation, had *known) {
	if o.Probe != "" {
		return // probes are no traffic: their rates are the prober's
	}
	if !o.Failed && !o.Empty && len(o.Signs) == 0 {
		t.presences(m, o)
		t.forms(m, o)
	}
	if t.Doc.Errors != nil {
		for _, e := range t.Doc.Errors {
			t.rate(m, o, "error "+e.When, o.Case == e.When)
		}
		t.rate(m, o, "empty", !o.Failed && o.Empty)
		t.masked(m, o)
	}
	if had == nil {
		t.rate(m, o, "refused", o.Failed && o.Refuses && !o.Outside)
	}
	if had != nil {
		if when, failed := strings.CutPrefix(had.Outcome, "error "); failed {
			t.rate(m, o, "again "+when, o.Case == when)
		}
	}
}

// presences watches the members that need not come.
func (t *tool) presences(m moment, o *Observation) {
	for _, at := range t.Doc.Optional {
		parent := at[:strings.LastIndexByte(at, '/')]
		if strings.Contains(at, "/*") || !strings.Contains(o.Shape[parent], "o") {
			continue
		}
		_, there := o.Shape[at]
		t.rate(m, o, "has "+at, there)
	}
}

// forms watches the forms of texts: UUID, instant in UTC, and so on.
func (t *tool) forms(m moment, o *Observation) {
	for _, at := range sortedKeys(o.Shape) {
		seen := o.Shape[at]
		if len(seen) != 1 || strings.IndexByte("utTldsin", seen[0]) < 0 || strings.Contains(at, "/*") {
			continue
		}
		first, known := t.Profile.form(at)
		if known {
			t.rate(m, o, "form "+at+" "+string(first), seen[0] == first)
		}
	}
}

// form is the form that a place mostly has, once there are enough; a text of no
// form has none that it could lose.
func (p *Profile) form(at string) (byte, bool) {
	path := p.Paths[at]
	var best string
	for _, letter := range sortedKeys(path.Types) {
		if best == "" || path.Types[letter] > path.Types[best] {
			best = letter
		}
	}
	if path.Answers < 20 || best == "" || strings.IndexByte("utTld", best[0]) < 0 {
		return 0, false
	}
	return best[0], true
}

// rate gives a stream one trial, and tells what its turns mean.
func (t *tool) rate(m moment, o *Observation, name string, hit bool) {
	s := t.Streams[name]
	if s == nil {
		if len(t.Streams) >= maxStreams {
			return
		}
		t.Order++
		s = &stream{Order: t.Order, Phase: learning}
		t.Streams[name] = s
	}
	turn, turned := s.observe(hit)
	if !turned {
		return
	}
	what, at, _ := strings.Cut(name, " ")
	switch turn {
	case confirmed:
		// Arguments that the schema lets through may be refused for what it
		// cannot say: that more of them are is a suspicion, for probes to settle.
		if c, ok := t.turned(what, at, s); ok && what != "refused" {
			t.suspectIt(m, o, c, 1, 1)
		}
	case watching:
		for _, f := range t.Found {
			if c, ok := t.turned(what, at, s); ok && f.Body.Kind == c.kind && f.Body.Pointer == c.at {
				f.Mended = true
			}
		}
		if what == "has" {
			t.restored("output:" + at)
		}
	}
}

// restored ends what was told of the rate of a member.
func (t *tool) restored(at string) {
	for _, f := range t.Found {
		if f.Body.Pointer == at && (f.Body.Kind == OptionalOutputVanished || f.Body.Kind == OptionalOutputRateShift) {
			f.Mended = true
		}
	}
}

// turned says what the turn of a stream means.
func (t *tool) turned(what, at string, s *stream) (claim, bool) {
	c := claim{doc: fmt.Sprintf("a rate of %.3f to %.3f over %d calls", s.L, s.U, s.Base), saw: s.Way, confidence: 1 - confirmAlpha*alpha,
		evidence: fmt.Sprintf("%d of %d calls since the alarm, where the first %d calls bound the rate by %.3f and %.3f", s.Hits, s.Since, s.Base, s.L, s.U)}
	switch what {
	case "has":
		c.kind, c.at = OptionalOutputRateShift, "output:"+at
		if s.Way == fell && s.Hits == 0 {
			c.kind, c.saw = OptionalOutputVanished, "never"
		}
	case "form":
		place, letter, _ := strings.Cut(at, " ")
		c.kind, c.at = FormatShift, "output:"+place
		if letter == "t" || letter == "T" || letter == "l" {
			c.kind = TimezoneOrLocaleShift
			if types := t.Profile.Paths[place].Types; types["s"]+types["i"]+types["d"] > 0 {
				c.kind = FormatShift
			}
		}
		c.saw = "another form"
		return c, s.Way == fell
	case "refused":
		c.kind, c.at, c.saw = ValidationTightened, "input:", "refused as invalid"
		return c, s.Way == rose
	case "again":
		c.kind, c.at, c.saw = DocumentedErrorNeverSeen, "error:"+at, "no longer"
		return c, s.Way == fell && s.Hits == 0
	default:
		return c, false // errors and empties count together; see masked
	}
	return c, true
}

// masked tells failures that became empty successes without knowing the
// arguments: the one rate fell and the other rose.
func (t *tool) masked(m moment, o *Observation) {
	empty := t.Streams["empty"]
	if empty == nil || empty.Way != rose || empty.Phase != confirmed {
		return
	}
	for _, e := range t.Doc.Errors {
		s := t.Streams["error "+e.When]
		if s != nil && s.Way == fell && s.Phase >= suspect && !o.Failed && o.Empty {
			t.suspectIt(m, o, claim{kind: ErrorMaskedAsEmptySuccess, at: "error:" + e.When, doc: "the failure " + e.When, saw: "a success with nothing in it", confidence: 1 - confirmAlpha*alpha,
				evidence: fmt.Sprintf("the documented failure %s fell below its rate of %.3f while successes with nothing in them rose above %.3f", e.When, s.L, empty.U)}, 1, 1)
		}
	}
}

// pace is how long answers take, or how large they are, by powers of two: the
// first few hundred, and windows of a hundred after them. The first may hold a
// slow day, so what follows has to lie beyond nine in ten of them.
type pace struct {
	N       int            `json:",omitempty"`
	Buckets map[string]int `json:",omitempty"`
	Tenth   int            `json:",omitempty"` // bucket that a tenth lies at or below
	Ninth   int            `json:",omitempty"` // bucket that nine tenths lie at or below
	Window  int            `json:",omitempty"`
	High    int            `json:",omitempty"`
	Low     int            `json:",omitempty"`
	Rows    int            `json:",omitempty"` // windows in a row that moved the same way
	Way     string         `json:",omitempty"`
}

const (
	paceBase   = 300
	paceWindow = 100
	paceShift  = 3 // powers of two
	paceRows   = 3 // windows in a row: days are slow, and end
)

// take counts a value and reports a lasting move.
func (p *pace) take(v int64) (string, bool) {
	bucket := bits.Len64(uint64(max(v, 0)))
	if p.N < paceBase {
		if p.Buckets == nil {
			p.Buckets = map[string]int{}
		}
		p.Buckets[itoa(bucket)]++
		if p.N++; p.N == paceBase {
			p.Tenth, p.Ninth = quantile(p.Buckets, 1), quantile(p.Buckets, 9)
			p.Buckets = nil
		}
		return "", false
	}
	p.Window++
	if bucket >= p.Ninth+paceShift {
		p.High++
	}
	if bucket <= p.Tenth-paceShift {
		p.Low++
	}
	if p.Window < paceWindow {
		return "", false
	}
	way := ""
	switch {
	case p.High*10 >= paceWindow*9:
		way = rose
	case p.Low*10 >= paceWindow*9:
		way = fell
	}
	if way != p.Way {
		p.Rows = 0
	}
	p.Way, p.Window, p.High, p.Low = way, 0, 0, 0
	if way == "" {
		return "", true
	}
	p.Rows++
	return way, p.Rows == paceRows
}

// quantile is the bucket that so many tenths lie at or below.
func quantile(buckets map[string]int, tenths int) int {
	sum := 0
	for b := range 65 {
		if sum += buckets[itoa(b)]; sum*10 >= paceBase*tenths {
			return b
		}
	}
	return 64
}

// paces watches how long answers take and how large they are.
func (t *tool) paces(m moment, o *Observation) {
	if o.Failed || o.Probe != "" || o.Empty {
		return
	}
	if len(o.Waits) == 0 {
		t.paced(m, o, &t.Pace, o.Took, LatencyShift, "the time of the first answers")
	}
	if o.List == nil {
		t.paced(m, o, &t.Size, int64(o.Size), PayloadSizeShift, "the size of the first answers")
	}
}

func (t *tool) paced(m moment, o *Observation, p *pace, v int64, kind Kind, doc string) {
	way, done := p.take(v)
	switch {
	case done && way == "":
		t.clean(kind, "output:")
	case done:
		word := "eight times and more"
		if way == fell {
			word = "an eighth and less"
		}
		t.suspectIt(m, o, claim{kind: kind, at: "output:", doc: doc, saw: word, confidence: 0.999,
			evidence: fmt.Sprintf("nine in ten of %d answers in a row lie at %s of what nine in ten of the first %d lay at", paceRows*paceWindow, word, paceBase)}, 1, 1)
	}
}

// forms is what the bodies of one documented failure look like.
type forms struct {
	N       int
	Seen    []string
	Retry   string
	Same    int // failures in a row with that word on retrying
	Other   int
	Strange run
}

// formed watches the bodies of failures, and what they say of trying again.
func (t *tool) formed(m moment, o *Observation) {
	if !o.Failed || o.Case == "" {
		return
	}
	f := t.Forms[o.Case]
	if f == nil {
		if len(t.Forms) >= maxOutcomes {
			return
		}
		f = &forms{Retry: o.Retry}
		t.Forms[o.Case] = f
	}
	t.retries(m, o, f)
	f.N++
	switch {
	case slices.ContainsFunc(f.Seen, func(had string) bool { return related(had, o.Form) }):
		f.Strange = run{}
		t.clean(ErrorBodyShapeChanged, "error:"+o.Case)
	case f.N <= 3:
		if len(f.Seen) < maxForms {
			f.Seen = append(f.Seen, o.Form)
		}
	default:
		f.Strange.another(o.Form)
		if f.Strange.N >= 2 {
			t.suspectIt(m, o, claim{kind: ErrorBodyShapeChanged, at: "error:" + o.Case, doc: "members " + orNone(strings.Join(f.Seen, " or ")), saw: "members " + orNone(o.Form), confidence: 0.999,
				evidence: fmt.Sprintf("the body of the failure %s had members %s in its first cases, and has none of them now", o.Case, orNone(strings.Join(f.Seen, " or ")))}, 1, 1)
		}
	}
}

// related reports whether two bodies share a member, or are both none.
func related(a, b string) bool {
	if a == b {
		return true
	}
	for _, name := range strings.Split(a, ",") {
		if name != "" && slices.Contains(strings.Split(b, ","), name) {
			return true
		}
	}
	return false
}

// retries watches whether a failure says that it may be tried again.
func (t *tool) retries(m moment, o *Observation, f *forms) {
	switch {
	case o.Retry == f.Retry:
		f.Same++
		f.Other = 0
		t.clean(RetryabilityChanged, "error:"+o.Case)
	case f.Same < 3:
		f.Retry, f.Same, f.Other = o.Retry, 1, 0
	default:
		if f.Other++; f.Other >= 3 {
			t.suspectIt(m, o, claim{kind: RetryabilityChanged, at: "error:" + o.Case, doc: "retry " + orNone(f.Retry), saw: "retry " + orNone(o.Retry), confidence: 0.99,
				evidence: fmt.Sprintf("the failure %s said %q of trying again in %d cases, and %q in the last %d", o.Case, orNone(f.Retry), f.Same, orNone(o.Retry), f.Other)}, 1, 1)
		}
	}
}
