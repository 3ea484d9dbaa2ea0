package diff

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
	"github.com/seed-ae386458/interlock/internal/inclusion"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// maxWholes bounds the whole values that are made for one section.
const maxWholes = 20

// whole puts the witness of a place into a whole argument or result that holds
// it there: one that the smaller schema lets through and the larger does not.
// Where none is found, the change says that its witness is a part.
func (j *judge) whole(c *Change, s sighting) {
	if c.Witness == nil || len(s.pair.Way) == 0 {
		return
	}
	c.WitnessPart = true
	if j.wholes++; j.wholes > maxWholes || j.spent() || s.pair.Lost || s.pair.Direction != j.old.Direction {
		return
	}
	value := j.holding(s.pair.Way, c.Witness)
	small, big := j.order(j.old.Schema, j.new.Schema)
	if value == nil || !j.lets(small, value) || j.lets(big, value) {
		return
	}
	if at, ok := placeOf(value, s.pair.Way, c.Witness); ok {
		c.Witness, c.WitnessAt, c.WitnessPart = value, at, false
	}
}

// holding gives a value of the smaller schema that holds another at the end of
// a way, nil where none is found: what refutes that no value does.
func (j *judge) holding(way []rule.Step, part json.RawMessage) json.RawMessage {
	inner := any(map[string]any{"enum": []json.RawMessage{part}})
	for _, step := range slices.Backward(way) {
		switch {
		case step.Kind == rule.Array:
			inner = map[string]any{"type": "array", "contains": inner}
		case step.Any:
			inner = map[string]any{"type": "object", "not": map[string]any{"additionalProperties": map[string]any{"not": inner}}}
		default:
			inner = map[string]any{"type": "object", "required": []string{step.Name}, "properties": map[string]any{step.Name: inner}}
		}
	}
	none, err := json.Marshal(map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema", "not": inner})
	if err != nil {
		return nil
	}
	small, _ := j.order(j.old.Schema, j.new.Schema)
	a, err := j.ask(small, none, Nothing)
	if err != nil || a.Verdict != inclusion.NotSubset {
		return nil
	}
	return a.Witness
}

// placeOf finds where a value holds a part at the end of a way.
func placeOf(value json.RawMessage, way []rule.Step, part json.RawMessage) (string, bool) {
	var v, want any
	if decodeExact(value, &v) != nil || decodeExact(part, &want) != nil {
		return "", false
	}
	return locate(v, way, encode(want), "")
}

func locate(v any, way []rule.Step, want []byte, at string) (string, bool) {
	if len(way) == 0 {
		return at, bytes.Equal(encode(v), want)
	}
	step := way[0]
	switch v := v.(type) {
	case map[string]any:
		for _, name := range rule.Names(v) {
			if step.Kind == rule.Object && (step.Any || name == step.Name) {
				if found, ok := locate(v[name], way[1:], want, rawjson.Join(at, name)); ok {
					return found, true
				}
			}
		}
	case []any:
		for i, item := range v {
			if step.Kind == rule.Array {
				if found, ok := locate(item, way[1:], want, at+"/"+strconv.Itoa(i)); ok {
					return found, true
				}
			}
		}
	}
	return "", false
}

func decodeExact(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

// encode writes a value so that equal ones have equal bytes.
func encode(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return out
}
