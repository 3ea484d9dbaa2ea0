package wire

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/seed-ae386458/interlock"
)

// ProblemType is the content type of a problem (RFC 9457).
const ProblemType = "application/problem+json"

// fault is what a caller reads of a failed request, the same on every face.
type fault struct {
	Code      interlock.Code    `json:"code"`
	Reason    interlock.Reason  `json:"reason"`
	Stage     string            `json:"stage"`
	Message   string            `json:"message"`
	Pointer   *string           `json:"pointer,omitempty"` // "" is the whole of what was sent
	Approval  string            `json:"approval,omitempty"`
	Outcome   interlock.Outcome `json:"outcome,omitempty"`
	Kinds     []string          `json:"kinds,omitempty"` // of drift
	ToolError json.RawMessage   `json:"tool_error,omitempty"`
}

// problem is the body of a failed HTTP request.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	fault
	Refusal json.RawMessage `json:"refusal"`
}

// Problem writes an error as problem details and gives its status. The cause
// is no part of it.
func Problem(err error) (status int, body []byte) {
	e := interlock.AsError(err)
	f := faultOf(e)
	p := problem{
		Type: "urn:interlock:problem:" + string(e.Reason), Title: RowOf(e.Code).Title,
		Status: Status(e), Detail: f.Message, fault: f, Refusal: refusalOf(e),
	}
	body, failed := Encode(p)
	if failed != nil {
		return 500, []byte(lastResort)
	}
	return p.Status, body
}

// ProblemAs writes an error as problem details of another status and title:
// those that only HTTP has.
func ProblemAs(status int, title string, err error) []byte {
	e := interlock.AsError(err)
	f := faultOf(e)
	body, failed := Encode(problem{
		Type: "about:blank", Title: title, Status: status, Detail: f.Message, fault: f, Refusal: refusalOf(e),
	})
	if failed != nil {
		return []byte(lastResort)
	}
	return body
}

// Panicked is the error of what a panic broke off: to the caller one sentence,
// the cause for the operator.
func Panicked(cause any) error {
	return &interlock.Error{
		Code: interlock.CodeInternal, Reason: interlock.ReasonInternal, Stage: stageSurface,
		Public: "Interlock failed to handle this; the operator's log has the cause.", Err: fmt.Errorf("panic: %v", cause),
	}
}

// lastResort is the problem of a problem that does not encode.
const lastResort = `{"type":"about:blank","title":"Internal failure","status":500}`

// ErrorObject writes an error as {"error": …, "refusal": …}, which the command
// line prints and MCP gives as structured content.
func ErrorObject(err error) []byte {
	e := interlock.AsError(err)
	body, failed := Encode(struct {
		Error   fault           `json:"error"`
		Refusal json.RawMessage `json:"refusal"`
	}{faultOf(e), refusalOf(e)})
	if failed != nil {
		return []byte(`{"error":{"code":"internal","reason":"internal","stage":"surface","message":""},"refusal":null}`)
	}
	return body
}

// ReadProblem reads a problem that another process wrote back into the error
// it was made of. A body that is no problem is an internal error.
func ReadProblem(status int, body []byte) *interlock.Error {
	var p problem
	if json.Unmarshal(body, &p) != nil || p.Reason == "" {
		return &interlock.Error{
			Code: interlock.CodeInternal, Reason: interlock.ReasonInternal, Stage: stageSurface,
			Public: "The answer is no problem that Interlock writes.",
			Err:    &strangeAnswer{status, body[:min(len(body), 200)]},
		}
	}
	e := &interlock.Error{
		Code: p.Code, Reason: p.Reason, Stage: p.Stage, Public: p.Message,
		Approval: p.Approval, Outcome: p.Outcome, Detail: p.ToolError,
	}
	if p.Pointer != nil {
		e.Pointer = *p.Pointer
	}
	e.Refusal = readRefusal(p.Refusal)
	return e
}

// strangeAnswer is the cause of an answer that is no problem.
type strangeAnswer struct {
	status int
	start  []byte
}

// Error shows what came instead.
func (s *strangeAnswer) Error() string {
	return fmt.Sprintf("status %d: %s", s.status, s.start)
}

// faultOf takes the public part of an error.
func faultOf(e *interlock.Error) fault {
	f := fault{
		Code: RowOf(e.Code).Code, Reason: e.Reason, Stage: e.Stage, Message: e.Public,
		Approval: e.Approval, Outcome: e.Outcome, ToolError: toolWords(e.Detail),
	}
	if f.Message == "" {
		f.Message = means(e.Reason)
	}
	if drifted, ok := e.Refusal.(*interlock.DriftRejected); ok {
		f.Kinds = drifted.Kinds
	}
	if e.Pointer != "" || e.Code == interlock.CodeInvalid {
		f.Pointer = &e.Pointer
	}
	return f
}

// toolWords is a tool's own words as JSON: as they are where they are JSON, and
// as a string where they are not.
func toolWords(detail []byte) json.RawMessage {
	if len(bytes.TrimSpace(detail)) == 0 {
		return nil
	}
	if json.Valid(detail) {
		return detail
	}
	quoted, err := Encode(string(detail))
	if err != nil {
		return nil
	}
	return quoted
}

// refusalOf writes the typed refusal of an error, or null.
func refusalOf(e *interlock.Error) json.RawMessage {
	raw, err := interlock.MarshalRefusal(e.Refusal)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// means is what the table of reasons says of one: the message of an error that
// brings none.
func means(r interlock.Reason) string {
	for _, row := range interlock.Reasons() {
		if row.Reason == r {
			return row.Means
		}
	}
	return "The request was refused."
}
