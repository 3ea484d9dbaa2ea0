package eval

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock/internal/resolve/discover"
)

// TestKeptApart: a request and one that differs from it in a value alone fall to
// the same part, whatever else there is, and both parts get their share.
func TestKeptApart(t *testing.T) {
	var rows []row
	for i := range 400 {
		rows = append(rows, row{Match: Match{Query: fmt.Sprint("ask for thing ", string(rune('a'+i%26)), string(rune('a'+i/26)))}})
		rows[i].cluster = clusterOf(rows[i].Query)
	}
	learn, confirm := parted(rows)
	if n := len(confirm); n < 80 || n > 160 || len(learn)+n != 400 {
		t.Errorf("%d are kept apart, %d are not", n, len(learn))
	}
	again, _ := parted(rows[:100])
	for _, r := range again {
		if !slices.ContainsFunc(learn, func(x row) bool { return x.Query == r.Query }) {
			t.Errorf("%q is in another part where there are fewer", r.Query)
		}
	}
	if a, b := clusterOf("remind me at 5:30 pm on 2024-05-01"), clusterOf("Remind me at 7:45 pm on 2025-01-09"); a != b {
		t.Errorf("%q and %q are two", a, b)
	}
}

// TestConfirmation: a catalogue whose users' words its tools do not say learns
// them, says so of requests that it did not learn from, and the same twice.
func TestConfirmation(t *testing.T) {
	c, err := Open(t.Context(), []byte(fewTools), Options{Embedder: bag{}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	var matches []Match
	for i := range 120 {
		word := string(rune('a'+i%26)) + string(rune('a'+i/26))
		m := Match{Query: "umbrella " + word + " please " + word, Tools: []string{"sky/forecast"}}
		if i%3 == 0 {
			m = Match{Query: "nothing of " + word + " serves " + word, Tools: []string{}}
		}
		matches = append(matches, m)
	}
	cal, report, err := c.Calibrate(t.Context(), matches)
	if err != nil {
		t.Fatal(err)
	}
	if report.Learned+report.Confirmed != 80 || report.Confirmed < 10 || report.Unserved < 5 {
		t.Errorf("%+v", report)
	}
	if report.After.First < 0.9 || report.After.First < report.Before.First {
		t.Errorf("what was accepted is not followed: %+v", report)
	}
	if len(cal.Matches) != 80 || cal.Point != report.Point {
		t.Errorf("%d precedents, point %v and %v", len(cal.Matches), cal.Point, report.Point)
	}
	again, _, err := c.Calibrate(t.Context(), matches)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := json.Marshal(cal)
	two, _ := json.Marshal(again)
	if string(one) != string(two) {
		t.Error("the same matches give two calibrations")
	}
	dec := xml.NewDecoder(strings.NewReader(report.Plot("a < b")))
	for {
		if _, err := dec.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("the plot: %v", err)
		}
	}
}

// TestGateFit: probabilities that are too sure are drawn in, and ones that are
// right stay.
func TestGateFit(t *testing.T) {
	var said []float64
	var label []bool
	for i := range 1000 {
		said, label = append(said, []float64{0.02, 0.98}[i%2]), append(label, (i/2)%10 < []int{3, 7}[i%2])
	}
	g, _ := gateOf(said, label)
	if g == nil || g.Move(0.98) < 0.65 || g.Move(0.98) > 0.75 || g.Move(0.02) < 0.25 || g.Move(0.02) > 0.35 {
		t.Errorf("%+v", g)
	}
	for i := range label {
		label[i] = !label[i]
	}
	if g, _ := gateOf(said, label); g != nil {
		t.Errorf("a gate that turns round: %+v", g)
	}
}

// TestRerankedGate: what a reranker says of its best moves the probability where
// a calibration was made with it, more the better it told; one of another name,
// or one that says the same of all, moves nothing.
func TestRerankedGate(t *testing.T) {
	var all []tried
	var label []bool
	for i := range 400 {
		served := i%2 == 0
		best := 0.2
		if served != (i%10 == 0) { // right nine times in ten
			best = 0.8
		}
		all, label = append(all, tried{servable: 0.5 + 0.05*float64(i%3), said: discover.Relevance{By: "m", Best: best}}), append(label, served)
	}
	g := rerankedOf(all, label)
	if g == nil || g.Reranker != "m" || g.Move(0.5, 0.8) < 0.7 || g.Move(0.5, 0.2) > 0.3 {
		t.Fatalf("%+v", g)
	}
	cal := discover.Calibration{Reranked: g}
	if other := (tried{servable: 0.5, said: discover.Relevance{By: "n", Best: 0.8}}); other.moved(cal) != 0.5 {
		t.Errorf("another reranker moves a probability to %v", other.moved(cal))
	}
	for i := range all {
		label[i] = !label[i]
	}
	if g := rerankedOf(all, label); g != nil {
		t.Errorf("a gate that turns round: %+v", g)
	}
	for i := range all {
		all[i].said.Best = 3
	}
	if g := rerankedOf(all, label); g != nil {
		t.Errorf("a gate of nothing: %+v", g)
	}
}

// TestRerankedGateOfAnyScale: what a reranker's numbers are counted in moves no
// probability; a gate that a calibration could not hold is none.
func TestRerankedGateOfAnyScale(t *testing.T) {
	gate := func(of func(float64) float64) *discover.RerankedGate {
		var all []tried
		var label []bool
		for i := range 200 {
			served, best := i%2 == 0, 0.2
			if served != (i%10 == 0) {
				best = 0.8
			}
			all, label = append(all, tried{servable: 0.5 + 0.05*float64(i%3), said: discover.Relevance{By: "m", Best: of(best)}}), append(label, served)
		}
		return rerankedOf(all, label)
	}
	want := gate(func(x float64) float64 { return x })
	for _, scale := range []float64{1e-4, 1e-2, 1e3, 1e6, 1e12} {
		of := func(x float64) float64 { return scale * (x + 3) }
		g := gate(of)
		if g == nil {
			t.Errorf("times %g: no gate", scale)
			continue
		}
		for _, x := range []float64{0.2, 0.5, 0.8} {
			if got := g.Move(0.5, of(x)); math.Abs(got-want.Move(0.5, x)) > 0.01 {
				t.Errorf("times %g: %v moves to %v, want %v", scale, x, got, want.Move(0.5, x))
			}
		}
	}
	for _, of := range []func(float64) float64{
		func(x float64) float64 { return 1e-9 * x }, func(x float64) float64 { return x + 1e7 }, func(x float64) float64 { return 1e300 * x }, func(x float64) float64 { return (x - 0.5) * math.MaxFloat64 },
	} {
		g := gate(of)
		text, err := json.Marshal(discover.Calibration{Name: discover.CalibrationForm, Reranked: g})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := discover.ReadCalibration(text); err != nil {
			t.Errorf("%+v: %v", g, err)
		}
	}
}
