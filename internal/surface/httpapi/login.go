package httpapi

import (
	"net/http"
	"strings"
)

// wellKnown is where a client that was refused learns where to log in (RFC
// 9728, OAuth 2.0 Protected Resource Metadata). What stands behind it is the
// path of the resource.
const wellKnown = "/.well-known/oauth-protected-resource"

// protected is the metadata of a resource.
type protected struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
	Methods  []string `json:"bearer_methods_supported"`
	Scopes   []string `json:"scopes_supported,omitempty"`
	Name     string   `json:"resource_name"`
}

// resource answers with the metadata of the whole, or of the MCP face. Any page
// may read it: a client in a browser has no token yet.
func (s *server) resource(w http.ResponseWriter, r *http.Request, _ caller) error {
	login, _ := s.guard.Login()
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Cache-Control", "no-store")
	return sendValue(w, protected{
		Resource: base(r, login.Resource) + strings.TrimPrefix(r.URL.Path, wellKnown), Servers: []string{login.Issuer},
		Methods: []string{"header"}, Scopes: login.Scopes, Name: "Interlock",
	})
}

// challenge is the WWW-Authenticate of a refused request.
func (s *server) challenge(r *http.Request) string {
	const plain = `Bearer realm="interlock"`
	login, ok := s.guard.Login()
	if !ok || s.local {
		return plain
	}
	of := ""
	if r.URL.Path == "/mcp" {
		of = "/mcp"
	}
	text := plain + `, resource_metadata="` + base(r, login.Resource) + wellKnown + of + `"`
	if len(r.Header.Values("Authorization")) > 0 {
		text += `, error="invalid_token"`
	}
	return text
}

// base is the address that clients know: the configured one, or the one that
// the request was sent to.
func base(r *http.Request, configured string) string {
	if configured != "" {
		return strings.TrimSuffix(configured, "/")
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	return scheme + hostOf(r)
}

// hostOf gives the Host of a request where it is fit to stand in a header.
func hostOf(r *http.Request) string {
	if strings.ContainsFunc(r.Host, func(c rune) bool { return c <= ' ' || c == '"' || c == '\\' || c > '~' }) {
		return "localhost"
	}
	return r.Host
}
