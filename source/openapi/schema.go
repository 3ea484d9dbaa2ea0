package openapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// way says which way a value goes: what is readOnly is not sent, what is
// writeOnly does not come back.
type way uint8

const (
	sending way = iota
	answering
)

// defKey names one schema of the document as it reads one way.
type defKey struct {
	pointer string
	way     way
}

// def is a schema behind a reference, converted once.
type def struct {
	text    []byte
	refs    []string // pointers that it refers to
	inPlace []string // those of them that describe the same value as it does
	err     error
}

// maxSchema bounds one tool's schema, in bytes.
const maxSchema = 4 << 20

// converter turns one schema into JSON Schema 2020-12 and notes what it refers
// to. What it writes depends on the schema and the way alone.
type converter struct {
	doc     *document
	way     way
	refs    map[string]bool
	inPlace map[string]bool
}

func (d *document) converter(w way) *converter {
	return &converter{doc: d, way: w, refs: map[string]bool{}, inPlace: map[string]bool{}}
}

// def converts what a pointer leads to.
func (d *document) def(key defKey) *def {
	if known, ok := d.defs[key]; ok {
		return known
	}
	c := d.converter(key.way)
	t := d.lookup("#" + escapeFragment(key.pointer))
	out := &def{err: t.err}
	if t.err == nil {
		out.text, out.err = c.schema(t.node, key.pointer, true)
	}
	out.refs, out.inPlace = slices.Sorted(maps.Keys(c.refs)), slices.Sorted(maps.Keys(c.inPlace))
	d.defs[key] = out
	return out
}

func escapeFragment(pointer string) string { return strings.ReplaceAll(pointer, "%", "%25") }

// complete makes a root schema self-contained: every schema that it reaches
// becomes a member of its own $defs.
func (c *converter) complete(root []byte) ([]byte, error) {
	if len(c.refs) == 0 {
		return root, nil
	}
	reached := map[string]*def{}
	queue := slices.Sorted(maps.Keys(c.refs))
	size := len(root)
	for len(queue) > 0 {
		pointer := queue[0]
		queue = queue[1:]
		if reached[pointer] != nil {
			continue
		}
		found := c.doc.def(defKey{pointer, c.way})
		if found.err != nil {
			return nil, found.err
		}
		if size += len(found.text); size > maxSchema {
			return nil, fmt.Errorf("the schema has more than %d bytes with everything that it refers to", maxSchema)
		}
		reached[pointer] = found
		queue = append(queue, found.refs...)
	}
	if loop := inPlaceLoop(reached); loop != "" {
		return nil, faultAt(loop, "the schema refers to itself as the same value, so nothing could match it")
	}
	return withDefs(root, reached), nil
}

// withDefs adds the schemas to the root, sorted by name.
func withDefs(root []byte, reached map[string]*def) []byte {
	byName := make(map[string][]byte, len(reached))
	for pointer, d := range reached {
		byName[defName(pointer)] = d.text
	}
	out := bytes.TrimSuffix(slices.Clone(root), []byte("}"))
	if len(out) > 1 {
		out = append(out, ',')
	}
	out = append(out, `"$defs":{`...)
	for i, name := range slices.Sorted(maps.Keys(byName)) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(yamljson.AppendString(out, name), ':')
		out = append(out, byName[name]...)
	}
	return append(out, "}}"...)
}

// defName names a schema by its pointer alone: a component by its own name,
// anything else by its last token and a digest of the pointer.
func defName(pointer string) string {
	for _, home := range []string{"/components/schemas/", "/definitions/"} {
		if name, is := strings.CutPrefix(pointer, home); is && plainName(name) == name {
			return name
		}
	}
	sum := sha256.Sum256([]byte(pointer))
	return plainName(pointer[strings.LastIndexByte(pointer, '/')+1:]) + "-" + hex.EncodeToString(sum[:6])
}

// plainName keeps what needs no escaping in a reference.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, name)
}

// inPlaceLoop finds a schema that leads back to itself by references and
// combinations alone, without a property or an item between.
func inPlaceLoop(reached map[string]*def) string {
	const open, done = 1, 2
	state := make(map[string]int, len(reached))
	var visit func(pointer string) bool
	visit = func(pointer string) bool {
		switch state[pointer] {
		case open:
			return true
		case done:
			return false
		}
		state[pointer] = open
		if slices.ContainsFunc(reached[pointer].inPlace, visit) {
			return true
		}
		state[pointer] = done
		return false
	}
	for _, pointer := range slices.Sorted(maps.Keys(reached)) {
		if visit(pointer) {
			return pointer
		}
	}
	return ""
}

// root converts a schema that stands for a whole value and puts what a
// reference at its top leads to in the reference's place.
func (c *converter) root(n node, at string) ([]byte, error) {
	behind, where, err := c.doc.follow(n, at)
	if err != nil {
		return nil, err
	}
	if _, is := reference(n); is && c.doc.dialect == openapi31 && len(n.Members) > 1 {
		return c.schema(n, at, true)
	}
	return c.schema(behind, where, true)
}

// ref writes a reference as one into $defs.
func (c *converter) ref(ref, at string, inPlace bool) ([]byte, error) {
	t := c.doc.lookup(ref)
	if t.err != nil {
		return nil, faultAt(at, "%s", t.err)
	}
	if _, _, err := c.doc.follow(t.node, t.pointer); err != nil {
		return nil, err
	}
	c.refs[t.pointer] = true
	if inPlace {
		c.inPlace[t.pointer] = true
	}
	return yamljson.AppendString(nil, "#/$defs/"+defName(t.pointer)), nil
}

// hidden reports whether a property does not go this way.
func (c *converter) hidden(property node, at string) bool {
	behind, _, err := c.doc.follow(property, at)
	if err != nil {
		return false
	}
	if c.way == sending {
		return property.Get("readOnly").True() || behind.Get("readOnly").True()
	}
	return property.Get("writeOnly").True() || behind.Get("writeOnly").True()
}

// schema converts one schema. inPlace says that it describes the same value as
// the definition around it.
func (c *converter) schema(n node, at string, inPlace bool) ([]byte, error) {
	switch n.KindOf() {
	case yamljson.Bool:
		return n.Raw, nil
	case yamljson.Object:
	default:
		return nil, faultAt(at, "a schema is an object or a boolean, and this is %s", n.KindOf())
	}
	w := &keywords{c: c, n: n, at: at, inPlace: inPlace}
	if err := w.convert(); err != nil {
		return nil, err
	}
	return w.finish(), nil
}

// join is the pointer to a member.
func join(at string, names ...string) string { return rawjson.Join(at, names...) }
