package eval

import (
	"context"
	"slices"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestSuiteOwnLine holds that refusing everything is no answer, nor is refusing
// nothing: with vectors and without, served requests are accepted far more often
// than those that need no tool.
func TestSuiteOwnLine(t *testing.T) {
	for _, embedder := range []bool{true, false} {
		cat, cases := labelled(t, embedder)
		var tasks []Task
		var served []bool
		for _, c := range cases {
			yes := c.Kind == "single" && len(golden(c)) > 0 && fold(c.ID)%8 == 0
			no := c.Kind == "nofit" && fold(c.ID)%2 == 0
			if string(c.Scope) != `"*"` || !yes && !no {
				continue
			}
			tasks, served = append(tasks, Task{ID: c.ID, Query: c.Query, Scope: within(cat, c.ID, golden(c), 1000)}), append(served, yes)
		}
		accepted, all := map[bool]float64{}, map[bool]float64{}
		at := 0
		if err := cat.Rank(context.Background(), tasks, 1, func(l Line) error {
			all[served[at]]++
			if !slices.Contains([]interlock.Disposition{interlock.Unsupported, interlock.Forbidden}, l.Disposition) {
				accepted[served[at]]++
			}
			at++
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		yes, no := accepted[true]/all[true], accepted[false]/all[false]
		t.Logf("vectors %t: accepted %.1f %% of %.0f served, %.1f %% of %.0f that need no tool", embedder, 100*yes, all[true], 100*no, all[false])
		if yes-no < 0.3 {
			t.Errorf("vectors %t: accepted %.2f of the served and %.2f of the others", embedder, yes, no)
		}
	}
}
