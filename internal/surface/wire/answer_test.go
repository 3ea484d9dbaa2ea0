package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// refusals has one of each type, with empty and with absent lists.
func refusals() []interlock.Refusal {
	return []interlock.Refusal{
		&interlock.NoCompatibleContract{Family: "f", Constraint: "^1", Rule: interlock.ReasonNoCompatibleContract, Versions: []string{"2.3.0"}, StoppedBy: []interlock.Stopped{{Version: "2.3.0", By: "range"}}},
		&interlock.LowConfidenceMatch{Threshold: 0.62, BestScore: 0.1234, Advice: []interlock.Contender{{Tool: "a/b", Version: "3.0.0", Score: 0.9}}},
		&interlock.NoMatch{Reasons: []string{}}, &interlock.ForbiddenNeed{}, &interlock.AmbiguousNeed{Tools: []string{"a", "b"}},
		&interlock.MissingInput{Tool: "a/b", Inputs: []string{"/fields"}}, &interlock.OverBudget{Budget: "k", Limit: 1, Needs: 2}, &interlock.DriftRejected{Tool: "a/b", Kinds: []string{"enum_escape"}},
	}
}

func TestResolutionComesBack(t *testing.T) {
	for _, refusal := range append(refusals(), nil) {
		want := interlock.Resolution{
			Disposition: interlock.Unsupported, Candidates: []interlock.Candidate{{Tool: "a/b", Score: 0.8501, InputSchema: json.RawMessage(`{"maximum":9223372036854775807,"d":"<b>&\/"}`)}},
			Missing: []interlock.Missing{}, Refusal: refusal, Events: nil, LeftOut: &interlock.LeftOut{K: 3}, Scorer: "s/1", Snapshot: interlock.View{View: "v"},
		}
		body, err := wire.Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := wire.ReadResolution(body)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%T: %s", refusal, diff)
		}
		again, err := wire.Encode(got)
		if err != nil || string(again) != string(body) {
			t.Errorf("encoded again: %v\n%s\n%s", err, again, body)
		}
	}
}

