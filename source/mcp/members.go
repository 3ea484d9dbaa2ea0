package mcp

import (
	"errors"
	"fmt"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

var (
	errNotObject = errors.New("not a JSON object")
	errNotArray  = errors.New("not a JSON array")
	errNotString = errors.New("not a string")
)

// pick gives the raw values of the named members of a JSON object, nil for
// those it has not. A named member that occurs twice is an error: readers
// disagree on which one counts.
func pick(raw []byte, names ...string) ([][]byte, error) {
	if rawjson.KindOf(raw) != rawjson.KindObject {
		return nil, errNotObject
	}
	found := make([][]byte, len(names))
	for name, value := range rawjson.Members(raw) {
		for i := range names {
			if name != names[i] {
				continue
			}
			if found[i] != nil {
				return nil, fmt.Errorf("member %q occurs twice", name)
			}
			found[i] = value
		}
	}
	return found, nil
}

// text reads a member that must be a string; absent reads as empty.
func text(raw []byte) (string, error) {
	if raw == nil {
		return "", nil
	}
	s, ok := rawjson.String(raw)
	if !ok {
		return "", errNotString
	}
	return s, nil
}

// isNull tells the literal null from everything else.
func isNull(raw []byte) bool { return string(raw) == "null" }

// isObject tells a JSON object, which well-formed text shows by its first byte.
func isObject(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' }
