package diff

import (
	"encoding/json"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
	"github.com/seed-ae386458/interlock/internal/inclusion"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// filled gives a schema as callers meet it where missing arguments take their
// stated defaults: a required member with a default that fits its own schema
// need not be sent. It gives nil where that changes nothing.
func (c *Comparer) filled(schema []byte) []byte {
	doc, err := rule.Parse(schema, schemaLimits())
	if err != nil {
		return nil
	}
	f := filler{c: c, doc: doc}
	root := f.schema(doc.Value(), 0)
	if !f.changed {
		return nil
	}
	text, err := json.Marshal(root)
	if err != nil {
		return nil
	}
	return text
}

func schemaLimits() rawjson.Limits {
	return rawjson.Limits{Bytes: 64 << 20, Depth: inclusion.MaxDepth, NumberDigits: 10_000}
}

type filler struct {
	c       *Comparer
	doc     *rule.Doc
	changed bool
}

// schema copies one schema object without the requirements that defaults meet.
// Only objects that arguments are made of are touched: properties of
// properties, and members of allOf. What stands under a choice or a negation
// stays.
func (f *filler) schema(v any, depth int) any {
	keys, ok := v.(map[string]any)
	if !ok || depth > maxDepth {
		return v
	}
	members, has := keys["properties"].(map[string]any)
	all, both := keys["allOf"].([]any)
	if !has && !both {
		return v
	}
	out := make(map[string]any, len(keys))
	for k, one := range keys {
		out[k] = one
	}
	if both {
		inner := make([]any, len(all))
		for i, one := range all {
			inner[i] = f.schema(one, depth+1)
		}
		out["allOf"] = inner
	}
	if !has {
		return out
	}
	inner := make(map[string]any, len(members))
	for name, one := range members {
		inner[name] = f.schema(one, depth+1)
	}
	out["properties"] = inner
	if required, ok := keys["required"].([]any); ok {
		out["required"] = f.required(required, members)
	}
	return out
}

func (f *filler) required(names []any, members map[string]any) []any {
	kept := []any{}
	for _, name := range names {
		text, _ := name.(string)
		if member, known := members[text]; known && f.fills(member) {
			f.changed = true
			continue
		}
		kept = append(kept, name)
	}
	return kept
}

// fills reports whether a member states a default that fits.
func (f *filler) fills(member any) bool {
	s := f.doc.Schema(member, "/properties")
	stated, ok := s.First("default")
	if !ok {
		return false
	}
	value, err := json.Marshal(map[string]any{"const": stated.Value})
	if err != nil {
		return false
	}
	text, ok := s.Alone()
	if !ok {
		return false
	}
	a, err := f.c.prover.Prove(value, text, Nothing)
	return err == nil && a.Verdict == inclusion.Subset
}
