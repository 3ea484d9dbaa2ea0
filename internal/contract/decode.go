package contract

import "encoding/json"

// decode reads text that has passed rawjson.Check into the values that the
// schema library reads: maps, lists, and numbers as they are spelled.
func decode(text []byte) (any, error) {
	p := parser{text: text}
	v := p.plain()
	return v, p.err
}

func (p *parser) plain() any {
	switch p.next() {
	case '{':
		return p.plainObject()
	case '[':
		return p.plainArray()
	case '"':
		return p.string()
	case 't', 'f', 'n':
		return p.value().plain()
	}
	return json.Number(p.number().text)
}

func (p *parser) plainObject() any {
	m := map[string]any{}
	p.pos++
	for p.next() != '}' {
		if len(m) > 0 && !p.take(',') || p.next() != '"' {
			return p.fail().plain()
		}
		name := p.string()
		if !p.take(':') {
			return p.fail().plain()
		}
		if m[name] = p.plain(); p.err != nil {
			return m
		}
	}
	p.pos++
	return m
}

func (p *parser) plainArray() any {
	list := []any{}
	p.pos++
	for p.next() != ']' {
		if len(list) > 0 && !p.take(',') {
			return p.fail().plain()
		}
		if list = append(list, p.plain()); p.err != nil {
			return list
		}
	}
	p.pos++
	return list
}

// plain gives n as the values that the schema library reads.
func (n *node) plain() any {
	switch n.kind {
	case kindObject:
		m := make(map[string]any, len(n.kids))
		for i, kid := range n.kids {
			m[n.names[i]] = kid.plain()
		}
		return m
	case kindArray:
		list := make([]any, len(n.kids))
		for i, kid := range n.kids {
			list[i] = kid.plain()
		}
		return list
	case kindString:
		return n.text
	case kindNumber:
		return json.Number(n.text)
	case kindTrue, kindFalse:
		return n.kind == kindTrue
	}
	return nil
}
