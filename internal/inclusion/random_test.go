package inclusion

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock/internal/contract"
)

// universe is every value that brute force tries: small ones over the numbers,
// texts and names that random schemas use.
func universe() []string {
	scalars := []string{`null`, `true`, `false`, `0`, `1`, `2`, `3`, `-1`, `0.5`, `2.5`, `10`, `1.5`, `""`, `"a"`, `"b"`, `"ab"`, `"aa"`, `"ba"`, `"abab"`, `"c"`, `"\n"`, `"aaaaaa"`}
	out := append([]string{}, scalars...)
	few := []string{`null`, `1`, `2`, `0.5`, `"a"`, `"b"`, `"ab"`, `true`, `[]`, `{}`}
	out = append(out, `[]`, `{}`, `[[1]]`, `{"a":{"a":1}}`, `{"next":{"a":1}}`, `{"next":{"next":{}}}`)
	for _, x := range few {
		out = append(out, "["+x+"]")
		for _, name := range []string{"a", "b", "c", "ab", "x"} {
			out = append(out, fmt.Sprintf(`{%q:%s}`, name, x))
		}
		for _, y := range few {
			out = append(out, "["+x+","+y+"]", fmt.Sprintf(`{"a":%s,"b":%s}`, x, y))
			if len(x)+len(y) < 4 {
				out = append(out, fmt.Sprintf(`{"b":%s,"c":%s}`, x, y), fmt.Sprintf(`{"a":%s,"x":%s}`, x, y), "["+x+","+y+",1]", "["+x+","+y+`,"a","b"]`,
					fmt.Sprintf(`{"a":%s,"b":%s,"c":1}`, x, y), fmt.Sprintf(`{"a":%s,"ab":%s}`, x, y))
			}
		}
	}
	return out
}

// maker writes random schemas.
type maker struct{ r *rand.Rand }

func (m maker) pick(list ...string) string { return list[m.r.IntN(len(list))] }

func (m maker) number() string { return m.pick("0", "1", "2", "3", "5", "-1", "0.5", "2.5", "10") }

// schema writes a schema of up to depth levels.
func (m maker) schema(depth int) string {
	if depth <= 0 || m.r.IntN(14) == 0 {
		return m.simple()
	}
	var parts []string
	for range 1 + m.r.IntN(3) {
		parts = append(parts, m.keyword(depth))
	}
	seen := map[string]bool{}
	var once []string
	for _, part := range parts {
		name, _, _ := strings.Cut(part, ":")
		if !seen[name] {
			seen[name] = true
			once = append(once, part)
		}
	}
	return "{" + strings.Join(once, ",") + "}"
}

func (m maker) simple() string {
	return m.pick(`true`, `false`, `{}`, `{"type":"integer"}`, `{"type":"number"}`, `{"type":"string"}`, `{"type":["string","null"]}`, `{"const":1}`,
		`{"enum":["a","b",1]}`, `{"minimum":1}`, `{"type":"boolean"}`, `{"maxLength":1}`, `{"pattern":"^a"}`, `{"type":"array"}`, `{"type":"object"}`, `{"enum":[[1],{"a":1},{}]}`)
}

func (m maker) sub(depth int) string { return m.schema(depth - 1) }

func (m maker) keyword(depth int) string {
	size, s := m.pick("0", "1", "2", "3"), func() string { return m.sub(depth) }
	switch m.r.IntN(38) {
	case 0, 1, 2:
		return `"type":` + m.pick(`"object"`, `"array"`, `"string"`, `"number"`, `"integer"`, `["object","array"]`, `["null","integer","string"]`, `"boolean"`)
	case 3:
		return `"enum":` + m.pick(`["a","ab",1]`, `[1,2,null]`, `[[],{"a":1}]`, `[true,"b",2.5]`)
	case 4:
		return `"minimum":` + m.number()
	case 5:
		return `"maximum":` + m.number()
	case 6:
		return `"exclusiveMinimum":` + m.number()
	case 7:
		return `"multipleOf":` + m.pick("1", "2", "3", "0.5", "1.5", "0.1")
	case 8:
		return `"minLength":` + size
	case 9:
		return `"maxLength":` + size
	case 10, 11:
		return `"pattern":` + m.pick(`"^a"`, `"a"`, `"^a*$"`, `"^[ab]+$"`, `"^(ab)*$"`, `"b$"`, `"^[^a]*$"`, `"^.{2}$"`, `""`, `"\\bb"`)
	case 12, 13, 14, 15:
		return fmt.Sprintf(`"properties":{"a":%s,%q:%s}`, s(), m.pick("b", "c", "ab"), s())
	case 16, 17:
		return `"required":` + m.pick(`["a"]`, `["a","b"]`, `["c"]`, `["x"]`)
	case 18, 19:
		return `"additionalProperties":` + m.pick("false", "false", s())
	case 20:
		return fmt.Sprintf(`"patternProperties":{%s:%s}`, m.pick(`"^a"`, `"b$"`, `"."`), s())
	case 21:
		return `"minProperties":` + size
	case 22:
		return `"maxProperties":` + size
	case 23:
		return `"propertyNames":` + m.pick(`{"maxLength":1}`, `{"enum":["a","b"]}`, `{"pattern":"^[ab]"}`, `{"not":{"const":"a"}}`)
	case 24:
		return m.pick(`"dependentRequired":{"a":["b"]}`, `"dependentSchemas":{"a":`+s()+`}`)
	case 25, 26:
		return `"items":` + s()
	case 27:
		return `"prefixItems":[` + s() + `]`
	case 28:
		return `"minItems":` + size
	case 29:
		return `"maxItems":` + size
	case 30:
		return `"uniqueItems":true`
	case 31:
		return `"contains":` + s() + m.pick("", `,"minContains":0`, `,"minContains":2`, `,"maxContains":1`)
	case 32:
		return `"not":` + s()
	case 33:
		return `"anyOf":[` + s() + "," + s() + `]`
	case 34:
		return `"oneOf":[` + s() + "," + s() + `]`
	case 35:
		return `"allOf":[` + s() + "," + s() + `]`
	case 36:
		return `"if":` + s() + `,"then":` + s() + `,"else":` + s()
	}
	return m.pick(`"unevaluatedProperties":false`, `"unevaluatedItems":false`, `"unevaluatedProperties":`+s(), `"properties":{"next":{"$ref":"#"}}`, `"items":{"$ref":"#"}`)
}

