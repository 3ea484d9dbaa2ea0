package vet_test

import (
	"bufio"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/vet"
)

// lines gives the lines of a corpus, what they spell.
func lines(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if line := sc.Text(); line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, spell(line))
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s holds nothing", name)
	}
	return out
}

var spelled = regexp.MustCompile(`\\(?:n|\\|u\{[0-9A-Fa-f]+\})`)

func spell(line string) string {
	return spelled.ReplaceAllStringFunc(line, func(esc string) string {
		switch {
		case esc == `\n`:
			return "\n"
		case esc == `\\`:
			return `\`
		}
		r, _ := strconv.ParseUint(esc[3:len(esc)-1], 16, 32)
		return string(rune(r))
	})
}

func described(text string) interlock.Operation {
	return interlock.Operation{Name: "x", Variants: []interlock.Variant{{ID: "default", Description: text}}}
}

func quarantined(flags []vet.Flag) bool {
	for _, f := range flags {
		if f.Severity == vet.Quarantine {
			return true
		}
	}
	return false
}

func TestAttacksAreQuarantined(t *testing.T) {
	n := 0
	for _, line := range lines(t, "attacks.txt") {
		kind, text, ok := strings.Cut(line, " | ")
		if !ok {
			t.Fatalf("no kind: %q", line)
		}
		n++
		flags := vet.Check(described(text))
		if !quarantined(flags) {
			t.Errorf("%s passes: %q %v", kind, text, flags)
		}
		// Behind harmless sentences it is found as well.
		longer := "Returns the opening hours of a library as a list. " + text + " Times are local."
		if strings.Contains("rot13 reversed base64 hex percent escapes entities", kind) {
			longer = text
		}
		if !quarantined(vet.Check(described(longer))) {
			t.Errorf("%s passes inside a longer text: %q", kind, longer)
		}
	}
	if n < 80 {
		t.Errorf("%d attacks; there should be 80", n)
	}
}

func TestHarmlessPasses(t *testing.T) {
	for _, text := range lines(t, "harmless.txt") {
		if flags := vet.Check(described(text)); len(flags) > 0 {
			t.Errorf("%q is flagged: %+v", text, flags)
		}
	}
}

func TestMentionsAreNotQuarantined(t *testing.T) {
	for _, text := range lines(t, "mentions.txt") {
		flags := vet.Check(described(text))
		if quarantined(flags) {
			t.Errorf("%q is quarantined: %+v", text, flags)
		}
		if len(flags) == 0 {
			t.Errorf("%q is not even for review", text)
		}
	}
}
