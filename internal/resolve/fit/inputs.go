package fit

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Missing lists the required inputs that are neither named as in hand, nor
// defaulted, nor to be taken from what the need says. It is computed when
// asked, for it concerns the chosen few.
func (f Fit) Missing() []interlock.Missing {
	if f.known == nil {
		return f.lacking()
	}
	if !f.known.asked {
		f.known.missing, f.known.asked = f.lacking(), true
	}
	return slices.Clone(f.known.missing)
}

func (f Fit) lacking() []interlock.Missing {
	s := newSupply(f)
	var short, open []contract.Input
	demand := 0.0
	for _, in := range f.inputs() {
		if !in.Required || in.HasDefault || inHand(in.Name, in.Pointer, f.need.Have) || in.kind == anyFlag {
			continue
		}
		demand += leaves(f, in.Input)
		if s.take(in) {
			open = append(open, in.Input)
		} else {
			short = append(short, in.Input)
		}
	}
	if s.all < enough*demand {
		short = append(short, leftWanting(open, len(short) == 0)...)
	}
	out := make([]interlock.Missing, 0, len(short))
	for _, in := range short {
		out = append(out, f.missing(in))
	}
	return out
}

// enough is the share of the values that a call takes from which a need is
// thought to hold what it must: not every input is spelled out.
const enough = 0.75

// leftWanting names what a need too poor in values can hardly hold: the inputs
// that have parts, else all where nothing else is known to be missing.
func leftWanting(open []contract.Input, alone bool) []contract.Input {
	var parts []contract.Input
	for _, in := range open {
		if composite(in) {
			parts = append(parts, in)
		}
	}
	if len(parts) > 0 || !alone {
		return parts
	}
	return open
}

func (f Fit) missing(in contract.Input) interlock.Missing {
	m := interlock.Missing{Tool: f.Tool.ID, Pointer: in.Pointer, Name: in.Name, Type: in.Type}
	for _, field := range f.Tool.Op.Fields {
		if field.At == "input:"+in.Pointer {
			m.Unit, m.SemanticID = field.Unit, field.SemanticID
		}
	}
	return m
}

// inputKind is what values an input takes, as far as its type, name and words
// tell.
type inputKind int

const (
	anyText inputKind = iota
	anyFlag
	oneOf
	anEmail
	anAddress // of the web, or of a file
	aMoment
	aNumber
	anID
)

// inputWords tell the kind of an input whose name or description holds one.
var inputWords = [...][]mark{
	anEmail:   {{text: "email"}, {text: "e-mail"}, {text: "이메일"}, {text: "メール"}},
	anAddress: {{text: "url", whole: true}, {text: "link", whole: true}, {text: "uri", whole: true}, {text: "リンク"}},
	aMoment: {{text: "date"}, {text: "time"}, {text: "day", whole: true}, {text: "when", whole: true}, {text: "deadline"}, {text: "period"}, {text: "duration"}, {text: "schedule"},
		{text: "날짜"}, {text: "시간"}, {text: "일시"}, {text: "생년월일"}, {text: "기간"}, {text: "년"}, {text: "일"}, {text: "日付"}, {text: "日時"}, {text: "時間"}, {text: "期間"}},
	anID: {{text: "id", whole: true}, {text: "number", ends: true}, {text: "code", whole: true}, {text: "identifier"}, {text: "번호"}, {text: "코드"}, {text: "番号"}, {text: "コード"}},
}

// mark is a piece of text to look for: anywhere, as a whole word, or where a
// word ends.
type mark struct {
	text        string
	whole, ends bool
}

