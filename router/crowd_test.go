package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/router"
)

// TestCrowdKeepsApart lets 50 principals with different views resolve, list,
// show and call while sources with tools for each of them come, change and go.
// Every tool carries the mark of the one who may see it, in every text that it
// has: nobody ever gets a byte of another's mark, and no call of another's tool
// arrives.
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
				if err := r.Remove(ctx, interlock.Local(), source); err != nil && interlock.CodeOf(err) != interlock.CodeNotFound && ctx.Err() == nil {
					t.Error(err)
				}
			}
			c.publish(source, n)
		}
	})
	for w := range 4 {
		asking.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(w+1)))
			for range rounds / 4 {
				c.visit(rng, rng.IntN(people))
			}
		})
	}
	asking.Wait()
	stop()
	changing.Wait()
	t.Logf("%d answers searched, %d calls arrived, %d own marks seen", c.searched.Load(), far.arrived.Load(), c.own.Load())
	if c.own.Load() < int64(rounds) || far.arrived.Load() < int64(rounds)/8 {
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
}

// publish registers a source with a tool for each of ten principals and one for
// all. The families are shared, the versions count up.
func (c *crowded) publish(source string, n int) {
	cat := interlock.Catalogue{Source: source}
	for i := range 11 {
		whom, m := fmt.Sprint("p", 10*int(source[1]-'0')+i), mark(10*int(source[1]-'0')+i)
		if i == 10 {
			whom, m = "all", "EVERYBODY"
		}
		schema := fmt.Sprintf(`{"type":"object","properties":{"For":{"type":"string","description":"%s"},"x%d":{"enum":["%s"]}}}`, m, n%3, m)
		cat.Operations = append(cat.Operations, interlock.Operation{Name: fmt.Sprintf("ring_%s", m), Family: fmt.Sprintf("bell.%s%d", source, i), Version: fmt.Sprintf("%d.0.0", 1+n),
			Title: m, Aliases: []string{"alias " + m}, Effect: interlock.EffectRead, Tags: map[string]string{"for": whom, "mark": m}, Variants: []interlock.Variant{{ID: "d", Description: "Ring the bell for " + m}},
			InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"masked":{"type":"string","description":"MASKED"}}}`),
			Errors: []interlock.ErrorCase{{When: m}}, Binding: json.RawMessage(fmt.Sprintf(`{"For":%q}`, whom))})
	}
	c.far.stock.Store(source, cat)
	if _, err := c.router.Add(context.Background(), interlock.Local(), interlock.SourceConfig{Name: source, Kind: interlock.KindManifest}); err != nil {
		c.t.Errorf("publish %s: %v", source, err)
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
