package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
	"github.com/seed-ae386458/interlock/internal/version"
)

// maxProofs bounds the comparisons that are kept.
const maxProofs = 100_000

// proofs keeps what the comparison of two contracts has shown. A proof follows
// from the two contracts alone, so it is shared by all views and snapshots.
type proofs struct {
	mu   sync.RWMutex // guards kept
	kept map[[2]string]shown
}

// shown is a proof with the rule that kept it from being a better one.
type shown struct {
	proof         contract.Proof
	rule, pointer string
}

func newProofs() *proofs { return &proofs{kept: map[[2]string]shown{}} }

// of gives the proof for a pair of contracts, comparing them the first time.
func (p *proofs) of(from string, old *interlock.Operation, to string, new *interlock.Operation) shown {
	if old == nil || new == nil {
		return shown{rule: "contract-not-kept"}
	}
	key := [2]string{from, to}
	p.mu.RLock()
	proof, ok := p.kept[key]
	p.mu.RUnlock()
	if ok {
		return proof
	}
	proof = prove(*old, *new)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kept) >= maxProofs {
		clear(p.kept)
	}
	p.kept[key] = proof
	return proof
}

func prove(old, new interlock.Operation) shown {
	report, err := diff.Compare(diff.Of(old), diff.Of(new), diff.Options{Mode: diff.Tool})
	switch {
	case err != nil:
		return shown{rule: "undecided", pointer: interlock.AsError(err).Pointer}
	case report.Strict.Serves():
		return shown{proof: contract.ProofStrict}
	case report.Verdict.Serves() && !fillsDefaults(report):
		return named(contract.ProofTool, report, func(c diff.Change) bool { return c.Enforcement != "" })
	case report.Verdict.Serves():
		return named(contract.ProofUndecided, report, filledIn)
	case report.Verdict == diff.None:
		return named(contract.ProofNone, report, func(c diff.Change) bool { return c.Breaking })
	}
	return named(contract.ProofUndecided, report, func(c diff.Change) bool { return c.Tool == diff.UndecidedChange })
}

// named is a proof with the first change that is to blame.
func named(p contract.Proof, r diff.Report, to func(diff.Change) bool) shown {
	i := slices.IndexFunc(r.Changes, to)
	if i < 0 {
		return shown{proof: p}
	}
	c := r.Changes[i]
	if c.Pointer == "" {
		return shown{p, c.Rule, c.PointerNew}
	}
	return shown{p, c.Rule, c.Pointer}
}

// maxShown bounds the proofs of a family that are listed.
const maxShown = 256

// Proved lists what the comparisons say: from the base, where there is one, to
// every other version, and between neighbours both ways.
func (f *Family) Proved(base version.Version) []interlock.ProvedEdge {
	out := []interlock.ProvedEdge{}
	add := func(from, to Versioned) {
		if len(out) < maxShown {
			out = append(out, f.proved(from, to))
		}
	}
	at := slices.IndexFunc(f.Versions, func(v Versioned) bool { return !base.IsZero() && version.Compare(v.Version, base) == 0 })
	for i := range f.Versions {
		if at >= 0 && i != at {
			add(f.Versions[at], f.Versions[i])
		}
	}
	for i := 1; i < len(f.Versions); i++ {
		if i-1 != at {
			add(f.Versions[i-1], f.Versions[i])
		}
		if i != at {
			add(f.Versions[i], f.Versions[i-1])
		}
	}
	return out
}

func (f *Family) proved(from, to Versioned) interlock.ProvedEdge {
	s := shown{proof: contract.ProofStrict}
	if from.Contract == "" || from.Contract != to.Contract {
		s = f.proofs.of(from.Contract, from.Op, to.Contract, to.Op)
	}
	e := interlock.ProvedEdge{From: from.Version.String(), To: to.Version.String(), Compat: string(interlock.Backward), Rule: s.rule, Pointer: s.pointer}
	switch s.proof {
	case contract.ProofStrict:
		e.Mode = "strict"
	case contract.ProofTool:
		e.Mode = "tool"
	case contract.ProofNone:
		e.Compat = string(interlock.None)
	default:
		e.Compat = string(contract.Undecided)
	}
	sum := sha256.New()
	for _, part := range []string{"interlock proof 1", e.From, e.To, from.Contract, to.Contract, e.Compat, e.Mode, e.Rule, e.Pointer} {
		fmt.Fprintf(sum, "%d %s\n", len(part), part)
	}
	e.Digest = hex.EncodeToString(sum.Sum(nil))
	return e
}

// fillsDefaults reports whether the verdict rests on missing arguments being
// filled in, which nothing here does.
func fillsDefaults(r diff.Report) bool {
	return slices.ContainsFunc(r.Changes, filledIn)
}

func filledIn(c diff.Change) bool { return c.Enforcement == rule.DefaultFilled }

// warm compares the versions of each family ahead of the requests that will
// ask.
func (s *Snapshot) warm() {
	families := map[string]*Family{}
	for _, seg := range s.segments {
		for _, t := range seg.present() {
			f := families[t.Family]
			if f == nil {
				f = &Family{Name: t.Family, proofs: s.proofs}
				families[t.Family] = f
			}
			f.Tools = append(f.Tools, t)
		}
	}
	for _, f := range families {
		if len(f.Tools) == 1 && len(f.Tools[0].Past) == 0 {
			continue
		}
		f.gather()
		graph := f.Graph()
		for _, v := range f.Versions[:min(len(f.Versions), maxWarm)] {
			graph.Reach(v.Version)
		}
	}
}

// maxWarm bounds the versions of a family that are compared ahead.
const maxWarm = 32
