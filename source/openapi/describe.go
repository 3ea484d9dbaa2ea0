package openapi

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/source/httpcall"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// Described is one operation of a document as the document states it: by the
// places of HTTP instead of the flat arguments of a tool, so that two readings
// compare whatever layout their tools would have.
type Described struct {
	Method, Path string
	Pointer      string // of the operation in the document
	Operation    interlock.Operation
	Parameters   Content // an object of the places, each an object of parameters, and whether there is a body
	Bodies       []Content
	Answers      []Answered
	Security     [][]Demand
	Err          error  // why the operation cannot be read; the rest then says nothing
	Unread       []byte // the operation's text, where Err is set
	Webhook      bool   // a call that the service makes; no tool
}

// Content is one schema of an operation.
type Content struct {
	Media  string
	Schema json.RawMessage // self-contained JSON Schema 2020-12
	// Places maps pointers into the schema to pointers into the document, by
	// prefix.
	Places map[string]string
	// Items is the schema of the items of a stream; empty where none is stated.
	Items json.RawMessage
	// Apart says that the members of a body are arguments of their own, so that
	// those it does not declare are refused.
	Apart bool
}

// Answered is one documented success.
type Answered struct {
	Status   string
	Pointer  string
	Contents []Content
	Headers  []Header
}

// Header is one header of an answer; Schema states what it holds.
type Header struct {
	Name     string
	Pointer  string
	Required bool
	Schema   json.RawMessage
}

// Demand is one security scheme that a call has to satisfy.
type Demand struct {
	Scheme string
	Stated string // kind and place of the credential, as the document has them
	Scopes []string
}

// Describe reads the operations of a document. An operation that cannot be
// read says so itself; the error is for a text that is no document at all.
func Describe(text []byte) ([]Described, []interlock.Finding, error) {
	d, err := parse(text)
	if err != nil {
		return nil, nil, err
	}
	d.describing = true
	endpoints, findings := d.endpoints()
	nameAll(endpoints)
	out := make([]Described, 0, len(endpoints))
	for i := range endpoints {
		out = append(out, d.describe(&endpoints[i]))
	}
	return append(out, d.webhooks()...), findings, nil
}

// describe reads one operation.
func (d *document) describe(e *endpoint) Described {
	out := Described{Method: e.method, Path: e.path, Pointer: e.pointer, Security: d.demands(e)}
	out.Operation = interlock.Operation{Name: e.name, Effect: effectOf(e.method), Errors: d.errors(e)}
	if e.op.Get("deprecated").True() {
		out.Operation.State = interlock.StateDeprecated
	}
	_, out.Operation.Scopes = d.security(e)
	if out.Parameters, out.Bodies, out.Err = d.describeInput(e); out.Err == nil {
		out.Answers, out.Err = d.describeAnswers(e)
	}
	if out.Err != nil {
		pointer, reason := locate(out.Err, e.pointer)
		out.Err = faultAt(pointer, "%s", reason)
		out.Unread = e.op.JSON()
	}
	return out
}

// describeInput reads parameters and bodies.
func (d *document) describeInput(e *endpoint) (Content, []Content, error) {
	list, err := d.declaredOf(e)
	if err != nil {
		return Content{}, nil, err
	}
	c := d.converter(sending)
	params, err := d.params(c, list, e.path)
	if err != nil {
		return Content{}, nil, err
	}
	bodies, required, err := d.describeBodies(e, list)
	if err != nil {
		return Content{}, nil, err
	}
	stated := len(bodies) > 0 || d.dialect != swagger2 && !isNull(e.op.Get("requestBody"))
	whole, places := layout(e, params, list, stated, required)
	text, err := c.complete(whole)
	return Content{Schema: text, Places: c.places(places)}, bodies, err
}

