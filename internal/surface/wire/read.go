package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/spelling"
)

// value is one JSON value of a body and where it stands.
type value struct {
	at  string // RFC 6901 pointer
	raw []byte // valid JSON without white space around it
}

// reader takes one value of a known member.
type reader func(value) error

// fields are the members that an object may have.
type fields map[string]reader

// open checks that body is one JSON text of at most limit bytes.
func open(body []byte, limit int) (value, error) {
	if len(body) > limit {
		return value{}, TooLarge(int64(limit))
	}
	if !utf8.Valid(body) {
		return value{}, Invalid("", "The body is not UTF-8.")
	}
	if !json.Valid(body) {
		return value{}, Invalid("", "The body is not JSON%s.", place(body))
	}
	return value{raw: bytes.Trim(body, " \t\r\n")}, nil
}

// place says where a broken JSON text breaks.
func place(body []byte) string {
	var whole json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(body, &whole); errors.As(err, &syntax) {
		return " at byte " + strconv.FormatInt(syntax.Offset, 10)
	}
	return ""
}

// absent reports whether a member is null, which counts as left out: it is what
// models send for members they do not use.
func (v value) absent() bool { return string(v.raw) == "null" }

// read walks the members of an object. A member that is not known, or comes
// twice, is refused.
func (v value) read(known fields) error {
	if v.raw[0] != '{' {
		return Invalid(v.at, "Expected an object, found %s.", kind(v.raw))
	}
	if brokenName(v.raw) {
		return Invalid(v.at, "The name of a member has half a surrogate pair.")
	}
	seen := make(map[string]bool, len(known))
	for name, raw := range rawjson.Members(v.raw) {
		at := rawjson.Join(v.at, clip(name))
		take, ok := known[name]
		if !ok {
			return Invalid(at, "Unknown member %q%s.", clip(name), suggestion(name, known))
		}
		if seen[name] {
			return Invalid(at, "Member %q is given twice.", name)
		}
		seen[name] = true
		if err := take(value{at, raw}); err != nil {
			return err
		}
	}
	return nil
}

// brokenName reports whether the name of a member has half a surrogate pair,
// of which two readers may make different names.
func brokenName(raw []byte) bool {
	if !bytes.Contains(raw, []byte(`\u`)) {
		return false
	}
	var names map[string]json.RawMessage
	if json.Unmarshal(raw, &names) != nil {
		return true
	}
	for name := range names {
		if strings.ContainsRune(name, utf8.RuneError) {
			return true
		}
	}
	return false
}

// text reads a string.
func text(into *string) reader {
	return func(v value) error {
		if v.absent() {
			return nil
		}
		if v.raw[0] != '"' {
			return Invalid(v.at, "Expected a string, found %s.", kind(v.raw))
		}
		s, ok := rawjson.String(v.raw)
		if !ok {
			return Invalid(v.at, "The string has half a surrogate pair.")
		}
		*into = s
		return nil
	}
}

// whole reads a whole number between 0 and most.
func whole(into *int, most int) reader {
	return func(v value) error {
		if v.absent() {
			return nil
		}
		n, err := strconv.Atoi(string(v.raw))
		if err != nil || n < 0 || n > most {
			return Invalid(v.at, "Expected a whole number from 0 to %d.", most)
		}
		*into = n
		return nil
	}
}

// flag reads true or false.
func flag(into *bool) reader {
	return func(v value) error {
		switch string(v.raw) {
		case "null":
		case "true", "false":
			*into = string(v.raw) == "true"
		default:
			return Invalid(v.at, "Expected true or false, found %s.", kind(v.raw))
		}
		return nil
	}
}

// list reads an array whose elements one reads.
func list[T any](into *[]T, one func(value) (T, error)) reader {
	return func(v value) error {
		if v.absent() {
			return nil
		}
		if v.raw[0] != '[' {
			return Invalid(v.at, "Expected an array, found %s.", kind(v.raw))
		}
		for i, raw := range rawjson.Elements(v.raw) {
			t, err := one(value{rawjson.Join(v.at, strconv.Itoa(i)), raw})
			if err != nil {
				return err
			}
			*into = append(*into, t)
		}
		return nil
	}
}

// word reads one string of a list.
func word(v value) (string, error) {
	var s string
	if v.absent() {
		return "", Invalid(v.at, "Expected a string, found null.")
	}
	err := text(&s)(v)
	return s, err
}

// words reads an object of strings.
func words(into *map[string]string) reader {
	return func(v value) error {
		if v.absent() {
			return nil
		}
		if v.raw[0] != '{' {
			return Invalid(v.at, "Expected an object of strings, found %s.", kind(v.raw))
		}
		m := map[string]string{}
		for name, raw := range rawjson.Members(v.raw) {
			at := rawjson.Join(v.at, clip(name))
			if _, twice := m[name]; twice {
				return Invalid(at, "Member %q is given twice.", clip(name))
			}
			s, err := word(value{at, raw})
			if err != nil {
				return err
			}
			m[name] = s
		}
		*into = m
		return nil
	}
}

// need says that a member is missing.
func need(v value, name, have string) error {
	if have != "" {
		return nil
	}
	return Invalid(v.at+"/"+name, "Member %q is missing.", name)
}

// kind names the type of a JSON value in a sentence.
func kind(raw []byte) string {
	switch k := rawjson.KindOf(raw); k {
	case rawjson.KindArray, rawjson.KindObject:
		return "an " + k.String()
	case rawjson.KindTrue, rawjson.KindFalse:
		return "a boolean"
	case rawjson.KindNull:
		return "null"
	default:
		return "a " + k.String()
	}
}

// clip bounds text that a message repeats.
func clip(text string) string {
	if len(text) <= 80 {
		return text
	}
	return strings.ToValidUTF8(text[:80], "") + "…"
}

// suggestion names the nearest known member, where one is near.
func suggestion(name string, known fields) string {
	names := make([]string, 0, len(known))
	for k := range known {
		names = append(names, k)
	}
	slices.Sort(names)
	if near := spelling.Nearest(name, names); near != "" {
		return "; did you mean " + strconv.Quote(near) + "?"
	}
	return "; known are " + strings.Join(names, ", ")
}

// readEffect reads one allowed effect.
func readEffect(v value) (interlock.Effect, error) {
	s, err := word(v)
	if err != nil {
		return "", err
	}
	e, err := interlock.ParseEffect(s)
	if err != nil || s == "" {
		return "", Invalid(v.at, "%q is no effect; effects are read, write, destructive.", clip(s))
	}
	return e, nil
}
