package httpcall

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// write gives the bytes of the body and their media type, and nil where the
// call carries none.
func (b *Body) write(all []byte, params []Param) ([]byte, string, error) {
	raw, err := b.value(all, params)
	if raw == nil || err != nil {
		return nil, "", err
	}
	switch formOf(b.Media) {
	case formJSON:
		return raw, b.Media, nil
	case formURL:
		return b.urlencoded(raw)
	case formMultipart:
		return b.multipart(raw)
	case formText, formBytes:
		return b.single(raw)
	}
	return nil, "", badBinding(fmt.Errorf("no writer for %q", b.Media))
}

// value is the body as JSON: one argument, or the object of the arguments that
// are no parameters, spelled as they came.
func (b *Body) value(all []byte, params []Param) ([]byte, error) {
	if b.Arg != "" {
		raw, given := rawjson.Member(all, b.Arg)
		if !given && b.Required {
			return nil, badArgument(b.Arg, "the request needs it as its body")
		}
		return raw, nil
	}
	if len(params) == 0 {
		return b.unlessEmpty(all), nil
	}
	taken := map[string]bool{}
	for _, p := range params {
		taken[p.Arg] = true
	}
	rest := func(name string) bool { return !taken[name] }
	kept, _ := rawjson.Project(nil, all, &rawjson.Shape{Patterns: []rawjson.PatternShape{{Match: rest, Shape: &rawjson.Shape{Any: true}}}})
	return b.unlessEmpty(kept), nil
}

// unlessEmpty leaves out an object without members where a body may be left
// out.
func (b *Body) unlessEmpty(object []byte) []byte {
	if b.Required {
		return object
	}
	for range rawjson.Members(object) {
		return object
	}
	return nil
}

// arg names the argument that a member of the body came from.
func (b *Body) arg(member string) string {
	if b.Arg != "" {
		return b.Arg
	}
	return member
}

func (b *Body) urlencoded(raw []byte) ([]byte, string, error) {
	var pairs []string
	for name, value := range rawjson.Members(raw) {
		if rawjson.KindOf(value) == rawjson.KindNull {
			continue
		}
		out, err := b.field(name, value).pairs(value)
		if err != nil {
			return nil, "", badArgument(b.arg(name), err.Error())
		}
		pairs = append(pairs, out...)
	}
	return []byte(strings.Join(pairs, "&")), "application/x-www-form-urlencoded", nil
}

// field says how one member of a form is spelled: as the document says, and
// otherwise lists repeat their name and objects are JSON.
func (b *Body) field(name string, value []byte) Param {
	p := Param{Arg: name, Name: name, In: InQuery, Style: StyleForm, Explode: true}
	if e, told := b.Encoding[name]; told {
		p.Style, p.Explode = e.Style, e.Explode
		return p
	}
	if rawjson.KindOf(value) == rawjson.KindObject || nested(value) {
		p.Style = StyleJSON
	}
	return p
}

// nested reports whether an array holds anything but scalars.
func nested(value []byte) bool {
	for _, element := range rawjson.Elements(value) {
		if k := rawjson.KindOf(element); k == rawjson.KindArray || k == rawjson.KindObject {
			return true
		}
	}
	return false
}

func (b *Body) multipart(raw []byte) ([]byte, string, error) {
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	for name, value := range rawjson.Members(raw) {
		if rawjson.KindOf(value) == rawjson.KindNull {
			continue
		}
		items := [][]byte{value}
		if rawjson.KindOf(value) == rawjson.KindArray && !nested(value) {
			items = items[:0]
			for _, element := range rawjson.Elements(value) {
				items = append(items, element)
			}
		}
		for _, item := range items {
			if err := b.part(w, name, item); err != nil {
				return nil, "", badArgument(b.arg(name), err.Error())
			}
		}
	}
	if err := w.Close(); err != nil {
		return nil, "", fmt.Errorf("write the multipart body: %w", err)
	}
	return buf.Bytes(), w.FormDataContentType(), nil
}

// part writes one part: a file from base64, a scalar as text, the rest as JSON.
func (b *Body) part(w *multipart.Writer, name string, value []byte) error {
	quoted := strings.NewReplacer(`\`, `\\`, `"`, "%22", "\r", "%0D", "\n", "%0A").Replace(name)
	head := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="` + quoted + `"`}}
	var content []byte
	switch kind := rawjson.KindOf(value); {
	case slices.Contains(b.Files, name):
		file, err := fromBase64(value)
		if err != nil {
			return err
		}
		content = file
		head.Set("Content-Disposition", `form-data; name="`+quoted+`"; filename="`+quoted+`"`)
		head.Set("Content-Type", "application/octet-stream")
	case kind == rawjson.KindObject || kind == rawjson.KindArray:
		content = value
		head.Set("Content-Type", "application/json")
	default:
		text, err := scalarText(value)
		if err != nil {
			return err
		}
		content = []byte(text)
		head.Set("Content-Type", "text/plain; charset=utf-8")
	}
	out, err := w.CreatePart(head)
	if err != nil {
		return fmt.Errorf("write part: %w", err)
	}
	_, err = out.Write(content)
	return err
}

// single writes a body that is one text, or one file from base64.
func (b *Body) single(raw []byte) ([]byte, string, error) {
	if formOf(b.Media) == formBytes {
		file, err := fromBase64(raw)
		if err != nil {
			return nil, "", badArgument(b.Arg, err.Error())
		}
		return file, b.Media, nil
	}
	text, err := scalarText(raw)
	if err != nil || rawjson.KindOf(raw) == rawjson.KindNull {
		return nil, "", badArgument(b.Arg, "the body is text")
	}
	media := b.Media
	if !strings.Contains(media, ";") {
		media += "; charset=utf-8"
	}
	return []byte(text), media, nil
}

func fromBase64(raw []byte) ([]byte, error) {
	text, ok := rawjson.String(raw)
	if ok && rawjson.KindOf(raw) == rawjson.KindString {
		if out, err := base64.StdEncoding.DecodeString(text); err == nil {
			return out, nil
		}
	}
	return nil, fmt.Errorf("a file is given as a string in base64")
}
