package snapshot

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/policy"
)

// whole compiles the registry's state from nothing.
func (r rig) whole(set *policy.Set) *Keeper {
	r.t.Helper()
	k, err := NewStill(context.Background(), r.reg.State(), Options{Logger: slog.New(slog.DiscardHandler), Policies: set})
	if err != nil {
		r.t.Fatal(err)
	}
	return k
}

// seen is everything of a view that an answer could show.
func seen(v *View) string {
	var b strings.Builder
	fmt.Fprintln(&b, v.Fingerprint)
	for _, t := range v.Tools {
		fmt.Fprintln(&b, t.ID, t.State, t.Why, t.Version, t.Handle, t.ToolRecord.Contract, string(t.Op.OutputSchema), v.MayInvoke(t), v.ByHandle(t.Handle) == t, len(t.Past), t.Facts().ID())
	}
	for _, need := range []string{"ring the bell", "read a note about bells", "s/t3", "list orders"} {
		var found []string
		for _, e := range index.Search(v.Index, index.NewQuery(need, nil, nil)) {
			found = append(found, fmt.Sprintf("%s %.9f", v.At(e).ID, e.Lexical))
		}
		slices.Sort(found)
		fmt.Fprintln(&b, need, found)
	}
	return b.String()
}

// TestPatchedIsWhole makes random changes one after the other: what they make of
// the snapshot is what compiling the registry from nothing makes, for principals
// of every kind.
func TestPatchedIsWhole(t *testing.T) {
	set, err := policy.Load([]policy.File{{Name: "p.cedar", Text: []byte(`
permit (principal, action, resource);
forbid (principal == Principal::"bob", action == Action::"discover", resource) when { resource.state == "unavailable" };
forbid (principal == Principal::"bob", action == Action::"readField", resource) when { resource.at == "output:/pay" };
forbid (principal == Principal::"eve", action == Action::"invoke", resource == Tool::"s/t1");
forbid (principal, action == Action::"discover", resource) when { resource.source == "e" };`)}})
	if err != nil {
		t.Fatal(err)
	}
	people := []interlock.Principal{interlock.Local(), {Name: "bob", Tenant: "shared"}, {Name: "eve", Tenant: "shared"}}
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 3))
		r := newRig(t, nil)
		r.keeper.SetPolicies(set)
		parts := 0
		for step := range 40 {
			change(r, rng)
			whole := r.whole(set)
			parts = max(parts, len(r.keeper.Current().segments))
			for _, who := range people {
				if got, want := seen(Take(r.keeper, who).View()), seen(Take(whole, who).View()); got != want {
					t.Fatalf("seed %d, step %d, %s:\n%s\nfrom nothing:\n%s", seed, step, who.Name, got, want)
				}
			}
			if got, want := len(r.keeper.Current().Tools()), len(whole.Current().Tools()); got != want {
				t.Fatalf("seed %d, step %d: %d tools, from nothing %d", seed, step, got, want)
			}
		}
		if parts < 4 {
			t.Errorf("seed %d: never more than %d parts", seed, parts)
		}
	}
}

