package lock

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

const (
	hashA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	hashB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	pinA  = "1111111111111111111111111111111111111111111111111111111111111111"
	pinB  = "2222222222222222222222222222222222222222222222222222222222222222"
)

// entry is a capability that the tests change.
func entry() Capability {
	return Capability{Family: "doc.extract", Range: "^2.0", BuiltAgainst: "2.3.0", Version: "2.3.0", Tool: "docs/v2", Effect: interlock.EffectRead, Contract: hashA, Pin: pinA}
}

const written = `{
  "lockfile": 1,
  "capabilities": [
    {
      "family": "a.b",
      "range": ">=1 <3",
      "built_against": "1.0.0",
      "built_contract": "` + hashB + `",
      "version": "2.0.0",
      "tool": "docs/v2",
      "effect": "read",
      "contract": "` + hashA + `",
      "pin": "` + pinA + `"
    },
    {
      "family": "doc.extract",
      "range": "^2.0",
      "built_against": "2.3.0",
      "version": "2.3.0",
      "tool": "docs/v2",
      "effect": "read",
      "contract": "` + hashA + `",
      "pin": "` + pinA + `"
    }
  ]
}
`

func TestBytesAreStable(t *testing.T) {
	other := entry()
	other.Family, other.Range, other.BuiltAgainst, other.BuiltContract, other.Version = "a.b", ">=1 <3", "1.0.0", hashB, "2.0.0"
	for _, f := range []File{New().With(entry()).With(other), New().With(other).With(entry()), New().With(entry()).With(other).With(entry())} {
		text, err := f.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(written, string(text)); diff != "" {
			t.Error(diff)
		}
	}
	if text, err := New().Without("x").Bytes(); err != nil || string(text) != "{\n  \"lockfile\": 1,\n  \"capabilities\": []\n}\n" {
		t.Errorf("an empty file is %s, %v", text, err)
	}
}

func TestWithLeavesTheFile(t *testing.T) {
	before := New().With(entry())
	changed := entry()
	changed.Version = "2.4.0"
	after := before.With(changed)
	if c, ok := before.Get("doc.extract"); !ok || c.Version != "2.3.0" {
		t.Errorf("With changed what it was called on: %+v", c)
	}
	if c, _ := after.Get("doc.extract"); c.Version != "2.4.0" {
		t.Errorf("With left %+v", c)
	}
	if _, ok := after.Without("doc.extract").Get("doc.extract"); ok {
		t.Error("Without left the family")
	}
	if _, ok := after.Get("doc.extract"); !ok {
		t.Error("Without changed what it was called on")
	}
}

