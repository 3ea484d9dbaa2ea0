package registry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestPlacesFollow holds the places that follow random changes against those of
// the whole state, and what is served against asking every tool.
func TestPlacesFollow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	versions := []string{"1.0.0", "1.0.0+b", "1.0.0-rc.1", "1.0.0-rc.1+c", "2.0.0"}
	states := []interlock.State{interlock.StateActive, interlock.StateActive, interlock.StatePending, interlock.StateQuarantined}
	state := &State{}
	for step := range 400 {
		state.places()
		var change interlock.Change
		for _, i := range rng.Perm(20)[:rng.IntN(5)] {
			id := fmt.Sprint("s/", i)
			if rng.IntN(4) == 0 {
				change.DropTools = append(change.DropTools, id)
				continue
			}
			change.PutTools = append(change.PutTools, interlock.ToolRecord{ID: id, Source: []string{"s", "x"}[i%2], Family: []string{"f", "g", "f.g"}[rng.IntN(3)],
				Version: versions[rng.IntN(len(versions))], State: states[rng.IntN(len(states))], Contract: fmt.Sprint(step)})
		}
		state = state.apply(change)
		if got, want := state.places(), newPlaces(state.Tools); !slices.Equal(got, want) {
			t.Fatalf("step %d: %v, want %v", step, got, want)
		}
		by := served{standing: state.places(), without: func(r *interlock.ToolRecord) bool { return r.Source == "x" }}
		for _, at := range []place{placeOf("f", "1.0.0"), placeOf("g", "1.0.0-rc.1+other"), placeOf("h", "1.0.0")} {
			want := slices.IndexFunc(state.Tools, func(r *interlock.ToolRecord) bool { return r.Source != "x" && serves(r) && recordPlace(r) == at })
			if got, ok := by.contract(at); ok != (want >= 0) || ok && got != state.Tools[want].Contract {
				t.Fatalf("step %d: %v is served with %q (%t)", step, at, got, ok)
			}
		}
	}
}
