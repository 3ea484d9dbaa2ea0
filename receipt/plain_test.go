package receipt

import (
	"bytes"
	"testing"

	"github.com/gowebpki/jcs"

	"github.com/seed-ae386458/interlock"
)

// What the quick reading of a body takes for canonical is what writing it anew
// gives, and the other way round.
func FuzzIsCanonical(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"a":1,"b":[true,false,"x"],"c":{"d":-5}}`, `{"b":1,"a":1}`, `{"a":1,"a":1}`, `{"a" :1}`, `{"a":01}`, `{"a":-0}`, `{"a":1.50}`, `{"a":0.25}`,
		`{"a":"\u0041"}`, `{"a":"\u001f"}`, `{"a":"é🚦"}`, `{"é":1}`, `{"a":"\/"}`, `{"a":null}`, `{"a":1e400}`, `{"a":9007199254740993}`, `{"a":[[[[]]]]}`, "{\"a\":\"\xff\"}", `[]`, `{"a":tru}`, `{"a":1,}`,
		`{"a":1-2}`, `{"a":.5}`, `{"a":1.}`, `{"a":"\ud83d\ude00"}`, `{"a":"` + "\x7f" + `"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		again, err := jcs.Transform(text)
		want := err == nil && bytes.Equal(again, text)
		if got := isCanonical(text); got != want {
			t.Fatalf("%q: canonical %v, want %v (%q, %v)", text, got, want, again, err)
		}
	})
}

// A line that is read is spelled the same again.
func FuzzParseLine(f *testing.F) {
	f.Add(appendLine(nil, interlock.LogEntry{Index: 7, Type: "call", Digest: "d", Body: []byte(`{"a":",\"digest\":\""}`)}))
	f.Add([]byte(`{"body":{},"digest":"","index":-1,"type":""}` + "\n"))
	f.Fuzz(func(t *testing.T, line []byte) {
		if entry, ok := parseLine(line); ok && !bytes.Equal(appendLine(nil, entry), line) {
			t.Fatalf("%q reads as %+v", line, entry)
		}
	})
}
