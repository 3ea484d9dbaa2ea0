package train

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
)

// TestLogistic: weights that made the rows come back, whatever the scale of the
// signals, and a second fit is the same.
func TestLogistic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var x [][]float64
	var served []bool
	var weight []float64
	for range 20000 {
		row := []float64{r.NormFloat64(), 100 * r.NormFloat64(), 1}
		x = append(x, row)
		served = append(served, r.Float64() < 1/(1+math.Exp(-(2*row[0]-0.01*row[1]+0.5))))
		weight = append(weight, 1)
	}
	got, err := logistic(x, served, weight)
	if err != nil {
		t.Fatal(err)
	}
	again, err := logistic(x, served, weight)
	if err != nil || !slices.Equal(got.Weights, again.Weights) || got.Bias != again.Bias {
		t.Errorf("%v, %v then %v", err, got, again)
	}
	if math.Abs(got.Weights[0]-2) > 0.15 || math.Abs(got.Weights[1]+0.01) > 0.002 || math.Abs(got.Weights[2]) > 1e-12 || math.Abs(got.Bias-0.5) > 0.1 {
		t.Errorf("%+v", got)
	}
	if _, err := logistic(nil, nil, nil); err == nil {
		t.Error("learned from nothing")
	}
}

func TestMeasures(t *testing.T) {
	if a := AUROC([]float64{1, 2, 3}, []float64{0, 2}); math.Abs(a-4.5/6) > 1e-9 {
		t.Errorf("AUROC %v", a)
	}
	if f := Accepted([]float64{1, 2, 3, 4}, []float64{0, 1, 5}, 0.25); math.Abs(f-1.0/3) > 1e-9 {
		t.Errorf("accepted %v", f)
	}
}

// TestShipped: what is shipped is of this form, names its data, and has a
// weight for each signal that this program measures.
func TestShipped(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "resolve", "dispose", "gate.json"))
	if err != nil {
		t.Fatal(err)
	}
	var f dispose.GateFile
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	if f.Name != form || !regexp.MustCompile("^sha256:[0-9a-f]{64}$").MatchString(f.Data) || !slices.Equal(f.Signals, fit.SignalNames[:]) {
		t.Errorf("%s of %s with %v", f.Name, f.Data, f.Signals)
	}
	for _, l := range append(f.Hybrid.Each(), f.Lexical.Each()...) {
		if len(l.Weights) != fit.NumSignals || l.Bias != round(l.Bias) {
			t.Errorf("%d weights for %d signals, bias %v", len(l.Weights), fit.NumSignals, l.Bias)
		}
	}
}
