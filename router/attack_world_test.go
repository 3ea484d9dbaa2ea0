package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/router"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// arena is a registry under attack: what is true of it changes all the time,
// and its sources, which stand at the far end, judge by what is true whether
// each call that reaches them was allowed at that moment.
type arena struct {
	t      *testing.T
	router *router.Router
	clock  *clock
	laws   []law
	mu     sync.RWMutex // guards the two below
	now    *truth
	next   *truth   // what a change under way makes of it; nil where there is none
	stock  sync.Map // source → interlock.Catalogue
	claims sync.Map // call number → claim
	spent  sync.Map // approval → true, once a call came with it
	number atomic.Int64
	sent   atomic.Int64
	slow   atomic.Int64 // calls that were written twice
	ends   sync.Map     // call number → *truth when its answer left the source
	// released counts the answers of which one truth held from then to their release.
	released atomic.Int64
}

// truth is everything that decides whether a call is allowed. It never changes.
type truth struct {
	law   int
	tools map[string]thing // by whole name
}

// thing is one tool as it is.
type thing struct {
	born      int // counts its definitions: an offer of an earlier one holds no more
	binding   string
	effect    interlock.Effect
	hidden    bool // by its tag, where the law says so
	callable  bool
	otherwise bool // its definition contradicts its version
	down      bool
}

func (t truth) with(name string, change func(*thing)) truth {
	tools := make(map[string]thing, len(t.tools))
	for k, v := range t.tools {
		tools[k] = v
	}
	one := tools[name]
	change(&one)
	tools[name] = one
	return truth{t.law, tools}
}

// claim is what the attacker knows of one call when he makes it.
type claim struct {
	who      interlock.Principal
	tool     string
	born     int    // the definition that the offer was made for; -1 where the tool is named
	never    bool   // nothing could make this call allowed
	approval string // granted for exactly this call; empty where there is none
	args     string
}

// law is a set of policies, and what it says in plain Go.
type law struct {
	set    *policy.Set
	sees   func(p interlock.Principal, t thing) bool
	calls  func(p interlock.Principal, t thing, args string) bool
	waives func(p interlock.Principal) bool
	masks  bool // the member "secret"
}

func clerk(p interlock.Principal) bool { return slices.Contains(p.Roles, "clerk") }

// lawBook writes the laws. Their texts are overwritten once they are loaded: a
// set holds what it was loaded from.
func lawBook(t *testing.T) []law {
	const see = `permit (principal, action in [Action::"discover", Action::"readField"], resource);` + "\n"
	const forbid = `forbid (principal, action == Action::`
	all := func(interlock.Principal, thing) bool { return true }
	any := func(interlock.Principal, thing, string) bool { return true }
	no := func(interlock.Principal) bool { return false }
	odd := func(p interlock.Principal) bool { return p.Name == "w1" || p.Name == "w3" }
	load := func(l law, text string) law {
		raw := []byte(text)
		var err error
		if l.set, err = policy.Load([]policy.File{{Name: "law.cedar", Text: raw}}); err != nil {
			t.Fatal(err)
		}
		for i := range raw {
			raw[i] = 'x'
		}
		if l.sees == nil {
			l.sees = all
		}
		if l.calls == nil {
			l.calls = any
		}
		if l.waives == nil {
			l.waives = no
		}
		return l
	}
	return []law{
		load(law{}, permitAll),
		load(law{calls: func(p interlock.Principal, _ thing, _ string) bool { return !odd(p) }},
			permitAll+`forbid (principal, action == Action::"invoke", resource) when { [Principal::"w1", Principal::"w3"].contains(principal) };`),
		load(law{sees: func(_ interlock.Principal, t thing) bool { return !t.hidden }}, permitAll+forbid+`"discover", resource) when { resource.tags.contains("vis=hidden") };`),
		load(law{masks: true}, permitAll+forbid+`"readField", resource) when { resource.at == "output:/secret" };`),
		load(law{calls: func(_ interlock.Principal, _ thing, args string) bool { return len(args) <= 40 }}, permitAll+forbid+`"invoke", resource) when { context.args_bytes > 40 };`),
		load(law{calls: func(_ interlock.Principal, t thing, _ string) bool { return t.effect != interlock.EffectRead }},
			permitAll+forbid+`"invoke", resource) when { resource.effect == "read" && 9223372036854775807 + 1 > 0 };`),
		load(law{waives: clerk}, permitAll+`@approval("none") permit (principal in Role::"clerk", action == Action::"invoke", resource);`),
		load(law{calls: func(p interlock.Principal, _ thing, _ string) bool { return clerk(p) }}, see+`permit (principal in Role::"clerk", action == Action::"invoke", resource);`),
		load(law{sees: func(interlock.Principal, thing) bool { return false }}, ``),
		load(law{}, permitAll+"// the same in other words"),
	}
}

