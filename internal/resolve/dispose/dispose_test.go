package dispose_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

func TestDecideRefusesNothing(t *testing.T) {
	if a, err := dispose.Decide(fit.Result{}, interlock.Need{}); err == nil || a.Valid() {
		t.Error("a result that fit did not make was decided")
	}
}

// stage is a registry that needs are put to, under a scorer of the test's own.
type stage struct {
	t      *testing.T
	keeper *snapshot.Keeper
}

func newStage(t *testing.T, ops ...interlock.Operation) stage {
	t.Helper()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	reg, err := registry.Open(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	keeper, err := snapshot.NewKeeper(ctx, reg, snapshot.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reg.Publish(ctx, interlock.SourceConfig{Name: "s"}, interlock.Catalogue{Operations: ops}, registry.ByOperator); err != nil {
		t.Fatal(err)
	}
	return stage{t, keeper}
}

func (s stage) list(need interlock.Need, scorer discover.Scorer) discover.List {
	s.t.Helper()
	set, err := eligible.Part(snapshot.Take(s.keeper, interlock.Local()), need)
	if err != nil {
		s.t.Fatal(err)
	}
	query, err := index.Prepare(context.Background(), need.Text, nil, nil, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	list, err := discover.Rank(set, need, query, scorer)
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

func (s stage) decide(need interlock.Need, scorer discover.Scorer) dispose.Answer {
	s.t.Helper()
	result, err := fit.Match(s.list(need, scorer), need)
	if err != nil {
		s.t.Fatal(err)
	}
	answer, err := dispose.Decide(result, need)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}

func op(name, family, version, words string) interlock.Operation {
	return interlock.Operation{Name: name, Family: family, Version: version, Effect: interlock.EffectRead, Binding: json.RawMessage(`"x"`),
		Variants: []interlock.Variant{{ID: "d", Description: words}}}
}

// scorer maps lexical evidence to scores by two anchors.
func scorer(low, median float64) discover.Scorer {
	a := discover.Anchors{Low: low, Median: median}
	return discover.LexicalScorer().With("test", a, a)
}

// evidence measures what a need finds in the two majors of the family, the
// compatible one first.
func (s stage) evidence(need interlock.Need) (compatible, incompatible float64) {
	view := snapshot.Take(s.keeper, interlock.Local()).View()
	query := index.NewQuery(need.Text, nil, nil)
	found := index.Search(view.Index, query)
	regime := discover.LexicalScorer().Regime(query.Reading().Language)
	ranks := regime.Ranks(found)
	first := 0
	for i := range ranks {
		if ranks[i] > ranks[first] {
			first = i
		}
	}
	for i, e := range found {
		level := regime.Level(found[first])
		if i != first {
			level = 0.8*regime.Level(e) + 0.2*(level-discover.Step*(ranks[first]-ranks[i]))
		}
		if view.At(e).Version.Major() == 2 {
			compatible = level
		} else {
			incompatible = level
		}
	}
	return compatible, incompatible
}

// between gives the median anchor at which evidence e scores the given value,
// the lower anchor being at low.
func between(low, e, score float64) float64 {
	return low + (e-low)*(discover.Median-discover.Threshold)/(score-discover.Threshold)
}

// TestBoundaries: τ is reached at 0.62 and missed at 0.6199; Δ is passed at
// 0.0501 and not at 0.05.
func TestBoundaries(t *testing.T) {
	s := newStage(t, op("two", "document.extract", "2.3.0", "Extract fields"), op("three", "document.extract", "3.0.0", "Extract fields and tables from a document"))
	need := interlock.Need{Text: "extract fields and tables from a document, with warnings", Constraints: []interlock.Constraint{{Family: "document.extract", Range: "^2.0"}}}
	low, high := s.evidence(need)
	if low <= 0 || high <= low {
		t.Fatalf("evidence %v and %v", low, high)
	}
	for _, tc := range []struct {
		name    string
		scorer  discover.Scorer
		score   interlock.Score // of the compatible
		other   interlock.Score // of the incompatible
		kind    interlock.Disposition
		shadows int
	}{
		{"at τ, Δ exactly", scorer(low, between(low, high, 0.67)), 0.62, 0.67, interlock.Supported, 0},
		{"at τ, over Δ", scorer(low, between(low, high, 0.6701)), 0.62, 0.6701, interlock.Supported, 1},
		{"at τ, under Δ", scorer(low, between(low, high, 0.6699)), 0.62, 0.6699, interlock.Supported, 0},
		{"under τ", scorer(low/(1+math.Log(0.6199/discover.Threshold)/2), 0.99), 0.6199, 0, interlock.Unsupported, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			answer := s.decide(need, tc.scorer)
			if answer.Disposition() != tc.kind || len(answer.Events()) != tc.shadows {
				t.Errorf("%s with %d events, want %s with %d", answer.Disposition(), len(answer.Events()), tc.kind, tc.shadows)
			}
			list := s.list(need, tc.scorer)
			if got := list.Slots(eligible.Compatible)[0].Score; got != tc.score {
				t.Errorf("the compatible scores %v, want %v", got, tc.score)
			}
			if got := list.Slots(eligible.Incompatible)[0].Score; tc.other != 0 && got != tc.other {
				t.Errorf("the incompatible scores %v, want %v", got, tc.other)
			}
			if low, ok := answer.Refusal().(*interlock.LowConfidenceMatch); ok && (low.BestScore != tc.score || low.Threshold != 0.62 || len(low.Advice) != 1) {
				t.Errorf("refusal %+v", low)
			}
		})
	}
}

// TestShadowIsOfOneFamily: another family that reads more like the need is no
// shadow; there is one event a chosen slot, with the best that outscores it.
func TestShadowIsOfOneFamily(t *testing.T) {
	s := newStage(t, op("two", "a.b", "2.0.0", "Extract"), op("three", "a.b", "3.0.0", "Extract fields"), op("four", "a.b", "4.0.0", "Extract fields from documents"),
		op("other", "c.d", "1.0.0", "Extract fields from documents and pages"))
	need := interlock.Need{Text: "extract fields from documents and pages", Constraints: []interlock.Constraint{{Family: "a.b", Range: "^2.0"}, {Family: "*", Range: "^9.0"}}}
	answer := s.decide(need, scorer(0.01, 0.3))
	if len(answer.Events()) != 1 || answer.Events()[0].Incompatible.Tool != "s/four" || answer.Events()[0].Compatible.Tool != "s/two" {
		t.Errorf("%+v", answer.Events())
	}
}

// TestMargin: two families of one source that say the same are ambiguous within
// a hundredth, a step more and the better leads; slots of one family never are.
func TestMargin(t *testing.T) {
	titled := op("other", "c.d", "1.0.0", "Ring a bell in a tower")
	titled.Title = "Town"
	s := newStage(t, op("two", "a.b", "2.0.0", "Ring a bell in a tower"), titled)
	need := interlock.Need{Text: "ring a bell in the tower of the town"}
	low, high := s.evidence(need)
	answer := s.decide(need, scorer(low, between(low, high, 0.63)))
	if r, ok := answer.Refusal().(*interlock.AmbiguousNeed); !ok || !cmp.Equal(r.Tools, []string{"s/other", "s/two"}) {
		t.Errorf("a hundredth apart: %s %+v", answer.Disposition(), answer.Refusal())
	}
	answer = s.decide(need, scorer(low, between(low, high, 0.6301)))
	if answer.Disposition() != interlock.Supported || answer.Required()[0].Tool.ID != "s/other" {
		t.Errorf("a step more: %s", answer.Disposition())
	}
	alone := newStage(t, op("one", "a.b", "1.0.0", "Ring a bell"), op("two", "a.b", "2.0.0", "Ring a bell"))
	answer = alone.decide(need, scorer(0.01, 0.9))
	if answer.Disposition() != interlock.Supported || answer.Required()[0].Tool.ID != "s/two" || len(answer.More()) != 1 {
		t.Errorf("two majors of one family: %s", answer.Disposition())
	}
}

// TestQuestion asks for a missing input in the language of the need.
func TestQuestion(t *testing.T) {
	bell := op("ring", "a.b", "1.0.0", "Ring a bell")
	bell.InputSchema = json.RawMessage(`{"type":"object","required":["tower"],"properties":{"tower":{"type":"string"}}}`)
	s := newStage(t, bell)
	for need, want := range map[string]string{
		"ring a bell":     "What is `tower` (string)?",
		"울려줘 ring a bell": "`tower`(문자열) 값은 무엇인가요?",
		"鐘を鳴らす ring a":    "`tower`(文字列)の値は何ですか?",
	} {
		missing := s.decide(interlock.Need{Text: need}, scorer(1e-9, 1e-8)).Missing()
		if len(missing) != 1 || missing[0].Question != want || missing[0].Pointer != "/tower" {
			t.Errorf("%s: %+v", need, missing)
		}
	}
}
