package inclusion

import (
	"fmt"
	"strings"

	"github.com/seed-ae386458/interlock/internal/inclusion/regular"
)

// texts is what is known of a string.
type texts struct {
	query       regular.Query
	must, never []string // patterns
}

func (s *solver) text(b *branch) answer {
	var t texts
	t.query.Max = -1
	for _, a := range b.atoms {
		t.take(a)
	}
	text, out := s.findText(t)
	if out.found == yes {
		return found(&value{kind: kString, str: text})
	}
	return out
}

func (t *texts) take(a *atom) {
	switch a.kind {
	case aLength:
		t.query.Min = max(t.query.Min, a.lo)
		if a.hi >= 0 && (t.query.Max < 0 || a.hi < t.query.Max) {
			t.query.Max = a.hi
		}
	case aMatch:
		if a.neg {
			t.never = append(t.never, a.text)
		} else {
			t.must = append(t.must, a.text)
		}
	case aEnum:
		for _, v := range a.values {
			if v.kind == kString {
				t.query.Not = append(t.query.Not, v.str)
			}
		}
	}
}

// findText finds a string. Where readers of patterns differ, all of them must
// agree on whether there is one.
func (s *solver) findText(t texts) (string, answer) {
	contested := false
	for _, pattern := range append(append([]string{}, t.must...), t.never...) {
		s.spend(2 + len(pattern))
		contested = contested || regular.Contested(pattern)
	}
	text, out := s.findRead(t, regular.RE2)
	if !contested || out.found == maybe {
		return text, out
	}
	if _, other := s.findRead(t, regular.ECMA); other.found != out.found {
		return "", unsure(&Stop{Construct: "a pattern that RE2 and ECMA-262 read differently"})
	}
	return text, out
}

func (s *solver) findRead(t texts, reading regular.Reading) (string, answer) {
	q := t.query
	var stop *Stop
	add := func(to []*regular.Language, patterns []string) []*regular.Language {
		for _, pattern := range patterns {
			if l := s.language(pattern, reading); l != nil {
				to = append(to, l)
			} else {
				stop = &Stop{Construct: fmt.Sprintf("the pattern %.80q", pattern)}
				if *s.work <= 0 {
					stop = outOfWork
				}
			}
		}
		return to
	}
	q.Must, q.MustNot = add(nil, t.must), add(nil, t.never)
	text, outcome := regular.Find(q, s.work)
	switch {
	case outcome == regular.Empty:
		return "", empty()
	case outcome == regular.Unknown:
		return "", unsure(&Stop{Construct: "patterns whose automata are too large"})
	case stop != nil:
		return "", unsure(stop)
	}
	return text, answer{found: yes}
}

// language gives the automaton of a pattern, nil where it has none.
func (s *solver) language(pattern string, reading regular.Reading) *regular.Language {
	known := s.langs[reading]
	if l, ok := known[pattern]; ok {
		return l
	}
	if !s.spend(50 + 20*len(pattern) + 2000*strings.Count(pattern, "{")) {
		return nil
	}
	l, _ := regular.Compile(pattern, reading) //nolint:errcheck // nil stands for what cannot be read
	known[pattern] = l
	return l
}
