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

// Undecided labels a pair of versions for which nobody has declared an edge and
// nothing is proved. It is never crossed.
const Undecided interlock.Compat = "undecided"

// Stop is the edge that keeps a version from the callers of a base.
type Stop struct {
	From, To version.Version
	Compat   interlock.Compat // None or Undecided
	Declared bool             // an owner declared it; otherwise nothing is declared
}

// Proof is what the comparison of two contracts says of the callers of From.
type Proof int

// The proofs. Nothing proved is ProofUndecided.
const (
	ProofUndecided Proof = iota
	ProofNone            // a value is known that breaks them
	ProofTool            // served while undeclared arguments are refused and results projected
	ProofStrict          // served whatever is enforced
)

// Prover compares the contracts of two versions: what callers of the first get
// of the second. Nil proves nothing but equal hashes.
type Prover func(from, to VersionContract) Proof

// Graph decides which versions of one family serve the callers of another. It
// knows the versions that it is given and nothing of others; edges that name
// unknown versions, or one version twice, say nothing. It is immutable.
//
//	b reaches v  ⇔  no none is declared between b and v, and there is a way
//	                b = x0, x1, … xn = v of edges, none of the xi being barred
//	                from b by a declared none
//	an edge x→y  :  declared backward or full from x to y, or full from y to x,
//	                and no proof against it unless it is forced;
//	                or, nothing declared between them, proved in strict mode
//	a proof that holds in tool mode alone is an edge from b itself and no other;
//	a proof of none from b to v bars the longer ways too
type Graph struct {
	prove    Prover
	versions []VersionContract
	builds   [][]VersionContract     // of each version, the first among them
	at       map[version.Version]int // of each version without its build metadata: the first such
	forward  map[[2]int]bool         // declared: may go from the one to the other
	none     map[[2]int]bool         // declared none, both ways round
	declared map[[2]int]bool         // something is declared, both ways round
	forced   map[[2]int]bool         // declared and forced: stands against a proof
}

// NewGraph builds the graph of the versions that a caller may see, under the
// declared edges of their family. Builds of one version, which differ in build
// metadata alone, are one version: what is proved of it is proved of each.
func NewGraph(versions []VersionContract, edges []interlock.Edge, prove Prover) *Graph {
	if prove == nil {
		prove = func(VersionContract, VersionContract) Proof { return ProofUndecided }
	}
	g := &Graph{
		prove:   prove,
		at:      make(map[version.Version]int, len(versions)),
		forward: map[[2]int]bool{}, none: map[[2]int]bool{}, declared: map[[2]int]bool{}, forced: map[[2]int]bool{},
	}
	for _, v := range versions {
		key := v.Version.Core()
		if v.Version.IsZero() {
			continue
		}
		if i, known := g.at[key]; known {
			g.builds[i] = append(g.builds[i], v)
			continue
		}
		g.at[key] = len(g.versions)
		g.versions = append(g.versions, v)
		g.builds = append(g.builds, []VersionContract{v})
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
	if e.Force {
		g.forced[there] = true
		g.forced[back] = g.forced[back] || e.Compat == interlock.Full
	}
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
			if !r.reached[y] && !g.barred(start, y) && g.edge(start, x, y) {
				r.reached[y] = true
				queue = append(queue, y)
			}
		}
	}
	return r
}

// edge reports whether one step from x to y is allowed for callers of start.
func (g *Graph) edge(start, x, y int) bool {
	pair := [2]int{x, y}
	if g.declared[pair] {
		return g.forward[pair] && !g.none[pair] && !g.refuted(pair)
	}
	switch g.proof(x, y) {
	case ProofStrict:
		return true
	case ProofTool:
		return x == start
	}
	return false
}

// barred reports whether y never serves callers of start: a none is declared
// between them, or proved.
func (g *Graph) barred(start, y int) bool {
	return g.none[[2]int{start, y}] || g.refuted([2]int{start, y})
}

// refuted reports whether a proof shows that the second breaks callers of the
// first, and no force stands against it. What is declared without force gives
// way to a proof.
func (g *Graph) refuted(pair [2]int) bool {
	return pair[0] != pair[1] && !g.forced[pair] && g.proof(pair[0], pair[1]) == ProofNone
}

// proof compares two versions: the worst that is so of any build of the one and
// any of the other.
func (g *Graph) proof(x, y int) Proof {
	worst := ProofStrict
	for _, a := range g.builds[x] {
		for _, b := range g.builds[y] {
			worst = worse(worst, g.between(a, b))
		}
	}
	return worst
}

// worse gives the worse of two proofs: a known break, then nothing known.
func worse(a, b Proof) Proof {
	for _, p := range [...]Proof{ProofNone, ProofUndecided, ProofTool} {
		if a == p || b == p {
			return p
		}
	}
	return ProofStrict
}

// between compares two builds; equal hashes are equal contracts.
func (g *Graph) between(a, b VersionContract) Proof {
	if a.Contract != "" && a.Contract == b.Contract {
		return ProofStrict
	}
	return g.prove(a, b)
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
	if !r.graph.barred(from, to) {
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
	if g.none[pair] || g.declared[pair] || g.proof(from, to) == ProofNone {
		compat = interlock.None // declared one way only is none the other way
	}
	return Stop{From: a, To: b, Compat: compat, Declared: g.declared[pair]}
}
