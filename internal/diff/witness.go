package diff

import (
	"encoding/json"

	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// truthful keeps of a change only a witness that shows it: a value that the
// smaller side lets through whole, not in the one aspect alone that was proved.
// Where it does not, the witness of the whole section stands in if this aspect
// is what refuses it.
func (j *judge) truthful(c *Change, s sighting, big []byte) {
	if c.Witness == nil || s.hit.Focus.Whole() {
		return
	}
	side := s.pair.Old
	if s.pair.Direction == rule.Output {
		side = s.pair.New
	}
	if small, ok := side.Alone(); ok && j.lets(small, c.Witness) {
		return
	}
	whole := j.strict.Witness
	if c.Tool == rule.Break {
		whole = j.tool.Witness
	}
	c.Witness = nil
	if s.pair.Depth == 0 && whole != nil && !j.lets(big, whole) {
		c.Witness = whole
	}
}

// lets reports whether a schema lets a value through; one that cannot be read
// lets nothing through.
func (j *judge) lets(schema []byte, value json.RawMessage) bool {
	v, err := contract.NewVerifier(schema, contract.VerifierOptions{Draft: j.opts.Draft})
	if err != nil {
		return false
	}
	ok, err := v.Valid(value)
	return err == nil && ok
}
