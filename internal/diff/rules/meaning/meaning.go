// Package meaning holds the rules about what values mean: formats, contents,
// defaults, units, semantic ids and paging promises, one a file. No schema
// check sees these changes, and each can turn right calls into wrong ones.
package meaning

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// formats gives the format of both sides, empty where none or several are
// stated, and where a change of type says more already.
func formats(p *rule.Pair) (was, is string) {
	if p.Old.Types()&p.New.Types()&^rule.Null == 0 {
		return "", ""
	}
	return format(p.Old), format(p.New)
}

func format(s *rule.Schema) string {
	f, _ := s.First("format")
	text, _ := f.Value.(string)
	return text
}

// within reports whether every number of one format is one of the other.
func within(small, big string) bool {
	switch small {
	case "int8", "int16", "int32", "int64", "float":
	default:
		return false
	}
	wider := map[string][]string{
		"int8": {"int16", "int32", "int64"}, "int16": {"int32", "int64"}, "int32": {"int64"}, "float": {"double"},
	}
	return slices.Contains(wider[small], big)
}

func content(p *rule.Pair, keyword, what string) []rule.Hit {
	was, is := said(p.Old, keyword), said(p.New, keyword)
	if was == is {
		return nil
	}
	return p.One(what+" went from "+orNothing(was)+" to "+orNothing(is), keyword)
}

// said writes what a schema states under a keyword, empty for nothing.
func said(s *rule.Schema, keyword string) string {
	f, ok := s.First(keyword)
	if !ok {
		return ""
	}
	return rule.Canonical(f.Value)
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

func byPlace(c *rule.Contract) map[string]interlock.FieldMeaning {
	out := map[string]interlock.FieldMeaning{}
	for _, f := range c.Fields {
		out[f.At] = f
	}
	return out
}

func empty(f interlock.FieldMeaning) bool {
	return f.SemanticID == "" && f.Unit == "" && f.Format == "" && len(f.Qualifiers) == 0
}

// fields compares one member of the declared meanings. What was not declared
// before may be added; what was declared may not move or go.
func fields(old, new *rule.Contract, what string, of func(interlock.FieldMeaning) string) []rule.Hit {
	var out []rule.Hit
	now := byPlace(new)
	for _, f := range old.Fields {
		was, is := of(f), of(now[f.At])
		if was == "" || was == is || gone(new, f.At) {
			continue
		}
		out = append(out, hit(old, new, f.At, what+" of "+f.At+" went from "+was+" to "+orNothing(is)))
	}
	return out
}

// gone reports whether a side states a schema in which the field is not: then
// its removal is the change, not its meaning.
func gone(c *rule.Contract, at string) bool {
	side, pointer, ok := strings.Cut(at, ":")
	text := c.InputSchema
	if side == "output" {
		text = c.OutputSchema
	}
	if !ok || len(text) == 0 {
		return false
	}
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	return !strings.Contains(string(text), rule.Text(name))
}

// hit is a change of what is declared about one field.
func hit(old, new *rule.Contract, at, what string) rule.Hit {
	side, _, ok := strings.Cut(at, ":")
	if !ok {
		side = string(rule.Promises)
	}
	return rule.Hit{Old: declaredAt(old, at), New: declaredAt(new, at), What: what, Direction: rule.Direction(side)}
}

// declaredAt is the pointer to what a contract declares about a field, or to
// where it would.
func declaredAt(c *rule.Contract, at string) string {
	i := slices.IndexFunc(c.Fields, func(f interlock.FieldMeaning) bool { return f.At == at })
	if i < 0 {
		return "/fields"
	}
	return "/fields/" + strconv.Itoa(i)
}

// qualifiers writes the qualifiers of a field; paging selects those that
// promise how a list comes, or all others.
func qualifiers(f interlock.FieldMeaning, paging bool) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(f.Qualifiers)) {
		if slices.Contains([]string{"paging", "order", "completeness"}, name) == paging {
			out = append(out, name+"="+f.Qualifiers[name])
		}
	}
	return strings.Join(out, " ")
}
