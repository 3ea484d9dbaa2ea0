package yamljson

import (
	"fmt"
	"strings"
)

// parser reads JSON text from left to right. Names are kept once each.
type parser struct {
	text   []byte
	at     int
	limits Limits
	values int
	names  map[string]string
	path   []string
	twice  []string
}

func parseJSON(text []byte, limits Limits) (*Document, error) {
	p := &parser{text: text, limits: limits, names: map[string]string{}}
	p.space()
	root, err := p.value()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.at != len(text) {
		return nil, p.fault("more text after the value")
	}
	return &Document{Root: root, Twice: p.twice}, nil
}

func (p *parser) fault(what string) error {
	line := 1 + strings.Count(string(p.text[:min(p.at, len(p.text))]), "\n")
	return fmt.Errorf("line %d, byte %d, at %q: %s", line, p.at, pointer(p.path), what)
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) value() (*Node, error) {
	if p.values++; p.values > p.limits.Values {
		return nil, fmt.Errorf("%w: more than %d values", errLimit, p.limits.Values)
	}
	if len(p.path) > p.limits.Depth {
		return nil, fmt.Errorf("%w: nested deeper than %d", errLimit, p.limits.Depth)
	}
	switch c := p.peek(); c {
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"':
		raw, err := p.quoted()
		return &Node{Kind: String, Raw: raw}, err
	case 't':
		return p.literal("true", Bool)
	case 'f':
		return p.literal("false", Bool)
	case 'n':
		return p.literal("null", Null)
	default:
		return p.number()
	}
}

func (p *parser) literal(word string, kind Kind) (*Node, error) {
	end := p.at + len(word)
	if end > len(p.text) || string(p.text[p.at:end]) != word {
		return nil, p.fault("no JSON value")
	}
	raw := p.text[p.at:end]
	p.at = end
	return &Node{Kind: kind, Raw: raw}, nil
}

func (p *parser) number() (*Node, error) {
	end := p.at
	for end < len(p.text) && strings.IndexByte("+-.eE0123456789", p.text[end]) >= 0 {
		end++
	}
	raw := p.text[p.at:end]
	if !isNumber(raw) {
		return nil, p.fault("no JSON value")
	}
	p.at = end
	return &Node{Kind: Number, Raw: raw}, nil
}

// quoted steps over a string and checks its escapes.
func (p *parser) quoted() ([]byte, error) {
	start := p.at
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return p.text[start:p.at], nil
		case c < ' ':
			return nil, p.fault("a control character inside a string")
		case c == '\\':
			n := escapeLength(p.text[p.at+1:])
			if n == 0 {
				return nil, p.fault("an escape that JSON does not know")
			}
			p.at += n
		}
	}
	return nil, p.fault("a string without an end")
}

// escapeLength is the length of the escape after its backslash, 0 for none.
func escapeLength(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	if text[0] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, text[0]) < 0 {
			return 0
		}
		return 1
	}
	if len(text) < 5 {
		return 0
	}
	for _, c := range text[1:5] {
		if !isHex(c) {
			return 0
		}
	}
	return 5
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func (p *parser) array() (*Node, error) {
	n := &Node{Kind: Array}
	p.at++
	p.path = append(p.path, "")
	defer func() { p.path = p.path[:len(p.path)-1] }()
	for p.space(); p.peek() != ']'; p.space() {
		if len(n.Items) > 0 {
			if p.peek() != ',' {
				return nil, p.fault("no comma or end of the array")
			}
			p.at++
			p.space()
		}
		p.path[len(p.path)-1] = fmt.Sprint(len(n.Items))
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
	p.at++
	return n, nil
}

func (p *parser) object() (*Node, error) {
	n := &Node{Kind: Object}
	p.at++
	p.path = append(p.path, "")
	defer func() { p.path = p.path[:len(p.path)-1] }()
	seen := seenNames{}
	for first := true; ; first = false {
		p.space()
		if p.peek() == '}' && first {
			break
		}
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		p.path[len(p.path)-1] = name
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		if seen.again(n, name) {
			p.twice = append(p.twice, pointer(p.path))
		} else {
			n.Members = append(n.Members, Member{name, value})
		}
		if p.space(); p.peek() == '}' {
			break
		}
		if p.peek() != ',' {
			return nil, p.fault("no comma or end of the object")
		}
		p.at++
	}
	p.at++
	return n, nil
}

// name reads a member's name and its colon.
func (p *parser) name() (string, error) {
	if p.peek() != '"' {
		return "", p.fault("no member name in quotes")
	}
	raw, err := p.quoted()
	if err != nil {
		return "", err
	}
	if p.space(); p.peek() != ':' {
		return "", p.fault("no colon after a member name")
	}
	p.at++
	p.space()
	name, known := p.names[string(raw)]
	if !known {
		name = decode(raw)
		p.names[string(raw)] = name
	}
	return name, nil
}

// seenNames finds a name given twice: by looking while an object is small,
// by a set once it is not.
type seenNames struct{ set map[string]bool }

func (s *seenNames) again(n *Node, name string) bool {
	if s.set == nil && len(n.Members) < 16 {
		return n.Get(name) != nil
	}
	if s.set == nil {
		s.set = make(map[string]bool, 64)
		for _, m := range n.Members {
			s.set[m.Name] = true
		}
	}
	if s.set[name] {
		return true
	}
	s.set[name] = true
	return false
}

// pointer writes a path by RFC 6901.
func pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1"))
	}
	return b.String()
}
