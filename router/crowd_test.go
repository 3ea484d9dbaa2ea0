package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/router"
)

// TestCrowdKeepsApart lets 50 principals with different views resolve, list,
// show and call while sources with tools for each of them come, change and go.
// Every tool carries the mark of the one who may see it, in every text that it
// has: nobody ever gets a byte of another's mark, and no call of another's tool
// arrives. Some of them have a router of their own beside, in which what they may
// not see never existed: while nothing changes, both give the same bytes.
func TestCrowdKeepsApart(t *testing.T) {
	rounds, long := attacks(400)
	if long {
		rounds /= 10
	}
	const people, seed = 50, 7
	t.Logf("%d principals, %d rounds in all, seed %d", people, rounds, seed)
	far := &marked{t: t}
	r := newRouterOf(t, far, memoryDir(t), newClock())
	var laws strings.Builder
	laws.WriteString(`permit (principal, action == Action::"readField", resource) when { !(resource.at like "*/masked*") };` + "\n")
	for p := range people {
		fmt.Fprintf(&laws, "permit (principal == Principal::%q, action in [Action::\"discover\", Action::\"invoke\"], resource) when { resource.tags.contains(\"for=p%d\") };\n", fmt.Sprint("p", p), p)
	}
	laws.WriteString(`permit (principal, action in [Action::"discover", Action::"invoke"], resource) when { resource.tags.contains("for=all") };`)
	r.SetPolicies(policies(t, laws.String()))
	c := &crowded{t: t, router: r, far: far}
	for _, p := range []int{17, 49} {
		l := &lonely{p: p, far: &marked{t: t}}
		l.router = newRouterOf(t, l.far, memoryDir(t), newClock())
		l.router.SetPolicies(policies(t, laws.String()))
		c.lonely = append(c.lonely, l)
	}
	for i := range 5 {
		c.publish(fmt.Sprint("s", i), 0)
	}
	ctx, stop := context.WithCancel(context.Background())
	var changing, asking sync.WaitGroup
	changing.Go(func() {
		rng := rand.New(rand.NewPCG(seed, 0))
		for n := 1; ctx.Err() == nil; n++ {
			source := fmt.Sprint("s", rng.IntN(5))
			if rng.IntN(4) == 0 {
				c.remove(source)
			}
			c.publish(source, n)
			for quiet := c.compared.Load(); n%2 == 0 && c.compared.Load() < quiet+2 && ctx.Err() == nil; { // a moment to compare in
				time.Sleep(time.Millisecond)
			}
		}
	})
	late := time.Now().Add(time.Minute) // a busy machine is given more rounds, and no more than that
	for w := range 4 {
		asking.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(w+1)))
			for n := 0; n < rounds/4 || !c.enough() && time.Now().Before(late); n++ {
				c.visit(rng, rng.IntN(people))
				c.compare(rng, c.lonely[rng.IntN(len(c.lonely))])
				time.Sleep(time.Duration(rng.IntN(10)) * time.Millisecond) // a change waits until calls are judged
			}
		})
	}
	asking.Wait()
	stop()
	changing.Wait()
	t.Logf("%d answers searched, %d calls arrived, %d own marks seen, %d pairs compared, %d changes", c.searched.Load(), far.arrived.Load(), c.own.Load(), c.compared.Load(), c.changes.Load()/2)
	if c.own.Load() < int64(rounds) || !c.enough() || far.arrived.Load() < int64(rounds)/8 {
		t.Error("hardly anything was answered")
	}
}

// mark is what stands in everything of one principal's tools.
func mark(p int) string { return fmt.Sprintf("MARK%03d", p) }

// marked is where calls arrive: whoever calls says who he is in his arguments,
// and the binding says whom the tool is for.
type marked struct {
	t       *testing.T
	stock   sync.Map
	arrived atomic.Int64
}

func (m *marked) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	return markedSource{m, cfg.Name}, nil
}

type markedSource struct {
	*marked
	name string
}

func (markedSource) Close() error { return nil }

func (s markedSource) Catalogue(context.Context) (interlock.Catalogue, error) {
	cat, _ := s.stock.Load(s.name)
	return cat.(interlock.Catalogue), nil
}

func (s markedSource) Call(_ context.Context, call interlock.Outbound) (interlock.Reply, error) {
	if err := call.Dispatched(); err != nil {
		return interlock.Reply{}, err
	}
	var args, whom struct{ For string }
	if json.Unmarshal(call.Args, &args) != nil || json.Unmarshal(call.Binding, &whom) != nil || whom.For != "all" && whom.For != args.For {
		s.t.Errorf("a call of %s arrived at the tool of %s", call.Args, call.Binding)
	}
	s.arrived.Add(1)
	return interlock.Reply{Result: json.RawMessage(fmt.Sprintf(`{"text":"%s","masked":"MASKED"}`, whom.For)), Content: json.RawMessage(`[{"type":"text","text":"MASKED"}]`)}, nil
}