// layout writes the object of the places. Parameters of the path go by their
// position: their names are no part of a request.
func layout(e *endpoint, params []param, list []declared, body, required bool) ([]byte, map[string]string) {
	places := map[string]string{"": e.pointer}
	var groups []member
	for _, in := range []httpcall.Place{httpcall.InPath, httpcall.InQuery, httpcall.InHeader, httpcall.InCookie} {
		var members []member
		for _, p := range params {
			if p.In != in {
				continue
			}
			name := p.Name
			switch in {
			case httpcall.InHeader:
				name = strings.ToLower(name)
			case httpcall.InPath:
				name = pathPosition(e.path, name)
			}
			members = append(members, member{name, p.text, p.Required})
			places[rawjson.Join("/properties", string(in), "properties", name)] = declaredAt(list, p)
		}
		groups = append(groups, member{string(in), flat(members), true})
		places[rawjson.Join("/properties", string(in))] = join(e.pointer, "parameters")
	}
	if body {
		groups = append(groups, member{"body", []byte("true"), required})
		places["/properties/body"] = join(e.pointer, "requestBody")
	}
	return flat(groups), places
}

// pathPosition names a path parameter by where it stands: {1}, {2}.
func pathPosition(path, name string) string {
	before, _, found := strings.Cut(path, "{"+name+"}")
	if !found {
		return name
	}
	return "{" + strconv.Itoa(strings.Count(before, "{")+1) + "}"
}

// declaredAt is the place of a parameter's schema in the document.
func declaredAt(list []declared, p param) string {
	i := slices.IndexFunc(list, func(d declared) bool { return d.name == p.Name && d.in == string(p.In) })
	if i < 0 {
		return ""
	}
	if list[i].node.Get("schema") == nil {
		return list[i].at
	}
	return join(list[i].at, "schema")
}

// describeBodies reads the request body in every media type.
func (d *document) describeBodies(e *endpoint, list []declared) ([]Content, bool, error) {
	if d.dialect == swagger2 {
		return d.describeOldBody(e, list)
	}
	stated, at := e.op.Get("requestBody"), join(e.pointer, "requestBody")
	if isNull(stated) {
		return nil, false, nil
	}
	n, at, err := d.follow(stated, at)
	if err != nil {
		return nil, false, err
	}
	var out []Content
	for _, m := range membersOf(n.Get("content")) {
		one, err := d.content(sending, m, join(at, "content", m.Name))
		if err != nil {
			return nil, false, err
		}
		if schema, _, err := d.follow(m.Value.Get("schema"), at); err == nil {
			one.Apart = closedObject(schema)
		}
		out = append(out, one)
	}
	return out, n.Get("required").True(), nil
}

func (d *document) describeOldBody(e *endpoint, list []declared) ([]Content, bool, error) {
	c := d.converter(sending)
	b, err := d.oldBody(c, e, list)
	if b == nil || err != nil {
		return nil, false, err
	}
	text, err := b.whole(c)
	if err != nil {
		return nil, false, err
	}
	at := b.at
	if b.schema == nil {
		at = join(e.pointer, "parameters")
	}
	text, err = c.complete(text)
	return []Content{{Media: b.Media, Schema: text, Places: c.places(map[string]string{"": at}), Apart: b.apart}}, b.Required, err
}

// content reads one media type; where it states no schema, anything fits.
func (d *document) content(w way, m yamljson.Member, at string) (Content, error) {
	out := Content{Media: m.Name}
	var err error
	if out.Schema, out.Places, err = d.selfContained(w, m.Value.Get("schema"), join(at, "schema")); err != nil {
		return out, err
	}
	if items := m.Value.Get("itemSchema"); !isNull(items) {
		out.Items, _, err = d.selfContained(w, items, join(at, "itemSchema"))
	}
	return out, err
}

// selfContained converts one schema with everything that it refers to.
func (d *document) selfContained(w way, n node, at string) ([]byte, map[string]string, error) {
	if isNull(n) {
		return []byte("{}"), map[string]string{"": at}, nil
	}
	c := d.converter(w)
	text, err := c.schema(n, at, true)
	if err != nil {
		return nil, nil, err
	}
	text, err = c.complete(text)
	return text, c.places(map[string]string{"": at}), err
}

// places adds where the definitions that a schema reaches come from.
func (c *converter) places(out map[string]string) map[string]string {
	seen := map[string]bool{}
	queue := sortedKeys(c.refs)
	for len(queue) > 0 {
		pointer := queue[0]
		queue = queue[1:]
		if seen[pointer] {
			continue
		}
		seen[pointer] = true
		out[rawjson.Join("/$defs", defName(pointer))] = pointer
		queue = append(queue, c.doc.def(defKey{pointer, c.way}).refs...)
	}
	return out
}

