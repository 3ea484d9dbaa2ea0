package qualify

import (
	"slices"

	"github.com/seed-ae386458/interlock"
)

// Answer is what an arm said to a case.
type Answer struct {
	Arm         string                `json:"arm"`
	Disposition interlock.Disposition `json:"disposition"`
	Signal      float64               `json:"signal"`        // how sure it is that the need is served
	All         bool                  `json:"all,omitempty"` // the whole view is disclosed, and not listed here
	Count       int                   `json:"count"`         // tools disclosed
	Disclosed   []string              `json:"disclosed"`     // in order
	Ranked      []string              `json:"ranked"`        // the first K, whatever is disclosed
	Source      string                `json:"source,omitempty"`
	Tied        []string              `json:"tied,omitempty"`    // what an ambiguous answer cannot tell apart
	Missing     []string              `json:"missing,omitempty"` // inputs that it asks for
	Gives       bool                  `json:"gives,omitempty"`   // the first tool declares every wanted field
	// Barred are the tools that it disclosed and the principal may not be offered.
	Barred []string `json:"barred,omitempty"`

	SchemaBytes int   `json:"schema_bytes"` // of the schemas disclosed
	WireBytes   int   `json:"wire_bytes"`   // of the answer as a face sends it
	ModelBytes  int   `json:"model_bytes"`  // of what a model reads
	Tokens      int   `json:"tokens"`       // of the same, o200k
	Cold        int64 `json:"cold_us"`      // the need is new
	Warm        int64 `json:"warm_us"`      // the need was read before
}

// Line is a case with everything that judging takes, and what each arm said.
// The need itself stays where it is.
type Line struct {
	Case     string `json:"case"`
	Digest   string `json:"sha256"`
	Language string `json:"language"`
	Tools    string `json:"tools"` // language that the right tools are described in
	Source   string `json:"source"`
	Stratum  string `json:"stratum"`
	Authored string `json:"authored"`
	Effect   string `json:"effect"`
	Cluster  string `json:"cluster"`
	Asker    *Asker `json:"principal,omitempty"`
	Gold     Gold   `json:"gold"`
	// Equal is the gold with equal tools counted as right; of those in view.
	Equal   [][]string `json:"equal"`
	Sources []string   `json:"sources"` // of the gold's tools
	Answers []Answer   `json:"answers"`
}

// LineOf starts the line of a case.
func LineOf(c Case) Line {
	return Line{Case: c.ID, Digest: c.Digest, Language: c.Language, Source: c.Source, Stratum: c.Stratum, Authored: c.Authored,
		Effect: c.Effect, Cluster: c.cluster(), Asker: c.Principal, Gold: *c.Gold}
}

// Served reports whether the case's need can be served in its view.
func (l Line) Served() bool {
	return l.Gold.Disposition.Offers() || l.Gold.Disposition == interlock.BudgetUnsatisfied
}

// answer gives what an arm said.
func (l Line) answer(arm string) (Answer, bool) {
	i := slices.IndexFunc(l.Answers, func(a Answer) bool { return a.Arm == arm })
	if i < 0 {
		return Answer{}, false
	}
	return l.Answers[i], true
}

// Stage is where an answer went wrong.
type Stage string

// The stages of a failure, in the order in which they are passed. Execution and
// the agent's own reasoning come after them, where there is an agent.
const (
	AtDisclosure  Stage = "disclosure"  // it disclosed what the principal may not be offered
	AtRetrieval   Stage = "retrieval"   // a required tool is not among the first K
	AtOperation   Stage = "operation"   // a sibling of the same source stands in its place
	AtParameter   Stage = "parameter"   // missing inputs were not asked for, or inputs at hand were
	AtField       Stage = "field"       // the wanted outputs are not given
	AtBudget      Stage = "budget"      // what is required does not fit
	AtDisposition Stage = "disposition" // accepted what nothing serves, or refused what is served
	AtPolicy      Stage = "policy"      // what is forbidden taken for served, or the other way round
)

// Judgement is what an answer is worth.
type Judgement struct {
	Accepted bool
	Hits     float64 // share of the required tools that are disclosed
	Complete bool
	Ranked   float64 // share of them among the first K, whatever is disclosed
	First    bool    // the first one disclosed is required
	// The same with equal tools counted as right.
	EqualHits            float64
	EqualFirst, EqualAll bool
	Sibling              bool // the first one is wrong, and of a right tool's source
	Kind                 bool // the disposition is the gold's
	Named                bool // every missing input of the gold is asked for
	Tie                  bool // an ambiguous answer whose tools are equal indeed
	Failure              Stage
}

