package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// short answers a call the short way and reports whether it did. The SDK reads
// a message four times into trees and writes an answer twice; for a call in its
// plain form, in a session that is open and owned, nothing of that is needed.
// What is not exactly that form is the SDK's to judge, so the short way has no
// refusals of its own but one: an id that is in flight.
func (h *Handler) short(w http.ResponseWriter, r *http.Request, s *session, who interlock.Principal, message []byte) bool {
	if !s.short || !plainHeader(r.Header) {
		return false
	}
	c, ok := readPlain(message)
	if !ok {
		return false
	}
	d, ok := h.byName[c.name]
	if !ok {
		return false
	}
	// As with the SDK, a caller who hangs up does not end the call: the era has
	// a notification for that.
	ctx, stop := context.WithCancelCause(h.tools.ctx)
	defer stop(nil)
	switch s.take(c.id, stop) {
	case closed:
		return false
	case inUse:
		setHeader(w)
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"duplicate in-flight request ID %s"}}`,
			c.id, jsonrpc.CodeInvalidRequest, strings.Trim(c.id, `"`)) // the caller may be gone
		return true
	}
	defer s.leave(c.id)
	p, _ := h.tools.answer(ctx, incoming{tool: d, args: c.args, who: who})
	setHeader(w)
	_, _ = w.Write(answerOf(c.id, p)) // the caller may be gone
	return true
}

// setHeader sets what the SDK sets with a single answer.
func setHeader(w http.ResponseWriter) {
	w.Header()["Cache-Control"] = []string{"no-cache, no-transform"}
	w.Header()["Content-Type"] = []string{"application/json"}
}

// answerOf writes an answer as the SDK does: without the white space that a
// source left between tokens.
func answerOf(id string, p *payload) []byte {
	out := make([]byte, 0, p.size()+len(id)+40)
	out = append(append(append(out, `{"jsonrpc":"2.0","id":`...), id...), `,"result":`...)
	out, err := p.appendTo(out, nil)
	if err != nil {
		out = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"the answer cannot be written"}`, id, jsonrpc.CodeInternalError)
	}
	return append(rawjson.Compact(out[:0], out), '}') // it reads ahead of where it writes
}

// plainHeader reports whether a request has the headers that every known client
// sends with a message in a session.
func plainHeader(h http.Header) bool {
	version := h.Get("Mcp-Protocol-Version")
	return slices.Contains(olderEras, version) && h.Get("Content-Type") == "application/json" && len(h["Last-Event-Id"]) == 0 &&
		len(h["Accept"]) == 1 && (h["Accept"][0] == "application/json, text/event-stream" || h["Accept"][0] == "text/event-stream, application/json")
}

// olderEras are the protocol revisions with sessions; a client may leave its
// own out.
var olderEras = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", ""}

// plainCall is a call in its plain form.
type plainCall struct {
	id   string // as it is spelled
	name string
	args json.RawMessage
}

// readPlain reads a call of a tool that holds nothing but id, name, arguments
// and at most a progress token, each once, with names and ids spelled without
// escapes. Of anything else it says that it is not one.
func readPlain(message []byte) (c plainCall, ok bool) {
	if !json.Valid(message) {
		return c, false
	}
	var params []byte
	var met seen
	for name, raw := range rawjson.Spelled(message) {
		switch string(name) {
		case `"jsonrpc"`:
			ok = met.once(0) && string(raw) == `"2.0"`
		case `"method"`:
			ok = met.once(1) && string(raw) == `"tools/call"`
		case `"id"`:
			ok = met.once(2) && plainID(raw)
			c.id = string(raw)
		case `"params"`:
			ok = met.once(3)
			params = raw
		default:
			ok = false
		}
		if !ok {
			return c, false
		}
	}
	return c, met.all() && c.readParams(params)
}

// seen notes which of four members have come.
type seen [4]bool

func (m *seen) once(i int) bool {
	first := !m[i]
	m[i] = true
	return first
}

func (m *seen) all() bool { return m[0] && m[1] && m[2] && m[3] }

// readParams reads the parameters of a call.
func (c *plainCall) readParams(params []byte) bool {
	var met seen
	for name, raw := range rawjson.Spelled(params) {
		ok := false
		switch string(name) {
		case `"name"`:
			ok = met.once(0) && plainWord(raw)
			c.name = strings.Trim(string(raw), `"`)
		case `"arguments"`:
			ok = met.once(1)
			c.args = raw
		case `"_meta"`:
			ok = met.once(2) && plainMeta(raw)
		}
		if !ok {
			return false
		}
	}
	if c.args == nil {
		c.args = json.RawMessage("{}")
	}
	return met[0]
}

// plainMeta reports whether a call's meta is a progress token alone, or empty.
// Interlock reports no progress.
func plainMeta(meta []byte) bool {
	if rawjson.KindOf(meta) != rawjson.KindObject {
		return false
	}
	n := 0
	for name, raw := range rawjson.Spelled(meta) {
		if n++; n > 1 || string(name) != `"progressToken"` || !plainID(raw) {
			return false
		}
	}
	return true
}

// plainID reports whether an id is a string without anything that could be
// spelled in another way, or an integer that every reader holds.
func plainID(raw []byte) bool {
	if plainWord(raw) {
		return true
	}
	digits := strings.TrimPrefix(string(raw), "-")
	return len(digits) > 0 && len(digits) <= 15 && strings.Trim(digits, "0123456789") == "" && (digits[0] != '0' || string(raw) == "0")
}

// plainWord reports whether a value is a string of letters, digits and a few
// signs.
func plainWord(raw []byte) bool {
	if len(raw) < 3 || len(raw) > 200 || raw[0] != '"' {
		return false
	}
	return strings.Trim(string(raw[1:len(raw)-1]), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:/ ") == ""
}

// cancelled goes through the ids of the calls that a message, or a batch of
// them, says to cancel, as readPlain spells them.
func cancelled(message []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !bytes.Contains(message, []byte("requestId")) || !json.Valid(message) {
			return
		}
		for _, one := range rawjson.Elements(message) {
			if id := cancelledBy(one); id != "" && !yield(id) {
				return
			}
		}
		if id := cancelledBy(message); id != "" {
			yield(id)
		}
	}
}

// cancelledBy gives the one id of one message; empty where it says something
// else.
func cancelledBy(message []byte) string {
	var m struct {
		Method string
		Params struct {
			RequestID any `json:"requestId"`
		}
	}
	if json.Unmarshal(message, &m) != nil || m.Method != "notifications/cancelled" {
		return ""
	}
	switch id := m.Params.RequestID.(type) {
	case string:
		return `"` + id + `"`
	case float64:
		return strconv.FormatInt(int64(id), 10)
	}
	return ""
}
