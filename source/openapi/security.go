package openapi

import (
	"strings"

	"github.com/seed-ae386458/interlock/source/httpcall"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// security reads what an operation asks for: alternatives, each of which needs
// all of its schemes. The operation's own word replaces the document's.
func (d *document) security(e *endpoint) (alternatives [][]httpcall.Scheme, scopes []string) {
	stated := e.op.Get("security")
	if isNull(stated) {
		stated = d.root.Get("security")
	}
	if !stated.Is(yamljson.Array) {
		return nil, nil
	}
	for _, option := range stated.Items {
		all := []httpcall.Scheme{}
		for _, m := range membersOf(option) {
			all = append(all, d.scheme(m.Name))
			scopes = append(scopes, m.Value.Texts()...)
		}
		alternatives = append(alternatives, all)
	}
	return alternatives, sortedUnique(scopes)
}

// scheme reads one security scheme. One that is missing, or that no credential
// by reference can fill, is kept by name: a call that needs it is not sent.
func (d *document) scheme(name string) httpcall.Scheme {
	home := d.root.Get("components").Get("securitySchemes")
	if d.dialect == swagger2 {
		home = d.root.Get("securityDefinitions")
	}
	out := httpcall.Scheme{Name: name, Type: httpcall.SchemeOther}
	n, _, err := d.follow(home.Get(name), "")
	if err != nil {
		return out
	}
	switch n.Get("type").Text() {
	case "apiKey":
		out.Type, out.In, out.Key = httpcall.SchemeKey, httpcall.Place(n.Get("in").Text()), n.Get("name").Text()
	case "oauth2", "openIdConnect":
		out.Type = httpcall.SchemeBearer
	case "basic": // Swagger 2.0
		out.Type = httpcall.SchemeBasic
	case "http":
		switch strings.ToLower(n.Get("scheme").Text()) {
		case "bearer":
			out.Type = httpcall.SchemeBearer
		case "basic":
			out.Type = httpcall.SchemeBasic
		}
	}
	return out
}
