package qualify

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-ae386458/interlock"
)

// The arms of a run, all under the same view.
const (
	Full     = "full"     // the whole view is disclosed
	Lexical  = "lexical"  // BM25, the first K
	Dense    = "dense"    // cosine, the first K
	Hybrid   = "hybrid"   // both in a constant mixture, the first K
	Pipeline = "pipeline" // what answers needs
	Oracle   = "oracle"   // the gold itself: what the rest of a chain could do at the most
)

var arms = [...]string{Full, Lexical, Dense, Hybrid, Pipeline}

// Arms gives the arms that may be compared, in order.
func Arms() []string { return slices.Clone(arms[:]) }

// Input is one thing that went into a run.
type Input struct {
	Name   string `json:"name"`
	Digest string `json:"sha256"`
}

// Inputs are all of them.
type Inputs struct {
	Cases       Input `json:"cases"`
	Catalogue   Input `json:"catalogue"`
	Equivalents Input `json:"equivalents"` // an empty digest: there are none
	Model       Input `json:"model"`
	Scorer      Input `json:"scorer"`
	Calibration Input `json:"calibration"` // what the pipeline learned from accepted matches; an empty digest: nothing
	Program     Input `json:"program"`     // its version and commit, and the digest of the file that runs
}

// Plan is what is promised before anything is scored.
type Plan struct {
	Form   string `json:"form"`
	Name   string `json:"name"`
	Made   string `json:"made"` // when
	Inputs Inputs `json:"inputs"`
	Split  string `json:"split"`
	// Arms are compared; Oracle is scored beside them as a diagnostic.
	Arms      []string `json:"arms"`
	Candidate string   `json:"candidate"` // the arm that would be promoted
	Baseline  string   `json:"baseline"`  // the arm that it must not fall behind
	K         int      `json:"k"`
	Bytes     int      `json:"schema_bytes"`     // of schema, for each arm but full
	Tokens    int      `json:"tokens,omitempty"` // of an answer; 0: none
	// Primary decides: the lower end of the interval of candidate less baseline
	// must lie above Margin. Precision is the half width that the interval may
	// have at the most.
	Primary   string  `json:"primary"`
	Margin    float64 `json:"margin"`
	Precision float64 `json:"precision"`
	// Point is held by the candidate at its own line, both at once.
	Point      Point      `json:"operating_point"`
	Population Population `json:"population"`
	Resamples  int        `json:"resamples"`
	Seed       uint64     `json:"seed"`
	Digest     string     `json:"digest,omitempty"` // of all the above
}

// Point is a joint operating point.
type Point struct {
	FalseRefusal float64 `json:"false_refusal"` // of served needs, at most
	FalseAccept  float64 `json:"false_accept"`  // of needs that nothing serves, at most
}

// Population is what the plan speaks of: each of its cells needs Least native
// cases, or it is missing.
type Population struct {
	Languages []string `json:"languages"`
	Strata    []string `json:"strata"`
	// Tools are the languages of catalogues that needs of each language are asked
	// over.
	Tools []string `json:"tools,omitempty"`
	Least int      `json:"least"`
}

// DefaultPlan is what a plan says where nothing else is said.
func DefaultPlan() Plan {
	return Plan{Form: PlanForm, Split: "dev", Arms: Arms(), Candidate: Pipeline, Baseline: Hybrid, K: interlock.DefaultK, Bytes: interlock.DefaultSchemaBytes,
		Primary: "complete", Precision: 0.05, Point: Point{FalseRefusal: 0.2, FalseAccept: 0.4},
		Population: Population{Languages: []string{"en", "ko", "ja"}, Strata: Strata(), Tools: []string{"en", "ko", "ja"}, Least: 30}, Resamples: 2000, Seed: 1}
}

// Sealed gives the plan with its digest.
func (p Plan) Sealed() (Plan, error) {
	if err := p.validate(); err != nil {
		return p, err
	}
	p.Digest = ""
	p.Digest = digestOf(p)
	return p, nil
}

