package eval

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/qualify"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/words"
)

// ScoreOptions of a run.
type ScoreOptions struct {
	Tokens func(text string) int // required: counts o200k tokens
	// Progress hears how many cases of how many are answered, Baseline how many
	// tools of how many the baseline has read; each may be nil.
	Progress, Baseline func(done, total int)
}

// Score answers cases by every arm of a plan, one after the other on one
// processor, and gives a line a case.
func (c *Catalogue) Score(ctx context.Context, p qualify.Plan, cases []qualify.Case, equal qualify.Classes, opts ScoreOptions) ([]qualify.Line, qualify.Run, error) {
	run := qualify.Run{Machine: fmt.Sprintf("%s/%s, one of %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()), Tools: len(c.ids)}
	s, err := c.scoring(ctx, p, equal, opts)
	if err != nil {
		return nil, run, err
	}
	if run.Start.First, err = s.first(ctx); err != nil {
		return nil, run, err
	}
	lines := make([]qualify.Line, 0, len(cases))
	for i, one := range cases {
		if err := ctx.Err(); err != nil {
			return nil, run, err
		}
		line, err := s.line(ctx, one)
		if err != nil {
			return nil, run, fmt.Errorf("case %s: %w", one.ID, err)
		}
		lines = append(lines, line)
		if opts.Progress != nil {
			opts.Progress(i+1, len(cases))
		}
	}
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	run.Memory = qualify.Memory{Heap: mem.HeapInuse, Total: mem.Sys}
	return lines, run, nil
}

// Ready refuses a plan and cases that could not be scored to the end: arms that
// need vectors where there are none, and gold that is not in view. A run asks it
// before it enters the ledger.
func (c *Catalogue) Ready(p qualify.Plan, cases []qualify.Case, equal qualify.Classes) error {
	if c.opts.Embedder == nil && (slices.Contains(p.Arms, qualify.Dense) || slices.Contains(p.Arms, qualify.Hybrid)) {
		return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "eval", Public: "The arms dense and hybrid need vectors, and the embedder is none; leave them out of the plan."}
	}
	s := scoring{cat: c, plan: p, equal: equal}
	for _, one := range cases {
		line := qualify.LineOf(one)
		if err := s.gold(&line, one, snapshot.Take(c.keeper, one.Principal.Principal()).View()); err != nil {
			return err
		}
	}
	return nil
}

// scoring is a run on its way.
type scoring struct {
	cat   *Catalogue
	plan  qualify.Plan
	equal qualify.Classes
	opts  ScoreOptions
	base  *baseline
	keeps *keeping
	full  map[string]weight // by view
}

func (c *Catalogue) scoring(ctx context.Context, p qualify.Plan, equal qualify.Classes, opts ScoreOptions) (*scoring, error) {
	if opts.Tokens == nil {
		return nil, fmt.Errorf("score: a token count is required")
	}
	base, err := newBaseline(ctx, snapshot.Take(c.keeper, interlock.Local()).View().Tools, c.opts.Embedder, opts.Baseline)
	if err != nil {
		return nil, err
	}
	s := &scoring{cat: c, plan: p, equal: equal, opts: opts, base: base, full: map[string]weight{}}
	if c.opts.Embedder != nil {
		s.keeps = &keeping{Embedder: c.opts.Embedder}
		remembers := *c
		remembers.opts.Embedder = s.keeps
		s.cat = &remembers
		base.embedder = s.keeps
	}
	return s, nil
}

// first asks something of the whole catalogue, so that no case pays for what is
// made once, and says how long that took, in milliseconds.
func (s *scoring) first(ctx context.Context) (float64, error) {
	began := time.Now()
	_, err := s.cat.answer(ctx, snapshot.Take(s.cat.keeper, interlock.Local()), interlock.Need{Text: "what can be done here"})
	s.forget()
	return math.Round(float64(time.Since(began).Microseconds())) / 1000, err
}

func (s *scoring) forget() {
	if s.keeps != nil {
		s.keeps.kept = nil
	}
}

// keeping keeps the vectors of one need, as a router does of many.
type keeping struct {
	interlock.Embedder
	kept map[string][][]float32
}

// Embed embeds texts once.
func (k *keeping) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	key := strings.Join(texts, "\x00")
	if v, ok := k.kept[key]; ok {
		return v, nil
	}
	v, err := k.Embedder.Embed(ctx, texts)
	if err == nil {
		if k.kept == nil {
			k.kept = map[string][][]float32{}
		}
		k.kept[key] = v
	}
	return v, err
}

