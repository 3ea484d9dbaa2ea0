package yamljson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

// YAML and the JSON that it is.
func TestYAML(t *testing.T) {
	for yaml, want := range map[string]string{
		"a: 1\nb: [x, y]":        `{"a":1,"b":["x","y"]}`,
		"n: 9223372036854775807": `{"n":9223372036854775807}`,
		"n: 1e400":               `{"n":1e400}`,
		"n: -0":                  `{"n":-0}`,
		"n: 1.10":                `{"n":1.10}`,
		"n: 1E+2":                `{"n":1E+2}`,
		"n: [+5, 007, .5, 1., -.5, 1.e3, +.5e-1]":                                               `{"n":[5,7,0.5,1,-0.5,1e3,0.5e-1]}`,
		"n: [0x1F, 0o17, 0xFFFFFFFFFFFFFFFFF]":                                                  `{"n":[31,15,295147905179352825855]}`,
		"n: [., +, ..5, 1_000, 0x, 0o8, 0b1, 1.2.3, 2026-11-30, 1:30, .inf, .nan, -.inf, 0x-1]": `{"n":[".","+","..5","1_000","0x","0o8","0b1","1.2.3","2026-11-30","1:30",".inf",".nan","-.inf","0x-1"]}`,
		"b: [true, True, FALSE, yes, no, on, off, y]":                                           `{"b":[true,true,false,"yes","no","on","off","y"]}`,
		"x: [null, ~, NULL, '', \"\", '~', Null]":                                               `{"x":[null,null,null,"","","~",null]}`,
		"x:":                             `{"x":null}`,
		"x: ['1', \"true\", !!str 5]":    `{"x":["1","true","5"]}`,
		"200: ok\ntrue: t\n1.0: f\n~: n": `{"200":"ok","true":"t","1.0":"f","~":"n"}`,
		"x: |\n  two\n  lines\ny: >\n  one\n  line\n":          `{"x":"two\nlines\n","y":"one line\n"}`,
		"a: &a {x: 1}\nb: *a\nc: [*a]":                         `{"a":{"x":1},"b":{"x":1},"c":[{"x":1}]}`,
		"a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}":                `{"a":{"x":1,"y":2},"b":{"y":3,"x":1}}`,
		"a: &a {x: 1}\nb: &b {x: 2, z: 3}\nc:\n  <<: [*a, *b]": `{"a":{"x":1},"b":{"x":2,"z":3},"c":{"x":1,"z":3}}`,
		"s: \"é \\\"q\\\" \\u0001 <&>\"":                       `{"s":"é \"q\" \u0001 <&>"}`,
		"text":                                                 `"text"`,
		"{a: 1, 'b': [2]}":                                     `{"a":1,"b":[2]}`,
		"# only\n---\na: 1\n...\n":                             `{"a":1}`,
		"\ufeffa: 1":                                           `{"a":1}`,
		` { "a" : [ 1.10 , "\u00e9" ] }`:                       `{"a":[1.10,"\u00e9"]}`,
	} {
		doc, err := Parse([]byte(yaml), Limits{})
		if err != nil {
			t.Errorf("%q: %v", yaml, err)
			continue
		}
		if got := string(doc.Root.JSON()); got != want {
			t.Errorf("%q:\n got %s\nwant %s", yaml, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	bomb := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 12; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	for name, text := range map[string]string{
		"nothing": "", "space": " \n ", "no text": "\xff", "a bomb": bomb, "an alias in its anchor": "a: &a [*a]", "an alias of nothing": "a: *b",
		"two documents": "a: 1\n---\nb: 2\n", "a list as a name": "[a, b]: 1", "no YAML": "a: [", "no merge": "a:\n  <<: 7", "deep": strings.Repeat("[", 300) + strings.Repeat("]", 300),
		"deep YAML": strings.Repeat("- ", 300) + "x", "cut": `{"a":[1,2`, "a tab": "a:\n\t- b",
	} {
		if doc, err := Parse([]byte(text), Limits{}); err == nil {
			t.Errorf("%s is read as %.80s", name, doc.Root.JSON())
		}
	}
	if _, err := Parse([]byte("[1,2,3]"), Limits{Bytes: 6}); err == nil {
		t.Error("a size over the limit is read")
	}
	if _, err := Parse([]byte("[1,2,3]"), Limits{Values: 3}); !errors.Is(err, errLimit) {
		t.Errorf("a number of values over the limit: %v", err)
	}
	if _, err := Parse([]byte("[[[]]]"), Limits{Depth: 1}); !errors.Is(err, errLimit) {
		t.Errorf("a depth over the limit: %v", err)
	}
}

func TestTwice(t *testing.T) {
	many := "{"
	for i := range 40 {
		many += fmt.Sprintf(`"k%d":%d,`, i, i)
	}
	for text, want := range map[string][]string{
		`{"a":1,"b":{"c/d":1,"c/d":2},"a":3}`: {"/b/c~1d", "/a"},
		"a: 1\nb: {c: 1, c: 2}\na: 3":         {"/b/c", "/a"},
		many + `"k7":0}`:                      {"/k7"},
		`{"a":1}`:                             nil,
	} {
		doc, err := Parse([]byte(text), Limits{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, doc.Twice); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if a := doc.Root.Get("a"); a != nil && string(a.Raw) != "1" {
			t.Errorf("%s: a is %s, not the first", text, a.Raw)
		}
	}
}

func TestNode(t *testing.T) {
	var none *Node
	if none.Get("a") != nil || none.At(0) != nil || none.Text() != "" || none.True() || none.False() || none.Texts() != nil || !none.Is(Absent) || string(none.JSON()) != "null" || none.KindOf() != Absent {
		t.Error("what is not there reads as something")
	}
	doc, err := ParseJSON([]byte(`{"s":"a\u00e9","l":["x",1,"y"],"t":true,"f":false,"n":null}`), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	n := doc.Root
	if n.Get("s").Text() != "aé" || !n.Get("t").True() || !n.Get("f").False() || n.Get("l").At(1).KindOf() != Number || n.Get("l").At(3) != nil || n.Get("n").KindOf().String() != "null" {
		t.Error("the values read otherwise")
	}
	if diff := cmp.Diff([]string{"x", "y"}, n.Get("l").Texts()); diff != "" {
		t.Error(diff)
	}
}

// The tree is the same JSON that the standard decoder accepts, byte for byte
// but for white space, and refuses what that refuses.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1.10,-0,1e400,"\u00e9\ud800",null,true]}`, `[]`, `{"a":1,}`, `[1 2]`, `"\x"`, `01`, `-`, `1.`, `{"a"}`, "\"\n\"", `{"":{"":[]}}`, "nul", "[1,]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := ParseJSON(text, Limits{})
		if err != nil {
			if json.Valid(text) && !errors.Is(err, errLimit) && !strings.Contains(err.Error(), "UTF-8") {
				t.Errorf("%q is refused: %v", text, err)
			}
			return
		}
		var want bytes.Buffer
		if err := json.Compact(&want, text); err != nil {
			t.Fatalf("%q is taken: %v", text, err)
		}
		if got := doc.Root.JSON(); len(doc.Twice) == 0 && !sameJSON(got, want.Bytes()) {
			t.Errorf("%q is read as %q", text, got)
		}
	})
}

// sameJSON compares two compact texts in which only member names may be
// spelled otherwise.
func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	decode := func(text []byte) (v any) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if d.Decode(&v) != nil {
			return errors.New("no JSON")
		}
		return v
	}
	return cmp.Equal(decode(a), decode(b))
}

// Whatever YAML is taken is JSON, and agrees with the library's own decoder
// about what is text.
func FuzzYAML(f *testing.F) {
	for _, s := range []string{"a: &a {b: *c}\n", "a: &x [1]\nb: *x", "<<: {a: 1}\na: 2", "? [a]\n: b", "- !!str 1\n- !!int 0x1f\n- !!binary aGk=", "a: 'it''s'", "%YAML 1.2\n---\na", "&a a: *a"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := Parse(text, Limits{Values: 10_000})
		if err != nil {
			return
		}
		out := doc.Root.JSON()
		if !json.Valid(out) {
			t.Fatalf("%q becomes %q", text, out)
		}
		var other yaml.Node
		if doc.Root.Is(String) && yaml.Load(text, &other) == nil && other.Content[0].Kind == yaml.ScalarNode && other.Content[0].Value != doc.Root.Text() {
			t.Errorf("%q is the text %q, elsewhere %q", text, doc.Root.Text(), other.Content[0].Value)
		}
	})
}
