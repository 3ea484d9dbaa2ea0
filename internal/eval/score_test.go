package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/qualify"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/words"
)

func score(t *testing.T, c *Catalogue, arms []string, text string) map[string]qualify.Line {
	t.Helper()
	set, err := qualify.ReadCases([]byte(`{"form":"interlock/cases/1","name":"t","catalogue":"t"}` + "\n" + text))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := set.Scored("dev")
	if err != nil {
		t.Fatal(err)
	}
	plan := qualify.DefaultPlan()
	plan.Arms, plan.Baseline, plan.K = arms, qualify.Lexical, 2
	plan, err = plan.Sealed()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Ready(plan, cases, nil); err != nil {
		t.Fatal(err)
	}
	lines, _, err := c.Score(context.Background(), plan, cases, nil, ScoreOptions{Tokens: func(s string) int { return len(strings.Fields(s)) }})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]qualify.Line{}
	for _, l := range lines {
		out[l.Case] = l
	}
	return out
}

func said(t *testing.T, l qualify.Line, arm string) qualify.Answer {
	t.Helper()
	for _, a := range l.Answers {
		if a.Arm == arm {
			return a
		}
	}
	t.Fatalf("%s says nothing to %s", arm, l.Case)
	return qualify.Answer{}
}

const fewCases = `{"id":"all","need":"close the ticket","language":"en","authored":"native","stratum":"supported","split":"dev","gold":{"disposition":"supported","tools":[["desk/ticket_close"]]}}
{"id":"part","need":"close the ticket","language":"en","authored":"native","stratum":"forbidden","split":"dev","principal":{"name":"clerk","allow":["desk/*","sky/*"],"invoke":["sky/*","desk/ticket_open"]},"gold":{"disposition":"forbidden","tools":[["desk/ticket_close"]]}}
{"id":"none","need":"zzz","language":"en","authored":"native","stratum":"out_of_domain","split":"dev","gold":{"disposition":"unsupported"}}
`

// TestArmsSeeOneView: no arm discloses what the principal may not be offered,
// and all of them see the rest.
func TestArmsSeeOneView(t *testing.T) {
	lines := score(t, open(t, fewTools), []string{qualify.Full, qualify.Lexical, qualify.Pipeline}, fewCases)
	if full := said(t, lines["all"], qualify.Full); full.Count != 4 || !full.All || len(full.Disclosed) != 0 {
		t.Errorf("full discloses %+v, want all four and no list", full)
	}
	if full := said(t, lines["part"], qualify.Full); full.Count != 2 {
		t.Errorf("full discloses %d tools, want the two that may be used", full.Count)
	}
	for id, l := range lines {
		for _, a := range l.Answers {
			if len(a.Barred) > 0 || a.Arm != qualify.Full && a.Count > 2 {
				t.Errorf("%s, %s: %+v", id, a.Arm, a)
			}
			if a.Count > 0 && (a.Tokens == 0 || a.WireBytes <= a.SchemaBytes) {
				t.Errorf("%s, %s: weighs nothing: %+v", id, a.Arm, a)
			}
		}
	}
	if a := said(t, lines["all"], qualify.Oracle); !slices.Equal(a.Disclosed, []string{"desk/ticket_close"}) {
		t.Errorf("oracle discloses %v", a.Disclosed)
	}
	if a := said(t, lines["none"], qualify.Lexical); a.Disposition != interlock.Unsupported || a.Count != 0 {
		t.Errorf("lexical pads its list with what it did not find: %+v", a)
	}
	if a := said(t, lines["part"], qualify.Oracle); a.Count != 0 || a.Disposition != interlock.Forbidden {
		t.Errorf("oracle, forbidden: %+v", a)
	}
}

func TestReadyRefuses(t *testing.T) {
	c := open(t, fewTools)
	hidden := qualify.Case{ID: "a", Principal: &qualify.Asker{Allow: []string{"sky/*"}}, Gold: &qualify.Gold{Disposition: interlock.Supported, Tools: [][]string{{"desk/ticket_open"}}}}
	plan := qualify.Plan{Arms: []string{qualify.Lexical, qualify.Pipeline}}
	if err := c.Ready(plan, []qualify.Case{hidden}, nil); interlock.ReasonOf(err) != interlock.ReasonGoldMissing {
		t.Errorf("gold outside of the view: %v", err)
	}
	plan.Arms = qualify.Arms()
	if err := c.Ready(plan, nil, nil); interlock.ReasonOf(err) != interlock.ReasonRequestInvalid {
		t.Errorf("dense without vectors: %v", err)
	}
}

// TestBaselineCountsUnderTheView holds BM25 under a view against BM25 of the
// tools of that view alone.
func TestBaselineCountsUnderTheView(t *testing.T) {
	c := open(t, fewTools)
	tools := snapshot.Take(c.keeper, interlock.Local()).View().Tools
	whole, err := newBaseline(context.Background(), tools, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		var part []*snapshot.Tool
		var view, all []int
		for i, tool := range tools {
			if r.IntN(2) == 0 {
				all = append(all, len(part))
				part, view = append(part, tool), append(view, i)
			}
		}
		alone, err := newBaseline(context.Background(), part, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		q := asked{terms: words.Tokens("open close weather ticket city")}
		in, by := whole.bm25(q, view), alone.bm25(q, all)
		for k, i := range view {
			if fmt.Sprintf("%.9f", in[i]) != fmt.Sprintf("%.9f", by[k]) {
				t.Fatalf("seed %d: %s scores %v under the view and %v alone", seed, tools[i].ID, in[i], by[k])
			}
		}
	}
}

func TestIdentityFollowsTheModel(t *testing.T) {
	with := func(e interlock.Embedder) (qualify.Input, qualify.Input) {
		c := open(t, fewTools)
		c.opts.Embedder = e
		model, scorer, err := c.Identity(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return model, scorer
	}
	none, _ := with(nil)
	one, scorer := with(bag{})
	other, _ := with(louder{})
	again, same := with(bag{})
	if none.Digest == one.Digest || one.Digest == other.Digest || one != again || scorer != same {
		t.Errorf("models are not told apart: %v, %v, %v, %v", none, one, other, again)
	}
}

// louder bears the name of bag and says something else.
type louder struct{ bag }

func (l louder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := l.bag.Embed(ctx, texts)
	for _, v := range out {
		v[0]++
	}
	return out, err
}

func TestScriptOf(t *testing.T) {
	for text, want := range map[string]string{"Get the weather": "en", "날씨 정보 제공": "ko", "天気を調べる": "ja", "返回天气信息": "zh", "": "en"} {
		if got := scriptOf(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
