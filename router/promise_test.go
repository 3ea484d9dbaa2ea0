package router_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/version"
	"github.com/seed-ae386458/interlock/router"
)

const seeds = 25

// TestNonInterference takes what a principal may not see out of a registry and
// expects the same bytes: lists, details, sources, answers, fingerprints and
// the errors of calls.
func TestNonInterference(t *testing.T) {
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := newGen(seed)
			cats, alice := g.registry(40), g.principal("alice")
			whole, part := &shelf{stock: map[string]interlock.Catalogue{}}, &shelf{stock: map[string]interlock.Catalogue{}}
			a, b := newRouter(t, whole, nil), newRouter(t, part, nil)
			stock(t, a, whole, cats, genSources)
			stock(t, b, part, visible(alice, cats), genSources)
			sameFor(t, a, b, alice, everything, g.need())
			for range 60 {
				sameFor(t, a, b, alice, answered, g.need())
			}
			for i := range 40 {
				sameRefusal(t, a, b, alice, fmt.Sprintf("%s/t%d", g.pick(genSources...), i))
			}
		})
	}
}

// visible leaves of each catalogue what the principal may see: tools, and the
// edges between versions that some visible tool has.
func visible(who interlock.Principal, cats map[string]interlock.Catalogue) map[string]interlock.Catalogue {
	out := map[string]interlock.Catalogue{}
	seen := map[string]bool{}
	for source, cat := range cats {
		cat.Operations = slices.DeleteFunc(slices.Clone(cat.Operations), func(op interlock.Operation) bool {
			return !auth.Visible(who, interlock.ToolRecord{ID: source + "/" + op.Name, Tenant: cat.Tenant})
		})
		for _, op := range cat.Operations {
			seen[op.Family+op.Version] = true
		}
		if len(cat.Operations) == 0 && len(cats[source].Operations) > 0 {
			cat.Edges = nil // a source that is hidden whole says nothing
		}
		out[source] = cat
	}
	for source, cat := range out {
		cat.Edges = slices.DeleteFunc(slices.Clone(cat.Edges), func(e interlock.Edge) bool { return !seen[e.Family+e.From] || !seen[e.Family+e.To] })
		out[source] = cat
	}
	return out
}

type reading func(*router.Router, interlock.Principal, interlock.Need) ([]byte, error)

func sameFor(t *testing.T, a, b *router.Router, who interlock.Principal, read reading, need interlock.Need) {
	t.Helper()
	x, err := read(a, who, need)
	if err != nil {
		t.Fatal(err)
	}
	y, err := read(b, who, need)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(x, y) {
		t.Errorf("hidden tools show in the answer to %+v:\nwith    %s\nwithout %s", need, x, y)
	}
}

// sameRefusal calls a tool that is hidden, or is not there, by its name. The
// arguments are none that any tool takes.
func sameRefusal(t *testing.T, a, b *router.Router, who interlock.Principal, tool string) {
	t.Helper()
	req := interlock.CallRequest{Tool: tool, Args: []byte(`{"undeclared":1}`)}
	_, x := a.Call(context.Background(), who, req)
	_, y := b.Call(context.Background(), who, req)
	if fmt.Sprintf("%+v", *interlock.AsError(x)) != fmt.Sprintf("%+v", *interlock.AsError(y)) {
		t.Errorf("hidden tools show in the refusal of %s:\nwith    %v\nwithout %v", tool, x, y)
	}
}

// TestNoScoreCrosses holds every answer of generated registries against a
// compatible set that is computed here, the obvious way: whatever the wordings
// score, no offer leads outside it, it is not missed where it is not empty, and
// each requested family of an answer with offers has its candidate within K.
func TestNoScoreCrosses(t *testing.T) {
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := newGen(1000 + seed)
			cats, s := g.registry(40), &shelf{stock: map[string]interlock.Catalogue{}}
			r := newRouter(t, s, nil)
			stock(t, r, s, cats, genSources)
			family := familiesOf(cats)
			for range 80 {
				need := g.need()
				res, err := r.Resolve(context.Background(), interlock.Local(), need)
				if err != nil {
					t.Fatal(err)
				}
				checkAnswer(t, family, need, res)
			}
		})
	}
}

// plainFamily is a family as the design speaks of it.
type plainFamily struct {
	resolvable map[string]bool   // versions with a tool that is active or deprecated
	contract   map[string]string // of every version
	edges      []interlock.Edge
}

