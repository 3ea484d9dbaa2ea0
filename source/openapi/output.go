package openapi

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/source/httpcall"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// output is what a good answer of an operation is.
type output struct {
	schema []byte // nil where the document does not say
	accept string
	answer httpcall.Answer
}

// good is one documented answer.
type good struct {
	media  string // "" for an answer that is documented without a body
	schema node
	at     string
	empty  bool // 204 and 205: there is no body by definition
}

// output reads the documented answers. What is wrong with them leaves the
// operation a tool, without an output schema.
func (d *document) output(e *endpoint) (output, []interlock.Finding) {
	answers, err := d.answers(e)
	if err != nil {
		return output{}, lesser(e, err)
	}
	if e.method == http.MethodHead {
		return output{schema: []byte(`{"type":"null"}`)}, nil
	}
	out := output{}
	var bodies []good
	none := false
	for _, a := range answers {
		none = none || a.media == ""
		if a.media == "" && !a.empty && len(answers) == 1 {
			return out, nil // a body that nobody describes
		}
		if a.media != "" {
			bodies = append(bodies, a)
		}
	}
	if len(answers) == 0 {
		return out, nil
	}
	out.accept, out.answer = readAs(bodies)
	if out.answer != httpcall.AnswerJSON {
		out.schema = []byte(`{"type":"string"}`)
		if out.answer == httpcall.AnswerBase64 {
			out.schema = []byte(`{"type":"string","contentEncoding":"base64"}`)
		}
		if none {
			out.schema = []byte(`{"type":["string","null"]}`)
		}
		return out, nil
	}
	if out.schema, err = d.outputSchema(bodies, none); err != nil {
		return output{accept: out.accept}, lesser(e, err)
	}
	return out, nil
}

func lesser(e *endpoint, err error) []interlock.Finding {
	pointer, reason := locate(err, e.pointer)
	return []interlock.Finding{{Pointer: pointer, Reason: e.title() + " has no output schema: " + reason}}
}

// readAs tells what to ask for and how to read it: JSON where any answer is
// JSON, else text, else bytes.
func readAs(bodies []good) (string, httpcall.Answer) {
	for _, b := range bodies {
		if httpcall.IsJSON(b.media) || strings.Contains(b.media, "*") {
			if b.media == "application/json" || strings.Contains(b.media, "*") {
				return "", httpcall.AnswerJSON
			}
			return b.media, httpcall.AnswerJSON
		}
	}
	for _, b := range bodies {
		if httpcall.IsText(b.media) {
			return b.media, httpcall.AnswerText
		}
	}
	if len(bodies) > 0 {
		return bodies[0].media, httpcall.AnswerBase64
	}
	return "", httpcall.AnswerJSON
}

// outputSchema is the schema of every JSON answer: the one, or any of several.
func (d *document) outputSchema(bodies []good, none bool) ([]byte, error) {
	c := d.converter(answering)
	var each [][]byte
	for _, b := range bodies {
		if b.schema == nil {
			return nil, nil
		}
		convert := c.root
		if len(bodies) > 1 || none {
			convert = func(n node, at string) ([]byte, error) { return c.schema(n, at, true) }
		}
		text, err := convert(b.schema, b.at)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(each, func(t []byte) bool { return bytes.Equal(t, text) }) {
			each = append(each, text)
		}
	}
	if none {
		each = append(each, []byte(`{"type":"null"}`))
	}
	root := each[0]
	if len(each) > 1 {
		root = append(append([]byte(`{"anyOf":[`), bytes.Join(each, []byte{','})...), "]}"...)
	}
	return c.complete(root)
}

// answers lists the documented answers of success, and the default one where
// there is none.
func (d *document) answers(e *endpoint) ([]good, error) {
	var out []good
	responses, at := e.op.Get("responses"), join(e.pointer, "responses")
	for _, m := range membersOf(responses) {
		if m.Name == "2XX" || m.Name == "2xx" || len(m.Name) == 3 && m.Name[0] == '2' {
			some, err := d.answer(e, m.Name, m.Value, join(at, m.Name))
			if err != nil {
				return nil, err
			}
			out = append(out, some...)
		}
	}
	if fallback := responses.Get("default"); len(out) == 0 && fallback != nil {
		return d.answer(e, "default", fallback, join(at, "default"))
	}
	return out, nil
}

// answer reads one response: its JSON content, or else everything it has.
func (d *document) answer(e *endpoint, status string, n node, at string) ([]good, error) {
	n, at, err := d.follow(n, at)
	if err != nil {
		return nil, err
	}
	nothing := []good{{empty: status == "204" || status == "205"}}
	if d.dialect == swagger2 {
		return d.oldAnswer(e, n, at, nothing), nil
	}
	content := membersOf(n.Get("content"))
	if len(content) == 0 || nothing[0].empty {
		return nothing, nil
	}
	var json, other []good
	for _, m := range content {
		g := good{media: m.Name, schema: m.Value.Get("schema"), at: join(at, "content", m.Name, "schema")}
		if httpcall.IsJSON(m.Name) {
			json = append(json, g)
		} else {
			other = append(other, g)
		}
	}
	if len(json) > 0 {
		return json, nil
	}
	return other, nil
}

func (d *document) oldAnswer(e *endpoint, n node, at string, nothing []good) []good {
	schema := n.Get("schema")
	if schema == nil {
		return nothing
	}
	media := "application/json"
	for _, m := range d.produces(e) {
		if media = m; httpcall.IsJSON(m) {
			break
		}
	}
	if schema.Get("type").Text() == "file" && httpcall.IsJSON(media) {
		media = "application/octet-stream"
	}
	return []good{{media: media, schema: schema, at: join(at, "schema")}}
}

// errors lists the documented failures, by their status alone: what a
// document says about them in prose is no part of the promise.
func (d *document) errors(e *endpoint) []interlock.ErrorCase {
	var out []interlock.ErrorCase
	for _, m := range membersOf(e.op.Get("responses")) {
		switch {
		case strings.EqualFold(m.Name, "4XX"):
			out = append(out, interlock.ErrorCase{When: "client_error", Code: "4XX"})
		case strings.EqualFold(m.Name, "5XX"):
			out = append(out, interlock.ErrorCase{When: "server_error", Code: "5XX"})
		case len(m.Name) == 3 && (m.Name[0] == '4' || m.Name[0] == '5'):
			if status, err := strconv.Atoi(m.Name); err == nil {
				out = append(out, interlock.ErrorCase{When: whenOf(status), Status: status})
			}
		}
	}
	slices.SortFunc(out, func(a, b interlock.ErrorCase) int {
		if a.Status != b.Status {
			return a.Status - b.Status
		}
		return strings.Compare(a.Code, b.Code)
	})
	return slices.Compact(out)
}

// whenOf names a status in one word: not_found.
func whenOf(status int) string {
	name := strings.ToLower(http.StatusText(status))
	if name == "" {
		return "status_" + strconv.Itoa(status)
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '-':
			return '_'
		case '\'':
			return -1
		}
		return r
	}, name)
}

// isNull reports whether a value is missing or null.
func isNull(n node) bool { return n == nil || n.Is(yamljson.Null) }
