package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// The sides of an operation's fields.
const (
	sideInput  = "input:"
	sideOutput = "output:"
)

// Fields lists every field of an operation as a place in its input or output:
// what the schemas declare, objects and what is in them alike, and what the
// meanings name besides. An element of a list, and a member whose name is not
// spelled out, stands as "*": "output:/items/*/price".
func Fields(op interlock.Operation) []string {
	var out []string
	for _, side := range []struct {
		name string
		text []byte
	}{{sideInput, op.InputSchema}, {sideOutput, op.OutputSchema}} {
		if d, err := readDocument(side.text); err == nil {
			d.places(func(_ spot, at []string) { out = append(out, side.name+rawjson.Join("", at...)) })
		}
	}
	for _, f := range op.Fields {
		if !slices.Contains(out, f.At) {
			out = append(out, f.At)
		}
	}
	return out
}

// Masked is an operation without some of its fields: in every respect that can
// be shown, one that never had them.
type Masked struct {
	Op        interlock.Operation // schemas and meanings without the fields
	Hash, Pin string              // of Op
	Contract  *Compiled           // takes no masked argument, gives no masked member
	// Unusable says that a masked input is required: no call could be made.
	Unusable bool
	// Output says that any of the output is masked: then what the source says
	// beside the result cannot be shown.
	Output bool
}

// Mask takes fields out of an operation. The fields are those of Fields; what
// lies below one goes with it. A field that several places share by reference
// goes from all of them. Bound are arguments that are given for the caller: he
// does not see them, and that they are required stops nobody.
func Mask(op interlock.Operation, fields []string, bound ...string) (Masked, error) {
	m := Masked{Op: op}
	input, output := sideOf(fields, sideInput), sideOf(fields, sideOutput)
	in, err := maskSchema(op.InputSchema, input, true, sideOf(bound, sideInput)...)
	if err != nil {
		return m, fmt.Errorf("mask input of %s: %w", op.Name, err)
	}
	out, err := maskSchema(op.OutputSchema, output, false)
	if err != nil {
		return m, fmt.Errorf("mask output of %s: %w", op.Name, err)
	}
	m.Unusable, m.Output = in.unusable || out.unusable, len(output) > 0
	m.Op.InputSchema, m.Op.OutputSchema = in.text, out.text
	m.Op.Fields = nil
	for _, f := range op.Fields {
		if !covered(f.At, sideInput, in.gone) && !covered(f.At, sideOutput, out.gone) {
			m.Op.Fields = append(m.Op.Fields, f)
		}
	}
	read := readingOnce()
	if m.Hash, err = hashOf(m.Op, read); err != nil {
		return m, err
	}
	if m.Pin, err = pinOf(m.Op, read); err != nil {
		return m, err
	}
	if m.Contract, err = compileMasked(op, m.Op, in, out); err != nil {
		return m, err
	}
	listed := inventoryOf(m.Op, read)
	m.Contract.listed.Store(&listed)
	return m, nil
}

// sideOf gives the pointers of one side.
func sideOf(fields []string, side string) []string {
	var out []string
	for _, f := range fields {
		if pointer, ok := strings.CutPrefix(f, side); ok {
			out = append(out, pointer)
		}
	}
	return out
}

// covered reports whether a place is one of the pointers, or lies below one.
func covered(at, side string, pointers map[string]bool) bool {
	pointer, ok := strings.CutPrefix(at, side)
	if !ok {
		return false
	}
	for p := range pointers {
		if pointer == p || strings.HasPrefix(pointer, p+"/") {
			return true
		}
	}
	return false
}

// maskedSchema is one schema without some places.
type maskedSchema struct {
	text     []byte
	unusable bool
	gone     map[string]bool       // every place that is out, with those that share it
	strip    func() *rawjson.Shape // keeps all but what is out; nil where nothing is
}

// maskSchema takes places out of a schema. Where calls need what the schema
// requires, a place that requires one that is out goes as well, unless that is
// bound.
func maskSchema(text []byte, pointers []string, required bool, bound ...string) (maskedSchema, error) {
	out := maskedSchema{text: text, gone: map[string]bool{}}
	if len(pointers)+len(bound) == 0 {
		return out, nil
	}
	for _, p := range pointers {
		p = trimAny(p)
		out.gone[p] = true
		out.unusable = out.unusable || p == "" // all of it
	}
	given := map[string]bool{}
	for _, p := range bound {
		out.gone[p], given[p] = true, true
	}
	c := cutting(text, out.gone, given, required)
	out.strip = sync.OnceValue(func() *rawjson.Shape { // at the first call; nothing else needs it
		if c := cutting(text, maps.Clone(out.gone), given, required); c != nil {
			return c.strip()
		}
		return without(waysOf(out.gone), keepAll())
	})
	if c == nil { // a schema that does not read shows nothing; its values are cut by their places
		out.text = nil
		return out, nil
	}
	out.unusable = out.unusable || c.unusable
	out.text, _ = c.write(nil, c.doc.root, text)
	return out, nil
}

// cutting marks what goes of a schema, and adds to gone what shares its place
// with what is out. Nil for a schema that does not read.
func cutting(text []byte, gone, given map[string]bool, required bool) *cutter {
	d, err := readDocument(text)
	if err != nil {
		return nil
	}
	c := &cutter{doc: d, deny: map[*node]map[string]bool{}, gone: gone, required: required, given: given}
	for c.mark() {
	}
	c.reach()
	return c
}

// trimAny takes elements off the end of a pointer: one that cannot be read in
// any of its elements is not read at all.
func trimAny(pointer string) string {
	for strings.HasSuffix(pointer, "/"+anyToken) {
		pointer = strings.TrimSuffix(pointer, "/"+anyToken)
	}
	return pointer
}

// waysOf gives pointers as tokens.
func waysOf(pointers map[string]bool) [][]string {
	var ways [][]string
	for _, p := range sortedKeys(pointers) {
		if tokens, ok := rawjson.Split(p); ok && len(tokens) > 0 {
			ways = append(ways, tokens)
		}
	}
	return ways
}

// compileMasked prepares the contract: arguments and results are held against
// the schemas that are shown, and results are cut by the whole schema, so that
// what it left out before still stays out.
func compileMasked(whole, shown interlock.Operation, in, out maskedSchema) (*Compiled, error) {
	c, err := Compile(shown)
	if err != nil {
		return nil, err
	}
	c.maskedArgs, c.maskedResult = in.strip, out.strip
	if out.strip == nil {
		return c, nil
	}
	c.shape = sync.OnceValue(func() *rawjson.Shape {
		full, err := Compile(whole)
		if err != nil { // it was compiled before anything of it was masked
			return &rawjson.Shape{}
		}
		return full.Shape()
	})
	return c, nil
}
