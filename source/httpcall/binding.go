package httpcall

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// Binding tells how a call becomes a request. Its JSON form is stable, names
// security schemes and never holds a secret.
type Binding struct {
	Method string `json:"method"`
	// URL is absolute; its path may hold {name} for each path parameter.
	URL string `json:"url"`
	// Trusted says that the operator wrote the address himself, so it may be
	// loopback or private.
	Trusted bool `json:"trusted"`
	// Params are the arguments with a place of their own, in the order they
	// are sent.
	Params []Param `json:"params,omitempty"`
	// Query sends every argument that is no parameter in the query.
	Query bool `json:"query,omitempty"`
	// Body says what the request carries; nil for nothing.
	Body *Body `json:"body,omitempty"`
	// Security lists alternatives; each needs all of its schemes.
	Security [][]Scheme `json:"security,omitempty"`
	// Accept is the media type asked for; empty is application/json.
	Accept string `json:"accept,omitempty"`
	// Answer says how an answer that is not JSON becomes JSON.
	Answer Answer `json:"answer,omitempty"`
}

// Answer is how the bytes of a good answer become JSON.
type Answer string

// The answers. Only a source that documents text or bytes gives them.
const (
	AnswerJSON   Answer = ""
	AnswerText   Answer = "text"   // a JSON string of the text
	AnswerBase64 Answer = "base64" // a JSON string of the bytes in base64
)

// Place is where a parameter goes.
type Place string

// The places.
const (
	InPath   Place = "path"
	InQuery  Place = "query"
	InHeader Place = "header"
	InCookie Place = "cookie"
)

// Style is how a value that is a list or an object is spelled.
type Style string

// The styles of OpenAPI, and tab-delimited from Swagger 2.0.
const (
	StyleSimple Style = "simple"
	StyleLabel  Style = "label"
	StyleMatrix Style = "matrix"
	StyleForm   Style = "form"
	StyleSpace  Style = "spaceDelimited"
	StylePipe   Style = "pipeDelimited"
	StyleTab    Style = "tabDelimited"
	StyleDeep   Style = "deepObject"
	StyleJSON   Style = "json" // the value's own JSON text
)

// styles lists the styles that a place can carry.
func (p Place) styles() string {
	switch p {
	case InPath:
		return " simple label matrix json "
	case InQuery:
		return " form spaceDelimited pipeDelimited tabDelimited deepObject json "
	case InHeader:
		return " simple json "
	case InCookie:
		return " form json "
	}
	return ""
}

// Param is one argument with a place of its own.
type Param struct {
	Arg           string `json:"arg"`  // the argument's name
	Name          string `json:"name"` // the parameter's name on the wire
	In            Place  `json:"in"`
	Style         Style  `json:"style"`
	Explode       bool   `json:"explode,omitempty"`
	AllowReserved bool   `json:"allow_reserved,omitempty"`
	Required      bool   `json:"required,omitempty"`
}

// Body is what the request carries.
type Body struct {
	// Media is the media type sent.
	Media string `json:"media"`
	// Arg is the argument that is the whole body. Empty: the body is an object
	// of every argument that is no parameter.
	Arg      string `json:"arg,omitempty"`
	Required bool   `json:"required,omitempty"`
	// Encoding says how members of a form are spelled, by member name.
	Encoding map[string]Encoding `json:"encoding,omitempty"`
	// Files are members of a multipart form whose value is base64 of a file.
	Files []string `json:"files,omitempty"`
}

// Encoding is the spelling of one member of a form.
type Encoding struct {
	Style   Style `json:"style"`
	Explode bool  `json:"explode,omitempty"`
}

// The types of security scheme that can be filled.
const (
	SchemeKey    = "key"    // the credential as it is, in a header, a query parameter or a cookie
	SchemeBearer = "bearer" // Authorization: Bearer CREDENTIAL
	SchemeBasic  = "basic"  // Authorization: Basic base64(CREDENTIAL), which is user:password
	SchemeOther  = "other"  // nothing that a credential could fill
)

// Scheme is one security scheme that a call needs.
type Scheme struct {
	Name string `json:"name"` // as the document names it
	Type string `json:"type"`
	In   Place  `json:"in,omitempty"`  // of a key
	Key  string `json:"key,omitempty"` // of a key: the header's, parameter's or cookie's name
}

// Encode gives the binding's JSON form after checking it.
func (b Binding) Encode() (json.RawMessage, error) {
	if err := b.Validate(); err != nil {
		return nil, err
	}
	return interlock.Marshal(b)
}

// Validate says what keeps the binding from being sent, if anything does.
func (b Binding) Validate() error {
	if !isToken(b.Method) || b.Method != strings.ToUpper(b.Method) || b.Method == "CONNECT" {
		return fmt.Errorf("the method %q cannot be sent", b.Method)
	}
	if err := checkAddress(b.URL); err != nil {
		return err
	}
	used := map[string]bool{}
	for _, p := range b.Params {
		if err := p.validate(); err != nil {
			return err
		}
		if used[p.Arg] {
			return fmt.Errorf("two parameters take the argument %q", p.Arg)
		}
		used[p.Arg] = true
	}
	if b.Body != nil && used[b.Body.Arg] && b.Body.Arg != "" {
		return fmt.Errorf("the body and a parameter take the argument %q", b.Body.Arg)
	}
	if b.Body != nil && formOf(b.Body.Media) == formNone {
		return fmt.Errorf("a body of type %q cannot be written", b.Body.Media)
	}
	return checkTemplate(b)
}

func (p Param) validate() error {
	if p.Arg == "" || p.Name == "" {
		return errors.New("a parameter without a name")
	}
	if !listed(p.In.styles(), string(p.Style)) {
		return fmt.Errorf("the parameter %q: style %q cannot be sent in %q", p.Name, p.Style, p.In)
	}
	if p.In == InHeader && (!isToken(p.Name) || ProtectedHeader(p.Name)) {
		return fmt.Errorf("the header %q is not set from arguments", p.Name)
	}
	if p.In == InCookie && !isToken(p.Name) {
		return fmt.Errorf("the cookie name %q cannot be sent", p.Name)
	}
	return nil
}

// checkAddress takes an absolute http or https URL without credentials.
func checkAddress(text string) error {
	u, err := url.Parse(strings.NewReplacer("{", "%7B", "}", "%7D").Replace(text))
	if err != nil {
		return fmt.Errorf("the address cannot be read: %w", errors.Unwrap(err))
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Opaque != "" {
		return errors.New("the address is no absolute http or https URL")
	}
	if u.User != nil {
		return errors.New("the address holds a user or password; give a credential by reference instead")
	}
	if u.Fragment != "" || strings.ContainsAny(u.Host, "{}%") {
		return errors.New("the address has a fragment, or a host that is no host")
	}
	return nil
}
