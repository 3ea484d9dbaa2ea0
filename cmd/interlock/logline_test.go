package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

func TestLogLine(t *testing.T) {
	for _, c := range []struct{ kind, body, want string }{
		{"resolve", `{"at":"2026-12-01T03:40:26.9Z","tenant":"shared","disposition":"supported","need_digest":"` + strings.Repeat("3e", 32) + `","offered":[{"tool":"a/b"},{"tool":"a/c"}],"principal":"local"}`,
			`     7  2026-12-01 03:40:26  resolve     principal=local disposition=supported offered=[2] tenant=shared`},
		{"documented_behavior_fingerprint", `{"tool":"a/b","effect":"read","documents":true,"n":9007199254740993}`,
			`     7                       documented  tool=a/b documents=true effect=read n=9007199254740993`},
		{"call", `{"tool":"a\u202eb","reason":"two words","none":null,"in":{"x":1}}`,
			`     7                       call        reason="two words" tool="a\u202eb"`},
		{"call", `{"why":"` + strings.Repeat("x", 100) + `"}`,
			`     7                       call        why=` + strings.Repeat("x", 80) + `…`},
		{"odd", `["\u202e"]`, `     7                       odd         "[\"\\u202e\"]"`},
	} {
		got := logLineOf(interlock.LogEntry{Index: 7, Type: c.kind, Body: json.RawMessage(c.body)})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.body, diff)
		}
	}
}
