package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/internal/spelling"
)

// Stray is a member that nothing is known to be meant by.
type Stray struct {
	Name string
	Near string // the known name that is likely meant; empty where none is near

	Known []string // every name that is known, where they are few
}

// fewKnown is how many names are still worth listing.
const fewKnown = 8

func (e *Stray) Error() string {
	if e.Near != "" {
		return fmt.Sprintf("unknown key %q; did you mean %q?", e.Name, e.Near)
	}
	if len(e.Known) > 0 {
		return fmt.Sprintf("unknown key %q; known: %s", e.Name, strings.Join(e.Known, ", "))
	}
	return fmt.Sprintf("unknown key %q", e.Name)
}

// Strict decodes one JSON value whose every member is known. Its errors say
// where and what was expected, in words for who wrote the text; an unknown
// member is a *Stray. Also are names worth suggesting that into does not have.
func Strict(raw []byte, into any, also ...string) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if err == nil {
		if len(bytes.TrimSpace(raw[dec.InputOffset():])) > 0 {
			return errors.New("it is more than one JSON value")
		}
		return nil
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("%s: expected %s, found %s", cmp.Or(kind.Field, "the whole"), wanted(kind.Type), kind.Value)
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	quoted, ok := strings.CutPrefix(text, "unknown field ")
	if !ok {
		return errors.New(text)
	}
	name, unquoted := strconv.Unquote(quoted)
	if unquoted != nil {
		name = quoted
	}
	stray, known := &Stray{Name: name}, append(members(reflect.TypeOf(into), nil), also...)
	if stray.Near = spelling.Nearest(name, known); len(known) <= fewKnown {
		stray.Known = known
	}
	return stray
}

// wanted names a type in words.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.String:
		return "text (put it into quotes)"
	}
	return t.Kind().String()
}

// members lists the JSON names of a struct and of what is inside it.
func members(t reflect.Type, out []string) []string {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return out
	}
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" {
			out = members(t.Field(i).Type, append(out, name))
		} else if t.Field(i).Anonymous {
			out = members(t.Field(i).Type, out)
		}
	}
	return out
}
