package drift

import (
	"maps"
	"slices"
	"strings"
)

// known is what came of the last call with the same arguments.
type known struct {
	Index    int64
	Outcome  string            // see Observation.outcome
	Core     string            `json:",omitempty"`
	Marks    map[string]string `json:",omitempty"`
	Revision string            `json:",omitempty"`
	Taken    bool              `json:",omitempty"` // a call with them succeeded once
}

// see takes one observation, detector by detector, in a fixed order.
func (t *tool) see(m moment, o *Observation) {
	t.Profile.Add(o)
	if o.Class == ClassContract {
		t.detect(m, o)
	}
	t.shown(m, o)
}

// detect lets every detector see a contract-relevant observation.
func (t *tool) detect(m moment, o *Observation) {
	if m.unix > 0 {
		if t.First == 0 {
			t.First = m.unix
		}
		t.First, t.Last = min(t.First, m.unix), max(t.Last, m.unix)
	}
	had := t.Known[o.Args]
	if o.Args == "" {
		had = nil
	}
	t.signs(m, o)
	t.errors(m, o, had)
	t.refused(m, o, had)
	t.controls(m, o)
	t.scales(m, o, had)
	t.revisions(m, o)
	t.repeats(m, o)
	t.listed(m, o)
	t.holds(m, o)
	t.formed(m, o)
	t.rates(m, o, had)
	t.paces(m, o)
	t.remember(m, o)
}

// remember keeps what came of these arguments.
func (t *tool) remember(m moment, o *Observation) {
	if o.Args == "" || o.Outside {
		return
	}
	k := t.Known[o.Args]
	if k == nil {
		if len(t.Known) >= maxKnown {
			t.forgetKnown()
		}
		k = &known{}
		put(&t.Known, o.Args, k)
	}
	marks := k.Marks
	if !o.Failed && !o.Empty && len(o.Marks) > 0 && len(o.Marks) <= maxMarks && marks == nil {
		marks = o.Marks // the first measure stays: it is what later ones are held against
	}
	*k = known{Index: m.index, Outcome: o.outcome(), Core: o.Core, Marks: marks, Revision: o.Revision, Taken: k.Taken || !o.Failed}
}

func (t *tool) forgetKnown() {
	oldest := ""
	for _, key := range slices.Sorted(maps.Keys(t.Known)) {
		if oldest == "" || t.Known[key].Index < t.Known[oldest].Index {
			oldest = key
		}
	}
	delete(t.Known, oldest)
}

// needs says how many calls confirm what one call shows: two, with arguments
// that differ, because one odd answer is no behaviour, and one of a probe, which
// was made to find out.
func (t *tool) needs(kind Kind, probed bool) int {
	switch kind {
	case ErrorFlagLost, SuccessFlaggedAsError, UndocumentedErrorCode, UnstructuredFallback, AuthScopeTightened:
		return 2
	case ContentTypeChanged:
		return 3
	case InjectedInstructionsInResult, DeprecationOrSunsetSignal:
		return 1
	}
	if probed && reads(t.Doc.Effect) {
		return 1
	}
	return 2
}

// signs counts what the exchange shows by itself, and what it shows to be in
// order.
func (t *tool) signs(m moment, o *Observation) {
	met := map[string]bool{}
	for i, s := range o.Signs {
		if i == maxSigns {
			break
		}
		met[string(s.Kind)+"|"+s.At] = true
		need := t.needs(s.Kind, o.Probe != "")
		t.suspectIt(m, o, claim{kind: s.Kind, at: s.At, doc: s.Doc, saw: s.Saw}, need, min(need, 2))
	}
	if o.Unreadable || o.Empty {
		return
	}
	for _, f := range t.Found {
		b := &f.Body
		if f.Mended || met[string(b.Kind)+"|"+b.Pointer] {
			continue
		}
		if t.informs(o, b) {
			t.clean(b.Kind, b.Pointer)
		}
	}
}

// informs reports whether a call could have shown a divergence of the kinds
// that signs show.
func (t *tool) informs(o *Observation, b *DivergenceBody) bool {
	switch b.Kind {
	case UndocumentedErrorCode, SuccessFlaggedAsError, AuthScopeTightened:
		return !o.Failed
	case RequiredOutputMissing, UndocumentedOutputField, UnstructuredFallback, EnvelopeChanged, ContentTypeChanged, InjectedInstructionsInResult, DeprecationOrSunsetSignal:
		return !o.Failed
	case OutputTypeChanged, NullabilityChanged, ArrayScalarFlip, EnumEscape, BoundEscape, FormatShift:
		_, there := o.Shape[strings.TrimPrefix(b.Pointer, "output:")]
		return !o.Failed && there
	}
	return false
}
