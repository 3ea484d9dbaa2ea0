package openapi

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock/source/httpcall"
)

// What an operation takes becomes one flat object, and the binding says where
// each argument goes.
func TestInput(t *testing.T) {
	str := `{"type":"string"}`
	param := func(name, in string) string { return fmt.Sprintf(`{"name":%q,"in":%q,"schema":%s}`, name, in, str) }
	body := func(media, schema string, required bool) string {
		return fmt.Sprintf(`"requestBody":{"required":%v,"content":{%q:{"schema":%s}}}`, required, media, schema)
	}
	pet := `{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"id":{"type":"integer","readOnly":true}}}`
	p := func(arg, name string, in httpcall.Place, style httpcall.Style, required bool) httpcall.Param {
		return httpcall.Param{Arg: arg, Name: name, In: in, Style: style, Explode: style == httpcall.StyleForm, Required: required}
	}
	const form, simple = httpcall.StyleForm, httpcall.StyleSimple
	for _, tc := range []struct {
		name, path, params, body string
		schema                   string
		want                     []httpcall.Param
		carried                  *httpcall.Body
	}{
		{"nothing", "/x", "", "", `{"type":"object","properties":{},"additionalProperties":false}`, nil, nil},
		{"every place", "/x/{a}", param("c", "cookie") + "," + param("B", "header") + "," + param("q", "query") + "," + param("a", "path"), "",
			`{"type":"object","properties":{"a":` + str + `,"q":` + str + `,"B":` + str + `,"c":` + str + `},"required":["a"],"additionalProperties":false}`,
			[]httpcall.Param{p("a", "a", "path", simple, true), p("q", "q", "query", form, false), p("B", "B", "header", simple, false), p("c", "c", "cookie", form, false)}, nil},
		{"one name in three places", "/x/{id}", param("id", "header") + "," + param("id", "query") + "," + param("id", "path") + "," + param("id_header", "query"), "",
			`{"type":"object","properties":{"id":` + str + `,"id_query":` + str + `,"id_header":` + str + `,"id_header_2":` + str + `},"required":["id"],"additionalProperties":false}`,
			[]httpcall.Param{p("id", "id", "path", simple, true), p("id_query", "id", "query", form, false), p("id_header", "id_header", "query", form, false), p("id_header_2", "id", "header", simple, false)}, nil},
		{"protected headers", "/x", param("Authorization", "header") + "," + param("Host", "header") + "," + param("X-Fine", "header"), "",
			`{"type":"object","properties":{"X-Fine":` + str + `},"additionalProperties":false}`, []httpcall.Param{p("X-Fine", "X-Fine", "header", simple, false)}, nil},
		{"members of the body", "/x", param("q", "query"), body("application/json", pet, true),
			`{"type":"object","properties":{"q":` + str + `,"name":` + str + `},"required":["name"],"additionalProperties":false}`,
			[]httpcall.Param{p("q", "q", "query", form, false)}, &httpcall.Body{Media: "application/json", Required: true}},
		{"a body that may be left out as a whole", "/x", "", body("application/json", pet, false),
			`{"type":"object","properties":{"body":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}},"additionalProperties":false}`,
			nil, &httpcall.Body{Media: "application/json", Arg: "body"}},
		{"a clash with a member", "/x", param("name", "query"), body("application/json", pet, true),
			`{"type":"object","properties":{"name":` + str + `,"body":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}},"required":["body"],"additionalProperties":false}`,
			[]httpcall.Param{p("name", "name", "query", form, false)}, &httpcall.Body{Media: "application/json", Arg: "body", Required: true}},
		{"an array titled as a parameter is named", "/x", param("values", "query"), body("application/json", `{"type":"array","title":"Values"}`, true),
			`{"type":"object","properties":{"values":` + str + `,"body":{"type":"array","title":"Values"}},"required":["body"],"additionalProperties":false}`,
			[]httpcall.Param{p("values", "values", "query", form, false)}, &httpcall.Body{Media: "application/json", Arg: "body", Required: true}},
		{"a parameter named body", "/x", param("body", "query"), body("application/json", `{"type":"array"}`, true),
			`{"type":"object","properties":{"body":` + str + `,"body_2":{"type":"array"}},"required":["body_2"],"additionalProperties":false}`,
			[]httpcall.Param{p("body", "body", "query", form, false)}, &httpcall.Body{Media: "application/json", Arg: "body_2", Required: true}},
		{"an open object", "/x", "", body("application/json", `{"type":"object","properties":{"a":{}},"additionalProperties":true}`, true),
			`{"type":"object","properties":{"body":{"type":"object","properties":{"a":{}},"additionalProperties":true}},"required":["body"],"additionalProperties":false}`,
			nil, &httpcall.Body{Media: "application/json", Arg: "body", Required: true}},
		{"an object or null", "/x", "", body("application/json", `{"type":["object","null"],"properties":{"a":{}}}`, false),
			`{"type":"object","properties":{"body":{"type":["object","null"],"properties":{"a":{}}}},"additionalProperties":false}`, nil, &httpcall.Body{Media: "application/json", Arg: "body"}},
		{"a form with a file", "/x", "", body("multipart/form-data", `{"type":"object","properties":{"f":{"type":"string","format":"binary"},"l":{"type":"array","items":{"type":"string","format":"binary"}},"t":{"type":"string"}}}`, true),
			`{"type":"object","properties":{"f":{"type":"string","contentEncoding":"base64"},"l":{"type":"array","items":{"type":"string","contentEncoding":"base64"}},"t":` + str + `},"additionalProperties":false}`,
			nil, &httpcall.Body{Media: "multipart/form-data", Required: true, Files: []string{"f", "l"}}},
		{"a form with its own spelling", "/x", "", `"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"properties":{"a":{},"b":{}}},"encoding":{"a":{"style":"deepObject"},"b":{"explode":false},"c":{"contentType":"text/plain"}}}}}`,
			`{"type":"object","properties":{"a":{},"b":{}},"additionalProperties":false}`, nil,
			&httpcall.Body{Media: "application/x-www-form-urlencoded", Encoding: map[string]httpcall.Encoding{"a": {Style: "deepObject", Explode: true}, "b": {Style: "form"}}}},
		{"text", "/x", "", body("text/plain", `{}`, true), `{"type":"object","properties":{"body":{"type":"string"}},"required":["body"],"additionalProperties":false}`, nil, &httpcall.Body{Media: "text/plain", Arg: "body", Required: true}},
		{"bytes", "/x", "", body("application/x-tar", `{"type":"string","format":"binary"}`, true),
			`{"type":"object","properties":{"body":{"type":"string","contentEncoding":"base64"}},"required":["body"],"additionalProperties":false}`, nil, &httpcall.Body{Media: "application/x-tar", Arg: "body", Required: true}},
		{"JSON before anything else", "/x", "", `"requestBody":{"content":{"application/xml":{},"multipart/form-data":{},"application/json":{"schema":{"type":"array"}}}}`,
			`{"type":"object","properties":{"body":{"type":"array"}},"additionalProperties":false}`, nil, &httpcall.Body{Media: "application/json", Arg: "body"}},
		{"words of parameter and body", "/x", `{"name":"q","in":"query","description":"the query","schema":{"type":"string"}},{"name":"r","in":"query","description":"not this","schema":{"description":"this"}}`,
			`"requestBody":{"description":"the list","content":{"application/json":{"schema":{"type":"array"}}}}`,
			`{"type":"object","properties":{"q":{"description":"the query","type":"string"},"r":{"description":"this"},"body":{"description":"the list","type":"array"}},"additionalProperties":false}`,
			[]httpcall.Param{p("q", "q", "query", form, false), p("r", "r", "query", form, false)}, &httpcall.Body{Media: "application/json", Arg: "body"}},
		{"examples of parameters", "/x", `{"name":"q","in":"query","example":"a","schema":{"type":"string"}},{"name":"r","in":"query","examples":{"one":{"value":1},"two":{"value":2},"big":{"value":{}}},"schema":{"type":"integer"}},{"name":"t","in":"query","example":"x","schema":{"type":"string","examples":["y"]}}`,
			"", `{"type":"object","properties":{"q":{"examples":["a"],"type":"string"},"r":{"examples":[1,2],"type":"integer"},"t":{"type":"string","examples":["y"]}},"additionalProperties":false}`,
			[]httpcall.Param{p("q", "q", "query", form, false), p("r", "r", "query", form, false), p("t", "t", "query", form, false)}, nil},
		{"a path parameter with nowhere to go", "/x", param("id", "path"), "", `{"type":"object","properties":{},"additionalProperties":false}`, nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			op := `"parameters":[` + tc.params + `]`
			if tc.body != "" {
				op += "," + tc.body
			}
			c := readText(t, wrap("3.1.0", fmt.Sprintf(`%q:{"post":{"operationId":"o",%s}}`, tc.path, op), ""))
			got := named(t, c, "o")
			if diff := cmp.Diff(tc.schema, string(got.InputSchema)); diff != "" {
				t.Errorf("schema (-want +got):\n%s", diff)
			}
			var b httpcall.Binding
			if err := json.Unmarshal(got.Binding, &b); err != nil {
				t.Fatal(err)
			}
			want := httpcall.Binding{Method: "POST", URL: local + tc.path, Trusted: true, Params: tc.want, Body: tc.carried}
			if diff := cmp.Diff(want, b); diff != "" {
				t.Errorf("binding (-want +got):\n%s", diff)
			}
		})
	}
}

