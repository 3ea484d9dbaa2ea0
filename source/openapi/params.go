package openapi

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/source/httpcall"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// param is one parameter of an operation with its schema, converted.
type param struct {
	httpcall.Param
	text []byte // the argument's schema
}

// declared is a parameter object of the document, references followed.
type declared struct {
	node node
	at   string
	name string
	in   string
}

// declaredOf lists the parameters of an operation; one of the operation's own
// takes the place of one of the path's that has its name and place.
func (d *document) declaredOf(e *endpoint) ([]declared, error) {
	var out []declared
	for _, level := range []struct {
		list node
		at   string
	}{{e.item.Get("parameters"), join(e.itemAt, "parameters")}, {e.op.Get("parameters"), join(e.pointer, "parameters")}} {
		if level.list == nil || level.list.Is(yamljson.Null) {
			continue
		}
		if !level.list.Is(yamljson.Array) {
			return nil, faultAt(level.at, "parameters is a list, and this is %s", level.list.KindOf())
		}
		for i, item := range level.list.Items {
			at := join(level.at, strconv.Itoa(i))
			one, err := d.declare(item, at)
			if err != nil {
				return nil, err
			}
			same := func(o declared) bool { return o.name == one.name && o.in == one.in }
			if at := slices.IndexFunc(out, same); at >= 0 {
				out[at] = one
			} else {
				out = append(out, one)
			}
		}
	}
	return out, nil
}

func (d *document) declare(item node, at string) (declared, error) {
	n, _, err := d.follow(item, at)
	if err != nil {
		return declared{}, err
	}
	if !n.Is(yamljson.Object) {
		return declared{}, faultAt(at, "a parameter is an object, and this is %s", n.KindOf())
	}
	out := declared{node: n, at: at, name: n.Get("name").Text(), in: n.Get("in").Text()}
	if out.name == "" && out.in != "body" {
		return out, faultAt(at, "the parameter has no name")
	}
	places := " path query header cookie querystring "
	if d.dialect == swagger2 {
		places = " path query header body formData "
	}
	if !listed(places, out.in) || out.in == "" {
		return out, faultAt(at, "the parameter %q is in %q, which is no place for one", clip(out.name), clip(out.in))
	}
	if out.in == "querystring" {
		return out, faultAt(at, "the parameter %q is a whole query string, which is not sent", clip(out.name))
	}
	return out, nil
}