// Judge holds an answer against the gold of its line.
func Judge(l Line, a Answer, k int) Judgement {
	j := Judgement{Accepted: a.Disposition.Offers(), Kind: a.Disposition == l.Gold.Disposition}
	j.Hits, j.First, j.Complete = l.score(a, l.Gold.Tools)
	listed := a
	listed.Disclosed = a.Ranked[:min(k, len(a.Ranked))]
	j.Ranked, _, _ = l.score(listed, l.Gold.Tools)
	j.EqualHits, j.EqualFirst, j.EqualAll = l.score(a, l.Equal)
	if first := first(a); first != "" && !j.EqualFirst {
		j.Sibling = slices.Contains(l.Sources, a.Source)
	}
	j.Named = named(a.Missing, l.Gold.Missing)
	j.Tie = a.Disposition == interlock.Ambiguous && tie(a.Tied, l.Equal)
	j.Failure = l.failure(a, j, k)
	return j
}

func first(a Answer) string {
	if len(a.Disclosed) == 0 {
		return ""
	}
	return a.Disclosed[0]
}

// score counts required tools among the disclosed.
func (l Line) score(a Answer, tools [][]string) (hits float64, first, all bool) {
	if len(tools) == 0 || !l.Served() {
		return 0, false, false
	}
	n := 0
	for _, any := range tools {
		in := func(id string) bool { return slices.Contains(any, id) }
		if a.All || slices.ContainsFunc(a.Disclosed, in) {
			n++
		}
		first = first || len(a.Disclosed) > 0 && in(a.Disclosed[0])
	}
	return float64(n) / float64(len(tools)), first, n == len(tools)
}

// named reports whether every input that the gold names is asked for.
func named(asked, gold []string) bool {
	return len(gold) > 0 && !slices.ContainsFunc(gold, func(name string) bool { return !slices.Contains(asked, name) })
}

// tie reports whether the tools that an answer cannot tell apart are at least
// two, and all among the alternatives of one required tool.
func tie(tied []string, equal [][]string) bool {
	return len(tied) > 1 && slices.ContainsFunc(equal, func(any []string) bool {
		return !slices.ContainsFunc(tied, func(id string) bool { return !slices.Contains(any, id) })
	})
}

// failure gives the first stage at which an answer went wrong; none where it is
// right. Equal tools count as right.
func (l Line) failure(a Answer, j Judgement, k int) Stage {
	switch {
	case len(a.Barred) > 0:
		return AtDisclosure
	case !l.Served():
		return l.accepted(j)
	case !j.Accepted:
		return l.refused(a, k)
	case !j.EqualAll && len(l.Gold.Tools) > k:
		return AtBudget
	case !j.EqualAll && j.Sibling:
		return AtOperation
	case !j.EqualAll:
		return AtRetrieval
	case (l.Gold.Disposition == interlock.NeedsInput) != (a.Disposition == interlock.NeedsInput), len(l.Gold.Missing) > 0 && !j.Named:
		return AtParameter
	case len(l.Gold.Outputs) > 0 && !a.Gives:
		return AtField
	}
	return ""
}

// accepted is the failure of a need that nothing serves.
func (l Line) accepted(j Judgement) Stage {
	forbidden := l.Gold.Disposition == interlock.Forbidden
	switch {
	case j.Accepted && forbidden, forbidden && !j.Kind:
		return AtPolicy
	case j.Accepted:
		return AtDisposition
	}
	return ""
}

// refused is the failure of a served need that was not accepted: it was lost
// before, where its tools are not among the first K.
func (l Line) refused(a Answer, k int) Stage {
	switch a.Disposition {
	case interlock.Forbidden:
		return AtPolicy
	case interlock.BudgetUnsatisfied:
		if l.Gold.Disposition == interlock.BudgetUnsatisfied {
			return ""
		}
		return AtBudget
	}
	for _, any := range l.Equal {
		if !slices.ContainsFunc(a.Ranked[:min(k, len(a.Ranked))], func(id string) bool { return slices.Contains(any, id) }) {
			return AtRetrieval
		}
	}
	return AtDisposition
}
