package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/router"
)

// TestKeptAnswersAreFound asks generated needs of one router that keeps its
// answers while its registry changes, and of fresh ones that went the same way
// and have kept nothing: whoever asks, and however often, the answers are the same.
func TestKeptAnswersAreFound(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := newGen(3000 + seed)
			cats, s := g.registry(30), &shelf{stock: map[string]interlock.Catalogue{}}
			whos := []interlock.Principal{g.principal("alice"), g.principal("bob"), interlock.Local()}
			var needs []interlock.Need
			for range 12 {
				needs = append(needs, g.need())
			}
			keeping := newRouter(t, s, nil)
			var past []map[string]interlock.Catalogue
			for round := range 3 {
				stock(t, keeping, s, cats, genSources)
				past = append(past, maps.Clone(cats))
				fresh := newRouter(t, s, nil)
				for _, then := range past {
					stock(t, fresh, s, then, genSources)
				}
				for _, who := range whos {
					for _, need := range needs {
						want := answerOf(t, fresh, who, need)
						for range 3 {
							if got := answerOf(t, keeping, who, need); got != want {
								t.Errorf("%s asks %+v:\nkept  %s\nfresh %s", who.Name, need, got, want)
							}
						}
					}
				}
				cats["s1"] = g.registry(20)[genSources[round]] // the next round's registry is another
			}
		})
	}
}

// answerOf gives an answer as JSON, with the length of each offer in its place,
// and does with the lists of the answer what a careless caller does.
func answerOf(t *testing.T, r *router.Router, who interlock.Principal, need interlock.Need) string {
	t.Helper()
	res, err := r.Resolve(context.Background(), who, need)
	if err != nil {
		return err.Error()
	}
	for i, c := range res.Candidates {
		res.Candidates[i].Offer = fmt.Sprint(len(c.Offer))
	}
	text, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	for i := range res.Candidates {
		res.Candidates[i].Tool, res.Candidates[i].InputSchema = "spoilt", nil
	}
	if res.LeftOut != nil {
		res.LeftOut.K = -1
	}
	for i := range res.Missing {
		res.Missing[i].Pointer = "spoilt"
	}
	for i := range res.Events {
		res.Events[i].Family = "spoilt"
	}
	return string(text)
}

// TestKeptAnswerHasOwnOffers: the offer in a kept answer is the asker's own, and
// of use to nobody else.
func TestKeptAnswerHasOwnOffers(t *testing.T) {
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	r := newRouter(t, s, nil)
	stock(t, r, s, map[string]interlock.Catalogue{"s0": {Tenant: "shared", Operations: []interlock.Operation{{Name: "bell", Effect: interlock.EffectRead,
		Variants: []interlock.Variant{{ID: "default", Description: "Ring the bell of the tower"}}, Binding: json.RawMessage(`"bell"`)}}, Total: 1}}, []string{"s0"})
	alice := interlock.Principal{Name: "alice", Tenant: "a", Allow: []string{"*"}}
	bob := alice
	bob.Name = "bob" // of the same class: one view serves both
	offers := map[string]string{}
	for _, who := range []interlock.Principal{alice, bob, alice} {
		res, err := r.Resolve(t.Context(), who, interlock.Need{Text: "ring the bell"})
		if err != nil || len(res.Candidates) != 1 {
			t.Fatalf("%s: %+v, %v", who.Name, res, err)
		}
		offers[who.Name] = res.Candidates[0].Offer
	}
	got := map[string]interlock.Reason{}
	for _, who := range []interlock.Principal{alice, bob} {
		for owner, offer := range offers {
			_, err := r.Call(t.Context(), who, interlock.CallRequest{Offer: offer, Args: []byte(`{}`)})
			got[who.Name+" with the offer of "+owner] = interlock.ReasonOf(err)
		}
	}
	want := map[string]interlock.Reason{"alice with the offer of alice": "", "bob with the offer of bob": "",
		"alice with the offer of bob": interlock.ReasonOfferInvalid, "bob with the offer of alice": interlock.ReasonOfferInvalid}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

// TestKeptAnswersAreBounded: however many see different things of a registry that
// does not change, the answers of few of them are kept, and what anyone gets is his.
func TestKeptAnswersAreBounded(t *testing.T) {
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	g := newGen(77)
	kept, fresh := newRouter(t, s, nil), newRouter(t, s, nil)
	cats := g.registry(30)
	stock(t, kept, s, cats, genSources)
	stock(t, fresh, s, cats, genSources)
	need := interlock.Need{Text: "weather in the city"}
	most := 0
	for n := range 5 * router.MaxKeptViews {
		who := interlock.Principal{Name: fmt.Sprint("p", n), Tenant: "a", Allow: []string{"*"}, Deny: []string{fmt.Sprintf("s%d/t%d", n%3, n)}}
		if n%2 == 1 {
			who.Deny, who.Tenant = nil, fmt.Sprint("tenant", n) // one view, another tenant
		}
		if got, want := answerOf(t, kept, who, need), answerOf(t, fresh, who, need); got != want {
			t.Fatalf("%+v:\nkept  %s\nfresh %s", who, got, want)
		}
		most = max(most, kept.KeptViews())
	}
	if most > router.MaxKeptViews || most < router.MaxKeptViews/2 {
		t.Errorf("answers of %d views are kept, of at most %d", most, router.MaxKeptViews)
	}
}
