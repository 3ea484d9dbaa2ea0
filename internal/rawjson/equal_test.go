package rawjson

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestEqual(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"1.0", "1", true},
		{"1e2", "100", true},
		{"100e-2", "1", true},
		{"-0", "0", true},
		{"0e5", "0.000", true},
		{"1e400", "10e399", true},
		{"1e400", "1e401", false},
		{"9007199254740993", "9007199254740992", false},
		{"9007199254740993", "9007199254740993.0", true},
		{"0.1", "0.10000000000000000555", false},
		{"-1", "1", false},
		{"1e999999999999999999999", "1e999999999999999999999", true},
		{"1e999999999999999999999", "1e888888888888888888888", false},
		{`"1"`, "1", false},
		{"true", "false", false},
		{"null", "null", true},
		{"tru", "true", false},
		{`"\u00e9"`, `"é"`, true},
		{`"a"`, `"A"`, false},
		{"[1, 2]", "[1.0,2]", true},
		{"[1,2]", "[2,1]", false},
		{"[1]", "[1,2]", false},
		{"[]", "[]", true},
		{"[]", "{}", false},
		{`{"a":1,"b":[2]}`, `{"b":[2e0],"\u0061":1}`, true},
		{`{"a":1,"b":2}`, `{"a":1}`, false},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1,"b":2}`, `{"b":2,"c":1}`, false},
		{`{"x":0,"a":1,"b":2}`, `{"x":0,"b":2,"a":3}`, false},
		{"", "", false},
		{"[", "[", false},
		{`{"a":1`, `{"a":1`, false},
		{`{"a"`, `{"a"`, false},
		{`{"a":1,"b"`, `{"b":1,"a"`, false},
		{`{"a":1,"b"`, `{"b":1,"a":1}`, false},
	}
	for _, tt := range tests {
		if got := Equal([]byte(tt.a), []byte(tt.b)); got != tt.want {
			t.Errorf("Equal(%s, %s) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
		if got := Equal([]byte(tt.b), []byte(tt.a)); got != tt.want {
			t.Errorf("Equal(%s, %s) = %v, want %v", tt.b, tt.a, got, tt.want)
		}
	}
}

func TestEqualEndsOnDeepText(t *testing.T) {
	deep := []byte(strings.Repeat("[", 3*MaxDepth) + strings.Repeat("]", 3*MaxDepth))
	if Equal(deep, deep) {
		t.Error("text deeper than MaxDepth must equal nothing")
	}
}

func TestEqualAgainstRationals(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	counts := map[bool]int{}
	for range 20_000 {
		a := randomText(rng, 2)
		b := randomText(rng, 2)
		if rng.IntN(2) == 0 {
			b = respelled(rng, decode(t, []byte(a)))
		}
		if Check([]byte(a), Limits{}) != nil || Check([]byte(b), Limits{}) != nil {
			continue
		}
		want := slowEqual(decode(t, []byte(a)), decode(t, []byte(b)))
		if got := Equal([]byte(a), []byte(b)); got != want {
			t.Fatalf("Equal(%q, %q) = %v, want %v", a, b, got, want)
		}
		counts[want]++
	}
	if counts[true] < 1_000 || counts[false] < 1_000 {
		t.Errorf("the sample is one-sided: %v", counts)
	}
}

// respelled writes n another way, members shuffled.
func respelled(rng *rand.Rand, n node) string {
	var parts []string
	for i, child := range n.children {
		part := respelled(rng, child)
		if n.object {
			name, _ := json.Marshal(n.names[i])
			part = string(name) + ": " + part
		}
		parts = append(parts, part)
	}
	if n.object {
		rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		return "{" + strings.Join(parts, " , ") + "}"
	}
	if n.array {
		return "[" + strings.Join(parts, "\n,") + "]"
	}
	if number, ok := n.scalar.(json.Number); ok && !strings.ContainsAny(number.String(), ".eE") {
		return number.String() + pick(rng, "", ".0", "e0", "0e-1", ".00E+0")
	}
	text, _ := json.Marshal(n.scalar)
	return string(text)
}

func slowEqual(a, b node) bool {
	if a.object != b.object || a.array != b.array || len(a.children) != len(b.children) {
		return false
	}
	if x, ok := a.scalar.(json.Number); ok {
		y, ok := b.scalar.(json.Number)
		if !ok {
			return false
		}
		r, okR := new(big.Rat).SetString(x.String())
		s, okS := new(big.Rat).SetString(y.String())
		return okR && okS && r.Cmp(s) == 0
	}
	if !a.object && !a.array {
		return a.scalar == b.scalar
	}
	for i, child := range a.children {
		other := i
		if a.object {
			for other = 0; other < len(b.names) && b.names[other] != a.names[i]; other++ {
			}
			if other == len(b.names) {
				return false
			}
		}
		if !slowEqual(child, b.children[other]) {
			return false
		}
	}
	return true
}