func (p Plan) validate() error {
	for _, arm := range append(slices.Clone(p.Arms), p.Candidate, p.Baseline) {
		switch {
		case arm == Oracle:
			return invalid("oracle knows the gold: it is a diagnostic, scored in every run and never an arm that is compared.")
		case !slices.Contains(arms[:], arm):
			return invalid("%q is none of the arms %s.", arm, some(arms[:]))
		}
	}
	primary := measureOf(p.Primary)
	switch {
	case !slices.Contains(p.Arms, p.Candidate) || !slices.Contains(p.Arms, p.Baseline) || p.Candidate == p.Baseline:
		return invalid("The candidate %q and the baseline %q are two of the arms.", p.Candidate, p.Baseline)
	case primary == nil || !primary.Up:
		return invalid("The primary measure %q is none of those in which more is better: %s.", p.Primary, some(upward()))
	case !slices.Contains(splits[:], p.Split):
		return invalid("The split %q is none of %s.", p.Split, some(splits[:]))
	case p.K < 1 || p.K > interlock.MaxK:
		return invalid("k lies between 1 and %d.", interlock.MaxK)
	case p.Resamples < 100 || p.Resamples > 100000:
		return invalid("resamples lie between 100 and 100000.")
	case p.Bytes < 1 || p.Tokens < 0:
		return invalid("The bytes of schema are at least 1, and the tokens not negative.")
	case p.Point.FalseRefusal < 0 || p.Point.FalseRefusal > 1 || p.Point.FalseAccept < 0 || p.Point.FalseAccept > 1:
		return invalid("The operating point is two shares between 0 and 1.")
	case p.Precision <= 0 || p.Margin < -1 || p.Margin > 1:
		return invalid("The margin lies between -1 and 1, and the precision is above 0.")
	case p.Population.Least < 1:
		return invalid("A cell of the population needs at least one case.")
	}
	for _, s := range p.Population.Strata {
		if !slices.Contains(strata[:], s) {
			return invalid("The stratum %q is none of %s.", s, some(strata[:]))
		}
	}
	return nil
}

// ReadPlan reads a plan and holds it against its own digest.
func ReadPlan(text []byte) (Plan, error) {
	var p Plan
	if err := strict(text, &p); err != nil || p.Form != PlanForm {
		return p, invalid("The plan is not one of the form %q: %v.", PlanForm, err)
	}
	again, err := p.Sealed()
	if err != nil {
		return p, err
	}
	if again.Digest != p.Digest {
		return p, refuse(interlock.CodeConflict, interlock.ReasonPlanUnregistered, "/digest", "The plan was changed after it was made: its digest is %s and it says %s. Make a new one with interlock eval plan.", short(again.Digest), short(p.Digest))
	}
	return p, nil
}

// Hold compares the inputs at hand with those of the plan.
func (p Plan) Hold(now Inputs) error {
	was := p.Inputs
	for _, in := range []struct {
		what     string
		was, now Input
	}{
		{"cases", was.Cases, now.Cases}, {"catalogue", was.Catalogue, now.Catalogue}, {"equivalents", was.Equivalents, now.Equivalents},
		{"model", was.Model, now.Model}, {"scorer", was.Scorer, now.Scorer}, {"calibration", was.Calibration, now.Calibration}, {"program", was.Program, now.Program},
	} {
		if in.was.Digest != in.now.Digest {
			return refuse(interlock.CodeConflict, interlock.ReasonInputChanged, "/inputs/"+in.what,
				"The %s is not the one of the plan: %s has the digest %s, the plan names %s with %s.", in.what, in.now.Name, short(in.now.Digest), in.was.Name, short(in.was.Digest))
		}
	}
	return nil
}

func short(digest string) string {
	if len(digest) > 12 {
		return digest[:12]
	}
	if digest == "" {
		return "none"
	}
	return digest
}

// Text gives the plan as it is written to a file.
func (p Plan) Text() ([]byte, error) {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	return append(text, '\n'), nil
}
