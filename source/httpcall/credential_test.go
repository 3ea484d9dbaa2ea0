package httpcall

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
)

// vault reads references from a map.
type vault map[string]string

func (v vault) Secret(ref string) (interlock.Secret, error) {
	if s, ok := v[ref]; ok {
		return interlock.Secret(s), nil
	}
	return "", fmt.Errorf("nothing at %s", ref)
}

var secrets = vault{"env:TOKEN": "S3CRET", "env:PAIR": "user:S3CRET", "file:key": "S3CRET\n", "env:EVIL": "S3CRET\r\nX: 1", "env:EMPTY": ""}

func TestCredentials(t *testing.T) {
	key := func(in Place, name string) Scheme { return Scheme{Name: "key", Type: SchemeKey, In: in, Key: name} }
	bearer, basic, other := Scheme{Name: "bearer", Type: SchemeBearer}, Scheme{Name: "basic", Type: SchemeBasic}, Scheme{Name: "mtls", Type: SchemeOther}
	for _, tc := range []struct {
		name     string
		security [][]Scheme
		given    map[string]string
		headers  map[string]string
		want     string // header=value or the query; "!" is a refusal
	}{
		{"none asked", nil, nil, nil, ""},
		{"bearer", [][]Scheme{{bearer}}, map[string]string{"bearer": "env:TOKEN"}, nil, "Authorization=Bearer S3CRET"},
		{"basic", [][]Scheme{{basic}}, map[string]string{"basic": "env:PAIR"}, nil, "Authorization=Basic dXNlcjpTM0NSRVQ="},
		{"key in a header", [][]Scheme{{key(InHeader, "X-Key")}}, map[string]string{"key": "file:key"}, nil, "X-Key=S3CRET"},
		{"key in the query", [][]Scheme{{key(InQuery, "k[]")}}, map[string]string{"key": "env:TOKEN"}, nil, "/?k%5B%5D=S3CRET"},
		{"key in a cookie", [][]Scheme{{key(InCookie, "sid")}}, map[string]string{"key": "env:TOKEN"}, nil, "Cookie=sid=S3CRET"},
		{"the first that can be filled", [][]Scheme{{bearer, basic}, {key(InHeader, "X-Key")}}, map[string]string{"bearer": "env:TOKEN", "key": "env:TOKEN"}, nil, "X-Key=S3CRET"},
		{"optional and missing", [][]Scheme{{}, {bearer}}, nil, nil, ""},
		{"optional and given", [][]Scheme{{}, {bearer}}, map[string]string{"bearer": "env:TOKEN"}, nil, "Authorization=Bearer S3CRET"},
		{"the operator's header stands for it", [][]Scheme{{bearer}}, nil, map[string]string{"authorization": "env:TOKEN"}, "Authorization=S3CRET"},
		{"the operator's header, plain", nil, nil, map[string]string{"X-Team": "docs"}, "X-Team=docs"},
		{"missing", [][]Scheme{{bearer}}, nil, nil, "!"},
		{"half of two", [][]Scheme{{bearer, key(InHeader, "X-Key")}}, map[string]string{"bearer": "env:TOKEN"}, nil, "!"},
		{"a reference to nothing", [][]Scheme{{bearer}}, map[string]string{"bearer": "env:NONE"}, nil, "!"},
		{"a header's reference to nothing", nil, nil, map[string]string{"X-Team": "env:NONE"}, "!"},
		{"an empty one", [][]Scheme{{bearer}}, map[string]string{"bearer": "env:EMPTY"}, nil, "!"},
		{"one with a line break", [][]Scheme{{bearer}}, map[string]string{"bearer": "env:EVIL"}, nil, "!"},
		{"a scheme that nothing fills", [][]Scheme{{other}}, map[string]string{"mtls": "env:TOKEN"}, nil, "!"},
		{"a key without a place", [][]Scheme{{key("", "X")}}, map[string]string{"key": "env:TOKEN"}, nil, "!"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			address, seen := recorder(t, nil)
			c := client(t, Options{Secrets: secrets, Credentials: tc.given, Headers: tc.headers})
			raw := encode(t, Binding{Method: "GET", URL: address + "/", Trusted: true, Security: tc.security})
			if strings.Contains(string(raw), "S3CRET") {
				t.Error("the binding holds the secret")
			}
			_, err := c.Call(context.Background(), interlock.Outbound{Binding: raw, Effect: interlock.EffectRead})
			if tc.want == "!" {
				checkFailure(t, err, "credential-missing", interlock.CodeUnavailable, interlock.OutcomeNotSent)
				if strings.Contains(err.Error(), "S3CRET") || len(*seen) != 0 {
					t.Errorf("%v, %d sent", err, len(*seen))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := credentialOf((*seen)[0], tc.want); got != tc.want {
				t.Errorf("sent %q, want %q", got, tc.want)
			}
		})
	}
}

// A document cannot have credentials sent to an address of its own in the
// clear.
func TestCredentialsStayOffOpenWires(t *testing.T) {
	security := [][]Scheme{{{Name: "bearer", Type: SchemeBearer}}}
	for _, opts := range []Options{{Secrets: secrets, Credentials: map[string]string{"bearer": "env:TOKEN"}}, {Secrets: secrets, Headers: map[string]string{"Authorization": "env:TOKEN"}}} {
		c := client(t, opts)
		_, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, Binding{Method: "GET", URL: "http://198.51.100.1/", Security: security})})
		checkFailure(t, err, "credential-missing", interlock.CodeUnavailable, interlock.OutcomeNotSent)
	}
}

