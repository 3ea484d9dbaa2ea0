package router_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

// TestFamilyAgreesWithResolve: for random registries and constraints, a family
// says that nothing may serve exactly where a need refuses, and gives the same
// versions and the same stops.
func TestFamilyAgreesWithResolve(t *testing.T) {
	ctx := context.Background()
	refused, served := 0, 0
	for seed := range uint64(seeds) {
		g := newGen(seed)
		who, reg := g.principal("alice"), &shelf{stock: map[string]interlock.Catalogue{}}
		r := newRouter(t, reg, nil)
		stock(t, r, reg, g.registry(40), genSources)
		families := map[string]bool{}
		list, err := r.Tools(ctx, who)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range list {
			if families[row.Family] {
				continue
			}
			families[row.Family] = true
			for _, c := range []interlock.Constraint{{Range: "^1"}, {Range: "^2"}, {Range: ">=1", BuiltAgainst: row.Version}, {Range: "*", BuiltAgainst: "9.9.9"}, {Range: "^" + row.Version}} {
				c.Family = row.Family
				info, err := r.Family(ctx, who, c)
				if err != nil {
					t.Fatal(err)
				}
				res, err := r.Resolve(ctx, who, interlock.Need{Text: row.Family, Constraints: []interlock.Constraint{c}})
				if err != nil {
					t.Fatal(err)
				}
				stops, versions, open := []interlock.Stopped{}, []string{}, 0
				for _, v := range info.Versions {
					versions = append(versions, v.Version)
					if v.Stopped == nil {
						open++
					} else {
						stops = append(stops, *v.Stopped)
					}
				}
				none, _ := res.Refusal.(*interlock.NoCompatibleContract)
				if (none != nil) != (open == 0) {
					t.Fatalf("seed %d: %+v: %d versions may serve, and the need is answered %s", seed, c, open, res.Disposition)
				}
				if none == nil {
					served++
					continue
				}
				refused++
				if diff := cmp.Diff(fmt.Sprint(none.Versions, none.StoppedBy), fmt.Sprint(versions, stops)); diff != "" {
					t.Errorf("seed %d: %+v: %s", seed, c, diff)
				}
			}
		}
	}
	if refused < 50 || served < 50 {
		t.Errorf("%d refused and %d served tell too little", refused, served)
	}
}
