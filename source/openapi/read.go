package openapi

import (
	"slices"
	"sort"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/version"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// endpoint is one method of one path, as the document holds it.
type endpoint struct {
	method  string
	path    string
	pointer string
	op      node
	item    node // the path item
	itemAt  string
	name    string // chosen over the whole document
}

// maxSchemas bounds the schemas of all tools of a document, in bytes.
const maxSchemas = 256 << 20

// read turns the document into a catalogue.
func (d *document) read(where place) interlock.Catalogue {
	endpoints, findings := d.endpoints()
	nameAll(endpoints)
	c := interlock.Catalogue{Total: len(endpoints) + len(findings), Operations: []interlock.Operation{}, Findings: findings}
	for _, pointer := range d.twice {
		c.Findings = append(c.Findings, interlock.Finding{Pointer: pointer, Reason: "this name stands twice in its object; the first one counts"})
	}
	stated := d.version()
	homeless, size := 0, 0
	for i := range endpoints {
		op, lesser, err := d.operation(&endpoints[i], where)
		if size += len(op.InputSchema) + len(op.OutputSchema); err == nil && size > maxSchemas {
			err = faultAt(endpoints[i].pointer, "the schemas of the document's tools have more than %d bytes together", maxSchemas)
		}
		if err != nil {
			pointer, reason := locate(err, endpoints[i].pointer)
			c.Findings = append(c.Findings, interlock.Finding{Pointer: pointer, Reason: endpoints[i].title() + ": " + reason, Dropped: true})
			continue
		}
		c.Findings = append(c.Findings, lesser...)
		if op.Version = stated; op.Binding == nil {
			homeless++
		}
		c.Operations, c.Places = append(c.Operations, op), append(c.Places, endpoints[i].pointer)
	}
	if homeless > 0 {
		c.Findings = append(c.Findings, interlock.Finding{Pointer: d.serversPointer(),
			Reason: "the document names no absolute server address, so its tools can be found and not called; add it with a base URL"})
	}
	if c.Findings == nil {
		c.Findings = []interlock.Finding{}
	}
	return c
}

// version is what the document states, where that is a strict semantic version.
func (d *document) version() string {
	text := d.root.Get("info").Get("version").Text()
	if v, err := version.Parse(text); err == nil && v.String() == text {
		return text
	}
	return ""
}

func (e *endpoint) title() string { return e.method + " " + e.path }

const methods = " get put post delete options head patch trace query "

// endpoints lists what the paths hold, in the document's order. Webhooks and
// callbacks are calls that the service makes; they are none of these.
func (d *document) endpoints() ([]endpoint, []interlock.Finding) {
	var out []endpoint
	var findings []interlock.Finding
	lost := func(pointer, reason string) {
		findings = append(findings, interlock.Finding{Pointer: pointer, Reason: reason, Dropped: true})
	}
	for _, m := range membersOf(d.root.Get("paths")) {
		at := rawjson.Join("/paths", m.Name)
		if strings.HasPrefix(m.Name, "x-") || m.Value.Is(yamljson.Null) {
			continue
		}
		if !m.Value.Is(yamljson.Object) || !strings.HasPrefix(m.Name, "/") {
			lost(at, "the path "+clip(m.Name)+" does not begin with a slash, or holds no object")
			continue
		}
		item, itemAt, err := d.pathItem(m.Value, at)
		if err != nil {
			pointer, reason := locate(err, at)
			lost(pointer, "the path "+clip(m.Name)+": "+reason)
			continue
		}
		found, bad := methodsOf(m.Name, item, itemAt)
		out, findings = append(out, found...), append(findings, bad...)
	}
	return out, findings
}

// pathItem follows the reference that a path may be; members beside it count
// over those behind it.
func (d *document) pathItem(item node, at string) (node, string, error) {
	if _, is := reference(item); !is {
		return item, at, nil
	}
	behind, behindAt, err := d.follow(item, at)
	if err != nil {
		return nil, at, err
	}
	if len(item.Members) == 1 {
		return behind, behindAt, nil
	}
	merged := &yamljson.Node{Kind: yamljson.Object}
	for _, m := range membersOf(item) {
		if m.Name != "$ref" {
			merged.Members = append(merged.Members, m)
		}
	}
	for _, m := range membersOf(behind) {
		if merged.Get(m.Name) == nil {
			merged.Members = append(merged.Members, m)
		}
	}
	return merged, at, nil
}

func methodsOf(path string, item node, at string) (found []endpoint, bad []interlock.Finding) {
	add := func(method, pointer string, op node) {
		if !op.Is(yamljson.Object) {
			bad = append(bad, interlock.Finding{Pointer: pointer, Reason: strings.ToUpper(method) + " " + clip(path) + ": the operation is no object", Dropped: true})
			return
		}
		found = append(found, endpoint{method: strings.ToUpper(method), path: path, pointer: pointer, op: op, item: item, itemAt: at})
	}
	for _, m := range membersOf(item) {
		switch {
		case strings.Contains(methods, " "+m.Name+" "):
			add(m.Name, rawjson.Join(at, m.Name), m.Value)
		case m.Name == "additionalOperations":
			for _, more := range membersOf(m.Value) {
				add(more.Name, rawjson.Join(at, m.Name, more.Name), more.Value)
			}
		}
	}
	return found, bad
}

// operation reads one operation. lesser are findings that leave it a tool.
func (d *document) operation(e *endpoint, where place) (op interlock.Operation, lesser []interlock.Finding, err error) {
	in, err := d.input(e)
	if err != nil {
		return op, nil, err
	}
	out, lesser := d.output(e)
	binding, err := d.binding(e, in, out, where)
	if err != nil {
		return op, nil, err
	}
	security, scopes := d.security(e)
	if binding != nil {
		binding.Security = security
		if op.Binding, err = binding.Encode(); err != nil {
			return op, nil, faultAt(e.pointer, "%s", err)
		}
	}
	op.Name = e.name
	op.Title = strings.TrimSpace(e.op.Get("summary").Text())
	op.Variants = []interlock.Variant{{ID: "default", Description: e.description()}}
	op.Effect = effectOf(e.method)
	if e.op.Get("deprecated").True() {
		op.State = interlock.StateDeprecated
	}
	if tags := e.op.Get("tags").Texts(); len(tags) > 0 {
		op.Tags = map[string]string{"tag": strings.Join(tags, ",")}
	}
	op.InputSchema, op.OutputSchema = in.schema, out.schema
	op.Errors, op.Scopes = d.errors(e), scopes
	return op, lesser, nil
}

// description is summary and description, and the method and path where the
// document has neither.
func (e *endpoint) description() string {
	summary, text := strings.TrimSpace(e.op.Get("summary").Text()), strings.TrimSpace(e.op.Get("description").Text())
	switch {
	case summary == "" && text == "":
		return e.title()
	case summary == "" || strings.HasPrefix(text, summary):
		return text
	case text == "":
		return summary
	}
	return summary + "\n\n" + text
}

func effectOf(method string) interlock.Effect {
	switch method {
	case "GET", "HEAD":
		return interlock.EffectRead
	case "DELETE":
		return interlock.EffectDestructive
	}
	return interlock.EffectWrite
}

// sortedUnique sorts texts and takes each once; nil for none.
func sortedUnique(texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	sort.Strings(texts)
	return slices.Compact(texts)
}
