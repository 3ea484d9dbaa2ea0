package drift

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

func itoa(n int) string { return strconv.Itoa(n) }

// attribute says whose doing an exchange is, and fills in what its failure is.
func (s *sight) attribute() {
	o, x := &s.o, s.x
	o.Status = x.Reply.Status
	if x.Failure == nil {
		o.Class = ClassContract
		return
	}
	e := interlock.AsError(x.Failure)
	switch e.Reason {
	case interlock.ReasonResultInvalid, interlock.ReasonResultMalformed, interlock.ReasonResultTooLarge:
		if o.Status < 400 {
			o.Class = ClassContract // an answer came, and it is the answer that is judged
			return
		}
	case interlock.ReasonTimeout, interlock.ReasonIndeterminate, interlock.ReasonSourceUnreachable, interlock.ReasonCancelled,
		interlock.ReasonUnavailable, interlock.ReasonCredential, interlock.ReasonInternal:
		if o.Status == 0 {
			o.Class, o.Failed = ClassTransport, true
			return
		}
	}
	o.Failed = true
	if e.Outcome == interlock.OutcomeNotSent && o.Status == 0 {
		o.Class = ClassTransport
		if e.Reason == interlock.ReasonArgumentsInvalid {
			o.Class = ClassCaller
		}
		return
	}
	s.failure(e)
}

// failure reads an answer that says or shows a failure.
func (s *sight) failure(e *interlock.Error) {
	o := &s.o
	body := s.x.Reply.Result
	if len(body) == 0 {
		body = e.Detail
	}
	readable := len(body) > 0 && rawjson.Check(body, checks) == nil
	if !readable {
		body = nil
	}
	o.Code, o.Form = codeOf(body), formOf(body)
	if o.Code == "" {
		o.Code = token(s.x.Reply.Said["rpc-code"])
	}
	o.Retry = retryOf(s.x.Reply.Said, body)
	o.Case = s.d.caseOf(o.Status, o.Code)
	if o.Case == "" && o.Status == 0 {
		o.Case = s.d.caseByText(body)
	}
	o.Class = s.blame(e, body)
	if o.Class == ClassAuth {
		s.scope(body)
	}
	if o.Class != ClassContract {
		return
	}
	o.Refuses = s.refuses()
	s.outside()
	if o.Outside && s.reason() == "" {
		o.Class = ClassCaller
		return
	}
	if s.looksLikeSuccess(body) {
		s.sign(SuccessFlaggedAsError, "error:"+o.failure(), "a success has this form", "a failure has it")
	}
	if o.Case == "" && len(s.d.stated.Operation.Errors) > 0 && (o.Status != 0 || o.Code != "") {
		s.sign(UndocumentedErrorCode, "error:"+o.failure(), "not listed", told(o.failure(), o.Code))
	}
}

func told(name, code string) string {
	if code == "" || code == name {
		return name
	}
	return name + " " + code
}

// blame says whose doing a failure is.
func (s *sight) blame(e *interlock.Error, body []byte) Class {
	status := s.o.Status
	switch {
	case s.looksLikeSuccess(body) && status != statusTooManyRequests:
		return ClassContract
	case status == statusUnauthorized || status == statusForbidden || status == statusProxyAuth:
		if s.o.Case != "" && status == statusForbidden {
			return ClassContract
		}
		return ClassAuth
	case status == 0 && unknown[strings.ToLower(s.o.Code)] && s.o.Case == "":
		return ClassAuth
	case status == statusTooManyRequests || limited[strings.ToLower(s.o.Code)]:
		return ClassRateLimit
	case status == statusBadGateway || status == statusGatewayTimeout, status >= 500 && body == nil && s.page():
		return ClassGateway
	case status >= 500, down[strings.ToLower(s.o.Code)]:
		return ClassOutage
	case status == statusRequestTimeout:
		return ClassTransport
	case status >= 300 && status < 400:
		return ClassGateway
	case status == 0 && (e.Code == interlock.CodeUnavailable || e.Code == interlock.CodeTimeout || e.Reason == interlock.ReasonSourceFailed):
		return ClassOutage
	}
	return ClassContract
}

var (
	limited = words("rate_limited rate_limit rate_limit_exceeded too_many_requests throttled throttling ratelimited quota_exceeded slow_down")
	unknown = words("unauthorized unauthenticated forbidden access_denied permission_denied invalid_token token_expired")
	down    = words("unavailable service_unavailable internal internal_error internal_server_error server_error overloaded maintenance -32603")
)

// page reports an answer in the form of a page for people.
func (s *sight) page() bool { return strings.Contains(s.x.Reply.Said["content-type"], "html") }

