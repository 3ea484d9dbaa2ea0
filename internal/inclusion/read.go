package inclusion

import (
	"encoding/binary"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// The dialects, in order.
const (
	draft4 = iota + 4
	draft5 // never published as a dialect of its own
	draft6
	draft7
	draft2019
	draft2020
)

func draftNamed(name string) (int, bool) {
	draft, ok := map[string]int{"draft4": draft4, "draft6": draft6, "draft7": draft7, "draft2019-09": draft2019, "draft2020-12": draft2020, "": draft2020}[name]
	return draft, ok
}

func draftOf(uri string) (int, bool) {
	uri = strings.TrimSuffix(uri, "#")
	if rest, ok := strings.CutPrefix(uri, "https:"); ok {
		uri = "http:" + rest
	}
	draft, ok := map[string]int{
		"http://json-schema.org/draft-04/schema":      draft4,
		"http://json-schema.org/draft-06/schema":      draft6,
		"http://json-schema.org/draft-07/schema":      draft7,
		"http://json-schema.org/draft/2019-09/schema": draft2019,
		"http://json-schema.org/draft/2020-12/schema": draft2020,
		"http://json-schema.org/schema":               draft2020,
	}[uri]
	return draft, ok
}

// maxNodes bounds the schemas in one document.
const maxNodes = 10_000

// table holds the nodes of one question.
type table struct {
	nodes []*node
	texts map[sharedText]*node // schemas without references
	ident map[string]int       // of every text met, by what it is made of
	yes   *node
	no    *node
}

// sharedText names what schemas of one meaning have in common.
type sharedText struct{ draft, ident int }

// identOf numbers texts: equal ones have one number. Each part is looked at
// once, however deep it stands.
func (t *table) identOf(v *value) int {
	if v.ident > 0 {
		return v.ident
	}
	key := []byte{byte(v.kind)}
	if len(v.kids) == 0 {
		key = v.append(key)
	}
	for i, kid := range v.kids {
		if v.kind == kObject {
			key = append(binary.AppendUvarint(key, uint64(len(v.names[i]))), v.names[i]...)
		}
		key = binary.AppendUvarint(key, uint64(t.identOf(kid)))
	}
	if t.ident[string(key)] == 0 {
		t.ident[string(key)] = len(t.ident) + 1
	}
	v.ident = t.ident[string(key)]
	return v.ident
}

func newTable() *table {
	t := &table{texts: map[sharedText]*node{}, ident: map[string]int{}}
	t.yes = t.add(newNode("", &value{kind: kBool, yes: true}))
	t.no = t.add(newNode("", &value{kind: kBool}))
	t.no.never = true
	return t
}

func (t *table) add(n *node) *node {
	n.id = len(t.nodes)
	t.nodes = append(t.nodes, n)
	return n
}

// reader reads one document into the table.
type reader struct {
	*table
	root    *value
	draft   int
	relax   map[*value]bool // objects whose closedness to other members is not read
	remotes func(uri string) ([]byte, bool)
	hollow  map[*value]bool // schemas whose enum is empty
	bases   map[*value]string
	known   map[string]*value // resources and anchors by address
	places  map[*value]string
	dynamic map[string][]*value
	made    map[*value]*node
	queue   []*node // nodes whose references are still to be followed
	fault   *Fault
}

// reader gives a reader of one document.
func (t *table) reader(root *value, draft int) *reader {
	return &reader{table: t, root: root, draft: draft, bases: map[*value]string{}, known: map[string]*value{},
		places: map[*value]string{}, dynamic: map[string][]*value{}, made: map[*value]*node{}, hollow: map[*value]bool{}}
}

// read gives the root of the document.
func (r *reader) read() (*node, *Fault) {
	root, t := r.root, r.table
	if uri := root.get("$schema"); uri != nil {
		stated, ok := draftOf(uri.text())
		if !ok {
			return nil, faultf("unknown-dialect", "/$schema", "drafts 4, 6, 7, 2019-09 and 2020-12 are read")
		}
		r.draft = stated
	}
	r.survey(root, "", "", false)
	n := r.node(root, "")
	for len(r.queue) > 0 && r.fault == nil {
		next := r.queue[0]
		r.queue = r.queue[1:]
		r.follow(next)
	}
	if r.fault == nil {
		r.fault = loop(t.nodes)
	}
	if r.fault != nil {
		return nil, r.fault
	}
	return n, nil
}

// idOf gives the address that a schema states for itself.
func (r *reader) idOf(v *value) string {
	if r.draft <= draft7 && v.get("$ref") != nil {
		return ""
	}
	if r.draft == draft4 {
		return v.get("id").text()
	}
	return v.get("$id").text()
}

// survey finds the addresses and anchors of all that may be a schema; plain is
// an object whose members are named by the author, not by keywords.
func (r *reader) survey(v *value, ptr, base string, plain bool) {
	r.places[v] = ptr
	if v.kind == kObject && !plain {
		if id := r.idOf(v); id != "" && strings.HasPrefix(id, "#") && r.draft <= draft7 {
			r.known[base+id] = v
		} else if id != "" {
			base = strings.TrimSuffix(join(base, id), "#")
			r.known[base] = v
		}
		for _, keyword := range [...]string{"$anchor", "$dynamicAnchor"} {
			if name := v.get(keyword).text(); name != "" && r.draft >= draft2019 {
				r.known[base+"#"+name] = v
				if keyword == "$dynamicAnchor" {
					r.dynamic[name] = append(r.dynamic[name], v)
				}
			}
		}
		if ptr == "" {
			r.known[base] = v
		}
	}
	r.bases[v] = base
	for i, kid := range v.kids {
		token, named := itoa(i), false
		if v.kind == kObject {
			token = v.names[i]
			if !plain && (token == "enum" || token == "const") {
				continue
			}
			named = !plain && slices.Contains([]string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}, token)
		}
		r.survey(kid, ptr+"/"+rawjson.EscapeToken(token), base, named)
	}
}

