package documents

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/source/openapi"
)

// OpenAPI compares two OpenAPI or Swagger documents. Operations match by
// method and path, the names of path parameters apart.
func OpenAPI(base, revision []byte, opts Options) (Report, error) {
	old, err := readOpenAPI(base)
	if err != nil {
		return Report{}, err
	}
	new, err := readOpenAPI(revision)
	if err != nil {
		return Report{}, err
	}
	return compare(old, new, opts)
}

func readOpenAPI(text []byte) ([]entry, error) {
	all, _, err := openapi.Describe(text)
	if err != nil {
		return nil, err
	}
	template := regexp.MustCompile(`\{[^}]*\}`)
	out := make([]entry, len(all))
	for i, d := range all {
		name := d.Method + " " + d.Path
		out[i] = entry{name: name, key: name, loose: template.ReplaceAllString(name, "{}"), pointer: d.Pointer, webhook: d.Webhook, err: d.Err}
		if out[i].digest = unreadDigest(d); d.Err == nil {
			out[i].side, out[i].digest = sideOf(d), digestOf(d)
		}
	}
	return out, nil
}

// unreadDigest tells two operations apart that cannot be read.
func unreadDigest(d openapi.Described) string {
	text, err := contract.Canonical(d.Unread)
	if err != nil {
		return string(d.Unread)
	}
	return string(text)
}

// digestOf is a digest of everything in an operation that is compared.
func digestOf(d openapi.Described) string {
	sum := sha256.New()
	put := func(parts ...[]byte) {
		for _, p := range parts {
			sum.Write(p)
			sum.Write([]byte{0})
		}
	}
	d.Parameters.Places = nil
	put(d.Parameters.Schema)
	for _, b := range d.Bodies {
		put([]byte(b.Media), b.Schema, b.Items)
	}
	for _, a := range d.Answers {
		put([]byte(a.Status))
		for _, c := range a.Contents {
			put([]byte(c.Media), c.Schema, c.Items)
		}
		for _, h := range a.Headers {
			put([]byte(h.Name), h.Schema, boolText(h.Required))
		}
	}
	rest, err := json.Marshal(struct {
		Security [][]openapi.Demand
		Errors   []interlock.ErrorCase
		State    interlock.State
	}{d.Security, d.Operation.Errors, d.Operation.State})
	if err != nil {
		return d.Pointer // equal to nothing but itself
	}
	put(rest)
	return hex.EncodeToString(sum.Sum(nil))
}

func boolText(b bool) []byte {
	if b {
		return []byte("required")
	}
	return nil
}

// sideOf prepares one operation for comparison.
func sideOf(d openapi.Described) diff.Side {
	s := diff.Side{At: d.Pointer, Contract: rule.Contract{Operation: d.Operation, Web: webOf(d)}}
	add := func(name, pointer string, dir rule.Direction, c openapi.Content, nested bool) {
		s.Sections = append(s.Sections, diff.Section{Name: name, Direction: dir, Schema: c.Schema, Places: c.Places, At: pointer, Nested: nested, Text: name == "parameters"})
		if len(c.Items) > 0 {
			s.Sections = append(s.Sections, diff.Section{Name: name + " items", Direction: dir, Schema: c.Items, At: pointer, Nested: true})
		}
	}
	add("parameters", d.Pointer, rule.Input, d.Parameters, false)
	for _, b := range d.Bodies {
		add("body "+b.Media, d.Pointer, rule.Input, b, !b.Apart)
	}
	for _, a := range d.Answers {
		for _, c := range a.Contents {
			add("answer "+a.Status+" "+c.Media, a.Pointer, rule.Output, c, false)
		}
	}
	return s
}

func webOf(d openapi.Described) *rule.Web {
	w := &rule.Web{Pointer: d.Pointer}
	stream := func(dir rule.Direction, name, pointer string, c openapi.Content) {
		w.Streams = append(w.Streams, rule.Stream{Direction: dir, Name: name, Pointer: pointer, Typed: len(c.Items) > 0})
	}
	for _, b := range d.Bodies {
		w.Bodies = append(w.Bodies, b.Media)
		stream(rule.Input, b.Media, b.Places[""], b)
	}
	for _, a := range d.Answers {
		one := rule.Answer{Status: a.Status, Pointer: a.Pointer}
		for _, c := range a.Contents {
			one.Media = append(one.Media, c.Media)
			stream(rule.Output, a.Status+" "+c.Media, c.Places[""], c)
		}
		for _, h := range a.Headers {
			w.Headers = append(w.Headers, rule.Header{Status: a.Status, Name: h.Name, Pointer: h.Pointer, Text: headerText(h)})
		}
		w.Answers = append(w.Answers, one)
	}
	for _, way := range d.Security {
		all := []rule.Scheme{}
		for _, demand := range way {
			all = append(all, rule.Scheme{Name: demand.Scheme, Stated: demand.Stated, Scopes: demand.Scopes})
		}
		w.Security = append(w.Security, all)
	}
	return w
}

// headerText is what a header states, prose apart.
func headerText(h openapi.Header) string {
	text, err := contract.Hash(interlock.Operation{InputSchema: h.Schema})
	if err != nil {
		text = string(rawjson.Compact(nil, h.Schema))
	}
	if h.Required {
		text += " required"
	}
	return text
}
