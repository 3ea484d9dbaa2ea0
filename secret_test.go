package interlock_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestSecretHides: no way of writing a secret, alone or inside something, gives
// it away; a configuration still reads one.
func TestSecretHides(t *testing.T) {
	const text = "hunter2"
	type holder struct {
		Token interlock.Secret `json:"token"`
		List  []interlock.Secret
		By    map[string]interlock.Secret
	}
	h := holder{text, []interlock.Secret{text}, map[string]interlock.Secret{"a": text}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
		fmt.Fprintf(&out, verb+"\n", h)
		fmt.Fprintf(&out, verb+"\n", &h)
		fmt.Fprintf(&out, verb+"\n", h.Token)
	}
	fmt.Fprintln(&out, h, h.Token, fmt.Errorf("bad %w: %v", fmt.Errorf("token %s", h.Token), h))
	for _, handler := range []slog.Handler{slog.NewJSONHandler(&out, nil), slog.NewTextHandler(&out, nil)} {
		slog.New(handler).Info("m", "token", h.Token, "holder", h, "list", h.List)
	}
	if err := json.NewEncoder(&out).Encode(h); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), text) || strings.Contains(out.String(), fmt.Sprintf("%x", text)) {
		t.Errorf("it is told:\n%s", out.String())
	}
	var read holder
	if err := json.Unmarshal([]byte(`{"token":"hunter2"}`), &read); err != nil || read.Token.Reveal() != text {
		t.Errorf("%q %v", read.Token.Reveal(), err)
	}
}

func TestSplitReference(t *testing.T) {
	for value, want := range map[string][2]string{
		"plain": {"plain", ""}, "env:A": {"", "env:A"}, "Bearer env:A": {"Bearer ", "env:A"}, "Bearer  file:/a/b": {"Bearer  ", "file:/a/b"},
		"env:A b": {"env:A b", ""}, "Bearer command:get -f x": {"Bearer ", "command:get -f x"}, "command:get env:A": {"", "command:get env:A"}, "": {"", ""}, "a ": {"a ", ""},
	} {
		if clear, ref := interlock.SplitReference(value); clear != want[0] || ref != want[1] {
			t.Errorf("%q: %q and %q", value, clear, ref)
		}
	}
}
