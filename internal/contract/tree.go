package contract

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// nodeKind is the kind of a JSON value, told by its first character.
type nodeKind byte

const (
	kindObject nodeKind = '{'
	kindArray  nodeKind = '['
	kindString nodeKind = '"'
	kindNumber nodeKind = '0'
	kindTrue   nodeKind = 't'
	kindFalse  nodeKind = 'f'
	kindNull   nodeKind = 'n'
)

// node is one JSON value with its members in the order of the text. Nodes are
// never changed once built, so they may be shared.
type node struct {
	kind  nodeKind
	text  string         // a string's characters, a number's spelling
	names []string       // an object's member names, one a kid
	kids  []*node        // members or items
	index map[string]int // of a large object: name to position
}

// manyMembers is the size from which an object keeps an index.
const manyMembers = 16

// get gives the member of that name, or nil where n is no object or has none.
func (n *node) get(name string) *node {
	if n == nil || n.kind != kindObject {
		return nil
	}
	if i := n.position(name); i >= 0 {
		return n.kids[i]
	}
	return nil
}

// position gives the place of a member in the text, or -1.
func (n *node) position(name string) int {
	if n.index != nil {
		if i, ok := n.index[name]; ok {
			return i
		}
		return -1
	}
	for i, have := range n.names {
		if have == name {
			return i
		}
	}
	return -1
}

// str gives the characters of a string, and "" for anything else.
func (n *node) str() string {
	if n == nil || n.kind != kindString {
		return ""
	}
	return n.text
}

// is reports whether n stands and is of kind k.
func (n *node) is(k nodeKind) bool { return n != nil && n.kind == k }

// step follows one reference token of a JSON pointer.
func (n *node) step(token string) *node {
	if n.is(kindArray) {
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(n.kids) || strconv.Itoa(i) != token {
			return nil
		}
		return n.kids[i]
	}
	return n.get(token)
}

// object builds an object from names and values in turn.
func object(names []string, kids []*node) *node {
	return &node{kind: kindObject, names: names, kids: kids}
}

func stringNode(text string) *node { return &node{kind: kindString, text: text} }

func arrayNode(kids []*node) *node { return &node{kind: kindArray, kids: kids} }

// parse reads checked JSON text into nodes.
func parse(text []byte, limits rawjson.Limits) (*node, error) {
	if err := rawjson.Check(text, limits); err != nil {
		return nil, err
	}
	p := parser{text: text}
	n := p.value()
	if p.err != nil {
		return nil, p.err
	}
	return n, nil
}

// schemaLimits bound the text of a schema.
func schemaLimits() rawjson.Limits {
	return rawjson.Limits{Bytes: MaxSchemaBytes, Depth: MaxSchemaDepth}
}

// parser builds nodes from text that rawjson.Check has passed. It still stops
// at what it cannot read instead of trusting its caller.
type parser struct {
	text []byte
	pos  int
	err  error
}

func (p *parser) fail() *node {
	if p.err == nil {
		p.err = fmt.Errorf("read JSON text: unexpected end or character at byte %d", p.pos)
	}
	return &node{kind: kindNull}
}

// next skips white space and gives the character there, 0 at the end.
func (p *parser) next() byte {
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; c {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return c
		}
	}
	return 0
}

func (p *parser) value() *node {
	switch c := p.next(); c {
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"':
		return stringNode(p.string())
	case 't':
		return p.word("true")
	case 'f':
		return p.word("false")
	case 'n':
		return p.word("null")
	default:
		return p.number()
	}
}

func (p *parser) word(word string) *node {
	if !strings.HasPrefix(string(p.text[p.pos:min(len(p.text), p.pos+len(word))]), word) {
		return p.fail()
	}
	p.pos += len(word)
	return &node{kind: nodeKind(word[0])}
}

func (p *parser) number() *node {
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte("+-.0123456789Ee", p.text[p.pos]) >= 0 {
		p.pos++
	}
	if p.pos == start {
		return p.fail()
	}
	return &node{kind: kindNumber, text: string(p.text[start:p.pos])}
}

func (p *parser) string() string {
	start := p.pos
	plain := true
	for p.pos++; p.pos < len(p.text) && p.text[p.pos] != '"'; p.pos++ {
		if p.text[p.pos] == '\\' {
			plain = false
			p.pos++
		}
	}
	if p.pos >= len(p.text) {
		p.fail()
		return ""
	}
	p.pos++
	if plain {
		return string(p.text[start+1 : p.pos-1])
	}
	var s string
	if err := json.Unmarshal(p.text[start:p.pos], &s); err != nil {
		p.err = fmt.Errorf("read JSON string at byte %d: %w", start, err)
	}
	return s
}

func (p *parser) object() *node {
	n := &node{kind: kindObject}
	p.pos++
	for p.next() != '}' {
		if len(n.kids) > 0 && !p.take(',') || p.next() != '"' {
			return p.fail()
		}
		n.names = append(n.names, p.string())
		if !p.take(':') {
			return p.fail()
		}
		n.kids = append(n.kids, p.value())
		if p.err != nil {
			return n
		}
	}
	p.pos++
	n.buildIndex()
	return n
}

func (n *node) buildIndex() {
	if len(n.names) < manyMembers {
		return
	}
	n.index = make(map[string]int, len(n.names))
	for i, name := range n.names {
		n.index[name] = i
	}
}

func (p *parser) array() *node {
	n := &node{kind: kindArray}
	p.pos++
	for p.next() != ']' {
		if len(n.kids) > 0 && !p.take(',') {
			return p.fail()
		}
		n.kids = append(n.kids, p.value())
		if p.err != nil {
			return n
		}
	}
	p.pos++
	return n
}

func (p *parser) take(c byte) bool {
	if p.next() != c {
		return false
	}
	p.pos++
	return true
}
