package drift

import (
	"fmt"
	"strings"
)

// shown takes what probes concluded: it stands as it is.
func (t *tool) shown(m moment, o *Observation) {
	for _, p := range o.Shown {
		if p.Holds {
			for range min(max(p.Trials, 1), 10) {
				t.clean(p.Kind, p.Pointer)
			}
			continue
		}
		c := claim{kind: p.Kind, at: p.Pointer, doc: "", saw: "otherwise", evidence: fmt.Sprintf("%s (%d trials)", p.Says, p.Trials), confidence: parseFloat(p.Confidence)}
		if c.confidence <= 0 || c.confidence > 1 {
			c.confidence = 0.999
		}
		if f := t.plain(p.Kind, p.Pointer); f != nil {
			f.again(m) // calls have shown it already, and what it is
			continue
		}
		t.diverge(m, o, string(p.Kind)+"|"+p.Pointer+"|"+c.saw, c, int64(max(1, p.Trials)))
	}
}

// plain finds a standing divergence of a kind in a place.
func (t *tool) plain(kind Kind, at string) *found {
	for _, f := range t.Found {
		if f.Body.Kind == kind && f.Body.Pointer == at && !f.Mended {
			return f
		}
	}
	return nil
}

// controls reads negative controls and probes outside the documentation.
func (t *tool) controls(m moment, o *Observation) {
	word, at, _ := strings.Cut(o.Probe, ":")
	switch word {
	case ProbeAbsent:
		t.absent(m, o)
	case ProbeOutside:
		at = "input:" + strings.TrimPrefix(at, "input:")
		switch {
		case !o.Failed && !o.Empty && !hasSign(o, ErrorFlagLost):
			t.suspectIt(m, o, claim{kind: ValidationRelaxed, at: at, doc: "refused", saw: "taken", confidence: 0.999,
				evidence: "a probe with " + at + " outside the documented input was answered with a success"}, 1, 1)
		case o.Failed:
			t.clean(ValidationRelaxed, at)
		}
	case ProbeWithin, ProbeLevel, ProbeDefault, ProbeOmitted:
		if o.Failed && o.Refuses && !o.Outside {
			t.suspectIt(m, o, claim{kind: ValidationTightened, at: "input:", doc: "these arguments", saw: "refused as invalid", confidence: 0.99,
				evidence: "probes inside the documented input are refused as invalid"}, 2, 2)
		}
	}
}

// absent reads a negative control: a well-formed name of nothing.
func (t *tool) absent(m moment, o *Observation) {
	when := ""
	for _, e := range t.Doc.Errors {
		if sameWord(e.When, "not_found") || e.Status == 404 {
			when = e.When
		}
	}
	if when == "" {
		return
	}
	at := "error:" + when
	t.Absent++
	switch {
	case o.Failed && o.Case == when:
		t.Denied++
		for _, kind := range [...]Kind{ErrorMaskedAsEmptySuccess, PhantomSuccess, ErrorCodeSubstituted, DocumentedErrorNeverSeen} {
			t.clean(kind, at)
		}
	case !o.Failed && hasSign(o, ErrorFlagLost):
	case !o.Failed && o.Empty:
		t.suspectIt(m, o, claim{kind: ErrorMaskedAsEmptySuccess, at: at, doc: "the failure " + when, saw: "a success with nothing in it", confidence: 0.9999,
			evidence: "probes that name what does not exist are answered with a success with nothing in it, where " + when + " is documented"}, 2, 2)
	case !o.Failed:
		t.suspectIt(m, o, claim{kind: PhantomSuccess, at: at, doc: "the failure " + when, saw: "a success with content", confidence: 0.9999,
			evidence: "probes that name what does not exist are answered with content, where " + when + " is documented"}, 2, 2)
	default:
		t.suspectIt(m, o, claim{kind: ErrorCodeSubstituted, at: at, doc: when, saw: o.outcome(), confidence: 0.999,
			evidence: "probes that name what does not exist are answered with " + o.outcome() + ", where " + when + " is documented"}, 3, 3)
	}
	if t.Denied == 0 && t.Absent >= 6 && o.Failed && o.Case != when {
		t.suspectIt(m, o, claim{kind: DocumentedErrorNeverSeen, at: at, doc: when, saw: "never", confidence: 1 - unseen(t.Absent)/2,
			evidence: fmt.Sprintf("%d probes name what does not exist, and none was answered with %s", t.Absent, when)}, 1, 1)
	}
}
