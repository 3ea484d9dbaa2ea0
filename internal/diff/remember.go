package diff

import (
	"crypto/sha256"
	"sync"
)

// maxRemembered bounds the proofs that are kept.
const maxRemembered = 20_000

// remembering asks a prover once for each question.
type remembering struct {
	prover Prover
	mu     sync.Mutex
	known  map[question]answered // guarded by mu
}

type question struct {
	small, big [sha256.Size]byte
	enforce    Enforce
}

type answered struct {
	answer Answer
	err    error
}

// Prove gives the remembered answer, or asks.
func (r *remembering) Prove(small, big []byte, enforce Enforce) (Answer, error) {
	q := question{sha256.Sum256(small), sha256.Sum256(big), enforce}
	r.mu.Lock()
	a, ok := r.known[q]
	r.mu.Unlock()
	if ok {
		return a.answer, a.err
	}
	a.answer, a.err = r.prover.Prove(small, big, enforce)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known = map[question]answered{}
	}
	if len(r.known) < maxRemembered {
		r.known[q] = a
	}
	return a.answer, a.err
}
