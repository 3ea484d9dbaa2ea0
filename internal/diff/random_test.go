package diff_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// TestVerdictsAgainstValues holds the verdicts against the stupid way: values
// drawn at random, checked by the validator. Where a report says that old
// callers are served in strict mode, no value may pass the smaller side alone.
func TestVerdictsAgainstValues(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 2))
	served := 0
	for range 400 {
		old := schema(rnd, 2)
		new := mutate(rnd, old)
		for _, dir := range []rule.Direction{in, out} {
			r := compare(t, row{dir: dir, old: text(old), new: text(new)}, diff.Strict)
			consistent(t, text(old)+" → "+text(new), r)
			small, big := old, new
			if dir == out {
				small, big = new, old
			}
			if !r.Verdict.Serves() {
				continue
			}
			served++
			fitsSmall, fitsBig := checker(t, small), checker(t, big)
			for range 30 {
				v := value(rnd, small, 3)
				if fitsSmall(v) && !fitsBig(v) {
					t.Fatalf("%s %s → %s is %s, and %s passes the smaller alone", dir, text(old), text(new), r.Verdict, v)
				}
			}
		}
	}
	if served < 100 {
		t.Errorf("only %d comparisons serve old callers: the test sees too little", served)
	}
}

func text(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(out)
}

func checker(t *testing.T, schema any) func(value string) bool {
	t.Helper()
	c, err := contract.Compile(interlock.Operation{InputSchema: json.RawMessage(`{}`), OutputSchema: json.RawMessage(text(schema))})
	if err != nil {
		t.Fatal(err)
	}
	return func(value string) bool { return c.ValidateResult([]byte(value)) == nil }
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// schema draws one from a small world in which changes meet each other.
func schema(r *rand.Rand, depth int) map[string]any {
	switch n := r.IntN(7); {
	case n == 0:
		return map[string]any{"type": "integer", "minimum": r.IntN(4), "maximum": 4 + r.IntN(4)}
	case n == 1:
		return map[string]any{"type": "string", "maxLength": 1 + r.IntN(4)}
	case n == 2:
		return map[string]any{"enum": []any{"a", "b", r.IntN(3)}}
	case n == 3 && depth > 0:
		return map[string]any{"type": "array", "items": schema(r, depth-1), "maxItems": 1 + r.IntN(3)}
	case n == 4 && depth > 0:
		return map[string]any{"anyOf": []any{schema(r, depth-1), schema(r, depth-1)}}
	case depth == 0:
		return map[string]any{"type": pick(r, "boolean", "null", "string")}
	}
	s := map[string]any{"type": "object", "properties": map[string]any{"a": schema(r, depth-1), "b": schema(r, depth-1)}}
	if r.IntN(2) == 0 {
		s["required"] = []any{"a"}
	}
	if r.IntN(2) == 0 {
		s["additionalProperties"] = false
	}
	return s
}

// mutate copies a schema with one or two changes somewhere.
func mutate(r *rand.Rand, s map[string]any) map[string]any {
	var out map[string]any
	if json.Unmarshal([]byte(text(s)), &out) != nil {
		return s
	}
	at := out
	for r.IntN(2) == 0 {
		inner := at
		for _, k := range []string{"properties", "a", "items"} {
			if next, ok := inner[k].(map[string]any); ok && r.IntN(3) > 0 {
				inner = next
			}
		}
		if _, isMap := inner["properties"]; !isMap && inner["type"] == nil && inner["enum"] == nil {
			break
		}
		at = inner
	}
	switch r.IntN(7) {
	case 0:
		delete(at, "required")
	case 1:
		at["maximum"] = r.IntN(9)
	case 2:
		at["maxLength"] = r.IntN(5)
	case 3:
		delete(at, "additionalProperties")
	case 4:
		at["enum"] = []any{"a", "b", "c", 1, 2}
		delete(at, "type")
	case 5:
		if p, ok := at["properties"].(map[string]any); ok {
			p["c"] = schema(r, 0)
		}
	case 6:
		at["maxItems"] = r.IntN(4)
	}
	return out
}

// value draws one that often fits.
func value(r *rand.Rand, s any, depth int) string {
	keys, _ := s.(map[string]any)
	if branches, ok := keys["anyOf"].([]any); ok {
		return value(r, branches[r.IntN(len(branches))], depth)
	}
	if values, ok := keys["enum"].([]any); ok && r.IntN(4) > 0 {
		return text(values[r.IntN(len(values))])
	}
	switch keys["type"] {
	case "integer":
		return fmt.Sprint(r.IntN(9))
	case "string":
		return text(strings.Repeat("a", r.IntN(5)))
	case "array":
		items := make([]string, r.IntN(4))
		for i := range items {
			items[i] = value(r, keys["items"], depth-1)
		}
		return "[" + strings.Join(items, ",") + "]"
	case "object":
		members, _ := keys["properties"].(map[string]any)
		var parts []string
		for _, name := range rule.Names(members) {
			if r.IntN(3) > 0 {
				parts = append(parts, text(name)+":"+value(r, members[name], depth-1))
			}
		}
		if r.IntN(3) == 0 {
			parts = append(parts, `"z":`+pick(r, "1", `"a"`, "null"))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return pick(r, "true", "null", `"a"`, "3", "{}")
}
