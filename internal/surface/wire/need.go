package wire

import (
	"math"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// ReadNeed reads a need. Ranges and versions are left for the stage that knows
// their grammar.
func ReadNeed(body []byte) (interlock.Need, error) {
	v, err := open(body, interlock.MaxNeedBytes)
	if err != nil {
		return interlock.Need{}, err
	}
	var n interlock.Need
	err = v.read(fields{
		"need":        text(&n.Text),
		"context":     list(&n.Context, word),
		"have":        list(&n.Have, word),
		"want":        list(&n.Want, readWant),
		"constraints": list(&n.Constraints, readConstraint),
		"effects":     list(&n.Effects, readEffect),
		"k":           whole(&n.K, interlock.MaxK),
		"budget":      readBudget(&n.Budget),
		"explain":     flag(&n.Explain),
	})
	if err != nil {
		return interlock.Need{}, err
	}
	return n, CheckNeed(n)
}

// CheckNeed holds a need made elsewhere (of command line flags) to what
// ReadNeed asks of one.
func CheckNeed(n interlock.Need) error {
	if strings.TrimSpace(n.Text) == "" && len(n.Want) == 0 {
		return Invalid("/need", "Say what is needed in need, or which fields are wanted in want.")
	}
	if n.K < 0 || n.K > interlock.MaxK {
		return Invalid("/k", "Expected a whole number from 0 to %d.", interlock.MaxK)
	}
	return nil
}

// readWant reads one wanted field.
func readWant(v value) (interlock.Want, error) {
	var w interlock.Want
	err := v.read(fields{
		"semantic_id": text(&w.SemanticID),
		"unit":        text(&w.Unit),
		"qualifiers":  words(&w.Qualifiers),
	})
	if err != nil {
		return w, err
	}
	return w, need(v, "semantic_id", w.SemanticID)
}

// readConstraint reads one version range for a family.
func readConstraint(v value) (interlock.Constraint, error) {
	var c interlock.Constraint
	err := v.read(fields{
		"family":        text(&c.Family),
		"range":         text(&c.Range),
		"built_against": text(&c.BuiltAgainst),
	})
	if err != nil {
		return c, err
	}
	if err := need(v, "family", c.Family); err != nil {
		return c, err
	}
	return c, need(v, "range", c.Range)
}

// readBudget reads the bounds of what is disclosed.
func readBudget(into *interlock.Budget) reader {
	return func(v value) error {
		if v.absent() {
			return nil
		}
		return v.read(fields{
			"calls":        whole(&into.Calls, math.MaxInt32),
			"schema_bytes": whole(&into.SchemaBytes, math.MaxInt32),
			"tokens":       whole(&into.Tokens, math.MaxInt32),
			"tokenizer":    text(&into.Tokenizer),
		})
	}
}