func TestRead(t *testing.T) {
	f, err := Read([]byte(written))
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := f.Bytes(); string(text) != written {
		t.Errorf("read and written again it is\n%s", text)
	}
	yaml := "# by hand\nlockfile: 1\ncapabilities:\n  - {pin: \"" + pinA + "\", contract: " + hashA + ", effect: read, tool: docs/v2, version: 2.3.0, built_against: 2.3.0, range: ^2.0, family: doc.extract}\n"
	g, err := Read([]byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(New().With(entry()), g); diff != "" {
		t.Error(diff)
	}
}

func TestReadRefuses(t *testing.T) {
	edit := func(old, new string) string { return strings.Replace(written, old, new, 1) }
	for _, tc := range []struct{ name, text, at, says string }{
		{"nothing", "", "", "neither JSON nor YAML"},
		{"merge", "{\n<<<<<<< ours\n\"lockfile\": 1\n=======\n", "", "unresolved merge"},
		{"list", "[]", "", "object with the keys lockfile, capabilities"},
		{"text", "lockfile", "", "object"},
		{"no format", `{"capabilities": []}`, "/lockfile", "begins with"},
		{"newer", `{"lockfile": 2, "capabilities": []}`, "/lockfile", "newer"},
		{"older", `{"lockfile": 0, "capabilities": []}`, "/lockfile", "number 1"},
		{"format as text", `{"lockfile": "1", "capabilities": []}`, "/lockfile", "number 1"},
		{"no list", `{"lockfile": 1}`, "/capabilities", "list"},
		{"near key", `{"lockfile": 1, "capabilites": []}`, "/capabilites", `did you mean "capabilities"`},
		{"far key", `{"lockfile": 1, "capabilities": [], "colour": 1}`, "/colour", "known are lockfile, capabilities"},
		{"twice", `{"lockfile": 1, "lockfile": 1, "capabilities": []}`, "/lockfile", "twice"},
		{"row", `{"lockfile": 1, "capabilities": ["a.b"]}`, "/capabilities/0", "object"},
		{"row key", edit(`"range"`, `"rnage"`), "/capabilities/0/rnage", `did you mean "range"`},
		{"row key twice", edit(`"range": ">=1 <3"`, `"range": ">=1", "range": ">=1"`), "/capabilities/0/range", "twice"},
		{"missing", edit("      \"tool\": \"docs/v2\",\n", ""), "/capabilities/0/tool", "missing"},
		{"number", edit(`"2.0.0"`, `2`), "/capabilities/0/version", "quotes"},
		{"null", edit(`"2.0.0"`, `null`), "/capabilities/0/version", "null"},
		{"empty", edit(`"a.b"`, `""`), "/capabilities/0/family", "one line"},
		{"lines", edit(`"a.b"`, `"a\nb"`), "/capabilities/0/family", "one line"},
		{"long", edit(`"a.b"`, `"`+strings.Repeat("a", maxText+1)+`"`), "/capabilities/0/family", "one line"},
		{"range", edit(`">=1 <3"`, `"^1.0 oops"`), "/capabilities/0/range", "does not parse"},
		{"version", edit(`"version": "2.0.0"`, `"version": "2.0"`), "/capabilities/0/version", "strict version"},
		{"version spelled loosely", edit(`"version": "2.0.0"`, `"version": "v2.0.0"`), "/capabilities/0/version", "strict version"},
		{"outside", edit(`"version": "2.0.0"`, `"version": "3.0.0"`), "/capabilities/0/version", "outside the range"},
		{"base", edit(`"built_against": "1.0.0"`, `"built_against": "one"`), "/capabilities/0/built_against", "strict version"},
		{"effect", edit(`"read"`, `"reads"`), "/capabilities/0/effect", "no effect"},
		{"hash", edit(hashA, "abc"), "/capabilities/0/contract", "SHA-256"},
		{"capital hash", edit(hashA, strings.ToUpper(hashA)), "/capabilities/0/contract", "SHA-256"},
		{"base hash is missing", edit("      \"built_contract\": \""+hashB+"\",\n", ""), "/capabilities/0/built_contract", "missing"},
		{"base hash contradicts", edit(`"built_against": "1.0.0"`, `"built_against": "2.0.0"`), "/capabilities/0/built_contract", "another"},
		{"family twice", edit(`"a.b"`, `"doc.extract"`), "/capabilities/1/family", "/capabilities/0"},
		{"alias bomb", "a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e]\n", "", "neither"},
		{"deep", strings.Repeat("[", 1000), "", "neither"},
	} {
		_, err := Read([]byte(tc.text))
		e := interlock.AsError(err)
		if err == nil || e.Code != interlock.CodeInvalid || e.Reason != interlock.ReasonRequestInvalid || e.Pointer != tc.at || !strings.Contains(e.Public, tc.says) {
			t.Errorf("%s: %v at %q, want %q at %q", tc.name, err, e.Pointer, tc.says, tc.at)
		}
	}
}

// Whatever is read is written the same way for ever, and every refusal is typed.
func FuzzRead(f *testing.F) {
	f.Add([]byte(written))
	f.Add([]byte("lockfile: 1\ncapabilities: []\n"))
	f.Add([]byte(`{"lockfile":1,"capabilities":[{"family":"\ud800"}]}`))
	f.Add([]byte("lockfile: 1\ncapabilities: [{family: &a x, range: *a}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		read, err := Read(text)
		if err != nil {
			if e := interlock.AsError(err); e.Reason != interlock.ReasonRequestInvalid || e.Public == "" || (e.Pointer != "" && e.Pointer[0] != '/') {
				t.Fatalf("%v", err)
			}
			return
		}
		once, err := read.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(once)
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, once)
		}
		if twice, _ := again.Bytes(); !bytes.Equal(once, twice) {
			t.Fatalf("written\n%s\nand again\n%s", once, twice)
		}
	})
}
