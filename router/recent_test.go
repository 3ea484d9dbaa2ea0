package router

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestRecent puts and gets at random: a value that is found is the last one put,
// one of the last puts is always found, and there are never more than twice the
// room.
func TestRecent(t *testing.T) {
	const room = 5
	rng := rand.New(rand.NewPCG(1, 2))
	r, last, age := newRecent[int, int](room), map[int]int{}, map[int]int{}
	for i := range 5000 {
		key := rng.IntN(20)
		if v, ok := r.get(key); ok && v != last[key] {
			t.Fatalf("get(%d) = %d, put last was %d", key, v, last[key])
		} else if put, was := age[key]; !ok && was && i-put < room {
			t.Fatalf("%d was put %d puts ago and is gone", key, i-put)
		}
		r.put(key, i)
		last[key], age[key] = i, i
		if n := len(r.young) + len(r.old); n > 2*room {
			t.Fatalf("%d values are kept in a room of %d", n, room)
		}
	}
}

// TestUnnamedNeeds: needs that JSON writes alike are not taken for each other.
func TestUnnamedNeeds(t *testing.T) {
	for text, named := range map[string]bool{"ring": true, "ring \ufffd": true, "ring \xff": false, "ring \xc0": false} {
		raw, err := interlock.Marshal(interlock.Need{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if got := askedOf(raw) != (askedFor{}); got != named {
			t.Errorf("%q has a name: %t, want %t", text, got, named)
		}
	}
}

// TestRecentKeepsWhatIsUsed: what is asked for again and again outlives any number
// of others, and no more is held than twice the room.
func TestRecentKeepsWhatIsUsed(t *testing.T) {
	r := newRecent[int, int](4)
	r.put(-1, -1)
	for i := range 100 {
		r.put(i, i)
		if v, ok := r.use(-1); !ok || v != -1 {
			t.Fatalf("after %d others: %d %t", i+1, v, ok)
		}
		if r.len() > 8 {
			t.Fatalf("%d are held", r.len())
		}
	}
	if _, ok := r.use(0); ok {
		t.Error("what nobody asks for stays")
	}
}