func familiesOf(cats map[string]interlock.Catalogue) map[string]*plainFamily {
	out := map[string]*plainFamily{}
	get := func(name string) *plainFamily {
		if out[name] == nil {
			out[name] = &plainFamily{resolvable: map[string]bool{}, contract: map[string]string{}}
		}
		return out[name]
	}
	for source, cat := range cats {
		for _, op := range cat.Operations {
			name := op.Family
			if name == "" {
				name = source + "." + op.Name
			}
			f := get(name)
			f.contract[op.Version] = string(op.InputSchema)
			f.resolvable[op.Version] = f.resolvable[op.Version] || op.State != interlock.StateRetired
		}
		for _, e := range cat.Edges {
			get(e.Family).edges = append(get(e.Family).edges, e)
		}
	}
	return out
}

// compatible gives C: what is in the range, resolvable, and reached from the
// base over a way of edges with no none between the base and any of it.
func (f *plainFamily) compatible(c interlock.Constraint) map[string]bool {
	rng, err := version.ParseRange(c.Range)
	out := map[string]bool{}
	base := f.base(c, rng)
	if err != nil || base == "" {
		return out
	}
	reached := map[string]bool{base: true}
	for range f.contract { // as often as there are versions: enough for the longest way
		for from := range reached {
			for to := range f.contract {
				if !f.bars(base, to) && f.step(from, to) {
					reached[to] = true
				}
			}
		}
	}
	for v := range reached {
		parsed, err := version.Parse(v)
		if err == nil && rng.Match(parsed) && f.resolvable[v] {
			out[v] = true
		}
	}
	return out
}

func (f *plainFamily) base(c interlock.Constraint, rng version.Range) string {
	for _, v := range slices.Sorted(func(yield func(string) bool) { // versions of one digit each sort as text
		for v := range f.contract {
			if !yield(v) {
				return
			}
		}
	}) {
		parsed, err := version.Parse(v)
		if err == nil && (c.BuiltAgainst == v || c.BuiltAgainst == "" && rng.Match(parsed)) {
			return v
		}
	}
	return ""
}

// says reports whether an edge of the label is declared between two versions,
// either way round.
func (f *plainFamily) says(a, b string, compat interlock.Compat) bool {
	return slices.ContainsFunc(f.edges, func(e interlock.Edge) bool {
		return e.Compat == compat && (e.From == a && e.To == b || e.From == b && e.To == a) && a != b
	})
}

func (f *plainFamily) step(from, to string) bool {
	if from == to {
		return true
	}
	if f.bars(from, to) {
		return false
	}
	backward := slices.ContainsFunc(f.edges, func(e interlock.Edge) bool { return e.Compat == interlock.Backward && e.From == from && e.To == to })
	if f.says(from, to, interlock.Full) || backward {
		return true
	}
	return !f.declared(from, to) && f.serves(from, to)
}

func (f *plainFamily) declared(a, b string) bool {
	return f.says(a, b, interlock.None) || f.says(a, b, interlock.Full) || f.says(a, b, interlock.Backward)
}

// serves knows the two contracts that are generated: what asks for no city
// serves those who always send one, and not the other way round.
func (f *plainFamily) serves(from, to string) bool {
	return f.contract[from] == f.contract[to] || strings.Contains(f.contract[from], "required")
}

// bars reports whether one version never serves the callers of another: said
// so, or plain from the contracts, whatever else is said.
func (f *plainFamily) bars(base, to string) bool {
	return base != to && (f.says(base, to, interlock.None) || !f.serves(base, to))
}

