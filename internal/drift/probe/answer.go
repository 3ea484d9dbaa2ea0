package probe

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// class is whose doing an answer is, as far as a probe has to know.
type class int

const (
	unusable class = iota // a rate limit, an outage, a proxy, a credential: not the tool's word
	refused               // the tool says no
	granted               // the tool says yes
)

// answer is what came of one request.
type answer struct {
	class  class
	status int
	code   string          // the tool's own word for a refusal, lower case
	result json.RawMessage // of what was granted
	says   bool            // granted, and it speaks of an error
	empty  bool            // granted, and nothing is in it
	took   time.Duration
}

func read(x drift.Exchange) answer {
	a := answer{status: x.Reply.Status, took: x.Took}
	if x.Failure != nil {
		a.refuse(interlock.AsError(x.Failure), x.Reply.Result)
		return a
	}
	a.class, a.result = granted, x.Reply.Result
	a.says = speaksOfError(a.result)
	a.empty = nothing(a.result, 0)
	return a
}

// refuse reads a failure.
func (a *answer) refuse(e *interlock.Error, body json.RawMessage) {
	a.class = unusable
	switch {
	case e.Outcome != interlock.OutcomeFailed || e.Reason == interlock.ReasonResultMalformed || e.Reason == interlock.ReasonResultTooLarge:
		return
	case a.status == 401 || a.status == 403 || a.status == 407 || a.status == 408 || a.status == 429 || a.status >= 500:
		return
	case a.status == 0 && e.Reason != interlock.ReasonToolError && e.Reason != interlock.ReasonSourceRefused:
		return
	}
	a.class = refused
	if len(body) == 0 {
		body = e.Detail
	}
	a.code = codeOf(body)
}

// codeOf finds the code that a refusal gives itself.
func codeOf(body json.RawMessage) string {
	for _, at := range []string{"/error/code", "/error/type", "/error/status", "/error", "/code", "/type", "/structuredContent/error/code", "/structuredContent/code", "/content/0/text"} {
		raw, ok := rawjson.At(body, at)
		if !ok {
			continue
		}
		if text, ok := rawjson.String(raw); ok && text != "" {
			return strings.ToLower(text)
		}
	}
	return ""
}

// is reports whether a refusal is the documented one.
func (a answer) is(e interlock.ErrorCase) bool {
	if a.class != refused {
		return false
	}
	if e.Status != 0 && a.status != 0 {
		return e.Status == a.status
	}
	return e.Code != "" && strings.Contains(a.code, strings.ToLower(e.Code)) ||
		e.When != "" && strings.Contains(strings.ReplaceAll(a.code, " ", "_"), strings.ToLower(e.When))
}

// speaksOfError reports whether a result says at its top that it is a failure.
func speaksOfError(result json.RawMessage) bool {
	for name, value := range rawjson.Members(objectOr(result)) {
		switch strings.ToLower(name) {
		case "error", "errors", "fault":
			if !nothing(value, 0) {
				return true
			}
		case "success", "ok":
			if string(value) == "false" {
				return true
			}
		}
	}
	return false
}

// nothing reports whether a value holds nothing: null, noughts, empty texts,
// lists and objects, and what is made of those alone.
func nothing(value json.RawMessage, depth int) bool {
	if len(value) == 0 || depth > maxDepth {
		return len(value) == 0
	}
	switch rawjson.KindOf(value) {
	case rawjson.KindObject:
		for _, m := range rawjson.Members(value) {
			if !nothing(m, depth+1) {
				return false
			}
		}
		return true
	case rawjson.KindArray:
		for _, m := range rawjson.Elements(value) {
			if !nothing(m, depth+1) {
				return false
			}
		}
		return true
	case rawjson.KindString:
		return string(value) == `""`
	case rawjson.KindNumber:
		n := numberOf(value)
		return n != nil && n.Sign() == 0
	}
	return string(value) != "true"
}

// items gives the elements of the list that the answer is about.
func (r *reading) items(a answer) ([]json.RawMessage, bool) {
	at, of := r.list()
	if of == nil {
		return nil, false
	}
	text, ok := rawjson.At(a.result, at)
	if !ok || rawjson.KindOf(text) != rawjson.KindArray {
		return nil, false
	}
	var out []json.RawMessage
	for _, item := range rawjson.Elements(text) {
		out = append(out, item)
	}
	return out, true
}

// total gives how many items there are in all, as the answer says; false where
// it does not.
func total(a answer) (int, bool) {
	for _, name := range []string{"total", "total_count", "totalCount", "total_results", "count"} {
		if raw, ok := rawjson.Member(objectOr(a.result), name); ok {
			if n := numberOf(raw); n != nil && n.IsInt() && n.Num().IsInt64() && n.Sign() >= 0 {
				return int(n.Num().Int64()), true
			}
		}
	}
	return 0, false
}
