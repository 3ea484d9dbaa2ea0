package vet

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// kind says how a text is read.
type kind uint8

const (
	kindProse   kind = iota // a description, title, example or value
	kindName                // the name of a tool, a member, a tag
	kindPattern             // a regular expression, read for what it spells out
)

// text is one string of a definition that a model may be shown.
type text struct {
	pointer string
	value   string
	kind    kind
}

// texts gathers strings in the order in which a reader meets them.
type texts []text

func (ts *texts) add(pointer, value string, k kind) {
	if value != "" {
		*ts = append(*ts, text{pointer, value, k})
	}
}

// textsOf gives every string of a definition that can reach a model. What a
// source is told alone, the binding, is not among them.
func textsOf(op interlock.Operation) texts {
	var ts texts
	ts.add("/id", op.ID, kindName)
	ts.add("/name", op.Name, kindName)
	ts.add("/family", op.Family, kindName)
	ts.add("/version", op.Version, kindName)
	ts.add("/title", op.Title, kindProse)
	for i, v := range op.Variants {
		ts.add(at("/variants", i, "id"), v.ID, kindName)
		ts.add(at("/variants", i, "description"), v.Description, kindProse)
	}
	for i, a := range op.Aliases {
		ts.add("/aliases/"+strconv.Itoa(i), a, kindProse)
	}
	ts.pairs("/tags", op.Tags)
	ts.json("/input_schema", op.InputSchema, 0)
	ts.json("/output_schema", op.OutputSchema, 0)
	ts.json("/annotations", op.Annotations, 0)
	for i, e := range op.Errors {
		ts.add(at("/errors", i, "when"), e.When, kindProse)
		ts.add(at("/errors", i, "code"), e.Code, kindProse)
	}
	for i, scope := range op.Scopes {
		ts.add("/scopes/"+strconv.Itoa(i), scope, kindProse)
	}
	ts.meanings(op.Fields)
	return ts
}

func at(list string, i int, member string) string {
	return list + "/" + strconv.Itoa(i) + "/" + member
}

func (ts *texts) pairs(pointer string, pairs map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		here := pointer + "/" + visible(name)
		ts.add(here, name, kindName)
		ts.add(here, pairs[name], kindProse)
	}
}

func (ts *texts) meanings(fields []interlock.FieldMeaning) {
	for i, f := range fields {
		ts.add(at("/fields", i, "at"), f.At, kindName)
		ts.add(at("/fields", i, "semantic_id"), f.SemanticID, kindName)
		ts.add(at("/fields", i, "unit"), f.Unit, kindProse)
		ts.add(at("/fields", i, "format"), f.Format, kindProse)
		ts.pairs(at("/fields", i, "qualifiers"), f.Qualifiers)
	}
}

// json adds every string of a JSON value, names of members included.
func (ts *texts) json(pointer string, raw []byte, depth int) {
	if depth > interlock.MaxJSONDepth || len(raw) == 0 {
		return
	}
	switch raw[0] {
	case '"':
		ts.add(pointer, stringOf(raw), kindProse)
	case '[':
		for i, item := range rawjson.Elements(raw) {
			ts.json(pointer+"/"+strconv.Itoa(i), item, depth+1)
		}
	case '{':
		for name, value := range rawjson.Members(raw) {
			here := pointer + "/" + visible(name)
			ts.add(here, name, kindName)
			if name == "pattern" && value[0] == '"' {
				ts.add(here, stringOf(value), kindPattern)
				continue
			}
			ts.json(here, value, depth+1)
		}
	case ' ', '\n', '\r', '\t':
		ts.json(pointer, []byte(strings.TrimLeft(string(raw), " \n\r\t")), depth)
	}
}

// stringOf is what a JSON string spells; where it spells nothing well formed,
// what stands between its quotes.
func stringOf(raw []byte) string {
	if s, ok := rawjson.String(raw); ok {
		return s
	}
	return strings.ToValidUTF8(strings.Trim(string(raw), `"`), string(utf8.RuneError))
}

const maxToken = 64

// visible is a name as a token of a pointer: short, and with the code points of
// what nobody would see.
func visible(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i >= maxToken {
			b.WriteString("…")
			break
		}
		if unseen(r) {
			b.WriteString(codePoint(r))
			continue
		}
		b.WriteRune(r)
	}
	return rawjson.EscapeToken(b.String())
}
