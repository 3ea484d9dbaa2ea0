package contract

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/version"
)

func ver(t testing.TB, text string) version.Version {
	t.Helper()
	v, err := version.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// family reads "1.0.0=a": a version and its contract.
func family(t testing.TB, rows ...string) []VersionContract {
	t.Helper()
	var out []VersionContract
	for _, row := range rows {
		at := slices.Index([]byte(row), '=')
		out = append(out, VersionContract{ver(t, row[:at]), row[at+1:]})
	}
	return out
}

// edge reads "1.0.0 2.0.0 full".
func edges(rows ...string) []interlock.Edge {
	var out []interlock.Edge
	for _, row := range rows {
		var e interlock.Edge
		_, _ = fmt.Sscan(row, &e.From, &e.To, &e.Compat, &e.Force) // the last may be left out
		out = append(out, e)
	}
	return out
}

func TestCompatible(t *testing.T) {
	for _, tc := range []struct {
		name     string
		versions []string
		edges    []string
		base, v  string
		want     string // "ok", or "FROM TO COMPAT", with "declared" where an owner said so
	}{
		{"itself", []string{"1.0.0=a"}, nil, "1.0.0", "1.0.0", "ok"},
		{"same contract in a major", []string{"1.0.0=a", "1.1.0=a"}, nil, "1.0.0", "1.1.0", "ok"},
		{"same contract, backwards", []string{"1.0.0=a", "1.1.0=a"}, nil, "1.1.0", "1.0.0", "ok"},
		{"same contract, other major", []string{"1.0.0=a", "2.0.0=a"}, nil, "1.0.0", "2.0.0", "ok"},
		{"other contract in a major", []string{"1.0.0=a", "1.1.0=b"}, nil, "1.0.0", "1.1.0", "1.0.0 1.1.0 undecided"},
		{"no contract known", []string{"1.0.0=", "1.1.0="}, nil, "1.0.0", "1.1.0", "1.0.0 1.1.0 undecided"},
		{"backward forwards", []string{"1.0.0=a", "1.1.0=b"}, []string{"1.0.0 1.1.0 backward"}, "1.0.0", "1.1.0", "ok"},
		{"backward backwards", []string{"1.0.0=a", "1.1.0=b"}, []string{"1.0.0 1.1.0 backward"}, "1.1.0", "1.0.0", "1.1.0 1.0.0 none declared"},
		{"full backwards", []string{"1.0.0=a", "1.1.0=b"}, []string{"1.0.0 1.1.0 full"}, "1.1.0", "1.0.0", "ok"},
		{"declared over majors", []string{"1.0.0=a", "2.0.0=b"}, []string{"1.0.0 2.0.0 backward"}, "1.0.0", "2.0.0", "ok"},
		{"none in a major", []string{"2.3.0=a", "2.4.0=a"}, []string{"2.3.0 2.4.0 none"}, "2.3.0", "2.4.0", "2.3.0 2.4.0 none declared"},
		{"none, the other way", []string{"2.3.0=a", "2.4.0=a"}, []string{"2.3.0 2.4.0 none"}, "2.4.0", "2.3.0", "2.4.0 2.3.0 none declared"},
		{"declared none beats declared full", []string{"2.3.0=a", "2.4.0=a"}, []string{"2.3.0 2.4.0 full", "2.4.0 2.3.0 none"}, "2.3.0", "2.4.0", "2.3.0 2.4.0 none declared"},
		{"unknown label is none", []string{"2.3.0=a", "2.4.0=a"}, []string{"2.3.0 2.4.0 mostly"}, "2.3.0", "2.4.0", "2.3.0 2.4.0 none declared"},
		{"two steps", []string{"1.0.0=a", "1.1.0=b", "2.0.0=c"}, []string{"1.0.0 1.1.0 backward", "1.1.0 2.0.0 backward"}, "1.0.0", "2.0.0", "ok"},
		{"step and equal hash", []string{"1.0.0=a", "1.1.0=b", "1.2.0=b"}, []string{"1.0.0 1.1.0 backward"}, "1.0.0", "1.2.0", "ok"},
		{"none vetoes the longer way", []string{"1.0.0=a", "1.1.0=b", "2.0.0=c"}, []string{"1.0.0 1.1.0 backward", "1.1.0 2.0.0 backward", "1.0.0 2.0.0 none"}, "1.0.0", "2.0.0", "1.0.0 2.0.0 none declared"},
		{"a barred version is no way station", []string{"1.0.0=a", "1.1.0=b", "1.2.0=c", "1.3.0=d"}, []string{"1.0.0 1.1.0 full", "1.1.0 1.2.0 full", "1.2.0 1.3.0 full", "1.0.0 1.2.0 none"}, "1.0.0", "1.3.0", "1.1.0 1.3.0 undecided"},
		{"undeclared majors do not veto", []string{"1.0.0=a", "1.1.0=b", "2.0.0=c"}, []string{"1.0.0 1.1.0 backward", "1.1.0 2.0.0 backward"}, "1.0.0", "2.0.0", "ok"},
		{"the rolling upgrade", []string{"2.3.0=a", "3.0.0=b"}, []string{"2.3.0 3.0.0 none"}, "2.3.0", "3.0.0", "2.3.0 3.0.0 none declared"},
		{"stopped past a reached version", []string{"1.0.0=a", "1.1.0=a", "1.2.0=b"}, nil, "1.0.0", "1.2.0", "1.1.0 1.2.0 undecided"},
		{"a hidden version carries nobody", []string{"1.0.0=a", "2.0.0=c"}, []string{"1.0.0 1.1.0 backward", "1.1.0 2.0.0 backward"}, "1.0.0", "2.0.0", "1.0.0 2.0.0 undecided"},
		{"proved over majors", []string{"1.0.0=p", "2.0.0=q"}, nil, "1.0.0", "2.0.0", "ok"},
		{"proved one way alone", []string{"1.0.0=p", "2.0.0=q"}, nil, "2.0.0", "1.0.0", "2.0.0 1.0.0 none"},
		{"strict proofs compose", []string{"1.0.0=p", "1.1.0=q", "1.2.0=r"}, nil, "1.0.0", "1.2.0", "ok"},
		{"tool-mode proofs hold for their own pair", []string{"1.0.0=s", "1.1.0=t"}, nil, "1.0.0", "1.1.0", "ok"},
		{"tool-mode proofs do not compose", []string{"1.0.0=p", "1.1.0=s", "1.2.0=t"}, []string{"1.0.0 1.1.0 backward"}, "1.0.0", "1.2.0", "1.1.0 1.2.0 undecided"},
		{"a proved none bars the longer way", []string{"1.0.0=p", "1.1.0=x", "1.2.0=z"}, []string{"1.0.0 1.1.0 backward", "1.1.0 1.2.0 backward"}, "1.0.0", "1.2.0", "1.0.0 1.2.0 none"},
		{"a proof beats what is declared", []string{"1.0.0=p", "1.1.0=z"}, []string{"1.0.0 1.1.0 backward"}, "1.0.0", "1.1.0", "1.0.0 1.1.0 none declared"},
		{"force beats a proof", []string{"1.0.0=p", "1.1.0=z"}, []string{"1.0.0 1.1.0 backward true"}, "1.0.0", "1.1.0", "ok"},
		{"force has its direction", []string{"1.0.0=z", "1.1.0=p"}, []string{"1.0.0 1.1.0 backward true", "1.1.0 1.0.0 backward"}, "1.1.0", "1.0.0", "1.1.0 1.0.0 none declared"},
		{"declared none beats proved", []string{"1.0.0=p", "1.1.0=q"}, []string{"1.0.0 1.1.0 none"}, "1.0.0", "1.1.0", "1.0.0 1.1.0 none declared"},
		{"edges that say nothing", []string{"1.0.0=a", "1.1.0=a"}, []string{"1.0.0 1.0.0 none", "x y none", "9.9.9 1.1.0 none"}, "1.0.0", "1.1.0", "ok"},
		{"a circle", []string{"1.0.0=a", "1.1.0=b", "1.2.0=c"}, []string{"1.0.0 1.1.0 backward", "1.1.0 1.2.0 backward", "1.2.0 1.0.0 backward"}, "1.1.0", "1.0.0", "ok"},
		{"build metadata is not looked at", []string{"1.0.0+x=a", "1.1.0=b"}, []string{"1.0.0 1.1.0+y full"}, "1.0.0+z", "1.1.0", "ok"},
		{"pre-release", []string{"1.0.0-rc.1=a", "1.0.0=a"}, nil, "1.0.0-rc.1", "1.0.0", "ok"},
		{"unknown base", []string{"1.0.0=a"}, nil, "0.9.0", "1.0.0", "0.9.0 1.0.0 undecided"},
		{"unknown version", []string{"1.0.0=a"}, nil, "1.0.0", "1.5.0", "1.0.0 1.5.0 undecided"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ok, stop := NewGraph(family(t, tc.versions...), edges(tc.edges...), byLetters).Compatible(ver(t, tc.base), ver(t, tc.v))
			got := "ok"
			if !ok {
				got = fmt.Sprintf("%s %s %s", stop.From, stop.To, stop.Compat)
				if stop.Declared {
					got += " declared"
				}
			}
			if got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// byLetters proves by the letters of the contracts: p, q, r serve each other
// forwards whatever is enforced, s serves t in tool mode, z breaks p, and p
// breaks q.
func byLetters(from, to VersionContract) Proof {
	switch from.Contract + to.Contract {
	case "pq", "qr":
		return ProofStrict
	case "st":
		return ProofTool
	case "pz", "qp":
		return ProofNone
	}
	return ProofUndecided
}

// Random graphs against a search of every simple way.
func TestGraphAgainstSlowWay(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	texts := []string{"1.0.0", "1.1.0", "1.2.0", "2.0.0", "2.1.0", "3.0.0"}
	reached := 0
	for range 1000 {
		var versions []VersionContract
		for _, text := range texts {
			if r.IntN(6) > 0 {
				versions = append(versions, VersionContract{ver(t, text), string("abc"[r.IntN(3)])})
			}
		}
		var declared []interlock.Edge
		for range r.IntN(9) {
			declared = append(declared, interlock.Edge{From: texts[r.IntN(6)], To: texts[r.IntN(6)],
				Compat: []interlock.Compat{interlock.Backward, interlock.Full, interlock.None}[r.IntN(3)], Force: r.IntN(3) == 0})
		}
		shown := map[string]Proof{}
		for _, pair := range []string{"ab", "ba", "ac", "ca", "bc", "cb"} {
			shown[pair] = Proof(r.IntN(4))
		}
		prove := func(from, to VersionContract) Proof {
			if from.Contract == to.Contract {
				return ProofStrict
			}
			return shown[from.Contract+to.Contract]
		}
		g := NewGraph(versions, declared, prove)
		for _, base := range versions {
			reach := g.Reach(base.Version)
			for _, v := range versions {
				got, stop := reach.To(v.Version)
				want := slowReach(versions, declared, prove, v, []VersionContract{base})
				if got != want {
					t.Fatalf("%v with %v: %s to %s is %v, want %v", versions, declared, base.Version, v.Version, got, want)
				}
				if got {
					reached++
				} else if stop.To != v.Version || stop.Compat != interlock.None && stop.Compat != Undecided {
					t.Fatalf("%v with %v: %s to %s stopped by %v", versions, declared, base.Version, v.Version, stop)
				} else if from, _ := reach.To(stop.From); !from {
					t.Fatalf("the stop %v begins at a version that is not reached", stop)
				}
			}
		}
	}
	if reached < 3000 {
		t.Errorf("only %d pairs reached", reached)
	}
}

// slowReach tries every simple way from the last of path to v. The first of
// path is the base.
func slowReach(versions []VersionContract, declared []interlock.Edge, prove Prover, v VersionContract, path []VersionContract) bool {
	base, x := path[0], path[len(path)-1]
	if x == v {
		return true
	}
	for _, y := range versions {
		if slices.Contains(path, y) || slowBar(declared, prove, base, y) {
			continue
		}
		if slowStep(declared, prove, base, x, y) && slowReach(versions, declared, prove, v, append(slices.Clone(path), y)) {
			return true
		}
	}
	return false
}

// slowBar reports whether y can never serve callers of base.
func slowBar(declared []interlock.Edge, prove Prover, base, y VersionContract) bool {
	if labelled(declared, base, y, interlock.None) || labelled(declared, y, base, interlock.None) {
		return true
	}
	return base != y && prove(base, y) == ProofNone && !slowForced(declared, base, y)
}

func slowForced(declared []interlock.Edge, x, y VersionContract) bool {
	return slices.ContainsFunc(declared, func(e interlock.Edge) bool {
		there := e.From == x.Version.String() && e.To == y.Version.String()
		back := e.From == y.Version.String() && e.To == x.Version.String() && e.Compat == interlock.Full
		return e.Force && e.From != e.To && (there || back)
	})
}

func anyLabel(declared []interlock.Edge, x, y VersionContract) bool {
	for _, c := range []interlock.Compat{interlock.Backward, interlock.Full, interlock.None} {
		if labelled(declared, x, y, c) || labelled(declared, y, x, c) {
			return true
		}
	}
	return false
}

func labelled(declared []interlock.Edge, from, to VersionContract, compat interlock.Compat) bool {
	return slices.ContainsFunc(declared, func(e interlock.Edge) bool {
		return e.From == from.Version.String() && e.To == to.Version.String() && e.From != e.To && e.Compat == compat
	})
}

func slowStep(declared []interlock.Edge, prove Prover, base, x, y VersionContract) bool {
	switch {
	case slowBar(declared, prove, x, y):
		return false
	case anyLabel(declared, x, y):
		return labelled(declared, x, y, interlock.Backward) || labelled(declared, x, y, interlock.Full) || labelled(declared, y, x, interlock.Full)
	}
	proof := prove(x, y)
	return proof == ProofStrict || proof == ProofTool && x == base
}

// Builds of one version are one version, whichever comes first: what holds of
// one build alone is not proved of the version.
func TestGraphBuilds(t *testing.T) {
	v := func(text, hash string) VersionContract {
		return VersionContract{Version: ver(t, text), Contract: hash}
	}
	for _, tc := range []struct {
		name        string
		first, then Proof
		want        bool
	}{
		{"both serve", ProofStrict, ProofStrict, true},
		{"both serve, one in tool mode", ProofStrict, ProofTool, true},
		{"one breaks", ProofStrict, ProofNone, false},
		{"one is not known", ProofTool, ProofUndecided, false},
	} {
		prove := func(from, to VersionContract) Proof {
			if to.Contract == "good" {
				return tc.first
			}
			return tc.then
		}
		builds := []VersionContract{v("1.1.0+a", "good"), v("1.1.0+b", "other")}
		for _, order := range [][]VersionContract{{builds[0], builds[1]}, {builds[1], builds[0]}} {
			g := NewGraph(append([]VersionContract{v("1.0.0", "base")}, order...), nil, prove)
			for _, build := range builds {
				if got, _ := g.Compatible(ver(t, "1.0.0"), build.Version); got != tc.want {
					t.Errorf("%s, %s first: %s serves %v, want %v", tc.name, order[0].Contract, build.Version, got, tc.want)
				}
			}
		}
	}
}
