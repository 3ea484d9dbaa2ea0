package drift

import (
	"fmt"
	"maps"
	"math"
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
		t.Known[o.Args] = k
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

// needs says how many calls confirm what one call shows, for tools that read
// and for others. One answer that breaks the schema is a contradiction as it
// stands; before a write is blocked, two calls have to show it.
func (t *tool) needs(kind Kind) int {
	switch kind {
	case ErrorFlagLost, SuccessFlaggedAsError, UndocumentedErrorCode, UnstructuredFallback, AuthScopeTightened:
		return 2
	case ContentTypeChanged:
		return 3
	case InjectedInstructionsInResult, DeprecationOrSunsetSignal:
		return 1
	}
	if reads(t.Doc.Effect) {
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
		t.suspectIt(m, o, claim{kind: s.Kind, at: s.At, doc: s.Doc, saw: s.Saw}, t.needs(s.Kind), 1)
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

// errors holds an outcome against what the same arguments brought before: what
// was a documented failure and is a success, or another failure.
func (t *tool) errors(m moment, o *Observation, had *known) {
	t.emptied(m, o)
	if had == nil || o.Probe != "" && strings.HasPrefix(o.Probe, ProbeOutside) {
		return
	}
	before, failed := strings.CutPrefix(had.Outcome, "error ")
	if !failed {
		return
	}
	at := "error:" + before
	absent := sameWord(before, "not_found")
	switch now := o.outcome(); {
	case now == had.Outcome:
		t.clean(ErrorMaskedAsEmptySuccess, at)
		t.clean(PhantomSuccess, at)
		t.clean(ErrorCodeSubstituted, at)
		t.clean(ErrorFlagLost, "output:")
	case o.Failed && o.Case == "":
		t.suspectIt(m, o, claim{kind: ErrorCodeSubstituted, at: at, doc: before, saw: o.failure(), confidence: 0.999,
			evidence: fmt.Sprintf("the same arguments were answered with the documented %s before, and now with %s, which is not documented", before, o.failure())}, 2, 2)
	case o.Failed && !o.Refuses:
		t.suspectIt(m, o, claim{kind: ErrorCodeSubstituted, at: at, doc: before, saw: o.Case, confidence: 0.99,
			evidence: fmt.Sprintf("the same arguments were answered with the documented %s before, and now with %s, every time", before, o.Case)}, 4, 4)
	case o.Failed, hasSign(o, ErrorFlagLost):
	case o.Empty:
		t.suspectIt(m, o, claim{kind: ErrorMaskedAsEmptySuccess, at: at, doc: "the failure " + before, saw: "a success with nothing in it", confidence: 0.9999,
			evidence: fmt.Sprintf("the same arguments were answered with the documented failure %s before, and now with a success with nothing in it", before)}, 2, 2)
	case absent:
		// What did not exist may exist by now. Five that all came to be, with
		// no failure among them and no write, are none that were made since.
		if m.disturbed > had.Index {
			return
		}
		t.suspectIt(m, o, claim{kind: PhantomSuccess, at: at, doc: "the failure " + before, saw: "a success with content", confidence: 0.99,
			evidence: fmt.Sprintf("arguments that were answered with the documented failure %s before are all answered with content now, and none with the failure", before)}, 5, 5)
	}
	if absent && o.Case == before {
		t.unsuspect(PhantomSuccess, at)
	}
}

// emptied tells successes with nothing in them where something is required and
// not-found is documented, with no help from earlier calls.
func (t *tool) emptied(m moment, o *Observation) {
	if o.Failed || !o.Empty {
		return
	}
	if !slices.ContainsFunc(o.Signs, func(s Sign) bool { return s.Kind == RequiredOutputMissing }) {
		return
	}
	for _, e := range t.Doc.Errors {
		if sameWord(e.When, "not_found") || e.Status == 404 {
			t.suspectIt(m, o, claim{kind: ErrorMaskedAsEmptySuccess, at: "error:" + e.When, doc: "the failure " + e.When, saw: "a success with nothing in it", confidence: 0.99,
				evidence: "successes with nothing in them, though the result has required members and " + e.When + " is a documented failure"}, 3, 3)
			return
		}
	}
}

func hasSign(o *Observation, kind Kind) bool {
	return slices.ContainsFunc(o.Signs, func(s Sign) bool { return s.Kind == kind })
}

// refusals counts arguments inside the documentation that are refused as
// invalid. Some are, for what the schema cannot say; so a row of them has to be
// longer than that explains.
type refusals struct {
	N, Times int64    // calls with such arguments before the row, and how many were refused
	Row      int      // refusals in a row, with no success between
	Taken    []string // different arguments of the row that were taken before
	Again    int      // in a row: arguments that were taken once and refused since, refused again
}

// chance bounds how likely a row of k refusals is, were it as it was before.
// Where little was seen, one refusal in a hundred is taken for usual.
func (r *refusals) chance(k int) float64 {
	return math.Pow((float64(r.Times)+0.5)/(float64(r.N)+50), float64(k))
}

// refused tells arguments inside the documentation that are refused although
// they were taken before.
func (t *tool) refused(m moment, o *Observation, had *known) {
	if o.Outside || o.Args == "" {
		return
	}
	r := &t.Refused
	taken := had != nil && had.Taken
	once := taken && had.Outcome != outcomeOK // refused since
	if !o.Failed || !o.Refuses {
		r.N += int64(r.Row) + 1
		r.Times += int64(r.Row)
		r.Row, r.Taken = 0, nil
		if once && !o.Failed {
			r.Again = 0
		}
		if taken && !o.Failed {
			t.clean(ValidationTightened, "input:")
		}
		return
	}
	r.Row++
	if taken {
		(&run{}).put(&r.Taken, o.Args)
	}
	if once {
		r.Again++
	}
	row := len(r.Taken) >= 2 && r.Row >= 3 && r.chance(r.Row) < alpha
	again := r.Again >= 3 && r.chance(r.Again) < alpha
	if !row && !again && t.standing(tightened) == nil {
		return
	}
	t.suspectIt(m, o, claim{kind: ValidationTightened, at: "input:", doc: "these arguments", saw: "refused as invalid", confidence: 1 - alpha,
		evidence: fmt.Sprintf("arguments inside the documented input that were taken before are refused as invalid: %d in a row, after %d of %d", max(r.Row, r.Again), r.Times, r.N)}, 1, 1)
}

// tightened is the key of the divergence that refusals make.
const tightened = string(ValidationTightened) + "|input:|refused as invalid"

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
