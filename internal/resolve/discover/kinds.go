package discover

import "github.com/seed-ae386458/interlock/internal/index"

// NumKinds is how many kinds of evidence there are.
const NumKinds = len(numbers{})

// Kinds names them, in the order of Weights and of Units.
func Kinds() [NumKinds]string {
	return [NumKinds]string{"dense", "gist", "lexical", "native", "gloss", "implied", "source", "context", "asked", "extra"}
}

// Weights gives what each kind weighs in a rank.
func (r Regime) Weights() [NumKinds]float64 { return r.rank.list() }

// Units gives every kind of evidence of the tools that were found in units of
// its spread over them, whatever it weighs: a rank is their weighed sum.
func Units(found []index.Evidence) [][NumKinds]float64 {
	var all numbers
	for k := range all {
		all[k] = 1
	}
	mean, scale := spread(found, all)
	out := make([][NumKinds]float64, len(found))
	for i := range found {
		x := of(&found[i])
		for k := range x {
			out[i][k] = float64((x[k] - mean[k]) * scale[k])
		}
	}
	return out
}
