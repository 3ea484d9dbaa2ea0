package receipt

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// direct is a body that writes its own canonical form. It reports false where
// that would need more than copying, and the long way is taken.
type direct interface {
	appendCanonical(dst []byte) ([]byte, bool)
}

// appendCanonical writes the body of a call, of which there is one for every
// call: the long way, through an encoder and a parser, is a good part of what a
// receipt costs.
func (b CallBody) appendCanonical(dst []byte) ([]byte, bool) {
	w := members{out: append(dst, '{'), plain: true}
	w.optional("approval", b.Approval)
	w.text("args_digest", b.ArgsDigest)
	w.text("at", b.At)
	w.number("attempts", int64(b.Attempts))
	w.optional("binding", b.Binding)
	w.optional("blind", b.Blind)
	w.optional("contract", b.Contract)
	w.optional("effect", string(b.Effect))
	w.optional("family", b.Family)
	w.flag("insensitive", b.Insensitive)
	w.optional("intent", b.Intent)
	w.object("observed", b.Observed)
	w.text("outcome", string(b.Outcome))
	w.optional("policies", b.Policies)
	w.text("principal", b.Principal)
	w.optional("reason", string(b.Reason))
	w.text("receipt", b.Receipt)
	w.optional("result_digest", b.ResultDigest)
	w.number("rows_withheld", int64(b.Rows))
	w.optional("source", b.Source)
	w.optional("stage", b.Stage)
	w.optional("tenant", b.Tenant)
	w.number("took_us", b.TookMicros)
	w.text("tool", b.Tool)
	w.optional("validated", b.Validated)
	w.optional("version", b.Version)
	w.optional("view", b.View)
	w.out[len(w.out)-1] = '}' // over the last comma
	return w.out, w.plain && len(w.out) <= MaxBody
}

// appendCanonical writes the body of an answer, of which there is one for every
// need.
func (b ResolveBody) appendCanonical(dst []byte) ([]byte, bool) {
	w := members{out: append(dst, '{'), plain: true}
	w.text("at", b.At)
	w.text("disposition", string(b.Disposition))
	w.text("need_digest", b.NeedDigest)
	if len(b.Offered) > 0 {
		w.list("offered", len(b.Offered), func(i int) {
			w.optional("contract", b.Offered[i].Contract)
			w.text("tool", b.Offered[i].Tool)
			w.text("version", b.Offered[i].Version)
		})
	}
	w.optional("policies", b.Policies)
	w.text("principal", b.Principal)
	w.optional("reason", string(b.Reason))
	w.optional("scorer", b.Scorer)
	if len(b.Shadowed) > 0 {
		w.list("shadowed", len(b.Shadowed), func(i int) {
			w.text("compatible", b.Shadowed[i].Compatible)
			w.text("family", b.Shadowed[i].Family)
			w.text("incompatible", b.Shadowed[i].Incompatible)
		})
	}
	w.optional("tenant", b.Tenant)
	w.number("took_us", b.TookMicros)
	w.optional("view", b.View)
	w.out[len(w.out)-1] = '}' // over the last comma
	return w.out, w.plain && len(w.out) <= MaxBody
}

// members writes the members of an object, in the order in which it is told of
// them.
type members struct {
	out   []byte
	plain bool
}

func (w *members) text(name, value string) {
	w.plain = w.plain && plainText(value)
	w.out = append(append(append(append(append(append(w.out, '"'), name...), `":"`...), value...), '"'), ',')
}

func (w *members) optional(name, value string) {
	if value != "" {
		w.text(name, value)
	}
}

// list writes a list of so many objects, none of them empty.
func (w *members) list(name string, n int, members func(i int)) {
	w.out = append(append(append(w.out, '"'), name...), `":[`...)
	for i := range n {
		w.out = append(w.out, '{')
		members(i)
		w.out = append(w.out[:len(w.out)-1], "},"...) // over the last comma
	}
	w.out = append(w.out[:len(w.out)-1], "],"...)
}

func (w *members) flag(name string, value bool) {
	if value {
		w.out = append(append(append(w.out, '"'), name...), `":true,`...)
	}
}

func (w *members) number(name string, value int64) {
	const most = 1<<53 - 1
	if value == 0 {
		return
	}
	w.plain = w.plain && -most <= value && value <= most
	w.out = append(append(append(w.out, '"'), name...), `":`...)
	w.out = append(strconv.AppendInt(w.out, value, 10), ',')
}

// object writes an object that has a canonical form; where it has none, the long
// way says why.
func (w *members) object(name string, value json.RawMessage) {
	if len(value) == 0 {
		return
	}
	w.out = append(append(append(w.out, '"'), name...), `":`...)
	out, ok := w.out, json.Valid(value) && rawjson.KindOf(value) == rawjson.KindObject
	if ok {
		out, ok = appendPlain(w.out, bytes.TrimSpace(value))
	}
	if !ok {
		text, err := Canonical(value)
		w.plain = w.plain && err == nil
		out = append(w.out, text...)
	}
	w.out = append(out, ',')
}

// appendPlain writes the canonical form of a valid JSON value of which every
// part is spelled as it is to be, but for the order of members and white space;
// it reports false at anything else.
func appendPlain(dst []byte, value []byte) ([]byte, bool) {
	switch value[0] {
	case '{':
		return appendMembers(dst, value)
	case '[':
		dst = append(dst, '[')
		for n, element := range rawjson.Elements(value) {
			var ok bool
			if n > 0 {
				dst = append(dst, ',')
			}
			if dst, ok = appendPlain(dst, element); !ok {
				return dst, false
			}
		}
		return append(dst, ']'), true
	case '"':
		inner := value[1 : len(value)-1]
		return append(dst, value...), plainBytes(inner)
	case 't', 'f':
		return append(dst, value...), true
	case 'n':
		return dst, false
	}
	return append(dst, value...), plainInteger(value) || plainDecimal(value)
}

// appendMembers writes an object with its members in order.
func appendMembers(dst []byte, object []byte) ([]byte, bool) {
	type member struct {
		name  string
		value []byte
	}
	var few [16]member
	all := few[:0]
	for name, value := range rawjson.Members(object) {
		all = append(all, member{name, value})
	}
	slices.SortFunc(all, func(a, b member) int { return strings.Compare(a.name, b.name) })
	dst = append(dst, '{')
	for i, m := range all {
		if i > 0 {
			if m.name == all[i-1].name {
				return dst, false
			}
			dst = append(dst, ',')
		}
		if !plainText(m.name) {
			return dst, false
		}
		dst = append(append(append(dst, '"'), m.name...), `":`...)
		var ok bool
		if dst, ok = appendPlain(dst, m.value); !ok {
			return dst, false
		}
	}
	return append(dst, '}'), true
}

func plainBytes(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// plainText reports whether a text is spelled in JSON as it is.
func plainText(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
