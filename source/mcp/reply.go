package mcp

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// readReply takes a result of tools/call apart, without decoding what is in it.
func readReply(result []byte, modern bool, limit int64, call interlock.Outbound) (interlock.Reply, error) {
	parts, err := pick(result, "content", "structuredContent", "isError", "resultType")
	if err != nil {
		return interlock.Reply{}, callFailure(faultf(faultMalformed, true, "the result: %w", err), call, nil)
	}
	content, structured := parts[0], parts[1]
	if isNull(content) {
		content = nil
	}
	if isNull(structured) && !modern { // the older era has no null result, only servers that spell out absence
		structured = nil
	}
	switch {
	case content != nil && content[0] != '[':
		return interlock.Reply{}, callFailure(faultf(faultMalformed, true, "content is not an array"), call, nil)
	case string(parts[3]) == `"input_required"`:
		return interlock.Reply{}, wantsInput()
	case overLimit(content, structured, limit):
		return interlock.Reply{}, callFailure(faultf(faultTooLarge, true, "the result is over %d bytes", limit), call, nil)
	}
	reply := interlock.Reply{Result: structured, Content: content}
	if reply.Result == nil {
		reply.Result = result
		if content != nil {
			reply.Result = withMember(nil, "content", content)
		}
	}
	if string(parts[2]) == "true" {
		return reply, toolError(content, structured)
	}
	return reply, nil
}

// overLimit holds a result against the limit of its call. A text that repeats
// the structured form is counted once.
func overLimit(content, structured []byte, limit int64) bool {
	if int64(len(content)+len(structured)) <= limit {
		return false
	}
	return structured == nil || int64(len(structured)) > limit || !repeats(content, structured)
}

// repeats tells whether content is one text block that says structured again.
func repeats(content, structured []byte) bool {
	var only []byte
	for n, block := range rawjson.Elements(content) {
		if only = block; n > 0 {
			return false
		}
	}
	parts, err := pick(only, "type", "text")
	if err != nil || string(parts[0]) != `"text"` {
		return false
	}
	said, err := text(parts[1])
	if err != nil {
		return false
	}
	return bytes.Equal(rawjson.Compact(nil, []byte(said)), rawjson.Compact(nil, structured))
}

// withMember adds a member to an object under way; value goes in as it is.
func withMember(object []byte, name string, value []byte) []byte {
	if object == nil {
		object = append(make([]byte, 0, len(name)+len(value)+8), '{')
	} else {
		object = append(object[:len(object)-1], ',')
	}
	object = append(object, '"')
	object = append(object, name...)
	object = append(object, `":`...)
	object = append(object, value...)
	return append(object, '}')
}

// toolError carries a tool's own words about its failure.
func toolError(content, structured []byte) error {
	if content == nil {
		content = []byte("[]")
	}
	detail := withMember(nil, "content", content)
	if structured != nil {
		detail = withMember(detail, "structuredContent", structured)
	}
	return &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonToolError, Stage: stageInvoke, Outcome: interlock.OutcomeFailed,
		Public: "The tool ran and reported an error; its own words are in the detail.", Detail: detail}
}

// wantsInput refuses a tool that asks its caller back.
func wantsInput() error {
	return &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonSourceFailed, Stage: stageInvoke, Outcome: interlock.OutcomeFailed,
		Public: "The tool asked for input in the middle of the call, which was not offered to it. Supply everything in the arguments, or use another tool."}
}

// said carries a JSON-RPC error of the server, in its own bytes.
func (s *source) said(fail []byte, tool string) error {
	e := &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonSourceFailed, Stage: stageInvoke, Outcome: interlock.OutcomeFailed,
		Public: "The source answered with an error; its own words are in the detail.", Detail: fail}
	code, message := rpcError(fail)
	if code != -32602 && code != -32601 {
		return e
	}
	e.Reason, e.Public = interlock.ReasonSourceRefused, "The source refused the request; its own words are in the detail. Check the arguments."
	if namesUnknownTool(message, tool) {
		e.Code, e.Reason = interlock.CodeUnavailable, interlock.ReasonUnavailable
		e.Public = "The source no longer has this tool. Choose another one, or try again when the source was read anew."
		if s.changed != nil {
			s.changed()
		}
	}
	return e
}

// saidCode names the code of a JSON-RPC error, for whoever judges the source.
func saidCode(fail []byte) map[string]string {
	code, _ := rpcError(fail)
	return map[string]string{"rpc-code": strconv.FormatInt(code, 10)}
}

// rpcError reads what decides the reason of a JSON-RPC error.
func rpcError(fail []byte) (code int64, message string) {
	parts, err := pick(fail, "code", "message")
	if err != nil {
		return 0, ""
	}
	code, _ = strconv.ParseInt(string(parts[0]), 10, 64)
	message, _ = text(parts[1])
	return code, message
}

// namesUnknownTool tells whether an error says that the server has no such
// tool. The protocol has no code of its own for that; servers agree on words.
func namesUnknownTool(message, tool string) bool {
	lower := strings.ToLower(message)
	return strings.Contains(message, tool) && strings.Contains(lower, "tool") &&
		(strings.Contains(lower, "unknown") || strings.Contains(lower, "not found"))
}
