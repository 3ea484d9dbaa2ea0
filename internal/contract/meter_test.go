package contract

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-ae386458/interlock"
)

// A recursive choice whose branches all lead on would be tried 4^depth times.
const explosive = `{"$defs":{"e":{"type":"object","anyOf":[
 {"properties":{"x":{"$ref":"#/$defs/e"},"a":{"const":1}},"required":["a"]},
 {"properties":{"x":{"$ref":"#/$defs/e"},"b":{"const":1}},"required":["b"]},
 {"properties":{"x":{"$ref":"#/$defs/e"},"c":{"const":1}},"required":["c"]},
 {"properties":{"x":{"$ref":"#/$defs/e"}},"required":["d"]}]}},"properties":{"x":{"$ref":"#/$defs/e"}}}`

func nested(depth int, innermost string) string {
	return strings.Repeat(`{"x":`, depth) + innermost + strings.Repeat("}", depth)
}

func TestMeterStopsExplosions(t *testing.T) {
	c := compiled(t, explosive, explosive)
	start := time.Now()
	args := interlock.AsError(c.ValidateArgs([]byte(nested(50, "{}"))))
	result := interlock.AsError(c.ValidateResult([]byte(nested(50, "{}"))))
	if args.Reason != interlock.ReasonArgumentsInvalid || !strings.Contains(args.Public, "too long to check") {
		t.Errorf("arguments: %v", args)
	}
	if result.Reason != interlock.ReasonResultInvalid || !strings.Contains(result.Public, "too long to check") {
		t.Errorf("result: %v", result)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
	if err := c.ValidateArgs([]byte(nested(4, `{"d":1}`))); err == nil || strings.Contains(err.Error(), "too long") {
		t.Errorf("a shallow value is judged by the schema: %v", err)
	}
}

// Ordinary recursion passes at any depth that is allowed.
func TestMeterLetsRecursionThrough(t *testing.T) {
	c := compiled(t, `{"properties":{"x":{"$ref":"#"},"list":{"items":{"$ref":"#"}},"v":{"anyOf":[{"type":"string"},{"$ref":"#"}]}}}`, "")
	for _, args := range []string{nested(60, "{}"), nested(20, `{"list":[{},{"x":{}},{"v":"a"}]}`), `{"list":[` + strings.Repeat(`{"v":{"v":"x"}},`, 5000) + `{}]}`} {
		if err := c.ValidateArgs([]byte(args)); err != nil {
			t.Errorf("%.80s: %v", args, err)
		}
	}
}

func TestNeedsMeter(t *testing.T) {
	for schema, want := range map[string]bool{
		extract:                             false,
		explosive:                           true,
		`{"properties":{"x":{"$ref":"#"}}}`: true,
		`{"$defs":{"a":{"type":"string"}},"properties":{"x":{"$ref":"#/$defs/a"},"y":{"$ref":"#/$defs/a"}}}`: false,
	} {
		d, err := readDocument([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		s, err := compileSchema(d)
		if err != nil {
			t.Fatal(err)
		}
		if got := needsMeter(s); got != want {
			t.Errorf("needsMeter(%.60s) = %v", schema, got)
		}
	}
}

// The meter against counting one by one.
func TestMeterAgainstSlowWay(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	measured := 0
	for range 400 {
		schema := randomSchema(r)
		d, err := readDocument([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		s, err := compileSchema(d)
		if err != nil {
			continue
		}
		v, err := decode([]byte(randomValue(r, 3)))
		if err != nil {
			t.Fatal(err)
		}
		left, budget := float64(20_000), 20_000
		fits := newMeter().spend(weights{s: 1}, v, &left)
		slowCount(s, v, &budget)
		if fits != (budget >= 0) {
			t.Fatalf("%s: fits %v, counted %d", schema, fits, budget)
		}
		if fits && 20_000-int(left) != 20_000-budget {
			t.Fatalf("%s with %v: %v checks, counted %d", schema, v, 20_000-left, 20_000-budget)
		}
		measured++
	}
	if measured < 150 {
		t.Errorf("only %d measured", measured)
	}
}

// slowCount tries every subschema on every value, as long as the budget lasts.
func slowCount(s *jsonschema.Schema, v any, budget *int) {
	if *budget--; *budget < 0 {
		return
	}
	for _, sub := range checkedInPlace(s) {
		slowCount(sub, v, budget)
	}
	one := weights{s: 1}
	switch v := v.(type) {
	case map[string]any:
		for name, kid := range v {
			for sub, times := range one.member(name) {
				for range int(times) {
					slowCount(sub, kid, budget)
				}
			}
		}
	case []any:
		for i, kid := range v {
			for sub, times := range one.element(i) {
				for range int(times) {
					slowCount(sub, kid, budget)
				}
			}
		}
	}
}
