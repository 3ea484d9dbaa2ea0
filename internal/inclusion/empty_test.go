package inclusion

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestEmpty(t *testing.T) {
	for _, tc := range []struct {
		schema string
		want   bool
	}{
		{`true`, false}, {`false`, true}, {`{}`, false}, {`[]`, false}, {`{"type":"object"}`, false},
		{`{"type":"integer","minimum":5,"maximum":3}`, true},
		{`{"type":"integer","minimum":3,"maximum":5}`, false},
		{`{"type":"integer","enum":["a"]}`, true}, {`{"type":"string","enum":["a"]}`, false}, {`{"enum":[]}`, true},
		{`{"type":"object","required":["a"],"properties":{"a":false}}`, true},
		{`{"type":"object","properties":{"a":false}}`, false},
		{`{"type":"object","required":["a"],"additionalProperties":false}`, true},
		{`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"not":{}}}}`, true},
		{`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}}`, true},
		{`{"type":"object","required":["a"],"properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}`, false},
		{`{"type":"array","minItems":1,"items":false}`, true}, {`{"type":"array","items":false}`, false},
		{`{"type":"string","maxLength":2,"minLength":3}`, true},
		{`{"allOf":[{"type":"string"},{"type":"number"}]}`, true},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`, false},
		{`{"$ref":"#/$defs/a","type":"integer","$defs":{"a":{"type":"string"}}}`, true},
	} {
		if got := Empty([]byte(tc.schema), Options{}); got != tc.want {
			t.Errorf("Empty(%s) is %v, want %v", tc.schema, got, tc.want)
		}
	}
}

// What is plain to see is so: whatever the quick look calls inhabited is not
// within false.
func TestPlainIsRight(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var draw func(depth int) string
	draw = func(depth int) string {
		if depth > 3 {
			return []string{"true", "false", `{"type":"string"}`, `{"type":["integer","null"],"minimum":2}`}[r.IntN(4)]
		}
		switch r.IntN(9) {
		case 0:
			return `{"type":"object","required":["a"],"properties":{"a":` + draw(depth+1) + `,"b":` + draw(depth+1) + `}}`
		case 1:
			return `{"type":"object","required":["c"],"additionalProperties":` + draw(depth+1) + `}`
		case 2:
			return `{"anyOf":[` + draw(depth+1) + `,` + draw(depth+1) + `]}`
		case 3:
			return fmt.Sprintf(`{"type":"integer","minimum":%d,"maximum":%d}`, r.IntN(4), r.IntN(4))
		case 4:
			return `{"type":["string","object"],"enum":[1,"a"]}`
		case 5:
			return `{"type":"array","items":` + draw(depth+1) + `}`
		case 6:
			return `{"required":["a"],"properties":{"a":` + draw(depth+1) + `}}`
		case 7:
			return `{"allOf":[` + draw(depth+1) + `,` + draw(depth+1) + `]}`
		}
		return draw(9)
	}
	seen := 0
	for range 3000 {
		schema := draw(0)
		if !inhabited([]byte(schema)) {
			continue
		}
		seen++
		if got, err := Decide([]byte(schema), []byte("false"), Options{}); err != nil || got.Verdict != NotSubset {
			t.Errorf("%s seems to be inhabited: %v, %v", schema, got.Verdict, err)
		}
	}
	if seen < 500 {
		t.Errorf("only %d of 3000 were plain", seen)
	}
}
