package wire_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

func TestReadNeed(t *testing.T) {
	for _, c := range []struct {
		body string
		want interlock.Need
	}{
		{`{"need":"x"}`, interlock.Need{Text: "x"}},
		{` {"need":"a\u00e9\n"} `, interlock.Need{Text: "aé\n"}},
		{`{"need":"x","have":null,"k":null,"budget":null,"want":null}`, interlock.Need{Text: "x"}},
		{`{"need":"x","explain":true}`, interlock.Need{Text: "x", Explain: true}},
		{`{"need":"x","context":["a","b"]}`, interlock.Need{Text: "x", Context: []string{"a", "b"}}},
		{`{"need":"x","explain":false}`, interlock.Need{Text: "x"}},
		{`{"want":[{"semantic_id":"air_temperature","unit":"Cel","qualifiers":{"height":"2m"}}]}`,
			interlock.Need{Want: []interlock.Want{{SemanticID: "air_temperature", Unit: "Cel", Qualifiers: map[string]string{"height": "2m"}}}}},
		{`{"need":"x","have":["a","b"],"constraints":[{"family":"f","range":"^2.0","built_against":"2.1.0"}],"effects":["read","write"],"k":7,"budget":{"calls":1,"schema_bytes":2,"tokens":3}}`,
			interlock.Need{Text: "x", Have: []string{"a", "b"}, Constraints: []interlock.Constraint{{Family: "f", Range: "^2.0", BuiltAgainst: "2.1.0"}},
				Effects: []interlock.Effect{interlock.EffectRead, interlock.EffectWrite}, K: 7, Budget: interlock.Budget{Calls: 1, SchemaBytes: 2, Tokens: 3}}},
	} {
		got, err := wire.ReadNeed([]byte(c.body))
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.body, diff)
		}
	}
}

func TestReadNeedRefuses(t *testing.T) {
	for _, c := range []struct{ body, pointer, says string }{
		{``, "", "not JSON"},
		{`{"need":"x"`, "", "at byte 11"},
		{`{"need":"x"} {}`, "", "not JSON"},
		{"{\"need\":\"\xff\"}", "", "UTF-8"},
		{"\ufeff{\"need\":\"x\"}", "", "not JSON"},
		{`[]`, "", "an array"},
		{`null`, "", "null"},
		{`{}`, "/need", "Say what"},
		{`{"need":" "}`, "/need", "Say what"},
		{`{"need":5}`, "/need", "a number"},
		{`{"need":"x","context":"a"}`, "/context", "array"},
		{`{"need":"x","explain":1}`, "/explain", "true or false"},
		{`{"need":"x","ned":1}`, "/ned", `did you mean "need"?`},
		{`{"need":"x","constrains":[]}`, "/constrains", `"constraints"`},
		{`{"need":"x","zzzzzzzz":1}`, "/zzzzzzzz", "known are budget, constraints"},
		{`{"need":"x","need":"y"}`, "/need", "twice"},
		{`{"need":"x","n\u0065ed":"y"}`, "/need", "twice"},
		{`{"need":"x","a/b~c":1}`, "/a~1b~0c", "Unknown"},
		{`{"need":"x","have":"a"}`, "/have", "array"},
		{`{"need":"x\ud800"}`, "/need", "surrogate"},
		{`{"need":"x","k\ud800":1}`, "", "surrogate"},
		{`{"need":"x","have":["a",null]}`, "/have/1", "null"},
		{`{"need":"x","k":-1}`, "/k", "0 to 100"},
		{`{"need":"x","k":101}`, "/k", "0 to 100"},
		{`{"need":"x","k":5.0}`, "/k", "0 to 100"},
		{`{"need":"x","k":"5"}`, "/k", "0 to 100"},
		{`{"need":"x","effects":["reed"]}`, "/effects/0", "read, write"},
		{`{"need":"x","effects":[""]}`, "/effects/0", "no effect"},
		{`{"need":"x","constraints":[{"family":"f"}]}`, "/constraints/0/range", "missing"},
		{`{"need":"x","constraints":[{"range":"*"}]}`, "/constraints/0/family", "missing"},
		{`{"need":"x","constraints":[{"family":"f","range":"*","rnge":"1"}]}`, "/constraints/0/rnge", `"range"`},
		{`{"need":"x","constraints":[null]}`, "/constraints/0", "null"},
		{`{"want":[{"unit":"Cel"}]}`, "/want/0/semantic_id", "missing"},
		{`{"want":[{"semantic_id":"a","qualifiers":{"h":"1","h":"2"}}]}`, "/want/0/qualifiers/h", "twice"},
		{`{"want":[{"semantic_id":"a","qualifiers":{"h":1}}]}`, "/want/0/qualifiers/h", "a number"},
		{`{"need":"x","budget":[]}`, "/budget", "an array"},
		{`{"need":"x","budget":{"calls":1e3}}`, "/budget/calls", "whole number"},
	} {
		_, err := wire.ReadNeed([]byte(c.body))
		e := interlock.AsError(err)
		if err == nil || e.Reason != interlock.ReasonRequestInvalid || e.Code != interlock.CodeInvalid {
			t.Errorf("%s: %v, expected request-invalid", c.body, err)
			continue
		}
		if e.Pointer != c.pointer || !strings.Contains(e.Public, c.says) {
			t.Errorf("%s: at %q says %q, expected at %q with %q", c.body, e.Pointer, e.Public, c.pointer, c.says)
		}
	}
}

