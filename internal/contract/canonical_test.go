package contract

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
)

func TestCanonical(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"members by name", `{"b":1,"a":2}`, `{"a":2,"b":1}`},
		{"members by UTF-16", `{"\ufb33":1,"\ud83d\ude00":2,"é":3,"\r":4,"1":5}`, "{\"\\r\":4,\"1\":5,\"é\":3,\"\U0001f600\":2,\"\ufb33\":1}"},
		{"order inside", `[{"b":[],"a":{}},null,true,false]`, `[{"a":{},"b":[]},null,true,false]`},
		{"white space", " { \"a\" : [ 1 , 2 ] }\n", `{"a":[1,2]}`},
		{"escapes", `"\u0000\u001f\b\t\n\f\r\"\\\/\u007f\u20ac<>&"`, `"\u0000\u001f\b\t\n\f\r\"\\/` + "\u007f€<>&" + `"`},
		{"one", `[1,1.0,1e0,10e-1,0.1e1,100E-2]`, `[1,1,1,1,1,1]`},
		{"zero", `[0,-0,0.0,0e999999,-0e-5]`, `[0,0,0,0,0]`},
		{"layout", `[1e20,1e21,123456789012345678901,1234567890123456789012,0.000001,0.0000001,12.5e-8,-1.5e300]`,
			`[100000000000000000000,1e+21,123456789012345678901,1.234567890123456789012e+21,0.000001,1e-7,1.25e-7,-1.5e+300]`},
		{"beyond a double", `[9007199254740993,9223372036854775807,9223372036854775808,1e400,-1e-400,0.1000000000000000055]`,
			`[9007199254740993,9223372036854775807,9223372036854775808,1e+400,-1e-400,0.1000000000000000055]`},
		{"largest double", `1.7976931348623157e308`, `1.7976931348623157e+308`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Canonical([]byte(tc.text))
			if err != nil || string(got) != tc.want {
				t.Errorf("Canonical(%s) = %s, %v, want %s", tc.text, got, err, tc.want)
			}
		})
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for _, text := range []string{
		``, `{`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `"\ud800"`, "\"\xff\"", `[1] 2`, `01`, `.5`, `+1`, `NaN`,
		`1e1000000001`, `1e99999999999999999999`, strings.Repeat("[", 200) + strings.Repeat("]", 200),
	} {
		if got, err := Canonical([]byte(text)); err == nil {
			t.Errorf("Canonical(%.40q) = %.40q, want an error", text, got)
		}
	}
}

// Where every number keeps its value as a double, the form is RFC 8785's own.
func TestCanonicalAgainstRFC(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		text := respell(r, must(t, strings.ReplaceAll(randomValue(r, 4), "9007199254740993", "9007199254740991")))
		want, err := jcs.Transform([]byte(text))
		if err != nil {
			t.Fatalf("jcs %s: %v", text, err)
		}
		if got, err := Canonical([]byte(text)); err != nil || string(got) != string(want) {
			t.Fatalf("Canonical(%s) = %s, %v, want %s", text, got, err, want)
		}
	}
}

func TestNumbersAgainstRFC(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 20000 {
		f := math.Float64frombits(r.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		want, err := jcs.NumberToJSON(f)
		if err != nil {
			t.Fatal(err)
		}
		shortest := strconv.FormatFloat(f, 'e', -1, 64)
		if got, err := Canonical([]byte(shortest)); err != nil || string(got) != want {
			t.Fatalf("Canonical(%s) = %s, %v, want %s", shortest, got, err, want)
		}
	}
}

// One value has one form and two values never share one, by exact arithmetic.
func TestNumbersAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	forms := map[string]*big.Rat{}
	spellings := map[string]string{}
	for range 20000 {
		spelling := randomNumber(r)
		value, ok := new(big.Rat).SetString(spelling)
		if !ok {
			t.Fatalf("no number: %s", spelling)
		}
		form, err := Canonical([]byte(spelling))
		if err != nil {
			t.Fatalf("Canonical(%s): %v", spelling, err)
		}
		if !json.Valid(form) {
			t.Fatalf("Canonical(%s) = %s, no JSON", spelling, form)
		}
		if back, ok := new(big.Rat).SetString(string(form)); !ok || back.Cmp(value) != 0 {
			t.Fatalf("Canonical(%s) = %s, another value", spelling, form)
		}
		forms[string(form)] = value
		if other, seen := spellings[value.RatString()]; seen && other != string(form) {
			t.Fatalf("%s has the forms %s and %s", spelling, other, form)
		}
		spellings[value.RatString()] = string(form)
	}
	if len(forms) != len(spellings) {
		t.Errorf("%d values have %d forms", len(spellings), len(forms))
	}
}

// randomNumber spells numbers from a small set of digits, so that equal values
// meet often.
func randomNumber(r *rand.Rand) string {
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("0019"[r.IntN(4)])
		}
		return b.String()
	}
	s := strings.TrimLeft(digits(r.IntN(24)), "0")
	if s == "" {
		s = "0"
	}
	if r.IntN(2) == 0 {
		s += "." + digits(1+r.IntN(8))
	}
	if r.IntN(2) == 0 {
		s += "e" + strconv.Itoa(r.IntN(40)-20)
	}
	if r.IntN(3) == 0 {
		s = "-" + s
	}
	return s
}

func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{`{"b":[1e400,-0],"a":"\u00e9"}`, `9007199254740993`, `[{"":{}},1.10]`, `"\ud83d\ude00"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		once, err := Canonical(text)
		if err != nil {
			return
		}
		if !json.Valid(once) {
			t.Fatalf("Canonical(%q) = %q, no JSON", text, once)
		}
		if twice, err := Canonical(once); err != nil || string(twice) != string(once) {
			t.Fatalf("Canonical(%q) = %q, of that %q, %v", text, once, twice, err)
		}
	})
}
