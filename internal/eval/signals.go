package eval

import (
	"context"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Sample is what is known of a task and the best of its tools before anyone
// says whether they serve it.
type Sample struct {
	Signals fit.Signals
	Tools   int // that may be used
	English bool
	Found   bool // there is a tool, and something is asked
	Best    string
}

// Samples measures tasks on every processor there is, in order.
func (c *Catalogue) Samples(ctx context.Context, tasks []Task) ([]Sample, error) {
	return forTasks(ctx, tasks, c.sample)
}

func (c *Catalogue) sample(ctx context.Context, t Task) (Sample, error) {
	answer, err := c.answer(ctx, snapshot.Take(c.keeper, t.Scope.principal()), interlock.Need{Text: t.Query})
	if err != nil {
		return Sample{}, err
	}
	list := answer.Result().List()
	s := Sample{Tools: list.Standing().Tools, English: list.Query().Reading().Language == words.English}
	s.Signals, s.Found = answer.Result().Signals()
	s.Found = s.Found && !list.Query().Wordless()
	if fits := answer.Result().Compatible(); len(fits) > 0 {
		s.Best = fits[0].Tool.ID
	}
	return s, nil
}