func sortedKeys(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

// describeAnswers reads the documented successes, and the default answer where
// there is none.
func (d *document) describeAnswers(e *endpoint) ([]Answered, error) {
	responses, at := e.op.Get("responses"), join(e.pointer, "responses")
	var out []Answered
	for _, m := range membersOf(responses) {
		if len(m.Name) == 3 && m.Name[0] == '2' {
			one, err := d.describeAnswer(e, strings.ToUpper(m.Name), m.Value, join(at, m.Name))
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
	}
	if fallback := responses.Get("default"); len(out) == 0 && !isNull(fallback) {
		one, err := d.describeAnswer(e, "default", fallback, join(at, "default"))
		return []Answered{one}, err
	}
	return out, nil
}

func (d *document) describeAnswer(e *endpoint, status string, n node, at string) (Answered, error) {
	n, where, err := d.follow(n, at)
	if err != nil {
		return Answered{}, err
	}
	out := Answered{Status: status, Pointer: at}
	if d.dialect == swagger2 {
		for _, g := range d.oldAnswer(e, n, where, nil) {
			text, places, err := d.selfContained(answering, g.schema, g.at)
			if err != nil {
				return out, err
			}
			out.Contents = append(out.Contents, Content{Media: g.media, Schema: text, Places: places})
		}
	}
	for _, m := range membersOf(n.Get("content")) {
		one, err := d.content(answering, m, join(where, "content", m.Name))
		if err != nil {
			return out, err
		}
		out.Contents = append(out.Contents, one)
	}
	out.Headers, err = d.describeHeaders(n.Get("headers"), join(where, "headers"))
	return out, err
}

func (d *document) describeHeaders(headers node, at string) ([]Header, error) {
	var out []Header
	for _, m := range membersOf(headers) {
		n, where, err := d.follow(m.Value, join(at, m.Name))
		if err != nil {
			return nil, err
		}
		schema := n.Get("schema")
		if d.dialect == swagger2 {
			schema = n
		}
		for _, c := range membersOf(n.Get("content")) {
			schema = c.Value.Get("schema")
		}
		text, _, err := d.selfContained(answering, schema, join(where, "schema"))
		if err != nil {
			return nil, err
		}
		out = append(out, Header{Name: m.Name, Pointer: where, Required: n.Get("required").True(), Schema: text})
	}
	return out, nil
}

// demands reads the security alternatives of an operation with the scopes of
// each; the operation's own word replaces the document's.
func (d *document) demands(e *endpoint) [][]Demand {
	stated := e.op.Get("security")
	if isNull(stated) {
		stated = d.root.Get("security")
	}
	if !stated.Is(yamljson.Array) {
		return nil
	}
	var out [][]Demand
	for _, option := range stated.Items {
		all := []Demand{}
		for _, m := range membersOf(option) {
			all = append(all, Demand{Scheme: m.Name, Stated: d.schemeText(m.Name), Scopes: sortedUnique(m.Value.Texts())})
		}
		out = append(out, all)
	}
	return out
}

// schemeText is what a security scheme says of where a credential goes.
func (d *document) schemeText(name string) string {
	home := d.root.Get("components").Get("securitySchemes")
	if d.dialect == swagger2 {
		home = d.root.Get("securityDefinitions")
	}
	n, _, err := d.follow(home.Get(name), "")
	if err != nil {
		return ""
	}
	var out []string
	for _, k := range [...]string{"type", "in", "name", "scheme"} {
		out = append(out, n.Get(k).Text())
	}
	return strings.TrimSpace(strings.Join(out, " "))
}

// webhooks describes the calls that the service makes.
func (d *document) webhooks() []Described {
	var out []Described
	for _, m := range membersOf(d.root.Get("webhooks")) {
		item, at, err := d.pathItem(m.Value, join("/webhooks", m.Name))
		if err != nil {
			continue // nobody can say what it was
		}
		found, _ := methodsOf("webhook:"+m.Name, item, at)
		for i := range found {
			one := d.describe(&found[i])
			one.Webhook = true
			out = append(out, one)
		}
	}
	return out
}
