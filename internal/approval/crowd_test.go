package approval

import (
	"fmt"
	"testing"
	"time"
)

// TestHeldCrowd: a caller who asks for much loses his own oldest, and takes the
// place of nobody; what is counted is what is kept.
func TestHeldCrowd(t *testing.T) {
	h := &held{calls: map[string]heldCall{}, most: 100}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	put := func(who string, n int) {
		h.put(fmt.Sprint(who, n), Call{Principal: who, Args: make([]byte, 10)}, now.Add(time.Duration(n)*time.Second), now.Add(time.Hour))
	}
	put("quiet", 0)
	for n := range 30 {
		put("loud", n)
		put("other", n%3)
	}
	sum := 0
	for _, x := range h.calls {
		sum += len(x.args)
	}
	if sum != h.size || sum > h.most || len(h.calls) != 10 {
		t.Errorf("%d calls of %d bytes are kept, counted as %d", len(h.calls), sum, h.size)
	}
	for id, want := range map[string]bool{"quiet0": true, "other0": true, "other2": true, "loud0": false, "loud23": false, "loud24": true, "loud29": true} {
		if _, ok := h.get(id, now); ok != want {
			t.Errorf("%s is kept: %t", id, ok)
		}
	}
	h.put("late", Call{Principal: "late", Args: make([]byte, 10)}, now.Add(2*time.Hour), now.Add(3*time.Hour))
	if len(h.calls) != 1 || h.size != 10 {
		t.Errorf("%d calls that are over are kept, of %d bytes", len(h.calls)-1, h.size)
	}
}
