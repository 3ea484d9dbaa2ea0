package invoke

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
)

// The patience with a source that refuses its credential: how long nothing is
// sent after the first refusal, twice as long after each further one, and at
// most; and how often secrets are looked at for a change.
const (
	firstRest = time.Minute
	longRest  = 15 * time.Minute
	lookEvery = time.Second
)

// Again is a reader of secrets that keeps some for a while, and can be asked to
// read one again.
type Again interface {
	Again(ref string) (interlock.Secret, error)
}

// keyed is an open source and the secrets that it was opened with. Where they
// change it is opened anew, and calls under way end with the old one. A source
// that refuses its credential gets one more call after the secrets were read
// again, and then none until they change or a rest is over.
type keyed struct {
	cfg     interlock.SourceConfig
	opener  interlock.Opener
	secrets interlock.Secrets // nil: nothing is looked at
	now     func() time.Time
	ending  sync.WaitGroup // sources that were replaced and are closing

	mu      sync.Mutex // guards the rest
	live    *live
	sum     [sha256.Size]byte // of the secrets
	known   bool              // sum is of secrets that could all be read
	looked  time.Time
	refused map[string]rest // by operation; "" for everything
	closed  bool
}

// live is a source and the calls that run over it.
type live struct {
	interlock.Source
	calls sync.WaitGroup
}

// rest is the time in which nothing is sent.
type rest struct {
	times int
	until time.Time
	of    string // for this caller alone; everyone where it is empty
}

// attempt is what is tried, and for whom.
type attempt struct{ what, caller string }

// holds reports whether the rest keeps an attempt from being made now.
func (r rest) holds(a attempt, now time.Time) bool {
	return now.Before(r.until) && (r.of == "" || r.of == a.caller)
}

// after is the rest after one more refusal. What one caller alone was refused may
// lie in what he asked for, so he alone waits; what two were, in the credential.
func (r rest) after(a attempt, now time.Time) rest {
	switch {
	case r.times == 0:
		r.of = a.caller
	case r.of != a.caller:
		r.of = ""
	}
	r.until = now.Add(min(firstRest<<min(r.times, 8), longRest))
	r.times++
	return r
}

func openKeyed(cfg interlock.SourceConfig, opener interlock.Opener, secrets interlock.Secrets, now func() time.Time) (*keyed, error) {
	k := &keyed{cfg: cfg, opener: opener, secrets: secrets, now: now, refused: map[string]rest{}}
	k.sum, k.known = k.read(false)
	k.looked = now()
	source, err := opener.Open(cfg)
	if err != nil {
		return nil, err
	}
	k.live = &live{Source: source}
	return k, nil
}

// references are the secrets that a source's configuration names.
func references(cfg interlock.SourceConfig) []string {
	var out []string
	for _, all := range []map[string]string{cfg.Env, cfg.Headers, cfg.Credentials} {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if interlock.IsReference(all[name]) {
				out = append(out, all[name])
			}
		}
	}
	return out
}

// read gives a digest of the secrets; false where one cannot be read. It is
// compared and goes nowhere.
func (k *keyed) read(again bool) (sum [sha256.Size]byte, ok bool) {
	if k.secrets == nil {
		return sum, true
	}
	h := sha256.New()
	for _, ref := range references(k.cfg) {
		secret, err := k.secret(ref, again)
		if err != nil {
			return sum, false
		}
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(secret.Reveal()))))
		h.Write([]byte(secret.Reveal()))
	}
	return [sha256.Size]byte(h.Sum(nil)), true
}

func (k *keyed) secret(ref string, again bool) (interlock.Secret, error) {
	if reader, ok := k.secrets.(Again); ok && again {
		return reader.Again(ref)
	}
	return k.secrets.Secret(ref)
}

// covered is what a refused credential is kept for: of an MCP server it is the
// connection that is refused, whoever calls.
func (k *keyed) covered(call interlock.Outbound) attempt {
	if k.cfg.Kind == interlock.KindMCP {
		return attempt{}
	}
	return attempt{call.Operation, call.Caller}
}

