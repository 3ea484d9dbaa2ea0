package rawjson

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const document = ` {"a": 1.10, "b/c": {"": [ 10, -0 , {"x~y":"\u00e9"} ]},
	"quoted\"name": 1e400, "\u0061b": null, "deep": [[[9223372036854775807]]] } `

func TestAt(t *testing.T) {
	tests := []struct {
		pointer, want string
		ok            bool
	}{
		{"/a", "1.10", true},
		{"/b~1c/", `[ 10, -0 , {"x~y":"\u00e9"} ]`, true},
		{"/b~1c//1", "-0", true},
		{"/b~1c//2/x~0y", `"\u00e9"`, true},
		{`/quoted"name`, "1e400", true},
		{"/ab", "null", true},
		{"/deep/0/0/0", "9223372036854775807", true},
		{"/b~1c//3", "", false},
		{"/b~1c//01", "", false},
		{"/b~1c//-", "", false},
		{"/b~1c//-0", "", false},
		{"/b~1c//+1", "", false},
		{"/a/0", "", false},
		{"/A", "", false},
		{"a", "", false},
		{"/~2", "", false},
		{"/x~", "", false},
	}
	for _, tt := range tests {
		got, ok := At([]byte(document), tt.pointer)
		if string(got) != tt.want || ok != tt.ok {
			t.Errorf("At(%q) = %s, %v, want %s, %v", tt.pointer, got, ok, tt.want, tt.ok)
		}
	}
	if whole, ok := At([]byte(document), ""); !ok || string(whole) != strings.TrimSpace(document) {
		t.Errorf("the empty pointer leads to %s", whole)
	}
	if raw, ok := At(nil, ""); ok {
		t.Errorf("no text holds the value %q", raw)
	}
}

func TestMember(t *testing.T) {
	for name, want := range map[string]string{"a": "1.10", "ab": "null", `quoted"name`: "1e400", "deep": "[[[9223372036854775807]]]"} {
		if got, ok := Member([]byte(document), name); !ok || string(got) != want {
			t.Errorf("Member(%q) = %s, %v, want %s", name, got, ok, want)
		}
	}
	for _, text := range []string{document, "[1]", "1", "", `"a"`} {
		if got, ok := Member([]byte(text), "none"); ok || got != nil {
			t.Errorf("Member of %s = %s", text, got)
		}
	}
}

