package discover

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// CalibrationForm names the form of a calibration.
const CalibrationForm = "interlock/calibration/2"

// Calibration is what a catalogue taught by the matches that its users accepted:
// precedents, anchors and a gate of its own. It is the operator's word: the same
// for every principal, and made for one scorer.
type Calibration struct {
	Name    string  `json:"name"`   // CalibrationForm
	Scorer  string  `json:"scorer"` // the one it was made for
	Matches []Match `json:"matches"`
	// Latin and Other are anchors for needs in English and in other languages;
	// nil leaves the scorer's.
	Latin *Anchors `json:"latin,omitempty"`
	Other *Anchors `json:"other,omitempty"`
	// Gate moves the probability that a need is served; nil leaves it.
	Gate *Gate `json:"gate,omitempty"`
	// Reranked is the gate where the reranker that it names has spoken as well;
	// nil leaves the other.
	Reranked *RerankedGate `json:"reranked,omitempty"`
	// Point is the probability from which on a need counts as served in the
	// figures of its confirmation. It is chosen before those are scored.
	Point        float64         `json:"point,omitempty"`
	Confirmation json.RawMessage `json:"confirmation,omitempty"` // figures, for people
}

// Match is a need and the tools that were accepted for it.
type Match struct {
	Query string   `json:"query"`
	Tools []string `json:"tools"`
}

// Gate is a line through log-odds.
type Gate struct {
	Slope float64 `json:"slope"`
	Bias  float64 `json:"bias"`
}

// Move gives a probability as the gate has it.
func (g *Gate) Move(p float64) float64 {
	if g == nil {
		return p
	}
	p = min(max(p, 1e-4), 1-1e-4)
	x := float64(g.Slope*math.Log(p/(1-p))) + g.Bias
	return 1 / (1 + math.Exp(-x))
}

// RerankedGate is a line through log-odds and what a reranker says of the tool
// that it holds for the best.
type RerankedGate struct {
	Reranker string `json:"reranker"` // the one it was made with
	Gate
	Relevance float64 `json:"relevance"` // what a unit of the reranker's number adds
}

// by reports that the gate was made with the reranker of that name.
func (g *RerankedGate) by(name string) bool { return g != nil && name != "" && g.Reranker == name }

// Sound reports whether a calibration can hold the gate: it turns nothing round,
// and its numbers are such that a probability is left of them.
func (g *RerankedGate) Sound() bool {
	return g.Slope > 0 && g.Slope < 100 && math.Abs(g.Bias) < 1e4 && g.Relevance >= 0 && g.Relevance < 1e6 && g.Reranker != ""
}

// Move gives a probability as the gate has it, with the reranker's number.
func (g *RerankedGate) Move(p, best float64) float64 {
	line := Gate{g.Slope, g.Bias + float64(g.Relevance*best)}
	return line.Move(p)
}

// Gates move the probability that a need is served; nil ones leave it. Reranked
// is for needs of which the reranker that it names has spoken.
type Gates struct {
	Plain    *Gate
	Reranked *RerankedGate
}

// MaxCalibration bounds a calibration in bytes.
const MaxCalibration = 64 << 20

// ReadCalibration reads a calibration and names it by its digest.
func ReadCalibration(text []byte) (c Calibration, digest string, err error) {
	if len(text) > MaxCalibration {
		return c, "", fmt.Errorf("calibration: over %d bytes", MaxCalibration)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&c); err != nil {
		return c, "", errors.New("calibration: it is no JSON of the form " + CalibrationForm)
	}
	if c.Name != CalibrationForm {
		return c, "", fmt.Errorf("calibration: its form is %q, not %q; make it again", c.Name, CalibrationForm)
	}
	for _, a := range []*Anchors{c.Latin, c.Other} {
		if a != nil && !a.sound() {
			return c, "", errors.New("calibration: its anchors lie outside of what evidence can be")
		}
	}
	if c.Gate != nil && !(c.Gate.Slope > 0 && c.Gate.Slope < 100 && math.Abs(c.Gate.Bias) < 100) {
		return c, "", errors.New("calibration: its gate turns probabilities round, or is none")
	}
	if c.Reranked != nil && !c.Reranked.Sound() {
		return c, "", errors.New("calibration: its gate for a reranker turns something round, or is none")
	}
	sum := sha256.Sum256(text)
	return c, hex.EncodeToString(sum[:4]), nil
}

// sound reports whether a score can be made with the anchors.
func (a Anchors) sound() bool { return a.Low > 0 && a.Low < a.Median && a.Median < full }

// Between gives anchors at two points of the evidence scale, drawn inside of
// what a score can be made with.
func Between(low, median float64) Anchors {
	const room = 0.05
	median = min(max(median, 2*room), full-room)
	return Anchors{Low: Round(min(max(low, room), median-room)), Median: Round(median)}
}

// Calibrated gives the scorer with what a calibration holds. It refuses one that
// was made for another scorer. Vectors are those of its matches, in order.
func (s Scorer) Calibrated(c Calibration, digest string, vectors [][]float32) (Scorer, error) {
	if c.Scorer != s.Name {
		return s, fmt.Errorf("calibration: made for the scorer %s, not %s", c.Scorer, s.Name)
	}
	if len(vectors) != len(c.Matches) {
		return s, errors.New("calibration: not every match has its vector")
	}
	s.Precedents = &Precedents{}
	for i, m := range c.Matches {
		s.Precedents.Add(vectors[i], m.Tools)
	}
	if c.Latin != nil {
		s.Latin.Anchors = *c.Latin
	}
	if c.Other != nil {
		s.Other.Anchors = *c.Other
	}
	s.Gates = Gates{c.Gate, c.Reranked}
	s.Name = CalibratedName(s.Name, digest)
	return s, nil
}

// CalibratedName names a scorer with a calibration.
func CalibratedName(scorer, digest string) string { return scorer + "+calibration/" + digest }
