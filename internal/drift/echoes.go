package drift

import (
	"fmt"
	"strings"
)

// repeats reads how outputs repeat inputs.
func (t *tool) repeats(m moment, o *Observation) {
	for i, e := range o.Echoes {
		if i == maxEchoes {
			return
		}
		key := e.In + ">" + e.Out
		if e.Omitted {
			key += "?"
		}
		r := t.Echoes[key]
		if r == nil {
			if len(t.Echoes) >= 2*maxEchoes {
				return
			}
			r = &run{}
			put(&t.Echoes, key, r)
		}
		if e.As == "same" {
			t.echoed(e, r)
			continue
		}
		r.another(e.As)
		r.put(&r.Tags, e.Asked)
		if e.Omitted {
			t.defaulted(m, o, e, r)
			continue
		}
		t.echo(m, o, e, r)
	}
}

// echoed takes an output that repeats its input: whatever was suspected is not
// so.
func (t *tool) echoed(e Echo, r *run) {
	exact := r.Exact
	if e.Mixed || !strings.Contains(r.As, "folded") {
		*r = run{Exact: min(exact+1, 1000)}
	}
	if e.Omitted {
		t.clean(DefaultChanged, e.In)
		return
	}
	for _, kind := range [...]Kind{ParamUnitShift, ParamIgnored, CoordinateOrArgumentOrderSwap} {
		t.clean(kind, e.In)
	}
	t.clean(EncodingOrPrecisionLoss, e.Out)
	t.clean(TimezoneOrLocaleShift, e.Out)
	if e.Mixed {
		t.clean(CaseOrNormalisationChange, e.In)
	}
}

// echo reads an output that does not repeat its input.
func (t *tool) echo(m moment, o *Observation, e Echo, r *run) {
	claimed := claim{at: e.In, doc: e.Out + " repeats it", saw: e.As, confidence: 0.9999}
	need, distinct := 2, 2
	switch e.As {
	case "swapped":
		claimed.kind = CoordinateOrArgumentOrderSwap
		claimed.evidence = fmt.Sprintf("%s and %s come back in each other's place, in %d calls out of %d", e.In, e.With, r.N, r.N)
	case "rounded":
		claimed.kind = EncodingOrPrecisionLoss
		claimed.at = e.Out
		claimed.evidence = fmt.Sprintf("%s repeats %s with fewer digits than it has", e.Out, e.In)
		need, distinct = 1, 1
		if !reads(t.Doc.Effect) {
			need = 2
		}
	case "near":
		if r.Exact < 3 {
			return // it may always have been cut
		}
		claimed.kind = EncodingOrPrecisionLoss
		claimed.at = e.Out
		claimed.evidence = fmt.Sprintf("%s repeated %s exactly before, and comes near it now", e.Out, e.In)
		need, distinct = 3, 3
	case "folded":
		if r.Exact < 3 {
			return // it may always have been folded
		}
		claimed.kind = CaseOrNormalisationChange
		claimed.evidence = fmt.Sprintf("%s came back as it was sent before, and now in another case or spacing", e.In)
		need = 3
	case "zone":
		claimed.kind = TimezoneOrLocaleShift
		claimed.at = e.Out
		claimed.evidence = fmt.Sprintf("%s is off by whole quarters of an hour", e.Out)
		need = 3
	case "above", "below":
		t.follows(m, o, e)
		return
	default:
		claimed.kind = ParamUnitShift
		claimed.evidence = fmt.Sprintf("%s is %s of what %s asks for, in %d calls out of %d with different values", e.Out, times(e.As), e.In, r.N, r.N)
	}
	if r.N >= need && (len(r.Tags) >= distinct || e.Asked == "") {
		t.suspectIt(m, o, claimed, 1, 1)
	}
}

func times(factor string) string {
	if strings.Contains(factor, "/") {
		return factor
	}
	return factor + " times"
}

// follows tells an output that stays while its input moves to both sides of it:
// not a bound, but an argument without effect.
func (t *tool) follows(m moment, o *Observation, e Echo) {
	key := e.In + ">" + e.Out + "!"
	r := t.Echoes[key]
	if r == nil {
		if len(t.Echoes) >= 3*maxEchoes {
			return
		}
		r = &run{}
		put(&t.Echoes, key, r)
	}
	if e.Tag == "" {
		return
	}
	r.another(e.Tag)
	r.put(&r.Tags, e.Asked)
	if !strings.Contains(r.Sides, e.As) {
		r.Sides += e.As
	}
	if len(r.Tags) >= 3 && len(r.Sides) > len("above") {
		t.suspectIt(m, o, claim{kind: ParamIgnored, at: e.In, doc: e.Out + " repeats it", saw: "one value whatever is asked", confidence: 0.999,
			evidence: fmt.Sprintf("%s is the same for %d different values of %s, above it and below", e.Out, len(r.Tags), e.In)}, 1, 1)
	}
}

// defaulted reads an output that does not show the documented default of an
// input that was left out.
func (t *tool) defaulted(m moment, o *Observation, e Echo, r *run) {
	if r.N >= 2 && e.As != "swapped" {
		t.suspectIt(m, o, claim{kind: DefaultChanged, at: e.In, doc: "the documented default", saw: "another value", confidence: 0.999,
			evidence: fmt.Sprintf("with %s left out, %s is not its documented default, in %d calls out of %d", e.In, e.Out, r.N, r.N)}, 1, 1)
	}
}
