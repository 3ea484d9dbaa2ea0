package toollist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// maxLine is the longest line read, in bytes.
const maxLine = 8 << 20

// maxID is the longest id and name, in bytes.
const maxID = 512

// Read reads the lines of a list. Empty lines are passed over.
func Read(text []byte) interlock.Catalogue {
	c := interlock.Catalogue{Operations: []interlock.Operation{}, Findings: []interlock.Finding{}}
	lines := map[string]int{}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for number := 1; len(text) > 0; number++ {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		text = rest
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		c.Total++
		op, remark, err := readLine(line)
		if before, known := lines[op.ID]; err == nil && known {
			err = fmt.Errorf("the id %q is that of line %d already", clip(op.ID), before)
		}
		at := fmt.Sprintf("/%d", number)
		if err != nil {
			c.Findings = append(c.Findings, interlock.Finding{Pointer: at, Reason: err.Error(), Dropped: true})
			continue
		}
		if remark != "" {
			c.Findings = append(c.Findings, interlock.Finding{Pointer: at, Reason: remark})
		}
		lines[op.ID] = number
		c.Operations, c.Places = append(c.Operations, op), append(c.Places, at)
	}
	return c
}

// row is what is read of a line; other members are passed over.
type row struct {
	id, name, title, description, input, output, annotations []byte
}

// readLine reads one tool. The remark says what was read otherwise than it was
// written.
func readLine(line []byte) (op interlock.Operation, remark string, err error) {
	if err := rawjson.Check(line, rawjson.Limits{Bytes: maxLine, Depth: 256}); err != nil {
		return op, "", fmt.Errorf("the line is not one JSON value: %w", err)
	}
	if rawjson.KindOf(line) != rawjson.KindObject {
		return op, "", errors.New("the line is no JSON object")
	}
	r := membersOf(line)
	if op.ID, err = label(r.id, "id"); err != nil {
		return op, "", err
	}
	if op.Name, err = label(r.name, "name"); err != nil {
		return op, "", err
	}
	if op.InputSchema, err = schema(r.input, "inputSchema"); err != nil {
		return op, "", err
	}
	if op.OutputSchema, err = schema(r.output, "outputSchema"); err != nil {
		return op, "", err
	}
	if op.InputSchema == nil {
		op.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	text, remark := description(r.description, op.Name)
	op.Variants = []interlock.Variant{{ID: "default", Description: text}}
	op.Title, _ = rawjson.String(r.title)
	if rawjson.KindOf(r.annotations) == rawjson.KindObject {
		op.Annotations = rawjson.Compact(nil, r.annotations)
	}
	return op, remark, nil
}

func membersOf(line []byte) row {
	var r row
	for name, value := range rawjson.Members(line) {
		switch name {
		case "id":
			r.id = value
		case "name":
			r.name = value
		case "title":
			r.title = value
		case "description":
			r.description = value
		case "inputSchema":
			r.input = value
		case "outputSchema":
			r.output = value
		case "annotations":
			r.annotations = value
		}
	}
	return r
}

// label takes a text that can stand on one line.
func label(raw []byte, member string) (string, error) {
	text, ok := rawjson.String(raw)
	if !ok || text == "" {
		return "", fmt.Errorf("%q is missing, empty or no text", member)
	}
	if len(text) > maxID {
		return "", fmt.Errorf("%q is over %d bytes", member, maxID)
	}
	if strings.TrimSpace(text) != text || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return "", fmt.Errorf("%q has space at its ends, or holds what cannot be printed", member)
	}
	return text, nil
}

// schema takes what can be a JSON Schema at all; the registry judges the rest.
func schema(raw []byte, member string) (json.RawMessage, error) {
	switch kind := rawjson.KindOf(raw); kind {
	case rawjson.KindInvalid, rawjson.KindNull:
		return nil, nil
	case rawjson.KindObject, rawjson.KindTrue, rawjson.KindFalse:
		return rawjson.Compact(nil, raw), nil
	default:
		return nil, fmt.Errorf("%q is a schema, an object or a boolean, and this is %s", member, kind)
	}
}

// description reads the tool's words: a text as it is, a list of texts line by
// line, anything else as its JSON, and nothing as the tool's name.
func description(raw []byte, name string) (text, remark string) {
	switch kind := rawjson.KindOf(raw); kind {
	case rawjson.KindString:
		text, _ = rawjson.String(raw)
	case rawjson.KindInvalid, rawjson.KindNull:
	case rawjson.KindArray:
		remark = "the description is a list; its texts are read as lines"
		var parts []string
		for _, element := range rawjson.Elements(raw) {
			if part, ok := rawjson.String(element); ok {
				parts = append(parts, part)
			}
		}
		text = strings.Join(parts, "\n")
	default:
		remark = fmt.Sprintf("the description is %s; its JSON is read as text", kind)
		text = string(rawjson.Compact(nil, raw))
	}
	if strings.TrimSpace(text) == "" {
		return name, remark
	}
	return text, remark
}

// clip bounds text that a message repeats.
func clip(text string) string {
	if len(text) <= 100 {
		return text
	}
	return strings.ToValidUTF8(text[:100], "") + "…"
}
