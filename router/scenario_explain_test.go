package router_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// printExplanation prints what does not change with the weights of evidence:
// what was heard, the stages, the kinds of evidence and what would change.
func (w *world) printExplanation(x interlock.Explanation) {
	h := x.Heard
	w.printf("heard %s acts=%v objects=%v values=%v unknown=%v", h.Language, h.Acts, h.Objects, h.Values, h.Unknown)
	s := x.Stages
	w.printf("stages view=%d compatible=%d denied=%d incompatible=%d scored=%d confident=%d fit=%d unfit=%v required=%d further=%d shown=%d left=%d", s.View,
		s.Eligible.Compatible, s.Eligible.Denied, s.Eligible.Incompatible, s.Discover.Scored, s.Discover.Confident, s.Fit.Fit, s.Fit.Unfit,
		s.Dispose.Required, s.Dispose.Further, s.Disclose.Shown, s.Disclose.LeftOut)
	for _, c := range x.Candidates {
		var kinds []string
		for _, e := range c.Evidence {
			kind := strings.ReplaceAll(e.Kind, " ", "-")
			for _, word := range e.Words {
				kind += ":" + word.Word
			}
			kinds = append(kinds, kind)
		}
		w.printf("  %s %s %v by %s", c.Part, c.Tool, c.Reasons, strings.Join(kinds, " "))
	}
	for _, c := range x.Changes {
		w.printf("would change: %s", strings.TrimSpace(fmt.Sprintf("%s %s", c.Text, join(c.Member, string(c.Value)))))
	}
}

// agent "NEED" …: resolves, and asks again after each refusal with the first
// change of the explanation that says what to make of a member of the need,
// until it is served, or nothing is left to change. With +migrate it also leaves a
// version that another one outscores, where the explanation says how.
func agent(w *world, args []string) error {
	migrate := slices.Contains(args, "+migrate")
	need, err := needOf(slices.DeleteFunc(args, func(arg string) bool { return arg == "+migrate" }))
	if err != nil {
		return err
	}
	need.Explain = true
	for range 6 {
		res, err := w.reg.Resolve(context.Background(), w.who, need)
		if err != nil {
			return err
		}
		shadowed := migrate && slices.ContainsFunc(res.Events, func(e interlock.Event) bool { return e.Type == interlock.EventShadowed })
		if res.Refusal == nil {
			w.printf("%s by %s", res.Disposition, res.Candidates[0].Tool)
		}
		if res.Refusal == nil && !shadowed {
			return nil
		}
		i := slices.IndexFunc(res.Explanation.Changes, func(c interlock.WouldChange) bool {
			return len(c.Value) > 0 && (!shadowed || strings.HasPrefix(c.Member, "/constraints/"))
		})
		if i < 0 {
			if res.Refusal != nil {
				w.printf("%s %s: %s", res.Disposition, res.Refusal.Type(), res.Explanation.Changes[0].Text)
			}
			return nil
		}
		c := res.Explanation.Changes[i]
		why := interlock.EventShadowed
		if res.Refusal != nil {
			why = res.Refusal.Type()
		}
		w.printf("%s %s: %s", res.Disposition, why, c.Text)
		w.printf("  so %s becomes %s", c.Member, c.Value)
		if need, err = changed(need, c); err != nil {
			return err
		}
	}
	return errors.New("six times asked, and nothing came of it")
}

// changed gives the need with one member changed, as whoever reads the JSON
// would change it.
func changed(need interlock.Need, c interlock.WouldChange) (interlock.Need, error) {
	text, err := interlock.Marshal(need)
	if err != nil {
		return need, err
	}
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		return need, err
	}
	var value any
	if err := json.Unmarshal(c.Value, &value); err != nil {
		return need, err
	}
	at := whole
	steps := strings.Split(strings.TrimPrefix(c.Member, "/"), "/")
	for i, step := range steps {
		last := i == len(steps)-1
		switch node := at.(type) {
		case map[string]any:
			if last {
				node[step] = value
			} else if node[step] == nil {
				node[step] = map[string]any{}
			}
			at = node[step]
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n >= len(node) {
				return need, fmt.Errorf("%s is no place in the need", c.Member)
			}
			if last {
				node[n] = value
			}
			at = node[n]
		default:
			return need, fmt.Errorf("%s is no place in the need", c.Member)
		}
	}
	if text, err = interlock.Marshal(whole); err != nil {
		return need, err
	}
	return wire.ReadNeed(text)
}
