package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]safe{
		"": "",
		"서울의 기온 — 12 °C, naïve 👩":          "서울의 기온 — 12 °C, naïve 👩",
		"\x1b[31mred\x1b[0m":               `\u001b[31mred\u001b[0m`,
		"one\ntwo\r\tthree":                `one\ntwo\u000d\tthree`,
		"\x1b]8;;http://a\x07x":            `\u001b]8;;http://a\u0007x`,
		"a\u009b2Jb\x7f":                   `a\u009b2Jb\u007f`,
		"right\u202eleft\u2066 zero\u200b": `right\u202eleft\u2066 zero\u200b`,
		"tag \U000E0041":                   `tag \udb40\udc41`,
		"line\u2028break":                  `line\u2028break`,
		"broken \x9b2J":                    "broken \ufffd2J",
	} {
		if got := plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestTell(t *testing.T) {
	colours := style{on: true}
	for _, tc := range []struct {
		format string
		args   []any
		want   string
	}{
		{"%s\n", []any{"a\x1b[2J\nb"}, `a\u001b[2J\nb` + "\n"},
		{"%v|%s|%s", []any{errors.New("\x07"), []byte("\x08"), interlock.Effect("\x1b")}, `\u0007|\u0008|\u001b`},
		{"%d %.2f %v", []any{7, 1.5, true}, "7 1.50 true"},
		{"%v", []any{[]string{"a", "\x1b"}}, `[a \u001b]`},
		{"%-4s|", []any{"a"}, "a   |"},
		{"%s", []any{colours.red("x\x1b[2Jy")}, "\x1b[31mx\\u001b[2Jy\x1b[0m"},
		{"%s", []any{plainLines("ours\nand\x1bours")}, "ours\nand\\u001bours"},
	} {
		var out bytes.Buffer
		if err := tell(&out, tc.format, tc.args...); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(tc.want, out.String()); diff != "" {
			t.Errorf("%s: %s", tc.format, diff)
		}
	}
}

func TestTableIsPlain(t *testing.T) {
	var out bytes.Buffer
	if err := table(&out, []string{"A", "B"}, [][]string{{"x\x1b[1A\ty\nz", "w"}}); err != nil {
		t.Fatal(err)
	}
	want := "A                 B\n" + `x\u001b[1A\ty\nz  w` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// FuzzPlain: nothing is left that a terminal obeys, and JSON laid out for people
// is the same value.
func FuzzPlain(f *testing.F) {
	f.Add("a\x1b[0m\n", `{"a":"\u202e<&>","b":[1.0,1e400]}`)
	f.Add("\xff\u200b", `"x`)
	f.Fuzz(func(t *testing.T, text, raw string) {
		if got := string(plain(text)); strings.ContainsFunc(got, hidden) || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Fatalf("%q is printed as %q", text, got)
		}
		if !json.Valid([]byte(raw)) || !utf8.ValidString(raw) {
			return
		}
		var was, is any
		if json.Unmarshal([]byte(raw), &was) != nil {
			return // a number that no float holds
		}
		if err := json.Unmarshal([]byte(indent(json.RawMessage(raw))), &is); err != nil {
			t.Fatalf("%s: %v", indent(json.RawMessage(raw)), err)
		}
		if diff := cmp.Diff(was, is); diff != "" {
			t.Fatal(diff)
		}
	})
}

// The bodies of the log hold names that callers made up; a terminal gets them
// spelled, a program gets them as they are.
func TestLogLineIsPlain(t *testing.T) {
	body := "{\"tool\":\"a\u202eb\u009b2Jc\"}"
	entry := interlock.LogEntry{Index: 7, Type: "refused", Body: json.RawMessage(body)}
	for asJSON, want := range map[bool]string{false: `     7                       refused     tool="a\u202eb\u009b2Jc"` + "\n", true: body} {
		var buf bytes.Buffer
		out := bufio.NewWriter(&buf)
		a := &app{globals: globals{JSON: asJSON}}
		if err := errors.Join(a.logLine(out, entry), out.Flush()); err != nil {
			t.Fatal(err)
		}
		if got := buf.String(); got != want && !(asJSON && strings.Contains(got, want)) {
			t.Errorf("JSON %t: %q", asJSON, got)
		}
	}
}