// fetch takes in a document that the caller can give.
func (r *reader) fetch(address string) *value {
	if r.remotes == nil {
		return nil
	}
	text, ok := r.remotes(address)
	if !ok {
		return nil
	}
	v, fault := readValue(text)
	if fault != nil {
		return nil
	}
	r.survey(v, "", address, false)
	r.known[address] = v
	return v
}

func join(base, ref string) string {
	b, err := url.Parse(base)
	if err != nil {
		return ref
	}
	u, err := b.Parse(ref)
	if err != nil {
		return ref
	}
	return u.String()
}

// resolve finds what a reference points at.
func (r *reader) resolve(base, ref string) (*value, string, *Fault) {
	if ref == "#" {
		ref = ""
	}
	address := join(base, ref)
	if ref == "" {
		address = base
	}
	if v := r.known[address]; v != nil {
		return v, r.places[v], nil
	}
	plain, fragment, _ := strings.Cut(address, "#")
	resource := r.known[plain]
	if resource == nil {
		resource = r.fetch(plain)
	}
	if resource == nil {
		return nil, "", faultf("remote-reference", "", "refers to %.100q outside the schema", ref)
	}
	if text, err := url.PathUnescape(fragment); err == nil {
		fragment = text
	}
	if v := r.known[plain+"#"+fragment]; v != nil {
		return v, r.places[v], nil
	}
	if fragment != "" && !strings.HasPrefix(fragment, "/") {
		return nil, "", faultf("dangling-reference", "", "refers to %.100q, which is not there", ref)
	}
	at := resource
	for _, token := range strings.Split(fragment, "/")[1:] {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		if at = at.step(token); at == nil {
			return nil, "", faultf("dangling-reference", "", "refers to %.100q, which is not there", ref)
		}
	}
	return at, r.places[at], nil
}

// node gives the node of a schema, reading it at its first use.
func (r *reader) node(v *value, ptr string) *node {
	if n := r.made[v]; n != nil {
		return n
	}
	if r.fault != nil || len(r.made) > maxNodes {
		if r.fault == nil {
			r.fault = faultf("too-large", ptr, "holds over %d schemas", maxNodes)
		}
		return r.yes
	}
	switch v.kind {
	case kBool:
		if r.draft == draft4 && ptr == "" {
			r.fail(ptr, "draft 4 has no boolean schemas")
		}
		if v.yes {
			return r.yes
		}
		return r.no
	case kObject:
		return r.object(v, ptr)
	}
	r.fail(ptr, "a schema is an object or a boolean")
	return r.yes
}