func TestMembersAndElements(t *testing.T) {
	var names []string
	for name, raw := range Members([]byte(document)) {
		names = append(names, name+"="+string(Compact(nil, raw)))
		if name == "ab" {
			break
		}
	}
	want := []string{"a=1.10", `b/c={"":[10,-0,{"x~y":"\u00e9"}]}`, `quoted"name=1e400`, "ab=null"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	var elements []string
	for i, raw := range Elements([]byte(` [ 1 , "]" ,[2] ] `)) {
		elements = append(elements, strconv.Itoa(i)+"="+string(raw))
	}
	if diff := cmp.Diff([]string{"0=1", `1="]"`, "2=[2]"}, elements); diff != "" {
		t.Error(diff)
	}
}

// A value that a walk hands out must not let an append run into its
// neighbour.
func TestValuesHaveNoRoom(t *testing.T) {
	text := []byte(`{"a":[1,2],"b":3}`)
	for _, raw := range Members(text) {
		_ = append(raw, "overwritten"...)
	}
	for _, raw := range Elements([]byte(`[1,2]`)) {
		_ = append(raw, 'x')
	}
	if raw, ok := At(text, "/a/0"); ok {
		_ = append(raw, 'x')
	}
	if string(text) != `{"a":[1,2],"b":3}` {
		t.Errorf("the text became %s", text)
	}
}

func TestKindOf(t *testing.T) {
	for text, want := range map[string]string{
		" {}": "object", "[]": "array", `""`: "string", "-1": "number", "0": "number",
		"true": "true", "false": "false", "\nnull": "null", "": "invalid", "  ": "invalid", "+": "invalid",
	} {
		if got := KindOf([]byte(text)); got.String() != want {
			t.Errorf("KindOf(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestString(t *testing.T) {
	tests := []struct {
		raw, want string
		ok        bool
	}{
		{`"a"`, "a", true},
		{` "" `, "", true},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", true},
		{`"\u00E9\ud83d\ude00x"`, "é😀x", true},
		{`"\ud83d"`, "", false},
		{`"\ud83d\u0041"`, "", false},
		{`"\u00g0"`, "", false},
		{`"\u00`, "", false},
		{"\"\xff\"", "", false},
		{"\"\xff\\n\"", "", false},
		{`"\x"`, "", false},
		{`"`, "", false},
		{`"abc`, "", false},
		{`1`, "", false},
		{``, "", false},
	}
	for _, tt := range tests {
		got, ok := String([]byte(tt.raw))
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("String(%s) = %q, %v, want %q, %v", tt.raw, got, ok, tt.want, tt.ok)
		}
	}
}

func TestPointers(t *testing.T) {
	tests := []struct {
		pointer string
		names   []string
	}{
		{"", nil},
		{"/", []string{""}},
		{"/a/b", []string{"a", "b"}},
		{"/~0~1/m~0n/~01", []string{"~/", "m~n", "~1"}},
		{"/é/0", []string{"é", "0"}},
	}
	for _, tt := range tests {
		if got := Join("", tt.names...); got != tt.pointer {
			t.Errorf("Join(%q) = %s, want %s", tt.names, got, tt.pointer)
		}
		got, ok := Split(tt.pointer)
		if diff := cmp.Diff(tt.names, got); diff != "" || !ok {
			t.Errorf("Split(%s): %v %s", tt.pointer, ok, diff)
		}
	}
	if got := Join("/a", "b", "c/d"); got != "/a/b/c~1d" {
		t.Errorf("Join from /a: %s", got)
	}
	for _, bad := range []string{"a", "~", "/~", "/~2", "/a/b~"} {
		if names, ok := Split(bad); ok {
			t.Errorf("Split(%q) = %q", bad, names)
		}
	}
}

// What the standard decoder reads, the walk must find, at every pointer.
func TestWalkAgainstStandardDecoder(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	checked := 0
	for range 5_000 {
		text := []byte(randomText(rng, 4))
		if Check(text, Limits{}) != nil {
			continue
		}
		compareWalk(t, text, "", decode(t, text))
		compact := Compact(nil, text)
		var want bytes.Buffer
		if err := json.Compact(&want, text); err != nil || want.String() != string(compact) {
			t.Fatalf("Compact(%q) = %q, want %q", text, compact, want.String())
		}
		checked++
	}
	if checked < 2_000 {
		t.Errorf("only %d texts were checked", checked)
	}
}

func compareWalk(t *testing.T, text []byte, pointer string, want node) {
	t.Helper()
	raw, ok := At(text, pointer)
	if !ok {
		t.Fatalf("At(%q, %q) finds nothing", text, pointer)
	}
	if s, isString := want.scalar.(string); isString {
		if got, ok := String(raw); !ok || got != s {
			t.Fatalf("String(%s) = %q, %v, want %q", raw, got, ok, s)
		}
	}
	if n, isNumber := want.scalar.(json.Number); isNumber && n.String() != string(raw) {
		t.Fatalf("At(%q, %q) = %s, want %s", text, pointer, raw, n)
	}
	var names []string
	for name := range Members(raw) {
		names = append(names, name)
	}
	if diff := cmp.Diff(want.names, names); diff != "" {
		t.Fatalf("members of %s: %s", raw, diff)
	}
	count := 0
	for range Elements(raw) {
		count++
	}
	if want.array && count != len(want.children) {
		t.Fatalf("%s has %d elements, want %d", raw, count, len(want.children))
	}
	for i, child := range want.children {
		token := strconv.Itoa(i)
		if want.object {
			token = want.names[i]
		}
		compareWalk(t, text, Join(pointer, token), child)
	}
}

// A text is compacted over itself as it is beside itself.
func TestCompactInPlace(t *testing.T) {
	for _, text := range []string{``, ` `, `{}`, ` { "a b" : [ 1 , "x \" y" , { } ] , "c":"  " } `, "\t[\r\n1]", `{"a":1}`} {
		want := string(Compact(nil, []byte(text)))
		own := []byte(text)
		if got := string(Compact(own[:0], own)); got != want {
			t.Errorf("%q: %q in place, %q beside", text, got, want)
		}
	}
}