func credentialOf(s sent, want string) string {
	name, _, _ := strings.Cut(want, "=")
	switch {
	case want == "":
		return s.header.Get("Authorization") + s.header.Get("Cookie")
	case strings.HasPrefix(want, "/"):
		return s.target
	}
	return name + "=" + s.header.Get(name)
}

// An argument never takes the place of what the operator or a scheme sets.
func TestArgumentsDoNotReplaceCredentials(t *testing.T) {
	address, seen := recorder(t, nil)
	c := client(t, Options{Secrets: secrets, Credentials: map[string]string{"key": "env:TOKEN"}, Headers: map[string]string{"X-Team": "docs"}})
	b := Binding{Method: "GET", URL: address, Trusted: true, Security: [][]Scheme{{{Name: "key", Type: SchemeKey, In: InHeader, Key: "X-Key"}}}, Params: []Param{
		{Arg: "k", Name: "x-key", In: InHeader, Style: StyleSimple}, {Arg: "t", Name: "x-team", In: InHeader, Style: StyleSimple}}}
	if _, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, b), Args: []byte(`{"k":"stolen","t":"stolen"}`)}); err != nil {
		t.Fatal(err)
	}
	for name, values := range (*seen)[0].header {
		if strings.Contains(strings.Join(values, ","), "stolen") {
			t.Errorf("%s: %v", name, values)
		}
	}
}

func TestProtectedHeaders(t *testing.T) {
	for _, name := range []string{"Host", "authorization", "Cookie", "Content-Length", "Connection", "Transfer-Encoding", "Proxy-Authorization", "proxy-x", "TE", "X-Forwarded-For", "X-HTTP-Method-Override", "Accept", "Content-Type"} {
		b := Binding{Method: "GET", URL: "http://h/", Params: []Param{{Arg: "a", Name: name, In: InHeader, Style: StyleSimple}}}
		if !ProtectedHeader(name) || b.Validate() == nil {
			t.Errorf("%s may be set from an argument", name)
		}
	}
	for _, name := range []string{"X-Fine", "If-None-Match", "Accept-Language", "Notion-Version", "Prefer"} {
		if ProtectedHeader(name) {
			t.Errorf("%s may not be set from an argument", name)
		}
	}
}

