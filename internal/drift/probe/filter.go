package probe

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// aptList refuses tools whose answer is no list.
func aptList(p *Prober) string {
	if reason := needsBase(p); reason != "" {
		return reason
	}
	if _, list := p.tool.list(); list == nil {
		return "the answer is no list"
	}
	return ""
}

func aptFilter(p *Prober) string {
	if reason := aptList(p); reason != "" {
		return reason
	}
	if len(p.tool.filters()) == 0 {
		return "no argument with documented values has the name of a member of the items"
	}
	return ""
}

// filters lists the arguments that items are chosen by: those with the name of
// a member of the items.
func (r *reading) filters() []*argument {
	_, list := r.list()
	if list == nil || list.items == nil {
		return nil
	}
	var out []*argument
	for _, a := range r.args {
		m := list.items.members[a.name]
		if m != nil && (a.is("string") || a.is("array") || a.is("boolean")) && len(r.levels(a, 2)) > 0 && r.fixed[a.name] == nil {
			out = append(out, a)
		}
	}
	return out
}

// obeys says how an item's member has to stand to the value that was asked for.
type obeys func(asked, has json.RawMessage) bool

func equals(asked, has json.RawMessage) bool { return rawjson.Equal(asked, has) }

// rule reads from an argument's words how it chooses.
func (a *argument) rule() obeys {
	says := regexp.MustCompile(`(?i)prefix|starts with|begin`).MatchString
	contains := regexp.MustCompile(`(?i)contain|substring|any part|full[- ]text`).MatchString
	fold := folded.MatchString(a.description)
	text := func(f func(has, asked string) bool) obeys {
		return func(asked, has json.RawMessage) bool {
			x, ok1 := rawjson.String(has)
			y, ok2 := rawjson.String(asked)
			if fold {
				x, y = strings.ToLower(x), strings.ToLower(y)
			}
			return ok1 && ok2 && f(x, y)
		}
	}
	switch {
	case a.is("array") && regexp.MustCompile(`(?i)\ball\b|\bevery\b|\bboth\b`).MatchString(a.description):
		return func(asked, has json.RawMessage) bool { return common(asked, has) == len(elements(asked)) }
	case a.is("array"):
		return func(asked, has json.RawMessage) bool { return common(asked, has) > 0 }
	case says(a.description):
		return text(strings.HasPrefix)
	case contains(a.description):
		return text(strings.Contains)
	case fold:
		return text(func(x, y string) bool { return x == y })
	}
	return equals
}

// common counts the elements of one list that are in another.
func common(a, b json.RawMessage) int {
	n := 0
	for _, x := range elements(a) {
		for _, y := range elements(b) {
			if rawjson.Equal(x, y) {
				n++
				break
			}
		}
	}
	return n
}

// filters asks with a filter and looks whether every item obeys it.
func filters(t *trial) {
	r := t.p.tool
	for _, a := range r.filters() {
		values := r.levels(a, 2)
		rule, broken, unfiltered, asked := a.rule(), 0, 0, 0
		for _, v := range values {
			args := t.p.base.args.with(a.name, v)
			if !r.legal(args) {
				continue
			}
			x, ok := t.ask(drift.ProbeRelation+":"+a.place(), args)
			if !ok {
				return
			}
			items, ok := r.items(x)
			if x.class != granted || !ok || len(items) == 0 {
				continue
			}
			asked++
			if astray(items, a.name, v, rule) > 0 {
				again, ok := t.ask(drift.ProbeRelation+":"+a.place(), args)
				if !ok {
					return
				}
				if items, ok = r.items(again); ok && astray(items, a.name, v, rule) > 0 {
					broken++
				}
			}
			if _, had := t.p.base.args[a.name]; !had && r.same(t.p.base.reply, x) {
				unfiltered++
			}
		}
		switch {
		case asked == 0:
		case broken == asked && unfiltered == asked:
			t.breaks(drift.ParamIgnored, a.pointer, asked+1, "with the filter and without it the same items come")
		case broken > 0:
			t.breaks(drift.FilterSemanticsChanged, a.pointer, 2*broken, fmt.Sprintf("with %d of %d values, asked twice, items come that the filter should have kept out", broken, asked))
		default:
			t.holds(drift.FilterSemanticsChanged, a.pointer, asked, "every item obeys the filter")
		}
	}
}

// astray counts the items that do not obey a filter.
func astray(items []json.RawMessage, name string, asked json.RawMessage, rule obeys) int {
	n := 0
	for _, item := range items {
		if has, ok := rawjson.Member(item, name); ok && !rule(asked, has) {
			n++
		}
	}
	return n
}

// between is a pair of arguments that bound one member of the items.
type between struct {
	from, to *argument
	member   string
}

