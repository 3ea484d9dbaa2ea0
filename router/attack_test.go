package router_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/offer"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// attacks is how many calls an attack makes: INTERLOCK_ATTACK says it for the
// long form, which `make attack` runs under the race detector.
func attacks(short int) (n int, long bool) {
	if n, err := strconv.Atoi(os.Getenv("INTERLOCK_ATTACK")); err == nil && n > 0 {
		return n, true
	}
	return short, false
}

// TestRecheckUnderAttack makes calls with offers and approvals that are genuine,
// forged, stolen, late, of a retired key or replayed, while policies, tools and
// sources change there and back. The sources judge each call that reaches them
// at that moment: none may arrive that was not allowed then.
func TestRecheckUnderAttack(t *testing.T) {
	total, long := attacks(3_000)
	const each, seed = 5_000, 20261130 // a registry with few approvals is asked fast
	for part := 0; part*each < total; part++ {
		t.Run(fmt.Sprint(part), func(t *testing.T) { attack(t, min(each, total-part*each), seed+uint64(part), long) })
	}
}

// attack makes calls of one registry.
func attack(t *testing.T, total int, seed uint64, long bool) {
	t.Logf("%d calls, seed %d", total, seed)
	a := newArena(t)
	raid := &raid{arena: a, left: int64(total)}
	ctx, stop := context.WithCancel(context.Background())
	var changing, calling sync.WaitGroup
	changes := 0
	changing.Go(func() {
		rng := rand.New(rand.NewPCG(seed, 0))
		for ctx.Err() == nil {
			a.upset(rng)
			changes++
			time.Sleep(time.Duration(rng.IntN(8000)) * time.Microsecond)
			if rng.IntN(20) == 0 {
				a.clock.wait(time.Duration(rng.IntN(9)) * time.Minute)
			}
		}
	})
	for i := range 4 {
		calling.Go(func() { raid.go1(rand.New(rand.NewPCG(seed, uint64(i+1))), fmt.Sprint("w", i)) })
	}
	if long {
		calling.Go(func() { raid.progress(ctx, total) })
	}
	calling.Wait()
	stop()
	changing.Wait()
	t.Logf("%d changes; %d of %d calls sent, %d written twice; refused: %v", changes, a.sent.Load(), total, a.slow.Load(), raid.reasons())
	if sent := a.sent.Load(); sent < int64(total)/20 || changes < 20 || a.slow.Load() == 0 || a.released.Load() == 0 {
		t.Errorf("%d sent, %d changes: the attack was none", sent, changes)
	}
	for _, reason := range []interlock.Reason{interlock.ReasonOfferInvalid, interlock.ReasonFingerprintChanged, interlock.ReasonDenied, interlock.ReasonApprovalRequired, interlock.ReasonApprovalInvalid} {
		if _, met := raid.refused.Load(reason); !met {
			t.Errorf("no call was refused for %s", reason)
		}
	}
	if n, err := a.router.LogVerify(context.Background()); err != nil || n < int64(total) {
		t.Errorf("the log holds %d entries of %d calls: %v", n, total, err)
	}
}

// raid is the attackers.
type raid struct {
	*arena
	left    int64
	mu      sync.Mutex // guards loot
	loot    []held     // offers and approvals of everybody
	refused sync.Map   // reason → *atomic.Int64
}

// held is an offer with what is known of it.
type held struct {
	offer, owner, tool string
	born               int
	expires            time.Time
	approval, args     string    // of a write: what was granted for which arguments
	leave              time.Time // until when
}

func (r *raid) keep(h held) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.loot) < 400 {
		r.loot = append(r.loot, h)
		return
	}
	r.loot[int(r.number.Load())%len(r.loot)] = h
}

func (r *raid) steal(rng *rand.Rand) (held, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.loot) == 0 {
		return held{}, false
	}
	return r.loot[rng.IntN(len(r.loot))], true
}

func (r *raid) progress(ctx context.Context, total int) {
	for left := atomic.LoadInt64(&r.left); left > 0 && ctx.Err() == nil && !r.t.Failed(); left = atomic.LoadInt64(&r.left) {
		fmt.Fprintf(os.Stderr, "attack: %d of %d calls, %d sent\n", int64(total)-left, total, r.sent.Load())
		time.Sleep(5 * time.Second)
	}
}

func (r *raid) reasons() string {
	var out []string
	r.refused.Range(func(k, v any) bool {
		out = append(out, fmt.Sprintf("%s %d", k, v.(*atomic.Int64).Load()))
		return true
	})
	return strings.Join(out, ", ")
}

// go1 makes calls as one principal until none are left. His roles change in
// place between two calls.
func (r *raid) go1(rng *rand.Rand, name string) {
	who := interlock.Principal{Name: name, Tenant: "a", Roles: []string{"guest"}}
	for atomic.AddInt64(&r.left, -1) >= 0 && !r.t.Failed() {
		who.Roles[0] = pickOf(rng, "guest", "clerk")
		r.one(rng, who)
	}
}

// one is one call of a random kind.
func (r *raid) one(rng *rand.Rand, who interlock.Principal) {
	h, ok := r.fresh(rng, who)
	if old, found := r.steal(rng); found && rng.IntN(4) == 0 {
		h, ok = old, true
	}
	if !ok {
		r.named(rng, who)
		return
	}
	now := r.clock.now()
	c := claim{who: who, tool: h.tool, born: h.born, never: h.owner != who.Name || !now.Before(h.expires)}
	req := interlock.CallRequest{Offer: h.offer, Approval: h.approval}
	switch rng.IntN(12) {
	case 0:
		req.Offer, c.never = flip(rng, h.offer), true
	case 1:
		req.Offer, c.never = r.retired(h), true
	case 2:
		if strings.HasSuffix(h.tool, "/write") {
			req.Limit, c.never = interlock.EffectRead, true
		}
	case 3:
		r.named(rng, who)
		return
	}
	args := h.args
	if h.approval == "" || rng.IntN(4) == 0 {
		args = r.args(rng)
	} else if now.Before(h.leave) {
		c.approval = h.approval
	}
	r.call(c, req, args)
	if rng.IntN(4) == 0 && h.approval != "" && args == h.args { // the same once more: a replay
		r.call(c, req, args)
	}
}

// named calls a tool by its name, a write without leave.
func (r *raid) named(rng *rand.Rand, who interlock.Principal) {
	tool := pickOf(rng, arenaSources...) + "/" + pickOf(rng, "read", "write")
	r.call(claim{who: who, tool: tool, born: -1}, interlock.CallRequest{Tool: tool}, r.args(rng))
}

func (r *raid) args(rng *rand.Rand) string {
	return fmt.Sprintf(`{"N":%d,"pad":%q}`, r.number.Add(1), strings.Repeat("x", rng.IntN(40)))
}

// call makes a call and looks at what comes back. The caller writes over his
// arguments as soon as he can.
func (r *raid) call(c claim, req interlock.CallRequest, args string) {
	c.args, c.who.Roles = args, slices.Clone(c.who.Roles)
	n := numberOf([]byte(args))
	if _, owned := r.claims.Load(n); !owned || !c.never { // whoever steals a call whole is found out by what he gets
		r.claims.Store(n, c)
	}
	req.Args = []byte(args)
	got, err := r.router.Call(context.Background(), c.who, req)
	after := r.truths()
	for i := range req.Args {
		req.Args[i] = ' '
	}
	if err != nil {
		count, _ := r.refused.LoadOrStore(interlock.ReasonOf(err), new(atomic.Int64))
		count.(*atomic.Int64).Add(1)
		return
	}
	if c.never {
		r.t.Errorf("a call that nothing allows came back: %+v", c)
		return
	}
	if at, ok := r.ends.Load(n); ok && len(after) == 1 && at == after[0] { // one truth from the answer to its release
		law, t := r.laws[after[0].law], after[0].tools[c.tool]
		if !law.sees(c.who, t) || law.masks && strings.Contains(string(got.Result)+string(got.Content), "SECRET") {
			r.t.Errorf("released under law %d to %+v: %s", after[0].law, c, got.Result)
		}
		r.released.Add(1)
	}
}

// fresh resolves, and knows of which definition the offer is: nothing changed
// meanwhile. A write gets its approval, most of the time.
func (r *raid) fresh(rng *rand.Rand, who interlock.Principal) (held, bool) {
	tool := pickOf(rng, arenaSources...) + "/" + pickOf(rng, "read", "write")
	family := strings.ReplaceAll(tool, "/", ".")
	before, at := r.truths(), r.clock.now()
	res, err := r.router.Resolve(context.Background(), who, interlock.Need{Text: "ring the bell", Constraints: []interlock.Constraint{{Family: family, Range: "^1.0"}}})
	if err != nil {
		r.t.Error(err)
		return held{}, false
	}
	after := r.truths()
	if len(res.Candidates) == 0 || len(before) != 1 || len(after) != 1 || before[0] != after[0] || at != r.clock.now() {
		return held{}, false
	}
	c := res.Candidates[0]
	if c.Tool != tool || strings.Contains(c.Description, "SCRIBBLE") || !strings.Contains(string(c.InputSchema), "pad") {
		r.t.Errorf("%s was answered with %s: %s %s", family, c.Tool, c.Description, c.InputSchema)
	}
	if t := after[0].tools[tool]; !r.laws[after[0].law].sees(who, t) {
		r.t.Errorf("%s was disclosed to %+v under law %d", tool, who, after[0].law)
	}
	h := held{offer: c.Offer, owner: who.Name, tool: tool, born: after[0].tools[tool].born, expires: at.Add(15 * time.Minute)}
	if strings.HasSuffix(tool, "/write") {
		h.args = r.args(rng)
		asked := claim{who: who, tool: tool, born: h.born, args: h.args}
		asked.who.Roles = slices.Clone(who.Roles)
		r.claims.Store(numberOf([]byte(h.args)), asked)
		_, err := r.router.Call(context.Background(), who, interlock.CallRequest{Offer: h.offer, Args: []byte(h.args), Limit: interlock.EffectWrite})
		if id := approvalOf(err); id != "" && rng.IntN(8) > 0 {
			if _, err := r.router.Decide(context.Background(), id, interlock.Local(), true); err != nil && interlock.ReasonOf(err) != interlock.ReasonApprovalInvalid {
				r.t.Error(err) // it may have expired
			}
			h.approval, h.leave = id, r.clock.now().Add(10*time.Minute) // at the latest
		}
	}
	r.keep(h)
	return h, true
}

// approvalOf gives the approval that a refusal asks for.
func approvalOf(err error) string {
	if err == nil {
		return ""
	}
	return interlock.AsError(err).Approval
}

// flip changes an offer in some of its places.
func flip(rng *rand.Rand, text string) string {
	b := []byte(text)
	for string(b) == text {
		for range 1 + rng.IntN(3) {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(7)
		}
	}
	return string(b)
}

// retired seals the offer with a key that is not in force any more, as often as
// the tool could have changed.
func (r *raid) retired(h held) string {
	keys := offer.Keys{[]byte("a key that was retired")}
	return keys.Seal([8]byte(snapshot.HandleOf(h.tool)), offer.Terms{Principal: h.owner, Tenant: "a", Tool: h.tool, Changed: uint64(h.born + 1)}, h.expires)
}
