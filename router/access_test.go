package router

import (
	"fmt"
	"testing"
	"time"
)

// TestFloodOfRefusals: however many requests are refused, the log gets few
// entries, which count all of them.
func TestFloodOfRefusals(t *testing.T) {
	a, now := newAccess(), time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	entries, counted := 0, 0
	see := func(kind refusedKind) {
		if body := a.add(kind, "192.0.2.7", now.Format(time.RFC3339), now); body != nil {
			entries++
			counted += body.Count
		}
	}
	const flood = 100_000
	for n := range flood {
		now = now.Add(3 * time.Millisecond) // five minutes in all
		see(refusedKind{rule: "credential-unknown"})
		see(refusedKind{"right-audit", fmt.Sprint("made-up-", n)})
	}
	if len(a.kinds) > accessKinds+2 {
		t.Errorf("%d kinds are kept", len(a.kinds))
	}
	if most := 6 * (accessKinds + 2); entries > most || entries < 10 {
		t.Errorf("%d entries, at most %d", entries, most)
	}
	for _, body := range a.rest(now) {
		counted += body.Count
	}
	if counted != 2*flood || len(a.rest(now)) != 0 {
		t.Errorf("%d of %d are counted, then %v", counted, 2*flood, a.rest(now))
	}
}
