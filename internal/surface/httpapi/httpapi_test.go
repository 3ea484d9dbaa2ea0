package httpapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

const (
	alice = "alice-token-000000000000"
	bob   = "bob-token-0000000000000000"
)

// bearer is a guard with two tokens.
func bearer(t *testing.T) *auth.Authenticator {
	t.Helper()
	guard, err := auth.New(auth.Config{Tokens: []auth.Token{
		{Name: "alice", Secret: alice, Tenant: "a", Allow: []string{"*"}},
		{Name: "bob", Secret: bob, Tenant: "b", Allow: []string{"docs/*"}},
	}}, auth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return guard
}

// open is the guard of the single-user mode.
func open(t *testing.T) *auth.Authenticator {
	t.Helper()
	guard, err := auth.New(auth.Config{}, auth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return guard
}

// door is one door on a real listener.
type door struct {
	t      *testing.T
	router *surfacetest.Router
	url    string
	log    *bytes.Buffer
}

type maker func(httpapi.Router, httpapi.Keeper, httpapi.Guard, httpapi.Options) (http.Handler, error)

func serve(t *testing.T, build maker, guard httpapi.Guard, opts httpapi.Options) *door {
	t.Helper()
	d := &door{t: t, router: surfacetest.New(), log: &bytes.Buffer{}}
	opts.Logger = slog.New(slog.NewTextHandler(d.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h, err := build(d.router, d.router, guard, opts)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(nil)
	srv.Config = httpapi.NewServer(h, opts.Logger)
	srv.Start()
	t.Cleanup(srv.Close)
	d.url = srv.URL
	return d
}

// answer is a whole response.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request; headers are "Name: value".
func (d *door) ask(method, path, body string, headers ...string) answer {
	d.t.Helper()
	req, err := http.NewRequest(method, d.url+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
			continue
		}
		if value == "" {
			req.Header.Del(name)
			continue
		}
		req.Header.Add(name, value)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(raw)}
}

func as(token string) string { return "Authorization: Bearer " + token }

// offer resolves and gives the first offer.
func (d *door) offer(need string, headers ...string) string {
	d.t.Helper()
	a := d.ask("POST", "/v1/resolve", `{"need":"`+need+`"}`, headers...)
	var r interlock.Resolution
	var into struct {
		Candidates []interlock.Candidate `json:"candidates"`
	}
	if err := json.Unmarshal([]byte(a.body), &into); err != nil || len(into.Candidates) == 0 {
		d.t.Fatalf("%s: %d %s %v %v", need, a.status, a.body, err, r)
	}
	return into.Candidates[0].Offer
}

// problem reads a problem and checks that it is one.
func (a answer) problem(t *testing.T) (p struct {
	Type, Title, Detail, Code, Reason, Stage, Message, Pointer, Approval string
	Status                                                               int
}) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), &p); err != nil || a.header.Get("Content-Type") != "application/problem+json" || p.Status != a.status || p.Reason == "" || p.Message == "" || p.Type == "" {
		t.Errorf("no problem: %d %s %s %v", a.status, a.header.Get("Content-Type"), a.body, err)
	}
	if strings.Contains(a.body, "hunter2") {
		t.Errorf("a problem tells its cause: %s", a.body)
	}
	return p
}

