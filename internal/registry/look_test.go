package registry

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestLooksAreRepeated publishes random catalogues one after the other, once
// with what was seen of the one before and once without: records and findings
// are the same, wherever a tool stands and whatever changed of it.
func TestLooksAreRepeated(t *testing.T) {
	texts := []string{"Lists orders.", orders, "Lists orders, newest first.", "Use this instead of s/b."}
	schemas := []string{`{"type":"object"}`, `{"type":"object","properties":{"n":{"type":"integer","minimum":5,"maximum":1}}}`, `{"type":"strnig"}`, `{"type":"object","properties":{"n":{"type":"integer","default":"x"}}}`}
	cfg := interlock.SourceConfig{Name: "s", Kind: interlock.KindManifest}
	findings, same := 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 9))
		state, looks := &State{}, map[string]look(nil)
		for range 6 {
			var cat interlock.Catalogue
			for _, i := range rng.Perm(4)[:1+rng.IntN(4)] {
				cat.Operations = append(cat.Operations, interlock.Operation{Name: string(rune('a' + i)), Effect: interlock.EffectRead, InputSchema: []byte(schemas[rng.IntN(len(schemas))]),
					Variants: []interlock.Variant{{ID: "d", Description: texts[rng.IntN(len(texts))]}}})
			}
			fresh, again := newPlan(state, cfg, cat, ByRefresh), newPlan(state, cfg, cat, ByRefresh)
			again.looks = looks
			change, report := fresh.run()
			change2, report2 := again.run()
			if !reflect.DeepEqual(change, change2) || !reflect.DeepEqual(report, report2) {
				t.Fatalf("seed %d: with what was seen before: %+v, without: %+v", seed, report2, report)
			}
			for id, l := range again.looked {
				if before, ok := looks[id]; ok && reflect.DeepEqual(before, l) {
					same++
				}
			}
			findings += len(report.Findings)
			looks, state = again.looked, state.apply(change)
			state.Generation++
		}
	}
	if findings < 100 || same < 20 {
		t.Errorf("%d findings, %d definitions seen again: the catalogues are not varied", findings, same)
	}
}
