package openapi

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/source/yamljson"
)

// keywords converts the members of one schema object, in their order.
type keywords struct {
	c       *converter
	n       node
	at      string
	inPlace bool
	out     []keyword
}

type keyword struct {
	name string
	text []byte
}

func (w *keywords) put(name string, text []byte) { w.out = append(w.out, keyword{name, text}) }

// Keywords by what stands in them. Those of the first list are copied as they
// are; what is in none of the lists is left out.
const (
	copied = " title description default enum const format pattern multipleOf maximum minimum exclusiveMaximum exclusiveMinimum" +
		" maxLength minLength maxItems minItems uniqueItems maxContains minContains maxProperties minProperties dependentRequired" +
		" contentEncoding contentMediaType deprecated readOnly writeOnly "
	single   = " additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties contentSchema "
	lists    = " allOf anyOf oneOf prefixItems "
	mapped   = " properties patternProperties dependentSchemas "
	sameSpot = " allOf anyOf oneOf not if then else dependentSchemas "
)

func listed(list, word string) bool { return strings.Contains(list, " "+word+" ") }

func (w *keywords) convert() error {
	if ref, is := reference(w.n); is {
		text, err := w.c.ref(ref, w.at, w.inPlace)
		if err != nil {
			return err
		}
		w.put("$ref", text)
		if w.c.doc.dialect != openapi31 {
			if about := w.n.Get("description"); about.Is(yamljson.String) {
				w.put("description", about.JSON())
			}
			return nil
		}
	}
	for _, m := range w.n.Members {
		if err := w.member(m.Name, m.Value); err != nil {
			return err
		}
	}
	return nil
}

func (w *keywords) member(name string, v node) error {
	inPlace := w.inPlace && listed(sameSpot, name)
	switch {
	case v.Is(yamljson.Null) && name != "default" && name != "const":
		return nil
	case listed(copied, name):
		w.put(name, v.JSON())
		return nil
	case listed(single, name):
		return w.sub(name, v, inPlace)
	case listed(lists, name):
		return w.list(name, v, inPlace)
	case listed(mapped, name):
		return w.mapped(name, v, inPlace)
	}
	switch name {
	case "items":
		if v.Is(yamljson.Array) {
			return w.list("prefixItems", v, false)
		}
		return w.sub(name, v, false)
	case "type":
		w.typeOf(v)
	case "required":
		w.required(v)
	case "example":
		w.example(v)
	case "examples":
		if v.Is(yamljson.Array) && w.n.Get("example") == nil {
			w.put(name, v.JSON())
		}
	case "$dynamicRef", "$recursiveRef":
		return w.anchored(name, v)
	}
	return nil
}

// anchored reads a reference to an anchor of a schema around this one as a
// plain reference to that schema.
func (w *keywords) anchored(name string, v node) error {
	marked := func(n node) bool { return n.Get("$recursiveAnchor").True() && v.Text() == "#" }
	if name == "$dynamicRef" {
		marked = func(n node) bool {
			anchor := n.Get("$dynamicAnchor").Text()
			return anchor != "" && v.Text() == "#"+anchor
		}
	}
	for at := w.at; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
		if t := w.c.doc.lookup("#" + escapeFragment(at)); t.err == nil && marked(t.node) {
			text, err := w.c.ref("#"+escapeFragment(at), w.at, w.inPlace)
			if err == nil {
				w.put("$ref", text)
			}
			return err
		}
	}
	return faultAt(join(w.at, name), "%s leads to no anchor around it", name)
}

func (w *keywords) sub(name string, v node, inPlace bool) error {
	text, err := w.c.schema(v, join(w.at, name), inPlace)
	if err == nil {
		w.put(name, text)
	}
	return err
}

func (w *keywords) list(name string, v node, inPlace bool) error {
	if !v.Is(yamljson.Array) {
		return faultAt(join(w.at, name), "%s is a list of schemas, and this is %s", name, v.KindOf())
	}
	if len(v.Items) == 0 {
		return nil
	}
	text := []byte{'['}
	for i, item := range v.Items {
		one, err := w.c.schema(item, join(w.at, name, strconv.Itoa(i)), inPlace)
		if err != nil {
			return err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, one...)
	}
	w.put(name, append(text, ']'))
	return nil
}

