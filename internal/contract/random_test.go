package contract

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// must reads JSON text into nodes.
func must(t testing.TB, text string) *node {
	t.Helper()
	n, err := parse([]byte(text), rawjson.Limits{})
	if err != nil {
		t.Fatalf("parse %s: %v", text, err)
	}
	return n
}

// operation builds an operation from its two schemas; "" leaves one out.
func operation(input, output string) interlock.Operation {
	op := interlock.Operation{Name: "tool"}
	if input != "" {
		op.InputSchema = json.RawMessage(input)
	}
	if output != "" {
		op.OutputSchema = json.RawMessage(output)
	}
	return op
}

// compiled compiles an operation that must have no finding.
func compiled(t testing.TB, input, output string) *Compiled {
	t.Helper()
	op := operation(input, output)
	if findings := Check(op); findings != nil {
		t.Fatalf("Check(%s, %s) = %v", input, output, findings)
	}
	c, err := Compile(op)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// respell writes n as other text of the same value: members shuffled, white
// space added, characters escaped, numbers spelled otherwise.
func respell(r *rand.Rand, n *node) string {
	space := func() string { return strings.Repeat([]string{"", " ", "\n", "\t"}[r.IntN(4)], r.IntN(2)) }
	var parts []string
	switch n.kind {
	case kindObject:
		for _, i := range r.Perm(len(n.kids)) {
			parts = append(parts, space()+respellString(r, n.names[i])+space()+":"+space()+respell(r, n.kids[i]))
		}
		return "{" + strings.Join(parts, ",") + space() + "}"
	case kindArray:
		for _, kid := range n.kids {
			parts = append(parts, respell(r, kid)+space())
		}
		return "[" + space() + strings.Join(parts, ",") + "]"
	case kindString:
		return respellString(r, n.text)
	case kindNumber:
		return respellNumber(r, n.text)
	}
	text, _ := n.canonical()
	return string(text)
}

func respellString(r *rand.Rand, s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c < 0x20 || c == '"' || c == '\\' || c < 0x10000 && r.IntN(4) == 0:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String() + `"`
}

func respellNumber(r *rand.Rand, s string) string {
	if strings.ContainsAny(s, ".eE") || strings.TrimPrefix(s, "-") == "0" {
		return s
	}
	switch r.IntN(5) {
	case 0:
		return s + "." + strings.Repeat("0", 1+r.IntN(3))
	case 1:
		return s + "e0"
	case 2:
		return s + "0E-1"
	case 3:
		return s + ".0e+00"
	}
	return s
}

// randomValue writes JSON text with the names a to d.
func randomValue(r *rand.Rand, depth int) string {
	kind := r.IntN(8)
	if depth <= 0 {
		kind = r.IntN(5)
	}
	switch kind {
	case 0:
		return []string{"null", "true", "false"}[r.IntN(3)]
	case 1:
		return fmt.Sprint(r.IntN(40) - 20)
	case 2:
		return []string{"1.5", "1e3", "9007199254740993", "-0", "0.1", "1e30"}[r.IntN(6)]
	case 3, 4:
		return fmt.Sprintf("%q", []string{"a", "b", "", "null", "3", "é", "\U0001f600"}[r.IntN(7)])
	case 5:
		var items []string
		for range r.IntN(4) {
			items = append(items, randomValue(r, depth-1))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	var members []string
	for _, name := range []string{"a", "b", "c", "d"} {
		if r.IntN(2) == 0 {
			members = append(members, fmt.Sprintf("%q:%s", name, randomValue(r, depth-1)))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// The reader of values and the reader of nodes agree with the standard
// library's on everything that passes the check.
func TestDecodeAgainstStandard(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 2000 {
		text := respell(r, must(t, randomValue(r, 5)))
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var want any
		if err := dec.Decode(&want); err != nil {
			t.Fatal(err)
		}
		got, err := decode([]byte(text))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("decode(%s): %v\n%s", text, err, diff)
		}
		if diff := cmp.Diff(want, must(t, text).plain()); diff != "" {
			t.Fatalf("parse(%s):\n%s", text, diff)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"\u00e9",null,true]}`, `[`, `{"a"`, `{"a":}`, `"\`, `[1 2]`, `{,}`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := decode(text) // whatever it is: no panic, no endless loop
		if rawjson.Check(text, rawjson.Limits{}) != nil {
			return
		}
		if err != nil {
			t.Fatalf("decode(%q): %v", text, err)
		}
		if diff := cmp.Diff(v, must(t, string(text)).plain()); diff != "" {
			t.Fatalf("decode and parse of %q:\n%s", text, diff)
		}
	})
}
