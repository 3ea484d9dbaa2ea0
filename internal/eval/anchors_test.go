package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding/lexicon"
	"github.com/seed-ae386458/interlock/embedding/usem3"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/words"
)

// builtin is the embedded model as an embedder.
type builtin struct{ *usem3.Model }

func (b builtin) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = b.Model.Embed(nil, text)
	}
	return out, nil
}

// labelled opens the labelled requests beside the checkout and the whole of
// their catalogue; the test is skipped where there are none.
func labelled(t *testing.T, embedder bool) (*Catalogue, []Case) {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the labelled requests are not beside this checkout; nothing to measure")
	}
	if os.Getenv("INTERLOCK_SUITES") == "" {
		t.Skip("a long measurement: run it with make suites")
	}
	tools, err := os.ReadFile(filepath.Join(dir, "tools.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{Logger: slog.New(slog.DiscardHandler)}
	if opts.Glosser, err = lexicon.Load(); err != nil {
		t.Fatal(err)
	}
	if embedder {
		model, err := usem3.Load()
		if err != nil {
			t.Fatal(err)
		}
		opts.Embedder = builtin{model}
	}
	cat, err := Open(context.Background(), tools, opts)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "tasks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cases, err := ReadCases(f)
	if err != nil {
		t.Fatal(err)
	}
	return cat, cases
}

func fold(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// TestAnchors measures the scores of right matches that stand first, in
// catalogues of 100 and of all tools, and holds the anchors against them: τ
// lies near their 5th percentile, 0.85 near their median. English requests are a
// fifth, the others all: a 5th percentile of few is the luck of three or four.
// What stands first without any evidence on the scale (by acts alone) has no
// place there; it is counted apart, and may not be many.
func TestAnchors(t *testing.T) {
	for _, embedder := range []bool{true, false} {
		cat, cases := labelled(t, embedder)
		for _, size := range []int{100, len(cat.IDs())} {
			measure(t, cat, cases, size)
		}
	}
}

func measure(t *testing.T, cat *Catalogue, cases []Case, size int) {
	t.Helper()
	levels, scores, bare := map[string][]float64{}, map[string][]float64{}, map[string]int{}
	for _, c := range cases {
		var gold [][]string
		if string(c.Scope) != `"*"` || c.Kind != "single" || json.Unmarshal(c.Gold, &gold) != nil || len(gold) == 0 {
			continue
		}
		lang, key := words.LanguageOf(c.Query), "other"
		if lang == words.English {
			if key = "english"; fold(c.ID)%5 != 0 {
				continue
			}
		}
		scope := within(cat, c.ID, gold[0], size)
		answer, err := cat.answer(context.Background(), snapshot.Take(cat.keeper, scope.principal()), interlock.Need{Text: c.Query})
		if err != nil {
			t.Fatal(err)
		}
		fits := answer.Result().Compatible()
		if len(fits) == 0 || !slices.Contains(gold[0], fits[0].Tool.ID) {
			continue
		}
		level := discover.NewScorer(cat.opts.Embedder, cat.opts.Glosser).Regime(lang).Level(fits[0].Evidence)
		if level <= 0 {
			bare[key]++
			continue
		}
		levels[key] = append(levels[key], level)
		scores[key] = append(scores[key], float64(fits[0].Score))
	}
	for key, l := range levels {
		s := scores[key]
		fmt.Printf("%-8s %5d tools, vectors %t: %3d right and first, %d without evidence, level p5 %.3f p50 %.3f, score p5 %.3f p50 %.3f\n",
			key, size, cat.opts.Embedder != nil, len(l), bare[key], quantile(l, 0.05), quantile(l, 0.5), quantile(s, 0.05), quantile(s, 0.5))
		if p5, p50 := quantile(s, 0.05), quantile(s, 0.5); len(s) >= 60 && (p5 < 0.4 || p5 > 0.74 || p50 < 0.75 || p50 > 0.93) {
			t.Errorf("%s, %d tools: the 5th percentile of right matches scores %.3f and their median %.3f; the anchors do not hold", key, size, p5, p50)
		}
		if most := (len(l) + bare[key]) / 6; bare[key] > most {
			t.Errorf("%s, %d tools: %d right matches stand first without evidence, more than %d", key, size, bare[key], most)
		}
	}
}

// within gives a scope of a size that holds the right tools of a case.
func within(cat *Catalogue, id string, gold []string, size int) Scope {
	if size >= len(cat.ids) {
		return nil
	}
	scope := slices.Clone(gold)
	for seed := fold(id); len(scope) < size; {
		seed = seed*1664525 + 1013904223
		if tool := cat.ids[int(seed>>8)%len(cat.ids)]; !slices.Contains(scope, tool) {
			scope = append(scope, tool)
		}
	}
	slices.SortFunc(scope, strings.Compare)
	return scope
}

func quantile(xs []float64, p float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Clone(xs)
	slices.Sort(xs)
	return xs[min(int(p*float64(len(xs))), len(xs)-1)]
}