var (
	lower = regexp.MustCompile(`(?i)^(min|from|since|after|start|least)_|_(min|from|since|after|start|least)$`)
	upper = regexp.MustCompile(`(?i)^(max|to|until|before|end|most)_|_(max|to|until|before|end|most)$`)
)

// bounded finds a pair of arguments documented as inclusive.
func (r *reading) between() *between {
	_, list := r.list()
	if list == nil || list.items == nil {
		return nil
	}
	for _, from := range r.args {
		stem := lower.ReplaceAllString(from.name, "")
		if stem == from.name || list.items.members[stem] == nil {
			continue
		}
		for _, to := range r.args {
			text := from.description + " " + to.description + " " + r.words
			if upper.ReplaceAllString(to.name, "") == stem && to.name != stem && strings.Contains(strings.ToLower(text), "inclusive") {
				return &between{from, to, stem}
			}
		}
	}
	return nil
}

func aptRange(p *Prober) string {
	if reason := aptList(p); reason != "" {
		return reason
	}
	if p.tool.between() == nil {
		return "no pair of arguments is documented as inclusive bounds of a member of the items"
	}
	return ""
}

// ranges asks for one value by bounds that are both that value: an inclusive
// range holds it.
func ranges(t *trial) {
	r := t.p.tool
	b := r.between()
	items, _ := r.items(t.p.base.reply)
	asked, none := 0, 0
	for _, item := range items {
		v, ok := rawjson.Member(item, b.member)
		if !ok || asked == 2 {
			continue
		}
		args := t.p.base.args.with(b.from.name, v).with(b.to.name, v)
		if !r.legal(args) {
			continue
		}
		x, ok := t.ask(drift.ProbeRelation+":"+b.from.place(), args)
		if !ok {
			return
		}
		found, ok := r.items(x)
		if x.class != granted || !ok {
			return
		}
		if asked++; len(found) == 0 {
			none++
		}
	}
	switch {
	case asked > 0 && none == asked:
		t.breaks(drift.IndexOrBoundConvention, b.from.pointer, asked, "bounds that are documented as inclusive keep out the value that they name")
	case asked > 0 && none == 0:
		t.holds(drift.IndexOrBoundConvention, b.from.pointer, asked, "the bounds are inclusive as documented")
	}
}

var folded = regexp.MustCompile(`(?i)case[- ]?insensitive|ignor(es|ing) (the )?(letter )?case|regardless of case|whatever the case`)

func aptCase(p *Prober) string {
	if reason := needsBase(p); reason != "" {
		return reason
	}
	if p.tool.folds() == nil {
		return "no text argument with an example is documented as case-insensitive"
	}
	return ""
}

func (r *reading) folds() *argument {
	for _, a := range r.args {
		if !a.is("string") || len(a.examples) == 0 || len(a.values) > 0 {
			continue
		}
		text, _ := rawjson.String(a.examples[0])
		if strings.ToUpper(text) != strings.ToLower(text) && folded.MatchString(a.description+" "+r.words) {
			return a
		}
	}
	return nil
}

// letterCase asks the same in capitals and in small letters.
func letterCase(t *trial) {
	r := t.p.tool
	a := r.folds()
	text, _ := rawjson.String(a.examples[0])
	var seen []answer
	for _, form := range []string{text, strings.ToUpper(text), strings.ToLower(text)} {
		args := t.p.base.args.with(a.name, quote(form))
		if !r.legal(args) {
			return
		}
		x, ok := t.ask(drift.ProbeRelation+":"+a.place(), args)
		if !ok {
			return
		}
		seen = append(seen, x)
	}
	if seen[0].class != granted {
		return
	}
	differ := 0
	for _, x := range seen[1:] {
		if x.class != granted || !r.sameApart(seen[0], x, a.name) {
			differ++
		}
	}
	if differ > 0 {
		t.breaks(drift.CaseOrNormalisationChange, a.pointer, len(seen), "capitals and small letters are answered otherwise; the documentation says that case does not matter")
	} else {
		t.holds(drift.CaseOrNormalisationChange, a.pointer, len(seen), "case does not matter, as documented")
	}
}

// sameApart is same without the member that repeats the argument.
func (r *reading) sameApart(a, b answer, name string) bool {
	cut := func(x answer) answer {
		if rawjson.KindOf(x.result) != rawjson.KindObject {
			return x
		}
		out := []byte{'{'}
		for quoted, value := range rawjson.Spelled(x.result) {
			if said, ok := rawjson.String(quoted); ok && said == name {
				continue
			}
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(append(out, quoted...), ':'), value...)
		}
		x.result = append(out, '}')
		return x
	}
	return r.same(cut(a), cut(b))
}