func TestUnknownRefusalIsKept(t *testing.T) {
	body := `{"disposition":"forbidden","candidates":[],"missing":[],"events":[],"scorer":"","snapshot":{"view":""},"refusal":{"type":"LaterKind","message":"no","at":1.10,"x":[1e400]}}`
	got, err := wire.ReadResolution([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := interlock.MarshalRefusal(got.Refusal)
	if err != nil || string(raw) != `{"type":"LaterKind","message":"no","at":1.10,"x":[1e400]}` {
		t.Errorf("kept as %s %v", raw, err)
	}
}

func TestEncodeResultIsExact(t *testing.T) {
	for _, raw := range spellings {
		r := interlock.CallResult{Result: json.RawMessage(raw), Receipt: interlock.Receipt{ID: "r1"}, Provenance: interlock.Provenance{Tool: "a/b", Trust: "untrusted"}, Content: json.RawMessage(`[{"type":"image"}]`)}
		body, err := wire.EncodeResult(r, false)
		if err != nil || !strings.HasPrefix(string(body), `{"result":`+raw+`,"receipt":{"id":"r1"`) || strings.Contains(string(body), "content") || !json.Valid(body) {
			t.Errorf("%s: %v %s", raw, err, body)
		}
		body, err = wire.EncodeResult(r, true)
		if err != nil {
			t.Fatal(err)
		}
		back, err := wire.ReadResult(body)
		if diff := cmp.Diff(r, back); err != nil || diff != "" {
			t.Errorf("%s: %v %s", raw, err, diff)
		}
	}
	empty, err := wire.EncodeResult(interlock.CallResult{}, true)
	if err != nil || !strings.HasPrefix(string(empty), `{"result":null,`) {
		t.Errorf("an empty result: %s %v", empty, err)
	}
	if _, err := wire.ReadResult([]byte(`{"result":1,"extra":2}`)); err == nil {
		t.Error("an answer with an unknown member was read")
	}
}

const secret = "postgres://user:hunter2@db"

func TestProblemTellsThePublicPartOnly(t *testing.T) {
	e := &interlock.Error{
		Code: interlock.CodeInvalid, Reason: interlock.ReasonArgumentsInvalid, Stage: "recheck", Public: "The value at /fields is <wrong> & odd.",
		Pointer: "/fields", Outcome: interlock.OutcomeNotSent, Err: errors.New(secret),
	}
	status, body := wire.Problem(fmt.Errorf("call %s: %w", secret, e))
	want := `{"type":"urn:interlock:problem:arguments-invalid","title":"Invalid request","status":400,"detail":"The value at /fields is <wrong> & odd.","code":"invalid","reason":"arguments-invalid","stage":"recheck","message":"The value at /fields is <wrong> & odd.","pointer":"/fields","outcome":"not_sent","refusal":null}`
	if status != 400 || string(body) != want {
		t.Errorf("%d %s", status, body)
	}
	object := wire.ErrorObject(e)
	if string(object) != `{"error":{"code":"invalid","reason":"arguments-invalid","stage":"recheck","message":"The value at /fields is <wrong> & odd.","pointer":"/fields","outcome":"not_sent"},"refusal":null}` {
		t.Errorf("%s", object)
	}
	status, body = wire.Problem(errors.New(secret))
	if status != 500 || strings.Contains(string(body), "hunter2") || strings.Contains(string(wire.ErrorObject(errors.New(secret))), "hunter2") {
		t.Errorf("%d %s", status, body)
	}
}

// A pointer to the whole of the arguments is written; where none applies there
// is none.
func TestPointerOfTheWhole(t *testing.T) {
	_, body := wire.Problem(&interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonArgumentsInvalid, Stage: "recheck"})
	if !strings.Contains(string(body), `"pointer":""`) {
		t.Errorf("%s", body)
	}
	_, body = wire.Problem(&interlock.Error{Code: interlock.CodeTimeout, Reason: interlock.ReasonTimeout})
	if strings.Contains(string(body), `"pointer"`) || !strings.Contains(string(body), `"message":"No answer within the time allowed."`) {
		t.Errorf("%s", body)
	}
}

func TestProblemComesBack(t *testing.T) {
	base := interlock.Error{Reason: interlock.ReasonApprovalRequired, Stage: "recheck", Public: "Ask.", Pointer: "/a", Approval: "ap1", Outcome: interlock.OutcomeNotSent, Detail: []byte(`{"n":1e400}`)}
	for _, code := range interlock.Codes() {
		for _, refusal := range append(refusals(), nil) {
			e := base
			e.Code, e.Refusal = code, refusal
			status, body := wire.Problem(&e)
			got := wire.ReadProblem(status, body)
			if diff := cmp.Diff(&e, got); diff != "" {
				t.Errorf("%s: %s", code, diff)
			}
			if wire.Status(got) != status || wire.Exit(got) != wire.Exit(&e) || string(wire.ErrorObject(got)) != string(wire.ErrorObject(&e)) {
				t.Errorf("%s: told another way after the crossing", code)
			}
		}
	}
	for _, body := range []string{`<html>502</html>`, `{}`, ``} {
		e := wire.ReadProblem(502, []byte(body))
		if e.Code != interlock.CodeInternal || strings.Contains(string(wire.ErrorObject(e)), "html") || !strings.Contains(e.Error(), "502") {
			t.Errorf("%q: %v", body, e)
		}
	}
}

func TestToolErrorIsJSON(t *testing.T) {
	for detail, want := range map[string]string{`{"a": 1.10}`: `"tool_error":{"a":1.10}`, `plain <text>`: `"tool_error":"plain <text>"`, ` `: ``} {
		_, body := wire.Problem(&interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonToolError, Stage: "invoke", Detail: []byte(detail)})
		if !json.Valid(body) || !strings.Contains(string(body), want) || (want == "") == strings.Contains(string(body), "tool_error") {
			t.Errorf("%q: %s", detail, body)
		}
	}
}

// FuzzReadAnswer: what another process sends cannot make the readers panic.
func FuzzReadAnswer(f *testing.F) {
	f.Add([]byte(`{"result":1,"receipt":{},"provenance":{}}`))
	f.Add([]byte(`{"refusal":{"type":"NoMatch","message":"m","reasons":null}}`))
	f.Add([]byte(`{"reason":"x","refusal":{"type":"Q","z":{}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if r, err := wire.ReadResult(body); err == nil && len(r.Result) > 0 && !json.Valid(r.Result) {
			t.Errorf("result %q", r.Result)
		}
		if r, err := wire.ReadResolution(body); err == nil {
			if _, err := wire.Encode(r); err != nil {
				t.Errorf("%q does not encode again: %v", body, err)
			}
		}
		if e := wire.ReadProblem(500, body); !json.Valid(wire.ErrorObject(e)) {
			t.Errorf("%q is told as no JSON", body)
		}
	})
}