// params converts the parameters that have a place of their own, path first.
// Headers that no argument may set are left out, as OpenAPI asks for the most
// common of them.
func (d *document) params(c *converter, list []declared, path string) ([]param, error) {
	var out []param
	for _, place := range []string{"path", "query", "header", "cookie"} {
		for _, item := range list {
			if item.in != place || place == "header" && httpcall.ProtectedHeader(item.name) {
				continue
			}
			if place == "path" && !d.describing && !strings.Contains(path, "{"+item.name+"}") {
				continue // there is nowhere to send it
			}
			one, err := d.param(c, item)
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
	}
	nameArguments(out)
	return out, nil
}

// nameArguments gives each parameter its argument: its own name, and where two
// places share a name, the later one's with its place.
func nameArguments(list []param) {
	used := map[string]bool{}
	for _, p := range list {
		used[p.Name] = true
	}
	given := map[string]bool{}
	for i := range list {
		p := &list[i]
		if p.Arg = p.Name; given[p.Arg] {
			p.Arg = free(used, p.Name+"_"+string(p.In))
		}
		given[p.Arg], used[p.Arg] = true, true
	}
}

// free is the first of name, name_2, name_3 … that is not used.
func free(used map[string]bool, name string) string {
	try := name
	for i := 2; used[try]; i++ {
		try = name + "_" + strconv.Itoa(i)
	}
	return try
}

func (d *document) param(c *converter, item declared) (param, error) {
	p := param{Param: httpcall.Param{Name: item.name, In: httpcall.Place(item.in), Required: item.in == "path" || item.node.Get("required").True()}}
	schema, at, err := d.spell(&p.Param, item)
	if err != nil {
		return p, err
	}
	if schema == nil {
		p.text = []byte("{}")
	} else if p.text, err = c.schema(schema, at, false); err != nil {
		return p, err
	}
	p.text = exemplify(describe(p.text, item.node, schema), item.node, schema)
	return p, nil
}

// spell finds the parameter's schema and how its value is written.
func (d *document) spell(p *httpcall.Param, item declared) (node, string, error) {
	if d.dialect == swagger2 {
		return item.node, item.at, collectionFormat(p, item)
	}
	if content := item.node.Get("content"); len(membersOf(content)) > 0 {
		media := content.Members[0]
		if !httpcall.IsJSON(media.Name) {
			return nil, "", faultAt(join(item.at, "content", media.Name), "the parameter %q is written as %s, which is not sent", clip(item.name), clip(media.Name))
		}
		p.Style = httpcall.StyleJSON
		return media.Value.Get("schema"), join(item.at, "content", media.Name, "schema"), nil
	}
	p.Style = httpcall.Style(item.node.Get("style").Text())
	if p.Style == "" {
		p.Style = httpcall.StyleForm
		if p.In == httpcall.InPath || p.In == httpcall.InHeader {
			p.Style = httpcall.StyleSimple
		}
	}
	p.Explode = p.Style == httpcall.StyleForm || p.Style == httpcall.StyleDeep
	if explode := item.node.Get("explode"); explode.Is(yamljson.Bool) && p.Style != httpcall.StyleDeep {
		p.Explode = explode.True()
	}
	p.AllowReserved = p.In == httpcall.InQuery && item.node.Get("allowReserved").True()
	return item.node.Get("schema"), join(item.at, "schema"), nil
}

// collectionFormat reads how Swagger 2.0 writes lists.
func collectionFormat(p *httpcall.Param, item declared) error {
	format := item.node.Get("collectionFormat").Text()
	if p.Style = httpcall.StyleSimple; p.In == httpcall.InQuery {
		p.Style = httpcall.StyleForm
	}
	switch {
	case format == "" || format == "csv":
	case p.In == httpcall.InQuery && format == "multi":
		p.Explode = true
	case p.In == httpcall.InQuery && format == "ssv":
		p.Style = httpcall.StyleSpace
	case p.In == httpcall.InQuery && format == "pipes":
		p.Style = httpcall.StylePipe
	case p.In == httpcall.InQuery && format == "tsv":
		p.Style = httpcall.StyleTab
	default:
		return faultAt(join(item.at, "collectionFormat"), "the parameter %q is written as %q, which is not sent", clip(item.name), clip(format))
	}
	return nil
}

// describe gives the argument the parameter's own words where its schema has
// none.
func describe(text []byte, about, schema node) []byte {
	words := about.Get("description")
	if !words.Is(yamljson.String) || about == schema || schema.Get("description") != nil || len(text) == 0 || text[0] != '{' {
		return text
	}
	out := append([]byte(`{"description":`), words.JSON()...)
	if len(text) > 2 {
		out = append(out, ',')
	}
	return append(out, text[1:]...)
}

// exemplify gives the argument the parameter's own examples where its schema
// has none: scalars, as everywhere.
func exemplify(text []byte, about, schema node) []byte {
	if about == schema || schema.Get("example") != nil || schema.Get("examples") != nil || len(text) == 0 || text[0] != '{' {
		return text
	}
	found := []node{about.Get("example")}
	for _, m := range membersOf(about.Get("examples")) {
		found = append(found, m.Value.Get("value"))
	}
	var list []byte
	for _, v := range found {
		if v == nil || v.Is(yamljson.Null) || v.Is(yamljson.Object) || v.Is(yamljson.Array) {
			continue
		}
		if list != nil {
			list = append(list, ',')
		}
		list = append(list, v.JSON()...)
	}
	if list == nil {
		return text
	}
	out := append(append([]byte(`{"examples":[`), list...), ']')
	if len(text) > 2 {
		out = append(out, ',')
	}
	return append(out, text[1:]...)
}