// seen is what one principal may be offered.
type seen struct {
	frozen snapshot.Frozen
	tools  []*snapshot.Tool // compatible ones, by id
	places []int            // of them in the baseline
}

func (s *scoring) see(c qualify.Case, need interlock.Need) (seen, error) {
	out := seen{frozen: snapshot.Take(s.cat.keeper, c.Principal.Principal())}
	set, err := eligible.Part(out.frozen, need)
	if err != nil {
		return out, err
	}
	for _, t := range out.frozen.View().Tools {
		if set.ClassOf(t) == eligible.Compatible {
			out.tools = append(out.tools, t)
			out.places = append(out.places, s.base.place[t.ID])
		}
	}
	return out, nil
}

func (s *scoring) line(ctx context.Context, c qualify.Case) (qualify.Line, error) {
	need := interlock.Need{Text: c.Need, Have: c.Have, Want: c.Gold.Outputs, K: s.plan.K,
		Budget: interlock.Budget{SchemaBytes: s.plan.Bytes, Tokens: s.plan.Tokens}}
	for _, e := range c.Effects {
		need.Effects = append(need.Effects, interlock.Effect(e))
	}
	v, err := s.see(c, need)
	if err != nil {
		return qualify.Line{}, err
	}
	line := qualify.LineOf(c)
	if err := s.gold(&line, c, v.frozen.View()); err != nil {
		return line, err
	}
	for _, arm := range append(slices.Clone(s.plan.Arms), qualify.Oracle) {
		a, err := s.answered(ctx, arm, v, need, line)
		if err != nil {
			return line, fmt.Errorf("%s: %w", arm, err)
		}
		a.Arm, a.Barred = arm, barred(c.Principal, a.Disclosed)
		if a.All {
			a.Disclosed = nil
		}
		line.Answers = append(line.Answers, a)
	}
	s.forget()
	return line, nil
}

// barred gives what was disclosed and may not be offered.
func barred(who *qualify.Asker, disclosed []string) []string {
	var out []string
	for _, id := range disclosed {
		if !who.May(id) {
			out = append(out, id)
		}
	}
	return out
}

// gold writes what the view makes of the case's gold into its line; gold that
// the view does not hold is no gold.
func (s *scoring) gold(line *qualify.Line, c qualify.Case, view *snapshot.View) error {
	line.Equal = [][]string{}
	for i, any := range s.equal.Widen(c.Gold.Tools) {
		in := slices.DeleteFunc(any, func(id string) bool { return view.Tool(id) == nil })
		if !slices.ContainsFunc(c.Gold.Tools[i], func(id string) bool { return slices.Contains(in, id) }) {
			return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonGoldMissing, Stage: "eval", Pointer: fmt.Sprintf("/gold/tools/%d", i),
				Public: fmt.Sprintf("The case %s requires %s, and none of it is in its view.", c.ID, strings.Join(c.Gold.Tools[i], " or "))}
		}
		line.Equal = append(line.Equal, in)
		for _, id := range c.Gold.Tools[i] {
			t := view.Tool(id)
			if t == nil {
				continue
			}
			if !slices.Contains(line.Sources, t.Source) {
				line.Sources = append(line.Sources, t.Source)
			}
			if line.Tools == "" {
				line.Tools = scriptOf(describes(t))
			}
		}
	}
	if line.Sources == nil {
		line.Sources = []string{}
	}
	return nil
}

// scriptOf tells the language of a tool's own words by their script. Han
// letters alone are Chinese here: descriptions are written by publishers.
func scriptOf(text string) string {
	lang := words.LanguageOf(text).String()
	if lang == "ja" && !strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }) {
		return "zh"
	}
	return lang
}