type crowded struct {
	t             *testing.T
	router        *router.Router
	far           *marked
	searched, own atomic.Int64
	lonely        []*lonely
	changes       atomic.Int64 // two for each change: odd while one is under way
	compared      atomic.Int64 // pairs of answers
}

// enough reports whether a good deal changed, and was compared in between.
func (c *crowded) enough() bool { return c.changes.Load() >= 2*30 && c.compared.Load() >= 40 }

// lonely is one principal's own router, with nothing but what he may see.
type lonely struct {
	p      int
	far    *marked
	router *router.Router
}

// of leaves of a catalogue what a principal sees.
func (l *lonely) of(cat interlock.Catalogue) interlock.Catalogue {
	cat.Operations = slices.DeleteFunc(slices.Clone(cat.Operations), func(op interlock.Operation) bool {
		return op.Tags["for"] != "all" && op.Tags["for"] != fmt.Sprint("p", l.p)
	})
	return cat
}

// remove takes a source out everywhere.
func (c *crowded) remove(source string) {
	c.changes.Add(1)
	defer c.changes.Add(1)
	for _, r := range c.routers() {
		if err := r.Remove(context.Background(), interlock.Local(), source); err != nil && interlock.CodeOf(err) != interlock.CodeNotFound {
			c.t.Error(err)
		}
	}
}

func (c *crowded) routers() []*router.Router {
	all := []*router.Router{c.router}
	for _, l := range c.lonely {
		all = append(all, l.router)
	}
	return all
}

// compare asks the same of the crowd's router and of a lonely one. Where nothing
// changed meanwhile the bytes are the same, offers compared by length.
func (c *crowded) compare(rng *rand.Rand, l *lonely) {
	ctx, who := context.Background(), interlock.Principal{Name: fmt.Sprint("p", l.p), Tenant: "t"}
	need := interlock.Need{Text: pickOf(rng, "ring the bell", "ring the bell for "+mark(l.p), "ring the bell for "+mark((l.p+1)%50), "bell.ring"),
		Constraints: pickOf(rng, nil, []interlock.Constraint{{Family: "bell.ring", Range: pickOf(rng, ">=1.0.0", "^999.0", "1.x || 2.x")}})}
	hidden := fmt.Sprintf("s%d/ring_%s", rng.IntN(5), mark((l.p+1+rng.IntN(49))%50))
	before := c.changes.Load()
	got, want := c.told(ctx, c.router, who, need, hidden), c.told(ctx, l.router, who, need, hidden)
	if c.changes.Load() != before || before%2 == 1 {
		return
	}
	c.compared.Add(1)
	if diff := cmp.Diff(want, got); diff != "" {
		c.t.Errorf("%s asks %+v: with what is hidden from him (+) and without it (-):\n%s", who.Name, need, diff)
	}
}

// told is everything that a router answers a principal, as text.
func (c *crowded) told(ctx context.Context, r *router.Router, who interlock.Principal, need interlock.Need, hidden string) []string {
	res, err := r.Resolve(ctx, who, need)
	for i := range res.Candidates {
		res.Candidates[i].Offer = fmt.Sprint(len(res.Candidates[i].Offer))
	}
	out := []string{c.text(res, err)}
	tools, err := r.Tools(ctx, who)
	out = append(out, c.text(tools, err))
	sources, err := r.Sources(ctx, who)
	out = append(out, c.text(sources, err))
	family, err := r.Family(ctx, who, interlock.Constraint{Family: "bell.ring", Range: "^999.0"})
	out = append(out, c.text(family, err))
	shown, err := r.Show(ctx, who, hidden)
	out = append(out, c.text(shown, err))
	_, err = r.Call(ctx, who, interlock.CallRequest{Tool: hidden, Args: []byte(`{}`)})
	return append(out, c.text(nil, err))
}

// text is an answer or an error as its caller gets it.
func (c *crowded) text(answer any, err error) string {
	text, failed := interlock.Marshal(answer)
	if failed != nil {
		c.t.Error(failed)
	}
	if err == nil {
		return string(text)
	}
	e := interlock.AsError(err)
	return fmt.Sprintf("%s %s %s %s", e.Code, e.Reason, e.Pointer, e.Public)
}

