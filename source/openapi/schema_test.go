package openapi

import (
	"strings"
	"testing"
)

// A schema of each dialect and what it is in JSON Schema 2020-12, sent and
// answered. A want of "" is the same as the schema.
func TestDialects(t *testing.T) {
	for _, tc := range []struct {
		version, schema, sent, answered string
	}{
		{"3.1.0", `{"type":["string","null"],"const":1.10,"maximum":9223372036854775807,"default":null}`, "", ""},
		{"3.1.0", `true`, "", ""},
		{"3.1.0", `{"prefixItems":[{"type":"string"}],"items":false,"unevaluatedProperties":{"not":{}},"if":{"const":1},"then":{},"dependentSchemas":{"a":{"minProperties":1}}}`, "", ""},
		{"3.1.0", `{"$id":"x","$schema":"y","$comment":"z","x-a":1,"discriminator":{},"xml":{},"externalDocs":{},"$defs":{"q":{}},"unknown":1,"title":"t"}`, `{"title":"t"}`, `{"title":"t"}`},
		{"3.1.0", `{"exclusiveMinimum":5,"minimum":1}`, "", ""},
		{"3.1.0", `{"examples":[{"a":1}],"type":"object"}`, "", ""},
		{"3.1.0", `{"description":null,"type":"string"}`, `{"type":"string"}`, `{"type":"string"}`},
		{"3.0.3", `{"type":"string","nullable":true}`, `{"type":["string","null"]}`, `{"type":["string","null"]}`},
		{"3.0.3", `{"nullable":true,"type":"string","enum":["a"]}`, `{"type":["string","null"],"enum":["a",null]}`, `{"type":["string","null"],"enum":["a",null]}`},
		{"3.0.3", `{"nullable":true,"type":"string","enum":["a",null]}`, `{"type":["string","null"],"enum":["a",null]}`, `{"type":["string","null"],"enum":["a",null]}`},
		{"3.0.3", `{"nullable":false,"type":"string"}`, `{"type":"string"}`, `{"type":"string"}`},
		{"3.0.3", `{"nullable":true,"allOf":[{"type":"object"}]}`, `{"anyOf":[{"allOf":[{"type":"object"}]},{"type":"null"}]}`, `{"anyOf":[{"allOf":[{"type":"object"}]},{"type":"null"}]}`},
		{"3.0.3", `{"nullable":true}`, `{}`, `{}`},
		{"3.0.3", `{"minimum":5,"exclusiveMinimum":true,"maximum":1.10,"exclusiveMaximum":false}`, `{"exclusiveMinimum":5,"maximum":1.10}`, `{"exclusiveMinimum":5,"maximum":1.10}`},
		{"3.0.3", `{"example":1.10,"type":"number"}`, `{"examples":[1.10],"type":"number"}`, `{"examples":[1.10],"type":"number"}`},
		{"3.0.3", `{"example":{"a":1},"type":"object"}`, `{"type":"object"}`, `{"type":"object"}`},
		{"3.0.3", `{"type":"string","format":"binary"}`, `{"type":"string","contentEncoding":"base64"}`, `{"type":"string","format":"binary"}`},
		{"3.0.3", `{"type":"array","items":[{"type":"string"}]}`, `{"type":"array","prefixItems":[{"type":"string"}]}`, `{"type":"array","prefixItems":[{"type":"string"}]}`},
		{"3.0.3", `{"required":true,"allOf":[],"type":"string"}`, `{"type":"string"}`, `{"type":"string"}`},
		{"3.0.3", `{"type":"object","required":["w","r","b","b"],"properties":{"r":{"readOnly":true},"w":{"writeOnly":true},"b":{"type":"string"}}}`,
			`{"type":"object","required":["b","w"],"properties":{"w":{"writeOnly":true},"b":{"type":"string"}}}`,
			`{"type":"object","required":["b","r"],"properties":{"r":{"readOnly":true},"w":{"writeOnly":true},"b":{"type":"string"}}}`},
		{"3.0.3", `{"type":"object","required":["r"],"properties":{"r":{"$ref":"#/components/schemas/R"}}}`, `{"type":"object","properties":{}}`,
			`{"type":"object","required":["r"],"properties":{"r":{"$ref":"#/$defs/R"}}}`},
		{"3.0.3", `{"$ref":"#/components/schemas/A~1B","description":"d","nullable":true}`, `{"anyOf":[{"$ref":"#/$defs/A_1B-HASH","description":"d"},{"type":"null"}]}`,
			`{"anyOf":[{"$ref":"#/$defs/A_1B-HASH","description":"d"},{"type":"null"}]}`},
		{"3.1.0", `{"$ref":"#/components/schemas/R","minLength":1}`, `{"$ref":"#/$defs/R","minLength":1}`, `{"$ref":"#/$defs/R","minLength":1}`},
		{"3.1.0", `{"$ref":"#/components/schemas/R/x-parts/0"}`, `{"$ref":"#/$defs/0-HASH"}`, `{"$ref":"#/$defs/0-HASH"}`},
	} {
		doc, err := parse([]byte(wrap(tc.version, "", `"R":{"type":"string","readOnly":true,"x-parts":[{}]},"A/B":{},"S":`+tc.schema)))
		if err != nil {
			t.Fatal(err)
		}
		for w, want := range map[way]string{sending: tc.sent, answering: tc.answered} {
			if want == "" {
				want = tc.schema
			}
			got, err := doc.converter(w).schema(doc.root.Get("components").Get("schemas").Get("S"), "/components/schemas/S", true)
			if err != nil || !alike(string(got), want) {
				t.Errorf("%s %s, way %d:\n got %s %v\nwant %s", tc.version, tc.schema, w, got, err, want)
			}
		}
	}
}

