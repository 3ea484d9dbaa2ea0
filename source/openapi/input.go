package openapi

import (
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/source/httpcall"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// input is everything that an operation takes: one flat object.
type input struct {
	params []httpcall.Param
	body   *httpcall.Body
	schema []byte
}

// input reads parameters and body. The body's members are arguments of their
// own where no name is taken twice; otherwise the body is one argument.
func (d *document) input(e *endpoint) (input, error) {
	c := d.converter(sending)
	list, err := d.declaredOf(e)
	if err != nil {
		return input{}, err
	}
	params, err := d.params(c, list, e.path)
	if err != nil {
		return input{}, err
	}
	b, err := d.bodyOf(c, e, list)
	if err != nil {
		return input{}, err
	}
	var out input
	members := make([]member, 0, len(params)+1)
	used := map[string]bool{}
	for _, p := range params {
		out.params = append(out.params, p.Param)
		members = append(members, member{p.Arg, p.text, p.Required})
		used[p.Arg] = true
	}
	if b != nil {
		own, err := b.arguments(c, used)
		if err != nil {
			return input{}, err
		}
		members = append(members, own...)
		out.body = &b.Body
	}
	out.schema, err = c.complete(flat(members))
	if err != nil {
		pointer, reason := locate(err, e.pointer)
		return input{}, faultAt(pointer, "%s", reason)
	}
	return out, nil
}

func (d *document) bodyOf(c *converter, e *endpoint, list []declared) (*body, error) {
	if d.dialect == swagger2 {
		return d.oldBody(c, e, list)
	}
	return d.body(c, e)
}

// arguments gives the body's arguments and settles the name of the one that is
// the whole body.
func (b *body) arguments(c *converter, used map[string]bool) ([]member, error) {
	clash := slices.ContainsFunc(b.members, func(m member) bool { return used[m.name] })
	if b.apart && !clash {
		return b.members, nil
	}
	text, err := b.whole(c)
	if err != nil {
		return nil, err
	}
	b.Arg = free(used, "body")
	return []member{{b.Arg, describe(text, b.about, b.schema), b.Required}}, nil
}

func (b *body) whole(c *converter) ([]byte, error) {
	if b.schema == nil {
		return flat(b.members), nil
	}
	text, err := c.schema(b.schema, b.at, false)
	if err != nil || b.typed(c) {
		return text, err
	}
	switch {
	case httpcall.IsJSON(b.Media) || b.Media == "multipart/form-data" || b.Media == "application/x-www-form-urlencoded":
		return text, nil
	case httpcall.IsText(b.Media):
		return []byte(`{"type":"string"}`), nil
	}
	return []byte(`{"type":"string","contentEncoding":"base64"}`), nil
}

// typed reports whether the body's schema says what text or bytes it takes.
func (b *body) typed(c *converter) bool {
	n, _, err := c.doc.follow(b.schema, b.at)
	text := httpcall.IsText(b.Media) && !httpcall.IsJSON(b.Media)
	return err == nil && text && strings.HasPrefix(n.Get("type").Text(), "string")
}

// flat writes an object that takes these members and no others.
func flat(members []member) []byte {
	text := []byte(`{"type":"object","properties":{`)
	var required []string
	for i, m := range members {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(yamljson.AppendString(text, m.name), ':')
		text = append(text, m.text...)
		if m.required {
			required = append(required, m.name)
		}
	}
	text = append(text, '}')
	if len(required) > 0 {
		text = append(append(text, `,"required":`...), texts(required)...)
	}
	return append(text, `,"additionalProperties":false}`...)
}
