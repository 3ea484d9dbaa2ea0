package offer

import (
	"strings"
	"testing"
	"time"
)

var (
	keys  = Keys{[]byte("0123456789abcdef0123456789abcdef"), []byte("an older key, kept until it ends")}
	terms = Terms{Principal: "alice", Tenant: "a", Tool: "docs/extract", Changed: 7, Contract: "c1", Binding: "b1"}
	until = time.Unix(1_900_000_000, 0)
)

func sealed() string { return keys.Seal([8]byte{1, 2, 3}, terms, until) }

func TestOfferHolds(t *testing.T) {
	text := sealed()
	if len(text) != Length || Length > 64 {
		t.Fatalf("an offer has %d characters, want %d and at most 64", len(text), Length)
	}
	claim, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if !keys.Holds(claim, terms) || !claim.Expires.Equal(until) {
		t.Fatal("a genuine offer does not hold")
	}
}

func TestEveryTermIsBound(t *testing.T) {
	claim, _ := Parse(sealed())
	for name, change := range map[string]func(*Terms){
		"principal": func(x *Terms) { x.Principal = "bob" },
		"tenant":    func(x *Terms) { x.Tenant = "b" },
		"tool":      func(x *Terms) { x.Tool = "docs/other" },
		"changed":   func(x *Terms) { x.Changed++ },
		"contract":  func(x *Terms) { x.Contract = "c2" },
		"binding":   func(x *Terms) { x.Binding = "b2" },
		"shifted":   func(x *Terms) { x.Principal, x.Tenant = "alicea", "" },
	} {
		other := terms
		change(&other)
		if keys.Holds(claim, other) {
			t.Errorf("%s is not bound", name)
		}
	}
}

// TestEveryCharacterCounts flips, cuts and extends an offer: none may hold.
func TestEveryCharacterCounts(t *testing.T) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_o =\n"
	text := sealed()
	holds := func(s string) bool {
		claim, err := Parse(s)
		return err == nil && keys.Holds(claim, terms)
	}
	for i := range text {
		for _, r := range alphabet {
			if other := text[:i] + string(r) + text[i+1:]; other != text && holds(other) {
				t.Errorf("character %d may be %q", i, r)
			}
		}
	}
	for _, s := range []string{"", text[1:], text[:len(text)-1], text + "A", text + "=", text + "\n", strings.ToUpper(text), text + text} {
		if holds(s) {
			t.Errorf("%q holds", s)
		}
	}
}

func TestOldKeysCheck(t *testing.T) {
	old := keys[1:].Seal([8]byte{}, terms, until)
	claim, _ := Parse(old)
	if !keys.Holds(claim, terms) {
		t.Fatal("an offer of a retired key does not hold while the key is kept")
	}
	if keys[:1].Holds(claim, terms) {
		t.Fatal("an offer holds under a key that did not seal it")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sealed())
	f.Fuzz(func(t *testing.T, text string) {
		claim, err := Parse(text)
		if err == nil && text != sealed() && keys.Holds(claim, terms) {
			t.Fatalf("%q holds", text)
		}
	})
}
