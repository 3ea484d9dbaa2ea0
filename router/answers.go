package router

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// maxAnswers bounds the answers that are kept of one view and tenant; they are
// a kilobyte or two each, schemas being shared with the snapshot.
const maxAnswers = 256

// maxAnswered bounds the views and tenants, a pair each, of which answers are
// kept at once, so that a registry that does not change for long, asked by
// thousands who all see different things, is not kept thousands of times. At
// most twice as many are held; those asked last stay.
const maxAnswered = 32

// answers keeps what was answered from the current views, without offers: the
// same need over the same view has the same answer, offers apart, so the stages
// need not find it again. A view belongs to one snapshot and one class of
// principals, so whoever is given a kept answer would have computed it from
// what he sees; tenants are kept apart so that none learns from the time that
// an answer takes what another asked.
type answers struct {
	mu    sync.Mutex // guards the rest
	at    uint64     // the snapshot of the views
	views *recent[answerer, *recent[askedFor, interlock.Resolution]]
}

// answerer is what an answer was computed for.
type answerer struct {
	view   *snapshot.View
	tenant string
}

// askedFor names a need by the hash of its JSON. The zero value names none: it
// is never kept.
type askedFor [sha256.Size]byte

func newAnswers() *answers {
	return &answers{views: newRecent[answerer, *recent[askedFor, interlock.Resolution]](maxAnswered)}
}

// get gives the kept answer to a need, its lists the caller's own.
func (a *answers) get(f snapshot.Frozen, need askedFor) (interlock.Resolution, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	kept, known := a.views.use(answerer{f.View(), f.Who().Tenant})
	if !known || need == (askedFor{}) {
		return interlock.Resolution{}, false
	}
	res, ok := kept.get(need)
	return own(res), ok
}

// put keeps an answer, and lets everything go that was answered before the
// registry's last change.
func (a *answers) put(f snapshot.Frozen, need askedFor, res interlock.Resolution) {
	if need == (askedFor{}) {
		return
	}
	res = own(res)
	for i := range res.Candidates {
		res.Candidates[i].Offer = ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch now := f.View().Serial; {
	case now < a.at:
		return // a request that took its snapshot before this one
	case now > a.at:
		a.at, a.views = now, newAnswers().views
	}
	of := answerer{f.View(), f.Who().Tenant}
	kept, known := a.views.use(of)
	if !known {
		kept = newRecent[askedFor, interlock.Resolution](maxAnswers)
		a.views.put(of, kept)
	}
	kept.put(need, res)
}

// own copies what an answer points to, so that whoever changes his answer
// changes nobody else's, and so that a kept one holds on to nothing of the
// stages that made it.
func own(res interlock.Resolution) interlock.Resolution {
	if res.LeftOut != nil {
		left := *res.LeftOut
		res.LeftOut = &left
	}
	res.Candidates, res.Missing, res.Events, res.Intents = slices.Clone(res.Candidates), slices.Clone(res.Missing), slices.Clone(res.Events), slices.Clone(res.Intents)
	return res
}

// askedOf names a need by its JSON. Bytes that are no UTF-8 are all written
// alike there, so such a need has no name.
func askedOf(text []byte) askedFor {
	if bytes.Contains(text, []byte(`\ufffd`)) {
		return askedFor{}
	}
	return sha256.Sum256(text)
}

// renew makes the offers of a kept answer anew, for the one who asks now.
func (r *Router) renew(f snapshot.Frozen, res interlock.Resolution, expires time.Time) error {
	for i, c := range res.Candidates {
		tool := f.View().Tool(c.Tool)
		if tool == nil {
			return fmt.Errorf("resolve: the kept candidate %s is not in its view", c.Tool)
		}
		res.Candidates[i].Offer = r.checker.Seal(f.Who(), tool, expires)
	}
	return nil
}
