package rule

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

func read(t testing.TB, text string) *Schema {
	t.Helper()
	d, err := Parse([]byte(text), rawjson.Limits{Depth: 256})
	if err != nil {
		t.Fatal(err)
	}
	return d.Root()
}

func TestTypes(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "anything", `true`: "anything", `false`: "nothing", `{"type":"integer"}`: "integer", `{"type":["number","null"]}`: "null or number",
		`{"allOf":[{"type":"number"},{"type":["integer","string"]}]}`: "integer",
		`{"anyOf":[{"type":"string"},{"type":"null"}]}`:               "null or string",
		`{"enum":["a",1.0,null]}`:                                     "null or integer or string",
		`{"const":1.5}`:                                               "number",
		`{"$ref":"#/$defs/A","$defs":{"A":{"type":"array"}}}`:         "array",
		`{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/A"}}}`:     "anything",
		`{"type":"string","enum":[1]}`:                                "nothing",
	} {
		got := read(t, text).Types().String()
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestOneReading: a schema reads the same however it is cut.
func TestOneReading(t *testing.T) {
	whole := read(t, `{"type":"object","properties":{"a":{"type":"string","maxLength":5}},"required":["a"],"additionalProperties":false}`)
	cut := read(t, `{"allOf":[{"$ref":"#/$defs/O"},{"properties":{"a":{"maxLength":5}}},{"properties":{"a":{"type":"string","maxLength":9}}}],"required":["a"],"$defs":{"O":{"type":"object","additionalProperties":false}}}`)
	say := func(s *Schema) []any {
		a := s.Properties()["a"]
		return []any{s.Types().String(), Names(s.Properties()), s.Required(), s.Closed(), a.Types().String(), a.Upper("maxLength", "").String()}
	}
	if d := cmp.Diff(say(whole), say(cut)); d != "" {
		t.Errorf("the two read differently (-whole +cut):\n%s", d)
	}
}

func TestLimits(t *testing.T) {
	for _, r := range []struct {
		a, b           string
		tighter, equal bool
	}{
		{`{"maximum":5}`, `{"maximum":6}`, true, false},
		{`{"maximum":5}`, `{}`, true, false},
		{`{"exclusiveMaximum":5}`, `{"maximum":5}`, true, false},
		{`{"maximum":9007199254740992}`, `{"maximum":9007199254740993}`, true, false},
		{`{"maximum":1.0}`, `{"maximum":1}`, false, true},
		{`{"maximum":1e400}`, `{"maximum":1e401}`, true, false},
		{`{"maximum":1e9999}`, `{}`, false, true},
	} {
		a, b := read(t, r.a).Upper("maximum", "exclusiveMaximum"), read(t, r.b).Upper("maximum", "exclusiveMaximum")
		if a.TighterUpper(b) != r.tighter || b.TighterUpper(a) || r.equal && a.TighterUpper(b) {
			t.Errorf("%s against %s: tighter %v, want %v", r.a, r.b, a.TighterUpper(b), r.tighter)
		}
	}
}

func TestAlone(t *testing.T) {
	s := read(t, `{"properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/properties/a"}},"$defs":{"A":{"type":"object","properties":{"n":{"$ref":"#/$defs/A"}}},"B":{"type":"string"}}}`)
	text, ok := s.Properties()["a"].Alone()
	want := `{"$defs":{"A":{"properties":{"n":{"$ref":"#/$defs/A"}},"type":"object"}},"allOf":[{"properties":{"n":{"$ref":"#/$defs/A"}},"type":"object"},{}]}`
	if !ok || string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
	aspect, ok := read(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}`).Aspect(Focus{Member: "a"})
	if want := `{"allOf":[{"type":"object"},{"additionalProperties":false,"properties":{"a":{"type":"string"},"b":true},"required":["a"]}]}`; !ok || string(aspect) != want {
		t.Errorf("got %s, want %s", aspect, want)
	}
}

func TestMatch(t *testing.T) {
	a := read(t, `{"anyOf":[{"type":"string"},{"$ref":"#/$defs/A"},{"type":"object","properties":{"k":{"const":1},"x":{}}}],"$defs":{"A":{"type":"object","properties":{"q":{}}}}}`)
	b := read(t, `{"anyOf":[{"type":"object","properties":{"k":{"const":2}}},{"type":"object","properties":{"k":{"const":1},"y":{}}},{"$ref":"#/$defs/Z"},{"type":"string"}],"$defs":{"Z":{"type":"object","properties":{"q":{}}}}}`)
	pairs, rest := Match(a, a.Branches("anyOf"), b, b.Branches("anyOf"))
	var got []string
	for _, p := range pairs {
		got = append(got, p[0].At+" "+p[1].At)
	}
	want := []string{"/anyOf/0 /anyOf/3", "/anyOf/1 /anyOf/2", "/anyOf/2 /anyOf/1"}
	if d := cmp.Diff(want, got); d != "" || len(rest) != 1 || rest[0].At != "/anyOf/0" {
		t.Errorf("rest %v (-want +got):\n%s", rest, d)
	}
}

// FuzzParse: whatever a schema says, reading it ends.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"$ref":"#/allOf/0","allOf":[{"$ref":"#"},{"anyOf":[{"type":"null"},{"$ref":"#"}]}]}`))
	f.Add([]byte(`{"properties":{"a":{"$ref":"#/properties/a"}},"enum":[1,{}],"const":null}`))
	f.Add([]byte(strings.Repeat(`{"allOf":[`, 20) + `{}` + strings.Repeat(`]}`, 20)))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse(text, rawjson.Limits{Depth: 200, Bytes: 1 << 16})
		if err != nil {
			return
		}
		s := d.Root()
		s.Types()
		s.Enum()
		s.Items()
		for _, member := range s.Properties() {
			member.Alone()
			member.Aspect(Focus{Rest: true})
		}
		for _, f := range s.Branches("anyOf") {
			s.Sub(f).Types()
		}
	})
}
