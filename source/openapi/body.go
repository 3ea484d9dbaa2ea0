package openapi

import (
	"slices"

	"github.com/seed-ae386458/interlock/source/httpcall"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// body is what an operation's request carries. Either its members stand
// beside the parameters, or schema is one argument.
type body struct {
	httpcall.Body
	members []member // of an object that may be taken apart
	apart   bool
	schema  node
	at      string
	about   node // the request body object, for its description
}

// member is one argument of the flat object.
type member struct {
	name     string
	text     []byte
	required bool
}

// body reads the request body of OpenAPI 3, nil for none.
func (d *document) body(c *converter, e *endpoint) (*body, error) {
	stated, at := e.op.Get("requestBody"), join(e.pointer, "requestBody")
	if stated == nil || stated.Is(yamljson.Null) {
		return nil, nil
	}
	n, at, err := d.follow(stated, at)
	if err != nil {
		return nil, err
	}
	content := n.Get("content")
	if len(membersOf(content)) == 0 {
		return nil, nil
	}
	media, value := preferred(content)
	if media == "" {
		return nil, faultAt(join(at, "content"), "a body of type %s cannot be written", clip(content.Members[0].Name))
	}
	b := &body{schema: value.Get("schema"), at: join(at, "content", media, "schema"), about: n}
	b.Media, b.Required = media, n.Get("required").True()
	if media == "*/*" || media == "application/*" {
		b.Media = "application/json"
	}
	if b.schema == nil {
		b.schema = &yamljson.Node{Kind: yamljson.Object}
	}
	return b, d.takeApart(c, b, value.Get("encoding"))
}

// preferred picks the media type that is sent: JSON, a form, text, bytes.
func preferred(content node) (string, node) {
	ranks := []func(string) bool{
		func(m string) bool { return m == "application/json" },
		httpcall.IsJSON,
		func(m string) bool { return m == "application/x-www-form-urlencoded" },
		func(m string) bool { return m == "multipart/form-data" },
		func(m string) bool { return httpcall.IsText(m) && httpcall.CanWrite(m) },
		httpcall.CanWrite,
		func(m string) bool { return m == "*/*" || m == "application/*" },
	}
	for _, fits := range ranks {
		for _, m := range content.Members {
			if fits(m.Name) {
				return m.Name, m.Value
			}
		}
	}
	return "", nil
}

// takeApart finds out whether the body is an object whose members can be
// arguments of their own, and how the members of a form are written.
func (d *document) takeApart(c *converter, b *body, encoding node) error {
	n, at, err := d.follow(b.schema, b.at)
	if err != nil {
		return err
	}
	d.files(b, n, at)
	if err := readEncoding(b, encoding); err != nil {
		return err
	}
	if !closedObject(n) || !b.Required && len(n.Get("required").Texts()) > 0 {
		return nil
	}
	required := n.Get("required").Texts()
	for _, m := range n.Get("properties").Members {
		where := join(at, "properties", m.Name)
		if c.hidden(m.Value, where) {
			continue
		}
		text, err := c.schema(m.Value, where, false)
		if err != nil {
			return err
		}
		b.members = append(b.members, member{m.Name, text, slices.Contains(required, m.Name)})
	}
	b.apart = len(b.members) > 0
	return nil
}

// closedObject reports whether a schema is an object of listed properties and
// nothing more.
func closedObject(n node) bool {
	for _, m := range membersOf(n) {
		switch m.Name {
		case "type":
			if m.Value.Text() != "object" {
				return false
			}
		case "additionalProperties":
			if !m.Value.False() {
				return false
			}
		case "nullable", "x-nullable":
			if m.Value.True() {
				return false
			}
		case "properties", "required", "title", "description", "example", "examples", "xml", "externalDocs", "deprecated", "default":
		default:
			if len(m.Name) < 2 || m.Name[:2] != "x-" {
				return false
			}
		}
	}
	return len(membersOf(n.Get("properties"))) > 0
}

// files lists the members of a multipart form that are files.
func (d *document) files(b *body, n node, at string) {
	if b.Media != "multipart/form-data" {
		return
	}
	for _, m := range membersOf(n.Get("properties")) {
		p, _, err := d.follow(m.Value, join(at, "properties", m.Name))
		if err != nil {
			continue
		}
		if items := p.Get("items"); p.Get("type").Text() == "array" {
			if p, _, err = d.follow(items, at); err != nil {
				continue
			}
		}
		if p.Get("format").Text() == "binary" {
			b.Files = append(b.Files, m.Name)
		}
	}
	slices.Sort(b.Files)
}

// readEncoding reads how the members of a form are written.
func readEncoding(b *body, encoding node) error {
	if b.Media != "application/x-www-form-urlencoded" {
		return nil
	}
	for _, m := range membersOf(encoding) {
		style := httpcall.Style(m.Value.Get("style").Text())
		explode := m.Value.Get("explode")
		if style == "" && explode == nil {
			continue
		}
		if style == "" {
			style = httpcall.StyleForm
		}
		how := httpcall.Encoding{Style: style, Explode: style == httpcall.StyleForm || style == httpcall.StyleDeep}
		if explode.Is(yamljson.Bool) && style != httpcall.StyleDeep {
			how.Explode = explode.True()
		}
		if b.Encoding == nil {
			b.Encoding = map[string]httpcall.Encoding{}
		}
		b.Encoding[m.Name] = how
	}
	return nil
}
