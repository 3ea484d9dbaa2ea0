package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestCheckAccepts(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "1.10", "1e400", "1E-400", "9223372036854775807", "12345678901234567890.5e+3",
		`""`, `"\ud83d\ude00"`, `"\u0000"`, "\"\x7f\ufffd\"", `"` + strings.Repeat("é", 50) + `"`,
		"true", "false", "null", " \t\r\n1 \n", "[]", "[ ]", "{}", "{ }", `{"":{"":[]}}`,
		`{"a":1,"A":2,"a ":3}`, `{"a":{"a":{"a":1}},"b":{"a":1}}`, `[{"a":1},{"a":1}]`,
		strings.Repeat("[", 64) + strings.Repeat("]", 64),
	} {
		if err := Check([]byte(text), Limits{}); err != nil {
			t.Errorf("Check(%s): %v", text, err)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	small := Limits{Bytes: 100, Depth: 3, NumberDigits: 5, Exponent: 400}
	tests := []struct {
		text    string
		kind    Fault
		pointer string
		offset  int
	}{
		{"", FaultSyntax, "", 0},
		{"  ", FaultSyntax, "", 2},
		{"1 2", FaultSyntax, "", 2},
		{"\ufeff1", FaultSyntax, "", 0},
		{"nul", FaultSyntax, "", 3},
		{"truE", FaultSyntax, "", 3},
		{"NaN", FaultSyntax, "", 0},
		{"01", FaultSyntax, "", 0},
		{"-", FaultSyntax, "", 1},
		{"+1", FaultSyntax, "", 0},
		{"1.", FaultSyntax, "", 2},
		{".5", FaultSyntax, "", 0},
		{"1e", FaultSyntax, "", 2},
		{"[1,]", FaultSyntax, "/1", 3},
		{"[1 2]", FaultSyntax, "", 3},
		{"[", FaultSyntax, "/0", 1},
		{"[1}", FaultSyntax, "", 2},
		{`{"a":1,}`, FaultSyntax, "", 7},
		{`{"a" 1}`, FaultSyntax, "/a", 5},
		{`{a:1}`, FaultSyntax, "", 1},
		{`{"a":[0,{"b/c":tru}]}`, FaultSyntax, "/a/1/b~1c", 18},
		{`"abc`, FaultSyntax, "", 4},
		{`"\x"`, FaultSyntax, "", 1},
		{`"\u12g4"`, FaultSyntax, "", 1},
		{"\"a\nb\"", FaultSyntax, "", 2},
		{"['a']", FaultSyntax, "/0", 1},
		{"/**/1", FaultSyntax, "", 0},
		{`{"a":1,"a":2}`, FaultDuplicate, "/a", 7},
		{`{"a":1,"\u0061":2}`, FaultDuplicate, "/a", 7},
		{`[{"x":{"~":1,"b":2,"~":3}}]`, FaultDuplicate, "/0/x/~0", 19},
		{`[[[[]]]]`, FaultDepth, "/0/0/0", 3},
		{`{"a":{"b":[{}]}}`, FaultDepth, "/a/b/0", 11},
		{strings.Repeat(" ", 100) + "1", FaultSize, "", 100},
		{`[123456]`, FaultNumber, "/0", 1},
		{`[1234.56]`, FaultNumber, "/0", 1},
		{`{"n":1e401}`, FaultNumber, "/n", 5},
		{`-1e-00401`, FaultNumber, "", 0},
		{`1e999999999999999999999999`, FaultNumber, "", 0},
		{`{"a":"` + "\xff" + `"}`, FaultUTF8, "/a", 6},
		{`"` + "\xed\xa0\x80" + `"`, FaultUTF8, "", 1},
		{`"\ud83d"`, FaultUTF8, "", 1},
		{`"\ude00\ud83d"`, FaultUTF8, "", 1},
		{`"\ud83dx\ude00"`, FaultUTF8, "", 1},
		{`"\ud83d\u0041"`, FaultUTF8, "", 1},
		{`{"\udc00":1}`, FaultUTF8, "", 2},
	}
	for _, tt := range tests {
		err := Check([]byte(tt.text), small)
		var got *Error
		if !errors.As(err, &got) {
			t.Errorf("Check(%q) = %v, want a %s error", tt.text, err, tt.kind)
			continue
		}
		want := Error{Kind: tt.kind, Pointer: tt.pointer, Offset: tt.offset, Message: got.Message}
		if diff := cmp.Diff(want, *got); diff != "" || got.Message == "" {
			t.Errorf("Check(%q): %v\n%s", tt.text, got, diff)
		}
	}
}

func TestCheckErrorText(t *testing.T) {
	err := Check([]byte(`{"a":[1,2}`), Limits{})
	if want := `json syntax at "/a", offset 9: expected "," or "]", found '}'`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	long := `{"` + strings.Repeat("k", 5000) + `":x}`
	if text := Check([]byte(long), Limits{}).Error(); len(text) > 400 {
		t.Errorf("the error has %d bytes", len(text))
	}
}

func TestCheckDefaultLimits(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	for _, tt := range []struct {
		text   []byte
		limits Limits
		want   Fault
	}{
		{nested(64), Limits{}, ""},
		{nested(65), Limits{}, FaultDepth},
		{nested(MaxDepth), Limits{Depth: 1 << 40}, ""},
		{nested(MaxDepth + 1), Limits{Depth: 1 << 40}, FaultDepth},
		{bytes.Repeat([]byte("1"), 1000), Limits{}, ""},
		{bytes.Repeat([]byte("1"), 1001), Limits{}, FaultNumber},
		{[]byte("1e10000"), Limits{}, ""},
		{[]byte("1e10001"), Limits{}, FaultNumber},
		{[]byte("1e1000000001"), Limits{Exponent: 1 << 60}, FaultNumber},
		{bytes.Repeat([]byte(" "), 10<<20+1), Limits{}, FaultSize},
	} {
		var got *Error
		if err := Check(tt.text, tt.limits); errors.As(err, &got) != (tt.want != "") || got != nil && got.Kind != tt.want {
			t.Errorf("Check of %d bytes: %v, want %q", len(tt.text), err, tt.want)
		}
	}
}

// Names of a large object are found by hash, those of a small one by
// comparing; both must find a name given twice wherever it stands.
func TestCheckDuplicateAtEverySize(t *testing.T) {
	for size := 1; size <= 4*smallObject; size++ {
		members := make([]string, size, size+1)
		for i := range members {
			members[i] = fmt.Sprintf(`"n%d":{"n0":%d}`, i, i)
		}
		if err := Check(object(members), Limits{}); err != nil {
			t.Fatalf("%d members: %v", size, err)
		}
		for i := range size {
			err := Check(object(append(members, fmt.Sprintf(`"\u006e%d":0`, i))), Limits{})
			var got *Error
			if !errors.As(err, &got) || got.Kind != FaultDuplicate || got.Pointer != fmt.Sprintf("/n%d", i) {
				t.Fatalf("%d members, n%d again: %v", size, i, err)
			}
		}
	}
}

func object(members []string) []byte { return []byte("{" + strings.Join(members, ",") + "}") }

func TestCheckAgainstStandardDecoder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	counts := map[Fault]int{}
	for range 30_000 {
		text := randomText(rng, 5)
		for range rng.IntN(3) {
			text = damaged(rng, text)
		}
		if rng.IntN(8) == 0 {
			text = "[" + text + "]" // deeper than compareCheck allows, now and then
		}
		counts[compareCheck(t, []byte(text))]++
	}
	for _, kind := range []Fault{"", FaultSyntax, FaultDuplicate, FaultUTF8, FaultDepth} {
		if counts[kind] < 100 {
			t.Errorf("only %d samples of %q: %v", counts[kind], kind, counts)
		}
	}
}

