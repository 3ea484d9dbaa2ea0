package drift

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
)

// enough is how many contract-relevant calls make aligned of insufficient: what
// happens in more than one call in ten would have shown, at 95 %.
const enough = 30

// acceptance is the last word on a divergence: for the principal, or for all.
func (t *tool) acceptance(f *found, principal string) *Acceptance {
	for i := len(t.Accepts) - 1; i >= 0; i-- {
		if a := t.Accepts[i]; a.Digest == f.Digest && (a.Principal == "" || a.Principal == principal) {
			return &a
		}
	}
	return nil
}

// covers reports whether an acceptance holds: it is of this divergence as it
// was, under both fingerprints, and has not ended.
func (t *tool) covers(a *Acceptance, f *found, now time.Time) bool {
	b := &f.Body
	if a.Tool != t.Doc.Tool || a.Kind != b.Kind || a.Pointer != b.Pointer || a.Severity != b.Severity || a.Effect != b.Effect {
		return false
	}
	if a.Documented != t.Doc.Fingerprint || a.Observed != t.Print {
		return false
	}
	if a.Expires == "" {
		return b.Severity != Critical
	}
	end, err := time.Parse(time.RFC3339, a.Expires)
	return err == nil && now.Before(end) && (b.Severity != Critical || a.Approver != "")
}

// rank orders severities. One that is not known is the greatest.
func (s Severity) rank() int {
	switch s {
	case None:
		return 0
	case Minor:
		return 1
	case Major:
		return 2
	}
	return 3
}

// limit reads what a policy allows: unknown words count as Minor, and nothing
// ever allows Critical.
func limit(s Severity) int {
	if s == Major || s == Critical {
		return Major.rank()
	}
	return Minor.rank()
}

// changing are the kinds that change what an error or an argument means: of a
// tool that writes they are never within the defaults.
var changing = []Kind{ErrorMaskedAsEmptySuccess, PhantomSuccess, ErrorFlagLost, SuccessFlaggedAsError, ErrorCodeSubstituted, RetryabilityChanged,
	ValidationRelaxed, ParamUnitShift, OutputUnitShift, ParamIgnored, DefaultChanged, IndexOrBoundConvention, TimezoneOrLocaleShift,
	CoordinateOrArgumentOrderSwap, FilterSemanticsChanged, IdempotencyLost, PartialWriteReportedAsFull, CrossPrincipalLeak, AuthScopeWidened}

// allows reports whether the defaults of a policy let a divergence pass.
func (p Policy) allows(kind Kind, s Severity, effect interlock.Effect) bool {
	if reads(effect) {
		return s.rank() <= limit(p.Read)
	}
	return s.rank() <= limit(p.Write) && !slices.Contains(changing, kind)
}

// judge goes through the four gates in their order.
func (t *tool) judge(r *Row, p Policy) {
	for _, d := range r.Divergences {
		if !d.Within && !slices.Contains(r.rejecting, d.Kind) {
			r.rejecting = append(r.rejecting, d.Kind)
		}
	}
	n := t.Profile.relevant()
	switch {
	case !t.Doc.States && r.undocumented(p):
	case len(r.rejecting) > 0:
		r.Verdict, r.Why = DriftRejected, "outside policy: "+joined(r.rejecting)
	case len(r.Divergences) > 0:
		r.Verdict, r.Why = DriftWithinPolicy, counted(len(r.Divergences), "divergence")+", accepted or within the defaults"
	case n < enough:
		r.Verdict, r.Why = InsufficientEvidence, fmt.Sprintf("%d calls say something of the tool, of %d that are needed; up to %.0f %% of calls may do what none has shown", n, enough, 100*unseen(n))
	default:
		r.Verdict, r.Why = BehaviorAligned, fmt.Sprintf("%d calls say something of the tool, and none that it leaves its documentation; what none has shown happens in at most %.1f %% of calls", n, 100*unseen(n))
	}
	if r.Verdict != DriftRejected {
		r.rejecting = nil
	}
	if r.Verdict == DriftRejected {
		r.until = time.Time{}
	}
}

// undocumented gives the verdict on a tool that documents nothing, where that
// alone says one.
func (r *Row) undocumented(p Policy) bool {
	switch {
	case p.RequireDocumentation:
		r.Verdict, r.Why = DriftRejected, "policy requires documentation, and the tool documents neither output, errors nor fields"
	case len(r.Divergences) == 0:
		r.Verdict, r.Why = NoDocumentedDependency, "the tool documents neither output, errors nor fields: there is nothing to hold its behaviour against"
	default:
		return false
	}
	return true
}

func joined(kinds []Kind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return strings.Join(words, ", ")
}