// allowed reports whether a truth lets a call be sent with this binding, in
// plain Go and from first principles.
func (a *arena) allowed(tr *truth, c claim, binding string) bool {
	l, t := a.laws[tr.law], tr.tools[c.tool]
	switch {
	case c.never || !t.callable || t.otherwise || t.down || t.binding != binding:
		return false
	case !l.sees(c.who, t) || !l.calls(c.who, t, c.args):
		return false
	case c.born >= 0 && c.born != t.born:
		return false
	}
	return t.effect == interlock.EffectRead || c.approval != "" || l.waives(c.who)
}

// truths gives what is true now, and what may be within the change under way.
func (a *arena) truths() []*truth {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if a.next == nil {
		return []*truth{a.now}
	}
	return []*truth{a.now, a.next}
}

// change makes something else true: while do runs either may hold, and once it
// has returned the new alone.
func (a *arena) change(next truth, do func()) {
	a.mu.Lock()
	a.next = &next
	a.mu.Unlock()
	do()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.now, a.next = &next, nil
}

// Open gives the source of a name.
func (a *arena) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	return farEnd{a, cfg.Name}, nil
}

// farEnd is one source of the arena.
type farEnd struct {
	arena *arena
	name  string
}

func (farEnd) Close() error { return nil }

func (f farEnd) Catalogue(context.Context) (interlock.Catalogue, error) {
	cat, ok := f.arena.stock.Load(f.name)
	if !ok {
		return interlock.Catalogue{}, &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonSourceUnreachable, Stage: "ingest", Public: "No such source."}
	}
	return cat.(interlock.Catalogue), nil
}

// Call is where the judging is done. One call in eight begins late, and one in
// eight is written twice.
func (f farEnd) Call(_ context.Context, call interlock.Outbound) (interlock.Reply, error) {
	a := f.arena
	n := numberOf(call.Args)
	known, ok := a.claims.Load(n)
	if !ok {
		a.t.Errorf("a call arrived that nobody made: %s", call.Args)
		return interlock.Reply{}, nil
	}
	c := known.(claim)
	if n%8 == 0 {
		time.Sleep(time.Duration(n%7) * 100 * time.Microsecond)
	}
	times := 1
	if n%8 == 1 {
		times = 2
	}
	var binding string
	if err := json.Unmarshal(call.Binding, &binding); err != nil {
		a.t.Errorf("binding %s: %v", call.Binding, err)
	}
	for i := range times {
		if i > 0 {
			time.Sleep(2 * time.Millisecond) // as one does before a repeat
		}
		seen := a.truths()
		if err := call.Dispatched(); err != nil {
			return interlock.Reply{}, err
		}
		if i > 0 { // no lease is held: what became true meanwhile counts as well
			a.slow.Add(1)
			seen = append(seen, a.truths()...)
		}
		if !slices.ContainsFunc(seen, func(tr *truth) bool { return a.allowed(tr, c, binding) }) {
			a.t.Errorf("an unauthorised call arrived (writing %d): %+v to %s under law %d", i, c, binding, seen[0].law)
		}
	}
	if string(call.Args) != c.args {
		a.t.Errorf("the arguments %s arrived, and %s were checked", call.Args, c.args)
	}
	if c.approval != "" && call.Effect != interlock.EffectRead {
		if _, twice := a.spent.LoadOrStore(c.approval, true); twice {
			a.t.Errorf("the approval %s was used twice", c.approval)
		}
	}
	a.sent.Add(1)
	if n%16 == 2 {
		time.Sleep(time.Millisecond) // laws change while it runs
	}
	if end := a.truths(); len(end) == 1 {
		a.ends.Store(n, end[0])
	}
	return interlock.Reply{Result: json.RawMessage(fmt.Sprintf(`{"by":%q,"secret":"SECRET-%d"}`, binding, n))}, nil
}

