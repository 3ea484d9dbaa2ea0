package drift

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// The limits of one observation.
const (
	maxSigns   = 16
	maxShape   = 256 // declared places
	maxStray   = 32  // undeclared ones
	maxMembers = 4   // undocumented members that are told of one answer
	maxTagged  = 64 << 10
	maxScanned = 16 << 10 // bytes of text that are looked through for orders
	maxVisited = 4096     // undeclared values that are looked at
	docPrefix  = 16
)

var checks = rawjson.Limits{Bytes: interlock.DefaultMaxResult, Depth: interlock.MaxJSONDepth, NumberDigits: 4096, Exponent: 100_000}

// sight is one observation while it is made.
type sight struct {
	d       *Documented
	r       *reading
	x       Exchange
	o       Observation
	seen    shape
	caught  [][]byte // values of places with a meaning, by slot
	scanned int
	visited int
	probing bool // the walk only asks whether a body fits
	faults  int
	members int // undocumented ones that were signed
}

// Observe says what one exchange shows. It has no side effect, takes no lock,
// and never fails: what cannot be read says so.
func (d *Documented) Observe(x Exchange) Observation {
	s := sight{d: d, r: d.reading(), x: x}
	s.o.Documented = d.fingerprint[:docPrefix]
	s.o.Probe = clip(x.Probe, 128)
	s.o.Took, s.o.Size = max(0, x.Took.Microseconds()), len(x.Reply.Result)
	s.attribute()
	s.tagArgs()
	if !s.o.Failed && s.o.Class == ClassContract {
		s.success()
	}
	if s.o.Class == ClassContract {
		s.waits()
		s.announces()
	}
	s.shown()
	return s.o
}

func clip(text string, n int) string {
	if len(text) > n {
		text = strings.ToValidUTF8(text[:n], "")
	}
	return text
}

// reason is the first word of the probe's name.
func (s *sight) reason() string {
	word, _, _ := strings.Cut(s.x.Probe, ":")
	return word
}

func (s *sight) sign(kind Kind, at, doc, saw string) {
	if s.probing {
		s.faults++
		return
	}
	if kind == UndocumentedOutputField {
		if s.members++; s.members > maxMembers {
			return // they leave room for what is graver
		}
	}
	sign := Sign{kind, at, clip(doc, 200), clip(saw, 100)}
	if len(s.o.Signs) < maxSigns && !slices.Contains(s.o.Signs, sign) {
		s.o.Signs = append(s.o.Signs, sign)
	}
}

// tagArgs names the arguments for whoever holds the key.
func (s *sight) tagArgs() {
	if s.x.Key == nil || len(s.x.Args) == 0 || len(s.x.Args) > maxTagged {
		return
	}
	text, err := contract.Canonical(s.x.Args)
	if err != nil {
		text = s.x.Args
	}
	s.o.Args = s.x.Key(text)
}

// outside reports whether the arguments break the documented input. Only probes
// send such, and failures ask for it.
func (s *sight) outside() {
	if s.d.stated.Compiled != nil && len(s.x.Args) > 0 {
		s.o.Outside = s.d.stated.Compiled.ValidateArgs(s.x.Args) != nil
	}
	if s.reason() == ProbeOutside {
		s.o.Outside = true // also by a format, which the contract does not assert
	}
}

// success reads an answer that says that all is well.
func (s *sight) success() {
	if s.reason() != "" {
		s.outside()
	}
	body := s.x.Reply.Result
	if len(body) == 0 || rawjson.Check(body, checks) != nil {
		s.unreadable()
		return
	}
	s.o.Empty = s.empty(body)
	s.caught = make([][]byte, s.r.roles.slots)
	switch {
	case s.fallsBack(body):
	case s.errorForm(body):
		s.sign(ErrorFlagLost, "output:", "failures are marked as such", told("an error", codeOf(body)))
		s.shape(body)
	case s.r.out != nil && s.d.statesOutput():
		s.documented(body)
	default:
		s.shape(body)
	}
	s.meaning()
}

// unreadable is an answer that is no JSON.
func (s *sight) unreadable() {
	s.o.Unreadable = true
	media, _, _ := strings.Cut(s.x.Reply.Said["content-type"], ";")
	reason := interlock.ReasonOf(s.x.Failure)
	switch {
	case reason == interlock.ReasonResultTooLarge:
	case media != "" && !strings.Contains(media, "json"):
		s.sign(ContentTypeChanged, "output:", "JSON", clip(strings.TrimSpace(strings.ToLower(media)), 40))
	case s.d.statesOutput():
		s.sign(OutputTypeChanged, "output:", s.r.out.typeNames(), "no JSON value")
	}
}

// documented holds a body against the output schema.
func (s *sight) documented(body []byte) {
	n := s.r.out
	if s.o.Empty && rawjson.KindOf(body) != rawjson.KindObject {
		s.seen.add(n, "", 'z', nil)
		if len(n.required) > 0 {
			s.sign(RequiredOutputMissing, "output:", strings.Join(n.required[:min(len(n.required), 8)], ", "), "nothing")
		} else if n.types != 0 && n.types&bitOf(body) == 0 {
			s.sign(OutputTypeChanged, "output:", n.typeNames(), typeOf(body))
		}
		return
	}
	if s.enveloped(n, body) {
		s.shape(body)
		return
	}
	s.walk(n, n.at, body, 0)
	s.o.Shape = s.seen.told()
	if s.r.loose && len(s.o.Signs) == 0 && s.d.stated.Compiled != nil {
		if err := s.d.stated.Compiled.ValidateResult(body); err != nil {
			s.sign(OutputTypeChanged, "output:"+interlock.AsError(err).Pointer, "one of the documented alternatives", "none of them")
		}
	}
}

