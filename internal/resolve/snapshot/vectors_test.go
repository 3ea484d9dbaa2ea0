package snapshot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
)

// gated is an embedder that waits until it is let through, and that can be down
// or refuse a text.
type gated struct {
	mu    sync.Mutex // guards what follows
	open  chan struct{}
	down  bool
	texts int
}

func newGated() *gated { return &gated{open: make(chan struct{})} }

func (g *gated) Name() string { return "gated/1" }

func (g *gated) set(down bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.down = down
}

func (g *gated) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	select {
	case <-g.open:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.down {
		return nil, errors.New("down")
	}
	g.texts += len(texts)
	var out [][]float32
	for _, text := range texts {
		if strings.Contains(text, "unspeakable") {
			return nil, fmt.Errorf("%w: too long", interlock.ErrText)
		}
		if strings.Contains(text, "crashing") {
			return nil, errors.New("it crashed")
		}
		out = append(out, []float32{1, float32(len(text)), 0})
	}
	return out, nil
}

// now is the view as it is, vectors or not.
func (r rig) now() *View { return Take(r.keeper, interlock.Local()).View() }

// TestVectorsFollow: what is published is there at once, found by its words; a
// later snapshot of the same generation has its vectors, and says so.
func TestVectorsFollow(t *testing.T) {
	g := newGated()
	r := newRig(t, g)
	r.publish("a", op("one", "Ring a bell"), op("two", "Read a note"))
	early, gen := r.now(), r.keeper.Current().Generation
	if len(early.Tools) != 2 || early.Scorer != "" {
		t.Fatalf("before the vectors: %d tools, scored by %q", len(early.Tools), early.Scorer)
	}
	if found := index.Search(early.Index, index.NewQuery("bell", nil, nil)); found[0].Lexical == 0 {
		t.Error("a tool without a vector is not found by its words")
	}
	close(g.open)
	late := r.view()
	if late.Scorer != g.Name() || r.keeper.Current().Generation != gen {
		t.Errorf("after the vectors: scored by %q in generation %d, published in %d", late.Scorer, r.keeper.Current().Generation, gen)
	}
	if late.Fingerprint == early.Fingerprint || late.Serial <= early.Serial {
		t.Error("two views that answer otherwise have one name")
	}
	if late.Tool("a/one") != early.Tool("a/one") {
		t.Error("a tool was compiled again for its vector")
	}
	if early.Scorer != "" || r.now() != late {
		t.Error("a view has changed")
	}
}

// TestFewLate: while no more than a tenth of a view waits for vectors, the
// others are searched by theirs, and the view says which has none.
func TestFewLate(t *testing.T) {
	g := newGated()
	close(g.open)
	r := newRig(t, g)
	var ops []interlock.Operation
	for i := range 20 {
		ops = append(ops, op(fmt.Sprint("t", i), fmt.Sprint("Does the thing ", i)))
	}
	r.publish("a", ops...)
	whole := r.view()
	g.set(true)
	r.publish("b", op("ring", "Ring a bell"))
	one := r.now()
	if one.Scorer == "" || one.Fingerprint == whole.Fingerprint {
		t.Errorf("one of twenty-one is late: scored by %q", one.Scorer)
	}
	r.publish("c", op("x", "Write it"), op("y", "Draw it"))
	if three := r.now(); three.Scorer != "" {
		t.Errorf("three of twenty-three are late: scored by %q", three.Scorer)
	}
	if hidden := Take(r.keeper, interlock.Principal{Name: "p", Tenant: interlock.SharedTenant, Allow: []string{"a/*"}}).View(); hidden.Scorer == "" {
		t.Error("tools outside a view changed how it is searched")
	}
	g.set(false)
	r.publish("d", op("z", "Send it"))
	if all := r.view(); all.Scorer == "" || len(all.bare) != 0 {
		t.Errorf("once the embedder answers again %d tools lack a vector", len(all.bare))
	}
}

// TestRefusedText: a text that the embedder does not take leaves its tool to
// lexical search, is not asked for again, and keeps nothing from the others.
func TestRefusedText(t *testing.T) {
	g := newGated()
	close(g.open)
	r := newRig(t, g)
	var ops []interlock.Operation
	for i := range 40 {
		ops = append(ops, op(fmt.Sprint("t", i), fmt.Sprint("Does the thing ", i)))
	}
	r.publish("a", append(ops, op("bad", "An unspeakable thing"))...)
	v := r.view()
	if len(v.bare) != 1 || !v.bare[v.Tool("a/bad")] || v.Scorer == "" {
		t.Fatalf("%d tools lack a vector, scored by %q", len(v.bare), v.Scorer)
	}
	if left := r.keeper.Current().lacking(); len(left) != 0 {
		t.Errorf("%d wordings still wait", len(left))
	}
	before := g.texts
	r.publish("a", append(ops, op("bad", "An unspeakable thing"), op("new", "Another"))...)
	if r.view(); g.texts-before > 8 {
		t.Errorf("%d texts were embedded for one new tool", g.texts-before)
	}
}

// TestCrashingTexts: however many texts of one source an embedder fails at, in
// words that say nothing of the text, the tools behind them get their vectors. A
// hidden source could keep them from everyone otherwise.
func TestCrashingTexts(t *testing.T) {
	g := newGated()
	close(g.open)
	r := newRig(t, g)
	var bad []interlock.Operation
	for i := range 2*together + 5 {
		bad = append(bad, op(fmt.Sprintf("t%d", i), fmt.Sprintf("A crashing text, number %d", i)))
	}
	r.publish("a", bad...)
	r.publish("b", op("one", "Ring a bell"))
	v := r.view()
	if n := len(r.keeper.Current().lacking()); n != 0 || v.bare[v.Tool("b/one")] || !v.bare[v.Tool("a/t0")] {
		t.Errorf("%d wordings wait, b/one has none: %t", n, v.bare[v.Tool("b/one")])
	}
}

// TestCloseWhileFilling: a keeper closes while its embedder waits.
func TestCloseWhileFilling(t *testing.T) {
	r := newRig(t, newGated())
	r.publish("a", op("one", "Ring a bell"))
	r.keeper.Close()
	if r.now().Tool("a/one") == nil {
		t.Error("a closed keeper shows nothing")
	}
}
