package contract

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// VerifierOptions say how a schema that stands alone is read.
type VerifierOptions struct {
	// Draft is the dialect of a schema that names none: draft4, draft6, draft7,
	// draft2019-09 or draft2020-12; empty is draft2020-12.
	Draft string
	// Remotes gives the documents that references may lead to, by address. Nil
	// refuses every reference that leaves the schema.
	Remotes func(uri string) ([]byte, bool)
}

// Verifier checks values against one schema, as the schema library reads it
// and with exact numbers. It is immutable and safe for concurrent use.
type Verifier struct {
	schema  *jsonschema.Schema
	metered bool
}

// SchemaError says what is wrong with a schema, and where.
type SchemaError struct {
	Pointer string
	Message string
}

// Error is one line with the place and what is wrong there.
func (e *SchemaError) Error() string { return fmt.Sprintf("schema at %q: %s", e.Pointer, e.Message) }

// errUnbounded is a value that would take too long to check.
var errUnbounded = errors.New("the value is nested in a way that would take too long to check against the schema")

// NewVerifier reads one schema. Its error is a *SchemaError where the schema
// is at fault.
func NewVerifier(text []byte, opts VerifierOptions) (*Verifier, error) {
	draft := draftNamed(opts.Draft)
	if draft == nil {
		return nil, fmt.Errorf("read a schema: %q is no dialect; draft4, draft6, draft7, draft2019-09 and draft2020-12 are", opts.Draft)
	}
	schema, err := verifiable(text, draft, opts.Remotes)
	if err != nil {
		f := asFlaw(err)
		return nil, &SchemaError{f.pointer, f.reason}
	}
	return &Verifier{schema, needsMeter(schema)}, nil
}

func draftNamed(name string) *jsonschema.Draft {
	switch name {
	case "draft4":
		return jsonschema.Draft4
	case "draft6":
		return jsonschema.Draft6
	case "draft7":
		return jsonschema.Draft7
	case "draft2019-09":
		return jsonschema.Draft2019
	case "", "draft2020-12":
		return jsonschema.Draft2020
	}
	return nil
}

func verifiable(text []byte, draft *jsonschema.Draft, remotes func(string) ([]byte, bool)) (*jsonschema.Schema, error) {
	d, err := readDocument(text)
	if err != nil {
		return nil, err
	}
	if f := d.limits(remotes == nil); f != nil {
		return nil, f
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(draft)
	c.UseLoader(given{remotes})
	c.UseRegexpEngine(compilePattern)
	return d.compileWith(c)
}

// given loads the documents that a caller handed over, and nothing else.
type given struct {
	remotes func(uri string) ([]byte, bool)
}

// Load gives one document without its formats, which are annotations here.
func (g given) Load(uri string) (any, error) {
	if g.remotes == nil {
		return nil, errRemote
	}
	text, ok := g.remotes(uri)
	if !ok {
		return nil, errRemote
	}
	d, err := readDocument(text)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", uri, err)
	}
	return d.withoutFormat(d.root), nil
}

// Valid reports whether the schema accepts a value. An error is a value that
// is no JSON within the limits, or one that would take too long.
func (v *Verifier) Valid(instance []byte) (bool, error) {
	limits := rawjson.Limits{Bytes: MaxResultBytes, Depth: MaxSchemaDepth, Exponent: MaxExponent}
	if err := rawjson.Check(instance, limits); err != nil {
		return false, fmt.Errorf("check value: %w", err)
	}
	value, err := decode(bytes.TrimSpace(instance))
	if err != nil {
		return false, fmt.Errorf("check value: %w", err)
	}
	if v.metered && !newMeter().fits(v.schema, value) {
		return false, errUnbounded
	}
	return v.schema.Validate(value) == nil, nil
}

// Pattern writes a pattern of a schema as the package regexp reads it: the
// escapes of ECMA 262 that RE2 spells otherwise, in RE2's spelling.
func Pattern(text string) string { return translatePattern(text) }