func TestGate(t *testing.T) {
	mcp := mcpFunc(func(w http.ResponseWriter, _ *http.Request, who interlock.Principal) {
		_, _ = io.WriteString(w, who.Name)
	})
	d := serve(t, httpapi.Public, bearer(t), httpapi.Options{MCP: mcp})
	paths := []string{
		"GET /v1/tools", "GET /v1/sources", "GET /v1/approvals", "POST /v1/resolve", "POST /v1/call", "POST /v1/approvals/x", "GET /v1/approvals/x",
		"POST /v1/sources", "DELETE /v1/sources/x", "GET /v1/log", "GET /v1/log/export", "GET /v1/log/verify", "GET /v1/status", "GET /v1/tools/docs/echo",
		"POST /mcp", "GET /mcp", "DELETE /mcp", "GET /mcp/x", "GET /v1/nothing-here", "GET /v1", "GET /v1/", "PATCH /v1/tools", "OPTIONS /v1/call", "GET //v1/tools", "GET /v1/../v1/tools",
	}
	for _, p := range paths {
		method, path, _ := strings.Cut(p, " ")
		for _, h := range [][]string{nil, {as("wrong-token-00000000000000")}, {"Authorization: Basic " + alice}, {as(alice + "x")}} {
			a := d.ask(method, path, "", h...)
			if a.status != 401 || a.header.Get("WWW-Authenticate") == "" || a.problem(t).Reason != "unauthenticated" {
				t.Errorf("%s with %v: %d %s", p, h, a.status, a.body)
			}
		}
		if a := d.ask(method, path, "", as(alice), as(bob)); a.status != 400 || a.problem(t).Reason != "request-invalid" {
			t.Errorf("%s with two credentials: %d %s", p, a.status, a.body)
		}
	}
	if a := d.ask("POST", "/mcp", "{}", as(bob)); a.status != 200 || a.body != "bob" {
		t.Errorf("mcp: %d %s", a.status, a.body)
	}
	if d.router.Calls() != 0 {
		t.Error("a call was sent")
	}
	for _, path := range []string{"/", "/healthz", "/openapi.json"} {
		if a := d.ask("GET", path, ""); a.status != 200 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
}

type mcpFunc func(http.ResponseWriter, *http.Request, interlock.Principal)

func (f mcpFunc) ServeAs(w http.ResponseWriter, r *http.Request, who interlock.Principal) {
	f(w, r, who)
}

func TestProblemsOfHTTP(t *testing.T) {
	d := serve(t, httpapi.Public, bearer(t), httpapi.Options{})
	for _, c := range []struct {
		method, path, body string
		headers            []string
		status             int
		reason             string
	}{
		{"GET", "/v1/nothing", "", nil, 404, "not-found"},
		{"GET", "/nothing", "", nil, 404, "not-found"},
		{"GET", "/v1//tools", "", nil, 404, "not-found"},
		{"POST", "/mcp", "{}", nil, 404, "not-found"},
		{"GET", "/v1/tools/docs/nothing", "", nil, 404, "not-found"},
		{"GET", "/v1/tools/", "", nil, 404, "not-found"},
		{"GET", "/v1/resolve", "", nil, 405, "request-invalid"},
		{"PUT", "/v1/tools", "", nil, 405, "request-invalid"},
		{"POST", "/healthz", "{}", nil, 405, "request-invalid"},
		{"POST", "/v1/resolve", `{"need":"x"}`, []string{"Content-Type: "}, 415, "request-invalid"},
		{"POST", "/v1/resolve", `{"need":"x"`, nil, 400, "request-invalid"},
		{"POST", "/v1/resolve", `{"neeed":"x"}`, nil, 400, "request-invalid"},
		{"POST", "/v1/resolve", `{"need":"fail"}`, nil, 500, "internal"},
		{"POST", "/v1/resolve", `{"need":"x","constraints":[{"family":"f","range":"oops"}]}`, nil, 400, "range-invalid"},
		{"POST", "/v1/resolve", `{"need":"` + strings.Repeat("x", 70_000) + `"}`, nil, 413, "too-large"},
		{"POST", "/v1/call", `{"offer":"o","args":"` + strings.Repeat("x", 1_200_000) + `"}`, nil, 413, "too-large"},
		{"POST", "/v1/call", `{"offer":"o","args":{}}`, []string{"Interlock-Limit: huge"}, 400, "request-invalid"},
		{"POST", "/v1/call", `{"tool":"docs/echo","args":{}}`, nil, 400, "request-invalid"},
		{"POST", "/v1/call", `{"offer":"o","args":{}}`, []string{"Interlock-Approve: 1"}, 403, "operator-only"},
		{"GET", "/v1/tools", "", []string{"Interlock-Principal: bob"}, 403, "operator-only"},
		{"GET", "/v1/log", "", nil, 403, "operator-only"},
		{"GET", "/v1/status", "", nil, 403, "operator-only"},
		{"POST", "/v1/sources", `{"name":"x"}`, nil, 403, "operator-only"},
		{"DELETE", "/v1/sources/docs", "", nil, 403, "operator-only"},
		{"POST", "/v1/approvals/x", `{"decision":"approve"}`, nil, 403, "operator-only"},
		{"GET", "/v1/approvals/x", "", nil, 404, "not-found"},
	} {
		a := d.ask(c.method, c.path, c.body, append([]string{as(alice)}, c.headers...)...)
		if p := a.problem(t); a.status != c.status || p.Reason != c.reason {
			t.Errorf("%s %s %.60s: %d %s, expected %d %s", c.method, c.path, c.body, a.status, a.body, c.status, c.reason)
		}
		if (a.status == 405) != (a.header.Get("Allow") != "") {
			t.Errorf("%s %s: Allow is %q", c.method, c.path, a.header.Get("Allow"))
		}
	}
	if !strings.Contains(d.log.String(), "hunter2") {
		t.Error("the log lacks the cause of the internal failure")
	}
}

func TestChunkedBodyIsBounded(t *testing.T) {
	d := serve(t, httpapi.Public, open(t), httpapi.Options{})
	resp, err := http.Post(d.url+"/v1/resolve", "application/json", io.LimitReader(endless{}, 5<<20))
	if err != nil {
		t.Skip("the server hung up on the flood, as it may:", err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != 413 {
		t.Errorf("%d", resp.StatusCode)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestPanicIsAProblem(t *testing.T) {
	d := serve(t, httpapi.Public, open(t), httpapi.Options{})
	a := d.ask("POST", "/v1/call", `{"offer":"`+d.offer(surfacetest.Panics)+`"}`)
	if a.problem(t).Reason != "internal" || a.status != 500 || !strings.Contains(d.log.String(), "stack") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := d.ask("GET", "/v1/tools", ""); a.status != 200 {
		t.Errorf("after the panic: %d", a.status)
	}
}

// In the single-user mode only this machine is served, under its own names, and
// no page of another origin.
func TestSingleUserModeStaysHere(t *testing.T) {
	d := serve(t, httpapi.Public, open(t), httpapi.Options{})
	for _, c := range []struct {
		headers []string
		status  int
	}{
		{nil, 200},
		{[]string{"Host: localhost:80"}, 200}, {[]string{"Host: [::1]:99"}, 200}, {[]string{"Host: 127.8.9.1"}, 200},
		{[]string{"Host: evil.example"}, 403}, {[]string{"Host: evil.example:80"}, 403}, {[]string{"Host: 10.0.0.1"}, 403},
		{[]string{"Host: localhost.evil.example"}, 403}, {[]string{"Host: 127.0.0.1.evil.example"}, 403},
		{[]string{"Origin: http://evil.example"}, 403}, {[]string{"Sec-Fetch-Site: cross-site"}, 403}, {[]string{"Sec-Fetch-Site: same-origin"}, 200},
	} {
		a := d.ask("POST", "/v1/resolve", `{"need":"x"}`, c.headers...)
		if a.status != c.status {
			t.Errorf("%v: %d %s", c.headers, a.status, a.body)
		}
		if a.status != 200 {
			a.problem(t)
		}
	}
	h, err := httpapi.Public(d.router, d.router, open(t), httpapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for addr, status := range map[string]int{"192.0.2.7:99": 403, "[2001:db8::1]:9": 403, "127.0.0.1:9": 200, "[::ffff:127.0.0.1]:9": 200, "@": 200} {
		r := httptest.NewRequest("GET", "http://localhost/v1/tools", nil)
		r.RemoteAddr = addr
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("from %s: %d", addr, w.Code)
		}
	}
	if a := d.ask("POST", "/v1/sources", `{"name":"x","kind":"mcp","command":["sh"]}`); a.status != 403 {
		t.Errorf("a source was added over the network: %d %s", a.status, a.body)
	}
}

func TestRequestID(t *testing.T) {
	d := serve(t, httpapi.Public, open(t), httpapi.Options{NewID: func() string { return "made" }})
	for given, want := range map[string]string{"abc-1.2_Z": "abc-1.2_Z", "": "made", "a b": "made", "a\tb": "made", strings.Repeat("x", 65): "made"} {
		a := d.ask("GET", "/healthz", "", "X-Request-Id: "+given)
		if got := a.header.Get("X-Request-Id"); got != want {
			t.Errorf("%q: %q", given, got)
		}
	}
}

func TestLandingPage(t *testing.T) {
	d := serve(t, httpapi.Public, bearer(t), httpapi.Options{Version: `1"<script>`})
	a := d.ask("GET", "/", "", `Host: x"><script>alert(1)</script>`)
	if a.status != 200 && a.status != 400 || strings.Contains(a.body, "<script>") {
		t.Errorf("%d %s", a.status, a.body)
	}
	a = d.ask("GET", "/", "")
	if a.status != 200 || !strings.Contains(a.body, d.url+"/v1/resolve") || strings.Contains(a.body, "<script>") || strings.Contains(a.body, "/mcp") || a.header.Get("Content-Security-Policy") == "" {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := d.ask("HEAD", "/", ""); a.status != 200 || a.body != "" {
		t.Errorf("HEAD: %d %q", a.status, a.body)
	}
}

func TestHealthTellsNothing(t *testing.T) {
	d := serve(t, httpapi.Public, bearer(t), httpapi.Options{})
	if a := d.ask("GET", "/healthz", ""); a.body != `{"status":"ok"}` {
		t.Errorf("%d %s", a.status, a.body)
	}
	d.router.Down = io.ErrUnexpectedEOF
	if a := d.ask("GET", "/healthz", ""); a.status != 503 || strings.Contains(a.body, "EOF") {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestDoorsNeedTheirParts(t *testing.T) {
	r := surfacetest.New()
	for _, build := range []maker{httpapi.Public, httpapi.Operator} {
		if _, err := build(nil, r, open(t), httpapi.Options{}); err == nil {
			t.Error("a door without a router")
		}
		if _, err := build(r, r, nil, httpapi.Options{}); err == nil {
			t.Error("a door without a guard")
		}
	}
}