func (w *keywords) mapped(name string, v node, inPlace bool) error {
	if !v.Is(yamljson.Object) {
		return faultAt(join(w.at, name), "%s is an object of schemas, and this is %s", name, v.KindOf())
	}
	text := []byte{'{'}
	for _, m := range v.Members {
		at := join(w.at, name, m.Name)
		if name == "properties" && w.c.way == sending && w.c.hidden(m.Value, at) {
			continue
		}
		one, err := w.c.schema(m.Value, at, inPlace)
		if err != nil {
			return err
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(yamljson.AppendString(text, m.Name), ':')
		text = append(text, one...)
	}
	w.put(name, append(text, '}'))
	return nil
}

func (w *keywords) typeOf(v node) {
	if v.Text() == "file" {
		w.put("type", []byte(`"string"`))
		return
	}
	w.put("type", v.JSON())
}

// required leaves out the names of properties that do not go this way. In a
// property of its own, Swagger's habit of "required: true" says nothing.
func (w *keywords) required(v node) {
	names := v.Texts()
	properties := w.n.Get("properties")
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		p := properties.Get(name)
		return p != nil && w.c.hidden(p, join(w.at, "properties", name))
	})
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > 0 {
		w.put("required", texts(names))
	}
}

// example keeps examples that are scalars; larger ones cost more than they
// tell.
func (w *keywords) example(v node) {
	if v.Is(yamljson.Object) || v.Is(yamljson.Array) {
		return
	}
	w.put("examples", append(append([]byte{'['}, v.JSON()...), ']'))
}

func texts(names []string) []byte {
	text := []byte{'['}
	for i, name := range names {
		if i > 0 {
			text = append(text, ',')
		}
		text = yamljson.AppendString(text, name)
	}
	return append(text, ']')
}

// finish applies what two keywords say together and writes the object.
func (w *keywords) finish() []byte {
	w.bound("maximum", "exclusiveMaximum")
	w.bound("minimum", "exclusiveMinimum")
	w.binary()
	alternative := w.nullable()
	text := w.write()
	if alternative {
		text = append(append([]byte(`{"anyOf":[`), text...), `,{"type":"null"}]}`...)
	}
	return text
}

func (w *keywords) write() []byte {
	text := []byte{'{'}
	for i, k := range w.out {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(yamljson.AppendString(text, k.name), ':')
		text = append(text, k.text...)
	}
	return append(text, '}')
}

func (w *keywords) index(name string) int {
	return slices.IndexFunc(w.out, func(k keyword) bool { return k.name == name })
}

func (w *keywords) drop(name string) {
	w.out = slices.DeleteFunc(w.out, func(k keyword) bool { return k.name == name })
}

// bound turns the older pair "maximum: 5, exclusiveMaximum: true" into
// "exclusiveMaximum: 5".
func (w *keywords) bound(limit, exclusive string) {
	flag := w.n.Get(exclusive)
	if !flag.Is(yamljson.Bool) {
		return
	}
	w.drop(exclusive)
	switch i := w.index(limit); {
	case flag.True() && i >= 0:
		w.out[i].name = exclusive
	case flag.True() && w.c.doc.describing:
		w.put("x-"+exclusive, []byte("true"))
	}
}

// binary says of a file that is sent how it is given: as base64.
func (w *keywords) binary() {
	i := w.index("format")
	file := w.n.Get("type").Text() == "file"
	if w.c.way != sending || !file && (i < 0 || string(w.out[i].text) != `"binary"`) {
		return
	}
	w.drop("format")
	w.drop("contentEncoding")
	w.put("contentEncoding", []byte(`"base64"`))
}

// nullable turns "nullable: true" into the type null beside the others. It
// reports that null has to be an alternative around the whole schema instead,
// because no type is stated to put it beside.
func (w *keywords) nullable() (alternative bool) {
	if !w.n.Get("nullable").True() && !w.n.Get("x-nullable").True() || len(w.out) == 0 {
		return false
	}
	i := w.index("type")
	if i < 0 {
		return w.index("enum") >= 0 || w.index("$ref") >= 0 || w.index("allOf") >= 0 || w.index("anyOf") >= 0 || w.index("oneOf") >= 0
	}
	types := w.n.Get("type").Texts()
	if one := w.n.Get("type").Text(); one != "" {
		types = []string{one}
	}
	if !slices.Contains(types, "null") {
		types = append(slices.Clone(types), "null")
	}
	w.out[i].text = texts(types)
	if e := w.index("enum"); e >= 0 {
		w.out[e].text = withNull(w.n.Get("enum"))
	}
	return false
}

func withNull(enum node) []byte {
	if !enum.Is(yamljson.Array) {
		return enum.JSON()
	}
	if slices.ContainsFunc(enum.Items, func(n node) bool { return n.Is(yamljson.Null) }) {
		return enum.JSON()
	}
	grown := &yamljson.Node{Kind: yamljson.Array, Items: append(slices.Clone(enum.Items), &yamljson.Node{Kind: yamljson.Null, Raw: []byte("null")})}
	return grown.JSON()
}
