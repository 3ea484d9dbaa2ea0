package dispose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
)

// shadows gives an event for each chosen slot that an incompatible one of its
// family outscores by more than Δ.
func (d *decision) shadows() []interlock.Event {
	out := []interlock.Event{}
	for _, f := range d.answer.required {
		for _, s := range d.r.Incompatible() {
			if f.Joins || s.Tool.Family != f.Tool.Family || discover.Round(float64(s.Score-f.Score)) <= discover.Shadow {
				continue
			}
			out = append(out, interlock.Event{Type: interlock.EventShadowed, Family: f.Tool.Family,
				Compatible: contender(f.Entry, false), Incompatible: contender(s.Entry, false),
				Advice: fmt.Sprintf("refresh the description of %s: it no longer reads like the need", f.Tool.ID)})
			break
		}
	}
	return out
}

// decides says what would separate tools that fit alike.
func (d *decision) decides(tools []string) []string {
	view := d.r.List().Set().Frozen().View()
	effects, sources := map[interlock.Effect]bool{}, map[string]bool{}
	for _, id := range tools {
		if t := view.Tool(id); t != nil {
			effects[t.Effect], sources[t.Source] = true, true
		}
	}
	out := []string{"family"}
	if len(sources) > 1 {
		out = append(out, "source")
	}
	if len(effects) > 1 {
		out = append(out, "effect")
	}
	return out
}

// needsInput: a required slot lacks required inputs. What joins it to find its
// id asks for nothing: it is there for who has not got the id. A coordinate of a
// place that the need names is not lacking where what finds it stands beside.
func (d *decision) needsInput() bool {
	var first *interlock.MissingInput
	for _, f := range d.answer.required {
		missing := slices.DeleteFunc(f.Missing(), func(m interlock.Missing) bool {
			by, found := finder(d.answer.required, f, m)
			return found && f.Derives(m.Pointer, by)
		})
		if len(missing) == 0 || f.Joins {
			continue
		}
		if first == nil {
			first = &interlock.MissingInput{Tool: f.Tool.ID, Inputs: []string{}}
		}
		for _, m := range missing {
			if m.Tool == first.Tool {
				first.Inputs = append(first.Inputs, m.Pointer)
			}
			m.Question = question(d.need.Text, m)
			if by, found := finder(slices.Concat(d.answer.required, d.answer.more), f, m); found {
				m.FoundBy = by.Tool.ID
			}
			d.answer.missing = append(d.answer.missing, m)
		}
	}
	if first == nil {
		return false
	}
	return d.set(interlock.NeedsInput, first)
}

// finder gives the tool among others that finds a missing id.
func finder(among []fit.Fit, of fit.Fit, m interlock.Missing) (by fit.Fit, found bool) {
	i := slices.IndexFunc(among, func(f fit.Fit) bool { return f.Finds(of, m.Pointer) })
	if i < 0 {
		return fit.Fit{}, false
	}
	return among[i], true
}

// bound turns an answer with offers into budget_unsatisfied where the complete
// set does not fit K or the calls; its bytes and tokens are counted where they
// are written, in disclose.
func (d *decision) bound() {
	k, calls := d.need.K, d.need.Budget.Calls
	if k == 0 {
		k = interlock.DefaultK
	}
	if calls == 0 {
		calls = interlock.DefaultCalls
	}
	n := len(d.answer.required)
	switch {
	case n > k:
		d.over("k", k, n)
	case n > calls:
		d.over("calls", calls, n)
	}
}

func (d *decision) over(budget string, limit, needs int) {
	d.answer = Exceed(d.answer, budget, limit, needs, limit)
	d.answer.result = d.r
}

// Exceed turns an answer into budget_unsatisfied: what stands beyond the first
// fitting ones of the complete set is named as missing.
func Exceed(a Answer, budget string, limit, needs, fitting int) Answer {
	rest := a.required[min(max(fitting, 0), len(a.required)):]
	out := Answer{result: a.result, disposition: interlock.BudgetUnsatisfied, events: a.events, servable: a.servable, intents: a.intents,
		refusal: &interlock.OverBudget{Budget: budget, Limit: limit, Needs: needs}}
	for _, f := range rest {
		out.missing = append(out.missing, interlock.Missing{Family: f.Tool.Family, Tool: f.Tool.ID, Budget: budget})
	}
	return out
}

// question asks for one input in the language that the need is written in.
func question(need string, m interlock.Missing) string {
	kind := m.Type
	if m.Unit != "" {
		kind = fmt.Sprintf("%s, %s", kind, m.Unit)
	}
	switch language(need) {
	case "ko":
		kind = typeWords("ko").Replace(kind)
		return fmt.Sprintf("`%s`(%s) 값은 무엇인가요?", m.Name, kind)
	case "ja":
		kind = typeWords("ja").Replace(kind)
		return fmt.Sprintf("`%s`(%s)の値は何ですか?", m.Name, kind)
	}
	return fmt.Sprintf("What is `%s` (%s)?", m.Name, kind)
}

// typeWords says the types of inputs in another language.
func typeWords(language string) *strings.Replacer {
	if language == "ko" {
		return strings.NewReplacer("list of string", "문자열 목록", "list of number", "숫자 목록", "list of integer", "정수 목록", "list of object", "객체 목록",
			"string", "문자열", "number", "숫자", "integer", "정수", "boolean", "참/거짓", "object", "객체", "list", "목록")
	}
	return strings.NewReplacer("list of string", "文字列のリスト", "list of number", "数値のリスト", "list of integer", "整数のリスト", "list of object", "オブジェクトのリスト",
		"string", "文字列", "number", "数値", "integer", "整数", "boolean", "真偽", "object", "オブジェクト", "list", "リスト")
}

func language(text string) string {
	han := false
	for _, r := range text {
		switch {
		case r >= 0xAC00 && r <= 0xD7A3:
			return "ko"
		case r >= 0x3040 && r <= 0x30FF:
			return "ja"
		case r >= 0x4E00 && r <= 0x9FFF:
			han = true
		}
	}
	if han && slices.Contains([]rune(text), '々') {
		return "ja"
	}
	return "en"
}
