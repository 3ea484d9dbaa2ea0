package router_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// twoOfEach are sources with two tools for each of two requests, the plainer
// wording first by what the words say.
func twoOfEach() map[string]interlock.Catalogue {
	op := func(name, words string) interlock.Operation {
		return interlock.Operation{Name: name, Version: "1.0.0", Effect: interlock.EffectWrite, Binding: json.RawMessage(`"x"`), Variants: []interlock.Variant{{ID: "d", Description: words}},
			InputSchema: json.RawMessage(`{"type":"object"}`)}
	}
	return map[string]interlock.Catalogue{"s0": {Operations: []interlock.Operation{
		op("gate_a", "Open the harbour gate"), op("gate_b", "Open the harbour gate at the river"),
		op("bell_a", "Ring the bell of the tower"), op("bell_b", "Ring the bell of the tower at noon")}}}
}

const twoRequests = "open the harbour gate and ring the bell of the tower"

// noon is a model that, asked for a bell, likes the one at noon, and has no
// opinion else.
type noon struct{ saying }

func (n *noon) Rerank(_ context.Context, need string, texts []string) ([]float64, error) {
	n.mu.Lock()
	n.read = append(n.read, need)
	n.mu.Unlock()
	out := make([]float64, len(texts))
	for i, text := range texts {
		if need == "ring the bell of the tower" && strings.Contains(text, "noon") {
			out[i] = 1
		}
	}
	return out, nil
}

// TestRerankerOrdersEachRequest: of a need of several requests the model orders
// the whole and each request, told what that request is; the explanation says
// where each tool stood before and after, and what the model said of it.
func TestRerankerOrdersEachRequest(t *testing.T) {
	say := &noon{}
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	r := newRouterWith(t, s, reranked(say))
	stock(t, r, s, twoOfEach(), []string{"s0"})
	res, err := r.Resolve(t.Context(), interlock.Local(), interlock.Need{Text: twoRequests, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Intents) != 2 || res.Intents[1].Tool != "s0/bell_b" || res.Candidates[1].Tool != "s0/bell_b" {
		t.Fatalf("%s: %v", res.Disposition, res.Intents)
	}
	for _, text := range []string{twoRequests, "open the harbour gate", "ring the bell of the tower"} {
		if !slices.Contains(say.read, text) {
			t.Errorf("it was not asked for %q", text)
		}
	}
	x := res.Explanation.Stages.Rerank
	if x == nil || !x.Answered || x.Model != "saying/1" || len(x.Orders) != 3 {
		t.Fatalf("explained as %+v", x)
	}
	if of := x.Orders[2]; of.Intent != "ring the bell of the tower" || of.Asked != 4 ||
		!slices.Contains(of.Tools, interlock.Reranked{Tool: "s0/bell_b", Before: 2, After: 1, Says: 1}) || !slices.Contains(of.Tools, interlock.Reranked{Tool: "s0/bell_a", Before: 1, After: 2}) {
		t.Errorf("%+v", of)
	}
	if x.Orders[0].Intent != "" {
		t.Errorf("the whole need is explained as %q", x.Orders[0].Intent)
	}
}

// TestRerankerFailsInOneRequest: where the model does not answer for one of the
// requests, no order is changed, and the explanation says that it did not answer.
func TestRerankerFailsInOneRequest(t *testing.T) {
	var asked atomic.Int64
	for name, fails := range map[string]func(ctx context.Context) error{
		"fails":  func(context.Context) error { return errors.New("down") },
		"silent": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			asked.Store(0)
			plain, with := &shelf{stock: map[string]interlock.Catalogue{}}, &shelf{stock: map[string]interlock.Catalogue{}}
			say := &saying{}
			say.say = func(ctx context.Context, texts []string) ([]float64, error) {
				if asked.Add(1) == 2 {
					return nil, fails(ctx)
				}
				return backwards(ctx, texts)
			}
			a, b := newRouterWith(t, plain, nothingElse), newRouterWith(t, with, reranked(say))
			stock(t, a, plain, twoOfEach(), []string{"s0"})
			stock(t, b, with, twoOfEach(), []string{"s0"})
			sameFor(t, a, b, interlock.Local(), answered, interlock.Need{Text: twoRequests})
			asked.Store(0)
			res, err := b.Resolve(t.Context(), interlock.Local(), interlock.Need{Text: twoRequests, Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			if x := res.Explanation.Stages.Rerank; x == nil || x.Answered || len(x.Orders) != 0 || strings.Contains(res.Scorer, "saying") {
				t.Errorf("%s: explained as %+v", res.Scorer, x)
			}
		})
	}
}

// TestRerankerMovesNoServable: whether a need is served is what the evidence
// says, whatever the model makes of the order.
func TestRerankerMovesNoServable(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := newGen(7000 + seed)
			cats := g.registry(40)
			plain, with := &shelf{stock: map[string]interlock.Catalogue{}}, &shelf{stock: map[string]interlock.Catalogue{}}
			a, b := newRouterWith(t, plain, nothingElse), newRouterWith(t, with, reranked(&saying{say: backwards}))
			stock(t, a, plain, cats, genSources)
			stock(t, b, with, cats, genSources)
			for range 30 {
				need := g.need()
				one, err := a.Resolve(t.Context(), interlock.Local(), need)
				if err != nil {
					t.Fatal(err)
				}
				two, err := b.Resolve(t.Context(), interlock.Local(), need)
				if err != nil {
					t.Fatal(err)
				}
				if one.Servable != two.Servable {
					t.Fatalf("%q: %v without the model, %v with it", need.Text, one.Servable, two.Servable)
				}
			}
		})
	}
}
