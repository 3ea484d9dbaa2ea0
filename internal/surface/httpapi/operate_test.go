package httpapi_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

var addConfig = interlock.SourceConfig{Name: "new", Kind: interlock.KindMCP, Command: []string{"serve"}}

func TestOperatorDoor(t *testing.T) {
	d := serve(t, httpapi.Operator, bearer(t), httpapi.Options{})
	for _, c := range []struct {
		method, path, body string
		headers            []string
		status             int
		has                string
	}{
		{"GET", "/v1/tools", "", nil, 200, surfacetest.Store},
		{"GET", "/v1/tools/eff/store", "", []string{"Interlock-Principal: bob"}, 404, "not-found"},
		{"GET", "/v1/tools", "", []string{"Interlock-Principal: nobody"}, 404, "not-found"},
		{"GET", "/v1/tools", "", []string{"Interlock-Principal: alice", "Interlock-Principal: bob"}, 400, "twice"},
		{"POST", "/v1/sources", `{"name":"x","kind":"mcp"}`, nil, 200, `"unstated_effects":1`},
		{"POST", "/v1/sources", `{"name":"x","kind":"mcp"}`, []string{"Interlock-Principal: alice"}, 403, "operator-only"},
		{"POST", "/v1/sources", `{"name":"x","knd":"mcp"}`, nil, 400, `did you mean \"kind\"`},
		{"POST", "/v1/sources", `{"name":"x","zzzzzz":1}`, nil, 400, `"/zzzzzz"`},
		{"POST", "/v1/sources", `{"name":5}`, nil, 400, "request-invalid"},
		{"POST", "/v1/sources", `{} {}`, nil, 400, "more than one"},
		{"POST", "/v1/sources", `{"kind":"mcp"}`, nil, 400, "source-invalid"},
		{"POST", "/v1/probe", `{"what":"docs"}`, nil, 200, `"tool":"docs/echo","sent":0`},
		{"POST", "/v1/probe", `{"what":"docs"}`, []string{"Interlock-Principal: alice"}, 403, "operator-only"},
		{"POST", "/v1/probe", `{"wht":"docs"}`, nil, 400, `did you mean \"what\"`},
		{"DELETE", "/v1/sources/x", "", nil, 204, ""},
		{"DELETE", "/v1/sources/x", "", nil, 404, "not-found"},
		{"POST", "/v1/call", `{"tool":"docs/echo","args":{}}`, []string{"Interlock-Principal: bob"}, 200, `"id":"r0"`},
		{"GET", "/v1/log?limit=1", "", nil, 200, `"next":1}`},
		{"GET", "/v1/log?from=1", "", nil, 200, `{"entries":[],"next":null}`},
		{"GET", "/v1/log?from=-1", "", nil, 400, "/from"},
		{"GET", "/v1/log?limit=1001", "", nil, 400, "/limit"},
		{"GET", "/v1/log/verify", "", nil, 200, `{"size":1,"verified":true}`},
		{"GET", "/v1/log/export", "", nil, 200, `0 {"id":"r0"}`},
		{"GET", "/v1/status", "", nil, 200, `{"tools":5}`},
		{"POST", "/v1/approvals/ap9", `{"decision":"approve"}`, nil, 404, "not-found"},
		{"POST", "/v1/approvals/ap9", `{"decision":"yes"}`, nil, 400, "/decision"},
	} {
		a := d.ask(c.method, c.path, c.body, c.headers...)
		if a.status != c.status || !strings.Contains(a.body, c.has) {
			t.Errorf("%s %s %s: %d %s, expected %d with %s", c.method, c.path, c.body, a.status, a.body, c.status, c.has)
		}
	}
}

