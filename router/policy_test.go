package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/router"
)

const permitAll = `permit (principal, action in [Action::"discover", Action::"invoke", Action::"readField"], resource);` + "\n"

func policies(t testing.TB, text string) *policy.Set {
	t.Helper()
	set, err := policy.Load([]policy.File{{Name: "p.cedar", Text: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestNonInterferenceUnderPolicy hides tools and masks fields by policy, and
// expects the bytes of a registry that never had them.
func TestNonInterferenceUnderPolicy(t *testing.T) {
	set := policies(t, permitAll+`
forbid (principal, action == Action::"discover", resource) when { resource.tags.contains("vis=hidden") };
forbid (principal, action == Action::"readField", resource) when { resource.at like "*:/secret*" || resource.at like "*/secret*" };
forbid (principal, action == Action::"readField", resource) when { resource.semantic_id == "hush" };
forbid (principal, action == Action::"invoke", resource) when { resource.source == "s1" };`)
	masked := atomic.Int64{}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := newGen(500 + seed)
			cats := g.registry(40)
			alice := interlock.Principal{Name: "alice", Tenant: "a"}
			with, without := map[string]interlock.Catalogue{}, map[string]interlock.Catalogue{}
			for source, cat := range cats {
				cat.Tenant = interlock.SharedTenant
				full, part := cat, cat
				full.Operations, part.Operations = nil, nil
				for _, op := range cat.Operations {
					has, never, hidden := g.secretive(op)
					full.Operations = append(full.Operations, has)
					if !hidden {
						part.Operations = append(part.Operations, never)
					}
					if string(has.OutputSchema) != string(never.OutputSchema) {
						masked.Add(1)
					}
				}
				with[source], without[source] = full, part
			}
			whole, part := &shelf{stock: map[string]interlock.Catalogue{}}, &shelf{stock: map[string]interlock.Catalogue{}}
			a, b := newRouter(t, whole, nil), newRouter(t, part, nil)
			stock(t, a, whole, with, genSources)
			stock(t, b, part, without, genSources)
			a.SetPolicies(set)
			b.SetPolicies(set)
			sameFor(t, a, b, alice, everything, g.need())
			for range 60 {
				need := g.need()
				if g.IntN(3) == 0 {
					need.Text += g.pick(" about a secret", " hush", " secret1", " zebra")
				}
				if g.IntN(4) == 0 {
					need.Want = []interlock.Want{{SemanticID: g.pick("hush", "loud")}}
				}
				sameFor(t, a, b, alice, answered, need)
			}
			for i := range 40 {
				sameRefusal(t, a, b, alice, fmt.Sprintf("%s/t%d", g.pick(genSources...), i))
			}
		})
	}
	t.Cleanup(func() {
		if masked.Load() < 100 {
			t.Errorf("only %d operations have secrets", masked.Load())
		}
	})
}

// secretive gives an operation secrets, by its family and version alone so that
// neighbours agree; never is the same without them.
func (g gen) secretive(op interlock.Operation) (has, never interlock.Operation, hidden bool) {
	kind := (len(op.Family)*3 + int(op.Version[0]) + int(op.Version[2])) % 4
	has, never = op, op
	open := []interlock.FieldMeaning{{At: "output:/by", SemanticID: "loud"}}
	has.Fields, never.Fields = open, open
	switch kind {
	case 1:
		has.OutputSchema = json.RawMessage(`{"type":"object","properties":{"secret1":{"type":"number","description":"zebra"},"by":{"type":"string"}},"required":["secret1"]}`)
		never.OutputSchema = json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"}}}`)
	case 2:
		has.OutputSchema = json.RawMessage(`{"$defs":{"zebra":{"type":"string","enum":["zebra"]}},"type":"object","properties":{"by":{"type":"string"},"in":{"type":"object","properties":{"a":{},"secret2":{"$ref":"#/$defs/zebra"}}},"other":{}}}`)
		never.OutputSchema = json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"},"in":{"type":"object","properties":{"a":{}}}}}`)
		has.Fields = append(open[:1:1], interlock.FieldMeaning{At: "output:/other", SemanticID: "hush"})
	case 3:
		has.InputSchema = json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"secret3":{"type":"string","description":"zebra"}}}`)
		never.InputSchema = json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`)
	}
	if g.IntN(4) == 0 {
		has.Tags = map[string]string{"vis": "hidden"}
		return has, never, true
	}
	return has, never, false
}