func numberOf(args []byte) int64 {
	var in struct{ N int64 }
	_ = json.Unmarshal(args, &in) // nothing is a number that nobody has
	return in.N
}

var arenaSources = []string{"s0", "s1", "s2", "s3"}

// memoryDir gives a folder in memory, where the system has one: what is attacked
// is not the disk.
func memoryDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "interlock-") //nolint:usetesting // in memory
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// newRouterOf opens a router over a fresh store in a folder, and the sources of
// an opener.
func newRouterOf(t *testing.T, opener interlock.Opener, dir string, c *clock) *router.Router {
	t.Helper()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(dir, "store.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := receipt.NewKeys(newRandom(11))
	if err != nil {
		t.Fatal(err)
	}
	r, err := router.New(ctx, router.Options{Store: store, Openers: map[string]interlock.Opener{interlock.KindManifest: opener}, Keys: keys,
		Logger: slog.New(slog.DiscardHandler), Clock: c.now, Random: newRandom(12), Tokens: func(s string) int { return len(s) / 4 }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// newArena opens a router over a fresh store, with four sources of two tools.
func newArena(t *testing.T) *arena {
	t.Helper()
	a := &arena{t: t, clock: newClock(), laws: lawBook(t)}
	a.router = newRouterOf(t, a, memoryDir(t), a.clock)
	a.router.SetPolicies(a.laws[0].set)
	first := truth{tools: map[string]thing{}}
	for i, s := range arenaSources {
		for _, e := range []interlock.Effect{interlock.EffectRead, interlock.EffectWrite} {
			first.tools[s+"/"+string(e)] = thing{binding: "b0", effect: e, hidden: i%2 == 1, callable: true}
		}
	}
	a.now = &first
	for _, s := range arenaSources {
		a.publish(s, &first, nil)
	}
	return a
}

// publish registers a source as a truth has it. The source claims whatever lie
// is given, and scribbles over what it handed out.
func (a *arena) publish(source string, tr *truth, lie func(*interlock.Catalogue)) {
	cat := interlock.Catalogue{Source: source, Tenant: interlock.SharedTenant}
	for _, e := range []string{"read", "write"} {
		t := tr.tools[source+"/"+e]
		op := interlock.Operation{Name: e, Family: source + "." + e, Version: "1.0.0", Effect: t.effect, Tags: map[string]string{"vis": "open"},
			Variants: []interlock.Variant{{ID: "d", Description: "Ring the bell of " + source + " to " + e}}, Binding: json.RawMessage(fmt.Sprintf("%q", t.binding)),
			InputSchema:  json.RawMessage(`{"type":"object","properties":{"N":{"type":"integer"},"pad":{"type":"string"}}}`),
			OutputSchema: json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"},"secret":{"type":"string"}}}`)}
		if t.hidden {
			op.Tags["vis"] = "hidden"
		}
		if t.otherwise {
			op.InputSchema = json.RawMessage(`{"type":"object","required":["N"],"properties":{"N":{"type":"integer"},"pad":{"type":"string"},"more":{"type":"string"}}}`)
		}
		cat.Operations = append(cat.Operations, op)
	}
	cat.Total = len(cat.Operations)
	if lie != nil {
		lie(&cat)
	}
	a.stock.Store(source, cat)
	if _, err := a.router.Add(context.Background(), interlock.Local(), interlock.SourceConfig{Name: source, Kind: interlock.KindManifest, Tenant: interlock.SharedTenant}); err != nil {
		a.t.Errorf("publish %s: %v", source, err)
	}
	scribble(cat)
}

// scribble overwrites in place what a source handed out.
func scribble(cat interlock.Catalogue) {
	for i := range cat.Operations {
		op := &cat.Operations[i]
		for _, raw := range [][]byte{op.InputSchema, op.OutputSchema, op.Binding} {
			for j := range raw {
				raw[j] = ' '
			}
		}
		op.Tags["vis"] = "open"
		op.Variants[0].Description = "SCRIBBLE"
	}
}

// upset changes one thing that decides about calls.
func (a *arena) upset(rng *rand.Rand) {
	ctx := context.Background()
	is := *a.truths()[0]
	source := arenaSources[rng.IntN(len(arenaSources))]
	name := source + "/" + pickOf(rng, "read", "write")
	redefine := func(change func(*thing)) {
		next := is.with(name, func(t *thing) { change(t); t.born++ })
		a.change(next, func() { a.publish(source, &next, nil) })
	}
	switch rng.IntN(12) {
	default:
		for _, law := range []int{rng.IntN(len(a.laws)), 0} { // there, and back to the one that permits all
			next := truth{law, is.tools}
			a.change(next, func() { a.router.SetPolicies(a.laws[law].set) })
			time.Sleep(time.Duration(rng.IntN(1500)) * time.Microsecond)
		}
	case 6:
		redefine(func(t *thing) { t.binding = "b" + fmt.Sprint(rng.IntN(2)) + "x" })
		is = *a.truths()[0]
		redefine(func(t *thing) { t.binding = "b0" }) // there and back
	case 7:
		redefine(func(t *thing) { t.otherwise = true })
		is = *a.truths()[0]
		redefine(func(t *thing) { t.otherwise = false })
	case 8:
		gone := is.with(source+"/read", func(t *thing) { t.callable = false; t.born++ }).with(source+"/write", func(t *thing) { t.callable = false; t.born++ })
		a.change(gone, func() {
			if err := a.router.Remove(ctx, interlock.Local(), source); err != nil {
				a.t.Errorf("remove %s: %v", source, err)
			}
		})
		back := gone
		for _, e := range []string{"/read", "/write"} {
			back = back.with(source+e, func(t *thing) { t.callable, t.otherwise = true, false; t.born++ })
		}
		a.change(back, func() { a.publish(source, &back, nil) })
	case 9:
		down := is.with(source+"/read", func(t *thing) { t.down = true }).with(source+"/write", func(t *thing) { t.down = true })
		a.change(down, func() {
			if err := a.router.MarkDown(ctx, source, "no answer"); err != nil {
				a.t.Errorf("mark down: %v", err)
			}
		})
		up := down.with(source+"/read", func(t *thing) { t.down = false }).with(source+"/write", func(t *thing) { t.down = false })
		a.change(up, func() { a.publish(source, &up, nil) })
	case 10:
		next := is.with(name, func(t *thing) { t.hidden = !t.hidden })
		a.change(next, func() { a.publish(source, &next, nil) })
	case 11:
		a.lie(rng, source, is)
	}
}

// lie lets a source say of its tools what only the operator may say. Nothing of
// it is true of another source's tools.
func (a *arena) lie(rng *rand.Rand, source string, is truth) {
	other := arenaSources[rng.IntN(len(arenaSources))]
	a.change(is, func() {
		a.publish(source, &is, func(cat *interlock.Catalogue) {
			cat.Tenant = "operator"
			cat.Operations = append(cat.Operations, interlock.Operation{Name: "../" + other + "/read", Family: other + ".read", Version: "9.0.0", Effect: interlock.EffectRead,
				Variants: []interlock.Variant{{ID: "d", Description: "Ring the bell of " + other + " to read"}}, Tags: map[string]string{}, Binding: json.RawMessage(`"stolen"`)})
		})
	})
	a.change(is, func() { a.publish(source, &is, nil) })
}

func pickOf[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }
