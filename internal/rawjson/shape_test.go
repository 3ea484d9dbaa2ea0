package rawjson

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func whole() *Shape { return &Shape{Any: true} }

func prefixed(prefix string, s *Shape) PatternShape {
	return PatternShape{Match: func(name string) bool { return strings.HasPrefix(name, prefix) }, Shape: s}
}

func TestProject(t *testing.T) {
	tree := &Shape{Members: map[string]*Shape{"id": whole()}}
	tree.Members["kids"] = &Shape{Items: tree}
	both := &Shape{Members: map[string]*Shape{"a": {Members: map[string]*Shape{"x": nil}}}}
	both.Union = []*Shape{both, {Members: map[string]*Shape{"a": {Members: map[string]*Shape{"y": nil}}, "b": nil}}}
	tests := []struct {
		name, text string
		shape      *Shape
		want       string
		dropped    []string
	}{
		{"spelling and order stay", `{ "z": 1.10, "a" : [ 1e400,-0 ], "\u0071":"\u00e9", "n":9007199254740993 }`,
			&Shape{Rest: whole()}, `{"z":1.10,"a":[ 1e400,-0 ],"\u0071":"\u00e9","n":9007199254740993}`, nil},
		{"whole", ` {"a": 1} `, whole(), `{"a": 1}`, nil},
		{"scalar", ` 1.0 `, nil, `1.0`, nil},
		{"nil keeps nothing inside", `{"a":1}`, nil, `{}`, []string{"/a"}},
		{"zero keeps nothing inside", `[1,{}]`, &Shape{}, `[]`, []string{"/0", "/1"}},
		{"closed", `{"a":1,"b":{"c":2},"d":3}`, &Shape{Members: map[string]*Shape{"a": nil, "d": nil}},
			`{"a":1,"d":3}`, []string{"/b"}},
		{"escaped name", `{"\u0061":1,"b/~":2}`, &Shape{Members: map[string]*Shape{"a": nil}},
			`{"\u0061":1}`, []string{"/b~1~0"}},
		{"rest is for others only", `{"a":{"p":1},"b":{"p":1}}`,
			&Shape{Members: map[string]*Shape{"a": {}}, Rest: whole()}, `{"a":{},"b":{"p":1}}`, []string{"/a/p"}},
		{"pattern", `{"x-a":1,"y":2,"x-b":{"k":3}}`, &Shape{Patterns: []PatternShape{prefixed("x-", nil)}},
			`{"x-a":1,"x-b":{}}`, []string{"/y", "/x-b/k"}},
		{"name and pattern add up", `{"xa":{"p":1,"q":2,"r":3}}`,
			&Shape{Members: map[string]*Shape{"xa": {Members: map[string]*Shape{"p": nil}}},
				Patterns: []PatternShape{prefixed("x", &Shape{Members: map[string]*Shape{"q": nil}})}},
			`{"xa":{"p":1,"q":2}}`, []string{"/xa/r"}},
		{"items", `[{"id":1,"x":2},{"x":3}]`, &Shape{Items: tree}, `[{"id":1},{}]`, []string{"/0/x", "/1/x"}},
		{"tuple", `[{"a":1},{"id":2,"a":3},4,5]`, &Shape{Prefix: []*Shape{nil, tree, nil}},
			`[{},{"id":2},4]`, []string{"/0/a", "/1/a", "/3"}},
		{"recursive", `{"id":1,"kids":[{"id":2,"secret":0,"kids":[]},{"kids":[{"id":3}],"z":1}]}`, tree,
			`{"id":1,"kids":[{"id":2,"kids":[]},{"kids":[{"id":3}]}]}`, []string{"/kids/0/secret", "/kids/1/z"}},
		{"union, with itself in it", `{"a":{"x":1,"y":2,"z":3},"b":4,"c":5}`, both,
			`{"a":{"x":1,"y":2},"b":4}`, []string{"/a/z", "/c"}},
		{"union of open and closed", `{"a":1,"b":2}`,
			&Shape{Members: map[string]*Shape{"a": nil}, Union: []*Shape{{Members: map[string]*Shape{"a": nil}, Rest: whole()}}},
			`{"a":1,"b":2}`, nil},
		{"union with anything", `{"a":{"b":1}}`, &Shape{Union: []*Shape{whole()}}, `{"a":{"b":1}}`, nil},
	}
	for _, tt := range tests {
		out, dropped := Project([]byte("> "), []byte(tt.text), tt.shape)
		if string(out) != "> "+tt.want {
			t.Errorf("%s: got %s, want > %s", tt.name, out, tt.want)
		}
		if diff := cmp.Diff(Dropped{Pointers: tt.dropped, Total: len(tt.dropped)}, dropped); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestProjectBoundsWhatItLists(t *testing.T) {
	var members []string
	for i := range 100 {
		members = append(members, fmt.Sprintf(`"m%d":0`, i))
	}
	out, dropped := Project(nil, object(members), nil)
	if string(out) != "{}" || dropped.Total != 100 || len(dropped.Pointers) != MaxDropped || dropped.Pointers[19] != "/m19" {
		t.Errorf("%s, %d of %d listed", out, len(dropped.Pointers), dropped.Total)
	}
	long := strings.Repeat("k", maxPointer)
	_, dropped = Project(nil, object([]string{`"` + long + `":0`, `"` + long[1:] + `":0`}), nil)
	if dropped.Total != 2 || len(dropped.Pointers) != 1 || len(dropped.Pointers[0]) != maxPointer {
		t.Errorf("%d of %d long pointers listed", len(dropped.Pointers), dropped.Total)
	}
}

func TestProjectEndsOnDeepText(t *testing.T) {
	self := &Shape{}
	self.Items = self
	deep := []byte(strings.Repeat("[", 3*MaxDepth) + strings.Repeat("]", 3*MaxDepth))
	out, dropped := Project(nil, deep, self)
	if dropped.Total != 1 || Check(out, Limits{Depth: MaxDepth}) == nil {
		t.Errorf("%d bytes are left and %d values dropped", len(out), dropped.Total)
	}
}

// Project against a way that decodes, prunes and forgets spelling, on random
// texts and shapes; the tokens kept must then stand in the text as spelled and
// in the same order.
func TestProjectAgainstDecoder(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	checked, cut := 0, 0
	for range 20_000 {
		text := []byte(randomText(rng, 4))
		if Check(text, Limits{}) != nil {
			continue
		}
		shape := randomShape(rng)
		out, dropped := Project(nil, text, shape)
		var paths []string
		want := prune(decode(t, text), []*Shape{shape}, "", &paths)
		if err := Check(out, Limits{}); err != nil {
			t.Fatalf("Project(%q) = %q: %v", text, out, err)
		}
		if got := decode(t, out); !reflect.DeepEqual(got, want) {
			t.Fatalf("Project(%q) = %q, want %v", text, out, want)
		}
		if diff := cmp.Diff(Dropped{Pointers: paths[:min(len(paths), MaxDropped)], Total: len(paths)}, dropped, cmp.Transformer("empty", emptyIsNil)); diff != "" {
			t.Fatalf("Project(%q): %s", text, diff)
		}
		if !ordered(kept(out), tokens(text)) {
			t.Fatalf("Project(%q) = %q spells or orders anew", text, out)
		}
		checked++
		cut += min(1, len(paths))
	}
	if checked < 5_000 || cut < 1_000 {
		t.Errorf("%d texts were checked, of which %d were cut", checked, cut)
	}
}

func emptyIsNil(s []string) string { return strings.Join(s, "\x00") }

// kept are the tokens that carry values and names.
func kept(text []byte) []string {
	return slices.DeleteFunc(tokens(text), func(s string) bool { return strings.Contains("{}[],:", s) })
}

func ordered(some, all []string) bool {
	for _, token := range all {
		if len(some) > 0 && some[0] == token {
			some = some[1:]
		}
	}
	return len(some) == 0
}

// randomShape links a few random shapes, in circles too.
func randomShape(rng *rand.Rand) *Shape {
	shapes := make([]*Shape, 5)
	for i := range shapes {
		shapes[i] = &Shape{Any: i == 4}
	}
	some := func() *Shape {
		if rng.IntN(6) == 0 {
			return nil
		}
		return shapes[rng.IntN(len(shapes))]
	}
	for _, s := range shapes {
		if rng.IntN(2) == 0 {
			s.Members = map[string]*Shape{"a": some(), "b": some(), "": some(), "é": some()}
		}
		if rng.IntN(3) == 0 {
			s.Patterns = []PatternShape{prefixed("a", some()), prefixed("aa", some())}
		}
		s.Rest, s.Items = some(), some()
		for range rng.IntN(3) {
			s.Prefix = append(s.Prefix, some())
		}
		for range rng.IntN(8) / 6 {
			s.Union = append(s.Union, some())
		}
	}
	return shapes[rng.IntN(4)]
}

// prune applies the union of the shapes to a decoded value.
func prune(n node, shapes []*Shape, pointer string, dropped *[]string) node {
	shapes = united(shapes)
	if slices.ContainsFunc(shapes, func(s *Shape) bool { return s.Any }) {
		return n
	}
	out := node{scalar: n.scalar, object: n.object, array: n.array}
	for i, child := range n.children {
		token := strconv.Itoa(i)
		inner, declared := elementShapes(shapes, i)
		if n.object {
			token = n.names[i]
			inner, declared = memberShapes(shapes, token)
		}
		if !declared {
			*dropped = append(*dropped, Join(pointer, token))
			continue
		}
		if n.object {
			out.names = append(out.names, token)
		}
		out.children = append(out.children, prune(child, inner, Join(pointer, token), dropped))
	}
	return out
}

// united is the closure of shapes over their unions.
func united(shapes []*Shape) (all []*Shape) {
	for len(shapes) > 0 {
		s := shapes[0]
		shapes = shapes[1:]
		if s != nil && !slices.Contains(all, s) {
			all = append(all, s)
			shapes = append(slices.Clone(shapes), s.Union...)
		}
	}
	return all
}

func memberShapes(shapes []*Shape, name string) (inner []*Shape, declared bool) {
	for _, s := range shapes {
		member, named := s.Members[name]
		if named {
			inner = append(inner, member)
		}
		for _, p := range s.Patterns {
			if p.Match(name) {
				named, inner = true, append(inner, p.Shape)
			}
		}
		if !named && s.Rest != nil {
			named, inner = true, append(inner, s.Rest)
		}
		declared = declared || named
	}
	return inner, declared
}

func elementShapes(shapes []*Shape, i int) (inner []*Shape, declared bool) {
	for _, s := range shapes {
		if i < len(s.Prefix) {
			inner, declared = append(inner, s.Prefix[i]), true
		} else if s.Items != nil {
			inner, declared = append(inner, s.Items), true
		}
	}
	return inner, declared
}
