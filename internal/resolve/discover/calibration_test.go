package discover

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// TestReadCalibration: what a score could not be made with is refused, and so is
// what was made for another scorer.
func TestReadCalibration(t *testing.T) {
	good := Calibration{Name: CalibrationForm, Scorer: HybridScorer("model").Name, Matches: []Match{{Query: "q", Tools: []string{"s/a"}}}, Latin: &Anchors{0.1, 0.3}, Gate: &Gate{1, 0}}
	for _, tc := range []struct {
		change func(*Calibration)
		want   string
	}{
		{func(*Calibration) {}, ""},
		{func(c *Calibration) { c.Latin, c.Gate = nil, nil }, ""},
		{func(c *Calibration) { c.Name = "interlock/calibration/1" }, "make it again"},
		{func(c *Calibration) { c.Latin = &Anchors{0.3, 0.3} }, "anchors"},
		{func(c *Calibration) { c.Latin = &Anchors{0, 0.3} }, "anchors"},
		{func(c *Calibration) { c.Other = &Anchors{0.1, 0.9} }, "anchors"},
		{func(c *Calibration) { c.Gate = &Gate{-1, 0} }, "gate"},
		{func(c *Calibration) { c.Gate = &Gate{0, 0} }, "gate"},
		{func(c *Calibration) { c.Gate = &Gate{1, 1e9} }, "gate"},
	} {
		c := good
		tc.change(&c)
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		_, digest, err := ReadCalibration(text)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) || err == nil && len(digest) != 8 {
			t.Errorf("%s: %v, want %q", text, err, tc.want)
		}
	}
	if _, _, err := ReadCalibration([]byte("[]")); err == nil {
		t.Error("a list is no calibration")
	}
	s := HybridScorer("model")
	if _, err := LexicalScorer().Calibrated(good, "0", [][]float32{{1}}); err == nil {
		t.Error("a calibration of another scorer is taken")
	}
	if _, err := s.Calibrated(good, "0", nil); err == nil {
		t.Error("a calibration without its vectors is taken")
	}
	with, err := s.Calibrated(good, "12345678", [][]float32{{1}})
	if err != nil || with.Name != CalibratedName(s.Name, "12345678") || with.Latin.Anchors != *good.Latin || with.Other.Anchors != s.Other.Anchors || with.Precedents == nil {
		t.Errorf("%+v, %v", with, err)
	}
	if s.Precedents != nil || s.Latin.Anchors == *good.Latin {
		t.Error("the scorer itself was changed")
	}
}

// TestGate: no gate leaves a probability as it is; one keeps order and bounds.
func TestGate(t *testing.T) {
	if (*Gate)(nil).Move(0.3) != 0.3 {
		t.Error("no gate moves a probability")
	}
	g, last := &Gate{0.7, -0.8}, -1.0
	for p := 0.0; p <= 1; p += 0.01 {
		got := g.Move(p)
		if got < last || got < 0 || got > 1 || math.IsNaN(got) {
			t.Fatalf("%v becomes %v after %v", p, got, last)
		}
		last = got
	}
}

// TestBetween: whatever was measured, a score can be made with it.
func TestBetween(t *testing.T) {
	for low := -1.0; low < 2; low += 0.07 {
		for median := -1.0; median < 2; median += 0.07 {
			if a := Between(low, median); !a.sound() {
				t.Fatalf("%v and %v give %+v", low, median, a)
			}
		}
	}
}
