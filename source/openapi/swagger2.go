package openapi

import (
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/source/httpcall"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// oldBody reads the body of Swagger 2.0: one parameter in "body", or those in
// "formData".
func (d *document) oldBody(c *converter, e *endpoint, list []declared) (*body, error) {
	b := &body{Body: httpcall.Body{Media: "application/x-www-form-urlencoded"}, apart: true}
	consumes := d.consumes(e)
	for _, item := range list {
		switch item.in {
		case "body":
			return d.oldWhole(c, item, consumes)
		case "formData":
			text, err := c.schema(item.node, item.at, false)
			if err != nil {
				return nil, err
			}
			b.form(item, text)
		}
	}
	if len(b.members) == 0 {
		return nil, nil
	}
	if len(b.Files) > 0 || len(consumes) > 0 && !slices.Contains(consumes, b.Media) && slices.Contains(consumes, "multipart/form-data") {
		b.Media = "multipart/form-data"
	}
	if b.Media == "multipart/form-data" {
		b.Encoding = nil
	}
	slices.Sort(b.Files)
	return b, nil
}

// form adds one form field to the body.
func (b *body) form(item declared, text []byte) {
	required := item.node.Get("required").True()
	b.members = append(b.members, member{item.name, text, required})
	b.Required = b.Required || required
	if item.node.Get("type").Text() == "file" {
		b.Files = append(b.Files, item.name)
	}
	if format := item.node.Get("collectionFormat").Text(); item.node.Get("type").Text() == "array" && format != "multi" {
		if b.Encoding == nil {
			b.Encoding = map[string]httpcall.Encoding{}
		}
		b.Encoding[item.name] = httpcall.Encoding{Style: httpcall.StyleForm}
	}
}

func (d *document) oldWhole(c *converter, item declared, consumes []string) (*body, error) {
	b := &body{schema: item.node.Get("schema"), at: join(item.at, "schema"), about: item.node}
	b.Media, b.Required = "application/json", item.node.Get("required").True()
	if len(consumes) > 0 {
		content := &yamljson.Node{Kind: yamljson.Object}
		for _, media := range consumes {
			content.Members = append(content.Members, yamljson.Member{Name: media, Value: &yamljson.Node{Kind: yamljson.Object}})
		}
		media, _ := preferred(content)
		if media == "" {
			return nil, faultAt(item.at, "a body of type %s cannot be written", clip(strings.Join(consumes, ", ")))
		}
		if !strings.Contains(media, "*") {
			b.Media = media
		}
	}
	if b.schema == nil {
		b.schema = &yamljson.Node{Kind: yamljson.Object}
	}
	return b, d.takeApart(c, b, nil)
}

func (d *document) consumes(e *endpoint) []string {
	if own := e.op.Get("consumes"); own.Is(yamljson.Array) {
		return own.Texts()
	}
	return d.root.Get("consumes").Texts()
}

func (d *document) produces(e *endpoint) []string {
	if own := e.op.Get("produces"); own.Is(yamljson.Array) {
		return own.Texts()
	}
	return d.root.Get("produces").Texts()
}
