package main

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/source/httpcall"
)

// whereabouts finds the place in a document that a divergence is about.
type whereabouts struct {
	kind  string
	lines *lines
	ops   map[string]interlock.Operation // by name
}

func newWhereabouts(kind string, document []byte, ops []interlock.Operation) *whereabouts {
	w := &whereabouts{kind: kind, lines: linesOf(document), ops: map[string]interlock.Operation{}}
	for _, op := range ops {
		w.ops[op.Name] = op
	}
	return w
}

// of gives the pointer into the document for a pointer into a tool's input,
// output or errors; as far as it is known.
func (w *whereabouts) of(tool, pointer string) string {
	_, name, _ := strings.Cut(tool, "/")
	side, at, _ := strings.Cut(pointer, ":")
	if w.kind == interlock.KindManifest {
		return w.manifest(name, side, at)
	}
	return w.openapi(name, side, at)
}

func (w *whereabouts) manifest(name, side, at string) string {
	tools := w.find("/tools")
	for i := 0; tools != nil && i < len(tools.Content); i++ {
		if n, _ := under(tools.Content[i], "name"); n == nil || n.Value != name {
			continue
		}
		here := "/tools/" + strconv.Itoa(i)
		switch side {
		case "input":
			return here + "/input_schema" + w.inside(here+"/input_schema", at)
		case "output":
			return here + "/output_schema" + w.inside(here+"/output_schema", at)
		case "error":
			return here + "/errors"
		}
		return here
	}
	return ""
}

// inside turns a pointer into a value into one into its schema, as far as the
// schema spells it out in place.
func (w *whereabouts) inside(schema, at string) string {
	names, ok := rawjson.Split(at)
	if !ok {
		return ""
	}
	out := ""
	for _, name := range names {
		step := rawjson.Join("/properties", name)
		if name == "*" || name == "-" || strings.Trim(name, "0123456789") == "" {
			step = "/items"
		}
		if w.find(schema+out+step) == nil {
			break
		}
		out += step
	}
	return out
}

// find gives the value that a pointer leads to; nil where there is none.
func (w *whereabouts) find(pointer string) *yaml.Node {
	n := w.lines.root
	names, _ := rawjson.Split(pointer)
	for _, name := range names {
		if n == nil {
			return nil
		}
		n, _ = under(n, name)
	}
	return n
}

func (w *whereabouts) openapi(name, side, at string) string {
	here := w.operation(name)
	if here == "" {
		return ""
	}
	switch side {
	case "input":
		return here + w.parameter(here, at)
	case "error":
		if w.find(here+"/responses/"+at) != nil {
			return here + "/responses/" + at
		}
		return here + "/responses"
	case "output":
		return here + w.response(here, at)
	}
	return here
}

// operation finds the place of an operation: by the method and path that its
// binding sends to.
func (w *whereabouts) operation(name string) string {
	var b httpcall.Binding
	if json.Unmarshal(w.ops[name].Binding, &b) != nil {
		return ""
	}
	method, address := strings.ToLower(b.Method), b.URL
	if u, err := url.Parse(strings.NewReplacer("{", "%7B", "}", "%7D").Replace(address)); err == nil {
		address = u.Path
	}
	best := ""
	paths := w.find("/paths")
	for i := 0; paths != nil && i+1 < len(paths.Content); i += 2 {
		path := paths.Content[i].Value
		if strings.HasSuffix(address, path) && len(path) > len(best) && w.find(rawjson.Join("/paths", path, method)) != nil {
			best = path
		}
	}
	if best == "" {
		return ""
	}
	return rawjson.Join("/paths", best, method)
}

func (w *whereabouts) parameter(here, at string) string {
	name := strings.TrimPrefix(at, "/")
	list := w.find(here + "/parameters")
	for i := 0; list != nil && i < len(list.Content); i++ {
		if n, _ := under(list.Content[i], "name"); n != nil && n.Value == name {
			return "/parameters/" + strconv.Itoa(i)
		}
	}
	if w.find(here+"/requestBody") != nil {
		return "/requestBody"
	}
	return ""
}

func (w *whereabouts) response(here, at string) string {
	responses := w.find(here + "/responses")
	for i := 0; responses != nil && i+1 < len(responses.Content); i += 2 {
		status := responses.Content[i].Value
		if !strings.HasPrefix(status, "2") {
			continue
		}
		out := rawjson.Join("/responses", status)
		content := w.find(here + out + "/content")
		if content == nil || len(content.Content) < 2 {
			return out
		}
		out = rawjson.Join(out, "content", content.Content[0].Value, "schema")
		return out + w.inside(here+out, at)
	}
	return "/responses"
}
