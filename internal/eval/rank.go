package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/parallel"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// Task is one request to be ranked. Its id means nothing.
type Task struct {
	ID    string `json:"id"`
	Query string `json:"query"`
	Scope Scope  `json:"scope"`
	// Context is what was said before the request.
	Context []Turn `json:"context"`
}

// Turn is one thing that somebody said before a request.
type Turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// said gives what the user said before the request.
func (t Task) said() []string {
	var out []string
	for _, turn := range t.Context {
		if turn.Role == "user" && turn.Content != "" {
			out = append(out, turn.Content)
		}
	}
	return out
}

// Scope is the tools that a task is asked of; nil is all.
type Scope []string

// UnmarshalJSON reads "*" or a list of tool ids.
func (s *Scope) UnmarshalJSON(text []byte) error {
	var all string
	if json.Unmarshal(text, &all) == nil {
		if all != "*" && all != "" {
			return fmt.Errorf("scope %q is neither \"*\" nor a list of tools", all)
		}
		*s = nil
		return nil
	}
	list := []string{}
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("scope: %w", err)
	}
	*s = list
	return nil
}

// Line is the answer to a task.
type Line struct {
	ID          string                `json:"id"`
	Disposition interlock.Disposition `json:"disposition"`
	Confidence  interlock.Probability `json:"confidence"`
	Servable    interlock.Probability `json:"servable"`
	Ranked      []Ranked              `json:"ranked"`
	Missing     []MissingInput        `json:"missing_inputs"`
	Signals     []float64             `json:"signals,omitempty"` // where they are asked for
	Took        int64                 `json:"took_us"`
}

// Ranked is a tool and its score, written as a pair.
type Ranked struct {
	Tool  string
	Score interlock.Score
}

// MarshalJSON writes the pair.
func (r Ranked) MarshalJSON() ([]byte, error) { return json.Marshal([2]any{r.Tool, r.Score}) }

// MissingInput is an input that stands between the request and a call.
type MissingInput struct {
	Tool string `json:"tool"`
	Name string `json:"name"`
	Type string `json:"type,omitempty"`
}

// MaxRanked bounds the tools of a line.
const MaxRanked = 1000

// Rank answers tasks on every processor there is and gives the lines in order.
// The answer to a task depends on its request and on the tools of its scope
// alone.
func (c *Catalogue) Rank(ctx context.Context, tasks []Task, k int, done func(Line) error) error {
	if k < 1 || k > MaxRanked {
		return fmt.Errorf("k lies between 1 and %d", MaxRanked)
	}
	lines, err := forTasks(ctx, tasks, func(ctx context.Context, t Task) (Line, error) { return c.one(ctx, t, k) })
	if err != nil {
		return err
	}
	for _, l := range lines {
		if err := done(l); err != nil {
			return err
		}
	}
	return nil
}

// forTasks does something for each task on every processor there is, and gives
// what came of them in order.
func forTasks[T any](ctx context.Context, tasks []Task, do func(context.Context, Task) (T, error)) ([]T, error) {
	out := make([]T, len(tasks))
	errs := make([]error, len(tasks))
	var group parallel.Group
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() {
			for i := w; i < len(tasks) && ctx.Err() == nil; i += workers {
				out[i], errs[i] = do(ctx, tasks[i])
			}
		})
	}
	group.Wait(nil)
	return out, errors.Join(append(errs, ctx.Err())...)
}

// principal sees the tools of a scope and nothing else.
func (s Scope) principal() interlock.Principal {
	if s == nil {
		return interlock.Local()
	}
	return interlock.Principal{Name: "scope", Tenant: interlock.SharedTenant, Allow: s}
}

func (c *Catalogue) one(ctx context.Context, t Task, k int) (Line, error) {
	frozen := snapshot.Take(c.keeper, t.Scope.principal())
	start := time.Now()
	answer, err := c.answer(ctx, frozen, interlock.Need{Text: t.Query, Context: t.said()})
	if err != nil {
		return Line{}, fmt.Errorf("task %s: %w", t.ID, err)
	}
	line := Line{ID: t.ID, Disposition: answer.Disposition(), Confidence: answer.Confidence(), Servable: answer.Servable(), Ranked: ranked(answer, k), Missing: []MissingInput{}, Took: time.Since(start).Microseconds()}
	if signals, ok := answer.Result().Signals(); ok && c.opts.Signals {
		line.Signals = signals[:]
	}
	for _, m := range answer.Missing() {
		if m.Name != "" {
			line.Missing = append(line.Missing, MissingInput{m.Tool, m.Name, m.Type})
		}
	}
	return line, nil
}

// answer takes a need through the stages, as the router does.
func (c *Catalogue) answer(ctx context.Context, frozen snapshot.Frozen, need interlock.Need) (dispose.Answer, error) {
	query, err := index.Prepare(ctx, need.Text, need.Context, c.opts.Embedder, c.opts.Glosser)
	if err != nil {
		return dispose.Answer{}, err
	}
	set, err := eligible.Part(frozen, need)
	if err != nil {
		return dispose.Answer{}, err
	}
	list, err := discover.Rank(set, need, query, c.scorer)
	if err != nil {
		return dispose.Answer{}, err
	}
	if c.opts.Reranker != nil {
		if list, err = list.Rerank(ctx, need.Text, c.opts.Reranker, c.opts.RerankFirst); err != nil {
			return dispose.Answer{}, err
		}
	}
	fits, err := fit.Match(list, need)
	if err != nil {
		return dispose.Answer{}, err
	}
	return dispose.Decide(fits, need)
}

// ranked gives the first k of all slots that may become offers, those that the
// need names among them whatever their score.
func ranked(a dispose.Answer, k int) []Ranked {
	out := []Ranked{}
	fits := a.Ordered()
	named := 0
	for _, f := range fits {
		if f.Exact {
			named++
		}
	}
	for _, f := range fits {
		room := k - len(out)
		if room == 0 {
			break
		}
		if f.Exact {
			named--
		} else if room <= named {
			continue
		}
		out = append(out, Ranked{f.Tool.ID, f.Score})
	}
	return out
}
