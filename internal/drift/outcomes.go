package drift

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

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
