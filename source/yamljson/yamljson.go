// Package yamljson reads a document that people write, JSON or YAML, into one
// tree of JSON values.
//
// It promises that the tree keeps the order of members and the spelling of
// numbers (9223372036854775807, 1e400, -0 and 1.10 stay as they are), and that
// YAML is read by the core schema of YAML 1.2: "no" and "on" are text, a date
// is text, and what JSON has no spelling for (.inf) is text too. Anchors,
// aliases and merge keys are followed.
//
// It refuses text over the limits of size, depth and values (aliases counted
// as often as they are used, so an alias bomb is refused before it grows), an
// alias inside its own anchor, text that is no UTF-8, and more than one
// document. A member given twice is kept the first time and reported in
// [Document.Twice].
//
//	doc, err := yamljson.Parse(text, yamljson.Limits{})
//	title := doc.Root.Get("info").Get("title").Text()
package yamljson

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Limits bound a document. A member that is zero takes its default.
type Limits struct {
	Bytes  int // default 32 MiB
	Depth  int // objects and arrays within each other; default 256
	Values int // values after aliases are followed; default 4,000,000
}

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = 32 << 20
	}
	if l.Depth <= 0 {
		l.Depth = 256
	}
	if l.Values <= 0 {
		l.Values = 4_000_000
	}
	return l
}

// Document is a parsed document.
type Document struct {
	Root  *Node
	Twice []string // pointers of members that were given twice; the first counts
}

// Parse reads JSON, and what is not JSON as YAML.
func Parse(text []byte, limits Limits) (*Document, error) {
	limits = limits.withDefaults()
	if len(text) > limits.Bytes {
		return nil, fmt.Errorf("the document has %d bytes, over the limit of %d", len(text), limits.Bytes)
	}
	if !utf8.Valid(text) {
		return nil, errors.New("the document is not UTF-8 text")
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) == 0 {
		return nil, errors.New("the document is empty")
	}
	if start[0] != '{' && start[0] != '[' {
		return parseYAML(text, limits)
	}
	doc, err := parseJSON(text, limits)
	if err == nil || errors.Is(err, errLimit) {
		return doc, err
	}
	if flow, yamlErr := parseYAML(text, limits); yamlErr == nil {
		return flow, nil
	}
	return nil, err
}

// ParseJSON reads JSON alone.
func ParseJSON(text []byte, limits Limits) (*Document, error) {
	limits = limits.withDefaults()
	if len(text) > limits.Bytes {
		return nil, fmt.Errorf("the text has %d bytes, over the limit of %d", len(text), limits.Bytes)
	}
	if !utf8.Valid(text) {
		return nil, errors.New("the text is not UTF-8")
	}
	return parseJSON(text, limits)
}

// errLimit marks a document that is well formed so far and too large.
var errLimit = errors.New("over a limit")
