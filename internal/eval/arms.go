package eval

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/offer"
	"github.com/seed-ae386458/interlock/internal/qualify"
	"github.com/seed-ae386458/interlock/internal/resolve/disclose"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// answered lets an arm answer twice, as a need that is new and as one that was
// read before, and weighs what it disclosed.
func (s *scoring) answered(ctx context.Context, arm string, v seen, need interlock.Need, line qualify.Line) (qualify.Answer, error) {
	say := func() (qualify.Answer, func() (weight, error), error) {
		switch arm {
		case qualify.Pipeline:
			return s.pipeline(ctx, v, need)
		case qualify.Full:
			return s.everything(v)
		case qualify.Oracle:
			return s.oracle(v, line)
		}
		return s.plain(ctx, arm, v, need)
	}
	s.forget()
	began := time.Now()
	if _, _, err := say(); err != nil {
		return qualify.Answer{}, err
	}
	cold := time.Since(began)
	began = time.Now()
	a, weigh, err := say()
	warm := time.Since(began)
	if err != nil {
		return a, err
	}
	w, err := weigh()
	a.SchemaBytes, a.WireBytes, a.ModelBytes, a.Tokens = w.schema, w.wire, w.model, w.tokens
	a.Cold, a.Warm = cold.Microseconds(), warm.Microseconds()
	return a, err
}

// weight is what an answer costs.
type weight struct{ schema, wire, model, tokens int }

// pipeline answers as the router does: the stages, then disclosure.
func (s *scoring) pipeline(ctx context.Context, v seen, need interlock.Need) (qualify.Answer, func() (weight, error), error) {
	decided, err := s.cat.answer(ctx, v.frozen, need)
	if err != nil {
		return qualify.Answer{}, nil, err
	}
	res, err := disclose.Bound(decided, need, disclose.Options{Tokens: s.opts.Tokens, Seal: s.seal(v.frozen.Who())})
	if err != nil {
		return qualify.Answer{}, nil, err
	}
	a := qualify.Answer{Disposition: res.Disposition, Signal: float64(decided.Servable()), Count: len(res.Candidates), Disclosed: []string{}, Ranked: []string{}}
	schema := 0
	for _, c := range res.Candidates {
		a.Disclosed = append(a.Disclosed, c.Tool)
		schema += len(c.InputSchema) + len(c.OutputSchema)
	}
	for _, r := range ranked(decided, s.plan.K) {
		a.Ranked = append(a.Ranked, r.Tool)
	}
	a.Missing, a.Tied = missed(decided), tied(res)
	s.about(&a, v, need)
	return a, func() (weight, error) {
		text, err := wire.Encode(res)
		return weight{schema, len(text), len(text), s.opts.Tokens(string(text))}, err
	}, nil
}

func missed(a dispose.Answer) []string {
	var out []string
	for _, m := range a.Missing() {
		if m.Name != "" && !slices.Contains(out, m.Name) {
			out = append(out, m.Name)
		}
	}
	return out
}

func tied(res interlock.Resolution) []string {
	var ambiguous *interlock.AmbiguousNeed
	if errors.As(res.Err(), &ambiguous) {
		return ambiguous.Tools
	}
	return nil
}

// about says what the first disclosed tool is of and gives.
func (s *scoring) about(a *qualify.Answer, v seen, need interlock.Need) {
	if len(a.Disclosed) == 0 {
		return
	}
	t := v.frozen.View().Tool(a.Disclosed[0])
	if t == nil {
		return
	}
	a.Source = t.Source
	a.Gives = len(need.Want) > 0 && !slices.ContainsFunc(need.Want, func(w interlock.Want) bool { return !discover.Gives(t, w) })
}

// seal makes offers of the real form and length, with a key that opens nothing.
func (s *scoring) seal(who interlock.Principal) func(t *snapshot.Tool) string {
	key := sha256.Sum256([]byte("interlock/eval"))
	keys := offer.Keys{key[:]}
	return func(t *snapshot.Tool) string {
		return keys.Seal(t.Handle, offer.Terms{Principal: who.Name, Tenant: who.Tenant, Tool: t.ID, Changed: t.Changed, Contract: t.ToolRecord.Contract, Binding: t.Binding}, time.Unix(1<<31, 0))
	}
}

