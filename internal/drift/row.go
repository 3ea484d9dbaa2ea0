package drift

import (
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

// Rows gives every registered tool, by name.
func (l *Ledger) Rows(p Policy, now time.Time) []Row {
	l.mu.Lock()
	defer l.mu.Unlock()
	rows := make([]Row, 0, len(l.tools)+len(l.quiet))
	for _, name := range l.names() {
		rows = append(rows, l.look(name).row(p, now))
	}
	return rows
}

// Row gives one tool.
func (l *Ledger) Row(name string, p Policy, now time.Time) (Row, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.look(name)
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