// compareCheck holds Check against what the standard decoder and slow scans
// say of the same text.
func compareCheck(t *testing.T, text []byte) Fault {
	t.Helper()
	const depth = 4
	err := Check(text, Limits{Depth: depth, Exponent: maxExponent, NumberDigits: 1 << 30})
	var got *Error
	errors.As(err, &got)
	valid := json.Valid(text)
	if got != nil && got.Kind == FaultNumber {
		return FaultNumber // a rule that the standard decoder does not have
	}
	clean := valid && utf8.Valid(text) && !halfSurrogate(text)
	if clean {
		n := decode(t, text)
		clean = !n.duplicate() && n.depth() <= depth
	}
	if clean != (err == nil) {
		t.Fatalf("Check(%q) = %v, the slow way accepts: %v", text, err, clean)
	}
	if got == nil {
		return ""
	}
	if got.Kind == FaultSyntax && valid && utf8.Valid(text) {
		t.Fatalf("Check(%q) = %v, but the syntax is valid", text, err)
	}
	if got.Offset < 0 || got.Offset > len(text) {
		t.Fatalf("Check(%q): offset %d lies outside", text, got.Offset)
	}
	if _, ok := Split(got.Pointer); !ok {
		t.Fatalf("Check(%q): %q is no pointer", text, got.Pointer)
	}
	return got.Kind
}

// halfSurrogate reports whether valid text has half a surrogate pair among
// its escapes: the standard decoder replaces those, alone of all escapes, by
// U+FFFD.
func halfSurrogate(text []byte) bool {
	spelled := bytes.Count(text, []byte("\ufffd"))
	for _, token := range tokens(text) {
		if token[0] != '"' {
			continue
		}
		spelled += strings.Count(strings.ToLower(strings.ReplaceAll(token, `\\`, "")), `\ufffd`)
	}
	decoded := 0
	for _, token := range tokens(text) {
		var s string
		if token[0] == '"' && json.Unmarshal([]byte(token), &s) == nil {
			decoded += strings.Count(s, "\ufffd")
		}
	}
	return decoded != spelled
}
