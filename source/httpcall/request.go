package httpcall

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// message is a request that is complete but for its credentials: what can be
// sent, and sent again.
type message struct {
	binding Binding
	address string
	path    string // as it must arrive
	header  http.Header
	cookies []string
	body    []byte // nil for none
	bare    bool   // no credential goes with it
}

// compose makes the message of a call.
func compose(binding json.RawMessage, args []byte) (*message, error) {
	var b Binding
	if err := json.Unmarshal(binding, &b); err != nil {
		return nil, badBinding(fmt.Errorf("read binding: %w", err))
	}
	if err := b.Validate(); err != nil {
		return nil, badBinding(err)
	}
	if len(args) == 0 {
		args = []byte("{}")
	}
	if rawjson.KindOf(args) != rawjson.KindObject {
		return nil, failure(interlock.CodeInvalid, interlock.ReasonArgumentsInvalid, interlock.OutcomeNotSent, "The arguments are no JSON object.", nil)
	}
	m := &message{binding: b, header: http.Header{}}
	given := map[string][]byte{}
	for name, value := range rawjson.Members(args) {
		given[name] = value
	}
	if err := m.fill(args, given); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *message) fill(args []byte, given map[string][]byte) error {
	b := m.binding
	origin, template, query := split(b.URL)
	path, err := fillPath(template, b.Params, given)
	if err != nil {
		return err
	}
	pairs, err := m.places(given)
	if err != nil {
		return err
	}
	if b.Query {
		more, err := rest(args, b.Params)
		if err != nil {
			return err
		}
		pairs = append(pairs, more...)
	}
	if path == "" {
		path = "/"
	}
	m.path, m.address = path, origin+path+joinQuery(query, pairs)
	accept := b.Accept
	if accept == "" {
		accept = "application/json"
	}
	m.header.Set("Accept", accept)
	if b.Body == nil {
		return nil
	}
	body, media, err := b.Body.write(args, b.Params)
	if err != nil {
		return err
	}
	if m.body = body; body != nil {
		m.header.Set("Content-Type", media)
	}
	return nil
}

// places spells the parameters that are not in the path; it gives the pairs of
// the query.
func (m *message) places(given map[string][]byte) ([]string, error) {
	var query []string
	for _, p := range m.binding.Params {
		if p.In == InPath {
			continue
		}
		raw, there := given[p.Arg]
		if !there || rawjson.KindOf(raw) == rawjson.KindNull && p.Style != StyleJSON {
			if p.Required {
				return nil, badArgument(p.Arg, "the request needs a value")
			}
			continue
		}
		if p.In == InHeader {
			text, err := p.header(raw)
			if err == nil && !headerSafe(text) {
				err = fmt.Errorf("a header holds no line break or control character, and no space at its ends")
			}
			if err != nil {
				return nil, badArgument(p.Arg, err.Error())
			}
			m.header[http.CanonicalHeaderKey(p.Name)] = []string{text}
			continue
		}
		pairs, err := p.pairs(raw)
		if err != nil {
			return nil, badArgument(p.Arg, err.Error())
		}
		if p.In == InCookie {
			m.cookies = append(m.cookies, pairs...)
		} else {
			query = append(query, pairs...)
		}
	}
	return query, nil
}

// rest spells the arguments that are no parameters for the query: lists of
// scalars repeat their name, objects and deeper lists are JSON text.
func rest(args []byte, params []Param) ([]string, error) {
	taken := map[string]bool{}
	for _, p := range params {
		taken[p.Arg] = true
	}
	var query []string
	for name, raw := range rawjson.Members(args) {
		if taken[name] || rawjson.KindOf(raw) == rawjson.KindNull {
			continue
		}
		p := Param{Arg: name, Name: name, In: InQuery, Style: StyleForm, Explode: true}
		if rawjson.KindOf(raw) == rawjson.KindObject || nested(raw) {
			p.Style = StyleJSON
		}
		pairs, err := p.pairs(raw)
		if err != nil {
			return nil, badArgument(name, err.Error())
		}
		query = append(query, pairs...)
	}
	return query, nil
}

func joinQuery(query string, pairs []string) string {
	if len(pairs) == 0 {
		return query
	}
	joined := strings.Join(pairs, "&")
	switch {
	case query == "":
		return "?" + joined
	case strings.HasSuffix(query, "?") || strings.HasSuffix(query, "&"):
		return query + joined
	}
	return query + "&" + joined
}

// request makes one HTTP request of the message and fills in the credentials.
func (c *Client) request(ctx context.Context, m *message) (*http.Request, error) {
	extra := &filled{}
	if !m.bare {
		var err error
		if extra, err = c.credentials(m.binding.Security); err != nil {
			return nil, err
		}
	}
	address := m.address
	if len(extra.query) > 0 {
		origin, path, query := split(address)
		address = origin + path + joinQuery(query, extra.query)
	}
	var body io.Reader
	if m.body != nil {
		body = bytes.NewReader(m.body)
	}
	req, err := http.NewRequestWithContext(ctx, m.binding.Method, address, body)
	if err != nil {
		return nil, badBinding(bare(err))
	}
	if extra.secret && !m.binding.Trusted && req.URL.Scheme != "https" {
		return nil, noCredential("one that would go unencrypted to an address that only the document names", nil)
	}
	if req.URL.EscapedPath() != m.path || req.URL.Fragment != "" {
		return nil, badBinding(fmt.Errorf("the path would be sent as %q instead of %q", req.URL.EscapedPath(), m.path))
	}
	req.Header = m.header.Clone()
	req.Header.Set("User-Agent", c.opts.UserAgent)
	for name, values := range extra.header {
		req.Header[name] = values
	}
	if cookies := append(append([]string(nil), m.cookies...), extra.cookies...); len(cookies) > 0 {
		req.Header.Set("Cookie", strings.Join(cookies, "; "))
	}
	return req, nil
}
