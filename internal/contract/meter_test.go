package contract

import (
	"strings"
	"testing"
	"time"

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
