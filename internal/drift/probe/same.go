package probe

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// moving are members that change from one answer to the next by their nature.
var moving = regexp.MustCompile(`(?i)(^|_)(now|time|timestamp|date|at|on|expires|expiry|generated|elapsed|took|duration|latency|uptime|age|request_?id|trace_?id|nonce|token|cursor|next|etag|seq)$|(At|Time)$`)

var sameness = regexp.MustCompile(`(?i)\b(deterministic|always (the )?same|same (answer|result|order)|never changes|immutable|changes only when|only when .* (is )?written)\b`)

// promisesSameness reports whether the documentation says that the same call
// has the same answer.
func (r *reading) promisesSameness() bool { return sameness.MatchString(r.words) }

// same reports whether two answers agree in everything that does not change by
// its nature. A member that is optional may be missing from one of them.
func (r *reading) same(a, b answer) bool {
	if a.class != b.class {
		return false
	}
	return agree(a.result, b.result, r.output)
}

func agree(a, b json.RawMessage, s *shape) bool {
	switch {
	case rawjson.KindOf(a) != rawjson.KindOf(b):
		return false
	case rawjson.KindOf(a) == rawjson.KindObject:
		return agreeObjects(a, b, s) && agreeObjects(b, a, s)
	case rawjson.KindOf(a) == rawjson.KindArray:
		return agreeLists(a, b, s)
	}
	return rawjson.Equal(a, b)
}

// agreeObjects holds each member of one object against the other's.
func agreeObjects(a, b json.RawMessage, s *shape) bool {
	for name, value := range rawjson.Members(a) {
		var of *shape
		optional := true
		if s != nil {
			of, optional = s.members[name], !slices.Contains(s.required, name)
		}
		if moving.MatchString(name) || of != nil && (of.format == "date-time" || of.format == "time") {
			continue
		}
		other, there := rawjson.Member(b, name)
		if !there && !optional || there && !agree(value, other, of) {
			return false
		}
	}
	return true
}

func agreeLists(a, b json.RawMessage, s *shape) bool {
	left, right := elements(a), elements(b)
	if len(left) != len(right) {
		return false
	}
	var of *shape
	if s != nil {
		of = s.items
	}
	for i := range left {
		if !agree(left[i], right[i], of) {
			return false
		}
	}
	return true
}

func elements(list json.RawMessage) []json.RawMessage {
	var out []json.RawMessage
	for _, item := range rawjson.Elements(list) {
		out = append(out, item)
	}
	return out
}
