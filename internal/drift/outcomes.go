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
	t.missed(o)
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
	case o.Failed && !o.Refuses && absent:
		t.suspectIt(m, o, claim{kind: ErrorCodeSubstituted, at: at, doc: before, saw: o.Case, confidence: 0.99,
			evidence: fmt.Sprintf("the same arguments were answered with the documented %s before, and now with %s, every time", before, o.Case)}, 4, 4)
	case o.Failed, hasSign(o, ErrorFlagLost):
	case o.Empty:
		t.suspectIt(m, o, claim{kind: ErrorMaskedAsEmptySuccess, at: at, doc: "the failure " + before, saw: "a success with nothing in it", confidence: 0.9999,
			evidence: fmt.Sprintf("the same arguments were answered with the documented failure %s before, and now with a success with nothing in it", before)}, 2, 2)
	case absent:
		t.appeared(m, o, had, at)
	}
}

// appeared takes what did not exist and does. It may have been made since; a row
// of such, with nothing that does not exist between them and no write, has to be
// longer than the tool's own rate of making explains.
func (t *tool) appeared(m moment, o *Observation, had *known, at string) {
	r := &t.Made
	if m.disturbed > had.Index {
		return
	}
	r.Row++
	(&run{}).put(&r.Tags, o.Args)
	if r.Row < 5 || r.chance(r.Row, 2) >= alpha {
		return
	}
	t.suspectIt(m, o, claim{kind: PhantomSuccess, at: at, doc: "the failure not_found", saw: "a success with content", confidence: 1 - alpha,
		evidence: fmt.Sprintf("%d arguments in a row that were answered with the documented failure before are answered with content now, and none with the failure; before, %d of %d were", r.Row, r.Times, r.N)}, 1, 1)
}

// missed takes a failure that says that something does not exist: whatever came
// to be before it, not all did.
func (t *tool) missed(o *Observation) {
	if o.Failed && sameWord(o.Case, "not_found") {
		t.Made.end(1)
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

// tally counts what happens in good order too, at a rate of its own: a row of it
// has to be longer than that explains.
type tally struct {
	N, Times int64    // trials before the row, and how many of them it happened in
	Row      int      // in a row
	Tags     []string // different arguments of the row
	Again    int      // in a row, of arguments that it happened to before
}

// chance is how likely a row of k is, were it as it was before. Where little was
// seen, the rate is taken to be one half in prior trials.
func (r *tally) chance(k int, prior float64) float64 {
	return math.Pow((float64(r.Times)+0.5)/(float64(r.N)+prior), float64(k))
}

// end closes a row, by as many trials in which it did not happen.
func (r *tally) end(by int64) {
	r.N += int64(r.Row) + by
	r.Times += int64(r.Row)
	r.Row, r.Tags = 0, nil
}

// usual is how many calls with arguments inside the schema are taken to have
// been seen, one half of one refused for what the schema cannot say.
const usual = 50

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
		r.end(1)
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
		(&run{}).put(&r.Tags, o.Args)
	}
	if once {
		r.Again++
	}
	row := len(r.Tags) >= 2 && r.Row >= 3 && r.chance(r.Row, usual) < alpha
	again := r.Again >= 3 && r.chance(r.Again, usual) < alpha
	if !row && !again && t.standing(tightened) == nil {
		return
	}
	t.suspectIt(m, o, claim{kind: ValidationTightened, at: "input:", doc: "these arguments", saw: "refused as invalid", confidence: 1 - alpha,
		evidence: fmt.Sprintf("arguments inside the documented input that were taken before are refused as invalid: %d in a row, after %d of %d", max(r.Row, r.Again), r.Times, r.N)}, 1, 1)
}

// tightened is the key of the divergence that refusals make.
const tightened = string(ValidationTightened) + "|input:|refused as invalid"
