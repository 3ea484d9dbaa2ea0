package httpapi

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

func described(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(Description())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestDescriptionIsWhole(t *testing.T) {
	doc := described(t)
	var s server
	want := map[string]bool{"GET /healthz": true, "GET /openapi.json": true}
	for _, r := range s.routes() {
		want[r.method+" "+strings.ReplaceAll(r.path, "...}", "}")] = true
	}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			key := method + " " + path
			if !want[key] {
				t.Errorf("%s is described and not answered", key)
			}
			delete(want, key)
		}
	}
	for key := range want {
		t.Errorf("%s is answered and not described", key)
	}
}

// Real answers are what the description says, and real requests are taken by
// its schemas.
func TestAnswersAreAsDescribed(t *testing.T) {
	doc := described(t)
	r := surfacetest.New()
	guard, err := auth.New(auth.Config{Tokens: []auth.Token{{Name: "alice", Secret: "s", Tenant: "a", Allow: []string{"*"}}}}, auth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := Operator(r, r, guard, Options{Why: func(_ context.Context, _ interlock.Principal, q Question) (any, error) {
		return map[string]string{"principal": q.Of.Name, "tool": q.Tool}, nil
	}, Audit: audited{}, Passes: auth.NewPasses(nil), Address: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path, described, body string
		status                        int
	}{
		{"POST", "/v1/resolve", "", `{"need":"Echo a document","have":["a"],"want":[{"semantic_id":"s","unit":"m"}],"constraints":[{"family":"f","range":"1"}],"effects":["read"],"k":3,"budget":{"calls":1}}`, 200},
		{"POST", "/v1/resolve", "", `{"need":"no such thing","k":null}`, 200},
		{"POST", "/v1/resolve", "", `{"need":"x","constraints":[{"family":"f","range":"^2"}]}`, 200},
		{"POST", "/v1/resolve", "", `{"need":"fail"}`, 500},
		{"POST", "/v1/call", "", `{"tool":"docs/echo","args":{"n":1e400}}`, 200},
		{"POST", "/v1/call", "", `{"tool":"eff/store","args":{}}`, 403},
		{"POST", "/v1/call", "", `{"tool":"docs/broken","args":{}}`, 502},
		{"POST", "/v1/call", "", `{"offer":"forged","args":{"fields":1}}`, 409},
		{"GET", "/v1/tools", "", "", 200},
		{"GET", "/v1/tools/docs/echo", "/v1/tools/{name}", "", 200},
		{"GET", "/v1/tools/docs/none", "/v1/tools/{name}", "", 404},
		{"GET", "/v1/families/doc.echo", "/v1/families/{name}", "", 200},
		{"GET", "/v1/families/doc.echo?range=%5E2&built_against=1.2.0", "/v1/families/{name}", "", 200},
		{"GET", "/v1/families/doc.echo?range=oops", "/v1/families/{name}", "", 400},
		{"GET", "/v1/families/doc.none", "/v1/families/{name}", "", 404},
		{"GET", "/v1/sources", "", "", 200},
		{"POST", "/v1/sources", "", `{"name":"x","kind":"mcp","command":["a"],"env":{"A":"env:B"}}`, 200},
		{"POST", "/v1/probe", "", `{"what":"docs","budget":3,"seed":"s"}`, 200},
		{"GET", "/v1/approvals", "", "", 200},
		{"GET", "/v1/approvals/ap0", "/v1/approvals/{id}", "", 200},
		{"POST", "/v1/approvals/ap0", "/v1/approvals/{id}", `{"decision":"refuse"}`, 200},
		{"POST", "/v1/console", "", "", 200},
		{"GET", "/v1/log", "", "", 200},
		{"GET", "/v1/log/verify", "", "", 200},
		{"POST", "/v1/log/verify", "", `{"held":["a checkpoint"],"books":true}`, 200},
		{"GET", "/v1/log/checkpoint", "", "", 200},
		{"GET", "/v1/log/proof?entry=3", "/v1/log/proof", "", 200},
		{"GET", "/v1/log/proof?entry=none", "/v1/log/proof", "", 404},
		{"GET", "/v1/log/consistency?old=1&new=2", "/v1/log/consistency", "", 200},
		{"GET", "/v1/log/consistency?old=-1", "/v1/log/consistency", "", 400},
		{"GET", "/v1/log/attestation?entry=3", "/v1/log/attestation", "", 200},
		{"GET", "/v1/log/tile/8/0/000", "/v1/log/tile/{path}", "", 200},
		{"GET", "/v1/log/witnesses", "", "", 200},
		{"GET", "/v1/log/witnesses/request?old=2", "/v1/log/witnesses/request", "", 200},
		{"POST", "/v1/log/witnesses", "", `{"checkpoint":"signed"}`, 200},
		{"POST", "/v1/log/prune", "", `{"before":3,"why":"old"}`, 200},
		{"GET", "/v1/status", "", "", 200},
		{"GET", "/v1/policy", "", "", 200},
		{"GET", "/v1/policy/set/d1", "/v1/policy/set/{digest}", "", 200},
		{"GET", "/v1/policy/set/none", "/v1/policy/set/{digest}", "", 404},
		{"GET", "/v1/policy/why?principal=alice&tool=docs/echo", "/v1/policy/why", "", 200},
		{"GET", "/v1/policy/why?principal=nobody&tool=docs/echo", "/v1/policy/why", "", 404},
		{"GET", "/healthz", "", "", 200},
	} {
		if c.described == "" {
			c.described = c.path
		}
		op := doc.Paths.Find(c.described).GetOperation(c.method)
		req := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
		if c.body != "" {
			req.Header.Set("Content-Type", "application/json")
			holds(t, doc, op.RequestBody.Value.Content.Get("application/json").Schema.Value, c.body, c.method+" "+c.path)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		if w.Code != c.status {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, w.Code, w.Body)
			continue
		}
		told := op.Responses.Default()
		if w.Code == 200 {
			told = op.Responses.Status(200)
		}
		media := told.Value.Content.Get(w.Header().Get("Content-Type"))
		if media == nil {
			t.Errorf("%s %s: %s is not described", c.method, c.path, w.Header().Get("Content-Type"))
			continue
		}
		if strings.Contains(w.Header().Get("Content-Type"), "json") {
			holds(t, doc, media.Schema.Value, w.Body.String(), c.method+" "+c.path)
		}
	}
}

// An answer with an explanation is as it is described.
func TestExplanationIsDescribed(t *testing.T) {
	doc := described(t)
	intents, missing := []interlock.Intent{{Text: "ring", Tool: "a"}, {Text: "bake"}}, []interlock.Missing{{Intent: "bake"}}
	word := interlock.WeighedWord{Word: "bell", Share: 0.5}
	res := interlock.Resolution{Disposition: interlock.Ambiguous, Confidence: 0.9, Servable: 1, Intents: intents, Missing: missing, Candidates: []interlock.Candidate{{Tool: "a", Effect: "read", State: "active", Reasons: []interlock.FitReason{interlock.FitNamed}}},
		Explanation: &interlock.Explanation{
			Heard: interlock.Heard{Language: "ko", Acts: []string{"read"}, Objects: []string{"bell"}, Values: []interlock.HeardValue{{Kind: "date", Text: "today"}}, Unknown: []string{}},
			Stages: interlock.Stages{Fit: interlock.FitStage{Unfit: map[string]int{"effect": 1}},
				Rerank: &interlock.RerankStage{Model: "m", Answered: true, Orders: []interlock.RerankOrder{{Intent: "ring", Asked: 2, Tools: []interlock.Reranked{{Tool: "a", Before: 2, After: 1, Says: -3.5}}}}}},
			Candidates: []interlock.Explained{{Tool: "a", Version: "1.0.0", Part: "denied", Score: 0.5, Rank: -1.5, Reasons: []interlock.FitReason{interlock.FitActDiffers},
				Evidence: []interlock.Evidence{{Kind: "words", Value: 0.1, Adds: -0.2, Words: []interlock.WeighedWord{word}}}}},
			Changes: []interlock.WouldChange{{Member: "/k", Value: []byte("2"), Text: "Allow more."}, {Text: "Wait."}},
		}}
	body, err := interlock.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	schema := doc.Components.Schemas["Resolution"].Value
	holds(t, doc, schema, string(body), "a resolution that is explained")
	res.Explanation.Candidates[0].Part = "elsewhere"
	if body, err = interlock.Marshal(res); err != nil {
		t.Fatal(err)
	}
	var v any
	if json.Unmarshal(body, &v) != nil || doc.ValidateSchemaJSON(schema, v) == nil {
		t.Error("an explanation of no known part holds")
	}
}

// The schemas can say no.
func TestSchemasRefuse(t *testing.T) {
	doc := described(t)
	for name, body := range map[string]string{
		"Need": `{"ned":"x"}`, "Call": `{"offer":5}`, "Problem": `{"title":"x"}`, "Resolution": `{"disposition":"maybe"}`, "ToolDetail": `{"tool":"a"}`, "SourceConfig": `{"name":"x"}`,
	} {
		var v any
		if err := json.Unmarshal([]byte(body), &v); err != nil {
			t.Fatal(err)
		}
		if doc.ValidateSchemaJSON(doc.Components.Schemas[name].Value, v) == nil {
			t.Errorf("%s takes %s", name, body)
		}
	}
}

func holds(t *testing.T, doc *openapi3.T, schema *openapi3.Schema, body, what string) {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(body, "1e400", "1")), &v); err != nil {
		t.Fatalf("%s: %v: %s", what, err, body)
	}
	if err := doc.ValidateSchemaJSON(schema, v); err != nil {
		t.Errorf("%s: %v\n%s", what, err, body)
	}
}