func TestReadNeedIsBounded(t *testing.T) {
	body := []byte(`{"need":"` + strings.Repeat("x", interlock.MaxNeedBytes) + `"}`)
	if _, err := wire.ReadNeed(body); interlock.ReasonOf(err) != interlock.ReasonTooLarge {
		t.Errorf("a need over its limit: %v", err)
	}
	long := `{"need":"x","` + strings.Repeat("é", 5000) + `":1}`
	_, err := wire.ReadNeed([]byte(long))
	if e := interlock.AsError(err); len(e.Public) > 400 || len(e.Pointer) > 100 {
		t.Errorf("an error repeats %d bytes of a member's name", len(e.Public))
	}
}

// spellings are arguments that a decoder would change.
var spellings = []string{
	`{}`, `null`, `[]`, `5`, `{"a":1,"a":2}`,
	`{"a": 9223372036854775807, "b": 1e400, "c": -0, "d": 1.10, "n": null, "A": 1E+2}`,
	`{"s": "caf\u00e9 é <b>&\/ 漢 \ud83d\ude00", "z": [ ], "t" : { } }`,
	"{\n\t\"b\": 1,\r\n \"a\": [1 , 2]}",
}

func TestReadCallKeepsArguments(t *testing.T) {
	for _, args := range spellings {
		got, err := wire.ReadCall([]byte(`{"offer":"o","args": ` + args + ` ,"approval":"p"}`))
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if string(got.Args) != args || got.Offer != "o" || got.Approval != "p" {
			t.Errorf("%s arrives as %s", args, got.Args)
		}
		body, err := wire.EncodeCall(got)
		if err != nil {
			t.Fatal(err)
		}
		again, err := wire.ReadCall(body)
		if diff := cmp.Diff(got, again); err != nil || diff != "" {
			t.Errorf("%s after another process: %v %s", args, err, diff)
		}
	}
	if got, err := wire.ReadCall([]byte(`{"tool":"a/b"}`)); err != nil || got.Tool != "a/b" || string(got.Args) != "{}" {
		t.Errorf("arguments left out: %+v %v", got, err)
	}
}

func TestReadCallRefuses(t *testing.T) {
	for _, c := range []struct{ body, pointer string }{
		{`{"args":{}}`, "/offer"},
		{`{"offer":"","args":{}}`, "/offer"},
		{`{"offer":null,"args":{}}`, "/offer"},
		{`{"offer":"o","tool":"t","args":{}}`, "/tool"},
		{`{"offer":"o","args":{},"args":{}}`, "/args"},
		{`{"offer":"o","arguments":{}}`, "/arguments"},
		{`{"offer":"o","args":{}} {}`, ""},
		{`{"offer":"o","args":{a}}`, ""},
		{`{"offer":7,"args":{}}`, "/offer"},
		{`"o"`, ""},
	} {
		_, err := wire.ReadCall([]byte(c.body))
		if e := interlock.AsError(err); err == nil || e.Reason != interlock.ReasonRequestInvalid || e.Pointer != c.pointer {
			t.Errorf("%s: %v at %q, expected request-invalid at %q", c.body, err, e.Pointer, c.pointer)
		}
	}
	big := []byte(`{"offer":"o","args":"` + strings.Repeat("x", wire.MaxCall) + `"}`)
	if _, err := wire.ReadCall(big); interlock.ReasonOf(err) != interlock.ReasonTooLarge {
		t.Errorf("a call over its limit: %v", err)
	}
}

// FuzzReadNeed: what is read says the same as the standard decoder reads, and
// nothing makes the reader panic.
func FuzzReadNeed(f *testing.F) {
	for _, s := range []string{`{"need":"x"}`, `{"need":"x","have":["a"],"k":3}`, `{"want":[{"semantic_id":"a","qualifiers":{"b":"c"}}]}`, `{"a":{"b":[1,"}"]}}`, `{"need":"\ud800"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := wire.ReadNeed(body)
		if err != nil {
			if interlock.AsError(err).Public == "" {
				t.Error("an error without a word")
			}
			return
		}
		var want interlock.Need
		if err := json.Unmarshal(body, &want); err != nil {
			t.Fatalf("%s was read, and is no need to the decoder: %v", body, err)
		}
		a, _ := wire.Encode(got)
		b, _ := wire.Encode(want)
		if !bytes.Equal(a, b) {
			t.Errorf("read as %s, the decoder says %s", a, b)
		}
	})
}

// FuzzReadCall: arguments are a part of the body, whatever it is.
func FuzzReadCall(f *testing.F) {
	for _, s := range spellings {
		f.Add([]byte(`{"offer":"o","args":` + s + `}`))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := wire.ReadCall(body)
		if err != nil {
			return
		}
		if !json.Valid(got.Args) || string(got.Args) != "{}" && !bytes.Contains(body, got.Args) {
			t.Errorf("arguments %q of %q", got.Args, body)
		}
		again, err := wire.EncodeCall(got)
		if err != nil {
			t.Fatal(err)
		}
		back, err := wire.ReadCall(again)
		if diff := cmp.Diff(got, back); err != nil || diff != "" {
			t.Errorf("%s: %v %s", again, err, diff)
		}
	})
}
