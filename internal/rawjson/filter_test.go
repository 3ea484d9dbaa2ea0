package rawjson

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestFilter(t *testing.T) {
	for _, c := range []struct {
		text, way, want string
		left            int
	}{
		{`{"a":[1,2,3],"b":[2]}`, "/a", `{"a":[1,3],"b":[2]}`, 1},
		{`[2, 2.0,{"x":2}]`, "", `[2.0,{"x":2}]`, 1},
		{`{"\u0061":[ 2 ,1e400]}`, "/a", `{"\u0061":[1e400]}`, 1},
		{`{"a":{"x":2},"z":1}`, "/a", `{"z":1}`, 1},
		{`{"a":null}`, "/a", `{}`, 1},
		{`{"a":2}`, "/a/b", `{"a":2}`, 0},
		{`{"g":[{"a":[2]},{"a":{}},3]}`, "/g/*/a", `{"g":[{"a":[]},{},3]}`, 2},
		{`{"g":{"p":{"a":[2,1]}}}`, "/g/*/a", `{"g":{"p":{"a":[1]}}}`, 1},
		{`{"g":[1,[2]]}`, "/g/*", `{"g":[null,[]]}`, 2},
		{`7`, "", `null`, 1},
		{`{}`, "/a", `{}`, 0},
	} {
		way, _ := Split(c.way)
		got, left := Filter(nil, []byte(c.text), way, func(e []byte) bool { return string(e) != "2" })
		if string(got) != c.want || left != c.left {
			t.Errorf("%s at %q: %s and %d left out, want %s and %d", c.text, c.way, got, left, c.want, c.left)
		}
	}
}

// TestFilterAgrees holds Filter against the same done on decoded values.
func TestFilterAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	removed := 0
	for range 3000 {
		text, way := randomValue(rng, 4), []string{}
		for range rng.IntN(3) {
			way = append(way, []string{"a", "b", "*"}[rng.IntN(3)])
		}
		got, left := Filter(nil, []byte(text), way, func(e []byte) bool { return !strings.Contains(string(e), "7") })
		var is, want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(got, &is); err != nil {
			t.Fatalf("%s: %s: %v", text, got, err)
		}
		n := 0
		want, ok := plainFilter(want, way, &n)
		if !ok {
			want = nil
		}
		if !reflect.DeepEqual(is, want) || left != n {
			t.Fatalf("%s at %v: %s (%d), want %v (%d)", text, way, got, left, want, n)
		}
		removed += n
	}
	if removed < 1000 {
		t.Errorf("only %d were left out", removed)
	}
}

func plainFilter(v any, way []string, n *int) (any, bool) {
	list, isList := v.([]any)
	switch {
	case len(way) == 0 && isList:
		out := []any{}
		for _, e := range list {
			if raw, _ := json.Marshal(e); strings.Contains(string(raw), "7") {
				*n++
				continue
			}
			out = append(out, e)
		}
		return out, true
	case len(way) == 0:
		*n++
		return nil, false
	case isList && way[0] == "*":
		out := []any{}
		for _, e := range list {
			e, _ = plainFilter(e, way[1:], n)
			out = append(out, e)
		}
		return out, true
	}
	if members, ok := v.(map[string]any); ok {
		for name, inner := range members {
			if way[0] != "*" && way[0] != name {
				continue
			}
			kept, ok := plainFilter(inner, way[1:], n)
			if members[name] = kept; !ok {
				delete(members, name)
			}
		}
	}
	return v, true
}

// randomValue writes a value whose numbers are one digit.
func randomValue(rng *rand.Rand, depth int) string {
	var parts []string
	switch kind := rng.IntN(4); {
	case kind > 1 || depth == 0:
		return fmt.Sprint(rng.IntN(10))
	case kind == 0:
		for range rng.IntN(4) {
			parts = append(parts, randomValue(rng, depth-1))
		}
		return "[" + strings.Join(parts, " ,") + "]"
	}
	for _, name := range []string{"a", "b", "c"} {
		if rng.IntN(3) > 0 {
			parts = append(parts, fmt.Sprintf(" %q: %s", name, randomValue(rng, depth-1)))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func TestPut(t *testing.T) {
	for object, want := range map[string]string{`{}`: `{"t":"v"}`, ` { } `: `{"t":"v" }`, `{"a":1}`: `{"t":"v","a":1}`} {
		if got := string(Put([]byte(object), []byte(`"t"`), []byte(`"v"`))); got != want {
			t.Errorf("%q: %s, want %s", object, got, want)
		}
	}
}