// publish registers a source with a tool for each of ten principals and one for
// all. Every other tool is of one family that is shared, each at a version of its
// own; the versions count up.
func (c *crowded) publish(source string, n int) {
	c.changes.Add(1)
	defer c.changes.Add(1)
	cat := interlock.Catalogue{Source: source}
	for i := range 11 {
		whom, m := fmt.Sprint("p", 10*int(source[1]-'0')+i), mark(10*int(source[1]-'0')+i)
		if i == 10 {
			whom, m = "all", "EVERYBODY"
		}
		schema := fmt.Sprintf(`{"type":"object","properties":{"For":{"type":"string","description":"%s"},"x%d":{"enum":["%s"]}}}`, m, n%3, m)
		family, version := fmt.Sprintf("bell.%s%d", source, i), fmt.Sprintf("%d.0.0", 1+n)
		if i%2 == 0 {
			family, version = "bell.ring", fmt.Sprintf("%d.%d.0", 11*int(source[1]-'0')+i+1, n)
		}
		cat.Operations = append(cat.Operations, interlock.Operation{Name: fmt.Sprintf("ring_%s", m), Family: family, Version: version,
			Title: m, Aliases: []string{"alias " + m}, Effect: interlock.EffectRead, Tags: map[string]string{"for": whom, "mark": m}, Variants: []interlock.Variant{{ID: "d", Description: "Ring the bell for " + m}},
			InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"masked":{"type":"string","description":"MASKED"}}}`),
			Errors: []interlock.ErrorCase{{When: m}}, Binding: json.RawMessage(fmt.Sprintf(`{"For":%q}`, whom))})
	}
	c.far.stock.Store(source, cat)
	for _, l := range c.lonely {
		l.far.stock.Store(source, l.of(cat))
	}
	for _, r := range c.routers() {
		if _, err := r.Add(context.Background(), interlock.Local(), interlock.SourceConfig{Name: source, Kind: interlock.KindManifest}); err != nil {
			c.t.Errorf("publish %s: %v", source, err)
		}
	}
}

// visit asks everything as one principal, and searches each byte of each answer.
func (c *crowded) visit(rng *rand.Rand, p int) {
	ctx := context.Background()
	who := interlock.Principal{Name: fmt.Sprint("p", p), Tenant: "t"}
	other := mark((p + 1 + rng.IntN(49)) % 50)
	need := interlock.Need{Text: pickOf(rng, "ring the bell", "ring the bell for "+mark(p), "alias "+mark(p), "종을 울려 "+mark(p))}
	res, err := c.router.Resolve(ctx, who, need)
	c.search(p, "", res, err)
	tools, err := c.router.Tools(ctx, who)
	c.search(p, "", tools, err)
	sources, err := c.router.Sources(ctx, who)
	c.search(p, "", sources, err)
	hidden := fmt.Sprintf("s%d/ring_%s", rng.IntN(5), other)
	shown, err := c.router.Show(ctx, who, hidden)
	c.search(p, other, shown, err)
	if err == nil {
		c.t.Errorf("%s was shown %s", who.Name, hidden)
	}
	got, err := c.router.Call(ctx, who, interlock.CallRequest{Tool: hidden, Args: fmt.Appendf(nil, `{"For":%q}`, who.Name)})
	c.search(p, other, got, err)
	for _, cand := range res.Candidates {
		got, err := c.router.Call(ctx, who, interlock.CallRequest{Offer: cand.Offer, Args: fmt.Appendf(nil, `{"For":%q}`, who.Name)})
		c.search(p, "", got, err)
		lent, err := c.router.Call(ctx, interlock.Principal{Name: "p" + fmt.Sprint((p+1)%50), Tenant: "t"}, interlock.CallRequest{Offer: cand.Offer, Args: []byte(`{"For":"thief"}`)})
		c.search((p+1)%50, "", lent, err)
	}
}

// search looks for the marks of others in an answer or error; asked is what the
// question itself named.
func (c *crowded) search(p int, asked string, answer any, err error) {
	text, failed := interlock.Marshal(answer)
	if failed != nil {
		c.t.Error(failed)
	}
	whole := string(text)
	if err != nil {
		e := interlock.AsError(err)
		whole += e.Public + e.Pointer
	}
	c.searched.Add(1)
	if strings.Contains(whole, mark(p)) {
		c.own.Add(1)
	}
	whole = strings.ReplaceAll(whole, mark(p), "")
	if asked != "" {
		whole = strings.ReplaceAll(whole, asked, "")
	}
	if strings.Contains(whole, "MARK") || strings.Contains(whole, "MASKED") {
		c.t.Errorf("p%d got a byte of another: %s", p, whole)
	}
}
