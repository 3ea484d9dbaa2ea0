package fit

import (
	"testing"

	"github.com/seed-ae386458/interlock/internal/index"
)

// TestAbroad: what is told of a tool in another language is told as of one in
// the need's own, and only of English needs.
func TestAbroad(t *testing.T) {
	e := index.Evidence{Dense: 0.4, Context: 0.2, Gist: 0.9, Lexical: 0.2, Foreign: true}
	english, korean := index.NewQuery("what is the weather", nil, nil), index.NewQuery("오늘 날씨 어때", nil, nil)
	if got := abroad(e, english, 1); got.Dense <= e.Dense || got.Context <= e.Context || got.Gist != 1 || got.Lexical <= e.Lexical || !got.Foreign {
		t.Errorf("English over another language: %+v", got)
	}
	if got := abroad(e, english, 0.1); got.Dense >= abroad(e, english, 1).Dense || got.Dense <= e.Dense {
		t.Errorf("beside others: %+v", got)
	}
	own := e
	own.Foreign = false
	if got := abroad(own, english, 1); got != own {
		t.Errorf("English over English: %+v", got)
	}
	if got := abroad(e, korean, 1); got != own {
		t.Errorf("Korean over another language: %+v", got)
	}
}

// TestNameCovered: a name that an English need cannot hold is neither held nor
// missed.
func TestNameCovered(t *testing.T) {
	q := index.NewQuery("the weather in Seoul", nil, nil)
	for _, c := range []struct {
		name    string
		foreign bool
		want    float64
	}{
		{"get_weather", false, 1}, {"get_weather", true, 1}, {"get_tide", true, 0},
		{"날씨_조회", true, 0.25}, {"날씨_조회", false, 0},
	} {
		if got := nameCovered(c.name, q, index.Evidence{Lexical: 0.25, Foreign: c.foreign}); got != c.want {
			t.Errorf("%s, foreign %t: %v, want %v", c.name, c.foreign, got, c.want)
		}
	}
}
