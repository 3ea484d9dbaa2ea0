package contract

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// The limits of values that are checked.
const (
	MaxArgsBytes   = 1 << 20
	MaxResultBytes = 10 << 20
	MaxValueDepth  = 64
	// MaxExponent bounds the exponent of a number: what is checked exactly is
	// written out exactly.
	MaxExponent = 1000
)

// Compiled is the contract of one tool in the form that calls need. It is
// immutable and safe for concurrent use; each schema is compiled at its first
// use, so that a catalogue costs nothing until its tools are called.
type Compiled struct {
	op     *interlock.Operation // nobody changes it
	in     input
	out    output
	listed atomic.Pointer[inventory] // once somebody has asked

	// Of a masked operation alone; see Mask.
	maskedArgs, maskedResult func() *rawjson.Shape // keep all but what is masked
	shape                    func() *rawjson.Shape // of the whole operation
}

// input and output are the two schemas, each compiled once.
type input struct {
	once    sync.Once
	checker *checker
	err     error
}

type output struct {
	once    sync.Once
	checker *outputChecker
}

func (c *Compiled) input() (*checker, error) {
	c.in.once.Do(func() { c.in.checker, c.in.err = newChecker(c.op.InputSchema) })
	return c.in.checker, c.in.err
}

func (c *Compiled) output() *outputChecker {
	c.out.once.Do(func() { c.out.checker = newOutputChecker(c.op.OutputSchema) })
	return c.out.checker
}

func (c *Compiled) list() *inventory {
	if had := c.listed.Load(); had != nil {
		return had
	}
	made := takeInventory(*c.op)
	c.listed.CompareAndSwap(nil, &made)
	return c.listed.Load()
}

// checker checks values against one schema.
type checker struct {
	schema  *jsonschema.Schema
	metered bool
	args    argumentNames
	named   map[string]bool // every member name that the schema spells out
}

// Compile prepares the contract of an operation that Check has not dropped. It
// compiles nothing yet. An input schema that turns out unusable refuses every
// call; an output schema that does counts as not stated.
func Compile(op interlock.Operation) (*Compiled, error) { return CompileShared(&op) }

// CompileShared is Compile of an operation that is not copied, because nobody
// changes it.
func CompileShared(op *interlock.Operation) (*Compiled, error) {
	if len(op.InputSchema) > MaxSchemaBytes {
		return nil, fmt.Errorf("compile %s: the input schema has %d bytes, the limit is %d", op.Name, len(op.InputSchema), MaxSchemaBytes)
	}
	return &Compiled{op: op}, nil
}

// outputChecker checks results and says what to keep of them.
type outputChecker struct {
	checker
	shape *rawjson.Shape
}

// newOutputChecker compiles an output schema; one that is absent, or that
// Check finds fault with, gives nil.
func newOutputChecker(text []byte) *outputChecker {
	checker, err := newChecker(text)
	if checker == nil || err != nil {
		return nil
	}
	shape, err := shapeOf(checker.schema)
	if err != nil {
		return nil
	}
	return &outputChecker{*checker, shape}
}

// newChecker compiles one schema; an absent one gives nil.
func newChecker(text []byte) (*checker, error) {
	if len(text) == 0 {
		return nil, nil
	}
	d, err := readDocument(text)
	if err != nil {
		return nil, err
	}
	schema, err := compileSchema(d)
	if err != nil {
		return nil, err
	}
	return &checker{schema: schema, metered: needsMeter(schema), args: namesOf(schema), named: spelledNames(schema)}, nil
}

// spelledNames gives the member names that a schema spells out anywhere.
func spelledNames(root *jsonschema.Schema) map[string]bool {
	names := map[string]bool{}
	for _, s := range reachable(root) {
		for name := range s.Properties {
			names[name] = true
		}
		for _, name := range s.Required {
			names[name] = true
		}
	}
	return names
}

// ValidateArgs checks the arguments of a call: one JSON object within the
// limits, no member twice, no argument that the schema does not declare, and
// the schema itself with exact numbers. The error is an *interlock.Error whose
// Pointer names the value at fault.
func (c *Compiled) ValidateArgs(args []byte) error {
	limits := rawjson.Limits{Bytes: MaxArgsBytes, Depth: MaxValueDepth, Exponent: MaxExponent}
	if err := rawjson.Check(args, limits); err != nil {
		return argsMalformed(err)
	}
	if rawjson.KindOf(args) != rawjson.KindObject {
		return argsFault("", "The arguments are not a JSON object. Send one, {} where there are none.")
	}
	checker, err := c.input()
	if err != nil {
		return c.unusable(err)
	}
	if checker != nil {
		if err := checker.checkArgs(args); err != nil {
			return err
		}
	}
	return c.masked(args)
}

// masked refuses arguments that the principal may not give, as any that the
// tool does not declare.
func (c *Compiled) masked(args []byte) error {
	if c.maskedArgs == nil {
		return nil
	}
	_, dropped := rawjson.Project(nil, args, c.maskedArgs())
	if len(dropped.Denied) == 0 {
		return nil
	}
	at := dropped.Denied[0]
	return argsFault(clip(at, maxPointer), fmt.Sprintf("The tool declares no argument %s. Leave it out.", quote(at)))
}

// UnmaskedArgs gives arguments that were checked against the whole contract
// without those that are masked or bound, and themselves where none is.
func (c *Compiled) UnmaskedArgs(args []byte) []byte {
	if c.maskedArgs == nil {
		return args
	}
	out, _ := rawjson.Project(nil, args, c.maskedArgs())
	return out
}

