package contract

import (
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// The limits of what is listed of one operation.
const (
	maxInputs   = 256 // declared inputs
	maxOutputs  = 256 // leaf fields of the output
	maxTerms    = 256 // names of each kind for search
	maxEnums    = 64  // enum values for search, and of one input
	maxEnumText = 64  // bytes of an enum value
	maxDocs     = 4096
	maxListed   = 8   // depth of fields
	maxApplied  = 256 // schemas read for one value
)

// Input is one declared argument of a tool.
type Input struct {
	Name        string
	Pointer     string // into the arguments
	Type        string // "string", "list of integer", "string or null"; empty where none is stated
	Required    bool
	HasDefault  bool
	Description string
	Enum        []string // values as JSON text, strings bare; the first 64
}

// Field is one leaf of a result. The pointer has "*" for the position in a
// list.
type Field struct {
	Pointer     string
	Name        string
	Type        string
	Description string
}

// SearchText is what search reads of an operation's schemas: argument names
// with those nested in them, names of result fields, enum values, and the
// descriptions of the arguments.
type SearchText struct {
	Params, Outputs, Enums []string
	ParamDocs              string
}

// inventory is what is listed of one operation, read off its schemas' text
// without compiling them.
type inventory struct {
	inputs  []Input
	outputs []Field
	search  SearchText
}

// Inputs lists the declared top-level arguments, in the order of their
// declaration.
func (c *Compiled) Inputs() []Input { return slices.Clone(c.list().inputs) }

// Outputs lists the leaf fields of the output schema, to a depth of 8.
func (c *Compiled) Outputs() []Field { return slices.Clone(c.list().outputs) }

// Terms gives the texts of the schemas for search; what cannot be read has
// none.
func (c *Compiled) Terms() SearchText { return c.list().search }

// Terms gives the texts of an operation's schemas for search.
func Terms(op interlock.Operation) SearchText { return takeInventory(op).search }

func takeInventory(op interlock.Operation) inventory { return inventoryOf(op, readDocument) }

func inventoryOf(op interlock.Operation, read reader) inventory {
	var inv inventory
	if d, err := read(op.InputSchema); err == nil {
		inv.inputs = d.inputs()
		t := d.terms()
		inv.search.Params, inv.search.Enums, inv.search.ParamDocs = t.names, t.enums, t.docs.String()
	}
	if d, err := read(op.OutputSchema); err == nil {
		inv.outputs = d.outputs()
		inv.search.Outputs = d.terms().names
	}
	return inv
}

// applied lists n and the schemas that apply in its place by reference or
// allOf; with branches also those of anyOf, oneOf, if and dependentSchemas.
func (d *document) applied(n *node, branches bool) []*node {
	var list []*node
	var walk func(*node)
	walk = func(n *node) {
		if !n.is(kindObject) || len(list) == maxApplied || slices.Contains(list, n) {
			return
		}
		list = append(list, n)
		for i, keyword := range n.names {
			kid := n.kids[i]
			switch keyword {
			case "$ref":
				if target, _ := d.resolve(kid.str()); target != nil {
					walk(target)
				}
			case "allOf", "anyOf", "oneOf", "dependentSchemas":
				if keyword == "allOf" || branches {
					each(kid, func(_ string, sub *node) { walk(sub) })
				}
			case "if", "then", "else":
				if branches {
					walk(kid)
				}
			}
		}
	}
	walk(n)
	return list
}

// inputs lists the arguments that the root declares.
func (d *document) inputs() []Input {
	required := map[string]bool{}
	for _, n := range d.applied(d.root, false) {
		for _, name := range listOf(n.get("required")) {
			required[name.str()] = true
		}
	}
	var inputs []Input
	seen := map[string]bool{}
	for _, n := range d.applied(d.root, true) {
		properties := n.get("properties")
		if !properties.is(kindObject) {
			continue
		}
		for i, name := range properties.names {
			if seen[name] || len(inputs) == maxInputs {
				continue
			}
			seen[name] = true
			inputs = append(inputs, d.input(name, properties.kids[i], required[name]))
		}
	}
	return inputs
}

func (d *document) input(name string, n *node, required bool) Input {
	in := Input{Name: name, Pointer: rawjson.Join("", name), Type: d.typeText(n, 0), Required: required}
	for _, s := range d.applied(n, false) {
		in.HasDefault = in.HasDefault || s.get("default") != nil
		if in.Description == "" {
			in.Description = s.get("description").str()
		}
		if in.Enum == nil {
			in.Enum = enumOf(s)
		}
	}
	return in
}
