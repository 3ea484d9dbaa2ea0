package index

import (
	"context"
	"strings"
	"testing"
)

// TestEarlier: earlier turns are bounded and whole; they add terms that weigh
// less than the need's, more where the need names no act, and none to a need
// that has none before it.
func TestEarlier(t *testing.T) {
	if got := Earlier([]string{"a", "b", "c", "d", "e"}); got != "b\nc\nd\ne" {
		t.Errorf("the last turns are %q", got)
	}
	if got := Earlier([]string{strings.Repeat("가", 4000)}); len(got) > maxEarlierBytes || strings.ContainsRune(got, '\ufffd') {
		t.Errorf("%d bytes, the first %q", len(got), got[:3])
	}
	weight := func(need string, turns ...string) float64 {
		q, err := Prepare(context.Background(), need, turns, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range q.lexical {
			if x.text == "vaccin" {
				return x.weight
			}
		}
		return 0
	}
	short, full, own, none := weight("in San Francisco", "check the vaccine"), weight("find a shop", "check the vaccine"), weight("find a vaccine", "check the vaccine"), weight("in San Francisco")
	if !(own == 1 && own > short && short > full && full > 0 && none == 0) {
		t.Errorf("a word weighs %v in the need, %v before one without an act, %v before another, %v without", own, short, full, none)
	}
}