// tweak changes one place of a schema's text.
func (m maker) tweak(text string) string {
	type swap struct{ from, to string }
	list := []swap{{`1`, `2`}, {`"a"`, `"b"`}, {`false`, `true`}, {`"integer"`, `"number"`}, {`minimum`, `maximum`}, {`anyOf`, `oneOf`}, {`anyOf`, `allOf`},
		{`"type":"string"`, `"type":["string","null"]`}, {`minLength`, `maxLength`}, {`{}`, `{"type":"integer"}`}, {`0`, `1`}, {`minItems`, `maxItems`}, {`^a`, `a`},
		{`"minimum":`, `"exclusiveMinimum":`}, {`unevaluatedProperties`, `additionalProperties`}, {`oneOf`, `anyOf`}}
	for range 10 {
		s := list[m.r.IntN(len(list))]
		if strings.Contains(text, s.from) {
			return strings.Replace(text, s.from, s.to, 1)
		}
	}
	return text
}

// Random pairs against brute force: a proof never meets a value against it,
// and every witness is one by the schema library.
func TestSuiteRandomPairs(t *testing.T) {
	pairs := 2000
	if os.Getenv("INTERLOCK_SUITES") != "" {
		pairs = 100_000
	}
	values := universe()
	seed := uint64(20261130)
	count := map[Verdict]int{}
	m := maker{rand.New(rand.NewPCG(seed, 7))}
	for i := range pairs {
		a := m.schema(3)
		b := m.schema(3)
		switch i % 3 {
		case 1:
			b = m.tweak(a)
		case 2:
			b = fmt.Sprintf(`{"anyOf":[%s,%s]}`, a, b)
			if m.r.IntN(2) == 0 {
				b = m.tweak(b)
			}
		}
		if m.r.IntN(2) == 0 && i%3 == 1 {
			a, b = b, a
		}
		count[checkPair(t, a, b, values)]++
		if t.Failed() {
			return
		}
	}
	t.Logf("%d pairs: %v", pairs, count)
	if count[Subset] < pairs/10 || count[NotSubset] < pairs*3/10 || count[Undecided] > pairs/20 {
		t.Errorf("too few are decided: %v", count)
	}
}

// checkPair holds one decision against brute force.
func checkPair(t *testing.T, a, b string, values []string) Verdict {
	t.Helper()
	va, errA := contract.NewVerifier([]byte(a), contract.VerifierOptions{})
	vb, errB := contract.NewVerifier([]byte(b), contract.VerifierOptions{})
	r, err := Decide([]byte(a), []byte(b), Options{})
	if (errA != nil || errB != nil) != (err != nil) {
		t.Errorf("%s\n%s\nDecide: %v, the library: %v, %v", a, b, err, errA, errB)
		return ""
	}
	if err != nil {
		return "refused"
	}
	switch r.Verdict {
	case NotSubset:
		inA, err := va.Valid(r.Witness)
		inB, err2 := vb.Valid(r.Witness)
		if !inA || inB || err != nil || err2 != nil || len(r.Rules) == 0 {
			t.Errorf("%s\n%s\nwitness %s: %v %v %v %v, rules %v", a, b, r.Witness, inA, inB, err, err2, r.Rules)
		}
	case Subset:
		for _, text := range values {
			inA, _ := va.Valid([]byte(text)) //nolint:errcheck // a value that cannot be checked shows nothing
			if !inA {
				continue
			}
			if inB, err := vb.Valid([]byte(text)); !inB && err == nil {
				t.Errorf("said to be a subset:\n%s\n%s\nagainst it: %s", a, b, text)
				return ""
			}
		}
	default:
		if strings.Contains(r.Stopped.Construct, "contradiction") || strings.Contains(r.Stopped.Construct, "does not confirm") {
			t.Errorf("%s\n%s\n%+v", a, b, r.Stopped)
		}
	}
	return r.Verdict
}

// The evaluator agrees with the schema library on every value.
func TestEvaluatorAgainstLibrary(t *testing.T) {
	values := universe()
	m := maker{rand.New(rand.NewPCG(5, 5))}
	for range 800 {
		text := m.schema(3)
		v, err := contract.NewVerifier([]byte(text), contract.VerifierOptions{})
		if err != nil {
			continue
		}
		root, err2 := readValue([]byte(text))
		if err2 != nil {
			t.Fatal(err2)
		}
		n, fault := newTable().reader(root, draft2020).read()
		if fault != nil {
			t.Fatalf("%s: %v", text, fault)
		}
		for i, one := range values {
			if i > 60 && m.r.IntN(4) > 0 {
				continue
			}
			work := 10_000
			want, err := v.Valid([]byte(one))
			x, _ := readValue([]byte(one))
			if got := newEvaluator(&work).valid(n, x, nil); err == nil && got != maybe && got != truthOf(want) {
				t.Fatalf("%s with %s: %v, the library says %v", text, one, got, want)
			}
		}
	}
}
