package drift

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
)

// Row is one registered tool, as `interlock drift` shows it.
type Row struct {
	Tool        string           `json:"tool"`
	Version     string           `json:"version"`
	Effect      interlock.Effect `json:"effect"`
	Verdict     Verdict          `json:"verdict"`
	Why         string           `json:"why"`
	Documented  string           `json:"documented_behavior_fingerprint,omitempty"`
	Observed    string           `json:"observed_behavior_fingerprint,omitempty"`
	Divergences []Divergence     `json:"divergences"`
	Suspected   []Suspicion      `json:"suspected,omitempty"`
	Calls       map[Class]int64  `json:"calls,omitempty"`
	Outcomes    map[string]int64 `json:"outcomes,omitempty"`
	// Unseen bounds, at 95 %, how often something may happen that no call has
	// shown; 1 where there was none.
	Unseen    float64 `json:"unseen_at_most"`
	PerDay    float64 `json:"calls_per_day,omitempty"`
	Visible   []Sight `json:"visible,omitempty"`    // what traffic can show, and how soon
	ProbeOnly []Kind  `json:"probe_only,omitempty"` // what only a probe can show
	Baseline  bool    `json:"learned_only,omitempty"`
	until     time.Time
	rejecting []Kind
}

// Divergence is one way in which a tool leaves its documentation.
type Divergence struct {
	Kind       Kind        `json:"kind"`
	Severity   Severity    `json:"severity"`
	Pointer    string      `json:"pointer"`
	Evidence   string      `json:"evidence"`
	Confidence float64     `json:"confidence"`
	Digest     string      `json:"digest"`
	Documented string      `json:"documented,omitempty"`
	Observed   string      `json:"observed,omitempty"`
	First      string      `json:"first"`
	Last       string      `json:"last"`
	Seen       int64       `json:"seen"`
	Accepted   *Acceptance `json:"accepted,omitempty"`
	Within     bool        `json:"within_policy"`
}

// Suspicion is what was seen and not often enough.
type Suspicion struct {
	Kind    Kind   `json:"kind"`
	Pointer string `json:"pointer"`
	Seen    int64  `json:"seen"`
}

// Sight is a kind that traffic can show.
type Sight struct {
	Kind  Kind    `json:"kind"`
	Calls int64   `json:"calls"`          // from now on, where every call shows it
	Days  float64 `json:"days,omitempty"` // at the tool's rate
}

// Rejected reports whether the tool is not to be called.
func (r Row) Rejected() bool { return r.Verdict == DriftRejected }

// Kinds gives the kinds that reject the tool.
func (r Row) Kinds() []Kind { return r.rejecting }

// Until is when the first of the acceptances ends that the verdict rests on;
// zero where it rests on none that ends.
func (r Row) Until() time.Time { return r.until }

// enough is how many contract-relevant calls make aligned of insufficient: what
// happens in more than one call in ten would have shown, at 95 %.
const enough = 30

// Rows gives every registered tool, by name.
func (l *Ledger) Rows(p Policy, now time.Time) []Row {
	l.mu.Lock()
	defer l.mu.Unlock()
	rows := make([]Row, 0, len(l.tools))
	for _, name := range l.names() {
		rows = append(rows, l.tools[name].row(p, now))
	}
	return rows
}

// Row gives one tool.
func (l *Ledger) Row(name string, p Policy, now time.Time) (Row, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.tools[name]
	if t == nil {
		return Row{}, false
	}
	return t.row(p, now), true
}

func (t *tool) row(p Policy, now time.Time) Row {
	r := Row{Tool: t.Doc.Tool, Version: t.Doc.Version, Effect: t.Doc.Effect, Divergences: []Divergence{}, Observed: t.Print,
		Calls: t.Profile.Calls, Outcomes: t.Profile.Outcomes, Unseen: unseen(t.Profile.relevant())}
	if t.Doc.States {
		r.Documented = t.Doc.Fingerprint
	}
	r.Calls, r.Outcomes = cloned(r.Calls), cloned(r.Outcomes)
	r.Baseline = t.Doc.States && !t.Doc.Output
	for _, f := range t.Found {
		if !f.Mended {
			r.Divergences = append(r.Divergences, t.told(f, p, now, &r))
		}
	}
	for _, key := range sortedKeys(t.Hints) {
		h := t.Hints[key]
		r.Suspected = append(r.Suspected, Suspicion{h.Kind, h.At, int64(h.Seen)})
	}
	for _, key := range sortedKeys(t.Streams) {
		if s := t.Streams[key]; s.Phase >= suspect && (s.Phase == suspect || strings.HasPrefix(key, "refused")) {
			what, at, _ := strings.Cut(key, " ")
			if c, ok := t.turned(what, at, s); ok {
				r.Suspected = append(r.Suspected, Suspicion{c.kind, c.at, s.Since})
			}
		}
	}
	t.sights(&r)
	t.judge(&r, p)
	return r
}

