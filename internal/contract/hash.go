package contract

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/seed-ae386458/interlock"
)

// The domains of the three hashes.
const (
	tagContract     = "interlock/contract/1"
	tagPresentation = "interlock/presentation/1"
	tagBinding      = "interlock/binding/1"
)

// Hash gives the contract hash of an operation, hex: SHA-256 over the tag
// interlock/contract/1, a zero byte, and the canonical JSON of what is stated.
// It covers both schemas, the error table, effect, idempotency, scopes and
// field meanings; not family, version, names or prose. What is not stated has
// no place in it, so a member that a later release adds moves no old hash.
func Hash(op interlock.Operation) (string, error) { return hashOf(op, readDocument) }

func hashOf(op interlock.Operation, read reader) (string, error) {
	b := builder{read: read}
	b.schema("input", op.InputSchema, (*document).meaning)
	b.schema("output", op.OutputSchema, (*document).meaning)
	b.list("errors", errorRows(op.Errors))
	if op.Effect != "" && op.Effect != interlock.EffectUnknown {
		b.add("effect", stringNode(string(op.Effect)))
	}
	if op.Idempotent != nil {
		b.add("idempotent", boolNode(*op.Idempotent))
	}
	scopes := make([]*node, len(op.Scopes))
	for i, scope := range op.Scopes {
		scopes[i] = stringNode(scope)
	}
	b.list("scopes", scopes)
	b.list("fields", fieldRows(op.Fields))
	return b.sum(tagContract)
}

// Pin gives the presentation pin of an operation, hex, under the tag
// interlock/presentation/1: name, title, the descriptions of its variants,
// annotations, and everything in its schemas that Hash leaves out. Together
// the two cover all that a model is shown.
func Pin(op interlock.Operation) (string, error) { return pinOf(op, readDocument) }

func pinOf(op interlock.Operation, read reader) (string, error) {
	b := builder{read: read}
	b.text("name", op.Name)
	b.text("title", op.Title)
	variants := slices.Clone(op.Variants)
	slices.SortStableFunc(variants, func(x, y interlock.Variant) int { return cmp.Compare(x.ID, y.ID) })
	rows := make([]*node, len(variants))
	for i, v := range variants {
		rows[i] = arrayNode([]*node{stringNode(v.ID), stringNode(v.Description)})
	}
	if len(rows) > 0 {
		b.add("variants", arrayNode(rows))
	}
	b.value("annotations", op.Annotations)
	b.schema("input", op.InputSchema, (*document).prose)
	b.schema("output", op.OutputSchema, (*document).prose)
	return b.sum(tagPresentation)
}

// BindingFingerprint gives the hash, hex, of where a call goes, under the tag
// interlock/binding/1: the kind of the source, the operation's binding, and
// what the source says of its own identity.
func BindingFingerprint(kind string, binding json.RawMessage, identity string) (string, error) {
	var b builder
	b.text("kind", kind)
	b.text("identity", identity)
	b.value("binding", binding)
	return b.sum(tagBinding)
}

// builder gathers the members of what is hashed; the first failure stays.
type builder struct {
	read  reader // of schemas
	names []string
	kids  []*node
	err   error
}

func (b *builder) add(name string, n *node) {
	b.names, b.kids = append(b.names, name), append(b.kids, n)
}

func (b *builder) text(name, text string) {
	if text != "" {
		b.add(name, stringNode(text))
	}
}

// list adds rows as a set, unless there are none.
func (b *builder) list(name string, rows []*node) {
	if len(rows) > 0 {
		b.add(name, set("", arrayNode(rows)))
	}
}

func (b *builder) value(name string, text json.RawMessage) {
	if len(text) == 0 || b.err != nil {
		return
	}
	n, err := parse(text, schemaLimits())
	if err != nil {
		b.err = fmt.Errorf("%s: %w", name, err)
		return
	}
	b.add(name, n)
}

func (b *builder) schema(name string, text json.RawMessage, part func(*document) *node) {
	if len(text) == 0 || b.err != nil {
		return
	}
	d, err := b.read(text)
	if err != nil {
		b.err = fmt.Errorf("%s schema: %w", name, err)
		return
	}
	if n := part(d); !n.is(kindArray) || len(n.kids) > 0 {
		b.add(name, n)
	}
}

func (b *builder) sum(tag string) (string, error) {
	if b.err != nil {
		return "", fmt.Errorf("hash %s: %w", tag, b.err)
	}
	text, err := object(b.names, b.kids).appendCanonical(append([]byte(tag), 0))
	if err != nil {
		return "", fmt.Errorf("hash %s: %w", tag, err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

func boolNode(b bool) *node {
	if b {
		return &node{kind: kindTrue}
	}
	return &node{kind: kindFalse}
}

// errorRows gives the rows of the error table, each without what it leaves
// open.
func errorRows(errs []interlock.ErrorCase) []*node {
	rows := make([]*node, 0, len(errs))
	for _, e := range errs {
		var b builder
		b.text("when", e.When)
		b.text("code", e.Code)
		if e.Status != 0 {
			b.add("status", &node{kind: kindNumber, text: strconv.Itoa(e.Status)})
		}
		rows = append(rows, object(b.names, b.kids))
	}
	return rows
}

// fieldRows gives the meanings of fields; one that says nothing is no row.
func fieldRows(fields []interlock.FieldMeaning) []*node {
	var rows []*node
	for _, f := range fields {
		var b builder
		b.text("semantic_id", f.SemanticID)
		b.text("unit", f.Unit)
		b.text("format", f.Format)
		if len(f.Qualifiers) > 0 {
			var q builder
			for _, name := range slices.Sorted(maps.Keys(f.Qualifiers)) {
				q.add(name, stringNode(f.Qualifiers[name]))
			}
			b.add("qualifiers", object(q.names, q.kids))
		}
		if len(b.names) > 0 {
			b.text("at", f.At)
			rows = append(rows, object(b.names, b.kids))
		}
	}
	return rows
}
