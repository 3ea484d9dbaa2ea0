package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// tool gives a record with a few members; n tells records apart.
func tool(n int) interlock.ToolRecord {
	return interlock.ToolRecord{
		ID: fmt.Sprintf("docs/tool-%03d", n), Source: "docs", Tenant: interlock.SharedTenant, Family: "document.extract",
		Version: "2.3.0", Effect: interlock.EffectRead, State: interlock.StateActive, Contract: fmt.Sprintf("%064x", n),
		Operation: interlock.Operation{Name: fmt.Sprintf("tool-%03d", n), InputSchema: json.RawMessage(`{"type":"object"}`)},
	}
}

func source(name string) interlock.SourceRecord {
	return interlock.SourceRecord{Config: interlock.SourceConfig{Name: name, Kind: interlock.KindManifest}, Tenant: interlock.SharedTenant, Total: 1}
}

func commitCounts(t *testing.T, f *fixture) {
	for want := uint64(1); want <= 5; want++ {
		got, err := f.store.Commit(t.Context(), want-1, interlock.Change{PutTools: []interlock.ToolRecord{tool(int(want))}})
		done(t, "commit", err)
		same(t, "generation of the commit", got, want)
		now, err := f.store.Generation(t.Context())
		done(t, "generation", err)
		same(t, "generation read", now, want)
	}
	f.reopen(t)
	state, err := f.store.Load(t.Context())
	done(t, "load", err)
	same(t, "generation after reopening", state.Generation, uint64(5))
	same(t, "tools after reopening", len(state.Tools), 5)
}

func commitConflicts(t *testing.T, f *fixture) {
	ctx := t.Context()
	_, err := f.store.Commit(ctx, 0, interlock.Change{PutTools: []interlock.ToolRecord{tool(1)}, PutSources: []interlock.SourceRecord{source("docs")}})
	done(t, "commit", err)
	before, err := f.store.Load(ctx)
	done(t, "load", err)
	for _, expect := range []uint64{0, 2, 1 << 63, ^uint64(0)} {
		_, err := f.store.Commit(ctx, expect, interlock.Change{PutTools: []interlock.ToolRecord{tool(2)}, DropTools: []string{tool(1).ID}, DropSources: []string{"docs"}})
		refused(t, fmt.Sprintf("commit from generation %d", expect), err, interlock.ReasonConflict)
	}
	after, err := f.store.Load(ctx)
	done(t, "load", err)
	same(t, "state after refused commits", after, before)
}

func commitRace(t *testing.T, f *fixture) {
	const racers, rounds = 8, 10
	for round := range uint64(rounds) {
		errs := race(racers, func(n int) error {
			_, err := f.store.Commit(t.Context(), round, interlock.Change{PutTools: []interlock.ToolRecord{tool(n)}})
			return err
		})
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				refused(t, "the loser's commit", err, interlock.ReasonConflict)
			}
		}
		same(t, "winners of a round", won, 1)
	}
	generation, err := f.store.Generation(t.Context())
	done(t, "generation", err)
	same(t, "generation after the races", generation, uint64(rounds))
}