func TestOptions(t *testing.T) {
	for name, opts := range map[string]Options{
		"a header of the connection":  {Headers: map[string]string{"Host": "x"}},
		"a header that is none":       {Headers: map[string]string{"a b": "x"}},
		"a line break":                {Headers: map[string]string{"a": "x\r\ny: z"}},
		"a reference without secrets": {Headers: map[string]string{"a": "env:X"}},
		"credentials without secrets": {Credentials: map[string]string{"a": "env:X"}},
	} {
		if _, err := New(opts); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestBindingsRefused(t *testing.T) {
	p := func(name string, in Place, style Style) Param {
		return Param{Arg: name, Name: name, In: in, Style: style}
	}
	for name, b := range map[string]Binding{
		"no method":               {URL: "http://h/"},
		"a tunnel":                {Method: "CONNECT", URL: "http://h/"},
		"a relative address":      {Method: "GET", URL: "/x"},
		"a file":                  {Method: "GET", URL: "file:///x"},
		"a password":              {Method: "GET", URL: "http://u:p@h/"},
		"a placeholder as host":   {Method: "GET", URL: "http://{h}/"},
		"a fragment":              {Method: "GET", URL: "http://h/#x"},
		"a hole in the path":      {Method: "GET", URL: "http://h/{x}"},
		"half a hole":             {Method: "GET", URL: "http://h/{x"},
		"a hole in the query":     {Method: "GET", URL: "http://h/?{x}", Params: []Param{p("x", InPath, StyleSimple)}},
		"a parameter of no hole":  {Method: "GET", URL: "http://h/", Params: []Param{p("x", InPath, StyleSimple)}},
		"one argument twice":      {Method: "GET", URL: "http://h/", Params: []Param{p("x", InQuery, StyleForm), p("x", InHeader, StyleSimple)}},
		"body and parameter":      {Method: "GET", URL: "http://h/", Params: []Param{p("x", InQuery, StyleForm)}, Body: &Body{Media: "application/json", Arg: "x"}},
		"a body nobody can write": {Method: "POST", URL: "http://h/", Body: &Body{Media: "application/xml"}},
		"a style out of place":    {Method: "GET", URL: "http://h/", Params: []Param{p("x", InHeader, StyleDeep)}},
	} {
		if _, err := b.Encode(); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestDocument(t *testing.T) {
	address, seen := recorder(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/ok", http.StatusFound)
		case "/gone":
			w.WriteHeader(http.StatusNotFound)
		case "/large":
			_, _ = w.Write(make([]byte, 2000))
		default:
			_, _ = w.Write([]byte("openapi: 3.1.0"))
		}
	})
	c := client(t, Options{Secrets: secrets, Headers: map[string]string{"Authorization": "env:TOKEN"}})
	body, err := c.Document(context.Background(), address+"/ok", 1000)
	if err != nil || string(body) != "openapi: 3.1.0" || (*seen)[0].header.Get("Authorization") != "S3CRET" {
		t.Errorf("%q %v %v", body, err, (*seen)[0].header)
	}
	for _, path := range []string{"/moved", "/gone", "/large", "#x"} {
		if _, err := c.Document(context.Background(), address+path, 1000); interlock.ReasonOf(err) != interlock.ReasonSourceInvalid {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := c.Document(context.Background(), "http://127.0.0.1:1/x?k=S3CRET", 1000); interlock.ReasonOf(err) != interlock.ReasonSourceUnreachable || strings.Contains(err.Error(), "S3CRET") {
		t.Errorf("unreachable: %v", err)
	}
}

// TestNobody: a call for nobody carries none of what the operator configured,
// nor is the vault asked; and Once holds a read to one request.
func TestNobody(t *testing.T) {
	var seen []http.Header
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Clone())
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer srv.Close()
	c := client(t, Options{Secrets: secrets, Headers: map[string]string{"Authorization": "env:TOKEN", "X-Team": "docs"}, Backoff: time.Millisecond})
	raw := encode(t, Binding{Method: "GET", URL: srv.URL, Trusted: true})
	for anonymous, want := range map[bool]string{true: "", false: "S3CRET"} {
		seen = nil
		_, err := c.Call(context.Background(), interlock.Outbound{Binding: raw, Effect: interlock.EffectRead, Once: true, Anonymous: anonymous})
		if err == nil || len(seen) != 1 || seen[0].Get("Authorization") != want || anonymous && seen[0].Get("X-Team") != "" {
			t.Errorf("anonymous %v: %v, %v", anonymous, err, seen)
		}
	}
}