// Unmasked gives a result that rawjson.Check has passed without the members
// that are masked, and itself where none is.
func (c *Compiled) Unmasked(result []byte) []byte {
	if c.maskedResult == nil {
		return result
	}
	out, _ := rawjson.Project(nil, result, c.maskedResult())
	return out
}

func (c *checker) checkArgs(args []byte) error {
	v, err := decode(args)
	if err != nil {
		return argsFault("", "The arguments are not one JSON object.")
	}
	if c.metered && !newMeter().fits(c.schema, v) {
		return argsFault("", "The arguments are nested in a way that would take too long to check against this schema. Send less at once.")
	}
	if err := c.schema.Validate(v); err != nil {
		f := finder{root: reread(args), schema: c.schema}
		x, err := f.read(err)
		if err != nil {
			return fmt.Errorf("check arguments: %w", err)
		}
		return argsFault(clip(rawjson.Join("", x.at...), maxPointer), f.argsText(x))
	}
	return c.undeclared(args, v)
}

// undeclared refuses arguments that no part of the schema declares, in the
// order of the text.
func (c *checker) undeclared(args []byte, v any) error {
	fields, _ := v.(map[string]any)
	all := true
	for name := range fields {
		all = all && c.args.declares(name)
	}
	if all {
		return nil
	}
	for _, name := range reread(args).names {
		if c.args.declares(name) {
			continue
		}
		text := fmt.Sprintf("The tool declares no argument %s. Leave it out", quote(name))
		if known := c.args.list(shownValues); len(known) > 0 {
			text += "; declared are " + quoteAll(known)
			if len(known) < len(c.args.names) {
				text += " and more"
			}
		}
		return argsFault(clip(rawjson.Join("", name), maxPointer), text+".")
	}
	return nil
}

// ValidateResult checks a result against the output schema, with exact
// numbers; where StatesOutput is false every JSON value passes. The error is an
// *interlock.Error that shows nothing of the result: its pointer ends before
// the first name that the schema does not spell out.
func (c *Compiled) ValidateResult(result []byte) error {
	limits := rawjson.Limits{Bytes: MaxResultBytes, Depth: MaxValueDepth, Exponent: MaxExponent}
	if err := rawjson.Check(result, limits); err != nil {
		return resultMalformed(err)
	}
	if checker := c.output(); checker != nil {
		return checker.checkResult(result)
	}
	return nil
}

func (c *checker) checkResult(result []byte) error {
	v, err := decode(result)
	if err != nil {
		return resultMalformed(err)
	}
	if c.metered && !newMeter().fits(c.schema, v) {
		return resultFault("", "The tool's answer is nested in a way that would take too long to check against its schema. It was not released; tell the owner of the tool.")
	}
	err = c.schema.Validate(v)
	if err == nil {
		return nil
	}
	f := finder{root: reread(result), schema: c.schema}
	x, err := f.read(err)
	if err != nil {
		return fmt.Errorf("check result: %w", err)
	}
	return resultFault(rawjson.Join("", c.shown(f, x.at)...), f.resultText(x))
}

// Excused reports whether everything that is wrong with a result lies in one of
// the places, which are spelled as in Fields.
func (c *Compiled) Excused(result []byte, places []string) bool {
	checker := c.output()
	if checker == nil || len(places) == 0 {
		return false
	}
	v, err := decode(result)
	if err != nil {
		return false
	}
	var wrong *jsonschema.ValidationError
	if !errors.As(checker.schema.Validate(v), &wrong) {
		return false
	}
	f := finder{root: reread(result), schema: checker.schema}
	for _, x := range f.faults(wrong) {
		if !slices.Contains(places, "output:"+f.general(x.at)) {
			return false
		}
	}
	return true
}

// general is the place of a value, with "*" for the position in a list.
func (f finder) general(at []string) string {
	n, out := f.root, ""
	for _, token := range at {
		if n.is(kindArray) {
			out = rawjson.Join(out, "*")
		} else {
			out = rawjson.Join(out, token)
		}
		if n != nil {
			n = n.step(token)
		}
	}
	return out
}

// shown cuts the way to a value before the first name that is the result's
// own.
func (c *checker) shown(f finder, at []string) []string {
	n := f.root
	for i, token := range at {
		if !n.is(kindArray) && !c.named[token] {
			return at[:i]
		}
		n = n.step(token)
	}
	return at
}

// read picks the fault behind an error of the library.
func (f finder) read(err error) (fault, error) {
	var verr *jsonschema.ValidationError
	if !errors.As(err, &verr) {
		return fault{}, err
	}
	return f.find(verr), nil
}

// reread reads text that has passed rawjson.Check into nodes, to say where
// something stands in it.
func reread(text []byte) *node {
	p := parser{text: text}
	return p.value()
}

// unusable is the failure of an input schema that registration should not have
// let through.
func (c *Compiled) unusable(err error) error {
	return &interlock.Error{Code: interlock.CodeInternal, Reason: interlock.ReasonInternal, Stage: stageArgs,
		Public:  "The tool's input schema cannot be used, so no arguments pass it.",
		Outcome: interlock.OutcomeNotSent,
		Err:     fmt.Errorf("compile input schema of %s: %w", c.op.Name, err)}
}

// StatesOutput reports whether results are checked: the operation states an
// output schema, and Check finds no fault with it.
func (c *Compiled) StatesOutput() bool { return c.output() != nil }

// Shape gives what of a result the output schema declares, for
// rawjson.Project; where StatesOutput is false that is everything.
func (c *Compiled) Shape() *rawjson.Shape {
	if c.shape != nil {
		return c.shape()
	}
	if checker := c.output(); checker != nil {
		return checker.shape
	}
	return &rawjson.Shape{Any: true}
}