// caseOf finds the documented failure that a status and a code are: by both, by
// one, by its name, by a class of statuses.
func (d *Documented) caseOf(status int, code string) string {
	best, weight := "", 0
	for _, e := range d.stated.Operation.Errors {
		w := 0
		byCode := code != "" && (strings.EqualFold(e.Code, code) || e.Code == "" && sameWord(e.When, code))
		switch {
		case e.Status != 0 && e.Status == status && e.Code == "":
			w = 3
			if byCode {
				w = 4
			}
		case e.Status != 0 && e.Status == status && byCode:
			w = 5
		case e.Status == 0 && byCode:
			w = 4
		case e.Status == 0 && strings.EqualFold(e.Code, "4XX") && status/100 == 4, e.Status == 0 && strings.EqualFold(e.Code, "5XX") && status/100 == 5:
			w = 2
		case e.Status == 0 && e.Code == "" && (e.When == "default" || sameWord(e.When, statusWords[status])):
			w = 1
		}
		if w > weight {
			best, weight = e.When, w
		}
	}
	return best
}

// caseByText finds the documented failure whose name a message holds, where
// nothing else names it.
func (d *Documented) caseByText(body []byte) string {
	text, ok := rawjson.String(body)
	for _, at := range [...]string{"/message", "/error/message", "/0/text", "/content/0/text", "/error"} {
		if raw, there := rawjson.At(body, at); !ok && there {
			text, ok = rawjson.String(raw)
		}
	}
	said := letters(clip(text, 512))
	for _, e := range d.stated.Operation.Errors {
		if name := letters(e.When); len(name) > 3 && bytes.Contains(said, name) {
			return e.When
		}
	}
	return ""
}

// sameWord compares names whatever their spelling: NOT_FOUND, NotFound, not-found.
func sameWord(a, b string) bool {
	return a != "" && b != "" && slices.Equal(letters(a), letters(b))
}

func letters(s string) []byte {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i] | 0x20
		if c >= 'a' && c <= 'z' || s[i] >= '0' && s[i] <= '9' {
			out = append(out, c)
		}
	}
	return out
}

// refuses reports whether a failure speaks of the arguments.
func (s *sight) refuses() bool {
	switch {
	case sameWord(s.o.Case, "invalid_argument") || sameWord(s.o.Case, "bad_request") || sameWord(s.o.Case, "invalid"):
		return true
	case s.o.Status == statusBadRequest || s.o.Status == statusUnprocessable:
		return true
	}
	return s.o.Code == "-32602" || sameWord(s.o.Code, "invalid_argument") || sameWord(s.o.Code, "invalid_arguments") || sameWord(s.o.Code, "validation_error")
}

// scope looks for a scope that is asked for and not documented.
func (s *sight) scope(body []byte) {
	asked := ""
	for _, at := range [...]string{"/scope", "/required_scope", "/error/scope", "/error/required_scope", "/missing_scope"} {
		if raw, ok := rawjson.At(body, at); ok {
			if text, ok := rawjson.String(raw); ok && token(text) != "" {
				asked = text
			}
		}
	}
	if asked != "" && !slices.Contains(s.d.stated.Operation.Scopes, asked) {
		s.o.Class = ClassContract
		s.sign(AuthScopeTightened, "error:"+s.o.failure(), "no such scope is needed", "needs "+asked)
	}
}

// codes are the places where a failure's own code is looked for.
var codes = [...]string{"/error/code", "/code", "/error/type", "/error", "/errors/0/code", "/type", "/error_code", "/errorCode", "/error/status", "/status"}

func codeOf(body []byte) string {
	if body == nil {
		return ""
	}
	for _, at := range codes {
		raw, ok := rawjson.At(body, at)
		if !ok {
			continue
		}
		if text, is := rawjson.String(raw); is && token(text) != "" {
			return text
		}
		if rawjson.KindOf(raw) == rawjson.KindNumber && len(raw) < 12 && !strings.HasSuffix(at, "status") {
			return string(raw)
		}
	}
	return ""
}

const maxToken = 48

// token gives a text back that has the form of an identifier, and "" for any
// other: what people wrote does not go into the log.
func token(text string) string {
	if len(text) == 0 || len(text) > maxToken {
		return ""
	}
	for i := range len(text) {
		c := text[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("_.:-", c) >= 0 {
			continue
		}
		return ""
	}
	return text
}

// formOf names the members of a failure's body, in order.
func formOf(body []byte) string {
	if body == nil {
		return ""
	}
	if rawjson.KindOf(body) != rawjson.KindObject {
		return rawjson.KindOf(body).String()
	}
	var names []string
	for name := range rawjson.Members(body) {
		if name = token(name); name != "" && len(names) < 12 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

// retryOf reads whether a failure says that it may be tried again.
func retryOf(said map[string]string, body []byte) string {
	for _, at := range [...]string{"/retryable", "/error/retryable", "/transient", "/error/transient"} {
		switch raw, _ := rawjson.At(body, at); rawjson.KindOf(raw) {
		case rawjson.KindTrue:
			return "y"
		case rawjson.KindFalse:
			return "n"
		}
	}
	if said["retry-after"] != "" {
		return "after"
	}
	return ""
}