// checkAnswer holds one answer against the promises 1, 2, 3 and 7.
func checkAnswer(t *testing.T, families map[string]*plainFamily, need interlock.Need, res interlock.Resolution) {
	t.Helper()
	rules := map[string]interlock.Constraint{}
	empty := false
	for _, c := range need.Constraints {
		rules[c.Family] = c
		if c.Family != "*" {
			f := families[c.Family]
			empty = empty || f == nil || len(f.compatible(c)) == 0
		}
	}
	kind := ""
	if res.Refusal != nil {
		kind = res.Refusal.Type()
	}
	if empty != (kind == "NoCompatibleContract") && !onlyWildcard(need) {
		t.Errorf("%+v: some requested family has no compatible version: %t, and the answer is %s", need, empty, kind)
	}
	shown := map[string]bool{}
	for _, c := range res.Candidates {
		rule, constrained := rules[c.Family]
		if !constrained {
			rule, constrained = rules["*"]
		}
		if constrained && !families[c.Family].compatible(rule)[c.Version] {
			t.Errorf("%+v: %s %s was offered and is not compatible", need, c.Family, c.Version)
		}
		if !constrained && len(need.Constraints) > 0 {
			t.Errorf("%+v: %s was offered and is none of the families asked for", need, c.Family)
		}
		if !families[c.Family].resolvable[c.Version] || c.Offer == "" {
			t.Errorf("%+v: the candidate %s %s is not resolvable or has no offer", need, c.Family, c.Version)
		}
		slot := c.Family + strings.SplitN(c.Version, ".", 2)[0]
		if shown[slot] {
			t.Errorf("%+v: two candidates of one family and major: %s", need, slot)
		}
		shown[slot], shown[c.Family] = true, true
	}
	k := need.K
	if k == 0 {
		k = interlock.DefaultK
	}
	if len(res.Candidates) > k {
		t.Errorf("%+v: %d candidates", need, len(res.Candidates))
	}
	for _, c := range need.Constraints {
		if c.Family != "*" && res.Disposition.Offers() && !shown[c.Family] {
			t.Errorf("%+v: %s was asked for, and the answer %s leaves it out", need, c.Family, res.Disposition)
		}
	}
	if len(res.Candidates) > 0 != res.Disposition.Offers() {
		t.Errorf("%+v: %s with %d candidates", need, res.Disposition, len(res.Candidates))
	}
}

func onlyWildcard(need interlock.Need) bool {
	return !slices.ContainsFunc(need.Constraints, func(c interlock.Constraint) bool { return c.Family != "*" })
}

// TestDeterministic builds one registry twice, in other orders of time, and
// asks twice: the same bytes, offers included, for as long as the registry had
// the same history.
func TestDeterministic(t *testing.T) {
	g := newGen(7)
	cats, needs := g.registry(60), []interlock.Need{}
	for range 40 {
		needs = append(needs, g.need())
	}
	var first, again []string
	for _, out := range []*[]string{&first, &again} {
		s := &shelf{stock: map[string]interlock.Catalogue{}}
		r := newRouter(t, s, nil)
		stock(t, r, s, cats, genSources)
		for _, need := range needs {
			res, err := r.Resolve(context.Background(), interlock.Local(), need)
			if err != nil {
				t.Fatal(err)
			}
			text, err := interlock.Marshal(res)
			if err != nil {
				t.Fatal(err)
			}
			*out = append(*out, string(text))
		}
	}
	if !slices.Equal(first, again) {
		t.Errorf("two answers to one need:\n%s\n%s", first, again)
	}
}

// TestForgedOffers changes genuine offers in every place and by chance: none of
// it sends anything.
func TestForgedOffers(t *testing.T) {
	g := newGen(8)
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	r := newRouter(t, s, nil)
	stock(t, r, s, map[string]interlock.Catalogue{"s0": {Operations: []interlock.Operation{{Name: "one", Version: "1.0.0", Effect: interlock.EffectRead,
		Variants: []interlock.Variant{{ID: "d", Description: "Ring a bell"}}, Binding: []byte(`"one"`)}}}}, []string{"s0"})
	who := interlock.Local()
	res, err := r.Resolve(context.Background(), who, interlock.Need{Text: "ring a bell"})
	if err != nil || len(res.Candidates) != 1 {
		t.Fatalf("%+v %v", res, err)
	}
	genuine := res.Candidates[0].Offer
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for i := range 2000 {
		forged := []byte(genuine)
		for range 1 + g.IntN(3) {
			forged[(i+g.IntN(2)*g.IntN(len(forged)))%len(forged)] = letters[g.IntN(len(letters))]
		}
		if string(forged) == genuine {
			continue
		}
		_, err := r.Call(context.Background(), who, interlock.CallRequest{Offer: string(forged), Args: []byte(`{}`)})
		if interlock.ReasonOf(err) != interlock.ReasonOfferInvalid {
			t.Fatalf("the forged offer %s of %s: %v", forged, genuine, err)
		}
	}
	if s.calls() != 0 {
		t.Errorf("%d calls were sent", s.calls())
	}
	if _, err := r.Call(context.Background(), who, interlock.CallRequest{Offer: genuine, Args: []byte(`{}`)}); err != nil || s.calls() != 1 {
		t.Errorf("the genuine offer: %v, %d calls", err, s.calls())
	}
}
