// Package choice holds the rules about combinations of schemas: alternatives,
// exclusions and conditions, one a file. Members of allOf are read as one
// schema and have no rule.
package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// branches reports the alternatives that only the second side has.
func branches(p *rule.Pair, less, more *rule.Schema, what string) []rule.Hit {
	var out []rule.Hit
	for _, keyword := range [...]string{"anyOf", "oneOf"} {
		before, now := less.Branches(keyword), more.Branches(keyword)
		if len(before) == 0 || len(now) == 0 {
			continue
		}
		_, rest := rule.Match(less, before, more, now)
		for _, f := range rest {
			hit := p.Hit(what+more.Sub(f).Types().String(), keyword)
			if more == p.New {
				hit.New = f.At
			} else {
				hit.Old = f.At
			}
			out = append(out, hit)
		}
	}
	return out
}

// keyworded reports that the second side alone states a keyword.
func keyworded(p *rule.Pair, less, more *rule.Schema, what string, keywords ...string) []rule.Hit {
	if less.Has(keywords...) || !more.Has(keywords...) {
		return nil
	}
	return p.One(what, keywords...)
}

// twins reports the alternatives that only the second side has, where the
// second side has another of the same schema under another name.
func twins(p *rule.Pair, less, more *rule.Schema, what string, keywords ...string) []rule.Hit {
	var out []rule.Hit
	for _, keyword := range keywords {
		before, now := less.Branches(keyword), more.Branches(keyword)
		if len(before) == 0 {
			continue
		}
		known := map[string]bool{}
		for _, f := range before {
			known[rule.Component(less, f)] = true
		}
		for _, f := range now {
			if known[rule.Component(more, f)] || !rule.Twin(more, f, now) {
				continue
			}
			hit := p.Hit(what, keyword)
			if more == p.New {
				hit.New = f.At
			} else {
				hit.Old = f.At
			}
			out = append(out, hit)
		}
	}
	return out
}

// conditions marks what has no effect alone: a consequence without a
// condition, and a condition without a consequence.
func conditions(side *rule.Schema, keyword string, hits []rule.Hit) []rule.Hit {
	for i := range hits {
		hits[i].Inert = keyword == "if" && !side.Has("then", "else") || keyword != "if" && !side.Has("if")
	}
	return hits
}
