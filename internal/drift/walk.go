package drift

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/vet"
)

// shape counts the types that were seen at each place.
type shape struct {
	places []place
	index  map[*node]int
	strays map[string]int
	more   bool
}

// typeLetters spells what is seen at a place: null, boolean, integer, number,
// text of no known form, UUID, instants in UTC, with an offset and without one,
// a date, list, object.
const typeLetters = "zbinsutTldao"

type place struct {
	at        string
	counts    [len(typeLetters)]int
	sized     bool // numbers, or lists, were seen
	low, high int  // their decades: of the value, of the length
}

// size widens the decades of a place by a number or a length.
func (p *place) size(v float64) {
	v = math.Abs(v)
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return
	}
	decade := 0
	if v >= 10 || v > 0 && v < 1 {
		decade = int(math.Floor(math.Log10(v)))
	}
	if !p.sized {
		p.sized, p.low, p.high = true, decade, decade
		return
	}
	p.low, p.high = min(p.low, decade), max(p.high, decade)
}

func (s *shape) add(n *node, at string, letter byte, raw []byte) {
	var i int
	var ok bool
	if n != nil {
		i, ok = s.index[n]
	} else {
		i, ok = s.strays[at]
	}
	if !ok {
		if n == nil && len(s.strays) == maxStray || len(s.places) == maxShape+maxStray {
			s.more = true
			return
		}
		i = len(s.places)
		s.places = append(s.places, place{at: at})
		if n != nil {
			if s.index == nil {
				s.index = make(map[*node]int, 8)
			}
			s.index[n] = i
		} else {
			if s.strays == nil {
				s.strays = make(map[string]int, 4)
			}
			s.strays[at] = i
		}
	}
	p := &s.places[i]
	p.counts[strings.IndexByte(typeLetters, letter)]++
	if letter == 'i' || letter == 'n' {
		p.size(numberOf(raw))
	}
}

// length notes how long a list was.
func (s *shape) length(n *node, at string, count int) {
	i, ok := s.strays[at]
	if n != nil {
		i, ok = s.index[n]
	}
	if ok {
		s.places[i].size(float64(count))
	}
}

// told writes the counts for the log: "s" for one text, "i18s2" for many, and
// after it the decades of numbers and of the lengths of lists: "i18^0:3".
func (s *shape) told() map[string]string {
	out := make(map[string]string, len(s.places))
	var room [96]byte
	for _, p := range s.places {
		text := room[:0]
		for i, n := range p.counts {
			if n == 0 {
				continue
			}
			text = append(text, typeLetters[i])
			if n > 1 {
				text = strconv.AppendInt(text, int64(n), 10)
			}
		}
		if p.sized {
			text = append(strconv.AppendInt(append(text, '^'), int64(p.low), 10), ':')
			text = strconv.AppendInt(text, int64(p.high), 10)
		}
		out[p.at] = string(text)
	}
	return out
}

// walk holds a value against what is documented of its place.
func (s *sight) walk(n *node, at string, raw []byte, depth int) {
	if n == nil || depth > maxSchemaDeep {
		s.stray(at, raw, depth)
		return
	}
	letter := letterOf(raw, n)
	if !s.probing {
		s.seen.add(n, at, letter, raw)
		if n.slot >= 0 {
			s.caught[n.slot] = raw
		}
	}
	if n.types != 0 && n.types&bitOf(raw) == 0 {
		s.mistyped(n, at, raw)
		return
	}
	if len(n.enum) > 0 && !n.lists(raw) {
		s.sign(EnumEscape, "output:"+at, n.listed(), tokenOf(raw))
	}
	switch rawjson.KindOf(raw) {
	case rawjson.KindObject:
		s.object(n, at, raw, depth)
	case rawjson.KindArray:
		s.array(n, at, raw, depth)
	case rawjson.KindNumber:
		s.number(n, at, raw)
	case rawjson.KindString:
		s.text(n, at, raw, letter)
	}
}

func (s *sight) object(n *node, at string, raw []byte, depth int) {
	found := 0
	for name, value := range rawjson.Members(raw) {
		kid := n.props[name]
		switch {
		case kid == nil && s.visited > maxVisited:
		case kid != nil:
			s.walk(kid, kid.at, value, depth+1)
			if !kid.optional {
				found++
			}
		case n.closed && !n.patterns && n.extra == nil && !n.loose:
			s.sign(UndocumentedOutputField, "output:"+rawjson.Join(at, clip(name, 64)), "no other members", typeOf(value))
			s.stray(rawjson.Join(at, clip(name, 64)), value, depth+1)
		case n.extra != nil:
			s.walk(n.extra, n.extra.at, value, depth+1)
		default:
			s.stray(rawjson.Join(at, clip(name, 64)), value, depth+1)
		}
	}
	if found >= len(n.required) {
		return
	}
	for _, name := range n.required {
		if _, ok := rawjson.Member(raw, name); !ok {
			s.sign(RequiredOutputMissing, "output:"+rawjson.Join(at, name), "required", "missing")
		}
	}
}

