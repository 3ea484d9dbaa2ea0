package openapi

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// node is a value of the document.
type node = *yamljson.Node

// dialect is the family of versions that a document is written in.
type dialect uint8

const (
	swagger2 dialect = iota
	openapi30
	openapi31 // and 3.2
)

func dialectOf(root node) (dialect, error) {
	version := root.Get("openapi").Text()
	switch {
	case root.Get("swagger").Text() == "2.0" || string(root.Get("swagger").JSON()) == "2.0":
		return swagger2, nil
	case strings.HasPrefix(version, "3.0"):
		return openapi30, nil
	case strings.HasPrefix(version, "3.1"), strings.HasPrefix(version, "3.2"):
		return openapi31, nil
	case version != "":
		return 0, invalidDocument("The document says openapi %q; versions 3.0, 3.1, 3.2 and swagger 2.0 are read.", version)
	}
	return 0, invalidDocument(`The document is no OpenAPI document: it has no text "openapi" (3.0, 3.1, 3.2) and no "swagger" (2.0).`)
}

// document is a parsed document. It is used by one reader at a time; what it
// remembers are results that depend on the document alone.
type document struct {
	root    node
	twice   []string
	dialect dialect
	targets map[string]target
	// describing keeps what a comparison needs and no tool does: parameters
	// that there is nowhere to send, flags without their bound.
	describing bool
	defs       map[defKey]*def
}

func newDocument(tree *yamljson.Document, d dialect) *document {
	return &document{root: tree.Root, twice: tree.Twice, dialect: d, targets: map[string]target{}, defs: map[defKey]*def{}}
}

// fault says what is wrong with one operation, and where.
type fault struct {
	pointer string
	reason  string
}

func (f *fault) Error() string { return f.pointer + ": " + f.reason }

func faultAt(pointer, format string, args ...any) error {
	return &fault{pointer: pointer, reason: fmt.Sprintf(format, args...)}
}

// locate gives the pointer and reason of an error, at where it has none.
func locate(err error, at string) (pointer, reason string) {
	var f *fault
	if errors.As(err, &f) {
		return f.pointer, f.reason
	}
	return at, err.Error()
}

// target is what a reference leads to.
type target struct {
	node    node
	pointer string
	err     error
}

// maxHops is the longest chain of references that lead to references.
const maxHops = 64

// lookup follows one reference inside the document.
func (d *document) lookup(ref string) target {
	if t, known := d.targets[ref]; known {
		return t
	}
	t := d.find(ref)
	d.targets[ref] = t
	return t
}

func (d *document) find(ref string) target {
	if !strings.HasPrefix(ref, "#") {
		return target{err: fmt.Errorf("the reference %q leads out of the document and is not followed; bundle the document into one file", clip(ref))}
	}
	pointer, err := url.PathUnescape(ref[1:])
	if err != nil {
		return target{err: fmt.Errorf("the reference %q is no pointer", clip(ref))}
	}
	names, ok := rawjson.Split(pointer)
	if !ok {
		return target{err: fmt.Errorf("the reference %q is no pointer into the document", clip(ref))}
	}
	at := d.root
	for _, name := range names {
		if at = step(at, name); at == nil {
			return target{err: fmt.Errorf("the reference %q leads nowhere", clip(ref))}
		}
	}
	return target{node: at, pointer: pointer}
}

func step(n node, name string) node {
	if !n.Is(yamljson.Array) {
		return n.Get(name)
	}
	i, err := strconv.Atoi(name)
	if err != nil || strconv.Itoa(i) != name {
		return nil
	}
	return n.At(i)
}

// clip bounds text that a message repeats.
func clip(text string) string {
	if len(text) <= 200 {
		return text
	}
	return strings.ToValidUTF8(text[:200], "") + "…"
}

// reference gives the reference that stands in the place of a value.
func reference(n node) (string, bool) {
	ref := n.Get("$ref")
	return ref.Text(), ref.Is(yamljson.String)
}

// follow gives the value that stands behind any references at n, and where it
// is.
func (d *document) follow(n node, at string) (node, string, error) {
	for range maxHops {
		ref, is := reference(n)
		if !is {
			return n, at, nil
		}
		t := d.lookup(ref)
		if t.err != nil {
			return nil, at, faultAt(at, "%s", t.err)
		}
		n, at = t.node, t.pointer
	}
	ref, _ := reference(n)
	return nil, at, faultAt(at, "the reference %q leads back to itself", clip(ref))
}

// membersOf gives the members of an object, none for anything else.
func membersOf(n node) []yamljson.Member {
	if n == nil {
		return nil
	}
	return n.Members
}
