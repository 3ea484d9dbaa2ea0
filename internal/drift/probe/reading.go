package probe

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// reading is a tool's documentation as probes go by it.
type reading struct {
	effect     interlock.Effect
	never      bool
	sandbox    bool
	idempotent bool
	scoped     bool      // it documents scopes
	fixed      arguments // go with every probe
	unreadable string
	args       []*argument
	output     *shape
	notFound   *interlock.ErrorCase // the documented failure of what does not exist; nil: none
	invalid    []interlock.ErrorCase
	errors     []interlock.ErrorCase
	words      string // title and descriptions, lower case
	canaries   []interlock.Canary
	check      func(args []byte) error
}

// argument is one member of the input.
type argument struct {
	*shape
	name     string
	pointer  string // input:/name
	required bool
	meaning  interlock.FieldMeaning
}

// place is where the argument stands in the input.
func (a *argument) place() string { return strings.TrimPrefix(a.pointer, "input:") }

// arguments are the members of a call.
type arguments map[string]json.RawMessage

// with gives the arguments with one member more, or another value of one.
func (a arguments) with(name string, value json.RawMessage) arguments {
	out := a.without("")
	out[name] = value
	return out
}

func (a arguments) without(name string) arguments {
	out := make(arguments, len(a)+1)
	for k, v := range a {
		if k != name {
			out[k] = v
		}
	}
	return out
}

func readTool(s drift.Stated) *reading {
	op := s.Operation
	r := &reading{effect: s.Effect.Enforced(), errors: op.Errors, canaries: op.Canaries, fixed: arguments{},
		check: func([]byte) error { return nil }}
	if s.Compiled != nil {
		r.check = s.Compiled.ValidateArgs
	}
	if op.Probing != nil {
		r.never, r.sandbox = op.Probing.Never, op.Probing.Sandbox
		for name, value := range rawjson.Members(objectOr(op.Probing.Args)) {
			r.fixed[name] = value
		}
	}
	r.scoped = len(op.Scopes) > 0
	r.idempotent = op.Idempotent != nil && *op.Idempotent
	text := []string{op.Title}
	for _, v := range op.Variants {
		text = append(text, v.Description)
	}
	r.words = strings.ToLower(strings.Join(text, "\n"))
	if len(op.Binding) == 0 {
		r.unreadable = "there is nothing to call"
	}
	r.readInput(op)
	r.output = readShape(op.OutputSchema, op.OutputSchema, 0)
	r.readErrors()
	return r
}

func (r *reading) readInput(op interlock.Operation) {
	in := readShape(op.InputSchema, op.InputSchema, 0)
	for _, name := range in.names {
		a := &argument{shape: in.members[name], name: name, pointer: "input:" + rawjson.Join("", name), required: slices.Contains(in.required, name)}
		for _, f := range op.Fields {
			if f.At == a.pointer {
				a.meaning = f
			}
		}
		r.args = append(r.args, a)
	}
}

var missing = regexp.MustCompile(`(?i)not[ _-]?found|no[ _-]such|does[ _]not[ _]exist|unknown[ _]?id|absent|missing`)

func (r *reading) readErrors() {
	for i, e := range r.errors {
		text := e.When + " " + e.Code
		switch {
		case e.Status == 404 || e.Status == 410 || missing.MatchString(text):
			if r.notFound == nil {
				r.notFound = &r.errors[i]
			}
		case e.Status == 400 || e.Status == 422 || strings.Contains(strings.ToLower(text), "invalid") || strings.Contains(strings.ToLower(text), "bad_request"):
			r.invalid = append(r.invalid, e)
		}
	}
}

// encode writes the arguments of a call in the order of the schema.
func (r *reading) encode(args arguments) json.RawMessage {
	out := []byte{'{'}
	put := func(name string, value json.RawMessage) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		quoted, _ := interlock.Marshal(name) // a text always marshals
		out = append(append(append(out, quoted...), ':'), value...)
	}
	known := map[string]bool{}
	for _, a := range r.args {
		known[a.name] = true
		if value, ok := r.fixed[a.name]; ok {
			put(a.name, value)
		} else if value, ok := args[a.name]; ok {
			put(a.name, value)
		}
	}
	for _, name := range sorted(args, r.fixed) {
		if known[name] {
			continue
		}
		if value, ok := r.fixed[name]; ok {
			put(name, value)
		} else {
			put(name, args[name])
		}
	}
	return append(out, '}')
}

// sorted gives the names of both, each once, in order.
func sorted(a, b arguments) []string {
	var names []string
	for name := range a {
		names = append(names, name)
	}
	for name := range b {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// legal reports whether the documentation takes the arguments.
func (r *reading) legal(args arguments) bool { return r.check(r.encode(args)) == nil }

var naming = regexp.MustCompile(`(?i)(^|[._-])(id|uuid|guid|key|slug|handle|identifier)$|[a-z](Id|ID|Uuid|UUID|Key)$`)

// identifies reports whether the argument names one thing of many.
func (a *argument) identifies() bool {
	if len(a.values) > 0 || !a.is("string") && !a.is("integer") {
		return false
	}
	return a.format == "uuid" || naming.MatchString(a.name) || naming.MatchString(a.meaning.SemanticID)
}

// list is the array that the answer is about: the answer itself, or the only
// array of objects or the first array among its members. Nil where there is
// none; pointer is into the result.
func (r *reading) list() (pointer string, of *shape) {
	if r.output.is("array") {
		return "", r.output
	}
	for _, wanted := range []bool{true, false} {
		for _, name := range r.output.names {
			m := r.output.members[name]
			if m.is("array") && (!wanted || m.items != nil && len(m.items.names) > 0) {
				return rawjson.Join("", name), m
			}
		}
	}
	return "", nil
}

var limiting = regexp.MustCompile(`(?i)^(limit|max_?results|max_?items|page_?size|per_?page|top|first|size|count|n)$`)

// limit gives the argument that bounds how many items come; nil for none.
func (r *reading) limit() *argument {
	if _, list := r.list(); list == nil {
		return nil
	}
	for _, a := range r.args {
		if a.is("integer") && limiting.MatchString(a.name) {
			return a
		}
	}
	return nil
}

var waiting = regexp.MustCompile(`(?i)\b(wait|hold|sleep|block|delay|pause|long[- ]?poll)`)

// waits reports whether the call takes as long as the argument says.
func (r *reading) waits(a *argument) bool {
	if !a.number() || !regexp.MustCompile(`(?i)timeout|wait|delay|duration|sleep|hold`).MatchString(a.name) {
		return false
	}
	return waiting.MatchString(r.words) || waiting.MatchString(a.description)
}

var units = regexp.MustCompile(`(?i)\b(milliseconds?|seconds?|minutes?|ms|s|min)\b`)

// second gives how many of the argument's documented units make a second; 0
// where it is a time of no known unit.
func (a *argument) second() float64 {
	unit := a.meaning.Unit
	if unit == "" {
		unit = strings.ToLower(units.FindString(a.description))
	}
	switch {
	case unit == "ms" || strings.HasPrefix(unit, "milli"):
		return 1000
	case unit == "s" || strings.HasPrefix(unit, "second"):
		return 1
	case unit == "min" || strings.HasPrefix(unit, "minute"):
		return 1.0 / 60
	}
	return 0
}
