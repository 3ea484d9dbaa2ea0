package mcpserver

import (
	"encoding/json"
	"fmt"

	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// lift takes the arguments out of a message that calls a tool, so that they
// travel beside it: the SDK decodes what it finds in a message into floats
// more than once, and refuses numbers that a float cannot hold. What it is
// given in their place is an empty object.
//
// A message in which a member that decides is given twice is refused, since
// two readers would take it for two messages. Anything else that is no call is
// left for the SDK to judge.
func lift(message []byte) (rest, args []byte, err error) {
	if rawjson.KindOf(message) != rawjson.KindObject || !json.Valid(message) {
		return message, nil, nil
	}
	if method, _ := rawjson.Member(message, "method"); string(method) != `"tools/call"` {
		return message, nil, nil
	}
	rest, err = rewrite(message, []string{"jsonrpc", "id", "method", "params"}, func(name string, raw []byte) ([]byte, error) {
		if name != "params" || rawjson.KindOf(raw) != rawjson.KindObject {
			return raw, nil
		}
		return rewrite(raw, []string{"name", "arguments", "_meta", "requestState", "inputResponses"}, func(name string, raw []byte) ([]byte, error) {
			if name != "arguments" {
				return raw, nil
			}
			args = raw
			return []byte("{}"), nil
		})
	})
	return rest, args, err
}

// rewrite copies an object with its values changed. None of the named members
// may come twice.
func rewrite(object []byte, once []string, change func(name string, raw []byte) ([]byte, error)) ([]byte, error) {
	out := make([]byte, 0, 256)
	seen := make(map[string]bool, len(once))
	for name, raw := range rawjson.Members(object) {
		if seen[name] {
			return nil, fmt.Errorf("the member %q is given twice", name)
		}
		for _, o := range once {
			if o == name {
				seen[name] = true
			}
		}
		value, err := change(name, raw)
		if err != nil {
			return nil, err
		}
		quoted, err := wire.Encode(name)
		if err != nil {
			return nil, err
		}
		out = append(append(append(append(out, ','), quoted...), ':'), value...)
	}
	if len(out) == 0 {
		return []byte("{}"), nil
	}
	out[0] = '{'
	return append(out, '}'), nil
}
