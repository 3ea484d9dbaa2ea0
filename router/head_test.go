package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestHeadIsWhole: an answer is made from the first tools alone, as many as
// decide it, and is the one that is made from all of them, as for an
// explanation. Needs of few words are met by many tools, constraints and rights
// take whole runs of them out.
func TestHeadIsWhole(t *testing.T) {
	ctx := context.Background()
	kinds, found := map[interlock.Disposition]int{}, 0
	for seed := range uint64(2) {
		g, s := newGen(seed), &shelf{stock: map[string]interlock.Catalogue{}}
		r := newRouter(t, s, nil)
		cats := g.registry(700)
		for name, cat := range cats {
			for i := range cat.Operations {
				op := &cat.Operations[i]
				if i%2 == 0 { // a family of its own
					op.Family = ""
				}
				switch i % 4 {
				case 0: // only another tool of its source knows what it takes
					op.Name = "read_note_" + op.Name
					op.InputSchema = json.RawMessage(`{"type":"object","required":["note_id"],"properties":{"note_id":{"type":"string"}}}`)
				case 2:
					op.Name = g.pick("search", "list", "note") + "_notes_" + op.Name
					op.InputSchema = json.RawMessage(`{"type":"object","required":["query"],"properties":{"query":{"type":"string"}}}`)
				}
			}
			cats[name] = cat
		}
		stock(t, r, s, cats, genSources)
		for i := range 400 {
			need, who := g.need(), g.principal(fmt.Sprint("p", i%20))
			if i%3 > 0 {
				need.Constraints = nil
			}
			answer := func(explain bool) interlock.Resolution {
				need.Explain = explain
				res, err := r.Resolve(ctx, who, need)
				if err != nil {
					t.Fatalf("seed %d, need %d: %v", seed, i, err)
				}
				res.Explanation = nil
				for j := range res.Candidates {
					res.Candidates[j].Offer = "" // of its moment
				}
				return res
			}
			head, whole := answer(false), answer(true)
			kinds[head.Disposition]++
			for _, m := range head.Missing {
				if m.FoundBy != "" {
					found++
				}
			}
			if !reflect.DeepEqual(head, whole) {
				t.Fatalf("seed %d, need %d %+v: %+v\nof all: %+v", seed, i, need, head, whole)
			}
		}
	}
	if len(kinds) < 4 || found == 0 {
		t.Errorf("only %v, and %d inputs that another tool finds", kinds, found)
	}
}