func cloned[K comparable](m map[K]int64) map[K]int64 {
	out := make(map[K]int64, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// told shows a divergence, with whoever accepted it.
func (t *tool) told(f *found, p Policy, now time.Time, r *Row) Divergence {
	b := &f.Body
	d := Divergence{Kind: b.Kind, Severity: b.Severity, Pointer: b.Pointer, Confidence: parseFloat(b.Confidence), Digest: f.Digest, Documented: b.Says, Observed: b.Saw,
		First: b.At, Last: f.Last, Seen: f.Seen, Evidence: b.Evidence}
	a := t.acceptance(f, p.For)
	switch {
	case a != nil && a.Revoked:
	case a != nil && t.covers(a, f, now):
		d.Accepted, d.Within = a, true
		if end, err := time.Parse(time.RFC3339, a.Expires); err == nil && (r.until.IsZero() || end.Before(r.until)) && !p.allows(b.Kind, b.Severity, t.Doc.Effect) {
			r.until = end
		}
	}
	if (a == nil || !a.Revoked) && p.allows(b.Kind, b.Severity, t.Doc.Effect) {
		d.Within = true
	}
	return d
}

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
	case !t.Doc.States && p.RequireDocumentation:
		r.Verdict, r.Why = DriftRejected, "policy requires documentation, and the tool documents neither output, errors nor fields"
	case !t.Doc.States && len(r.Divergences) == 0:
		r.Verdict, r.Why = NoDocumentedDependency, "the tool documents neither output, errors nor fields: there is nothing to hold its behaviour against"
	case len(r.rejecting) > 0:
		r.Verdict, r.Why = DriftRejected, "outside policy: "+joined(r.rejecting)
	case len(r.Divergences) > 0:
		r.Verdict, r.Why = DriftWithinPolicy, fmt.Sprintf("%d divergences, each accepted or within the defaults", len(r.Divergences))
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

func joined(kinds []Kind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return strings.Join(words, ", ")
}

// sights says what traffic can show at this tool's rate, and what only a probe
// does.
func (t *tool) sights(r *Row) {
	days := float64(t.Last-t.First) / 86400
	if n := t.Profile.relevant(); n > 1 && days > 0 {
		r.PerDay = float64(n-1) / days
	}
	for _, e := range Catalogue() {
		if s := e.Read; reads(t.Doc.Effect) && s == None || !reads(t.Doc.Effect) && e.Write == None {
			continue
		}
		calls, ok := t.needed(e)
		switch {
		case !ok:
			if slices.Contains(e.Means, Probed) {
				r.ProbeOnly = append(r.ProbeOnly, e.Kind)
			}
			continue
		case calls == 0:
			continue
		}
		s := Sight{Kind: e.Kind, Calls: calls}
		if r.PerDay > 0 {
			s.Days = float64(calls) / r.PerDay
		}
		r.Visible = append(r.Visible, s)
	}
}

// needed is how many calls show a kind if every one of them could; false where
// traffic does not show it at this tool.
func (t *tool) needed(e Entry) (int64, bool) {
	meant := func(part string) bool {
		return slices.ContainsFunc(t.Doc.Meanings, func(m string) bool { return strings.Contains(m, part) })
	}
	switch e.Kind {
	case ErrorMaskedAsEmptySuccess, PhantomSuccess, DocumentedErrorNeverSeen, ErrorBodyShapeChanged, RetryabilityChanged:
		return 6, len(t.Doc.Errors) > 0 && t.failures() > 0
	case UndocumentedErrorCode, ErrorCodeSubstituted:
		return 2, len(t.Doc.Errors) > 0
	case OptionalOutputVanished, OptionalOutputRateShift:
		return t.presenceCalls()
	case ParamUnitShift, CoordinateOrArgumentOrderSwap, EncodingOrPrecisionLoss, TimezoneOrLocaleShift:
		return 2, meant(" repeats ") || meant(" plus ") || len(t.Waits) > 0
	case ParamIgnored, SilentTruncation, DefaultChanged, IndexOrBoundConvention:
		return 2, meant(" bounds ")
	case OutputUnitShift:
		return 2, len(t.Units) > 0
	case SideEffectInRead:
		return minRaises + 1, meant(" by writes alone")
	case LatencyShift, PayloadSizeShift:
		return paceRows*paceWindow + max(0, paceBase-int64(t.Pace.N)), true
	case ValidationTightened:
		return 2, true
	case RequiredOutputMissing, UndocumentedOutputField, OutputTypeChanged, NullabilityChanged, EnumEscape, BoundEscape, FormatShift, EnvelopeChanged,
		ArrayScalarFlip, ContentTypeChanged, UnstructuredFallback:
		return int64(t.needs(e.Kind)), t.Doc.Output
	case ErrorFlagLost, SuccessFlaggedAsError, InjectedInstructionsInResult, DeprecationOrSunsetSignal, AuthScopeTightened:
		return int64(t.needs(e.Kind)), true
	}
	if slices.Contains(e.Means, Defined) {
		return 0, true
	}
	return 0, false
}

func (t *tool) failures() int64 {
	n := int64(0)
	for name, count := range t.Profile.Outcomes {
		if strings.HasPrefix(name, "error ") {
			n += count
		}
	}
	return n
}

// presenceCalls is how many calls show that the rarest learned member no longer
// comes, with those that are missing of its baseline.
func (t *tool) presenceCalls() (int64, bool) {
	most, any := int64(0), false
	for name, s := range t.Streams {
		if !strings.HasPrefix(name, "has ") {
			continue
		}
		any = true
		if s.Phase == learning {
			most = max(most, baselineN-s.N+20)
		} else if s.L > 0 {
			most = max(most, vanishing(s.L))
		}
	}
	return max(most, 1), any
}

// MarshalJSON keeps a row to its stated members.
func (r Row) MarshalJSON() ([]byte, error) {
	type plain Row
	return json.Marshal(plain(r))
}
