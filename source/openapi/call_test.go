package openapi

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/source/httpcall"
)

type secrets map[string]string

func (s secrets) Secret(ref string) (interlock.Secret, error) {
	if v, ok := s[ref]; ok {
		return interlock.Secret(v), nil
	}
	return "", fmt.Errorf("nothing at %s", ref)
}

// service serves its own document, packed, and answers with what it was sent.
func service(t *testing.T, servers string) *httptest.Server {
	t.Helper()
	text := `openapi: 3.1.0
info: {title: echo, version: 1.0.0}
` + servers + `
security: [{token: [read]}]
components: {securitySchemes: {token: {type: http, scheme: bearer}}}
paths:
  /items/{id}:
    put:
      operationId: put_item
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: tags, in: query, explode: false, schema: {type: array, items: {type: string}}}
        - {name: X-Note, in: header, schema: {type: string}}
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: number}, b: {}}}}}}
      responses: {'200': {content: {application/json: {schema: {type: object}}}}}
`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/docs/openapi.yaml.gz" {
			z := gzip.NewWriter(w)
			_, _ = z.Write([]byte(text))
			_ = z.Close()
			return
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, `{"method":%q,"target":%q,"note":%q,"auth":%q,"body":%s}`, r.Method, r.RequestURI, r.Header.Get("X-Note"), r.Header.Get("Authorization"), body)
	}))
	t.Cleanup(server.Close)
	return server
}

// From the address of a document to an answer, every number as it was spelled.
func TestCall(t *testing.T) {
	for _, servers := range []string{"", "servers: [{url: /}]", "servers: [{url: ../}]"} {
		server := service(t, servers)
		src, err := NewOpener(Options{Secrets: secrets{"env:TOKEN": "S3CRET"}}).Open(interlock.SourceConfig{URL: server.URL + "/docs/openapi.yaml.gz", Credentials: map[string]string{"token": "env:TOKEN"}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := src.Catalogue(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		op := named(t, c, "put_item")
		call := interlock.Outbound{Operation: op.Name, Binding: op.Binding, Effect: op.Effect, Args: json.RawMessage(`{"b": [1.10, -0, 1e400], "id": 9223372036854775807, "tags": ["x y", "z"], "X-Note": "n", "a": 9007199254740993}`)}
		reply, err := src.Call(context.Background(), call)
		if err != nil {
			t.Fatal(err)
		}
		want := `{"method":"PUT","target":"/items/9223372036854775807?tags=x%20y,z","note":"n","auth":"Bearer S3CRET","body":{"b":[1.10, -0, 1e400],"a":9007199254740993}}`
		if string(reply.Result) != want || bytes.Contains(op.Binding, []byte("S3CRET")) {
			t.Errorf("%s:\n got %s\nwant %s", servers, reply.Result, want)
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A loopback address that only the document names is not connected to.
func TestDocumentCannotVouchForItself(t *testing.T) {
	server := service(t, "")
	doc, err := parse([]byte(`{"openapi":"3.1.0","servers":[{"url":"` + server.URL + `"}],"paths":{"/x":{"get":{"operationId":"x"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	op := named(t, doc.read(place{}), "x")
	client, err := httpcall.New(httpcall.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.Call(context.Background(), interlock.Outbound{Binding: op.Binding, Effect: interlock.EffectRead})
	if e := interlock.AsError(err); err == nil || e.Outcome != interlock.OutcomeNotSent || e.Reason != interlock.ReasonSourceUnreachable {
		t.Errorf("%v", err)
	}
}

func TestServers(t *testing.T) {
	for _, tc := range []struct{ name, servers, op, base, from, want string }{
		{"the document's", `[{"url":"https://a.example/v1/"}]`, "null", "", "", "https://a.example/v1/x false"},
		{"the operation's", `[{"url":"https://a.example"}]`, `[{"url":"https://b.example"}]`, "", "", "https://b.example/x false"},
		{"the operator's", `[{"url":"https://a.example"}]`, `[{"url":"https://b.example"}]`, "http://10.0.0.1/api/", "", "http://10.0.0.1/api/x true"},
		{"variables", `[{"url":"https://{region}.example/{v}","variables":{"region":{"default":"eu"},"v":{"default":"v2"}}}]`, "null", "", "", "https://eu.example/v2/x false"},
		{"a variable without a default", `[{"url":"https://{region}.example"},{"url":"https://c.example"}]`, "null", "", "", "https://c.example/x false"},
		{"no web address", `[{"url":"wss://a.example"},{"url":"https://c.example"}]`, "null", "", "", "https://c.example/x false"},
		{"relative, of a file", `[{"url":"/v3"}]`, "null", "", "", ""},
		{"none, of a file", `null`, "null", "", "", ""},
		{"relative, of an address", `[{"url":"/v3"}]`, "null", "", "http://127.0.0.1:9/docs/d.json?key=1", "http://127.0.0.1:9/v3/x true"},
		{"none, of an address", `null`, "null", "", "http://127.0.0.1:9/docs/d.json", "http://127.0.0.1:9/x true"},
		{"the operator's host", `[{"url":"http://127.0.0.1:9/v3"}]`, "null", "", "http://127.0.0.1:9/d.json", "http://127.0.0.1:9/v3/x true"},
		{"another port", `[{"url":"http://127.0.0.1:8/v3"}]`, "null", "", "http://127.0.0.1:9/d.json", "http://127.0.0.1:8/v3/x false"},
		{"another host", `[{"url":"//other.example"}]`, "null", "", "https://a.example/d.json", "https://other.example/x false"},
	} {
		doc, err := parse([]byte(`{"openapi":"3.1.0","servers":` + tc.servers + `,"paths":{"/x":{"get":{"operationId":"x","servers":` + tc.op + `}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		c := doc.read(place{base: tc.base, from: tc.from})
		op := named(t, c, "x")
		if tc.want == "" {
			if op.Binding != nil || len(c.Findings) != 1 || c.Findings[0].Dropped || !strings.Contains(c.Findings[0].Reason, "base URL") {
				t.Errorf("%s: %s %v", tc.name, op.Binding, c.Findings)
			}
			continue
		}
		var b httpcall.Binding
		if err := json.Unmarshal(op.Binding, &b); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(b.URL, " ", b.Trusted); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
	doc, err := parse([]byte(`{"openapi":"3.1.0","servers":[{"url":"https://u:p@a.example"}],"paths":{"/x":{"get":{}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if c := doc.read(place{}); len(c.Operations) != 0 || len(c.Findings) != 1 || !c.Findings[0].Dropped {
		t.Errorf("an address with a password: %v", c.Findings)
	}
}