// in reports whether a text in small letters holds the mark.
func (m mark) in(text string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], m.text)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(m.text)
		if (!m.whole || i == 0 || !wordByte(text[i-1])) && (!m.whole && !m.ends || end == len(text) || !wordByte(text[end])) {
			return true
		}
		from = i + 1
	}
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// small gives a text with its Latin letters without accents in small.
func small(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// separators stand between the words of a name.
var separators = strings.NewReplacer("_", " ", "-", " ", ".", " ")

func kindOf(in contract.Input) inputKind {
	text := small(separators.Replace(splitCapitals(in.Name)) + " " + in.Description)
	is := func(k inputKind) bool {
		return slices.ContainsFunc(inputWords[k], func(m mark) bool { return m.in(text) })
	}
	number := strings.HasPrefix(in.Type, "number") || strings.HasPrefix(in.Type, "integer")
	switch {
	case strings.HasPrefix(in.Type, "boolean"):
		return anyFlag
	case len(in.Enum) > 0:
		return oneOf
	case is(anEmail):
		return anEmail
	case is(anAddress):
		return anAddress
	case is(aMoment) && !strings.HasPrefix(in.Type, "list"):
		return aMoment
	case number:
		return aNumber
	case is(anID):
		return anID
	}
	return anyText
}

// kinded is an input with what values it takes.
type kinded struct {
	contract.Input
	kind inputKind
}

// inputs gives the inputs of the tool. They are not the caller's to change.
func (f Fit) inputs() []kinded {
	return f.Tool.Said().Kept(func() any {
		all := f.Tool.Contract.Inputs()
		out := make([]kinded, len(all))
		for i, in := range all {
			out[i] = kinded{in, kindOf(in)}
		}
		return out
	}).([]kinded)
}

func splitCapitals(name string) string {
	var b strings.Builder
	last := ' '
	for _, r := range name {
		if r >= 'A' && r <= 'Z' && last >= 'a' && last <= 'z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

func composite(in contract.Input) bool {
	return strings.HasPrefix(in.Type, "object") || strings.HasPrefix(in.Type, "list")
}

// maxLeaves bounds what one input counts among the values of a call.
const maxLeaves = 4

// leaves counts the values that an input takes: one, or those that its parts
// require, two at the least.
func leaves(f Fit, in contract.Input) float64 {
	if !composite(in) {
		return 1
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(f.Tool.Op.InputSchema, &schema) != nil {
		return 2
	}
	return float64(min(max(partsOf(schema.Properties[in.Name], 0), 2), maxLeaves))
}

func partsOf(text json.RawMessage, depth int) int {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
		Items      json.RawMessage            `json:"items"`
	}
	if depth > 3 || len(text) == 0 || json.Unmarshal(text, &s) != nil {
		return 1
	}
	if len(s.Properties) == 0 && len(s.Items) > 0 {
		return max(2, partsOf(s.Items, depth+1))
	}
	n := 0
	for name, part := range s.Properties {
		if len(s.Required) == 0 || slices.Contains(s.Required, name) {
			n += partsOf(part, depth+1)
		}
	}
	return max(n, 1)
}

// supply is what a need says that a call could use. Each value is used once.
type supply struct {
	text              string
	moments, numbers  int
	emails, addresses int
	free              int // words and quoted texts
	named             bool
	all               float64
}

// newSupply reads what the need says beside what the tool says itself, and what
// was said before it. What the tool says as an example alone counts as a value.
func newSupply(f Fit) *supply {
	query := f.query
	if f.whole != nil {
		query = f.whole // a value that one request of a need says serves the others
	}
	s := &supply{}
	s.add(query.Reading(), f)
	if earlier, ok := query.Earlier(); ok {
		s.add(earlier, f)
	}
	return s
}

func (s *supply) add(r words.Reading, f Fit) {
	s.text += "\n" + strings.ToLower(r.Bare)
	for _, l := range r.Literals {
		s.text += "\n" + strings.ToLower(l.Text)
		s.all++
		switch l.Kind {
		case words.Email:
			s.emails++
		case words.URL, words.Path:
			s.addresses++
		case words.Date, words.Time:
			s.moments++
		case words.Quoted:
			s.free++
			s.named = true
		default:
			s.numbers++
		}
	}
	s.numbers += r.SpelledNumbers()
	left := beyond(r, f, true)
	s.free += len(left)
	for _, w := range left {
		if name := w[0] >= 'A' && w[0] <= 'Z'; name { // a name is a value, and another word may be one
			s.named = s.named || !f.destroys() || proper(w, r)
			s.all++
		} else {
			s.all += 0.5
		}
	}
}

// beyond gives the words of the need that the tool's own words do not hold; with
// examples also those that it holds as examples alone.
func beyond(r words.Reading, f Fit, examples bool) []string {
	said := f.Tool.Said()
	var out []string
	for _, w := range r.Words() {
		if !covered(w, said, examples) {
			out = append(out, w.Text)
		}
	}
	// Words of another language than the tool's are told by their glosses.
	if r.Language != words.English && said.Latin {
		return out[:max(0, len(out)-int(f.glossed()))]
	}
	return out
}

// covered reports whether a tool says a word: of a Korean or Japanese one it is
// enough that it begins alike, for the rest may be endings. With examples, a word
// that it names as one alone is not said.
func covered(w words.Word, s *snapshot.Said, examples bool) bool {
	if len(w.Terms) == 0 || s.Says(w.Terms[0], !examples) {
		return true
	}
	return len(w.Terms) > 1 && words.IsCJK(w.Terms[0]) && utf8.RuneCountInString(w.Text) >= 3 && s.Says(w.Terms[1], !examples)
}

// take uses up what an input needs, and reports whether it was there.
func (s *supply) take(in kinded) bool {
	use := func(n *int) bool {
		if *n > 0 {
			*n--
			return true
		}
		return false
	}
	switch in.kind {
	case oneOf:
		return slices.ContainsFunc(in.Enum, func(v string) bool { return strings.Contains(s.text, strings.ToLower(v)) }) || use(&s.free)
	case anEmail:
		return use(&s.emails) || use(&s.free)
	case anAddress:
		return use(&s.addresses)
	case aMoment:
		return use(&s.moments) || !strings.HasPrefix(in.Type, "string") && use(&s.numbers)
	case aNumber:
		return use(&s.numbers) || use(&s.moments)
	case anID:
		return use(&s.numbers) || s.named && use(&s.free)
	}
	return use(&s.free) || composite(in.Input) && s.moments+s.numbers > 0
}
