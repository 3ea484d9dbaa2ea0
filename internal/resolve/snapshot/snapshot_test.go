package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// rig is a registry over a store, and the keeper that follows it.
type rig struct {
	t      testing.TB
	reg    *registry.Registry
	keeper *Keeper
}

func newRig(t testing.TB, embedder interlock.Embedder) rig {
	t.Helper()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	reg, err := registry.Open(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	keeper, err := NewKeeper(ctx, reg, Options{Embedder: embedder, Vectors: store, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(keeper.Close)
	return rig{t, reg, keeper}
}

func (r rig) publish(source string, ops ...interlock.Operation) {
	r.t.Helper()
	_, err := r.reg.Publish(context.Background(), interlock.SourceConfig{Name: source, Kind: interlock.KindManifest}, interlock.Catalogue{Operations: ops}, registry.ByOperator)
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r rig) view() *View {
	r.t.Helper()
	if err := r.keeper.Settled(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	return Take(r.keeper, interlock.Local()).View()
}

func op(name string, words ...string) interlock.Operation {
	o := interlock.Operation{Name: name, Version: "1.0.0", Effect: interlock.EffectRead, Binding: json.RawMessage(`"x"`)}
	for i, w := range words {
		o.Variants = append(o.Variants, interlock.Variant{ID: string(rune('a' + i)), Description: w})
	}
	return o
}

func TestKeeperRefuses(t *testing.T) {
	if _, err := NewKeeper(context.Background(), nil, Options{Logger: slog.New(slog.DiscardHandler)}); err == nil {
		t.Error("a keeper of no registry was made")
	}
	if (Frozen{}).View() != nil {
		t.Error("the zero value sees something")
	}
}

// TestReuse: a change of one source compiles that one; every other keeps what
// was compiled, down to the pointer.
func TestReuse(t *testing.T) {
	r := newRig(t, nil)
	r.publish("a", op("one", "Ring a bell"))
	r.publish("b", op("two", "Read a note"))
	one, two := r.view().Tool("a/one"), r.view().Tool("b/two")
	r.publish("b", op("two", "Read another note"))
	if r.view().Tool("a/one") != one || r.view().Tool("b/two") == two {
		t.Error("an unchanged source was compiled again, or a changed one was not")
	}
}

// TestEveryChangeShows: whatever of a definition changes, and be it the
// spelling, the snapshot has what the registry has.
func TestEveryChangeShows(t *testing.T) {
	schema := func(text string) func(*interlock.Operation) {
		return func(o *interlock.Operation) { o.InputSchema = json.RawMessage(text) }
	}
	for _, tc := range []struct {
		name   string
		change func(*interlock.Operation)
	}{
		{"words", func(o *interlock.Operation) { o.Variants[0].Description = "Other words" }},
		{"order of wordings", func(o *interlock.Operation) { o.Variants[0], o.Variants[1] = o.Variants[1], o.Variants[0] }},
		{"aliases", func(o *interlock.Operation) { o.Aliases = []string{"a b"} }},
		{"aliases apart", func(o *interlock.Operation) { o.Aliases = []string{"a", "b"} }},
		{"tags", func(o *interlock.Operation) { o.Tags = map[string]string{"team": "docs"} }},
		{"order of members", schema(`{"properties":{"x":{}},"type":"object"}`)},
		{"title", func(o *interlock.Operation) { o.Title = "Title" }},
		{"timeout", func(o *interlock.Operation) { o.Timeout = "5s" }},
		{"results", func(o *interlock.Operation) { o.Results = "warn" }},
		{"state", func(o *interlock.Operation) { o.State = interlock.StateDeprecated }},
		{"binding", func(o *interlock.Operation) { o.Binding = json.RawMessage(`"y"`) }},
		{"version", func(o *interlock.Operation) { o.Version = "1.1.0" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t, nil)
			before := op("one", "Ring a bell", "Sound a bell")
			before.InputSchema = json.RawMessage(`{"type":"object","properties":{"x":{}}}`)
			if tc.name == "aliases apart" {
				before.Aliases = []string{"a b"}
			}
			after := before
			after.Variants = append([]interlock.Variant(nil), before.Variants...)
			tc.change(&after)
			r.publish("s", before)
			r.publish("s", after)
			held, _ := json.Marshal(r.reg.State().Tool("s/one").Operation)
			shown, _ := json.Marshal(r.view().Tool("s/one").Op)
			if string(held) != string(shown) {
				t.Errorf("the registry has\n%s\nand the snapshot\n%s", held, shown)
			}
		})
	}
}

// TestViewsAreShared: principals who see the same share one view, whatever
// their names; others do not.
func TestViewsAreShared(t *testing.T) {
	r := newRig(t, nil)
	r.publish("a", op("one", "Ring a bell"))
	take := func(name, tenant string, allow ...string) *View {
		return Take(r.keeper, interlock.Principal{Name: name, Tenant: tenant, Allow: allow}).View()
	}
	alice := take("alice", "t", "a/*", "b/*")
	if bob := take("bob", "t", "b/*", "a/*", "a/*"); bob != alice {
		t.Error("alice and bob see the same and have two views")
	}
	if other := take("other", "t", "b/*"); other == alice || len(other.Tools) != 0 {
		t.Error("who sees less has the same view")
	}
}

// TestPendingSaysNothing: a tool that waits does not decide what contract its
// version has, wherever its name stands in the order.
func TestPendingSaysNothing(t *testing.T) {
	for _, names := range [][2]string{{"a", "b"}, {"b", "a"}} {
		r := newRig(t, nil)
		first, second := op("one", "Ring a bell"), op("one", "Ring a bell")
		first.Family, second.Family = "bell.ring", "bell.ring"
		second.InputSchema = json.RawMessage(`{"type":"object","properties":{"x":{}}}`)
		r.publish(names[0], first)
		r.publish(names[1], second)
		rows := r.view().Family("bell.ring").Versions
		want := r.reg.State().Tool(names[0] + "/one").Contract
		if len(rows) != 1 || len(rows[0].Tools) != 2 || rows[0].Contract != want {
			t.Errorf("%v: %+v, want the contract %s", names, rows, want)
		}
	}
}

func TestByHandle(t *testing.T) {
	r := newRig(t, nil)
	r.publish("a", op("one", "Ring a bell"))
	if got := r.view().ByHandle(HandleOf("a/one")); got == nil || got.ID != "a/one" {
		t.Error("a visible tool is not found by its handle")
	}
	blind := Take(r.keeper, interlock.Principal{Name: "x", Tenant: "t", Allow: []string{"b/*"}}).View()
	if blind.ByHandle(HandleOf("a/one")) != nil || blind.Tool("a/one") != nil || blind.ByHandle(Handle{}) != nil {
		t.Error("a hidden tool is found")
	}
}

// TestPack: a vector keeps its direction through the store, and what is no
// vector reads as none.
func TestPack(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		v := make([]float32, 1+r.IntN(64))
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		got := unpack(pack(v))
		if len(got) != len(v) {
			t.Fatalf("%d numbers of %d", len(got), len(v))
		}
		for i := range v {
			if math.Abs(float64(got[i]-v[i])) > 0.0002 {
				t.Fatalf("seed %d: %v came back as %v", seed, v[i], got[i])
			}
		}
		if string(pack(got)) != string(pack(unpack(pack(got)))) {
			t.Fatal("the stored form moves when it is stored again")
		}
	}
	if unpack(nil) != nil || unpack([]byte{1, 2}) != nil || len(unpack(pack(make([]float32, 3)))) != 3 {
		t.Error("too little, or zeros")
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(pack([]float32{1, -0.5, 0}))
	f.Fuzz(func(_ *testing.T, b []byte) { unpack(b) })
}

// lame is an embedder that cannot read some texts.
type lame struct{ calls *int }

func (lame) Name() string { return "lame/1" }

func (l lame) Embed(_ context.Context, texts []string) ([][]float32, error) {
	*l.calls++
	var out [][]float32
	for _, text := range texts {
		if strings.Contains(text, "bell") {
			return nil, errors.New("no bells")
		}
		out = append(out, []float32{float32(len(text)), 1, 0})
	}
	return out, nil
}

// TestEmbedderFails: a tool whose text cannot be embedded is found by its
// words; the others keep their vectors, which are computed once.
func TestEmbedderFails(t *testing.T) {
	calls := 0
	r := newRig(t, lame{&calls})
	r.publish("a", op("one", "Ring a bell"), op("two", "Read a note"))
	found := index.Search(r.view().Index, index.NewQuery("ring a bell", nil, [][]float32{{1, 0, 0}}))
	if len(found) != 2 || found[0].Lexical == 0 || found[0].Dense != 0 || found[1].Dense == 0 {
		t.Errorf("%+v", found)
	}
	before := calls
	changed := op("two", "Read a note")
	changed.Aliases = []string{"reader"}
	r.publish("a", op("one", "Ring a bell"), changed)
	if calls > before+1 { // the one that failed is tried again
		t.Errorf("%d texts were embedded again", calls-before)
	}
}

// TestPoliciesAtOnce: new policies hold for whoever asks from that moment on,
// and the swap returns once every lease from before is given back.
func TestPoliciesAtOnce(t *testing.T) {
	r := newRig(t, nil)
	r.publish("s", op("ring", "Ring a bell"))
	who := interlock.Principal{Name: "pat"}
	load := func(text string) *policy.Set {
		set, err := policy.Load([]policy.File{{Name: "p", Text: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	r.keeper.SetPolicies(load(`permit (principal, action, resource);`))
	before := Take(r.keeper, who)
	release := r.keeper.Lease()
	done, none := make(chan struct{}), load(``)
	go func() {
		defer close(done)
		r.keeper.SetPolicies(none)
	}()
	for r.keeper.Policies() != none {
		time.Sleep(time.Millisecond)
	}
	if n := len(Take(r.keeper, who).View().Tools); n != 0 {
		t.Errorf("%d tools are visible under policies that permit nothing", n)
	}
	if tool := before.View().Tool("s/ring"); tool == nil || before.Shown(r.keeper, tool) != nil {
		t.Error("a view from before shows what policies hide since")
	}
	select {
	case <-done:
		t.Error("the swap returned while a lease was held")
	case <-time.After(20 * time.Millisecond):
	}
	release()
	<-done
}

// TestFamilies: the families of a view are those of its tools, whole ones and
// those of one tool alike, and edges count where both versions are there.
func TestFamilies(t *testing.T) {
	r := newRig(t, nil)
	var ops []interlock.Operation
	for i, family := range []string{"b.two", "", "b.two", "c.one", "", "a.three", "a.three", "a.three"} {
		o := op(fmt.Sprint("t", i), "Ring a bell")
		o.Family, o.Version = family, fmt.Sprintf("1.%d.0", i)
		ops = append(ops, o)
	}
	r.publish("s", ops...)
	v, want := r.view(), map[string][]*Tool{}
	for _, tool := range v.Tools {
		want[tool.Family] = append(want[tool.Family], tool)
	}
	var names []string
	for f := range v.Families() {
		names = append(names, f.Name)
		if found := v.Family(f.Name); !slices.Equal(f.Tools, want[f.Name]) || !slices.Equal(found.Tools, f.Tools) || len(f.Versions) != len(f.Tools) {
			t.Errorf("%s has %d tools and %d versions, want %d", f.Name, len(f.Tools), len(f.Versions), len(want[f.Name]))
		}
	}
	if !slices.IsSorted(names) || len(names) != len(want) {
		t.Errorf("families %v, want %d", names, len(want))
	}
	if v.Family("b") != nil || v.Family("z") != nil || v.Family("") != nil {
		t.Error("a family that is not there is found")
	}
	v.gather([]interlock.Edge{{Family: "a.three", From: "1.5.0", To: "1.6.0"}, {Family: "c.one", From: "1.3.0", To: "1.3.0"}, {Family: "c.one", From: "1.3.0", To: "1.4.0"}, {Family: "z"}})
	if n, one := len(v.Family("a.three").Edges), len(v.Family("c.one").Edges); n != 1 || one != 1 {
		t.Errorf("%d and %d edges, want one each", n, one)
	}
}
