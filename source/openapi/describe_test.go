package openapi

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const describedDocument = `
openapi: 3.1.0
info: {title: t, version: 1.0.0}
security: [{key: []}, {}]
paths:
  /a/{id}:
    parameters: [{in: path, name: id, required: true, schema: {type: string}}]
    post:
      deprecated: true
      parameters:
        - {in: query, name: q, schema: {type: integer}}
        - {in: header, name: X-Trace, schema: {type: string}}
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: '#/components/schemas/P'}}
          application/jsonl: {itemSchema: {type: string}}
      responses:
        "200":
          description: ok
          headers: {X-Rest: {required: true, schema: {type: integer}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}
        "404": {description: gone}
  /bad: {get: {parameters: 7}}
webhooks:
  made: {post: {responses: {"200": {description: ok}}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas: {P: {type: object, properties: {n: {type: integer}}}}
`

func TestDescribe(t *testing.T) {
	all, findings, err := Describe([]byte(describedDocument))
	if err != nil || len(findings) > 0 || len(all) != 3 {
		t.Fatalf("%d operations, %v, %v", len(all), findings, err)
	}
	op := all[0]
	if want := `{"type":"object","properties":{"path":{"type":"object","properties":{"{1}":{"type":"string"}},"required":["{1}"],"additionalProperties":false},` +
		`"query":{"type":"object","properties":{"q":{"type":"integer"}},"additionalProperties":false},` +
		`"header":{"type":"object","properties":{"x-trace":{"type":"string"}},"additionalProperties":false},` +
		`"cookie":{"type":"object","properties":{},"additionalProperties":false},"body":true},` +
		`"required":["path","query","header","cookie","body"],"additionalProperties":false}`; string(op.Parameters.Schema) != want {
		t.Errorf("parameters:\n got %s\nwant %s", op.Parameters.Schema, want)
	}
	if got := op.Parameters.Places["/properties/query/properties/q"]; got != "/paths/~1a~1{id}/post/parameters/0/schema" {
		t.Errorf("q stands at %q", got)
	}
	wantBody := map[string]string{"": "/paths/~1a~1{id}/post/requestBody/content/application~1json/schema", "/$defs/P": "/components/schemas/P"}
	if d := cmp.Diff(wantBody, op.Bodies[0].Places); d != "" || !op.Bodies[0].Apart || string(op.Bodies[1].Items) != `{"type":"string"}` {
		t.Errorf("bodies %+v (-want +got):\n%s", op.Bodies, d)
	}
	if a := op.Answers; len(a) != 1 || a[0].Status != "200" || len(a[0].Headers) != 1 || !a[0].Headers[0].Required || len(a[0].Contents) != 1 {
		t.Errorf("answers %+v", a)
	}
	if d := cmp.Diff([][]Demand{{{Scheme: "key", Stated: "apiKey header X-Key"}}, {}}, op.Security); d != "" {
		t.Errorf("security (-want +got):\n%s", d)
	}
	if all[1].Err == nil || len(all[1].Unread) == 0 || !all[2].Webhook || all[2].Path != "webhook:made" {
		t.Errorf("the bad operation %v, the webhook %+v", all[1].Err, all[2])
	}
}

// TestDescribeOld reads the same service written in Swagger 2.0.
func TestDescribeOld(t *testing.T) {
	all, _, err := Describe([]byte(`
swagger: "2.0"
info: {title: t, version: 1.0.0}
paths:
  /a:
    post:
      consumes: [application/json]
      produces: [application/json]
      parameters: [{in: body, name: b, required: true, schema: {$ref: '#/definitions/P'}}]
      responses: {"200": {description: ok, headers: {X-Rest: {type: integer}}, schema: {$ref: '#/definitions/P'}}}
definitions: {P: {type: object, properties: {n: {type: integer}}}}
`))
	if err != nil || len(all) != 1 || all[0].Err != nil {
		t.Fatalf("%+v %v", all, err)
	}
	op := all[0]
	if len(op.Bodies) != 1 || !strings.Contains(string(op.Bodies[0].Schema), "$defs") || len(op.Answers) != 1 || op.Answers[0].Contents[0].Media != "application/json" || len(op.Answers[0].Headers) != 1 {
		t.Errorf("bodies %+v, answers %+v", op.Bodies, op.Answers)
	}
}

func FuzzDescribe(f *testing.F) {
	f.Add([]byte(describedDocument))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, _, err := Describe(text)
		if err != nil {
			return
		}
		for _, op := range all {
			if op.Err == nil && (len(op.Parameters.Schema) == 0 || op.Method == "") {
				t.Errorf("%s %s is described without parameters", op.Method, op.Path)
			}
		}
	})
}
