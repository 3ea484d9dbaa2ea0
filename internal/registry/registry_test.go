package registry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

func openStore(t *testing.T) interlock.Store {
	t.Helper()
	store, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func open(t *testing.T, store interlock.Store) *registry.Registry {
	t.Helper()
	reg, err := registry.Open(context.Background(), store)
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

// op is one definition: VERSION CONTRACT BINDING WORDS, a dash for nothing. A
// contract is the name of the one argument.
func op(text string) interlock.Operation {
	parts := strings.Fields(text)
	o := interlock.Operation{Name: "tool", Family: "f.x", Effect: interlock.EffectRead,
		InputSchema: json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%q:{}}}`, parts[1])),
		Binding:     json.RawMessage(fmt.Sprintf("%q", parts[2])),
		Variants:    []interlock.Variant{{ID: "d", Description: parts[3]}}}
	if parts[0] != "-" {
		o.Version = parts[0]
	}
	return o
}

func publish(t *testing.T, reg *registry.Registry, source string, manner registry.Manner, ops ...interlock.Operation) interlock.AddReport {
	t.Helper()
	report, err := reg.Publish(context.Background(), interlock.SourceConfig{Name: source, Kind: interlock.KindManifest},
		interlock.Catalogue{Total: len(ops), Operations: ops}, manner)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestSucceed publishes a tool under one definition after the other and says
// what it is after the last: version, state, what waits, and whether an offer
// for the definition before still holds.
func TestSucceed(t *testing.T) {
	for _, tc := range []struct {
		name    string
		manner  registry.Manner
		defs    []string
		version string
		state   interlock.State
		waits   bool
		moved   bool // the generation of the last change is the last publication's
		past    string
	}{
		{"same", registry.ByOperator, []string{"1.0.0 a x w", "1.0.0 a x w"}, "1.0.0", interlock.StateActive, false, false, ""},
		{"new words by the operator", registry.ByOperator, []string{"1.0.0 a x w", "1.0.0 a x v"}, "1.0.0", interlock.StateActive, false, false, ""},
		{"new words by a refresh", registry.ByRefresh, []string{"1.0.0 a x w", "1.0.0 a x v"}, "1.0.0", interlock.StateActive, true, false, ""},
		{"new words taken back", registry.ByRefresh, []string{"1.0.0 a x w", "1.0.0 a x v", "1.0.0 a x w"}, "1.0.0", interlock.StateActive, false, false, ""},
		{"other binding", registry.ByRefresh, []string{"1.0.0 a x w", "1.0.0 a y w"}, "1.0.0", interlock.StateActive, false, true, ""},
		{"other contract, same version", registry.ByOperator, []string{"1.0.0 a x w", "1.0.0 b x w"}, "1.0.0", interlock.StateChanged, true, true, ""},
		{"the same drift again", registry.ByOperator, []string{"1.0.0 a x w", "1.0.0 b x w", "1.0.0 b x w"}, "1.0.0", interlock.StateChanged, true, false, ""},
		{"another drift", registry.ByOperator, []string{"1.0.0 a x w", "1.0.0 b x w", "1.0.0 c x w"}, "1.0.0", interlock.StateChanged, true, true, ""},
		{"drift taken back", registry.ByOperator, []string{"1.0.0 a x w", "1.0.0 b x w", "1.0.0 a x w"}, "1.0.0", interlock.StateActive, false, true, ""},
		{"drift under a new version", registry.ByOperator, []string{"1.0.0 a x w", "1.0.0 b x w", "2.0.0 b x w"}, "2.0.0", interlock.StateActive, false, true, ""},
		{"other major", registry.ByOperator, []string{"1.0.0 a x w", "2.0.0 b x w"}, "2.0.0", interlock.StateActive, false, true, ""},
		{"a break under a minor", registry.ByOperator, []string{"1.0.0 a x w", "1.1.0 b x w"}, "1.0.0", interlock.StateChanged, true, true, ""},
		{"other version, same contract", registry.ByOperator, []string{"1.0.0 a x w", "1.1.0 a x w"}, "1.1.0", interlock.StateActive, false, true, ""},
		{"no versions", registry.ByRefresh, []string{"- a x w", "- b x w"}, "2.0.0", interlock.StateActive, false, true, "1.0.0"},
		{"no versions, there and back", registry.ByRefresh, []string{"- a x w", "- b x w", "- a x w"}, "3.0.0", interlock.StateActive, false, true, "1.0.0 2.0.0"},
		{"no versions, other binding", registry.ByRefresh, []string{"- a x w", "- a y w"}, "1.0.0", interlock.StateActive, false, true, ""},
		{"versions no longer stated", registry.ByRefresh, []string{"1.4.0 a x w", "- a x w"}, "1.0.0", interlock.StateActive, false, true, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			reg := open(t, openStore(t))
			publish(t, reg, "s", registry.ByOperator, op(tc.defs[0]))
			for _, def := range tc.defs[1:] {
				publish(t, reg, "s", tc.manner, op(def))
			}
			got := reg.State().Tool("s/tool")
			var past []string
			for _, p := range got.Past {
				past = append(past, p.Version)
			}
			if got.Version != tc.version || got.State != tc.state || (got.Waiting != nil) != tc.waits || strings.Join(past, " ") != tc.past {
				t.Errorf("got %s %s, waiting %v, past %v; want %s %s, %v, %v", got.Version, got.State, got.Waiting != nil, past, tc.version, tc.state, tc.waits, tc.past)
			}
			if moved := got.Changed == uint64(len(tc.defs)); moved != tc.moved {
				t.Errorf("last changed at generation %d of %d, want moved %t", got.Changed, len(tc.defs), tc.moved)
			}
		})
	}
}

// TestEarlierIsBounded: a tool that moves for ever keeps the last definitions
// and no more, the newest first.
func TestEarlierIsBounded(t *testing.T) {
	reg := open(t, openStore(t))
	for i := range 80 {
		publish(t, reg, "s", registry.ByRefresh, op(fmt.Sprintf("1.0.0 a binding%d w", i)))
	}
	got := reg.State().Tool("s/tool").Earlier
	if len(got) != 64 || got[0].Changed != 79 || got[63].Changed != 16 {
		t.Errorf("%d earlier definitions, from %d to %d", len(got), got[0].Changed, got[len(got)-1].Changed)
	}
}

// TestNothingChanged: a source read again as it was makes no generation.
func TestNothingChanged(t *testing.T) {
	reg := open(t, openStore(t))
	first := publish(t, reg, "s", registry.ByOperator, op("1.0.0 a x w"))
	again := publish(t, reg, "s", registry.ByRefresh, op("1.0.0 a x w"))
	if first.Generation != again.Generation || again.Tools != 1 {
		t.Errorf("first %+v, again %+v", first, again)
	}
}

// TestConflict: a change prepared against a generation that has moved is
// refused whole.
func TestConflict(t *testing.T) {
	store := openStore(t)
	one, two := open(t, store), open(t, store)
	publish(t, one, "s", registry.ByOperator, op("1.0.0 a x w"))
	_, err := two.Publish(context.Background(), interlock.SourceConfig{Name: "other"}, interlock.Catalogue{Operations: []interlock.Operation{op("1.0.0 a x w")}}, registry.ByOperator)
	if interlock.ReasonOf(err) != interlock.ReasonConflict || two.State().Generation != 0 || two.State().Source("other") != nil {
		t.Errorf("%v, generation %d", err, two.State().Generation)
	}
}

func TestOpenWithoutAStore(t *testing.T) {
	if _, err := registry.Open(context.Background(), nil); err == nil {
		t.Error("a registry without a store opened")
	}
}

// TestSurvives makes random changes and expects that what is stored is what is
// held, that sources change nobody else's tools, and that hooks see each state.
func TestSurvives(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	store := openStore(t)
	reg := open(t, store)
	seen := uint64(0)
	reg.OnChange(func(_ context.Context, s *registry.State) { seen = s.Generation })
	for range 120 {
		before := reg.State()
		source := fmt.Sprintf("s%d", r.IntN(4))
		change(t, r, reg, source)
		after := reg.State()
		if after != before && seen != after.Generation {
			t.Fatalf("the hook saw generation %d of %d", seen, after.Generation)
		}
		if diff := cmp.Diff(others(before, source), others(after, source), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("a change of %s moved another's tools:\n%s", source, diff)
		}
		if diff := cmp.Diff(after, open(t, store).State(), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(registry.State{})); diff != "" {
			t.Fatalf("held and stored (-held +stored):\n%s", diff)
		}
		if !slices.IsSortedFunc(after.Tools, func(a, b *interlock.ToolRecord) int { return strings.Compare(a.ID, b.ID) }) {
			t.Fatal("the tools are not in order")
		}
	}
}

func change(t *testing.T, r *rand.Rand, reg *registry.Registry, source string) {
	t.Helper()
	ctx := context.Background()
	switch r.IntN(5) {
	case 0:
		err := reg.Withdraw(ctx, source)
		if err != nil && interlock.ReasonOf(err) != interlock.ReasonNotFound {
			t.Fatal(err)
		}
	case 1:
		if err := reg.SetDown(ctx, source, []string{"", "no answer"}[r.IntN(2)]); err != nil {
			t.Fatal(err)
		}
	default:
		var ops []interlock.Operation
		for i := range 1 + r.IntN(4) {
			o := op(fmt.Sprintf("%s c%d x w%d", []string{"-", "1.0.0", "1.1.0", "2.0.0"}[r.IntN(4)], r.IntN(2), r.IntN(2)))
			o.Name, o.Family = fmt.Sprintf("t%d", i), source+".family"
			ops = append(ops, o)
		}
		publish(t, reg, source, registry.Manner(r.IntN(2)), ops...)
	}
}

func others(s *registry.State, source string) []*interlock.ToolRecord {
	return slices.DeleteFunc(slices.Clone(s.Tools), func(t *interlock.ToolRecord) bool { return t.Source == source })
}

// A document of which every operation is bad leaves the source as it was; the
// first one of a source is registered as what it is, and one whose definitions
// are kept away for what they say takes the old ones with it.
func TestNothingReplacesNoTools(t *testing.T) {
	reg := open(t, openStore(t))
	bad := op("1.0.0 a b words")
	bad.InputSchema = json.RawMessage(`{"type":7}`)
	if report := publish(t, reg, "other", registry.ByOperator, bad); report.Tools != 0 {
		t.Fatalf("%+v", report)
	}
	publish(t, reg, "s", registry.ByOperator, op("1.0.0 a b words"))
	before := reg.State()
	for _, manner := range []registry.Manner{registry.ByOperator, registry.ByRefresh} {
		_, err := reg.Publish(t.Context(), interlock.SourceConfig{Name: "s", Kind: interlock.KindManifest}, interlock.Catalogue{Total: 1, Operations: []interlock.Operation{bad}}, manner)
		if interlock.ReasonOf(err) != interlock.ReasonSourceInvalid || !strings.Contains(interlock.AsError(err).Public, "stays as it was. The first, at /tools/0") {
			t.Errorf("%v", err)
		}
		if reg.State() != before {
			t.Error("a generation was made")
		}
	}
	publish(t, reg, "s", registry.ByOperator)
	if len(reg.State().Tools) != 0 {
		t.Error("a source with nothing in it keeps tools")
	}
	publish(t, reg, "s", registry.ByOperator, op("1.0.0 a b words"))
	hidden := op("1.0.0 a b words")
	hidden.Name = "too\u200bl"
	publish(t, reg, "s", registry.ByOperator, hidden)
	if len(reg.State().Tools) != 0 {
		t.Errorf("kept beside what is kept away: %v", reg.State().Tools)
	}
}
