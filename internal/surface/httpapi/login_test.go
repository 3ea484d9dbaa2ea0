package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
)

// believing is a guard of mode jwt.
func believing(t *testing.T, change func(*auth.JWT)) *auth.Authenticator {
	t.Helper()
	cfg := auth.JWT{Issuer: "https://login.example.com/realm", Audience: []string{"interlock"}}
	if change != nil {
		change(&cfg)
	}
	guard, err := auth.New(auth.Config{Mode: auth.ModeJWT, JWT: &cfg, Tokens: []auth.Token{{Name: "alice", Secret: alice, Allow: []string{"*"}}}}, auth.Options{Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return guard
}

// TestLogin: a client that is refused finds the way to log in, and nothing else
// is told without a credential.
func TestLogin(t *testing.T) {
	d := serve(t, httpapi.Public, believing(t, nil), httpapi.Options{MCP: nothing()})
	const at = "/.well-known/oauth-protected-resource"
	for _, c := range []struct{ path, header, want string }{
		{"/mcp", "", `Bearer realm="interlock", resource_metadata="` + d.url + at + `/mcp"`},
		{"/v1/tools", "", `Bearer realm="interlock", resource_metadata="` + d.url + at + `"`},
		{"/v1/nothing", "", `Bearer realm="interlock", resource_metadata="` + d.url + at + `"`},
		{"/mcp", as("wrong"), `Bearer realm="interlock", resource_metadata="` + d.url + at + `/mcp", error="invalid_token"`},
		{"/mcp", as("a.b.c"), `Bearer realm="interlock", resource_metadata="` + d.url + at + `/mcp", error="invalid_token"`},
	} {
		a := d.ask("GET", c.path, "", c.header)
		if got := a.header.Get("WWW-Authenticate"); a.status != 401 || got != c.want {
			t.Errorf("%s %s: %d %s", c.path, c.header, a.status, got)
		}
	}
	if a := d.ask("GET", "/v1/tools", "", as(alice)); a.status != 200 || a.header.Get("WWW-Authenticate") != "" {
		t.Errorf("a configured token: %d", a.status)
	}
	for path, resource := range map[string]string{at: d.url, at + "/mcp": d.url + "/mcp"} {
		a := d.ask("GET", path, "", "Origin: https://page.example")
		var got map[string]any
		if err := json.Unmarshal([]byte(a.body), &got); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{"resource": resource, "authorization_servers": []any{"https://login.example.com/realm"}, "bearer_methods_supported": []any{"header"}, "resource_name": "Interlock"}
		if diff := cmp.Diff(want, got); a.status != 200 || a.header.Get("Access-Control-Allow-Origin") != "*" || diff != "" {
			t.Errorf("%s: %d %s", path, a.status, diff)
		}
	}
	for _, path := range []string{at + "/v1", at + "/", at + "/mcp/x"} {
		if a := d.ask("GET", path, ""); a.status != 404 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if a := d.ask("POST", at, "{}"); a.status != 405 {
		t.Errorf("POST: %d", a.status)
	}
}

// TestLoginAddress: the configured address is told, whatever the request says,
// and a Host that could break out of the header is not repeated.
func TestLoginAddress(t *testing.T) {
	d := serve(t, httpapi.Public, believing(t, func(c *auth.JWT) { c.Resource, c.Claims.Scopes = "https://tools.example.com/", "scope" }), httpapi.Options{MCP: nothing()})
	if got := d.ask("GET", "/mcp", "", "Host: evil.example").header.Get("WWW-Authenticate"); !strings.Contains(got, `"https://tools.example.com/.well-known/oauth-protected-resource/mcp"`) || strings.Contains(got, "evil") {
		t.Error(got)
	}
	a := d.ask("GET", "/.well-known/oauth-protected-resource/mcp", "")
	if !strings.Contains(a.body, `"resource":"https://tools.example.com/mcp"`) || !strings.Contains(a.body, `"scopes_supported":["discover"`) {
		t.Error(a.body)
	}
}

// TestNoLogin: without an issuer there is nowhere to log in, at either door.
func TestNoLogin(t *testing.T) {
	d := serve(t, httpapi.Public, bearer(t), httpapi.Options{MCP: nothing()})
	if a := d.ask("GET", "/.well-known/oauth-protected-resource", ""); a.status != 404 {
		t.Errorf("mode bearer: %d", a.status)
	}
	if got := d.ask("GET", "/mcp", "").header.Get("WWW-Authenticate"); got != `Bearer realm="interlock"` {
		t.Error(got)
	}
	local := serve(t, httpapi.Operator, believing(t, nil), httpapi.Options{MCP: nothing()})
	if a := local.ask("GET", "/.well-known/oauth-protected-resource", ""); a.status != 404 {
		t.Errorf("the local socket: %d", a.status)
	}
}

// nothing is an MCP face that answers nothing.
func nothing() mcpFunc {
	return func(w http.ResponseWriter, _ *http.Request, _ interlock.Principal) {
		w.WriteHeader(http.StatusNoContent)
	}
}

// TestLoginAsClientsReadIt follows the way with the reader of an MCP client.
func TestLoginAsClientsReadIt(t *testing.T) {
	d := serve(t, httpapi.Public, believing(t, nil), httpapi.Options{MCP: nothing()})
	for path, resource := range map[string]string{"/mcp": d.url + "/mcp", "/v1/tools": d.url} {
		challenges, err := oauthex.ParseWWWAuthenticate(d.ask("GET", path, "", as("wrong")).header.Values("WWW-Authenticate"))
		if err != nil || len(challenges) != 1 || challenges[0].Scheme != "bearer" || challenges[0].Params["error"] != "invalid_token" {
			t.Fatalf("%s: %+v %v", path, challenges, err)
		}
		meta, err := oauthex.GetProtectedResourceMetadata(t.Context(), challenges[0].Params["resource_metadata"], resource, http.DefaultClient)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if diff := cmp.Diff([]string{"https://login.example.com/realm"}, meta.AuthorizationServers); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}
