package router_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/router"
)

// saying is a reranker that says what it is told to, and keeps what it read.
type saying struct {
	say  func(ctx context.Context, texts []string) ([]float64, error)
	mu   sync.Mutex // guards read
	read []string
}

func (s *saying) Name() string { return "saying/1" }

func (s *saying) Rerank(ctx context.Context, need string, texts []string) ([]float64, error) {
	s.mu.Lock()
	s.read = append(append(s.read, need), texts...)
	s.mu.Unlock()
	return s.say(ctx, texts)
}

// backwards turns the order round.
func backwards(_ context.Context, texts []string) ([]float64, error) {
	out := make([]float64, len(texts))
	for i := range out {
		out[i] = float64(i)
	}
	return out, nil
}

// nothingElse leaves the options of a router as they are.
func nothingElse(*router.Options) {}

func reranked(r interlock.Reranker) func(*router.Options) {
	return func(o *router.Options) { o.Reranker, o.RerankWait = r, 20*time.Millisecond }
}

// TestRerankerCrossesNothing: a reranker that turns every order round brings no
// tool over a none edge, into a class or out of one, and starves no family; it
// reads what the view shows and nothing else, and hidden tools change no byte.
func TestRerankerCrossesNothing(t *testing.T) {
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := newGen(5000 + seed)
			cats, alice := g.registry(40), g.principal("alice")
			whole, part := &shelf{stock: map[string]interlock.Catalogue{}}, &shelf{stock: map[string]interlock.Catalogue{}}
			one, two := &saying{say: backwards}, &saying{say: backwards}
			a, b := newRouterWith(t, whole, reranked(one)), newRouterWith(t, part, reranked(two))
			stock(t, a, whole, cats, genSources)
			stock(t, b, part, visible(alice, cats), genSources)
			family := familiesOf(cats)
			for range 40 {
				need := g.need()
				sameFor(t, a, b, alice, answered, need)
				res, err := a.Resolve(context.Background(), interlock.Local(), need)
				if err != nil {
					t.Fatal(err)
				}
				checkAnswer(t, family, need, res)
				if !strings.HasSuffix(res.Scorer, "+saying/1") {
					t.Fatalf("the scorer is %s", res.Scorer)
				}
			}
			if len(one.read) == 0 {
				t.Error("nothing was reranked")
			}
		})
	}
}

// TestHostileReranker: whatever a reranker answers that is no order, and however
// long it takes, the answer is the one without it, byte for byte.
func TestHostileReranker(t *testing.T) {
	for name, say := range map[string]func(ctx context.Context, texts []string) ([]float64, error){
		"fails":    func(context.Context, []string) ([]float64, error) { return nil, errors.New("down") },
		"too few":  func(_ context.Context, texts []string) ([]float64, error) { return make([]float64, len(texts)-1), nil },
		"too many": func(_ context.Context, texts []string) ([]float64, error) { return make([]float64, len(texts)+1), nil },
		"NaN": func(_ context.Context, texts []string) ([]float64, error) {
			return slices.Repeat([]float64{math.NaN()}, len(texts)), nil
		},
		"infinite": func(_ context.Context, texts []string) ([]float64, error) {
			return slices.Repeat([]float64{math.Inf(1)}, len(texts)), nil
		},
		"silent": func(ctx context.Context, _ []string) ([]float64, error) { <-ctx.Done(); return nil, ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGen(77)
			cats := g.registry(40)
			plain, with := &shelf{stock: map[string]interlock.Catalogue{}}, &shelf{stock: map[string]interlock.Catalogue{}}
			a, b := newRouterWith(t, plain, func(*router.Options) {}), newRouterWith(t, with, reranked(&saying{say: say}))
			stock(t, a, plain, cats, genSources)
			stock(t, b, with, cats, genSources)
			tried := 0
			for range 30 {
				need := g.need()
				need.Explain = false // it says that the model did not answer
				res, err := b.Resolve(context.Background(), interlock.Local(), need)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(res.Scorer, "saying") { // there was nothing to order
					continue
				}
				tried++
				sameFor(t, a, b, interlock.Local(), answered, need)
			}
			if tried < 10 {
				t.Errorf("%d needs had anything to order", tried)
			}
		})
	}
}

// TestRerankerReadsTheView: of a tool of which fields are masked, a reranker
// reads what is left; of one that is hidden, nothing.
func TestRerankerReadsTheView(t *testing.T) {
	set, err := policy.Load([]policy.File{{Name: "p", Text: []byte(`
permit (principal, action in [Action::"discover", Action::"invoke", Action::"readField"], resource);
forbid (principal, action == Action::"readField", resource == Field::"s0/lookup#input:/shoe");
forbid (principal, action == Action::"discover", resource == Tool::"s0/hidden");`)}})
	if err != nil {
		t.Fatal(err)
	}
	say := &saying{say: backwards}
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	r := newRouterWith(t, s, func(o *router.Options) { o.Reranker, o.Policies = say, set })
	op := func(name, inputs string) interlock.Operation {
		return interlock.Operation{Name: name, Version: "1.0.0", Effect: interlock.EffectRead, Binding: []byte(`"x"`), InputSchema: []byte(inputs),
			Variants: []interlock.Variant{{ID: "d", Description: "Look up an employee"}}}
	}
	stock(t, r, s, map[string]interlock.Catalogue{"s0": {Operations: []interlock.Operation{
		op("lookup", `{"type":"object","properties":{"badge":{"type":"string"},"shoe":{"type":"string"}}}`),
		op("find", `{"type":"object","properties":{"desk":{"type":"string"}}}`),
		op("hidden", `{"type":"object","properties":{"desk":{"type":"string"}}}`)}}}, []string{"s0"})
	if _, err := r.Resolve(context.Background(), interlock.Principal{Name: "pat", Tenant: interlock.SharedTenant}, interlock.Need{Text: "look up an employee"}); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(say.read, "|")
	if strings.Contains(all, "shoe") || strings.Contains(all, "hidden") || !strings.Contains(all, "badge") || !strings.Contains(all, "desk") {
		t.Errorf("it read %s", all)
	}
}