func (r *reader) fail(ptr, format string, args ...any) {
	if r.fault == nil {
		r.fault = faultf("not-a-schema", ptr, format, args...)
	}
}

// object reads a schema that is an object. Those without references are shared
// by their text.
func (r *reader) object(v *value, ptr string) *node {
	n := newNode(ptr, v)
	r.made[v] = n
	if enum := v.get("enum"); enum.is(kArray) && len(enum.kids) == 0 {
		r.hollow[v] = true
	}
	if !v.bound {
		key := sharedText{r.draft, r.identOf(v)}
		if same := r.texts[key]; same != nil {
			r.made[v] = same
			return same
		}
		r.texts[key] = n
	}
	r.add(n)
	if ref := v.get("$ref"); ref != nil {
		r.queue = append(r.queue, n)
		if ref.kind != kString {
			r.fail(ptr+"/$ref", "a reference is a string")
		}
		if r.draft <= draft7 {
			return n
		}
	}
	if v.get("$recursiveRef") != nil && r.draft == draft2019 || v.get("$dynamicRef") != nil && r.draft == draft2020 {
		r.queue = append(r.queue, n)
	}
	r.keywords(n, v, ptr)
	return n
}

// follow sets what a node's references point at.
func (r *reader) follow(n *node) {
	base := r.bases[n.raw]
	var targets []*node
	for _, keyword := range [...]string{"$ref", "$recursiveRef", "$dynamicRef"} {
		ref := n.raw.get(keyword)
		if ref == nil || keyword == "$recursiveRef" && r.draft != draft2019 || keyword == "$dynamicRef" && r.draft != draft2020 {
			continue
		}
		v, ptr, fault := r.resolve(base, ref.text())
		if fault != nil {
			if r.fault == nil {
				fault.Pointer = n.ptr + "/" + keyword
				r.fault = fault
			}
			return
		}
		if r.moves(keyword, v, ref.text()) {
			n.stops = append(n.stops, Stop{n.ptr + "/" + keyword, keyword + " with more than one target"})
			continue
		}
		targets = append(targets, r.node(v, ptr))
	}
	if len(targets) > 0 {
		n.ref = targets[0]
		n.allOf = append(n.allOf, targets[1:]...)
	}
}

// moves reports whether what a dynamic reference points at depends on the way
// by which it was reached.
func (r *reader) moves(keyword string, target *value, ref string) bool {
	switch keyword {
	case "$dynamicRef":
		name := target.get("$dynamicAnchor").text()
		return name != "" && strings.HasSuffix(ref, "#"+name) && len(r.dynamic[name]) > 1
	case "$recursiveRef":
		return target.get("$recursiveAnchor") != nil && target != r.root
	}
	return false
}

// loop finds a schema that leads back to itself without going into the value.
func loop(nodes []*node) *Fault {
	const open, done = 1, 2
	state := map[*node]int{}
	var inside func(n *node) *Fault
	inside = func(n *node) *Fault {
		switch state[n] {
		case open:
			return faultf("reference-loop", n.ptr, "leads back to itself without going into the value, so nothing can pass it")
		case done:
			return nil
		}
		state[n] = open
		for _, sub := range n.inPlace() {
			if f := inside(sub); f != nil {
				return f
			}
		}
		state[n] = done
		return nil
	}
	for _, n := range nodes {
		if f := inside(n); f != nil {
			return f
		}
	}
	return nil
}

// number reads a keyword that is a number.
func (r *reader) number(v *value, ptr, keyword string) *big.Rat {
	kid := v.get(keyword)
	if kid == nil {
		return nil
	}
	if kid.kind != kNumber {
		r.fail(ptr+"/"+keyword, "%s is a number", keyword)
		return nil
	}
	return kid.num
}
