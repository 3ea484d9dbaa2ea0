package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/router"
)

// TestConcurrent publishes, withdraws, breaks and refreshes sources while
// others resolve and call. A caller of one major never reaches the other, every
// refusal is one of those that a moving tool explains, and the source that
// nobody touches serves each of its calls.
func TestConcurrent(t *testing.T) {
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	r := newRouter(t, s, nil)
	c := &crowd{t: t, router: r, shelf: s}
	c.publish("stable", "bell.ring", "1.0.0", "bell")
	c.publish("moving", "note.write", "1.0.0", "note1")
	c.publish("broken", "odd.job", "1.0.0", "odd")
	const rounds = 60
	var wg sync.WaitGroup
	for _, work := range []func(int){
		c.move, c.comeAndGo, c.breaks, c.lists,
		func(int) { c.ask("bell.ring", "^1.0", `{"by":"\"bell\""}`, nil) },
		func(int) { c.ask("note.write", "^1.0", `{"by":"\"note1\""}`, explained) },
		func(int) { c.ask("note.write", "^2.0", `{"by":"\"note2\""}`, explained) },
	} {
		wg.Go(func() {
			for i := range rounds {
				work(i)
			}
		})
	}
	wg.Wait()
	if n, err := r.LogVerify(context.Background()); err != nil || n == 0 {
		t.Errorf("the log after it all: %d entries, %v", n, err)
	}
}

// explained are the refusals of a call whose tool moves or goes.
var explained = map[interlock.Reason]bool{interlock.ReasonFingerprintChanged: true, interlock.ReasonOfferInvalid: true, interlock.ReasonNotCallable: true, interlock.ReasonUnavailable: true}

type crowd struct {
	t      *testing.T
	router *router.Router
	shelf  *shelf
}

func (c *crowd) publish(source, family, version, binding string) {
	schema := `{"type":"object"}`
	if version == "2.0.0" {
		schema = `{"type":"object","properties":{"x":{"type":"string"}}}`
	}
	c.shelf.put(source, interlock.Catalogue{Operations: []interlock.Operation{{Name: "tool", Family: family, Version: version, Effect: interlock.EffectRead,
		Variants: []interlock.Variant{{ID: "d", Description: family}}, InputSchema: json.RawMessage(schema), Binding: json.RawMessage(fmt.Sprintf("%q", binding)),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"}}}`)}}})
	if _, err := c.router.Add(context.Background(), interlock.Local(), interlock.SourceConfig{Name: source, Kind: interlock.KindManifest}); err != nil {
		c.t.Errorf("publish %s: %v", source, err)
	}
}

func (c *crowd) move(i int) {
	n := 1 + i%2
	c.publish("moving", "note.write", fmt.Sprintf("%d.0.0", n), fmt.Sprintf("note%d", n))
}

func (c *crowd) comeAndGo(i int) {
	name := fmt.Sprintf("guest%d", i%3)
	c.publish(name, "guest.tool", "1.0.0", "guest")
	if err := c.router.Remove(context.Background(), interlock.Local(), name); err != nil {
		c.t.Errorf("remove %s: %v", name, err)
	}
}

// breaks marks a source as down and reads it again.
func (c *crowd) breaks(int) {
	ctx := context.Background()
	if err := c.router.MarkDown(ctx, "broken", "no answer"); err != nil {
		c.t.Error(err)
	}
	if _, err := c.router.Refresh(ctx, "broken"); err != nil {
		c.t.Error(err)
	}
}

func (c *crowd) lists(int) {
	if _, err := c.router.Tools(context.Background(), interlock.Principal{Name: "bob", Tenant: "b", Allow: []string{"s*"}}); err != nil {
		c.t.Error(err)
	}
}

// ask resolves and calls. Without refusals to expect both have to go well.
func (c *crowd) ask(family, rng, want string, explained map[interlock.Reason]bool) {
	ctx, who := context.Background(), interlock.Local()
	res, err := c.router.Resolve(ctx, who, interlock.Need{Text: family, Constraints: []interlock.Constraint{{Family: family, Range: rng}}})
	if err != nil {
		c.t.Error(err)
		return
	}
	if len(res.Candidates) == 0 {
		if explained == nil {
			c.t.Errorf("%s %s: %s, %v", family, rng, res.Disposition, res.Refusal)
		}
		return
	}
	got, err := c.router.Call(ctx, who, interlock.CallRequest{Offer: res.Candidates[0].Offer, Args: []byte(`{}`)})
	if err != nil {
		if !explained[interlock.ReasonOf(err)] {
			c.t.Errorf("%s %s: %v", family, rng, err)
		}
		return
	}
	if string(got.Result) != want {
		c.t.Errorf("%s %s was answered by another: %s", family, rng, got.Result)
	}
}