// TestSwapUnderAttack swaps policies there and back while others call. No call
// that begins while the denying set is in force is sent, whatever was allowed a
// moment before.
func TestSwapUnderAttack(t *testing.T) {
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	r := newRouter(t, s, nil)
	s.put("s", interlock.Catalogue{Operations: []interlock.Operation{{Name: "tool", Family: "bell.ring", Version: "1.0.0", Effect: interlock.EffectRead,
		Variants: []interlock.Variant{{ID: "d", Description: "ring the bell"}}, InputSchema: json.RawMessage(`{"type":"object"}`), Binding: json.RawMessage(`"b"`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"}}}`)}}})
	if _, err := r.Add(context.Background(), interlock.Local(), interlock.SourceConfig{Name: "s", Kind: interlock.KindManifest}); err != nil {
		t.Fatal(err)
	}
	alice := interlock.Principal{Name: "alice", Tenant: "a"}
	allow := policies(t, permitAll)
	denies := []*policy.Set{
		policies(t, permitAll+`forbid (principal == Principal::"alice", action == Action::"invoke", resource);`),
		policies(t, permitAll+`forbid (principal, action == Action::"discover", resource == Tool::"s/tool");`),
		policies(t, permitAll+`forbid (principal, action == Action::"invoke", resource) when { resource.effect == "read" && 9223372036854775807 + 1 > 0 };`),
		policies(t, permitAll+`forbid (principal, action == Action::"invoke", resource) when { context.args_bytes > 1 };`),
	}
	var force sync.RWMutex // writers change the policies; readers know which are in force
	denied, sent, refused := false, atomic.Int64{}, atomic.Int64{}
	r.SetPolicies(allow)
	offer := offerOf(t, r, alice)
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
	defer stop()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				force.RLock()
				was := denied
				_, err := r.Call(context.Background(), alice, interlock.CallRequest{Offer: offer, Args: []byte(`{}`)})
				force.RUnlock()
				switch {
				case err == nil && was:
					t.Error("a call was sent under a denying policy")
				case err == nil:
					sent.Add(1)
				case was:
					refused.Add(1)
				default:
					t.Errorf("a call was refused under a permitting policy: %v", err)
				}
			}
		})
		if i > 1 {
			continue
		}
		wg.Go(func() { // there and back without a word: each call must come out as one of the two
			for ctx.Err() == nil {
				_, err := r.Call(context.Background(), alice, interlock.CallRequest{Offer: offer, Args: []byte(`{}`)})
				if reason := interlock.ReasonOf(err); err != nil && reason != interlock.ReasonDenied && reason != interlock.ReasonOfferInvalid && reason != interlock.ReasonFingerprintChanged && reason != interlock.ReasonWithheld {
					t.Errorf("%v", err)
				}
			}
		})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for ctx.Err() == nil {
		force.Lock()
		if denied = !denied; denied {
			r.SetPolicies(denies[rng.IntN(len(denies))])
		} else {
			r.SetPolicies(allow)
		}
		force.Unlock()
		time.Sleep(time.Duration(rng.IntN(300)) * time.Microsecond)
	}
	wg.Wait()
	if sent.Load() < 50 || refused.Load() < 50 {
		t.Errorf("%d sent, %d refused: the attack was none", sent.Load(), refused.Load())
	}
}

func offerOf(t *testing.T, r *router.Router, who interlock.Principal) string {
	t.Helper()
	res, err := r.Resolve(context.Background(), who, interlock.Need{Text: "ring the bell", Constraints: []interlock.Constraint{{Family: "bell.ring", Range: "^1.0"}}})
	if err != nil || len(res.Candidates) == 0 {
		t.Fatalf("%+v %v", res, err)
	}
	return res.Candidates[0].Offer
}

// The log names the policies that each answer and call was held to.
func TestLogNamesThePolicies(t *testing.T) {
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	r := newRouter(t, s, nil)
	stock(t, r, s, map[string]interlock.Catalogue{"s": {Operations: []interlock.Operation{{Name: "t", Family: "bell.ring", Version: "1.0.0", Effect: interlock.EffectRead, InputSchema: json.RawMessage(`{"type":"object"}`),
		OutputSchema: json.RawMessage(`{"type":"object"}`), Binding: json.RawMessage(`"b"`), Variants: []interlock.Variant{{ID: "d", Description: "ring the bell"}}}}}}, []string{"s"})
	set, pat, ctx := policies(t, permitAll), interlock.Principal{Name: "pat"}, context.Background()
	r.SetPolicies(set)
	if _, err := r.Call(ctx, pat, interlock.CallRequest{Offer: offerOf(t, r, pat), Args: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Call(ctx, pat, interlock.CallRequest{Offer: "forged", Args: []byte(`{}`)}); err == nil {
		t.Fatal("a forged offer was taken")
	}
	entries, err := r.LogList(ctx, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, e := range entries {
		named[e.Type] = strings.Contains(string(e.Body), `"policies":"`+set.Digest()+`"`)
	}
	for _, kind := range []string{interlock.EntryResolve, interlock.EntryCall, interlock.EntryRefused} {
		if !named[kind] {
			t.Errorf("the entry of a %s does not name the policies", kind)
		}
	}
}

func TestWhy(t *testing.T) {
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	r := newRouter(t, s, nil)
	stock(t, r, s, map[string]interlock.Catalogue{"s": {Operations: []interlock.Operation{{Name: "t", Version: "1.0.0", Effect: interlock.EffectRead, InputSchema: json.RawMessage(`{"properties":{"ssn":{}},"required":["ssn"]}`),
		Variants: []interlock.Variant{{ID: "d", Description: "x"}}}}}}, []string{"s"})
	pat, auditor := interlock.Principal{Name: "pat"}, interlock.Principal{Name: "quinn", Roles: []string{"auditor"}}
	ctx := context.Background()
	if w, err := r.Why(ctx, interlock.Local(), pat, "s/t"); err != nil || w.Visible || !strings.Contains(w.Text, "no policies") {
		t.Errorf("%+v %v", w, err)
	}
	r.SetPolicies(policies(t, permitAll+`permit (principal in Role::"auditor", action == Action::"audit", resource);
@id("ssn") forbid (principal == Principal::"pat", action == Action::"readField", resource == Field::"s/t#input:/ssn");`))
	w, err := r.Why(ctx, auditor, pat, "s/t")
	if err != nil || w.Visible || len(w.Masked) != 1 || w.Masked[0].At != "input:/ssn" || w.Because == "" || !strings.Contains(w.Text, "ssn (p.cedar:3)") {
		t.Errorf("%+v %v", w, err)
	}
	if w, err := r.Why(ctx, auditor, auditor, "s/t"); err != nil || !w.Visible {
		t.Errorf("%+v %v", w, err)
	}
	if _, err := r.Why(ctx, pat, pat, "s/t"); interlock.CodeOf(err) != interlock.CodeDenied {
		t.Errorf("pat asks: %v", err)
	}
	if _, err := r.Why(ctx, auditor, pat, "s/none"); interlock.CodeOf(err) != interlock.CodeNotFound {
		t.Errorf("no such tool: %v", err)
	}
	if r.Holds(pat, policy.Audit) || !r.Holds(auditor, policy.Audit) || r.Holds(auditor, policy.Administer) || !r.Holds(interlock.Local(), policy.Administer) {
		t.Error("rights")
	}
}

// TestWhyIsWhatIsEnforced holds the explanation against what is done: what it says
// is visible is listed, and what it says may be called is.
func TestWhyIsWhatIsEnforced(t *testing.T) {
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	r := newRouter(t, s, nil)
	op := interlock.Operation{Name: "t", Version: "1.0.0", Effect: interlock.EffectRead, Binding: json.RawMessage(`{}`), InputSchema: json.RawMessage(`{"type":"object"}`), Variants: []interlock.Variant{{ID: "d", Description: "x"}}}
	stock(t, r, s, map[string]interlock.Catalogue{"s": {Operations: []interlock.Operation{op}}}, []string{"s"})
	all := []string{"*"}
	sets := map[string]*policy.Set{
		"none": nil, "all": policies(t, permitAll), "forbidden": policies(t, permitAll+`@id("f") forbid (principal, action == Action::"invoke", resource);`),
		"discover alone": policies(t, `permit (principal, action in [Action::"discover", Action::"readField"], resource);`),
		"invoke alone":   policies(t, `permit (principal, action == Action::"invoke", resource);`),
	}
	whos := map[string]struct {
		who    interlock.Principal
		beside string // what keeps him from calling where policies permit all
	}{
		"all":              {interlock.Principal{Allow: all}, ""},
		"invoke list":      {interlock.Principal{Allow: all, Invoke: []string{"s/other*"}}, "invoke list leaves it out"},
		"allow list":       {interlock.Principal{Allow: []string{"s/other*"}}, "allow list leaves it out"},
		"deny list":        {interlock.Principal{Allow: all, Deny: []string{"s/t"}}, "deny list has it"},
		"scopes":           {interlock.Principal{Allow: all, Invoke: []string{}, Scopes: []string{"discover"}}, "scopes of the credential do not reach invoke"},
		"discovery scopes": {interlock.Principal{Allow: []string{}, Scopes: []string{"invoke"}}, "scopes of the credential do not reach discover"},
		"operator":         {interlock.Local(), ""},
	}
	ctx := context.Background()
	for named, set := range sets {
		r.SetPolicies(set)
		for what, of := range whos {
			of.who.Name = "pat"
			w, err := r.Why(ctx, interlock.Local(), of.who, "s/t")
			if err != nil {
				t.Fatal(err)
			}
			seen, err := r.Tools(ctx, of.who)
			if err != nil || w.Visible != (len(seen) == 1) || w.Discover.Allowed != w.Visible {
				t.Errorf("%s, %s: sees %d, and is explained as %+v %v", named, what, len(seen), w, err)
			}
			_, err = r.Call(ctx, of.who, interlock.CallRequest{Tool: "s/t", Args: json.RawMessage(`{}`)})
			if called := err == nil; called != w.Invoke.Allowed {
				t.Errorf("%s, %s: called %t (%v), and is explained as %s", named, what, called, err, w.Text)
			}
			if named == "all" && (of.beside == "") != w.Invoke.Allowed || named == "all" && !strings.Contains(w.Text, of.beside) {
				t.Errorf("%s, %s: %q is not in %s", named, what, of.beside, w.Text)
			}
		}
	}
}
