package contract

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// schemaURL names the document under hand to the library; nothing else can be
// loaded. It has a path, so that relative references resolve against it and
// are refused like all others.
const schemaURL = "interlock:///schema"

// maxOutside bounds the referred schemas that stand under no keyword: the
// library takes time over each that grows with the size of the whole.
const maxOutside = 500

// flaw is why a schema cannot be used, and where in its text.
type flaw struct {
	pointer, reason string
}

func (f *flaw) Error() string { return fmt.Sprintf("schema at %q: %s", f.pointer, f.reason) }

// denied refuses every address. The library's own loader would open files.
type denied struct{}

var errRemote = errors.New("references stay inside the schema")

func (denied) Load(string) (any, error) { return nil, errRemote }

// compileSchema builds the validator of one schema. Its error is a *flaw.
func compileSchema(d *document) (*jsonschema.Schema, error) {
	if f := d.limits(true); f != nil {
		return nil, f
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(denied{})
	c.UseRegexpEngine(compilePattern)
	return d.compileWith(c)
}

// compileWith compiles the document with a compiler that is set up.
func (d *document) compileWith(c *jsonschema.Compiler) (*jsonschema.Schema, error) {
	if err := c.AddResource(schemaURL, d.withoutFormat(d.root)); err != nil {
		return nil, &flaw{"", "cannot be read: " + err.Error()}
	}
	schema, err := c.Compile(schemaURL)
	if err != nil {
		return nil, d.flawOf(err)
	}
	if cycle := inPlaceCycle(schema); cycle != nil {
		return nil, &flaw{fragment(cycle.Location), "leads back to itself without going into the value, so nothing can pass it"}
	}
	return schema, nil
}

// limits refuses what would cost too much to compile and, where only known
// dialects may be named, those that are not.
func (d *document) limits(known bool) *flaw {
	if !isSchema(d.root) {
		return &flaw{"", "a schema is an object or a boolean"}
	}
	if len(d.order) > MaxSubschemas {
		return &flaw{"", fmt.Sprintf("holds %d subschemas; at most %d are read", len(d.order), MaxSubschemas)}
	}
	if d.outside > maxOutside {
		return &flaw{"", fmt.Sprintf("refers to %d places that hold a schema under no keyword; at most %d are read, put them under $defs", d.outside, maxOutside)}
	}
	for _, n := range d.order {
		stated := n.get("$schema")
		if known && stated != nil && (n == d.root || n.get("$id") != nil) && dialectOf(stated.str()) == dialectUnknown {
			return &flaw{rawjson.Join(d.at[n], "$schema"), "an unknown dialect; draft 4, 6, 7, 2019-09 and 2020-12 are read"}
		}
	}
	return nil
}

// withoutFormat gives the schema as the library reads it, less every format:
// it is an annotation here, and older dialects would assert it.
func (d *document) withoutFormat(n *node) any {
	switch n.kind {
	case kindObject:
		m := make(map[string]any, len(n.kids))
		for i, kid := range n.kids {
			if n.names[i] == "format" && kid.is(kindString) && d.isAt(n) {
				continue
			}
			m[n.names[i]] = d.withoutFormat(kid)
		}
		return m
	case kindArray:
		list := make([]any, len(n.kids))
		for i, kid := range n.kids {
			list[i] = d.withoutFormat(kid)
		}
		return list
	}
	return n.plain()
}

// compilePattern reads a pattern of a schema. Patterns are ECMA 262 in name;
// what is read is their common part with RE2, which matches in linear time.
func compilePattern(text string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(translatePattern(text))
	if err != nil {
		return nil, fmt.Errorf("only what matches in linear time is read: %w", err)
	}
	return pattern{re, text}, nil
}

// pattern is a compiled pattern that shows itself as the schema wrote it.
type pattern struct {
	*regexp.Regexp
	text string
}

func (p pattern) String() string { return p.text }

// translatePattern writes the escapes of ECMA 262 that RE2 spells otherwise:
// \uXXXX and \u{…} become \x{…}, \cX its control character.
func translatePattern(text string) string {
	if !strings.Contains(text, `\u`) && !strings.Contains(text, `\c`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		rest := text[i+2:]
		switch c := text[i+1]; {
		case c == 'u' && strings.HasPrefix(rest, "{"):
			b.WriteString(`\x`)
			i++
		case c == 'u' && len(rest) >= 4:
			b.WriteString(`\x{` + rest[:4] + `}`)
			i += 5
		case c == 'c' && len(rest) >= 1:
			fmt.Fprintf(&b, `\x{%02x}`, rest[0]&0x1f)
			i += 2
		default:
			b.WriteString(text[i : i+2])
			i++
		}
	}
	return b.String()
}

// flawOf reads why the library refused a schema.
func (d *document) flawOf(err error) *flaw {
	var invalid *jsonschema.SchemaValidationError
	var load *jsonschema.LoadURLError
	var missing *jsonschema.JSONPointerNotFoundError
	var anchor *jsonschema.AnchorNotFoundError
	var regex *jsonschema.InvalidRegexError
	var verr *jsonschema.ValidationError
	switch {
	case errors.As(err, &invalid) && errors.As(invalid.Err, &verr):
		f := finder{root: d.root}.find(verr)
		return &flaw{fragment(invalid.URL) + rawjson.Join("", f.at...), f.schemaReason()}
	case errors.As(err, &load):
		return &flaw{d.refTo(load.URL), fmt.Sprintf("refers to %.100q outside the schema; references stay inside", load.URL)}
	case errors.As(err, &missing):
		return &flaw{d.refTo(missing.URL), fmt.Sprintf("refers to %.100q, which is not there", "#"+fragment(missing.URL))}
	case errors.As(err, &anchor):
		return &flaw{d.refTo(anchor.Reference), fmt.Sprintf("refers to %.100q, which is not there", anchor.Reference)}
	case errors.As(err, &regex):
		return &flaw{fragment(regex.URL), "is no usable pattern: " + regex.Err.Error()}
	}
	return &flaw{"", fmt.Sprintf("is not a usable schema: %.200v", err)}
}

// fragment gives the JSON pointer of a schema location.
func fragment(location string) string {
	_, fragment, _ := strings.Cut(location, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		return plain
	}
	return fragment
}

// refTo finds the reference that led to an address: the first whose text ends
// it.
func (d *document) refTo(address string) string {
	plain := address
	if unescaped, err := url.PathUnescape(address); err == nil {
		plain = unescaped
	}
	for _, ref := range d.refs {
		text := strings.TrimPrefix(ref.text, "./")
		whole, err := url.PathUnescape(text)
		if err != nil {
			whole = text
		}
		bare, _, _ := strings.Cut(whole, "#")
		if strings.HasSuffix(plain, whole) || bare != "" && strings.HasSuffix(plain, bare) {
			return ref.at
		}
	}
	return ""
}
