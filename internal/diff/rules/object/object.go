// Package object holds the rules about the members of objects, one a file.
package object

import (
	"strings"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// either reports whether a side describes the member, so that a requirement
// alone is reported for it and not for a new one.
func either(p *rule.Pair, name string) bool {
	return p.Old.Properties()[name] != nil || p.New.Properties()[name] == nil
}

func hasDefault(p *rule.Pair, name string) bool {
	s := p.New.Properties()[name]
	return s != nil && s.Has("default")
}

// added lists the properties that only the new side names.
func added(p *rule.Pair) []string { return only(p.New, p.Old) }

// removed lists the properties that only the old side names, and that no
// pattern or schema of the new one describes.
func removed(p *rule.Pair) []string {
	var out []string
	for _, name := range only(p.Old, p.New) {
		if !p.New.Describes(name) && len(p.New.Rest()) == 0 {
			out = append(out, name)
		}
	}
	return out
}

func only(here, there *rule.Schema) []string {
	var out []string
	others := there.Properties()
	for _, name := range rule.Names(here.Properties()) {
		if others[name] == nil {
			out = append(out, name)
		}
	}
	return out
}

// at is a hit at a property, on the side that has it, and at the object on the
// side that has not.
func at(p *rule.Pair, name, what string) rule.Hit {
	hit := rule.Hit{Old: p.Old.At, New: p.New.At, What: what, Focus: rule.Focus{Member: name}}
	if s := p.Old.Properties()[name]; s != nil {
		hit.Old = s.At
	}
	if s := p.New.Properties()[name]; s != nil {
		hit.New = s.At
	}
	return hit
}

// renames pairs removed properties with added ones that have the same schema,
// prose apart, and a near name. Each name is used once.
func renames(p *rule.Pair) map[string]string {
	gone, come := removed(p), added(p)
	out := map[string]string{}
	if len(gone) == 0 || len(come) == 0 || len(gone)*len(come) > 10_000 {
		return out
	}
	used := map[string]bool{}
	old, now := p.Old.Properties(), p.New.Properties()
	for _, was := range gone {
		best, bestScore := "", 0.0
		for _, is := range come {
			if score := nearness(was, is); !used[is] && score > bestScore && sameMeaning(old[was], now[is]) {
				best, bestScore = is, score
			}
		}
		if sole := len(gone) == 1 && len(come) == 1 && plain(old[was]) != "{}"; best != "" && (bestScore >= 0.5 || sole) {
			out[was], used[best] = best, true
		}
	}
	return out
}

func sameMeaning(a, b *rule.Schema) bool { return plain(a) == plain(b) }

// plain writes a schema without its prose.
func plain(s *rule.Schema) string {
	keys, ok := s.Value.(map[string]any)
	if !ok {
		return rule.Canonical(s.Value)
	}
	kept := map[string]any{}
	for k, v := range keys {
		switch k {
		case "title", "description", "examples", "example", "$comment", "deprecated":
		default:
			kept[k] = v
		}
	}
	return rule.Canonical(kept)
}

// nearness is the share of letters in common, in order, case and separators
// left out: 1 for user_id and userId.
func nearness(a, b string) float64 {
	a, b = letters(a), letters(b)
	if len(a) > 100 || len(b) > 100 || len(a)+len(b) == 0 {
		return 0
	}
	return 2 * float64(common(a, b)) / float64(len(a)+len(b))
}

func letters(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name))
}

// common is the length of the longest common subsequence.
func common(a, b string) int {
	row := make([]int, len(b)+1)
	for i := range len(a) {
		before := 0
		for j := range len(b) {
			diagonal := before
			before = row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
		}
	}
	return row[len(b)]
}

// said writes all that a schema states under a keyword.
func said(s *rule.Schema, keyword string) string {
	var out []any
	for _, f := range s.All(keyword) {
		out = append(out, f.Value)
	}
	return rule.Canonical(out)
}

// dependencies reports what more asks for beyond less.
func dependencies(p *rule.Pair, less, more *rule.Schema, list, schema string) []rule.Hit {
	var out []rule.Hit
	for _, keyword := range [...]string{"dependentRequired", "dependentSchemas", "dependencies"} {
		before := less.Map(keyword)
		now := more.Map(keyword)
		for _, name := range rule.Names(now) {
			asked, isList := now[name].Value.([]any)
			if !isList {
				if rule.Canonical(now[name].Value) != rule.Canonical(before[name].Value) {
					out = append(out, p.Hit("the presence of "+name+" "+schema, keyword))
				}
				continue
			}
			known := rule.Canonical(before[name].Value)
			for _, one := range asked {
				if text := rule.Text(one); !strings.Contains(known, text) {
					out = append(out, p.Hit(text+" "+list+" "+name, keyword))
				}
			}
		}
	}
	return out
}

// rest is the list of one hit about members that are not named.
func rest(hit rule.Hit) []rule.Hit {
	hit.Focus.Rest = true
	return []rule.Hit{hit}
}
