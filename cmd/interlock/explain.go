package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// explain prints how an answer came about.
func (a *app) explain(x interlock.Explanation) {
	st := a.style(a.out)
	tell(a.out, "\n%s\n", st.bold("How it came about"))
	rows := [][2]string{
		{"heard", heard(x.Heard)},
		{"view", many(x.Stages.View, "tool") + " to be seen"},
		{"eligible", fmt.Sprintf("%d compatible, %d of them denied; %d not compatible", x.Stages.Eligible.Compatible+x.Stages.Eligible.Denied, x.Stages.Eligible.Denied, x.Stages.Eligible.Incompatible)},
		{"discover", fmt.Sprintf("%d scored, %d at %.2f or over it", x.Stages.Discover.Scored, x.Stages.Discover.Confident, float64(x.Stages.Discover.Threshold))},
	}
	rows = append(rows, reordered(x.Stages.Rerank)...)
	rows = append(rows, [2]string{"fit", fitted(x.Stages.Fit)},
		[2]string{"dispose", fmt.Sprintf("%d needed, %d further", x.Stages.Dispose.Required, x.Stages.Dispose.Further)},
		[2]string{"disclose", fmt.Sprintf("%d shown, %d left out", x.Stages.Disclose.Shown, x.Stages.Disclose.LeftOut)})
	for _, row := range rows {
		tell(a.out, "  %s%s\n", st.dim(fmt.Sprintf("%-10s", row[0])), row[1])
	}
	most := 0.0
	for _, c := range x.Candidates {
		for _, e := range c.Evidence {
			most = max(most, math.Abs(float64(e.Adds)))
		}
	}
	for i, c := range x.Candidates {
		a.explainOne(i+1, c, most)
	}
	if len(x.Changes) > 0 {
		tell(a.out, "\n%s\n", st.bold("What would change it"))
	}
	for _, c := range x.Changes {
		tell(a.out, "  - %s\n", c.Text)
		if len(c.Value) > 0 {
			tell(a.out, "    %s\n", st.dim(c.Member+" "+string(c.Value)))
		}
	}
}

// explainOne prints what decided about one tool.
func (a *app) explainOne(place int, c interlock.Explained, most float64) {
	st := a.style(a.out)
	part := ""
	if c.Part != "compatible" {
		part = "  " + c.Part
	}
	tell(a.out, "\n  %d  %s %s  score %.4f  rank %+.2f%s\n", place, st.bold(c.Tool), c.Version, float64(c.Score), float64(c.Rank), st.red(part))
	if len(c.Reasons) > 0 {
		reasons := make([]string, len(c.Reasons))
		for i, r := range c.Reasons {
			reasons[i] = string(r)
		}
		tell(a.out, "     %s\n", st.dim(strings.Join(reasons, ", ")))
	}
	for _, e := range c.Evidence {
		paint := st.green
		if e.Adds < 0 {
			paint = st.red
		}
		drawn := bar(float64(e.Adds), most)
		tell(a.out, "     %-11s %+6.2f", e.Kind, float64(e.Adds))
		if len(e.Words) == 0 {
			tell(a.out, "  %s\n", paint(drawn))
			continue
		}
		said := make([]string, len(e.Words))
		for i, w := range e.Words {
			said[i] = fmt.Sprintf("%s %.2f", w.Word, float64(w.Share))
		}
		tell(a.out, "  %s  %s\n", paint(fmt.Sprintf("%-12s", drawn)), strings.Join(said, ", "))
	}
}

// bar draws a share of the most in twelve places.
func bar(x, most float64) string {
	if most == 0 {
		return ""
	}
	return strings.Repeat("▇", int(math.Round(math.Abs(x)/most*12)))
}

// languages spells the languages that needs are read in.
var languages = map[string]string{"en": "English", "ko": "Korean", "ja": "Japanese"}

func heard(h interlock.Heard) string {
	out := []string{languages[h.Language]}
	if len(h.Acts) > 0 {
		out = append(out, "asks to "+strings.Join(h.Acts, ", "))
	}
	if len(h.Objects) > 0 {
		out = append(out, "about "+strings.Join(h.Objects, ", "))
	}
	for _, v := range h.Values {
		out = append(out, fmt.Sprintf("%s %q", v.Kind, strings.TrimSpace(v.Text)))
	}
	if len(h.Unknown) > 0 {
		out = append(out, "said by no tool: "+strings.Join(h.Unknown, ", "))
	}
	return strings.Join(out, "; ")
}

func fitted(f interlock.FitStage) string {
	out := fmt.Sprintf("%d of these fit", f.Fit)
	for _, why := range slices.Sorted(maps.Keys(f.Unfit)) {
		out += fmt.Sprintf("; %d do not by their %s", f.Unfit[why], strings.TrimSuffix(why, "s"))
	}
	return out
}

// reordered says what a reranker moved, a row each order; none where there is no
// reranker.
func reordered(r *interlock.RerankStage) [][2]string {
	if r == nil {
		return nil
	}
	if !r.Answered {
		return [][2]string{{"rerank", r.Model + " gave no order in time: that of the scores stands"}}
	}
	out := [][2]string{{"rerank", r.Model}}
	for _, o := range r.Orders {
		line := "put " + many(o.Asked, "tool") + " in order"
		if o.Intent != "" {
			line = fmt.Sprintf("for %q %s", o.Intent, line)
		}
		var moved []string
		for _, t := range o.Tools {
			if t.Before != t.After {
				moved = append(moved, fmt.Sprintf("%s from %d to %d (%.4g)", t.Tool, t.Before, t.After, t.Says))
			}
		}
		if len(moved) > 0 {
			line += ": " + strings.Join(moved, ", ")
		}
		out = append(out, [2]string{"", line})
	}
	return out
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
