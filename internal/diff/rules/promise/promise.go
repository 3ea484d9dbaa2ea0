// Package promise holds the rules about what a contract promises beside its
// schemas' insides: effect, idempotency, failures, scopes, and whether there
// are schemas at all, one a file.
package promise

import (
	"slices"
	"strconv"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

func one(at, what string) []rule.Hit {
	return []rule.Hit{{Old: at, New: at, What: what, Direction: rule.Promises}}
}

func truth(b *bool) bool { return b != nil && *b }

func stated(schema []byte) bool { return len(schema) > 0 && string(schema) != "null" }

func effect(c *rule.Contract) interlock.Effect {
	if c.Effect == "" {
		return interlock.EffectUnknown
	}
	return c.Effect
}

// code names a failure as a caller tells it from others.
func code(e interlock.ErrorCase) string {
	switch {
	case e.Code != "":
		return e.Code
	case e.Status != 0:
		return strconv.Itoa(e.Status)
	}
	return e.When
}

func errorsByCode(c *rule.Contract) map[string]string {
	out := map[string]string{}
	for _, e := range c.Errors {
		if _, known := out[code(e)]; known {
			out[code(e)] += ", " + e.When
		} else {
			out[code(e)] = e.When
		}
	}
	return out
}

func errorsBeyond(here, there, old, new *rule.Contract, what string) []rule.Hit {
	var out []rule.Hit
	others := errorsByCode(there)
	for _, name := range rule.Names(errorsByCode(here)) {
		if _, known := others[name]; !known {
			out = append(out, rule.Hit{What: "failure " + name + " " + what, Direction: rule.Promises, Old: errorAt(old, name), New: errorAt(new, name)})
		}
	}
	return out
}

// errorAt is the pointer to a documented failure, or to where it would be.
func errorAt(c *rule.Contract, name string) string {
	if c.Web == nil {
		return "/errors"
	}
	if _, known := errorsByCode(c)[name]; known {
		return "/responses/" + name
	}
	return "/responses"
}

func scopes(here, there *rule.Contract, what string) []rule.Hit {
	var out []rule.Hit
	for _, s := range here.Scopes {
		if here.Web == nil && !slices.Contains(there.Scopes, s) {
			out = append(out, rule.Hit{What: "scope " + s + " " + what, Direction: rule.Promises, Old: "/scopes", New: "/scopes"})
		}
	}
	return out
}