// shape notes the form of a body that is not held against a schema.
func (s *sight) shape(body []byte) {
	s.stray("", body, 0)
	s.o.Shape = s.seen.told()
}

// empty reports a success with nothing in it.
func (s *sight) empty(body []byte) bool {
	if n := s.r.out; n != nil && n.types != 0 && n.types&tObject == 0 {
		return rawjson.KindOf(body) == rawjson.KindNull && n.types&tNull == 0
	}
	if n := s.r.out; n != nil && s.d.statesOutput() && len(n.props) == 0 {
		return false
	}
	switch rawjson.KindOf(body) {
	case rawjson.KindNull:
		return true
	case rawjson.KindString:
		text, _ := rawjson.String(body)
		return strings.TrimSpace(text) == ""
	case rawjson.KindObject:
		for range rawjson.Members(body) {
			return false
		}
		return true
	case rawjson.KindArray:
		for range rawjson.Elements(body) {
			return false
		}
		return s.r.out != nil && s.r.out.types != 0
	}
	return false
}

// fallsBack reports text where something structured is documented.
func (s *sight) fallsBack(body []byte) bool {
	n := s.r.out
	if n == nil || n.types == 0 || n.types&(tObject|tArray) == 0 || n.types&tString != 0 || !s.d.statesOutput() {
		return false
	}
	text := rawjson.KindOf(body) == rawjson.KindString && !s.o.Empty
	if text || s.o.Empty && len(s.x.Reply.Content) > 4 || s.blocks(n, body) {
		s.sign(UnstructuredFallback, "output:", n.typeNames(), "text")
		s.o.Empty = false
		return true
	}
	return false
}

// blocks reports a result of MCP that is its content blocks and nothing else.
func (s *sight) blocks(n *node, body []byte) bool {
	raw, ok := rawjson.Member(body, "content")
	return ok && len(s.x.Reply.Content) > 0 && n.props["content"] == nil && bytes.Equal(raw, s.x.Reply.Content)
}

// errorForm reports a body that speaks of an error where a success is claimed.
func (s *sight) errorForm(body []byte) bool {
	n := s.r.out
	if rawjson.KindOf(body) != rawjson.KindObject {
		text, ok := rawjson.String(body)
		return ok && (n == nil || n.types&tString == 0) && errorText(text)
	}
	declared, marks := 0, 0
	for name, value := range rawjson.Members(body) {
		if n != nil && n.props[name] != nil {
			declared++
			continue
		}
		if marksError(name, value) {
			marks++
		}
	}
	return marks > 0 && declared == 0
}

// errorText reports text that begins as messages of failures do.
func errorText(text string) bool {
	text = strings.ToLower(strings.TrimSpace(clip(text, 64)))
	for _, start := range [...]string{"error:", "error executing", "exception:", "traceback (most recent", "fatal:", "internal server error", "failed:", "unhandled exception"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// marksError reports a member that only failures have.
func marksError(name string, value []byte) bool {
	kind := rawjson.KindOf(value)
	switch strings.ToLower(name) {
	case "error", "exception", "fault":
		return kind == rawjson.KindObject || kind == rawjson.KindTrue || kind == rawjson.KindString && len(value) > 2
	case "errors":
		for range rawjson.Elements(value) {
			return true
		}
		return kind == rawjson.KindObject
	case "error_code", "errorcode", "error_message", "errormessage", "error_description":
		return kind != rawjson.KindNull
	case "success", "ok":
		return kind == rawjson.KindFalse
	case "status":
		text, _ := rawjson.String(value)
		return text == "error" || text == "failed" || text == "fail"
	}
	return false
}

// looksLikeSuccess reports a failure whose body is a documented success.
func (s *sight) looksLikeSuccess(body []byte) bool {
	n := s.r.out
	if body == nil || n == nil || !s.d.statesOutput() || rawjson.KindOf(body) != rawjson.KindObject || len(n.props) == 0 {
		return false
	}
	declared := 0
	for name, value := range rawjson.Members(body) {
		if n.props[name] != nil {
			declared++
		} else if marksError(name, value) {
			return false
		}
	}
	if declared == 0 || len(n.required) == 0 && declared < min(2, len(n.props)) {
		return false
	}
	try := sight{d: s.d, r: s.r, x: s.x, probing: true}
	try.caught = make([][]byte, s.r.roles.slots)
	try.walk(n, "", body, 0)
	return try.faults == 0
}

// announces reads what an answer says of its tool's end.
func (s *sight) announces() {
	if s.d.closing {
		return
	}
	for _, name := range [...]string{"deprecation", "sunset"} {
		if s.x.Reply.Said[name] != "" {
			s.sign(DeprecationOrSunsetSignal, "output:", "no end is announced", name)
		}
	}
}

// shown takes over what a probe concluded.
func (s *sight) shown() {
	for _, p := range s.x.Shown {
		if len(s.o.Shown) == maxSigns {
			return
		}
		s.o.Shown = append(s.o.Shown, Proved{Kind: p.Kind, Pointer: clip(p.Pointer, 200), Holds: p.Holds, Says: clip(p.Says, 300), Trials: p.Trials,
			Confidence: strconv.FormatFloat(min(max(p.Confidence, 0), 1), 'g', 6, 64)})
	}
}
