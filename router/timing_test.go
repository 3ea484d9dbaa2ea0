package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/router"
)

// TestSuiteTimingOfTheHidden measures whether the time of an answer tells that
// something hidden matches: needs whose best match is hidden, needs that nothing
// matches, and the latter once more for the noise, in turn, in random order. Two
// texts take different times by themselves, so the same are asked of a registry
// without what is hidden, and the difference there is taken off. It reports and
// asserts no time; INTERLOCK_SUITES makes it 12,000 rounds.
func TestSuiteTimingOfTheHidden(t *testing.T) {
	rounds, seed := 300, uint64(3)
	if os.Getenv("INTERLOCK_SUITES") != "" {
		rounds = 12_000
	}
	cat := interlock.Catalogue{}
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range 1000 {
		op := interlock.Operation{Name: fmt.Sprint("t", i), Version: "1.0.0", Effect: interlock.EffectRead, InputSchema: json.RawMessage(`{"type":"object"}`), Binding: json.RawMessage(`"b"`),
			Variants: []interlock.Variant{{ID: "d", Description: fmt.Sprintf("%s the %s of a %s", pickOf(rng, "read", "write", "list"), pickOf(rng, "weather", "invoice", "tower"), pickOf(rng, "city", "note", "harbour"))}}}
		if i%100 == 0 {
			op.Tags, op.Variants[0].Description = map[string]string{"vis": "hidden"}, "calibrate the zebra oscilloscope"
		}
		cat.Operations = append(cat.Operations, op)
	}
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	r := newRouterOf(t, s, memoryDir(t), newClock())
	s.put("s", cat)
	if _, err := r.Add(context.Background(), interlock.Local(), interlock.SourceConfig{Name: "s", Kind: interlock.KindManifest}); err != nil {
		t.Fatal(err)
	}
	laws := permitAll + `forbid (principal, action == Action::"discover", resource) when { resource.tags.contains("vis=hidden") };`
	r.SetPolicies(policies(t, laws))
	s2 := &shelf{stock: map[string]interlock.Catalogue{}}
	bare := newRouterOf(t, s2, memoryDir(t), newClock())
	shown := interlock.Catalogue{}
	for _, op := range cat.Operations {
		if op.Tags == nil {
			shown.Operations = append(shown.Operations, op)
		}
	}
	s2.put("s", shown)
	if _, err := bare.Add(context.Background(), interlock.Local(), interlock.SourceConfig{Name: "s", Kind: interlock.KindManifest}); err != nil {
		t.Fatal(err)
	}
	bare.SetPolicies(policies(t, laws))
	who := interlock.Principal{Name: "alice", Tenant: "a"}
	n := 0
	took := func(r *router.Router, text string) float64 {
		n++ // no need is asked twice
		need := interlock.Need{Text: fmt.Sprintf("%s %06d", text, n)}
		begun := time.Now()
		res, err := r.Resolve(context.Background(), who, need)
		d := time.Since(begun)
		if err != nil || res.Disposition != interlock.Unsupported {
			t.Fatalf("%v %+v", err, res)
		}
		return float64(d.Nanoseconds()) / 1000
	}
	hidden, none := make([]float64, 0, rounds), make([]float64, 0, rounds)
	var times [6][]float64
	texts := [3]string{"calibrate the zebra oscilloscope", "decorate the horse thermometers", "decorate the horse thermometers"}
	for i := range rounds + 50 {
		var one [6]float64
		for _, k := range rng.Perm(6) {
			one[k] = took([]*router.Router{r, bare}[k/3], texts[k%3])
		}
		if i < 50 {
			continue
		}
		for k := range times {
			times[k] = append(times[k], one[k])
		}
		hidden = append(hidden, one[0]-one[1]-(one[3]-one[4]))
		none = append(none, one[2]-one[1]-(one[5]-one[4]))
	}
	report := func(name string, diffs []float64) {
		low, mid, high := medianInterval(diffs)
		t.Logf("%s: median difference %.2f µs, 95 %% interval %.2f to %.2f; %.3f of the median time; d = %.3f", name, mid, low, high, mid/median(times[1]), trimmedEffect(diffs))
	}
	t.Logf("%d rounds, seed %d; median of an answer %.1f µs", rounds, seed, median(times[1]))
	report("hidden match against none", hidden)
	report("none against none (noise)", none)
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

// medianInterval gives a median with the interval that order statistics give.
func medianInterval(list []float64) (low, mid, high float64) {
	sorted := slices.Sorted(slices.Values(list))
	n := float64(len(sorted))
	off := int(math.Ceil(1.96 * math.Sqrt(n) / 2))
	at := len(sorted) / 2
	return sorted[max(0, at-off)], sorted[at], sorted[min(len(sorted)-1, at+off)]
}

// trimmedEffect is the mean over the standard deviation, without the outer
// twentieths, which are the machine's.
func trimmedEffect(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	sorted = sorted[len(sorted)/20 : len(sorted)-len(sorted)/20]
	var sum, squares float64
	for _, x := range sorted {
		sum += x
	}
	mean := sum / float64(len(sorted))
	for _, x := range sorted {
		squares += (x - mean) * (x - mean)
	}
	return mean / math.Sqrt(squares/float64(len(sorted)-1))
}
