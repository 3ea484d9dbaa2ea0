package mcp

import (
	"encoding/base64"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// mirror is an argument that the newer era repeats in a header, as the input
// schema's "x-mcp-header" asks.
type mirror struct {
	Path   []string `json:"path"`
	Header string   `json:"header"`
}

// isToken tells whether s may name a header.
func isToken(s string) bool {
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}

// isHeaderText tells whether s may be a header's value.
func isHeaderText(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// mirrors reads the annotations of an input schema at any depth of properties.
func mirrors(schema []byte) ([]mirror, error) {
	var found []mirror
	if err := findMirrors(schema, nil, &found); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, m := range found {
		lower := strings.ToLower(m.Header)
		if seen[lower] {
			return nil, fmt.Errorf("two properties ask for the header %s", m.Header)
		}
		seen[lower] = true
	}
	return found, nil
}

func findMirrors(schema []byte, path []string, found *[]mirror) error {
	properties, _ := rawjson.Member(schema, "properties")
	for name, property := range rawjson.Members(properties) {
		here := append(path[:len(path):len(path)], name)
		if header, ok := rawjson.Member(property, "x-mcp-header"); ok {
			kind, _ := rawjson.Member(property, "type")
			m, err := readMirror(here, header, kind)
			if err != nil {
				return err
			}
			*found = append(*found, m)
		}
		if err := findMirrors(property, here, found); err != nil {
			return err
		}
	}
	return nil
}

func readMirror(path []string, header, typ []byte) (mirror, error) {
	name, err := text(header)
	if err != nil || !isToken(name) {
		return mirror{}, fmt.Errorf("x-mcp-header of %q is not an HTTP token", path[len(path)-1])
	}
	switch string(typ) {
	case `"string"`, `"integer"`, `"boolean"`:
		return mirror{Path: path, Header: name}, nil
	}
	return mirror{}, fmt.Errorf("x-mcp-header of %q stands on a type that is not string, integer or boolean", path[len(path)-1])
}

// setMirrors repeats the annotated arguments as headers. An absent, null or
// unrepeatable one is left out.
func setMirrors(header http.Header, all []mirror, args []byte) {
	for _, m := range all {
		if value, ok := mirrored(args, m.Path); ok {
			header.Set("Mcp-Param-"+m.Header, headerValue(value))
		}
	}
}

func mirrored(args []byte, path []string) (string, bool) {
	for _, name := range path {
		value, ok := rawjson.Member(args, name)
		if !ok {
			return "", false
		}
		args = value
	}
	switch args[0] {
	case '"':
		s, err := text(args)
		return s, err == nil
	case 't', 'f':
		return string(args), true
	case 'n', '{', '[':
		return "", false
	}
	f, err := strconv.ParseFloat(string(args), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53-1 {
		return "", false
	}
	return strconv.FormatInt(int64(f), 10), true
}

// headerValue spells a value so that it passes as a header: plain where it is
// visible ASCII, else in the protocol's base64 form.
func headerValue(s string) string {
	const prefix, suffix = "=?base64?", "?="
	plain := s == strings.Trim(s, " \t") && !(strings.HasPrefix(s, prefix) && strings.HasSuffix(s, suffix))
	for _, c := range []byte(s) {
		plain = plain && ' ' <= c && c <= '~'
	}
	if plain {
		return s
	}
	return prefix + base64.StdEncoding.EncodeToString([]byte(s)) + suffix
}