// The operation's own parameter takes the place of the path's.
func TestPathParameters(t *testing.T) {
	c := readText(t, wrap("3.0.0", `"/x/{a}":{"parameters":[{"name":"a","in":"path","schema":{"type":"string"}},{"name":"q","in":"query","schema":{"type":"string"}}],
		"get":{"operationId":"o","parameters":[{"name":"q","in":"query","required":true,"schema":{"type":"array"},"style":"pipeDelimited","explode":false,"allowReserved":true}]}}`, ""))
	op := named(t, c, "o")
	if want := `{"type":"object","properties":{"a":{"type":"string"},"q":{"type":"array"}},"required":["a","q"],"additionalProperties":false}`; string(op.InputSchema) != want {
		t.Errorf("schema %s, want %s", op.InputSchema, want)
	}
	if want := `{"method":"GET","url":"http://127.0.0.1:1/x/{a}","trusted":true,"params":[{"arg":"a","name":"a","in":"path","style":"simple","required":true},{"arg":"q","name":"q","in":"query","style":"pipeDelimited","allow_reserved":true,"required":true}]}`; string(op.Binding) != want {
		t.Errorf("binding %s, want %s", op.Binding, want)
	}
}

func TestSwagger2(t *testing.T) {
	text := func(op string) string {
		return `{"swagger":"2.0","info":{"version":"1.0.0"},"host":"h.example","basePath":"/v1","schemes":["http","https"],"consumes":["application/json"],"produces":["application/json"],
			"securityDefinitions":{"k":{"type":"apiKey","in":"header","name":"X-Key"},"b":{"type":"basic"}},"security":[{"k":[]},{"b":[]}],
			"parameters":{"P":{"name":"p","in":"query","type":"array","items":{"type":"string"},"collectionFormat":"multi"}},
			"definitions":{"D":{"type":"object","required":["a"],"properties":{"a":{"type":"string","x-nullable":true}}}},"paths":{"/x/{id}":{"post":{"operationId":"o",` + op + `}}}}`
	}
	id := `{"name":"id","in":"path","required":true,"type":"integer"}`
	for _, tc := range []struct{ name, op, schema, binding string }{
		{"body", `"parameters":[` + id + `,{"$ref":"#/parameters/P"},{"in":"body","name":"b","required":true,"schema":{"$ref":"#/definitions/D"}}]`,
			`{"type":"object","properties":{"id":{"type":"integer"},"p":{"type":"array","items":{"type":"string"}},"a":{"type":["string","null"]}},"required":["id","a"],"additionalProperties":false}`,
			`"params":[{"arg":"id","name":"id","in":"path","style":"simple","required":true},{"arg":"p","name":"p","in":"query","style":"form","explode":true}],"body":{"media":"application/json","required":true}`},
		{"form", `"consumes":["application/x-www-form-urlencoded"],"parameters":[` + id + `,{"in":"formData","name":"f","type":"string","required":true},{"in":"formData","name":"l","type":"array","items":{"type":"string"}}]`,
			`{"type":"object","properties":{"id":{"type":"integer"},"f":{"type":"string"},"l":{"type":"array","items":{"type":"string"}}},"required":["id","f"],"additionalProperties":false}`,
			`"params":[{"arg":"id","name":"id","in":"path","style":"simple","required":true}],"body":{"media":"application/x-www-form-urlencoded","required":true,"encoding":{"l":{"style":"form"}}}`},
		{"file", `"parameters":[` + id + `,{"in":"formData","name":"f","type":"file"}]`,
			`{"type":"object","properties":{"id":{"type":"integer"},"f":{"type":"string","contentEncoding":"base64"}},"required":["id"],"additionalProperties":false}`,
			`"params":[{"arg":"id","name":"id","in":"path","style":"simple","required":true}],"body":{"media":"multipart/form-data","files":["f"]}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := parse([]byte(text(tc.op)))
			if err != nil {
				t.Fatal(err)
			}
			op := named(t, doc.read(place{}), "o")
			if string(op.InputSchema) != tc.schema {
				t.Errorf("schema\n got %s\nwant %s", op.InputSchema, tc.schema)
			}
			want := `{"method":"POST","url":"https://h.example/v1/x/{id}","trusted":false,` + tc.binding + `,"security":[[{"name":"k","type":"key","in":"header","key":"X-Key"}],[{"name":"b","type":"basic"}]]}`
			if string(op.Binding) != want {
				t.Errorf("binding\n got %s\nwant %s", op.Binding, want)
			}
		})
	}
	for format, want := range map[string]string{"csv": `"style":"form"`, "ssv": `"style":"spaceDelimited"`, "tsv": `"style":"tabDelimited"`, "pipes": `"style":"pipeDelimited"`, "multi": `"style":"form","explode":true`} {
		doc, err := parse([]byte(text(`"parameters":[` + id + `,{"name":"q","in":"query","type":"array","collectionFormat":"` + format + `"}]`)))
		if err != nil {
			t.Fatal(err)
		}
		var b struct{ Params []json.RawMessage }
		if err := json.Unmarshal(named(t, doc.read(place{}), "o").Binding, &b); err != nil {
			t.Fatal(err)
		}
		if got, want := string(b.Params[1]), `{"arg":"q","name":"q","in":"query",`+want+`}`; got != want {
			t.Errorf("%s: %s, want %s", format, got, want)
		}
	}
}
