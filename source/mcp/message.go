package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// firstID is where this package's own request ids begin. The SDK counts its
// own from 1 and sends a handful in the life of a session.
const firstID = 1 << 20

// request is one JSON-RPC call of this package's own.
type request struct {
	method  string
	tool    string   // of a tools/call
	params  []byte   // a JSON object
	mirrors []mirror // arguments that a header repeats
	args    []byte
	limit   int64 // bytes of the answer at most
}

// answer is what a server said to a request: result or fail is set.
type answer struct {
	result []byte // the raw result
	fail   []byte // the raw JSON-RPC error
	flaw   error  // what makes the message worse than JSON as such: a name given twice, no UTF-8, depth
}

// encode writes the request as one line.
func (r request) encode(id int64) []byte {
	b := make([]byte, 0, len(r.params)+len(r.method)+80)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = strconv.AppendInt(b, id, 10)
	b = append(b, `,"method":"`...)
	b = append(b, r.method...)
	b = append(b, `","params":`...)
	b = append(b, r.params...)
	return append(b, '}')
}

// cancellation writes the notice that request id is given up.
func cancellation(id int64, reason string) []byte {
	b := append([]byte(nil), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`...)
	b = strconv.AppendInt(b, id, 10)
	b = append(b, `,"reason":`...)
	b = appendQuoted(b, reason)
	return append(b, "}}"...)
}

func appendQuoted(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string always marshals
	return append(b, quoted...)
}

// message is one JSON-RPC message taken apart; members that it has not are nil.
type message struct {
	id     []byte
	method string
	answer
}

// messageLimits bounds a message that is without flaw: two levels of envelope
// around a result.
var messageLimits = rawjson.Limits{Bytes: 1 << 40, Depth: interlock.MaxJSONDepth + 2}

// parse takes a message apart. Text that is not JSON, or holds one of the
// envelope's members twice, is no message.
func parse(raw []byte) (message, error) {
	flaw := rawjson.Check(raw, messageLimits)
	var fault *rawjson.Error
	if errors.As(flaw, &fault) && fault.Kind == rawjson.FaultDepth {
		raw = shallow(raw)
	}
	if flaw != nil && !json.Valid(raw) {
		return message{}, fmt.Errorf("not JSON: %w", flaw)
	}
	parts, err := pick(raw, "id", "method", "result", "error")
	if err != nil {
		return message{}, err
	}
	m := message{id: parts[0], answer: answer{result: parts[2], fail: parts[3], flaw: flaw}}
	if isNull(m.fail) {
		m.fail = nil
	}
	m.method, err = text(parts[1])
	return m, err
}

// deepest is how deep a message is read. It lies far over what is accepted of
// anything in it and under what readers of JSON take.
const deepest = 1000

// shallow writes null for what is nested deeper than that, so that one
// definition that goes too deep is refused for itself and not with all that
// came with it.
func shallow(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		b := raw[i]
		switch {
		case quoted && b == '\\' && i+1 < len(raw):
			if depth <= deepest {
				out = append(out, b, raw[i+1])
			}
			i++
			continue
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{', b == '[':
			if depth++; depth == deepest+1 {
				out = append(out, "null"...)
			}
		case b == '}', b == ']':
			if depth--; depth == deepest {
				continue
			}
		}
		if depth <= deepest {
			out = append(out, b)
		}
	}
	return out
}

// isAnswer tells an answer from a request or a notification.
func (m message) isAnswer() bool { return m.method == "" && (m.result != nil || m.fail != nil) }

// number gives the id where it is one that this package gives out.
func (m message) number() (int64, bool) {
	id, err := strconv.ParseInt(string(m.id), 10, 64)
	return id, err == nil && id > firstID
}

// refusal writes the answer to a request of the server: an empty result to a
// ping, and to anything else the error for what was never offered.
func refusal(m message) []byte {
	b := append([]byte(nil), `{"jsonrpc":"2.0","id":`...)
	b = append(b, m.id...)
	if m.method == "ping" {
		return append(b, `,"result":{}}`...)
	}
	b = append(b, `,"error":{"code":-32601,"message":`...)
	b = appendQuoted(b, m.method+" is not offered by this client")
	return append(b, "}}"...)
}
