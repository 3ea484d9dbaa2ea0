package contract

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/seed-ae386458/interlock"
)

// keyword names the keyword of a rule.
func keyword(rule jsonschema.ErrorKind) string {
	switch rule.(type) {
	case *kind.FalseSchema:
		return "false"
	case *kind.Not:
		return "not"
	case *kind.Dependency:
		return "dependencies"
	case *kind.DependentRequired:
		return "dependentRequired"
	case *kind.RefCycle:
		return "$ref"
	}
	if path := rule.KeywordPath(); len(path) > 0 {
		return path[0]
	}
	return "schema"
}

// expected says what a rule wants, in terms of the schema alone.
func expected(rule jsonschema.ErrorKind) string {
	switch k := rule.(type) {
	case *kind.Type:
		return alternatives(kindNames(k.Want))
	case *kind.Const:
		return spell(k.Want)
	case *kind.Enum:
		return oneOf(k.Want)
	case *kind.Required:
		return "the member " + quote(k.Missing[0])
	case *kind.Dependency:
		return fmt.Sprintf("%s beside %s", quoteAll(k.Missing), quote(k.Prop))
	case *kind.DependentRequired:
		return fmt.Sprintf("%s beside %s", quoteAll(k.Missing), quote(k.Prop))
	case *kind.AdditionalProperties, *kind.FalseSchema:
		return "nothing of that name"
	case *kind.PropertyNames:
		return "another member name"
	case *kind.Not:
		return "a value other than the ones excluded"
	case *kind.OneOf:
		return "a value that fits exactly one of the alternatives"
	case *kind.AnyOf:
		return "a value that fits one of the alternatives"
	case *kind.RefCycle:
		return "nothing: the schema refers to itself without end"
	}
	return expectedSize(rule)
}

func expectedSize(rule jsonschema.ErrorKind) string {
	switch k := rule.(type) {
	case *kind.MinLength:
		return fmt.Sprintf("at least %s", count(k.Want, "character"))
	case *kind.MaxLength:
		return fmt.Sprintf("at most %s", count(k.Want, "character"))
	case *kind.MinItems:
		return fmt.Sprintf("at least %s", count(k.Want, "item"))
	case *kind.MaxItems:
		return fmt.Sprintf("at most %s", count(k.Want, "item"))
	case *kind.AdditionalItems:
		return "no further items"
	case *kind.MinProperties:
		return fmt.Sprintf("at least %s", count(k.Want, "member"))
	case *kind.MaxProperties:
		return fmt.Sprintf("at most %s", count(k.Want, "member"))
	case *kind.UniqueItems:
		return "items that all differ"
	case *kind.Contains:
		return "at least one item of the kind that contains describes"
	case *kind.MinContains:
		return fmt.Sprintf("at least %s of the kind that contains describes", count(k.Want, "item"))
	case *kind.MaxContains:
		return fmt.Sprintf("at most %s of the kind that contains describes", count(k.Want, "item"))
	case *kind.Pattern:
		return "text that matches " + clip(k.Want, 80)
	case *kind.Format:
		return "text of the format " + k.Want
	}
	return expectedNumber(rule)
}

func expectedNumber(rule jsonschema.ErrorKind) string {
	switch k := rule.(type) {
	case *kind.Minimum:
		return "a number of at least " + rational(k.Want)
	case *kind.Maximum:
		return "a number of at most " + rational(k.Want)
	case *kind.ExclusiveMinimum:
		return "a number over " + rational(k.Want)
	case *kind.ExclusiveMaximum:
		return "a number under " + rational(k.Want)
	case *kind.MultipleOf:
		return "a multiple of " + rational(k.Want)
	}
	return "a value that the schema allows"
}

// wanted says what the fault's rules want together.
func (f fault) wanted() string {
	if len(f.also) == 0 {
		return expected(f.kind)
	}
	if _, ok := f.kind.(*kind.PropertyNames); ok {
		return "a member name that is " + f.also[0].wanted()
	}
	var types []string
	var values []any
	for _, one := range append([]fault{{kind: f.kind}}, f.also...) {
		switch k := one.kind.(type) {
		case *kind.Type:
			types = append(types, k.Want...)
		case *kind.Const:
			values = append(values, k.Want)
		case *kind.Enum:
			values = append(values, k.Want...)
		}
	}
	parts := kindNames(unique(types))
	if len(values) > 0 {
		parts = append(parts, oneOf(values))
	}
	return alternatives(parts)
}

// schemaReason says what is wrong with a schema, as found by its metaschema.
func (f fault) schemaReason() string {
	if format, ok := f.kind.(*kind.Format); ok {
		if format.Want == "regex" {
			return fmt.Sprintf("is no usable pattern: %v", format.Err)
		}
		return fmt.Sprintf("is no %s: %v", format.Want, format.Err)
	}
	if _, ok := f.kind.(*kind.PropertyNames); ok && len(f.also) > 0 {
		return f.also[0].schemaReason()
	}
	return fmt.Sprintf("expected %s (%s)", f.wanted(), keyword(f.kind))
}

func unique(words []string) []string {
	var once []string
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			once = append(once, w)
		}
	}
	return once
}

// kindNames turns type names into words with their article.
func kindNames(types []string) []string {
	words := make([]string, len(types))
	for i, t := range types {
		switch t {
		case "array":
			words[i] = "a list"
		case "integer", "object":
			words[i] = "an " + t
		case "null":
			words[i] = "null"
		default:
			words[i] = "a " + t
		}
	}
	return words
}

func alternatives(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// shownValues bounds how many values of an enum a sentence repeats.
const shownValues = 10

// oneOf lists the first values of an enum.
func oneOf(values []any) string {
	if len(values) == 1 {
		return spell(values[0])
	}
	shown := make([]string, 0, shownValues)
	for _, v := range values[:min(len(values), shownValues)] {
		shown = append(shown, spell(v))
	}
	text := "one of " + strings.Join(shown, ", ")
	if more := len(values) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// spell writes a value of the schema as short JSON text.
func spell(v any) string {
	text, err := interlock.Marshal(v)
	if err != nil {
		return "a fixed value"
	}
	return clip(string(text), 60)
}

func quote(name string) string { return spell(name) }

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	return strings.Join(quoted, ", ")
}

// clip cuts text to at most n characters.
func clip(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n-1]) + "…"
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// rational writes a bound of the schema as a decimal.
func rational(r *big.Rat) string {
	if r.IsInt() {
		return clip(r.Num().String(), 40)
	}
	digits, exact := r.FloatPrec()
	if !exact || digits > 40 {
		digits = 40
	}
	return clip(r.FloatString(digits), 60)
}

// foundKind names the kind of a value: an integer is told from other numbers
// so that "expected an integer, found a number" makes sense.
func (n *node) foundKind() string {
	if n == nil {
		return "nothing"
	}
	switch n.kind {
	case kindObject:
		return "an object"
	case kindArray:
		return "a list"
	case kindString:
		return "a string"
	case kindNumber:
		return "a number"
	case kindNull:
		return "null"
	}
	return "a boolean"
}
