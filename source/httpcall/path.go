package httpcall

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// split parts an address into what comes before the path, the path, and the
// query with its question mark.
func split(address string) (origin, path, query string) {
	rest := address
	if i := strings.Index(rest, "://"); i >= 0 {
		origin, rest = rest[:i+3], rest[i+3:]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest, query = rest[:i], rest[i:]
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return origin + rest[:i], rest[i:], query
	}
	return origin + rest, "", query
}

// piece is a stretch of a path template: fixed text, or the name of a
// parameter.
type piece struct {
	text  string
	param bool
}

// pieces reads a path template.
func pieces(path string) ([]piece, error) {
	var out []piece
	for path != "" {
		open := strings.IndexByte(path, '{')
		if open < 0 {
			open = len(path)
		}
		if strings.IndexByte(path[:open], '}') >= 0 {
			return nil, errors.New("the path has a } without its {")
		}
		if open > 0 {
			out = append(out, piece{text: path[:open]})
		}
		if path = path[open:]; path == "" {
			break
		}
		end := strings.IndexByte(path, '}')
		if end < 2 || strings.IndexByte(path[1:end], '{') >= 0 {
			return nil, errors.New("the path has a { without its }, or an empty name")
		}
		out = append(out, piece{text: path[1:end], param: true})
		path = path[end+1:]
	}
	return out, nil
}

// checkTemplate holds the names in the path against the path parameters.
func checkTemplate(b Binding) error {
	_, path, query := split(b.URL)
	if strings.ContainsAny(query, "{}") {
		return errors.New("the query of the address has a placeholder")
	}
	parts, err := pieces(path)
	if err != nil {
		return err
	}
	left := map[string]bool{}
	for _, p := range b.Params {
		if p.In == InPath {
			left[p.Name] = true
		}
	}
	seen := map[string]bool{}
	for _, p := range parts {
		if p.param && !left[p.text] {
			return fmt.Errorf("no parameter fills {%s} of the path", p.text)
		}
		if p.param {
			seen[p.text] = true
		}
	}
	for name := range left {
		if !seen[name] {
			return fmt.Errorf("the path has no {%s} for its path parameter", name)
		}
	}
	return nil
}

// fillPath puts values into the template. No value can add, remove or climb a
// segment: each byte outside the unreserved set is encoded, and what comes out
// is held against the template again.
func fillPath(template string, params []Param, args map[string][]byte) (string, error) {
	parts, err := pieces(template)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range parts {
		if !p.param {
			b.WriteString(fixed(p.text))
			continue
		}
		param := pathParam(params, p.text)
		raw, given := args[param.Arg]
		if !given || rawjson.KindOf(raw) == rawjson.KindNull {
			return "", badArgument(param.Arg, "a value is needed for the path")
		}
		text, err := param.path(raw)
		if err != nil {
			return "", badArgument(param.Arg, err.Error())
		}
		if text == "" {
			return "", badArgument(param.Arg, "an empty value cannot stand in the path")
		}
		b.WriteString(text)
	}
	if path := b.String(); matches(parts, template, path) {
		return path, nil
	}
	return "", badArgument(lastArg(params), `the value would change the path: "." and ".." cannot stand alone in it`)
}

// fixed encodes what no path may hold as it is; what a template has encoded
// already stays.
func fixed(text string) string { return escapeBut(text, "/:@!$&'()*+,;=%") }

func pathParam(params []Param, name string) Param {
	for _, p := range params {
		if p.In == InPath && p.Name == name {
			return p
		}
	}
	return Param{Arg: name, Name: name, In: InPath, Style: StyleSimple}
}

// lastArg names the path argument that a message points at.
func lastArg(params []Param) string {
	arg := ""
	for _, p := range params {
		if p.In == InPath {
			arg = p.Arg
		}
	}
	return arg
}

// matches reports whether a filled path is one of the template: as many
// segments, the fixed text in its place, and no segment that a server would
// fold away.
func matches(parts []piece, template, path string) bool {
	if strings.Count(path, "/") != strings.Count(template, "/") {
		return false
	}
	templates := strings.Split(template, "/")
	for i, segment := range strings.Split(path, "/") {
		folds := segment == "." || segment == ".."
		if folds && segment != templates[i] {
			return false
		}
	}
	rest := path
	for i, p := range parts {
		if p.param {
			continue
		}
		at := strings.Index(rest, fixed(p.text))
		if at < 0 || i == 0 && at != 0 {
			return false
		}
		rest = rest[at+len(fixed(p.text)):]
	}
	return len(parts) == 0 || parts[len(parts)-1].param || rest == "" || strings.HasSuffix(path, fixed(parts[len(parts)-1].text))
}