func (s *sight) array(n *node, at string, raw []byte, depth int) {
	count := 0
	for i, item := range rawjson.Elements(raw) {
		count = i + 1
		if i < 1000 && n.items != nil {
			s.walk(n.items, n.items.at, item, depth+1)
		} else if i < 20 {
			s.stray(at+"/*", item, depth+1)
		}
	}
	if !s.probing {
		s.seen.length(n, at, count)
	}
	s.length(n, at, count, "elements")
}

func (s *sight) length(n *node, at string, count int, of string) {
	switch {
	case count < n.minLen:
		s.sign(BoundEscape, "output:"+at, "at least "+itoa(n.minLen)+" "+of, "fewer")
	case n.maxLen >= 0 && count > n.maxLen:
		s.sign(BoundEscape, "output:"+at, "at most "+itoa(n.maxLen)+" "+of, "more")
	}
}

func (s *sight) number(n *node, at string, raw []byte) {
	v := numberOf(raw)
	switch {
	case v < n.min || n.over && v == n.min:
		s.sign(BoundEscape, "output:"+at, "at least "+short(n.min), "below")
	case v > n.max || n.under && v == n.max:
		s.sign(BoundEscape, "output:"+at, "at most "+short(n.max), "above")
	}
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

func (s *sight) text(n *node, at string, raw []byte, letter byte) {
	if bad := misformed(n.format, letter, raw); bad != "" {
		s.sign(FormatShift, "output:"+at, n.format, bad)
	} else if n.pattern != nil && len(n.enum) == 0 {
		if text, ok := rawjson.String(raw); ok && len(text) < 4096 && !n.pattern.MatchString(text) {
			s.sign(FormatShift, "output:"+at, "the documented pattern", "text of another form")
		}
	}
	if n.minLen > 0 || n.maxLen >= 0 {
		if text, ok := rawjson.String(raw); ok {
			s.length(n, at, utf8.RuneCountInString(text), "characters")
		}
	}
	s.scan(at, raw)
}

// minScanned is the length below which no text can give an order.
const minScanned = 24

// scan looks for orders to a model.
func (s *sight) scan(at string, raw []byte) {
	room := maxScanned - s.scanned
	if len(raw) < minScanned || s.probing || room < minScanned {
		return
	}
	s.scanned += min(len(raw), room)
	text, _ := rawjson.String(raw)
	if len(text) <= room {
		s.orders(at, text)
		return
	}
	// What is too long is looked at where it begins and where it ends.
	s.orders(at, clip(text, room/2))
	s.orders(at, strings.ToValidUTF8(text[len(text)-room/2:], ""))
}

func (s *sight) orders(at, text string) {
	for _, f := range vet.Text(text) {
		if f.Severity == vet.Quarantine {
			s.sign(InjectedInstructionsInResult, "output:"+at, "data", f.Rule)
		}
	}
}

// stray notes the types of what is not documented.
func (s *sight) stray(at string, raw []byte, depth int) {
	if s.visited++; s.probing || s.visited > maxVisited {
		return
	}
	if at != untold {
		s.seen.add(nil, at, letterOf(raw, nil), raw)
	}
	if depth > 6 {
		return
	}
	switch rawjson.KindOf(raw) {
	case rawjson.KindObject:
		for name, value := range rawjson.Members(raw) {
			if s.visited > maxVisited {
				return
			}
			s.stray(s.under(at, name), value, depth+1)
		}
	case rawjson.KindArray:
		for i, item := range rawjson.Elements(raw) {
			if i == 20 {
				return
			}
			s.stray(s.under(at, "*"), item, depth+1)
		}
	case rawjson.KindString:
		s.scan(at, raw)
	}
}

// untold stands for the places of undeclared members past what is told apart.
const untold = "/…"

func (s *sight) under(at, name string) string {
	if s.seen.more || at == untold {
		return untold
	}
	return rawjson.Join(at, clip(name, 64))
}

// mistyped names a value of a type that is not documented.
func (s *sight) mistyped(n *node, at string, raw []byte) {
	place, doc, saw := "output:"+at, n.typeNames(), typeOf(raw)
	kind := OutputTypeChanged
	switch {
	case rawjson.KindOf(raw) == rawjson.KindNull:
		kind = NullabilityChanged
	case n.types&tArray != 0 && rawjson.KindOf(raw) != rawjson.KindArray:
		if n.items == nil || n.items.types == 0 || n.items.types&bitOf(raw) != 0 {
			kind = ArrayScalarFlip
		}
	case rawjson.KindOf(raw) == rawjson.KindArray:
		for _, item := range rawjson.Elements(raw) {
			if n.types&bitOf(item) != 0 {
				kind = ArrayScalarFlip
			}
			break
		}
	}
	s.sign(kind, place, doc, saw)
}

// enveloped reports a result that is nested in another way than is documented.
func (s *sight) enveloped(n *node, raw []byte) bool {
	switch rawjson.KindOf(raw) {
	case rawjson.KindArray:
		if n.types == tObject && holdsList(n) {
			s.sign(EnvelopeChanged, "output:", "an object around the list", "the list alone")
			return true
		}
	case rawjson.KindObject:
		if n.types == tArray {
			for name, value := range rawjson.Members(raw) {
				if rawjson.KindOf(value) == rawjson.KindArray {
					s.sign(EnvelopeChanged, "output:", "the list alone", "an object around it, under "+nameToken(name))
					return true
				}
			}
		}
		if n.types&tObject != 0 && len(n.required) > 0 {
			return s.nested(n, raw)
		}
	}
	return false
}

func holdsList(n *node) bool {
	for _, name := range n.order {
		if n.props[name].types == tArray {
			return true
		}
	}
	return false
}

// nested tells an object that stands one level deeper, or higher, than is
// documented: nothing that is required is in its place, and all of it is there.
func (s *sight) nested(n *node, raw []byte) bool {
	for _, name := range n.required {
		if _, ok := rawjson.Member(raw, name); ok {
			return false
		}
	}
	for name, value := range rawjson.Members(raw) {
		if n.props[name] == nil && hasAll(value, n.required) {
			s.sign(EnvelopeChanged, "output:", "members at the top", "members under "+nameToken(name))
			return true
		}
	}
	if len(n.required) == 1 {
		inner := n.props[n.required[0]]
		if inner != nil && len(inner.required) > 0 && hasAll(raw, inner.required) {
			s.sign(EnvelopeChanged, "output:", "members under "+nameToken(n.required[0]), "members at the top")
			return true
		}
	}
	return false
}

func hasAll(raw []byte, names []string) bool {
	for _, name := range names {
		if _, ok := rawjson.Member(raw, name); !ok {
			return false
		}
	}
	return rawjson.KindOf(raw) == rawjson.KindObject
}

func nameToken(name string) string {
	if t := token(name); t != "" {
		return t
	}
	return "another name"
}

// lists reports whether a closed list has the value.
func (n *node) lists(raw []byte) bool {
	if n.words[string(raw)] {
		return true
	}
	for _, v := range n.enum {
		if rawjson.Equal(v, raw) {
			return true
		}
	}
	return false
}

// listed writes a closed list for people.
func (n *node) listed() string {
	var b strings.Builder
	for i, v := range n.enum {
		if i == 12 {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(clip(strings.Trim(string(v), `"`), 32))
	}
	return b.String()
}

// tokenOf shows a value that has the form of a token, and the type of any
// other.
func tokenOf(raw []byte) string {
	if text, ok := rawjson.String(raw); ok {
		if t := token(text); t != "" && len(t) <= 32 {
			return t
		}
		return "another text"
	}
	if len(raw) <= 20 && rawjson.KindOf(raw) != rawjson.KindObject && rawjson.KindOf(raw) != rawjson.KindArray {
		return string(raw)
	}
	return typeOf(raw)
}

// bitOf is the type of a value, as a bit. A whole number is an integer however
// it is spelled.
func bitOf(raw []byte) uint8 {
	switch rawjson.KindOf(raw) {
	case rawjson.KindNull:
		return tNull
	case rawjson.KindFalse, rawjson.KindTrue:
		return tBool
	case rawjson.KindNumber:
		if whole(raw) {
			return tInteger
		}
		return tNumber
	case rawjson.KindString:
		return tString
	case rawjson.KindArray:
		return tArray
	}
	return tObject
}

func whole(raw []byte) bool {
	plain := true
	for _, c := range raw {
		plain = plain && c != '.' && c != 'e' && c != 'E'
	}
	if plain {
		return true
	}
	v := numberOf(raw)
	return v == float64(int64(v)) || v > 1<<62 || v < -1<<62
}

var typeWords = map[uint8]string{tNull: "null", tBool: "boolean", tInteger: "integer", tNumber: "number", tString: "string", tArray: "array", tObject: "object"}

func typeOf(raw []byte) string { return typeWords[bitOf(raw)] }

// letterOf is the letter of a value. Where numbers are documented a whole one is
// a number like any other.
func letterOf(raw []byte, n *node) byte {
	switch bitOf(raw) {
	case tNull:
		return 'z'
	case tBool:
		return 'b'
	case tInteger:
		if n != nil && n.types&tNumber != 0 {
			return 'n'
		}
		return 'i'
	case tNumber:
		return 'n'
	case tArray:
		return 'a'
	case tObject:
		return 'o'
	}
	return textLetter(raw[1 : len(raw)-1])
}
