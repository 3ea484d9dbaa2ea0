package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// client is one caller of an MCP endpoint over one connection. It writes the
// protocol itself, so that what it costs is small and the same on both sides of
// a comparison.
type client struct {
	url     string
	era     string
	session string
	http    *http.Client
	id      int
}

// dial begins a session, in the era that has them. It refuses whatever is not
// on loopback.
func dial(ctx context.Context, address, era string) (*client, error) {
	if err := loopback(address); err != nil {
		return nil, err
	}
	c := &client{url: address, era: era, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1, DisableCompression: true}}}
	if era != sessionEra {
		return c, nil
	}
	params := fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`, era)
	if _, err := c.send(ctx, "initialize", "", []byte(params)); err != nil {
		return nil, err
	}
	res, err := c.post(ctx, "notifications/initialized", "", []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	if err != nil {
		return nil, err
	}
	return c, res.Body.Close()
}

func loopback(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(u.Hostname()); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("%s is not on loopback, and no other place is put under load", address)
	}
	return nil
}

// close ends the session and the connection.
func (c *client) close() {
	if c.session != "" {
		if req, err := http.NewRequest(http.MethodDelete, c.url, nil); err == nil {
			c.head(req, "", "")
			if res, err := c.http.Do(req); err == nil {
				_ = res.Body.Close() // nothing more is asked of it
			}
		}
	}
	c.http.CloseIdleConnections()
}

// toolResult is what of a tool's answer is looked at.
type toolResult struct {
	IsError           bool            `json:"isError"`
	StructuredContent json.RawMessage `json:"structuredContent"`
}

// call calls a tool. An answer that is an error, or lacks the expected text, is
// an error.
func (c *client) call(ctx context.Context, tool string, args []byte, expect string) (json.RawMessage, error) {
	params := fmt.Appendf(nil, `{"name":%q,"arguments":%s`, tool, args)
	if c.era != sessionEra {
		params = fmt.Appendf(params, `,"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`, c.era)
	}
	raw, err := c.send(ctx, "tools/call", tool, append(params, '}'))
	if err != nil {
		return nil, err
	}
	var r toolResult
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, err
	}
	if r.IsError || !bytes.Contains(raw, []byte(expect)) {
		return nil, fmt.Errorf("%s: a wrong answer: %.300s", tool, raw)
	}
	return r.StructuredContent, nil
}

// send makes one request and gives its result.
func (c *client) send(ctx context.Context, method, name string, params []byte) (json.RawMessage, error) {
	c.id++
	res, err := c.post(ctx, method, name, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.id, method, params))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close() //nolint:errcheck // read to its end below
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		return answerAmong(events(text), c.id)
	}
	return answerAmong([][]byte{text}, c.id)
}

func (c *client) post(ctx context.Context, method, name string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	c.head(req, method, name)
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 300))
		return nil, errors.Join(fmt.Errorf("%s: HTTP %d: %s", method, res.StatusCode, bytes.TrimSpace(text)), res.Body.Close())
	}
	return res, nil
}

func (c *client) head(req *http.Request, method, name string) {
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if method != "initialize" {
		req.Header.Set("Mcp-Protocol-Version", c.era)
	}
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
	}
	if c.era == sessionEra {
		return
	}
	req.Header.Set("Mcp-Method", method)
	if name != "" {
		req.Header.Set("Mcp-Name", name)
	}
}

// events gives the data of each event of a stream.
func events(stream []byte) [][]byte {
	var out [][]byte
	var data []byte
	for line := range bytes.Lines(append(stream, "\n\n"...)) {
		line = bytes.TrimRight(line, "\r\n")
		switch rest, ok := bytes.CutPrefix(line, []byte("data:")); {
		case ok && data != nil:
			data = append(append(data, '\n'), bytes.TrimPrefix(rest, []byte(" "))...)
		case ok:
			data = bytes.Clone(bytes.TrimPrefix(rest, []byte(" ")))
		case len(line) == 0 && data != nil:
			out, data = append(out, data), nil
		}
	}
	return out
}

// answerAmong finds the answer to a request among messages.
func answerAmong(messages [][]byte, id int) (json.RawMessage, error) {
	for _, text := range messages {
		var m struct {
			ID     json.RawMessage
			Result json.RawMessage
			Error  json.RawMessage
		}
		if len(text) == 0 || json.Unmarshal(text, &m) != nil || string(m.ID) != fmt.Sprint(id) {
			continue
		}
		if m.Error != nil {
			return nil, fmt.Errorf("the server refuses: %.300s", m.Error)
		}
		return m.Result, nil
	}
	return nil, errors.New("no answer to the request came")
}
