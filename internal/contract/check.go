package contract

import (
	"errors"
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// The members of an operation that findings point into.
const (
	inputAt  = "/input_schema"
	outputAt = "/output_schema"
)

// Check reports what is wrong with the schemas of an operation, one finding a
// schema at most. A flaw of the input schema is Dropped: nothing could be
// checked before a call. One of the output schema is not: the tool can be
// called, and its results count as having no schema (StatesOutput). A pointer
// begins with /input_schema or /output_schema and goes on into the schema.
func Check(op interlock.Operation) []interlock.Finding {
	var findings []interlock.Finding
	if f := checkSchema(op.InputSchema, true); f != nil {
		findings = append(findings, interlock.Finding{Pointer: inputAt + f.pointer, Reason: f.reason, Dropped: true})
	}
	if f := checkSchema(op.OutputSchema, false); f != nil {
		findings = append(findings, interlock.Finding{Pointer: outputAt + f.pointer, Reason: f.reason + "; results are not held against this schema"})
	}
	return findings
}

// checkSchema gives the flaw of one schema, nil where it has none.
func checkSchema(text []byte, input bool) *flaw {
	if len(text) == 0 {
		return nil
	}
	d, err := readDocument(text)
	if err != nil {
		return asFlaw(err)
	}
	if input && !d.root.is(kindObject) {
		return &flaw{"", "an input schema is an object that describes an object"}
	}
	schema, err := compileSchema(d)
	if err != nil {
		return asFlaw(err)
	}
	if input {
		b := &shapeBuilder{says: newSays()}
		if b.sayOf(schema, ofObjects).impossible {
			return &flaw{"", "allows no object, and the arguments of a call are one"}
		}
		return nil
	}
	if _, err := shapeOf(schema); err != nil {
		return asFlaw(err)
	}
	return nil
}

func asFlaw(err error) *flaw {
	var f *flaw
	var text *rawjson.Error
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &text):
		return &flaw{text.Pointer, fmt.Sprintf("is not one JSON value within the limits: %s", text.Message)}
	}
	return &flaw{"", err.Error()}
}
