package yamljson

import (
	"encoding/json"
	"unicode/utf8"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds. Absent is the kind of a nil node.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String names the kind as JSON Schema does.
func (k Kind) String() string {
	return [...]string{"absent", "null", "boolean", "number", "string", "array", "object"}[k]
}

// Node is one value of a document. Every method may be called on nil, which
// reads as a value that is not there. Nodes are never written after Parse, and
// an alias shares the node of its anchor.
type Node struct {
	Kind    Kind
	Raw     []byte   // JSON text of a scalar, as spelled
	Members []Member // of an object, in order
	Items   []*Node  // of an array
}

// Member is one member of an object.
type Member struct {
	Name  string
	Value *Node
}

// Is reports whether the node is of the kind.
func (n *Node) Is(k Kind) bool {
	if n == nil {
		return k == Absent
	}
	return n.Kind == k
}

// KindOf gives the kind, Absent for nil.
func (n *Node) KindOf() Kind {
	if n == nil {
		return Absent
	}
	return n.Kind
}

// Get gives the named member, nil where there is none.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Name == name {
			return n.Members[i].Value
		}
	}
	return nil
}

// At gives the item at i, nil outside the array.
func (n *Node) At(i int) *Node {
	if n == nil || i < 0 || i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}

// Text gives a string's value, and "" for any other value.
func (n *Node) Text() string {
	if !n.Is(String) {
		return ""
	}
	return decode(n.Raw)
}

// True reports whether the node is the value true.
func (n *Node) True() bool { return n.Is(Bool) && n.Raw[0] == 't' }

// False reports whether the node is the value false.
func (n *Node) False() bool { return n.Is(Bool) && n.Raw[0] == 'f' }

// Texts gives the strings of an array, others left out.
func (n *Node) Texts() []string {
	if !n.Is(Array) {
		return nil
	}
	out := make([]string, 0, len(n.Items))
	for _, item := range n.Items {
		if item.Is(String) {
			out = append(out, item.Text())
		}
	}
	return out
}

// JSON gives the value as JSON text without white space.
func (n *Node) JSON() []byte { return n.AppendJSON(nil) }

// AppendJSON appends the value as JSON text without white space; nil is null.
func (n *Node) AppendJSON(dst []byte) []byte {
	switch n.KindOf() {
	case Absent:
		return append(dst, "null"...)
	case Object:
		dst = append(dst, '{')
		for i, m := range n.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, m.Name), ':')
			dst = m.Value.AppendJSON(dst)
		}
		return append(dst, '}')
	case Array:
		dst = append(dst, '[')
		for i, item := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	}
	return append(dst, n.Raw...)
}

// decode reads a JSON string; one without escapes needs no work.
func decode(raw []byte) string {
	inner := raw[1 : len(raw)-1]
	for _, c := range inner {
		if c == '\\' {
			var s string
			if json.Unmarshal(raw, &s) != nil {
				return string(inner)
			}
			return s
		}
	}
	return string(inner)
}

const hexDigits = "0123456789abcdef"

// AppendString appends text as a JSON string. It escapes what JSON demands and
// nothing else; bytes that are no UTF-8 become U+FFFD.
func AppendString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
			continue
		}
		dst = appendASCII(dst, c)
		i++
	}
	return append(dst, '"')
}

func appendASCII(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	if c < ' ' {
		return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
	}
	return append(dst, c)
}
