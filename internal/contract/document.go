package contract

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

func itoa(i int) string { return strconv.Itoa(i) }

// document is one schema's text with the places in it that are schemas: those
// under a keyword that holds schemas, and those that a local $ref points at,
// wherever they are.
type document struct {
	root    *node
	at      map[*node]string // schema positions, with their JSON pointers
	order   []*node          // the keys of at in the order they were met
	anchors map[string]*node
	refs    []reference
	// opaque is set where a reference cannot be followed by its text alone
	// (another $id, a dynamic one): then nothing unknown may be taken for
	// prose.
	opaque bool
	// outside counts the schemas that only a reference makes one.
	outside int
}

// reference is one $ref met, with where it stands.
type reference struct {
	at, text string
}

// readDocument reads one schema.
func readDocument(text []byte) (*document, error) {
	root, err := parse(text, schemaLimits())
	if err != nil {
		return nil, err
	}
	d := &document{root: root, at: map[*node]string{}, anchors: map[string]*node{}}
	d.visit(root, "")
	d.follow()
	return d, nil
}

// reader reads a schema. A document is not changed by what is read off it.
type reader func(text []byte) (*document, error)

// readingOnce gives a reader that reads each text once.
func readingOnce() reader {
	type read struct {
		d   *document
		err error
	}
	known := map[string]read{}
	return func(text []byte) (*document, error) {
		r, ok := known[string(text)]
		if !ok {
			r.d, r.err = readDocument(text)
			known[string(text)] = r
		}
		return r.d, r.err
	}
}

func (d *document) visit(n *node, pointer string) {
	if _, known := d.at[n]; known || !isSchema(n) {
		return
	}
	d.at[n] = pointer
	d.order = append(d.order, n)
	for _, name := range [...]string{"$anchor", "$dynamicAnchor"} {
		if anchor := n.get(name).str(); anchor != "" {
			d.anchors[anchor] = n
		}
	}
	for _, name := range [...]string{"$id", "id"} {
		if id := n.get(name).str(); id != "" && n != d.root {
			d.opaque = true
		}
	}
	for _, name := range [...]string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if ref := n.get(name); ref.is(kindString) {
			d.refs = append(d.refs, reference{rawjson.Join(pointer, name), ref.text})
		}
	}
	subschemas(n, func(sub *node, path ...string) { d.visit(sub, rawjson.Join(pointer, path...)) })
}

// follow makes schemas of what local references point at, and of what those
// point at in turn.
func (d *document) follow() {
	for i := 0; i < len(d.refs); i++ {
		target, pointer := d.resolve(d.refs[i].text)
		if target == nil {
			d.opaque = true
			continue
		}
		if !d.isAt(target) {
			d.outside++
		}
		d.visit(target, pointer)
	}
}

// resolve finds what a reference into the same document points at: "#", a JSON
// pointer, or an anchor. Anything else gives nil.
func (d *document) resolve(ref string) (*node, string) {
	if id := d.root.get("$id").str(); id != "" && strings.HasPrefix(ref, id) {
		ref = ref[len(id):]
	}
	if ref == "" || ref == "#" {
		return d.root, ""
	}
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, ""
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return nil, ""
	}
	if n := d.anchors[fragment]; n != nil {
		return n, d.at[n]
	}
	tokens, ok := rawjson.Split(fragment)
	if !ok {
		return nil, ""
	}
	n := d.root
	for _, token := range tokens {
		if n = n.step(token); n == nil {
			return nil, ""
		}
	}
	return n, fragment
}

// isAt reports whether n is a schema position.
func (d *document) isAt(n *node) bool {
	_, ok := d.at[n]
	return ok
}

// holds reports whether n is a schema position or has one inside.
func (d *document) holds(n *node) bool {
	if d.isAt(n) {
		return true
	}
	for _, kid := range n.kids {
		if d.holds(kid) {
			return true
		}
	}
	return false
}
