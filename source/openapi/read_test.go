package openapi

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

const local = "http://127.0.0.1:1"

// readText reads a document as if the operator had said where its service is.
func readText(t *testing.T, text string) interlock.Catalogue {
	t.Helper()
	doc, err := parse([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return doc.read(place{base: local})
}

func named(t *testing.T, c interlock.Catalogue, name string) interlock.Operation {
	t.Helper()
	for _, op := range c.Operations {
		if op.Name == name {
			return op
		}
	}
	t.Fatalf("no operation %q; findings %v", name, c.Findings)
	return interlock.Operation{}
}

// wrap makes a document of paths and components.
func wrap(version, paths, components string) string {
	return fmt.Sprintf(`{"openapi":%q,"info":{"title":"t","version":"1.2.3"},"paths":{%s},"components":{"schemas":{%s}}}`, version, paths, components)
}

// Documents with faults, after reports from the field. Each costs the
// operations that it touches, with a pointer that exists and a reason.
func TestFaultsCostTheirOwnOperation(t *testing.T) {
	ok := `"responses":{"200":{"description":"ok"}}`
	get := func(path, params string) string {
		return fmt.Sprintf(`"%s":{"get":{"parameters":[%s],%s}}`, path, params, ok)
	}
	post := func(path, schema string) string {
		return fmt.Sprintf(`"%s":{"post":{"requestBody":{"required":true,"content":{"application/json":{"schema":%s}}},%s}}`, path, schema, ok)
	}
	ref := func(name string) string { return `{"$ref":"#/components/schemas/` + name + `"}` }
	var fan []string
	for i := range 24 {
		var props []string
		for _, k := range strings.Split("abcdefgh", "") {
			props = append(props, fmt.Sprintf(`"%s":%s`, k, ref(fmt.Sprint("F", i+1))))
		}
		fan = append(fan, fmt.Sprintf(`"F%d":{"type":"object","properties":{%s}}`, i, strings.Join(props, ",")))
	}
	cycles := `"Self":{"type":"object","properties":{"child":` + ref("Self") + `}},"List":{"type":"object","properties":{"kids":{"type":"array","items":` + ref("List") + `}}},` +
		`"Map":{"type":"object","additionalProperties":` + ref("Map") + `},"All":{"type":"object","properties":{"up":{"allOf":[` + ref("All") + `,{"type":"object"}]}}},` +
		`"One":{"oneOf":[{"type":"string"},{"type":"object","properties":{"o":` + ref("One") + `}}]},"C1":{"type":"object","properties":{"n":` + ref("C2") + `}},"C2":{"type":"object","properties":{"n":` + ref("C1") + `}},` +
		`"Alias":` + ref("Alias") + `,"L1":` + ref("L2") + `,"L2":` + ref("L1") + `,"Eats":{"allOf":[` + ref("Eats") + `]}`
	q := func(schema string) string { return `{"name":"q","in":"query","schema":` + schema + `}` }
	for _, tc := range []struct {
		name, doc string
		tools     int
		says      []string // a part of each finding, pointer and reason
	}{
		{"cycles", wrap("3.1.0", strings.Join([]string{post("/1", ref("Self")), post("/2", ref("List")), post("/3", ref("Map")), post("/4", ref("All")), post("/5", ref("One")), post("/6", ref("C1"))}, ","), cycles), 6, nil},
		{"aliases of themselves", wrap("3.1.0", post("/1", ref("Alias"))+","+post("/2", ref("L1"))+","+post("/3", ref("Eats"))+","+get("/4", ""), cycles), 1,
			[]string{"/components/schemas/Alias POST /1", "/components/schemas/L POST /2", "/components/schemas/Eats POST /3"}},
		{"dangling", wrap("3.1.0", post("/1", ref("Missing"))+","+get("/2", q(ref("Absent")))+","+get("/3", q(`{"type":"string"}`)), ""), 1,
			[]string{`/paths/~11/post/requestBody/content/application~1json/schema "#/components/schemas/Missing" leads nowhere`, `/paths/~12/get/parameters/0/schema Absent`}},
		{"out of the document", wrap("3.0.3", post("/1", `{"$ref":"file:///etc/passwd#/x"}`)+","+post("/2", `{"$ref":"other.yaml"}`)+","+post("/3", `{"$ref":"https://x.example/y#/z"}`)+","+get("/4", ""), ""), 1,
			[]string{"file:///etc/passwd", "other.yaml", "https://x.example/y"}},
		{"fan-out", wrap("3.1.0", post("/1", ref("F0"))+","+get("/2", ""), strings.Join(fan, ",")+`,"F24":{"type":"string"}`), 2, nil},
		{"parameters", wrap("3.1.0", get("/1", `{"name":"q","in":"matrix"}`)+","+get("/2", `{"in":"query"}`)+","+get("/3", q(`{"type":"string"}`))+","+get("/4/{x}", "")+","+get("/5", `7`)+","+get("/6", q(`"text"`)), ""), 1,
			[]string{`/paths/~11/get/parameters/0 "matrix"`, "/paths/~12/get/parameters/0 no name", "{x}", "/paths/~15/get/parameters/0 number", "/paths/~16/get/parameters/0/schema string"}},
		{"paths", wrap("3.1.0", `"/1":7,"two":{},"/3":{"get":7,"post":{`+ok+`}},"/4":{"$ref":"#/nowhere"},"x-note":{"get":{}},"/5":{"parameters":{},"get":{`+ok+`}},"/6/{":{"get":{`+ok+`}}`, ""), 1,
			[]string{"/paths/~11 object", "/paths/two slash", "/paths/~13/get object", "/paths/~14 nowhere", "/paths/~15/parameters list", "/paths/~16~1{/get {"}},
		{"bodies", wrap("3.1.0", `"/1":{"post":{"requestBody":{"content":{"application/xml":{}}}}},"/2":{"post":{"requestBody":{"$ref":"#/x"}}},"/3":{"post":{"requestBody":{"content":{"application/json":{"schema":{"properties":{"a":{"allOf":7}}}}}}}}`, ""), 0,
			[]string{"/paths/~11/post/requestBody/content application/xml", "/paths/~12/post/requestBody #/x", "/properties/a/allOf list"}},
		{"styles", wrap("3.1.0", get("/1", `{"name":"q","in":"query","style":"odd","schema":{}}`)+","+get("/2", `{"name":"q","in":"query","content":{"application/xml":{}}}`)+","+get("/3", `{"name":"a","in":"cookie","style":"deepObject"}`), ""), 0,
			[]string{"odd", "application/xml", "deepObject"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := readText(t, tc.doc)
			if len(c.Operations) != tc.tools || len(c.Operations)+len(c.Findings) != c.Total || len(c.Findings) != len(tc.says) {
				t.Fatalf("%d tools, %d findings of %d, want %d and %d: %v", len(c.Operations), len(c.Findings), c.Total, tc.tools, len(tc.says), c.Findings)
			}
			for _, words := range tc.says {
				all := strings.Fields(words)
				if !slices.ContainsFunc(c.Findings, func(f interlock.Finding) bool {
					text := f.Pointer + " " + f.Reason
					return f.Dropped && !slices.ContainsFunc(all, func(w string) bool { return !strings.Contains(text, w) })
				}) {
					t.Errorf("no finding says %q: %v", words, c.Findings)
				}
			}
			for _, f := range c.Findings {
				if _, there := rawjson.At([]byte(tc.doc), f.Pointer); !there || f.Pointer == "" {
					t.Errorf("the pointer %q leads nowhere", f.Pointer)
				}
			}
		})
	}
}

func TestLesserTools(t *testing.T) {
	c := readText(t, wrap("3.1.0", `"/1":{"get":{"operationId":"a","responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Gone"}}}}}}},
		"/2":{"get":{"operationId":"b","responses":{"200":{"$ref":"#/gone"}}}}`, ""))
	if len(c.Operations) != 2 || len(c.Findings) != 2 || c.Findings[0].Dropped || named(t, c, "a").OutputSchema != nil || named(t, c, "b").OutputSchema != nil {
		t.Errorf("%d tools, %v", len(c.Operations), c.Findings)
	}
}

func TestWholeDocumentsRefused(t *testing.T) {
	bomb := "openapi: 3.1.0\npaths: {}\na0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 12; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	for name, text := range map[string]string{"empty": "", "a list": "[]", "cut": `{"openapi":"3.1.0","paths":{`, "no version": `{"paths":{}}`, "an old one": `{"swagger":"1.2"}`,
		"a coming one": `{"openapi":"4.0.0"}`, "a bomb": bomb, "deep": strings.Repeat("[", 5000), "no text": "\xff\xfe", "two": "openapi: 3.1.0\n---\na: 1\n"} {
		_, err := parse([]byte(text))
		if interlock.ReasonOf(err) != interlock.ReasonSourceInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Names never depend on the order of the document.
func TestNames(t *testing.T) {
	op := func(id string) string { return `{"get":{"operationId":"` + id + `"}}` }
	paths := []string{`"/a/{x}":{"get":{"parameters":[{"name":"x","in":"path"}]}}`, `"/b":` + op("same"), `"/c":` + op("same"), `"/d":` + op("查询天气"), `"/e":` + op("repos/list"),
		`"/f-g":{"post":{}}`, `"/f_g":{"post":{}}`, `"/h":` + op(" padded"), `"/i":` + op("get_h"), `"/j":` + op(strings.Repeat("x", 150)), `"/k":{"delete":{}}`}
	want := map[string]string{"/a/{x}": "get_a_x", "/b": "get_b", "/c": "get_c", "/d": "查询天气", "/e": "repos/list", "/f-g": "post_f_g_71d5b3eb", "/f_g": "post_f_g_bd0f85f3",
		"/h": "get_h_f987601c", "/i": "get_h", "/j": strings.Repeat("x", 150), "/k": "delete_k"}
	for range 2 {
		c := readText(t, wrap("3.1.0", strings.Join(paths, ","), ""))
		got := map[string]string{}
		for _, o := range c.Operations {
			url, _ := rawjson.Member(o.Binding, "url")
			text, _ := rawjson.String(url)
			got[strings.TrimPrefix(text, local)] = o.Name
		}
		if diff := cmp.Diff(want, got); diff != "" || len(c.Findings) > 0 {
			t.Errorf("names (-want +got):\n%s%v", diff, c.Findings)
		}
		slices.Reverse(paths)
	}
}

// Reading is pure: the order of paths and what was read before change nothing,
// and YAML reads as JSON does.
func TestReadingIsPure(t *testing.T) {
	for _, file := range []string{"museum.yaml", "petstore.yaml", "channel-access-token.yml"} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		first := doc.read(place{base: local})
		if diff := cmp.Diff(first, doc.read(place{base: local})); diff != "" {
			t.Errorf("%s: a second reading differs:\n%s", file, diff)
		}
		turned, err := parse(doc.root.JSON())
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(turned.root.Get("paths").Members)
		byName := func(a, b interlock.Operation) int { return strings.Compare(a.Name, b.Name) }
		second := turned.read(place{base: local})
		slices.SortFunc(first.Operations, byName)
		slices.SortFunc(second.Operations, byName)
		if diff := cmp.Diff(first.Operations, second.Operations); diff != "" || len(first.Operations) == 0 {
			t.Errorf("%s: another order, another reading:\n%s", file, diff)
		}
	}
}

// An independent library finds the same operations in sound documents.
func TestAgainstAnotherReader(t *testing.T) {
	for _, file := range []string{"museum.yaml", "petstore.yaml", "channel-access-token.yml"} {
		other, err := openapi3.NewLoader().LoadFromFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for path, item := range other.Paths.Map() {
			for method, op := range item.Operations() {
				want[method+" "+path] = fmt.Sprint(op.OperationID, " ", op.Deprecated, " ", len(op.Responses.Map()) > 0)
			}
		}
		c := catalogue(t, interlock.SourceConfig{File: filepath.Join("testdata", file), BaseURL: local})
		got := map[string]string{}
		for _, op := range c.Operations {
			var b struct{ Method, URL string }
			if err := json.Unmarshal(op.Binding, &b); err != nil {
				t.Fatal(err)
			}
			got[b.Method+" "+strings.TrimPrefix(b.URL, local)] = fmt.Sprint(op.Name, " ", op.State == interlock.StateDeprecated, " ", true)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-other +ours):\n%s", file, diff)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, file := range []string{"museum.yaml", "channel-access-token.yml"} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(wrap("3.0.0", `"/a/{b}":{"get":{"parameters":[{"$ref":"#/components/schemas/A"},{"name":"b","in":"path","schema":{"nullable":true,"$ref":"#"}}]}}`, `"A":{"allOf":[{"$ref":"#/paths"}]}`)))
	f.Add([]byte(`{"swagger":"2.0","host":"h","paths":{"/x":{"post":{"parameters":[{"in":"body","schema":{"type":"file"}},{"in":"formData","name":"f","type":"array"}]}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := parse(text)
		if err != nil {
			return
		}
		c := doc.read(place{})
		dropped, names := 0, map[string]bool{}
		for _, finding := range c.Findings {
			if finding.Dropped {
				dropped++
			}
			if finding.Reason == "" {
				t.Errorf("a finding without a reason at %q", finding.Pointer)
			}
		}
		if len(c.Operations)+dropped != c.Total {
			t.Errorf("%d tools and %d dropped of %d", len(c.Operations), dropped, c.Total)
		}
		for _, op := range c.Operations {
			if names[op.Name] {
				t.Errorf("two operations named %q", op.Name)
			}
			names[op.Name] = true
			if !json.Valid(op.InputSchema) || op.OutputSchema != nil && !json.Valid(op.OutputSchema) || op.Binding != nil && !json.Valid(op.Binding) {
				t.Errorf("%s: not JSON: %s %s %s", op.Name, op.InputSchema, op.OutputSchema, op.Binding)
			}
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	for name, cfg := range map[string]interlock.SourceConfig{"nothing": {}, "both": {File: "a", URL: "http://b"}, "a relative base": {File: "a", BaseURL: "/x"},
		"a base with a query": {File: "a", BaseURL: "http://x/?a=1"}, "a base with a password": {File: "a", BaseURL: "http://u:p@x/"}, "a header of the connection": {File: "a", Headers: map[string]string{"Host": "x"}}} {
		if _, err := NewOpener(Options{}).Open(cfg); interlock.ReasonOf(err) != interlock.ReasonConfigInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	src, err := NewOpener(Options{}).Open(interlock.SourceConfig{File: "testdata/none.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := src.Catalogue(context.Background()); interlock.ReasonOf(err) != interlock.ReasonSourceInvalid {
		t.Errorf("a missing file: %v", err)
	}
}
