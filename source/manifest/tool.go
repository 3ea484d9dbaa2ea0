package manifest

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/source/httpcall"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

const (
	effects  = "read write destructive"
	states   = "active deprecated retired"
	results  = "strict warn off"
	toolKeys = "name title family version effect state aliases tags variants input_schema output_schema errors fields scopes idempotent results probe canaries http"
)

// tool reads one tool.
func (r *reading) tool(n node, at string) interlock.Operation {
	n = r.object(n, at, toolKeys)
	op := interlock.Operation{
		Name:         r.toolName(n, at),
		Title:        r.text(n, at, "title", false),
		Family:       r.family(n, at, false),
		Version:      r.version(n, at, "version", false),
		Effect:       interlock.Effect(r.word(n, at, "effect", false, effects)),
		State:        interlock.State(r.word(n, at, "state", false, states)),
		Aliases:      r.texts(n, at, "aliases"),
		Tags:         r.dictionary(n, at, "tags"),
		Variants:     r.variants(n, at),
		InputSchema:  r.schema(n, at, "input_schema"),
		OutputSchema: r.schema(n, at, "output_schema"),
		Errors:       r.errors(n, at),
		Fields:       r.fields(n, at),
		Scopes:       r.texts(n, at, "scopes"),
		Idempotent:   r.flag(n, at, "idempotent"),
		Results:      r.word(n, at, "results", false, results),
		Probing:      r.probing(n, at),
	}
	op.Canaries = r.canaries(n, at, op.Errors)
	if op.InputSchema == nil {
		op.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	op.Binding, op.Timeout = r.http(n, at)
	return op
}

func (r *reading) toolName(n node, at string) string {
	name := r.text(n, at, "name", true)
	if name != "" && (len(name) > 256 || !printable(name)) {
		r.fault(at+"/name", "the name %q is over 256 bytes, or holds what cannot be printed", clip(name))
		return ""
	}
	return name
}

func (r *reading) variants(n node, at string) []interlock.Variant {
	list := r.list(n, at, "variants")
	if n != nil && len(list) == 0 {
		r.fault(at, `"variants" is missing: a tool has at least one description`)
	}
	var out []interlock.Variant
	seen := map[string]bool{}
	for i, item := range list {
		here := rawjson.Join(at, "variants", strconv.Itoa(i))
		item = r.object(item, here, "id description")
		v := interlock.Variant{ID: r.text(item, here, "id", true), Description: r.text(item, here, "description", true)}
		if seen[v.ID] && v.ID != "" {
			r.fault(here+"/id", "two variants are called %q", clip(v.ID))
		}
		seen[v.ID] = true
		out = append(out, v)
	}
	return out
}

// schema takes what can be a JSON Schema at all; the registry judges the rest.
func (r *reading) schema(n node, at, name string) json.RawMessage {
	v := r.get(n, at, name, false)
	if v == nil {
		return nil
	}
	if !v.Is(yamljson.Object) && !v.Is(yamljson.Bool) {
		r.fault(rawjson.Join(at, name), "a schema is an object or a boolean, and this is %s", v.KindOf())
		return nil
	}
	return v.JSON()
}

func (r *reading) errors(n node, at string) []interlock.ErrorCase {
	var out []interlock.ErrorCase
	for i, item := range r.list(n, at, "errors") {
		here := rawjson.Join(at, "errors", strconv.Itoa(i))
		item = r.object(item, here, "when status code")
		e := interlock.ErrorCase{When: r.text(item, here, "when", true), Code: r.text(item, here, "code", false)}
		if status := r.get(item, here, "status", false); status != nil {
			number, err := strconv.Atoi(string(status.Raw))
			if !status.Is(yamljson.Number) || err != nil || number < 100 || number > 599 {
				r.fault(here+"/status", "a status is a number from 100 to 599")
			}
			e.Status = number
		}
		out = append(out, e)
	}
	return out
}

func (r *reading) fields(n node, at string) []interlock.FieldMeaning {
	var out []interlock.FieldMeaning
	for i, item := range r.list(n, at, "fields") {
		here := rawjson.Join(at, "fields", strconv.Itoa(i))
		item = r.object(item, here, "at semantic_id unit qualifiers format")
		f := interlock.FieldMeaning{
			At:         r.text(item, here, "at", true),
			SemanticID: r.text(item, here, "semantic_id", false),
			Unit:       r.text(item, here, "unit", false),
			Qualifiers: r.dictionary(item, here, "qualifiers"),
			Format:     r.text(item, here, "format", false),
		}
		if f.At != "" && !fieldPointer(f.At) {
			r.fault(here+"/at", `%q is no place of a field: write "input:/name" or "output:/name"`, clip(f.At))
		}
		out = append(out, f)
	}
	return out
}

func fieldPointer(text string) bool {
	side, pointer, found := strings.Cut(text, ":")
	_, ok := rawjson.Split(pointer)
	return found && ok && (side == "input" || side == "output")
}

func (r *reading) flag(n node, at, name string) *bool {
	v := r.get(n, at, name, false)
	if v == nil {
		return nil
	}
	if !v.Is(yamljson.Bool) {
		r.fault(rawjson.Join(at, name), "this has to be true or false, and is %s", v.KindOf())
		return nil
	}
	set := v.True()
	return &set
}

// http reads how the tool is called: its arguments are the JSON body, or the
// query where the method has no body. A tool without it can be found and not
// called.
func (r *reading) http(n node, at string) (json.RawMessage, string) {
	v := r.get(n, at, "http", false)
	if v == nil {
		return nil, ""
	}
	at = rawjson.Join(at, "http")
	v = r.object(v, at, "method url timeout")
	b := httpcall.Binding{Method: r.word(v, at, "method", true, "GET POST PUT PATCH DELETE"), URL: r.text(v, at, "url", true), Trusted: true}
	timeout := r.text(v, at, "timeout", false)
	if d, err := time.ParseDuration(timeout); timeout != "" && (err != nil || d <= 0) {
		r.fault(at+"/timeout", "%q is no duration over zero; write 5s or 500ms", clip(timeout))
	}
	if b.Method == "" || b.URL == "" {
		return nil, ""
	}
	if b.Method == "GET" || b.Method == "DELETE" {
		b.Query = true
	} else {
		b.Body = &httpcall.Body{Media: "application/json", Required: true}
	}
	raw, err := b.Encode()
	if err != nil {
		r.fault(at+"/url", "%s", err)
		return nil, ""
	}
	return raw, timeout
}
