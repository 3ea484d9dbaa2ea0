package drift

import (
	"fmt"
	"maps"
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
		seen, _, _, _ := types(o.Shape[at])
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
		put(&t.Streams, name, s)
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