// race runs n calls at once and gives their errors.
func race(n int, call func(int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	group.Wait()
	return errs
}

func commitWhole(t *testing.T, f *fixture) {
	_, err := f.store.Commit(t.Context(), 0, interlock.Change{PutTools: []interlock.ToolRecord{tool(1)}})
	done(t, "commit", err)
	change := interlock.Change{DropTools: []string{tool(1).ID}}
	for n := range 2000 {
		change.PutTools = append(change.PutTools, tool(n+2))
	}
	// Cancelled somewhere on the way: before, in the middle, or after.
	for pause := range 6 {
		ctx, cancel := context.WithCancel(t.Context())
		finished := make(chan error, 1)
		expect, err := f.store.Generation(t.Context())
		done(t, "generation", err)
		go func() {
			_, err := f.store.Commit(ctx, expect, change)
			finished <- err
		}()
		for range pause * 20 {
			_, err := f.store.Generation(t.Context())
			done(t, "generation", err)
		}
		cancel()
		err = <-finished
		state, loadErr := f.store.Load(t.Context())
		done(t, "load", loadErr)
		whole := state.Generation == expect+1 && len(state.Tools) == 2000
		nothing := state.Generation == expect
		if err == nil && !whole || err != nil && !whole && !nothing {
			t.Fatalf("commit answered %v and left generation %d with %d tools", err, state.Generation, len(state.Tools))
		}
	}
}

func putsAndDrops(t *testing.T, f *fixture) {
	ctx := t.Context()
	_, err := f.store.Commit(ctx, 0, interlock.Change{
		PutSources: []interlock.SourceRecord{source("b"), source("a"), source("c")},
		PutTools:   []interlock.ToolRecord{tool(3), tool(1), tool(2)},
	})
	done(t, "commit", err)
	changed := tool(2)
	changed.State, changed.Why, changed.Operation.Tags = interlock.StateRetired, "withdrawn", map[string]string{"team": "docs"}
	again := tool(3)
	again.Version = "3.0.0"
	_, err = f.store.Commit(ctx, 1, interlock.Change{
		DropSources: []string{"c", "never there"}, DropTools: []string{tool(1).ID, again.ID, "never there"},
		PutTools: []interlock.ToolRecord{changed, again},
	})
	done(t, "commit", err)
	want := interlock.RegistryState{Generation: 2, Sources: []interlock.SourceRecord{source("a"), source("b")}, Tools: []interlock.ToolRecord{changed, again}}
	for range 2 {
		got, err := f.store.Load(ctx)
		done(t, "load", err)
		same(t, "state: sorted, replaced whole, what is both dropped and put stays", got, want)
		f.reopen(t)
	}
}

func recordsSurvive(t *testing.T, f *fixture) {
	full := interlock.RegistryState{Generation: 1, Sources: []interlock.SourceRecord{filled[interlock.SourceRecord]()}, Tools: []interlock.ToolRecord{filled[interlock.ToolRecord]()}}
	_, err := f.store.Commit(t.Context(), 0, interlock.Change{PutSources: full.Sources, PutTools: full.Tools})
	done(t, "commit", err)
	f.reopen(t)
	got, err := f.store.Load(t.Context())
	done(t, "load", err)
	same(t, "state", got, full)
}

func spellingSurvives(t *testing.T, f *fixture) {
	spellings := []string{
		`{"b":1,"a":2}`, `{ "spaced" : [ 1 , 2 ] }`, "{\n\t\"lines\": true\n}\n", `{"n":9223372036854775807,"big":1e400,"zero":-0,"d":1.10}`,
		`{"html":"<a href='x'>&</a>"}`, `{"esc":"\u003c\/\u00e9é\u2028"}`, "{\"sep\":\"\u2028\u2029\"}", `{"twice":1,"twice":2}`, `null`, `""`, `true`, `{}`, `[]`,
		`{"lone":"\ud800"}`, `{"nul":"\u0000"}`,
	}
	var change interlock.Change
	for n, text := range spellings {
		record := tool(n)
		waiting := interlock.Operation{Name: "waiting", InputSchema: json.RawMessage(text), Binding: json.RawMessage(text)}
		record.Waiting = &waiting
		record.Operation.InputSchema, record.Operation.OutputSchema = json.RawMessage(text), json.RawMessage(text)
		record.Operation.Annotations, record.Operation.Binding = json.RawMessage(text), json.RawMessage(text)
		change.PutTools = append(change.PutTools, record)
	}
	_, err := f.store.Commit(t.Context(), 0, change)
	done(t, "commit", err)
	f.reopen(t)
	state, err := f.store.Load(t.Context())
	done(t, "load", err)
	same(t, "tools", state.Tools, change.PutTools)
}

// loadSeesOneGeneration writes pairs of tools that always agree, and loads all
// the while.
func loadSeesOneGeneration(t *testing.T, f *fixture) {
	ctx := t.Context()
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				state, err := f.store.Load(ctx)
				if err != nil {
					t.Errorf("load: %v", err)
					return
				}
				for _, tool := range state.Tools {
					if tool.Changed != state.Generation {
						t.Errorf("a load at generation %d has a tool of generation %d", state.Generation, tool.Changed)
						return
					}
				}
			}
		})
	}
	for n := range uint64(50) {
		first, second := tool(1), tool(2)
		first.Changed, second.Changed = n+1, n+1
		_, err := f.store.Commit(ctx, n, interlock.Change{PutTools: []interlock.ToolRecord{first, second}})
		done(t, "commit", err)
	}
	close(stop)
	readers.Wait()
}