// Ready finds out what keeps a call from being sent. That nothing does says
// nothing of a credential that was refused.
func (k *keyed) Ready(ctx context.Context, call interlock.Outbound) error {
	k.look(false)
	l, err := k.take(k.covered(call))
	if err != nil {
		return err
	}
	defer l.calls.Done()
	asked, ok := l.Source.(interlock.Readier)
	if !ok {
		return nil
	}
	if err = asked.Ready(ctx, call); err != nil {
		k.note(k.covered(call), err)
	}
	return err
}

// Call sends a call over the source that the secrets of this moment open.
func (k *keyed) Call(ctx context.Context, call interlock.Outbound) (interlock.Reply, error) {
	what := k.covered(call)
	reply, err := k.once(what, func(s interlock.Source) (interlock.Reply, error) { return s.Call(ctx, call) })
	if interlock.ReasonOf(err) != interlock.ReasonNeedsAuth || interlock.AsError(err).Outcome == interlock.OutcomeNotSent {
		return reply, err
	}
	if call.Effect == interlock.EffectRead && !call.Once && k.look(true) {
		reply, err = k.once(what, func(s interlock.Source) (interlock.Reply, error) { return s.Call(ctx, call) })
	}
	return reply, err
}

// Catalogue reads the source in the same way.
func (k *keyed) Catalogue(ctx context.Context) (cat interlock.Catalogue, err error) {
	read := func(s interlock.Source) (interlock.Reply, error) {
		cat, err = s.Catalogue(ctx)
		return interlock.Reply{}, err
	}
	if _, err = k.once(attempt{}, read); interlock.ReasonOf(err) == interlock.ReasonNeedsAuth && k.look(true) {
		_, err = k.once(attempt{}, read)
	}
	return cat, err
}

// once makes one attempt and keeps what came of it.
func (k *keyed) once(a attempt, do func(interlock.Source) (interlock.Reply, error)) (interlock.Reply, error) {
	k.look(false)
	l, err := k.take(a)
	if err != nil {
		return interlock.Reply{}, err
	}
	defer l.calls.Done()
	reply, err := do(l)
	k.note(a, err)
	return reply, err
}

// take gives the live source for one attempt, or refuses while it rests.
func (k *keyed) take(a attempt) (*live, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return nil, notSent(errors.New("the source is closed"))
	}
	if r := k.refused[a.what]; r.holds(a, k.now()) {
		return nil, &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonNeedsAuth, Stage: "invoke", Outcome: interlock.OutcomeNotSent,
			Public: fmt.Sprintf("The source %s refuses the credential that Interlock has for it, so nothing was sent. The operator renews it; it is tried again when it changes, or in %s.", k.cfg.Name, r.until.Sub(k.now()).Round(time.Second))}
	}
	k.live.calls.Add(1)
	return k.live, nil
}

// note keeps whether the source refused its credential.
func (k *keyed) note(a attempt, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case interlock.ReasonOf(err) == interlock.ReasonNeedsAuth:
		k.refused[a.what] = k.refused[a.what].after(a, k.now())
	case err == nil:
		delete(k.refused, a.what)
	}
}

// look reads the secrets where it is time, or at once, and opens the source anew
// where they have changed.
func (k *keyed) look(now bool) (changed bool) {
	k.mu.Lock()
	due := k.secrets != nil && (now || k.now().Sub(k.looked) >= lookEvery)
	if due {
		k.looked = k.now()
	}
	k.mu.Unlock()
	if !due {
		return false
	}
	sum, ok := k.read(now)
	k.mu.Lock()
	defer k.mu.Unlock()
	if !ok || k.closed || k.known && sum == k.sum {
		return false
	}
	source, err := k.opener.Open(k.cfg)
	if err != nil {
		return false
	}
	old := k.live
	k.live, k.sum, k.known, k.refused = &live{Source: source}, sum, true, map[string]rest{}
	k.ending.Go(func() {
		old.calls.Wait()
		_ = old.Close() // nobody asked for its outcome
	})
	return true
}

// needsAuth reports whether the credential was refused for anything that it was
// not taken for since: for everything, or for one of some operations.
func (k *keyed) needsAuth(of func(operation string) bool) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for what := range k.refused {
		if what == "" || of(what) {
			return true
		}
	}
	return false
}

// Close ends the source.
func (k *keyed) Close() error {
	k.mu.Lock()
	k.closed = true
	l := k.live
	k.mu.Unlock()
	err := l.Close()
	k.ending.Wait()
	return err
}
