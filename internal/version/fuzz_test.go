package version

import (
	"errors"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"
)

// The scanner behind the messages and the library behind the values must
// accept the same texts, or a refusal would go unexplained.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"1.2.3", "v1.2.3-rc.1+b", " 0.0.0-0 ", "1.2.3-01", "=1.2.3", "9007199254740992.1.1", "1.2.3-\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Parse(text)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset > len(text) || syntax.Message == "" {
				t.Fatalf("Parse(%q): %#v", text, err)
			}
			return
		}
		s := &scanner{text: strings.TrimPrefix(strings.TrimFunc(text, isSpace), "v")}
		p := s.partial()
		if s.err != nil || s.pos != len(s.text) || p.version() != v.Core() {
			t.Fatalf("the library reads %q as %s, the scanner as %s, %v", text, v, p.version(), s.err)
		}
		if again, err := Parse(v.String()); err != nil || again != v {
			t.Fatalf("%q is spelled %s, which reads as %s, %v", text, v, again, err)
		}
	})
}

// A range that parses has a spelling that means the same, and one that names
// a whole version agrees with the library's reading of it.
func FuzzParseRange(f *testing.F) {
	for _, seed := range []string{"^1.2 || ~0.0.0", "1 - 2.3", ">=1.2.3-a <2", "x", "", "||", "~> =1", "^^", "1.2.3+b || > \t2", "1.2.3-\xff"} {
		f.Add(seed, "1.2.3-a")
	}
	f.Fuzz(func(t *testing.T, text, version string) {
		r, err := ParseRange(text)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(syntax.Text) || syntax.Message == "" {
				t.Fatalf("ParseRange(%q): %#v", text, err)
			}
			return
		}
		if spelled := r.String(); len(spelled) <= MaxLength {
			again, err := ParseRange(spelled)
			if err != nil || again.String() != spelled || !again.Subset(r) || !r.Subset(again) {
				t.Fatalf("%q is spelled %q, which reads as %q, %v", text, spelled, again, err)
			}
		}
		v, err := Parse(version)
		if err == nil && r.Match(v) && (r.Empty() || !r.Intersects(r)) {
			t.Fatalf("%q admits %s and is said to be empty", text, v)
		}
		if whole, err := semver.StrictNewVersion(text); err == nil && len(text) < MaxLength {
			if v, err := Parse(text); err == nil && !r.Match(v) {
				t.Fatalf("the range %s refuses the version %s", text, whole)
			}
		}
	})
}

func BenchmarkParseRange(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseRange("^2.0 || >=3.1.4 <4"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	r, v := mustRange(b, "^2.0 || >=3.1.4 <4"), mustParse(b, "3.9.2")
	b.ReportAllocs()
	for b.Loop() {
		if !r.Match(v) {
			b.Fatal("refused")
		}
	}
}
