package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJudged(t *testing.T) {
	three := func() *target { return &target{Text: "at most 3 × direct", Limit: 3.0001, Of: "ratio"} }
	half := func() *target { return &target{Text: "at least 0.5 of direct", Limit: 0.5, Of: "ratio", Least: true} }
	for _, tc := range []struct {
		name string
		f    figure
		want bool
	}{
		{"under", figure{Value: 2.9, Target: under(3, "ms")}, true},
		{"at the limit is not under", figure{Value: 3, Target: under(3, "ms")}, false},
		{"over", figure{Value: 3.1, Target: under(3, "ms")}, false},
		{"three times", figure{Value: 600, Base: 200, Target: three()}, true},
		{"more than three times", figure{Value: 601, Base: 200, Target: three()}, false},
		{"half", figure{Value: 500, Base: 1000, Target: half()}, true},
		{"less than half", figure{Value: 499, Base: 1000, Target: half()}, false},
	} {
		r := newReport(false)
		r.put(tc.f)
		if got := r.Figures[0].Target.Met; got != tc.want {
			t.Errorf("%s: met = %t, want %t", tc.name, got, tc.want)
		}
	}
}

// TestNothingIsNotMet: a ratio without a baseline is no success.
func TestNothingIsNotMet(t *testing.T) {
	r := newReport(false)
	r.put(figure{Value: 500, Target: &target{Limit: 0.5, Of: "ratio", Least: true}})
	r.put(figure{Value: math.NaN(), Base: 10, Target: &target{Limit: 0.5, Of: "ratio", Least: true}})
	for _, f := range r.Figures {
		if f.Target.Met {
			t.Errorf("%+v is met", f)
		}
	}
}

func TestRounded(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 1234.56: 1235, 0.00123456: 0.001235, 12.344: 12.34, -7.77777: -7.778, math.Inf(1): 0} {
		if got := rounded(x); got != want {
			t.Errorf("rounded(%g) = %g, want %g", x, got, want)
		}
	}
}

func TestTableAndJSON(t *testing.T) {
	r := newReport(true)
	r.Catalogue = "generated"
	r.put(figure{Part: "call", Name: "1 caller, p50", Value: 612.25, Unit: "µs", Base: 204, BaseName: "direct", Target: &target{Text: "at most 3 × direct", Limit: 3, Of: "ratio"}})
	r.put(figure{Part: "disk", Name: "flush", Value: 110, Unit: "µs"})
	r.note("one thing")
	var table strings.Builder
	if err := r.writeTable(&table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"612.3 µs", "204 µs (direct)", "3.00", "at most 3 × direct: missed", "disk", "110 µs", "wrong answers: 0", "note: one thing", "fixed work"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, table.String())
		}
	}
	var text strings.Builder
	if err := r.writeJSON(&text); err != nil {
		t.Fatal(err)
	}
	var back report
	if err := json.Unmarshal([]byte(text.String()), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*r, back); diff != "" {
		t.Errorf("JSON loses something (-had +read):\n%s", diff)
	}
}