// TestNoProbesFromOutside: no agent, and no token without the right, gets a
// probe sent; nor does anybody who is not on the machine.
func TestNoProbesFromOutside(t *testing.T) {
	for name, d := range map[string]*door{"bearer": serve(t, httpapi.Public, bearer(t), httpapi.Options{}), "open": serve(t, httpapi.Public, open(t), httpapi.Options{})} {
		if a := d.ask("POST", "/v1/probe", `{"what":"docs"}`, as(alice)); a.status != 403 && a.status != 401 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
}

// With Operate the operator of the single-user mode may change things over his
// own loopback; a token's principal never.
func TestOperateOption(t *testing.T) {
	d := serve(t, httpapi.Public, open(t), httpapi.Options{Operate: true})
	if a := d.ask("POST", "/v1/sources", `{"name":"x","kind":"mcp"}`); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	d = serve(t, httpapi.Public, bearer(t), httpapi.Options{Operate: true})
	if a := d.ask("POST", "/v1/sources", `{"name":"x","kind":"mcp"}`, as(alice)); a.status != 403 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// socket serves the operator's door on a unix socket and gives its client.
func socket(t *testing.T) (*httpapi.Client, *surfacetest.Router) {
	t.Helper()
	r := surfacetest.New()
	h, err := httpapi.Operator(r, r, bearer(t), httpapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	srv := httpapi.NewServer(h, nil)
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(l) }()
	c := httpapi.DialSocket(path)
	t.Cleanup(func() { c.Close(); _ = srv.Close(); <-done })
	return c, r
}

var (
	aliceP = interlock.Principal{Name: "alice", Tenant: "a", Allow: []string{"*"}}
	bobP   = interlock.Principal{Name: "bob", Tenant: "b", Allow: []string{"docs/*"}}
)

// A client gives what the router behind the door gives: the same bytes for
// needs, the same results, the same errors.
func TestClientIsTheRouter(t *testing.T) {
	c, r := socket(t)
	ctx := t.Context()
	for _, who := range []interlock.Principal{interlock.Local(), aliceP, bobP} {
		for _, need := range []interlock.Need{{Text: "Echo a document"}, {Text: surfacetest.Store}, {Text: "x"}, {Text: "x", Constraints: []interlock.Constraint{{Family: "f", Range: "^2.0"}}}} {
			far, err := c.Resolve(ctx, who, need)
			if err != nil {
				t.Fatal(err)
			}
			near, _ := r.Resolve(ctx, who, need)
			a, _ := wire.Encode(far)
			b, _ := wire.Encode(near)
			if got, want := anyOffer.ReplaceAllString(string(a), "o"), anyOffer.ReplaceAllString(string(b), "o"); got != want {
				t.Errorf("%s %v: %s\nbehind the door %s", who.Name, need, got, want)
			}
		}
		farTools, err := c.Tools(ctx, who)
		nearTools, _ := r.Tools(ctx, who)
		if diff := cmp.Diff(nearTools, farTools); err != nil || diff != "" {
			t.Error(err, diff)
		}
		farShow, err := c.Show(ctx, who, surfacetest.Echo)
		nearShow, _ := r.Show(ctx, who, surfacetest.Echo)
		if diff := cmp.Diff(nearShow, farShow); err != nil || diff != "" {
			t.Error(err, diff)
		}
		for _, of := range []interlock.Constraint{{Family: "doc.echo"}, {Family: "doc.echo", Range: "^2 || <1", BuiltAgainst: "1.2.0+a b"}, {Family: "record.store"}, {Family: "no/such family"}, {Family: "doc.echo", Range: "oops"}} {
			farFamily, farErr := c.Family(ctx, who, of)
			nearFamily, nearErr := r.Family(ctx, who, of)
			if diff := cmp.Diff(nearFamily, farFamily); diff != "" || interlock.ReasonOf(farErr) != interlock.ReasonOf(nearErr) || wire.Exit(farErr) != wire.Exit(nearErr) {
				t.Errorf("%s %+v: %v, %v\n%s", who.Name, of, farErr, nearErr, diff)
			}
		}
		farSources, err := c.Sources(ctx, who)
		nearSources, _ := r.Sources(ctx, who)
		if diff := cmp.Diff(nearSources, farSources); err != nil || diff != "" {
			t.Error(err, diff)
		}
	}
	_, err := c.Resolve(ctx, aliceP, interlock.Need{Text: "x", Constraints: []interlock.Constraint{{Family: "f", Range: "oops"}}})
	if wire.Exit(err) != 2 || interlock.AsError(err).Pointer != "/constraints/0/range" {
		t.Errorf("a bad range: %v", err)
	}
	res, err := c.Resolve(ctx, aliceP, interlock.Need{Text: "x", Constraints: []interlock.Constraint{{Family: "f", Range: "^2"}}})
	var none *interlock.NoCompatibleContract
	if err != nil || !errors.As(res.Err(), &none) || none.Family != "f" {
		t.Errorf("a typed refusal: %v %v", err, res.Refusal)
	}
}

func TestClientCalls(t *testing.T) {
	c, r := socket(t)
	ctx := t.Context()
	res, err := c.Call(ctx, bobP, interlock.CallRequest{Tool: surfacetest.Image, Args: []byte(exact)})
	if err != nil || string(res.Result) != `{ "echo":`+exact+` }` || !strings.Contains(string(res.Content), `caf\u00e9`) || r.LastArgs() != exact {
		t.Errorf("%v %s %s", err, res.Result, res.Content)
	}
	write := interlock.CallRequest{Tool: surfacetest.Store, Args: []byte(`{"id":7}`)}
	_, err = c.Call(ctx, aliceP, write)
	e := interlock.AsError(err)
	if wire.Exit(err) != 3 || e.Reason != interlock.ReasonApprovalRequired || e.Outcome != interlock.OutcomeNotSent || e.Approval == "" {
		t.Fatalf("%v", err)
	}
	list, err := c.Approvals(ctx, interlock.Local())
	if err != nil || len(list) != 1 || list[0].Principal != "alice" || list[0].Asked.IsZero() {
		t.Errorf("%v %v", list, err)
	}
	if a, err := c.Decide(ctx, e.Approval, interlock.Local(), true); err != nil || a.State != interlock.ApprovalGranted || a.By != "local" {
		t.Errorf("%+v %v", a, err)
	}
	write.Approval = e.Approval
	if _, err := c.Call(ctx, aliceP, write); err != nil {
		t.Errorf("approved: %v", err)
	}
	if _, err := c.Call(ctx, aliceP, write); interlock.ReasonOf(err) != interlock.ReasonApprovalInvalid {
		t.Errorf("used twice: %v", err)
	}
	write.Approval, write.Approve = "", true
	if _, err := c.Call(ctx, interlock.Local(), write); err != nil {
		t.Errorf("the operator's own leave: %v", err)
	}
	write.Limit = interlock.EffectRead
	if _, err := c.Call(ctx, interlock.Local(), write); interlock.ReasonOf(err) != interlock.ReasonEffectTooStrong {
		t.Errorf("over the limit: %v", err)
	}
	if _, err := c.Call(ctx, aliceP, interlock.CallRequest{Tool: surfacetest.Broken}); wire.Exit(err) != 1 || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a broken result: %v", err)
	}
}

func TestClientOperates(t *testing.T) {
	c, r := socket(t)
	ctx := t.Context()
	report, err := c.Add(ctx, interlock.Local(), addConfig)
	want, _ := r.Add(ctx, interlock.Local(), addConfig)
	if diff := cmp.Diff(want, report); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if err := c.Remove(ctx, interlock.Local(), "new"); err != nil {
		t.Error(err)
	}
	if err := c.Remove(ctx, interlock.Local(), "new"); interlock.CodeOf(err) != interlock.CodeNotFound {
		t.Error(err)
	}
	for range 3 {
		if _, err := c.Call(ctx, bobP, interlock.CallRequest{Tool: surfacetest.Echo}); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := c.LogList(ctx, 1, 100)
	wantEntries, _ := r.LogList(ctx, 1, 100)
	if diff := cmp.Diff(wantEntries, entries); err != nil || diff != "" || len(entries) != 2 {
		t.Error(err, diff)
	}
	var out bytes.Buffer
	if err := c.LogExport(ctx, &out); err != nil || strings.Count(out.String(), "\n") != 3 {
		t.Errorf("%v %q", err, out.String())
	}
	if n, err := c.LogVerify(ctx); err != nil || n != 3 {
		t.Errorf("%d %v", n, err)
	}
	if facts, err := c.Status(ctx); err != nil || facts["tools"] == nil {
		t.Errorf("%v %v", facts, err)
	}
}

// An export that breaks off does not look whole.
func TestBrokenExportIsNoticed(t *testing.T) {
	c, r := socket(t)
	if _, err := c.Call(t.Context(), bobP, interlock.CallRequest{Tool: surfacetest.Echo}); err != nil {
		t.Fatal(err)
	}
	r.LogBroken = &interlock.Error{Code: interlock.CodeInternal, Reason: interlock.ReasonLogInvalid, Stage: "log", Public: "The log does not verify."}
	if err := c.LogExport(t.Context(), io.Discard); err == nil {
		t.Error("half an export was taken for the whole")
	}
	if _, err := c.LogVerify(t.Context()); interlock.ReasonOf(err) != interlock.ReasonLogInvalid || wire.Exit(err) != 1 {
		t.Errorf("%v", err)
	}
}

// A call whose answer is lost may have been sent; one that never arrived was
// not.
func TestClientWithoutAServer(t *testing.T) {
	c := httpapi.DialSocket(filepath.Join(t.TempDir(), "none"))
	_, err := c.Call(t.Context(), bobP, interlock.CallRequest{Tool: surfacetest.Echo})
	if interlock.ReasonOf(err) != interlock.ReasonUnavailable {
		t.Errorf("%v", err)
	}
	cut := httpapi.NewClient(roundTrip(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }), "http://x")
	_, err = cut.Call(t.Context(), bobP, interlock.CallRequest{Tool: surfacetest.Echo})
	if e := interlock.AsError(err); e.Reason != interlock.ReasonIndeterminate || e.Outcome != interlock.OutcomeUnknown || wire.Exit(err) != 1 {
		t.Errorf("%v", err)
	}
	if _, err = cut.Tools(t.Context(), bobP); interlock.ReasonOf(err) != interlock.ReasonUnavailable {
		t.Errorf("%v", err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
