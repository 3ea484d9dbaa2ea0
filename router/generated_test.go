package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/router"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// shelf is an opener whose sources are catalogues in memory. A call answers
// with the name of the operation that it reached.
type shelf struct {
	mu    sync.Mutex // guards the fields below
	stock map[string]interlock.Catalogue
	sent  int
}

func (s *shelf) put(source string, cat interlock.Catalogue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stock[source] = cat
}

func (s *shelf) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

// Open gives the source of a name.
func (s *shelf) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	return shelved{s, cfg.Name}, nil
}

type shelved struct {
	shelf *shelf
	name  string
}

func (s shelved) Catalogue(context.Context) (interlock.Catalogue, error) {
	s.shelf.mu.Lock()
	defer s.shelf.mu.Unlock()
	cat, ok := s.shelf.stock[s.name]
	if !ok {
		return cat, &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonSourceUnreachable, Stage: "ingest", Public: "No such source."}
	}
	return cat, nil
}

func (s shelved) Call(_ context.Context, call interlock.Outbound) (interlock.Reply, error) {
	s.shelf.mu.Lock()
	defer s.shelf.mu.Unlock()
	s.shelf.sent++
	return interlock.Reply{Result: json.RawMessage(fmt.Sprintf(`{"by":%q}`, call.Binding))}, nil
}

func (shelved) Close() error { return nil }

// newRouter opens a router over a fresh store and the sources of a shelf.
func newRouter(t testing.TB, s *shelf, embedder interlock.Embedder) *router.Router {
	t.Helper()
	return newRouterWith(t, s, func(o *router.Options) { o.Embedder = embedder })
}

// newRouterWith does it with other options.
func newRouterWith(t testing.TB, s *shelf, change func(*router.Options)) *router.Router {
	t.Helper()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := receipt.NewKeys(newRandom(3))
	if err != nil {
		t.Fatal(err)
	}
	opts := router.Options{Store: store, Openers: map[string]interlock.Opener{interlock.KindManifest: s}, Keys: keys,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Clock: newClock().now, Random: newRandom(5), Tokens: countTokens}
	change(&opts)
	r, err := router.New(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func stock(t testing.TB, r *router.Router, s *shelf, cats map[string]interlock.Catalogue, order []string) {
	t.Helper()
	for _, name := range order {
		s.put(name, cats[name])
		if _, err := r.Add(context.Background(), interlock.Local(), interlock.SourceConfig{Name: name, Kind: interlock.KindManifest}); err != nil {
			t.Fatal(err)
		}
	}
}

// gen makes registries, principals and needs out of few words, families and
// versions, so that they meet often.
type gen struct{ *rand.Rand }

func newGen(seed uint64) gen { return gen{rand.New(rand.NewPCG(seed, 99))} }

func (g gen) pick(words ...string) string { return words[g.IntN(len(words))] }

var vocabulary = strings.Fields(`weather city current forecast tide harbour note write read delete record archive document extract field table
	invoice send mail translate text language bell ring tower 날씨 도시 문서 天気 都市`)

func (g gen) words(n int) string {
	var out []string
	for range n {
		out = append(out, g.pick(vocabulary...))
	}
	return strings.Join(out, " ")
}

var (
	genFamilies = []string{"weather.current", "note.write", "document.extract", "bell.ring"}
	genVersions = []string{"1.0.0", "1.1.0", "1.2.0", "2.0.0", "2.1.0", "3.0.0"}
	genSources  = []string{"s0", "s1", "s2", "s3", "s4"}
)

// registry gives a catalogue a source. A family and version have one contract
// wherever they stand, and neighbours often have the same.
func (g gen) registry(tools int) map[string]interlock.Catalogue {
	cats := map[string]interlock.Catalogue{}
	for _, s := range genSources {
		cats[s] = interlock.Catalogue{Tenant: g.pick("shared", "shared", "a", "b"), Edges: g.edges(s)}
	}
	for i := range tools {
		s := g.pick(genSources...)
		cat := cats[s]
		cat.Operations = append(cat.Operations, g.operation(fmt.Sprintf("t%d", i)))
		cat.Total++
		cats[s] = cat
	}
	return cats
}

func (g gen) operation(name string) interlock.Operation {
	op := interlock.Operation{Name: name, Family: g.pick(append(genFamilies, "")...), Version: g.pick(genVersions...), Effect: interlock.EffectRead,
		State: interlock.State(g.pick("", "", "", "deprecated", "retired")), Binding: json.RawMessage(`"` + name + `"`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"}}}`)}
	kind := (len(op.Family) + int(op.Version[2])) % 2 // the contract follows family and version
	op.InputSchema = json.RawMessage([]string{`{"type":"object","properties":{"city":{"type":"string"}}}`, `{"type":"object","required":["city"],"properties":{"city":{"type":"string"}}}`}[kind])
	for i := range 1 + g.IntN(3) {
		op.Variants = append(op.Variants, interlock.Variant{ID: fmt.Sprint(i), Description: g.words(2 + g.IntN(8))})
	}
	if g.IntN(4) == 0 {
		op.Aliases = []string{g.words(2)}
	}
	return op
}

func (g gen) edges(source string) []interlock.Edge {
	var out []interlock.Edge
	if source != "s0" && source != "s3" {
		return out
	}
	for range g.IntN(40) {
		from, to := g.IntN(len(genVersions)), g.IntN(len(genVersions))
		out = append(out, interlock.Edge{Family: g.pick(genFamilies...), From: genVersions[from], To: genVersions[to],
			Compat: interlock.Compat(g.pick("none", "backward", "backward", "full"))})
	}
	return out
}

func (g gen) principal(name string) interlock.Principal {
	p := interlock.Principal{Name: name, Tenant: g.pick("a", "b", "c"), Allow: []string{"*"}}
	for range g.IntN(4) {
		p.Deny = append(p.Deny, g.pick(genSources...)+"/"+g.pick("*", "t1*", "t2*", "*3", "*7"))
	}
	if g.IntN(3) == 0 {
		p.Invoke = []string{"s0/*", "s1/*", "*5"}
	}
	return p
}

func (g gen) need() interlock.Need {
	need := interlock.Need{Text: g.words(1 + g.IntN(6)), K: g.IntN(8), Explain: g.IntN(2) == 0}
	if g.IntN(3) == 0 {
		need.Text += " " + g.pick(genSources...) + "/t" + fmt.Sprint(g.IntN(40))
	}
	if g.IntN(4) == 0 {
		need.Text = "open the " + g.words(2) + " and close the " + g.words(2)
	}
	if g.IntN(4) == 0 {
		need.Context = []string{g.words(3), g.words(2)}
	}
	if g.IntN(2) == 0 {
		need.Have = []string{"city"}
	}
	if g.IntN(8) == 0 {
		need.Effects = []interlock.Effect{interlock.EffectWrite}
	}
	asked := map[string]bool{}
	for range g.IntN(4) {
		c := interlock.Constraint{Family: g.pick(append(genFamilies, "*")...), Range: g.pick("^1.0", "^2.0", ">=1.0.0", ">=1.1.0 <3.0.0", "1.x || 3.x", "2.0.0", "^9.0")}
		if g.IntN(3) == 0 {
			c.BuiltAgainst = g.pick(genVersions...)
		}
		if !asked[c.Family] {
			need.Constraints = append(need.Constraints, c)
		}
		asked[c.Family] = true
	}
	return need
}
