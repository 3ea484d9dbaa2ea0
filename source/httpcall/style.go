package httpcall

import (
	"errors"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

var (
	errNested = errors.New("a list or object inside the value has no spelling in this parameter's style")
	errText   = errors.New("the text is no Unicode text")
	errDeep   = errors.New("this parameter takes an object")
)

// parts is a value taken apart: one scalar, the elements of an array, or the
// names and values of an object one after the other.
type parts struct {
	kind   rawjson.Kind
	values []string // of an object: name, value, name, value, …
}

// take takes a value apart. Null elements and members are left out, as RFC
// 6570 leaves out what is undefined.
func take(raw []byte) (parts, error) {
	out := parts{kind: rawjson.KindOf(raw)}
	switch out.kind {
	case rawjson.KindArray:
		for _, element := range rawjson.Elements(raw) {
			if err := out.add(element); err != nil {
				return out, err
			}
		}
	case rawjson.KindObject:
		for name, value := range rawjson.Members(raw) {
			if rawjson.KindOf(value) == rawjson.KindNull {
				continue
			}
			out.values = append(out.values, name)
			if err := out.add(value); err != nil {
				return out, err
			}
		}
	default:
		return out, out.add(raw)
	}
	return out, nil
}

func (p *parts) add(raw []byte) error {
	if rawjson.KindOf(raw) == rawjson.KindNull {
		return nil
	}
	text, err := scalarText(raw)
	p.values = append(p.values, text)
	return err
}

// scalarText is a string's text, and the spelling of any other scalar.
func scalarText(raw []byte) (string, error) {
	switch rawjson.KindOf(raw) {
	case rawjson.KindString:
		text, ok := rawjson.String(raw)
		if !ok {
			return "", errText
		}
		return text, nil
	case rawjson.KindArray, rawjson.KindObject:
		return "", errNested
	}
	return string(rawjson.Compact(nil, raw)), nil
}

// escaped applies an encoder to every value and name.
func (p parts) escaped(encode func(string) string) parts {
	out := parts{kind: p.kind, values: make([]string, len(p.values))}
	for i, v := range p.values {
		out.values[i] = encode(v)
	}
	return out
}

// join writes the values with a separator between them; an exploded object has
// "=" between name and value.
func (p parts) join(separator string, explode bool) string {
	if p.kind != rawjson.KindObject || !explode {
		return strings.Join(p.values, separator)
	}
	var b strings.Builder
	for i := 0; i+1 < len(p.values); i += 2 {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(p.values[i] + "=" + p.values[i+1])
	}
	return b.String()
}

// path spells a value in a path.
func (p Param) path(raw []byte) (string, error) {
	if p.Style == StyleJSON {
		return escape(string(rawjson.Compact(nil, raw))), nil
	}
	taken, err := take(raw)
	if err != nil {
		return "", err
	}
	taken = taken.escaped(escape)
	switch p.Style {
	case StyleLabel:
		if p.Explode {
			return "." + taken.join(".", true), nil
		}
		return "." + taken.join(",", false), nil
	case StyleMatrix:
		return matrix(escape(p.Name), taken, p.Explode), nil
	}
	return taken.join(",", p.Explode), nil
}

func matrix(name string, taken parts, explode bool) string {
	switch {
	case taken.kind == rawjson.KindObject && explode:
		return ";" + taken.join(";", true)
	case taken.kind == rawjson.KindArray && explode:
		var b strings.Builder
		for _, v := range taken.values {
			b.WriteString(";" + name + "=" + v)
		}
		return b.String()
	}
	value := taken.join(",", false)
	if value == "" {
		return ";" + name
	}
	return ";" + name + "=" + value
}

// header spells a value in a header, unencoded.
func (p Param) header(raw []byte) (string, error) {
	if p.Style == StyleJSON {
		return string(rawjson.Compact(nil, raw)), nil
	}
	taken, err := take(raw)
	return taken.join(",", p.Explode), err
}

// pairs spells a value as name=value pairs of a query, a form or a cookie.
// An empty list gives none.
func (p Param) pairs(raw []byte) ([]string, error) {
	encode := escape
	if p.AllowReserved {
		encode = escapeReserved
	}
	name := escape(p.Name)
	switch p.Style {
	case StyleJSON:
		return []string{name + "=" + encode(string(rawjson.Compact(nil, raw)))}, nil
	case StyleDeep:
		if rawjson.KindOf(raw) != rawjson.KindObject {
			return nil, errDeep
		}
		return deep(nil, name, raw, encode)
	}
	taken, err := take(raw)
	if err != nil {
		return nil, err
	}
	taken = taken.escaped(encode)
	list := taken.kind == rawjson.KindArray || taken.kind == rawjson.KindObject
	if list && len(taken.values) == 0 {
		return nil, nil
	}
	if p.Explode && list {
		return exploded(name, taken), nil
	}
	return []string{name + "=" + strings.Join(taken.values, p.separator())}, nil
}

func (p Param) separator() string {
	switch p.Style {
	case StyleSpace:
		return "%20"
	case StylePipe:
		return "%7C"
	case StyleTab:
		return "%09"
	}
	return ","
}

func exploded(name string, taken parts) []string {
	var out []string
	if taken.kind == rawjson.KindArray {
		for _, v := range taken.values {
			out = append(out, name+"="+v)
		}
		return out
	}
	for i := 0; i+1 < len(taken.values); i += 2 {
		out = append(out, taken.values[i]+"="+taken.values[i+1])
	}
	return out
}

// deep spells an object as name[member]=value, further in where members are
// objects; a list inside it repeats its name.
func deep(out []string, name string, raw []byte, encode func(string) string) ([]string, error) {
	var err error
	switch rawjson.KindOf(raw) {
	case rawjson.KindNull:
		return out, nil
	case rawjson.KindObject:
		for member, value := range rawjson.Members(raw) {
			if out, err = deep(out, name+"%5B"+escape(member)+"%5D", value, encode); err != nil {
				return nil, err
			}
		}
		return out, nil
	case rawjson.KindArray:
		for _, element := range rawjson.Elements(raw) {
			if k := rawjson.KindOf(element); k == rawjson.KindArray || k == rawjson.KindObject {
				return nil, errNested
			}
			if out, err = deep(out, name, element, encode); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	text, err := scalarText(raw)
	if err != nil {
		return nil, err
	}
	return append(out, name+"="+encode(text)), nil
}