// change makes one random change.
func change(r rig, rng *rand.Rand) {
	r.t.Helper()
	ctx := context.Background()
	source := []string{"s", "x"}[rng.IntN(2)]
	state := r.reg.State()
	var err error
	switch had := state.Source(source); rng.IntN(9) {
	case 0:
		if had != nil && rng.IntN(3) == 0 {
			err = r.reg.Withdraw(ctx, source)
		}
	case 1:
		if had != nil {
			err = r.reg.SetDown(ctx, source, []string{"", "it does not answer"}[rng.IntN(2)])
		}
	case 2:
		if len(state.Tools) > 0 {
			tool := state.Tools[rng.IntN(len(state.Tools))]
			err = r.reg.SetDrift(ctx, []registry.Judged{{Tool: tool.ID, Contract: tool.Contract, Binding: tool.Binding,
				Standing: []*interlock.DriftStanding{nil, {Rejected: true, Kinds: []string{"k"}}, {Kinds: []string{"k"}}}[rng.IntN(3)]}})
		}
	case 3:
		declare(r, rng)
	default:
		r.publish(source, definitions(rng, state, source)...)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// declare lets a source that has no tools, or is hidden from some, or both,
// declare an edge of others' tools.
func declare(r rig, rng *rand.Rand) {
	cat := interlock.Catalogue{Edges: []interlock.Edge{{Family: "bells", From: "1.0.0", To: fmt.Sprintf("%d.0.0", 2+rng.IntN(2)), Compat: interlock.None}}}
	if rng.IntN(2) == 0 {
		cat.Operations = []interlock.Operation{op("other", "Something else")}
	}
	cfg := interlock.SourceConfig{Name: []string{"d", "e"}[rng.IntN(2)], Kind: interlock.KindManifest}
	if _, err := r.reg.Publish(context.Background(), cfg, cat, registry.ByOperator); err != nil {
		r.t.Fatal(err)
	}
}

// definitions are those of a source with a few of them other, gone or new.
func definitions(rng *rand.Rand, state *registry.State, source string) []interlock.Operation {
	var ops []interlock.Operation
	for _, t := range state.Tools {
		if t.Source == source && rng.IntN(12) > 0 {
			ops = append(ops, t.Operation)
		}
	}
	for range 1 + rng.IntN(2) {
		o := op(fmt.Sprint("t", rng.IntN(24)), []string{"Ring the bell", "Read a note", "List orders"}[rng.IntN(3)])
		o.Version, o.Family = fmt.Sprintf("%d.0.0", 1+rng.IntN(3)), "bells"
		o.OutputSchema = json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"},"pay":{"type":"number"}}}`)
		ops = append(slices.DeleteFunc(ops, func(had interlock.Operation) bool { return had.Name == o.Name }), o)
	}
	return ops
}

// TestStandingKeepsWhatWasCompiled: whether a tool can be called moves neither
// its place in the index nor its compiled contract, and an offer's handle finds
// it.
func TestStandingKeepsWhatWasCompiled(t *testing.T) {
	r := newRig(t, nil)
	r.publish("a", op("one", "Ring a bell"), op("two", "Read a note"))
	before, was := r.keeper.Current(), r.view().Tool("a/one")
	if err := r.reg.SetDown(context.Background(), "a", "gone"); err != nil {
		t.Fatal(err)
	}
	now := r.view().Tool("a/one")
	if now.State != interlock.StateUnavailable || now.Contract != was.Contract || r.keeper.Current().segments[0].index != before.segments[0].index || r.view().ByHandle(was.Handle) != now {
		t.Errorf("down: %s; contract kept: %t; index kept: %t", now.State, now.Contract == was.Contract, r.keeper.Current().segments[0].index == before.segments[0].index)
	}
	if was.State != interlock.StateActive {
		t.Error("an earlier snapshot has changed")
	}
}

// BenchmarkAddOne measures how long a snapshot takes to follow one more tool of
// a source of 4,000, the registry's own work and the store apart.
func BenchmarkAddOne(b *testing.B) {
	for _, n := range []int{1000, 4000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { addOne(b, n) })
	}
}

func addOne(b *testing.B, n int) {
	r := newRig(b, nil)
	var ops []interlock.Operation
	for i := range n {
		o := op(fmt.Sprint("tool_", i), fmt.Sprintf("Looks up record number %d of the collection and gives what is known of it", i))
		o.InputSchema = json.RawMessage(`{"type":"object","properties":{"id":{"type":"string","description":"which record"},"limit":{"type":"integer"}},"required":["id"]}`)
		ops = append(ops, o)
	}
	r.publish("s", ops...)
	before := r.keeper.Current()
	r.publish("s", append(ops, op("zebra", "Counts zebras"))...)
	after := r.reg.State()
	b.Run("one more", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			r.keeper.current.Store(before)
			b.StartTimer()
			r.keeper.compile(context.Background(), after)
		}
	})
	b.Run("all anew", func(b *testing.B) {
		for b.Loop() {
			r.whole(nil)
		}
	})
}
