package regular

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func compiled(t testing.TB, patterns ...string) []*Language {
	t.Helper()
	var out []*Language
	for _, p := range patterns {
		l, err := Compile(p, RE2)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

func TestFind(t *testing.T) {
	for _, tc := range []struct {
		name        string
		must, never []string
		min, max    int
		not         []string
		want        string
		outcome     Outcome
	}{
		{"nothing asked", nil, nil, 0, -1, nil, "", Found},
		{"length", nil, nil, 3, 3, nil, "aaa", Found},
		{"no length", nil, nil, 3, 2, nil, "", Empty},
		{"all but", nil, nil, 0, 1, []string{"", "a"}, "b", Found},
		{"only the empty text", nil, nil, 0, 0, []string{""}, "", Empty},
		{"pattern", []string{"^a+$"}, nil, 3, -1, nil, "aaa", Found},
		{"unanchored", []string{"b"}, nil, 0, -1, nil, "b", Found},
		{"same language", []string{"^(ab)*$"}, []string{"^(?:ab)*$"}, 0, -1, nil, "", Empty},
		{"larger language", []string{"^[ab]*$"}, []string{"^(ab)*$"}, 0, -1, nil, "a", Found},
		{"all strings", nil, []string{"a*"}, 0, -1, nil, "", Empty},
		{"line end", nil, []string{"^.*$"}, 0, -1, nil, "\n", Found},
		{"two patterns", []string{"^a", "b$"}, nil, 0, -1, []string{"ab"}, "aab", Found},
		{"boundary", []string{`\bx\b`}, []string{`^x`}, 0, -1, nil, ":x", Found},
		{"no boundary", []string{`\Bx`}, nil, 0, -1, nil, "ax", Found},
		{"too long", []string{"^a{5}$"}, nil, 0, 4, nil, "", Empty},
		{"long", []string{"^[0-9a-f]{64}$"}, []string{"^a"}, 0, -1, nil, "b" + strings.Repeat("a", 63), Found},
		{"beyond ASCII", []string{"^[^\\x00-\\x7f]$"}, nil, 0, -1, []string{"é"}, "\u0080", Found},
		{"case of characters", []string{`^\w$`}, []string{"^[a-zA-Z0-9]$"}, 0, -1, nil, "_", Found},
	} {
		work := 100_000
		got, outcome := Find(Query{Must: compiled(t, tc.must...), MustNot: compiled(t, tc.never...), Min: tc.min, Max: tc.max, Not: tc.not}, &work)
		if outcome != tc.outcome || got != tc.want && tc.name != "beyond ASCII" {
			t.Errorf("%s: %q, %v, want %q, %v", tc.name, got, outcome, tc.want, tc.outcome)
		}
	}
	work := 50
	if _, outcome := Find(Query{Must: compiled(t, "(a|b)*a[ab]{12}$"), MustNot: compiled(t, "^b"), Max: -1}, &work); outcome != Unknown {
		t.Error("an answer without the work")
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, p := range []string{"(?=a)", "(?i)a", `(a)\1`, "(", `\A`, "[[:alpha:]]", `a\z`, "[]a]", "{,3}", `[\b]`, "(?<=a)b", `[\S]`} {
		if _, err := Compile(p, RE2); !errors.Is(err, ErrOutside) {
			t.Errorf("%q: %v", p, err)
		}
	}
}

func TestReadings(t *testing.T) {
	for _, tc := range []struct {
		pattern, text string
		re2, ecma     bool
	}{
		{"^.$", "\r", true, false}, {"^.$", "a", true, true}, {`^\s$`, "\v", false, true}, {`^[\s]$`, "\u00a0", false, true}, {`^\S$`, "\ufeff", true, false},
		{`^\u0041\cJ$`, "A\n", true, true}, {"^(?<x>a)$", "a", true, true}, {`^\.$`, "a", false, false},
	} {
		for reading, want := range map[Reading]bool{RE2: tc.re2, ECMA: tc.ecma} {
			l, err := Compile(tc.pattern, reading)
			if err != nil {
				t.Fatal(err)
			}
			if got := l.Match(tc.text); got != want {
				t.Errorf("%q matches %q read as %v: %v", tc.pattern, tc.text, reading, got)
			}
		}
		if Contested(tc.pattern) != (tc.re2 != tc.ecma || tc.pattern == "^.$") {
			t.Errorf("Contested(%q)", tc.pattern)
		}
	}
}

// randomPattern writes patterns over a small alphabet.
func randomPattern(r *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"a", "b", "[ab]", "[^a]", ".", `\b`, "^", "$", `\w`, "ab", "_", ""}[r.IntN(12)]
	}
	x, y := randomPattern(r, depth-1), randomPattern(r, depth-1)
	switch r.IntN(6) {
	case 0:
		return "(?:" + x + ")*"
	case 1:
		return "(?:" + x + "|" + y + ")"
	case 2:
		return "(?:" + x + "){1,2}"
	case 3:
		return "(?:" + x + ")?"
	}
	return x + y
}

// Automata match as the package regexp does, and a search finds what trying
// every short text finds.
func TestAgainstRegexp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := []string{""}
	for start, length := 0, 0; length < 4; length++ {
		end := len(texts)
		for _, text := range texts[start:end] {
			for _, c := range []string{"a", "b", "_", "-", "\n"} {
				texts = append(texts, text+c)
			}
		}
		start = end
	}
	for range 300 {
		p, q := randomPattern(r, 3), randomPattern(r, 2)
		if strings.Contains(p+q, "**") {
			continue
		}
		rp, err1 := regexp.Compile(p)
		rq, err2 := regexp.Compile(q)
		if err1 != nil || err2 != nil {
			continue
		}
		lp, lq := compiled(t, p)[0], compiled(t, q)[0]
		shortest := -1
		for _, text := range texts {
			in, out := rp.MatchString(text), rq.MatchString(text)
			if lp.Match(text) != in || lq.Match(text) != out {
				t.Fatalf("%q or %q with %q: %v %v", p, q, text, lp.Match(text), lq.Match(text))
			}
			if in && !out && shortest < 0 {
				shortest = len(text)
			}
		}
		work := 200_000
		got, outcome := Find(Query{Must: []*Language{lp}, MustNot: []*Language{lq}, Max: -1}, &work)
		switch outcome {
		case Found:
			if !rp.MatchString(got) || rq.MatchString(got) || shortest >= 0 && len(got) > shortest {
				t.Fatalf("%q without %q: %q, one of %d exists", p, q, got, shortest)
			}
		case Empty:
			if shortest >= 0 {
				t.Fatalf("%q without %q: said to be empty, one of %d exists", p, q, shortest)
			}
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{"^a.b$", `[\s\d]+`, `\u00e9|\cA`, "(?<n>x){2,}", `\bfoo\b`, "[^]"} {
		f.Add(seed, "ab")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 200 || len(text) > 200 {
			return
		}
		l, err := Compile(pattern, RE2)
		if err != nil {
			return
		}
		spelled, err := spell(pattern, RE2)
		if err != nil {
			t.Fatal(err)
		}
		re, err := regexp.Compile(spelled)
		if err != nil {
			return
		}
		if got := l.Match(text); got != re.MatchString(text) && strings.ToValidUTF8(text, "") == text {
			t.Fatalf("%q with %q: %v", pattern, text, got)
		}
	})
}
