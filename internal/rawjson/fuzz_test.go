package rawjson

import (
	"bytes"
	"encoding/json"
	"testing"
)

var seeds = []string{
	"", "0", "-1.50e+3", `"\ud83d\ude00\n"`, `{"a":[1,{"b":null}],"\u0061":2}`, "[[[]]]", "{\"a\":\"\xff\"}",
	`{"a"`, `{"a":`, `"\`, `"\u00`, `[1,,2]`, `{"a":1}}`, "[}", `{"":{"":{"":0}}}`, `"a"b"`, "1e999999999999",
}

// FuzzCheck holds Check against the standard decoder on any bytes.
func FuzzCheck(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) { compareCheck(t, text) })
}

// FuzzWalk lets everything else loose on any bytes: nothing may panic or
// hang, and on text that Check accepts the answers must agree with each
// other.
func FuzzWalk(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed), []byte(`{"a":0}`), "/a/0")
	}
	self := &Shape{Members: map[string]*Shape{"a": nil}}
	self.Rest, self.Items = self, self
	f.Fuzz(func(t *testing.T, text, other []byte, pointer string) {
		compact := Compact(nil, text)
		at, found := At(text, pointer)
		out, dropped := Project(nil, text, self)
		same := Equal(text, other)
		for name, raw := range Members(text) {
			_, _ = Member(raw, name)
		}
		_, _ = String(text)
		if Check(text, Limits{}) != nil {
			return
		}
		var want bytes.Buffer
		if err := json.Compact(&want, text); err != nil || want.String() != string(compact) {
			t.Fatalf("Compact(%q) = %q", text, compact)
		}
		if found && Check(at, Limits{}) != nil {
			t.Fatalf("At(%q, %q) = %q", text, pointer, at)
		}
		if err := Check(out, Limits{}); err != nil || dropped.Total == 0 && !Equal(out, text) {
			t.Fatalf("Project(%q) = %q: %v", text, out, err)
		}
		if !Equal(text, compact) || same != Equal(other, text) {
			t.Fatalf("Equal on %q and %q", text, other)
		}
	})
}