// shown is a tool as a host that knows no Interlock shows it to its model.
type shown struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// listing weighs tools as a plain list of them.
func (s *scoring) listing(tools []*snapshot.Tool) (weight, error) {
	list := make([]shown, len(tools))
	var w weight
	for i, t := range tools {
		list[i] = shown{t.ID, describes(t), t.Op.InputSchema}
		w.schema += len(t.Op.InputSchema)
	}
	text, err := wire.Encode(map[string]any{"tools": list})
	if err != nil {
		return w, fmt.Errorf("list of tools: %w", err)
	}
	w.wire, w.model, w.tokens = len(text), len(text), s.opts.Tokens(string(text))
	return w, nil
}

// everything discloses the whole view.
func (s *scoring) everything(v seen) (qualify.Answer, func() (weight, error), error) {
	a := qualify.Answer{Disposition: interlock.Supported, Signal: 1, All: true, Count: len(v.tools), Disclosed: ids(v.tools), Ranked: []string{}}
	if a.Count == 0 {
		a.Disposition, a.Signal = interlock.Unsupported, 0
	}
	return a, func() (weight, error) {
		key := strings.Join(a.Disclosed, "\x00")
		if w, ok := s.full[key]; ok {
			return w, nil
		}
		w, err := s.listing(v.tools)
		s.full[key] = w
		return w, err
	}, nil
}

func ids(tools []*snapshot.Tool) []string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = t.ID
	}
	return out
}

// oracle discloses the gold: no more than a bound on what could follow.
func (s *scoring) oracle(v seen, line qualify.Line) (qualify.Answer, func() (weight, error), error) {
	a := qualify.Answer{Disposition: line.Gold.Disposition, Disclosed: []string{}, Ranked: []string{}, Missing: line.Gold.Missing, Gives: len(line.Gold.Outputs) > 0}
	var tools []*snapshot.Tool
	bytes := s.plan.Bytes
	if line.Served() {
		a.Signal = 1
		for _, any := range line.Gold.Tools {
			i := slices.IndexFunc(v.tools, func(t *snapshot.Tool) bool { return slices.Contains(any, t.ID) })
			if i < 0 || len(tools) == s.plan.K {
				continue
			}
			if size := len(v.tools[i].Op.InputSchema); size <= bytes {
				tools, bytes = append(tools, v.tools[i]), bytes-size
			}
		}
	}
	a.Disclosed, a.Count = ids(tools), len(tools)
	a.Ranked = a.Disclosed
	if len(tools) > 0 {
		a.Source = tools[0].Source
	}
	if a.Disposition == interlock.Ambiguous && len(line.Equal) > 0 {
		a.Tied = line.Equal[0]
	}
	return a, func() (weight, error) { return s.listing(tools) }, nil
}

// plain answers by a ranking alone: it refuses nothing for which there is any
// tool at all.
func (s *scoring) plain(ctx context.Context, arm string, v seen, need interlock.Need) (qualify.Answer, func() (weight, error), error) {
	q, err := s.base.ask(ctx, need.Text, arm != qualify.Lexical)
	if err != nil {
		return qualify.Answer{}, nil, err
	}
	var score []float64
	least := math.Inf(-1)
	sure := 0.0
	switch arm {
	case qualify.Lexical:
		score, least = s.base.bm25(q, v.places), 0
	case qualify.Dense:
		score = s.base.cosines(q, v.places)
	default:
		score = mixture(s.base.cosines(q, v.places), s.base.bm25(q, v.places), v.places)
	}
	order := make([]int, len(v.tools))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(score[v.places[b]], score[v.places[a]]), strings.Compare(v.tools[a].ID, v.tools[b].ID))
	})
	var tools []*snapshot.Tool
	bytes := s.plan.Bytes
	for _, i := range order {
		if len(tools) == s.plan.K || score[v.places[i]] <= least {
			break
		}
		if size := len(v.tools[i].Op.InputSchema); size <= bytes {
			tools, bytes = append(tools, v.tools[i]), bytes-size
		}
	}
	a := qualify.Answer{Disposition: interlock.Supported, Count: len(tools), Disclosed: ids(tools), Ranked: ids(tools)}
	if len(tools) == 0 {
		a.Disposition = interlock.Unsupported
	} else {
		sure = score[s.base.place[tools[0].ID]]
	}
	a.Signal = math.Round(sure*1e4) / 1e4
	s.about(&a, v, need)
	return a, func() (weight, error) { return s.listing(tools) }, nil
}
