// Package explain tells how an answer came about: what was read in the need,
// what each stage left, what decided for the first tools, and what would change
// the answer. It promises that it reads the stages and the view alone, so that
// what a principal may not see changes no byte of it, and that a version range
// that it proposes holds. It decides nothing and refuses an answer that dispose
// did not make.
//
//	explanation, err := explain.Tell(answer, need, resolution)
package explain

import (
	"errors"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
	"github.com/seed-ae386458/interlock/internal/words"
)

// shown bounds the tools that are explained, and the words and changes of each
// kind that are told.
const shown = 5

// Tell explains the answer to a need and what was disclosed of it.
func Tell(a dispose.Answer, need interlock.Need, res interlock.Resolution) (*interlock.Explanation, error) {
	if !a.Valid() {
		return nil, errors.New("explain: no answer")
	}
	t := teller{answer: a, need: need, res: res}
	return &interlock.Explanation{Heard: t.heard(), Stages: t.stages(), Candidates: t.candidates(), Changes: t.changes()}, nil
}

type teller struct {
	answer dispose.Answer
	need   interlock.Need
	res    interlock.Resolution
}

func (t teller) list() discover.List { return t.answer.Result().List() }

func (t teller) heard() interlock.Heard {
	query := t.list().Query()
	r := query.Reading()
	view := t.list().Set().Frozen().View()
	h := interlock.Heard{Language: r.Language.String(), Acts: r.Asks(), Objects: []string{}, Values: []interlock.HeardValue{}, Unknown: index.Missed(view.Index, query)}
	for _, w := range r.Content() {
		if len(h.Objects) < 2*shown && !slices.Contains(h.Objects, w) {
			h.Objects = append(h.Objects, w)
		}
	}
	for _, l := range r.Literals {
		h.Values = append(h.Values, interlock.HeardValue{Kind: string(l.Kind), Text: words.Clip(l.Text, 200)})
	}
	h.Unknown = h.Unknown[:min(len(h.Unknown), 2*shown)]
	return h
}

func (t teller) stages() interlock.Stages {
	set, r := t.list().Set(), t.answer.Result()
	s := interlock.Stages{
		View:     len(set.Frozen().View().Tools),
		Eligible: interlock.EligibleStage{Compatible: set.Count(eligible.Compatible), Denied: set.Count(eligible.Denied), Incompatible: set.Count(eligible.Incompatible)},
		Discover: interlock.DiscoverStage{Scored: len(t.list().Entries()), Threshold: discover.Threshold},
		Rerank:   t.list().Reranked(),
		Fit:      interlock.FitStage{Unfit: map[string]int{}},
		Dispose:  interlock.DisposeStage{Required: len(t.answer.Required()), Further: len(t.answer.More())},
		Disclose: interlock.DiscloseStage{Shown: len(t.res.Candidates)},
	}
	for _, e := range t.list().Entries() {
		if e.Score >= discover.Threshold {
			s.Discover.Confident++
		}
	}
	for _, f := range slices.Concat(r.Compatible(), r.Denied()) {
		switch {
		case f.Score < discover.Threshold:
		case f.Fits():
			s.Fit.Fit++
		default:
			for _, why := range f.Reasons {
				s.Fit.Unfit[why]++
			}
		}
	}
	if l := t.res.LeftOut; l != nil {
		s.Disclose.LeftOut = l.K + l.SchemaBytes + l.Tokens
	}
	return s
}

// parts names the parts of a view.
var parts = map[eligible.Class]string{eligible.Compatible: "compatible", eligible.Denied: "denied", eligible.Incompatible: "incompatible"}

// candidates explains the tools that are shown, then the best of all that was
// scored.
func (t teller) candidates() []interlock.Explained {
	var entries []discover.Entry
	put := func(e discover.Entry) {
		if len(entries) < shown && !slices.ContainsFunc(entries, func(x discover.Entry) bool { return x.Tool == e.Tool }) {
			entries = append(entries, e)
		}
	}
	all := t.list().Entries()
	for _, c := range t.res.Candidates {
		for _, e := range all {
			if e.Tool.ID == c.Tool {
				put(e)
			}
		}
	}
	for _, e := range all {
		put(e)
	}
	evidence := t.list().Explain(entries)
	out := make([]interlock.Explained, 0, len(entries))
	for i, e := range entries {
		x := interlock.Explained{Tool: e.Tool.ID, Version: e.Tool.Version.String(), Part: parts[e.Class], Score: e.Score, Rank: interlock.Score(discover.Round(e.Rank)),
			Reasons: t.reasons(e), Evidence: evidence[i]}
		if x.Evidence == nil {
			x.Evidence = []interlock.Evidence{}
		}
		out = append(out, x)
	}
	return out
}

// reasons gives in what a tool fits; of what may not be used it is not asked.
func (t teller) reasons(e discover.Entry) []interlock.FitReason {
	r := t.answer.Result()
	for _, f := range slices.Concat(t.answer.Required(), t.answer.More(), r.Compatible(), r.Denied()) {
		if f.Tool == e.Tool {
			return f.Why()
		}
	}
	return []interlock.FitReason{}
}

// worthNaming is the score under which a tool is too far from a need to be
// proposed.
const worthNaming = discover.Threshold / 2

// near gives the two best slots that may be used and are worth a proposal,
// confident or not.
func (t teller) near() []fit.Fit {
	all := t.answer.Result().Compatible()
	n := 0
	for n < min(len(all), 2) && all[n].Score >= worthNaming {
		n++
	}
	return all[:n]
}
