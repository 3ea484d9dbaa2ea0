package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

func TestShape(t *testing.T) {
	for _, tc := range []struct{ name, schema, value, want string }{
		{"undeclared goes", `{"properties":{"a":{}}}`, `{"a":1,"b":2}`, `{"a":1}`},
		{"order and spelling stay", `{"properties":{"a":{},"b":{}}}`, `{"b":1.10,"x":0,"a":9007199254740993}`, `{"b":1.10,"a":9007199254740993}`},
		{"nested", `{"properties":{"a":{"properties":{"b":{}}}}}`, `{"a":{"b":1,"c":2}}`, `{"a":{"b":1}}`},
		{"in lists", `{"items":{"properties":{"a":{}}}}`, `[{"a":1,"b":2},{"b":3}]`, `[{"a":1},{}]`},
		{"free form", `{"type":"object"}`, `{"a":{"b":1}}`, `{"a":{"b":1}}`},
		{"true", `true`, `{"a":1}`, `{"a":1}`},
		{"free member", `{"properties":{"a":{"type":"object"}}}`, `{"a":{"b":{"c":1}},"d":1}`, `{"a":{"b":{"c":1}}}`},
		{"no properties named", `{"properties":{}}`, `{"a":1}`, `{"a":1}`},
		{"open", `{"properties":{"a":{"properties":{"x":{}}}},"additionalProperties":true}`, `{"a":{"x":1,"y":2},"b":{"z":1}}`, `{"a":{"x":1},"b":{"z":1}}`},
		{"map", `{"additionalProperties":{"properties":{"x":{}}}}`, `{"k":{"x":1,"y":2}}`, `{"k":{"x":1}}`},
		{"closed", `{"additionalProperties":false}`, `{"k":1}`, `{}`},
		{"pattern", `{"patternProperties":{"^x":{"properties":{"a":{}}}}}`, `{"xa":{"a":1,"b":2},"y":1}`, `{"xa":{"a":1}}`},
		{"pattern and name", `{"properties":{"xa":{"properties":{"b":{}}}},"patternProperties":{"^x":{"properties":{"a":{}}}}}`, `{"xa":{"a":1,"b":2,"c":3}}`, `{"xa":{"a":1,"b":2}}`},
		{"allOf adds up", `{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}`, `{"a":1,"b":2,"c":3}`, `{"a":1,"b":2}`},
		{"required alone opens nothing", `{"properties":{"a":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":1,"b":2}`, `{"a":1}`},
		{"branches add up", `{"anyOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}`, `{"a":1,"b":2,"c":3}`, `{"a":1,"b":2}`},
		{"a branch of another kind", `{"anyOf":[{"properties":{"a":{}}},{"type":"string"},{"const":3}]}`, `{"a":1,"b":2}`, `{"a":1}`},
		{"a free branch", `{"anyOf":[{"properties":{"a":{}}},{"type":"object"}]}`, `{"a":1,"b":2}`, `{"a":1,"b":2}`},
		{"a free branch beside names", `{"properties":{"c":{}},"anyOf":[{"properties":{"a":{}}},{"type":"object"}]}`, `{"a":1,"b":2,"c":3}`, `{"a":1,"c":3}`},
		{"member free in one branch", `{"anyOf":[{"properties":{"a":{"properties":{"x":{}}}}},{"properties":{"a":{}}}]}`, `{"a":{"y":1}}`, `{"a":{"y":1}}`},
		{"member free in one conjunct", `{"allOf":[{"properties":{"a":{"properties":{"x":{}}}}},{"properties":{"a":{"type":"object"}}}]}`, `{"a":{"x":1,"y":1}}`, `{"a":{"x":1}}`},
		{"reference", `{"$ref":"#/$defs/a","$defs":{"a":{"properties":{"a":{}}}}}`, `{"a":1,"b":2}`, `{"a":1}`},
		{"conditional", `{"if":{"properties":{"a":{}}},"then":{"properties":{"b":{}}},"else":{"properties":{"c":{}}}}`, `{"a":1,"b":2,"c":3,"d":4}`, `{"a":1,"b":2,"c":3}`},
		{"dependent", `{"properties":{"a":{}},"dependentSchemas":{"a":{"properties":{"b":{}}}}}`, `{"a":1,"b":2,"c":3}`, `{"a":1,"b":2}`},
		{"not declares nothing", `{"properties":{"a":{}},"not":{"properties":{"b":{}}}}`, `{"a":1,"b":2}`, `{"a":1}`},
		{"cycle", `{"properties":{"v":{},"next":{"$ref":"#"}}}`, `{"v":1,"x":2,"next":{"v":2,"x":3,"next":{"x":4}}}`, `{"v":1,"next":{"v":2,"next":{}}}`},
		{"tuple", `{"prefixItems":[{"properties":{"a":{}}}],"items":{"properties":{"b":{}}}}`, `[{"a":1,"b":1},{"a":1,"b":1}]`, `[{"a":1},{"b":1}]`},
		{"tuple with an open end", `{"prefixItems":[{"properties":{"a":{}}}]}`, `[{"a":1,"b":1},{"a":1,"b":1}]`, `[{"a":1},{"a":1,"b":1}]`},
		{"tuple of draft 7", `{"$schema":"http://json-schema.org/draft-07/schema","items":[{"properties":{"a":{}}}],"additionalItems":{"properties":{"b":{}}}}`, `[{"a":1,"b":1},{"a":1,"b":1}]`, `[{"a":1},{"b":1}]`},
		{"object or list", `{"properties":{"a":{}},"items":{"properties":{"b":{}}}}`, `[{"a":1,"b":2}]`, `[{"b":2}]`},
		{"scalars", `{"type":"string"}`, `"x"`, `"x"`},
		{"unevaluated", `{"allOf":[{"properties":{"a":{"properties":{"x":{}}}}}],"unevaluatedProperties":true}`, `{"a":{"x":1,"y":2},"b":3}`, `{"a":{"x":1},"b":3}`},
		{"unevaluated false", `{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"a":1,"b":3}`, `{"a":1}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := compiled(t, "", tc.schema)
			got, _ := rawjson.Project(nil, []byte(tc.value), c.Shape())
			if string(got) != tc.want {
				t.Errorf("kept %s, want %s", got, tc.want)
			}
			if slow := newOracle(t, tc.schema).project(tc.value); slow != canon(t, tc.want) {
				t.Errorf("the oracle keeps %s, want %s", slow, tc.want)
			}
		})
	}
}

func TestShapeWithoutSchema(t *testing.T) {
	got, _ := rawjson.Project(nil, []byte(`{"a":[1]}`), compiled(t, "", "").Shape())
	if string(got) != `{"a":[1]}` {
		t.Errorf("kept %s", got)
	}
}

func canon(t testing.TB, text string) string {
	t.Helper()
	c, err := Canonical([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(c)
}

// Random schemas and values: the shape keeps what the oracle keeps.
func TestShapeAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	dropped, compared := 0, 0
	for range 400 {
		schema := randomSchema(r)
		if Check(operation("", schema)) != nil {
			continue
		}
		shape := compiled(t, "", schema).Shape()
		oracle := newOracle(t, schema)
		for range 4 {
			value := randomValue(r, 4)
			kept, _ := rawjson.Project(nil, []byte(value), shape)
			want := oracle.project(value)
			if *oracle.over {
				break
			}
			compared++
			if got := canon(t, string(kept)); got != want {
				t.Fatalf("schema\n%s\n value %s\n  kept %s\nslow way %s", schema, value, got, want)
			}
			if want != canon(t, value) {
				dropped++
			}
		}
	}
	if dropped < 150 || compared < 400 {
		t.Errorf("only %d of %d values lost anything", dropped, compared)
	}
}

// randomSchema writes a schema over the names a to d with two definitions that
// may lead anywhere.
func randomSchema(r *rand.Rand) string {
	return fmt.Sprintf(`{"$defs":{"p":%s,"q":%s},%s`, randomSub(r, 2), randomSub(r, 2), randomSub(r, 3)[1:])
}

func randomSub(r *rand.Rand, depth int) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	sub := func() string {
		switch {
		case r.IntN(8) == 0:
			return []string{"true", "{}"}[r.IntN(2)]
		case depth <= 0:
			return fmt.Sprintf(`{"$ref":"#/$defs/%s"}`, []string{"p", "q"}[r.IntN(2)])
		}
		return randomSub(r, depth-1)
	}
	list := func() string {
		return "[" + strings.Join([]string{sub(), sub()}[:1+r.IntN(2)], ",") + "]"
	}
	if r.IntN(5) == 0 {
		add(`"type":%s`, []string{`"object"`, `"array"`, `"string"`, `["object","array"]`}[r.IntN(4)])
	}
	if r.IntN(2) == 0 {
		var members []string
		for _, name := range []string{"a", "b", "c"} {
			if r.IntN(2) == 0 {
				members = append(members, fmt.Sprintf("%q:%s", name, sub()))
			}
		}
		add(`"properties":{%s}`, strings.Join(members, ","))
	}
	for keyword, one := range map[string]func() string{
		"additionalProperties": func() string { return []string{"false", "true", sub()}[r.IntN(3)] },
		"patternProperties":    func() string { return fmt.Sprintf(`{"^[ad]":%s}`, sub()) },
		"items":                sub, "prefixItems": list, "allOf": list, "anyOf": list, "oneOf": list,
		"if": sub, "dependentSchemas": func() string { return fmt.Sprintf(`{"a":%s}`, sub()) }, "not": sub,
	} {
		if r.IntN(9) == 0 {
			add("%q:%s", keyword, one())
			if keyword == "if" {
				add(`"then":%s`, sub())
				if r.IntN(2) == 0 {
					add(`"else":%s`, sub())
				}
			}
		}
	}
	if len(parts) == 0 {
		add(`"properties":{"a":{}}`)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// oracle projects the slow way: it writes out every alternative of the schemas
// that could apply to a value, each a set of plain schemas, and keeps what any
// of them keeps.
type oracle struct {
	root map[string]any
	over *bool // set where the alternatives are too many to write out
	work *int
}

func newOracle(t testing.TB, schema string) oracle {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(schema), &v); err != nil {
		t.Fatal(err)
	}
	root, ok := v.(map[string]any)
	if !ok {
		root = map[string]any{"allOf": []any{v}}
	}
	return oracle{root, new(bool), new(int)}
}

// conj is a set of schemas that all apply, without what they refer to.
type conj []map[string]any

func (o oracle) project(text string) string {
	n, _ := parse([]byte(text), rawjson.Limits{})
	out, _ := o.keep(o.alternatives([]any{o.root}), n).canonical()
	return string(out)
}

// alternatives writes out the ways in which all of the schemas can apply.
func (o oracle) alternatives(schemas []any) []conj {
	ways := []conj{{}}
	for _, s := range schemas {
		ways = o.cross(ways, o.ways(s))
	}
	return ways
}

func (o oracle) cross(a, b []conj) []conj {
	if *o.over = *o.over || len(a)*len(b) > 24; *o.over {
		return nil
	}
	seen := map[string]bool{}
	var out []conj
	for _, x := range a {
		for _, y := range b {
			both := slices.Concat(x, y)
			key, _ := json.Marshal(both)
			if !seen[string(key)] {
				seen[string(key)] = true
				out = append(out, both)
			}
		}
	}
	return out
}

func (o oracle) ways(s any) []conj {
	*o.work++
	if *o.over = *o.over || *o.work > 1500; *o.over {
		return nil
	}
	if b, ok := s.(bool); ok {
		if b {
			return []conj{{}}
		}
		return nil
	}
	m := s.(map[string]any)
	ways := []conj{{m}}
	union := func(list []any) (out []conj) {
		for _, sub := range list {
			out = append(out, o.ways(sub)...)
		}
		return out
	}
	if ref, ok := m["$ref"].(string); ok {
		target := any(o.root)
		if name, ok := strings.CutPrefix(ref, "#/$defs/"); ok {
			target = o.root["$defs"].(map[string]any)[name]
		}
		ways = o.cross(ways, o.ways(target))
	}
	all, _ := m["allOf"].([]any)
	for _, sub := range all {
		ways = o.cross(ways, o.ways(sub))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list, ok := m[keyword].([]any); ok {
			ways = o.cross(ways, union(list))
		}
	}
	if cond, ok := m["if"]; ok {
		holds, fails := []any{cond}, []any{}
		if then, ok := m["then"]; ok {
			holds = append(holds, then)
		}
		if other, ok := m["else"]; ok && cond != any(true) { // else is never tried then
			fails = append(fails, other)
		}
		ways = o.cross(ways, append(o.alternatives(holds), o.alternatives(fails)...))
	}
	if dependent, ok := m["dependentSchemas"].(map[string]any); ok {
		for _, name := range slices.Sorted(maps.Keys(dependent)) {
			ways = o.cross(ways, append(o.ways(dependent[name]), conj{}))
		}
	}
	return ways
}

// keep copies what some alternative keeps.
func (o oracle) keep(ways []conj, n *node) *node {
	switch n.kind {
	case kindObject:
		return o.keepObject(possible(ways, "object"), n)
	case kindArray:
		return o.keepArray(possible(ways, "array"), n)
	}
	return n
}

func possible(ways []conj, typ string) []conj {
	return slices.DeleteFunc(slices.Clone(ways), func(way conj) bool {
		return slices.ContainsFunc(way, func(m map[string]any) bool {
			if c, ok := m["const"]; ok {
				_, object := c.(map[string]any)
				return !object || typ != "object"
			}
			switch t := m["type"].(type) {
			case string:
				return t != typ
			case []any:
				return !slices.Contains(t, any(typ))
			}
			return false
		})
	})
}

func (o oracle) keepObject(ways []conj, n *node) *node {
	named := map[string]bool{}
	for _, way := range ways {
		if !slices.ContainsFunc(way, speaks) {
			return n
		}
		for _, m := range way {
			for name := range properties(m) {
				named[name] = true
			}
		}
	}
	var names []string
	var kids []*node
	for i, name := range n.names {
		var next []conj
		found := false
		for _, way := range ways {
			var all []any
			for _, m := range way {
				if found := declared(m, name); named[name] {
					all = append(all, found...)
				} else {
					for _, one := range found { // by pattern or rest alone: united
						next = append(next, o.ways(one)...)
					}
					all = append(all, found...)
				}
			}
			if len(all) > 0 {
				found = true
				if named[name] {
					next = append(next, o.alternatives(all)...)
				}
			}
		}
		if found {
			names, kids = append(names, name), append(kids, o.keep(next, n.kids[i]))
		}
	}
	return object(names, kids)
}

func properties(m map[string]any) map[string]any {
	p, _ := m["properties"].(map[string]any)
	return p
}

// speaks reports whether a schema's own keywords say anything of members.
func speaks(m map[string]any) bool {
	patterns, _ := m["patternProperties"].(map[string]any)
	_, additional := m["additionalProperties"]
	_, unevaluated := m["unevaluatedProperties"]
	return len(properties(m)) > 0 || len(patterns) > 0 || additional || unevaluated
}

// declared gives the schemas that one schema's own keywords have for a member.
func declared(m map[string]any, name string) (found []any) {
	if sub, ok := properties(m)[name]; ok {
		found = append(found, sub)
	}
	patterns, _ := m["patternProperties"].(map[string]any)
	for p, sub := range patterns {
		if regexp.MustCompile(p).MatchString(name) {
			found = append(found, sub)
		}
	}
	for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
		if rest, ok := m[keyword]; ok && len(found) == 0 {
			if rest != any(false) {
				found = append(found, rest)
			}
			break
		}
	}
	return found
}

func (o oracle) keepArray(ways []conj, n *node) *node {
	if len(ways) == 0 {
		return arrayNode(nil)
	}
	kids := make([]*node, len(n.kids))
	for i, kid := range n.kids {
		var next []conj
		whole := false
		for _, way := range ways {
			var all []any
			for _, m := range way {
				prefix, _ := m["prefixItems"].([]any)
				items, isList := m["items"].([]any)
				if isList {
					prefix = items
				}
				if rest, ok := m["additionalItems"]; ok && isList && i >= len(prefix) {
					all = append(all, rest)
				}
				if i < len(prefix) {
					all = append(all, prefix[i])
				} else if rest, ok := m["items"]; ok && !isList {
					all = append(all, rest)
				}
			}
			whole = whole || len(all) == 0
			next = append(next, o.alternatives(all)...)
		}
		if kids[i] = o.keep(next, kid); whole {
			kids[i] = kid
		}
	}
	return arrayNode(kids)
}

// A shape of a schema with cycles is cyclic itself, and equal calls give one.
func TestShapeIsShared(t *testing.T) {
	c := compiled(t, "", `{"properties":{"next":{"$ref":"#"}}}`)
	s := c.Shape()
	if s.Members["next"] != s.Members["next"].Members["next"] {
		t.Error("the cycle is unrolled")
	}
	if c.Shape() != s {
		t.Error("built twice")
	}
	if diff := cmp.Diff([]string{"next"}, sortedKeys(s.Members)); diff != "" {
		t.Error(diff)
	}
}

func TestShapeIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, `"a%d":{"anyOf":[{"properties":{"x":{"$ref":"#/$defs/a%d"}}},{"properties":{"x":{"$ref":"#/$defs/a%d"},"b%d":{}}},{"required":["z"]}]},`, i, (i*7+1)%40, (i*11+3)%40, i)
	}
	schema := `{"allOf":[{"$ref":"#/$defs/a0"},{"$ref":"#/$defs/a1"},{"$ref":"#/$defs/a2"}],"$defs":{` + strings.TrimSuffix(b.String(), ",") + `}}`
	findings := Check(operation("", schema))
	c, err := Compile(operation("", schema))
	if err != nil {
		t.Fatal(err)
	}
	if len(findings) == 0 != c.StatesOutput() {
		t.Errorf("findings %v, used %v", findings, c.StatesOutput())
	}
}
