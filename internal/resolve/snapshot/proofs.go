package snapshot

import (
	"slices"
	"sync"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/diff"
)

// maxProofs bounds the comparisons that are kept.
const maxProofs = 100_000

// proofs keeps what the comparison of two contracts has shown. A proof follows
// from the two contracts alone, so it is shared by all views and snapshots.
type proofs struct {
	mu   sync.RWMutex // guards kept
	kept map[[2]string]contract.Proof
}

func newProofs() *proofs { return &proofs{kept: map[[2]string]contract.Proof{}} }

// of gives the proof for a pair of contracts, comparing them the first time.
func (p *proofs) of(from string, old *interlock.Operation, to string, new *interlock.Operation) contract.Proof {
	if old == nil || new == nil {
		return contract.ProofUndecided
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

func prove(old, new interlock.Operation) contract.Proof {
	report, err := diff.Compare(diff.Of(old), diff.Of(new), diff.Options{Mode: diff.Tool})
	switch {
	case err != nil:
		return contract.ProofUndecided
	case report.Strict.Serves():
		return contract.ProofStrict
	case report.Verdict.Serves() && !fillsDefaults(report):
		return contract.ProofTool
	case report.Verdict.Serves():
		return contract.ProofUndecided
	case report.Verdict == diff.None:
		return contract.ProofNone
	}
	return contract.ProofUndecided
}

// fillsDefaults reports whether the verdict rests on missing arguments being
// filled in, which nothing here does.
func fillsDefaults(r diff.Report) bool {
	return slices.ContainsFunc(r.Changes, func(c diff.Change) bool { return c.Enforcement == "default_filled" })
}

// warm compares the versions of each family ahead of the requests that will
// ask.
func (s *Snapshot) warm() {
	families := map[string]*Family{}
	for _, seg := range s.segments {
		for _, t := range seg.tools {
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
