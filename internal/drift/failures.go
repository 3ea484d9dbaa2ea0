package drift

import (
	"fmt"
	"slices"
	"strings"
)

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
		put(&t.Forms, o.Case, f)
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
