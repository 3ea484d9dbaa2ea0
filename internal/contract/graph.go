package contract

import (
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/version"
)

// VersionContract is one version of a family with its contract hash.
type VersionContract struct {
	Version  version.Version
	Contract string
}

// Undecided labels a pair of versions of one major whose contracts differ and
// for which nobody has declared an edge. It is never crossed.
const Undecided interlock.Compat = "undecided"

// Stop is the edge that keeps a version from the callers of a base.
type Stop struct {
	From, To version.Version
	Compat   interlock.Compat // None or Undecided
	Declared bool             // an owner declared it; otherwise nothing is declared
}

// Graph decides which versions of one family serve the callers of another. It
// knows the versions that it is given and nothing of others; edges that name
// unknown versions, or one version twice, say nothing. It is immutable.
//
//	b reaches v  ⇔  no none is declared between b and v, and there is a way
//	                b = x0, x1, … xn = v of edges, none of the xi being barred
//	                from b by a declared none
//	an edge x→y  :  declared backward or full from x to y, or full from y to x;
//	                or nothing declared between them, one major, equal hashes
type Graph struct {
	versions []VersionContract
	at       map[version.Version]int // of each version without its build metadata: the first such
	forward  map[[2]int]bool         // declared: may go from the one to the other
	none     map[[2]int]bool         // declared none, both ways round
	declared map[[2]int]bool         // something is declared, both ways round
}

// NewGraph builds the graph of the versions that a caller may see, under the
// declared edges of their family. Of two versions that differ in build
// metadata alone the first stands for both.
func NewGraph(versions []VersionContract, edges []interlock.Edge) *Graph {
	g := &Graph{
		at:      make(map[version.Version]int, len(versions)),
		forward: map[[2]int]bool{}, none: map[[2]int]bool{}, declared: map[[2]int]bool{},
	}
	for _, v := range versions {
		key := v.Version.Core()
		if _, known := g.at[key]; known || v.Version.IsZero() {
			continue
		}
		g.at[key] = len(g.versions)
		g.versions = append(g.versions, v)
	}
	for _, e := range edges {
		g.declare(e)
	}
	return g
}

func (g *Graph) declare(e interlock.Edge) {
	from, okFrom := g.find(e.From)
	to, okTo := g.find(e.To)
	if !okFrom || !okTo || from == to {
		return
	}
	there, back := [2]int{from, to}, [2]int{to, from}
	switch e.Compat {
	case interlock.Backward:
		g.forward[there] = true
	case interlock.Full:
		g.forward[there], g.forward[back] = true, true
	default: // none, and any label that is not known
		g.none[there], g.none[back] = true, true
	}
	g.declared[there], g.declared[back] = true, true
}

func (g *Graph) find(text string) (int, bool) {
	v, err := version.Parse(text)
	if err != nil {
		return 0, false
	}
	i, ok := g.at[v.Core()]
	return i, ok
}

// Compatible reports whether v serves callers built against base, and
// otherwise the edge that stops it.
func (g *Graph) Compatible(base, v version.Version) (bool, Stop) {
	return g.Reach(base).To(v)
}

// Reach finds all that callers of base can be served by.
func (g *Graph) Reach(base version.Version) Reach {
	r := Reach{graph: g, from: base}
	start, ok := g.at[base.Core()]
	if !ok {
		return r
	}
	r.start, r.known = start, true
	r.reached = make([]bool, len(g.versions))
	r.reached[start] = true
	queue := []int{start}
	for len(queue) > 0 {
		x := queue[0]
		queue = queue[1:]
		for y := range g.versions {
			if !r.reached[y] && !g.none[[2]int{start, y}] && g.edge(x, y) {
				r.reached[y] = true
				queue = append(queue, y)
			}
		}
	}
	return r
}

// edge reports whether one step from x to y is allowed.
func (g *Graph) edge(x, y int) bool {
	pair := [2]int{x, y}
	if g.declared[pair] {
		return g.forward[pair] && !g.none[pair]
	}
	a, b := g.versions[x], g.versions[y]
	return a.Version.Major() == b.Version.Major() && a.Contract != "" && a.Contract == b.Contract
}

// Reach is the set of versions that serve the callers of one base.
type Reach struct {
	graph   *Graph
	from    version.Version
	start   int
	known   bool // the base is one of the graph's versions
	reached []bool
}

// To reports whether v is in the set, and otherwise the edge that stops it:
// the one from the reached version just under v. A base or v that the graph
// does not know is stopped as undecided.
func (r Reach) To(v version.Version) (bool, Stop) {
	to, ok := r.graph.at[v.Core()]
	if !r.known || !ok {
		return false, Stop{From: r.from, To: v, Compat: Undecided}
	}
	if r.reached[to] {
		return true, Stop{}
	}
	from := r.start
	if !r.graph.none[[2]int{from, to}] {
		from = r.nearest(to)
	}
	return false, r.graph.stop(from, to)
}

// nearest gives the highest reached version below to, the base where there is
// none.
func (r Reach) nearest(to int) int {
	best := -1
	for i, ok := range r.reached {
		if !ok || version.Compare(r.graph.versions[i].Version, r.graph.versions[to].Version) > 0 {
			continue
		}
		if best < 0 || version.Compare(r.graph.versions[i].Version, r.graph.versions[best].Version) > 0 {
			best = i
		}
	}
	if best < 0 {
		return r.start
	}
	return best
}

// stop describes what stands between two versions.
func (g *Graph) stop(from, to int) Stop {
	a, b := g.versions[from].Version, g.versions[to].Version
	pair := [2]int{from, to}
	compat := Undecided
	if g.none[pair] || g.declared[pair] || a.Major() != b.Major() {
		compat = interlock.None // declared one way only is none the other way
	}
	return Stop{From: a, To: b, Compat: compat, Declared: g.declared[pair]}
}
