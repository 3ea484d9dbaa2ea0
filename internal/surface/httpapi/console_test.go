package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

// TestConsoleHoldsNothing: its pages are the same for everyone, run their own
// script alone, and are shown in no frame.
func TestConsoleHoldsNothing(t *testing.T) {
	d, o := serve(t, httpapi.Public, bearer(t), httpapi.Options{}), serve(t, httpapi.Public, open(t), httpapi.Options{})
	d.ask("POST", "/v1/call", `{"offer":"`+d.offer(surfacetest.Store, as(alice))+`","args":{"id":7}}`, as(alice))
	for path, media := range map[string]string{"approvals": "text/html", "approvals.js": "text/javascript", "text.js": "text/javascript", "console.css": "text/css"} {
		a := d.ask("GET", "/console/"+path, "")
		if a.status != 200 || !strings.HasPrefix(a.header.Get("Content-Type"), media) {
			t.Errorf("%s: %d %s", path, a.status, a.header)
		}
		if b := o.ask("GET", "/console/"+path, "", as(bob)); a.body != b.body {
			t.Errorf("%s is not the same for everyone", path)
		}
		for _, data := range []string{"ap0", surfacetest.Store, "alice"} {
			if strings.Contains(a.body, data) {
				t.Errorf("%s holds %q", path, data)
			}
		}
		for name, part := range map[string]string{"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store"} {
			if !strings.Contains(a.header.Get(name), part) {
				t.Errorf("%s: %s is %q", path, name, a.header.Get(name))
			}
		}
		if rules := a.header.Get("Content-Security-Policy"); strings.Contains(rules, "unsafe") || strings.Contains(rules, "*") {
			t.Errorf("%s: %s", path, rules)
		}
		for _, outside := range []string{"http://", "https://", "innerHTML", "onclick=", " style=", "eval("} {
			if strings.Contains(a.body, outside) {
				t.Errorf("%s has %q", path, outside)
			}
		}
	}
	for _, path := range []string{"/console/", "/console/none", "/console/approvals.html", "/console/..%2flanding.html", "/console/approvals/"} {
		if a := d.ask("GET", path, ""); a.status != 404 && a.status != 401 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	// A name that was pointed at this machine gets no page and no data.
	for _, path := range []string{"/console/approvals", "/v1/approvals"} {
		if a := o.ask("GET", path, "", "Host: evil.example"); a.status != 403 {
			t.Errorf("%s by another name: %d", path, a.status)
		}
	}
}

// passing is a door for everyone and the operator's, over one set of passes.
func passing(t *testing.T, guard *auth.Authenticator, clock func() time.Time) (public *door, pass string) {
	t.Helper()
	opts := httpapi.Options{Passes: auth.NewPasses(clock), Address: "http://127.0.0.1:1"}
	local := serve(t, httpapi.Operator, guard, opts)
	a := local.ask("POST", "/v1/console", "{}")
	var link httpapi.ConsoleLink
	if err := json.Unmarshal([]byte(a.body), &link); err != nil || a.status != 200 {
		t.Fatalf("%d %s %v", a.status, a.body, err)
	}
	address, pass, _ := strings.Cut(link.URL, "#")
	if address != "http://127.0.0.1:1/console/approvals" || !link.Expires.Equal(clock().Add(12*time.Hour)) {
		t.Errorf("the link is %+v", link)
	}
	if a := local.ask("POST", "/v1/console", "{}", httpapi.HeaderPrincipal+": alice"); a.status != 403 && a.status != 404 {
		t.Errorf("a link for who acts as another: %d", a.status)
	}
	public = serve(t, httpapi.Public, guard, opts)
	if a := public.ask("POST", "/v1/console", "{}", as(alice)); a.status != 403 {
		t.Errorf("a link over the network: %d %s", a.status, a.body)
	}
	return public, pass
}

// TestPassDecides: with the operator's link a browser decides on approvals, and
// does nothing else; without it nobody who is the operator by being here does.
func TestPassDecides(t *testing.T) {
	for name, guard := range map[string]*auth.Authenticator{"open": open(t), "bearer": bearer(t)} {
		now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
		d, pass := passing(t, guard, func() time.Time { return now })
		who := as(alice)
		id := d.ask("POST", "/v1/call", `{"offer":"`+d.offer(surfacetest.Store, who)+`","args":{"id":7}}`, who).problem(t).Approval
		decide := func(headers ...string) answer {
			return d.ask("POST", "/v1/approvals/"+id, `{"decision":"approve"}`, headers...)
		}
		for what, headers := range map[string][]string{
			"by no credential":        nil,
			"by who asked":            {who},
			"by an altered link":      {as(pass + "A")},
			"from another origin":     {as(pass), "Origin: https://evil.example"},
			"from another site":       {as(pass), "Sec-Fetch-Site: cross-site"},
			"by two credentials":      {as(pass), as("another")},
			"as another":              {as(pass), httpapi.HeaderPrincipal + ": alice"},
			"by a cookie of the link": {"Cookie: token=" + pass},
		} {
			if a := decide(headers...); a.status < 400 || a.status > 499 {
				t.Errorf("%s, %s: %d %s", name, what, a.status, a.body)
			}
		}
		for _, path := range []string{"GET /v1/tools", "POST /v1/resolve", "GET /v1/log", "POST /v1/sources", "DELETE /v1/sources/x", "GET /v1/status", "POST /v1/call", "POST /v1/console", "GET /v1/none", "POST /mcp"} {
			method, path, _ := strings.Cut(path, " ")
			if a := d.ask(method, path, `{}`, as(pass)); a.status != 403 && a.status != 404 {
				t.Errorf("%s: %s %s by a link: %d %s", name, method, path, a.status, a.body)
			}
		}
		if a := d.ask("GET", "/v1/tools/"+surfacetest.Store, "", as(pass)); a.status != 200 {
			t.Errorf("%s: the tool: %d %s", name, a.status, a.body)
		}
		if a := d.ask("GET", "/v1/approvals", "", as(pass)); a.status != 200 || !strings.Contains(a.body, id) || !strings.Contains(a.body, `"state":"asked"`) {
			t.Errorf("%s: the list: %d %s", name, a.status, a.body)
		}
		if a := decide(as(pass), "Origin: "+d.url); a.status != 200 || !strings.Contains(a.body, `"state":"granted"`) {
			t.Errorf("%s: by the link: %d %s", name, a.status, a.body)
		}
		now = now.Add(12 * time.Hour)
		if a := decide(as(pass)); a.status != 401 {
			t.Errorf("%s: by a link that is over: %d", name, a.status)
		}
		if strings.Contains(d.log.String(), pass) {
			t.Errorf("%s: the link stands in the log", name)
		}
	}
}

// TestDecidableIsOfTheDoor: a listing does not offer what the door refuses.
func TestDecidableIsOfTheDoor(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	d, pass := passing(t, open(t), func() time.Time { return now })
	id := d.ask("POST", "/v1/call", `{"offer":"`+d.offer(surfacetest.Store)+`","args":{"id":7}}`).problem(t).Approval
	for _, path := range []string{"/v1/approvals", "/v1/approvals/" + id} {
		if a := d.ask("GET", path, ""); strings.Contains(a.body, "decidable") {
			t.Errorf("%s: %s", path, a.body)
		}
		if a := d.ask("GET", path, "", as(pass)); !strings.Contains(a.body, `"decidable":true`) {
			t.Errorf("%s by a link: %s", path, a.body)
		}
	}
	if a := d.ask("POST", "/v1/approvals/"+id, `{"decision":"approve"}`); a.status != 403 || a.problem(t).Reason != string(interlock.ReasonOperatorOnly) {
		t.Errorf("%d %s", a.status, a.body)
	}
}