// alike compares texts in which HASH stands for twelve hexadecimal digits.
func alike(got, want string) bool {
	head, tail, hashed := strings.Cut(want, "HASH")
	if !hashed {
		return got == want
	}
	return len(got) == len(head)+12+len(tail) && strings.HasPrefix(got, head) && strings.HasSuffix(got, tail)
}

func TestSelfContained(t *testing.T) {
	c := readText(t, wrap("3.1.0", `"/a":{"post":{"operationId":"a","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Node"}}}},
		"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Node"}}}}}}}`,
		`"Node":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/Node"},"leaf":{"$ref":"#/components/schemas/Leaf"}}},"Leaf":{"type":"object","properties":{"v":{"type":"integer"}}},"Unused":{}`))
	op := named(t, c, "a")
	node := `"properties":{"next":{"$ref":"#/$defs/Node"},"leaf":{"$ref":"#/$defs/Leaf"}}`
	defs := `"$defs":{"Leaf":{"type":"object","properties":{"v":{"type":"integer"}}},"Node":{"type":"object",` + node + `}}`
	if want := `{"type":"object",` + node + `,"additionalProperties":false,` + defs + `}`; string(op.InputSchema) != want {
		t.Errorf("input\n got %s\nwant %s", op.InputSchema, want)
	}
	if want := `{"type":"object",` + node + `,` + defs + `}`; string(op.OutputSchema) != want {
		t.Errorf("output\n got %s\nwant %s", op.OutputSchema, want)
	}
}

func TestAnchors(t *testing.T) {
	for _, tree := range []string{`{"$recursiveAnchor":true,"type":"object","properties":{"kids":{"type":"array","items":{"$recursiveRef":"#"}}}}`,
		`{"$dynamicAnchor":"n","type":"object","properties":{"kids":{"type":"array","items":{"$dynamicRef":"#n"}}}}`} {
		c := readText(t, wrap("3.1.0", `"/a":{"get":{"operationId":"a","responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Tree"}}}}}}}`, `"Tree":`+tree))
		body := `"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/Tree"}}}`
		if got, want := string(named(t, c, "a").OutputSchema), `{`+body+`,"$defs":{"Tree":{`+body+`}}}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	c := readText(t, wrap("3.1.0", `"/a":{"get":{"parameters":[{"name":"q","in":"query","schema":{"$dynamicRef":"#gone"}}]}}`, ""))
	if len(c.Findings) != 1 || !strings.Contains(c.Findings[0].Reason, "$dynamicRef") {
		t.Errorf("%v", c.Findings)
	}
}
