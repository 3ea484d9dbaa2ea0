package openapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/source/httpcall"
)

func TestOutput(t *testing.T) {
	js := func(schema string) string { return `{"content":{"application/json":{"schema":` + schema + `}}}` }
	for _, tc := range []struct{ name, method, responses, schema, accept, answer string }{
		{"one", "get", `"200":` + js(`{"type":"string"}`), `{"type":"string"}`, "", ""},
		{"nothing said", "get", ``, ``, "", ""},
		{"a body that nobody describes", "get", `"200":{"description":"ok"}`, ``, "", ""},
		{"no schema", "get", `"200":{"content":{"application/json":{}}}`, ``, "", ""},
		{"no content", "delete", `"204":{}`, `{"type":"null"}`, "", ""},
		{"body or none", "get", `"200":` + js(`{"type":"string"}`) + `,"204":{}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, "", ""},
		{"two alike", "get", `"200":` + js(`{"type":"string"}`) + `,"201":` + js(`{"type":"string"}`), `{"type":"string"}`, "", ""},
		{"two", "get", `"201":` + js(`{"type":"string"}`) + `,"200":` + js(`{"type":"integer"}`), `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, "", ""},
		{"a range", "get", `"2XX":` + js(`{"type":"string"}`), `{"type":"string"}`, "", ""},
		{"default where nothing else is good", "get", `"404":{},"default":` + js(`{"type":"string"}`), `{"type":"string"}`, "", ""},
		{"default is a failure otherwise", "get", `"200":` + js(`true`) + `,"default":` + js(`{"type":"string"}`), `true`, "", ""},
		{"its own JSON type", "get", `"200":{"content":{"text/html":{},"application/hal+json":{"schema":{"type":"object"}}}}`, `{"type":"object"}`, "application/hal+json", ""},
		{"text", "get", `"200":{"content":{"text/csv":{"schema":{"type":"string"}}}}`, `{"type":"string"}`, "text/csv", "text"},
		{"text or none", "get", `"200":{"content":{"text/csv":{}}},"204":{}`, `{"type":["string","null"]}`, "text/csv", "text"},
		{"bytes", "get", `"200":{"content":{"image/png":{}}}`, `{"type":"string","contentEncoding":"base64"}`, "image/png", "base64"},
		{"anything", "get", `"200":{"content":{"*/*":{"schema":{"type":"object"}}}}`, `{"type":"object"}`, "", ""},
		{"a head", "head", `"200":` + js(`{}`), `{"type":"null"}`, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := readText(t, wrap("3.1.0", fmt.Sprintf(`"/x":{%q:{"operationId":"o","responses":{%s}}}`, tc.method, tc.responses), ""))
			op := named(t, c, "o")
			var b httpcall.Binding
			if err := json.Unmarshal(op.Binding, &b); err != nil {
				t.Fatal(err)
			}
			if string(op.OutputSchema) != tc.schema || b.Accept != tc.accept || string(b.Answer) != tc.answer || len(c.Findings) > 0 {
				t.Errorf("schema %s, accept %q, answer %q, findings %v; want %s, %q, %q", op.OutputSchema, b.Accept, b.Answer, c.Findings, tc.schema, tc.accept, tc.answer)
			}
		})
	}
}

func TestWhatAnOperationStates(t *testing.T) {
	c := readText(t, `{"openapi":"3.1.0","info":{"version":"2.3.0"},"security":[{"key":[]}],"components":{"securitySchemes":{"key":{"type":"apiKey","in":"query","name":"k"},"oauth":{"type":"oauth2"},
		"oidc":{"type":"openIdConnect"},"http":{"type":"http","scheme":"Basic"},"tls":{"type":"mutualTLS"}}},
		"webhooks":{"w":{"post":{"operationId":"hook"}}},"paths":{"/x":{
		"get":{"operationId":"g","summary":"Read it","description":"All of it.","deprecated":true,"tags":["a","b"],"security":[{"oauth":["b","a"],"http":[]},{"oidc":["a"]},{"gone":[]},{"tls":[]},{}],
			"callbacks":{"c":{"/y":{"post":{"operationId":"back"}}}},
			"responses":{"404":{"description":"not there"},"4XX":{},"500":{},"404 ":{},"418":{},"599":{},"default":{}}},
		"head":{"operationId":"h","security":[]},"delete":{"operationId":"d","description":"Delete it"},"put":{"operationId":"p"},"patch":{"operationId":"pa"},"query":{"operationId":"q"},"additionalOperations":{"COPY":{"operationId":"co"}}}}}`)
	if len(c.Operations) != 7 || c.Total != 7 {
		t.Fatalf("%d operations, %v", len(c.Operations), c.Findings)
	}
	got := named(t, c, "g")
	want := interlock.Operation{Name: "g", Title: "Read it", Variants: []interlock.Variant{{ID: "default", Description: "Read it\n\nAll of it."}}, Version: "2.3.0", Effect: interlock.EffectRead,
		State: interlock.StateDeprecated, Tags: map[string]string{"tag": "a,b"}, Scopes: []string{"a", "b"}, InputSchema: got.InputSchema,
		Errors:  []interlock.ErrorCase{{When: "client_error", Code: "4XX"}, {When: "not_found", Status: 404}, {When: "im_a_teapot", Status: 418}, {When: "internal_server_error", Status: 500}, {When: "status_599", Status: 599}},
		Binding: json.RawMessage(`{"method":"GET","url":"http://127.0.0.1:1/x","trusted":true,"security":[[{"name":"oauth","type":"bearer"},{"name":"http","type":"basic"}],[{"name":"oidc","type":"bearer"}],[{"name":"gone","type":"other"}],[{"name":"tls","type":"other"}],[]]}`)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, effect := range map[string]interlock.Effect{"h": "read", "d": "destructive", "p": "write", "pa": "write", "q": "write", "co": "write"} {
		if op := named(t, c, name); op.Effect != effect {
			t.Errorf("%s is %s, want %s", name, op.Effect, effect)
		}
	}
	if strings.Contains(string(named(t, c, "h").Binding), "security") || !strings.Contains(string(named(t, c, "p").Binding), `"security":[[{"name":"key","type":"key","in":"query","key":"k"}]]`) {
		t.Errorf("security %s %s", named(t, c, "h").Binding, named(t, c, "p").Binding)
	}
	if text := named(t, c, "p").Variants[0].Description; text != "PUT /x" {
		t.Errorf("an operation without words says %q", text)
	}
}

func TestVersionsAreStrict(t *testing.T) {
	for text, want := range map[string]string{"1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3-rc.1", "v1.2.3": "", "1.2": "", "2026-01-01": "", " 1.2.3": "", "": "", "01.2.3": ""} {
		doc, err := parse([]byte(fmt.Sprintf(`{"openapi":"3.0.0","info":{"version":%q},"paths":{"/x":{"get":{}}}}`, text)))
		if err != nil {
			t.Fatal(err)
		}
		if got := doc.read(place{}).Operations[0].Version; got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}
