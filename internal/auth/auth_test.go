package auth_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

const (
	alice = "alice-token-000000000000"
	bob   = "bob-token-0000000000000000"
)

func sum(s string) string {
	d := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(d[:])
}

// request carries Authorization headers.
func request(headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/v1/tools", nil)
	for _, h := range headers {
		r.Header.Add("Authorization", h)
	}
	return r
}

// guard knows alice by digest and bob by an environment variable.
func guard(t *testing.T) *auth.Authenticator {
	t.Helper()
	a, err := auth.New(auth.Config{Mode: auth.ModeBearer, Tokens: []auth.Token{
		{Name: "alice", Secret: interlock.Secret(sum(alice)), Tenant: "a", Roles: []string{"writer", "admin"}, Allow: []string{"*"}, Deny: []string{"x/*"}},
		{Name: "bob", Secret: "env:BOB", Tenant: "b"},
	}}, auth.Options{Secrets: auth.Resolver{Lookup: func(name string) (string, bool) { return bob, name == "BOB" }}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAuthenticate(t *testing.T) {
	a := guard(t)
	for _, c := range []struct {
		name    string
		headers []string
		who     string
		code    interlock.Code
	}{
		{"known", []string{"Bearer " + alice}, "alice", ""},
		{"by reference", []string{"Bearer " + bob}, "bob", ""},
		{"scheme in any case", []string{"bEARER  " + alice}, "alice", ""},
		{"twice the same", []string{"Bearer " + alice, "Bearer " + alice}, "alice", ""},
		{"two that differ", []string{"Bearer " + alice, "Bearer " + bob}, "", interlock.CodeInvalid},
		{"known and unknown", []string{"Bearer " + alice, "Bearer nobody"}, "", interlock.CodeInvalid},
		{"two in one line", []string{"Bearer " + alice + ", Bearer " + bob}, "", interlock.CodeUnauthenticated},
		{"none", nil, "", interlock.CodeUnauthenticated},
		{"empty", []string{""}, "", interlock.CodeUnauthenticated},
		{"no token", []string{"Bearer "}, "", interlock.CodeUnauthenticated},
		{"unknown", []string{"Bearer nobody-0000000000000000"}, "", interlock.CodeUnauthenticated},
		{"cut", []string{"Bearer " + alice[:10]}, "", interlock.CodeUnauthenticated},
		{"the digest itself", []string{"Bearer " + sum(alice)}, "", interlock.CodeUnauthenticated},
		{"another scheme", []string{"Basic " + alice}, "", interlock.CodeUnauthenticated},
	} {
		who, err := a.Authenticate(request(c.headers...))
		if c.code != "" {
			if err == nil || interlock.CodeOf(err) != c.code || who.Name != "" {
				t.Errorf("%s: %+v %v, expected %s", c.name, who, err, c.code)
			}
			if err != nil && (strings.Contains(err.Error(), alice) || strings.Contains(err.Error(), bob)) {
				t.Errorf("%s: the error repeats a token", c.name)
			}
			continue
		}
		if err != nil || who.Name != c.who || who.Operator {
			t.Errorf("%s: %+v %v", c.name, who, err)
		}
	}
	who, _ := a.Authenticate(request("Bearer " + alice))
	want := interlock.Principal{Name: "alice", Tenant: "a", Roles: []string{"admin", "writer"}, Allow: []string{"*"}, Deny: []string{"x/*"}}
	if diff := cmp.Diff(want, who); diff != "" {
		t.Error(diff)
	}
}

func TestModeNone(t *testing.T) {
	a, err := auth.New(auth.Config{}, auth.Options{})
	if err != nil || !a.Open() {
		t.Fatal(a, err)
	}
	who, err := a.Authenticate(request("Bearer x", "Bearer y"))
	if diff := cmp.Diff(interlock.Local(), who); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestByName(t *testing.T) {
	a := guard(t)
	for _, name := range []string{"alice", "bob"} {
		if who, err := a.ByName(name); err != nil || who.Name != name || who.Operator {
			t.Errorf("%s: %+v %v", name, who, err)
		}
	}
	if who, err := a.ByName("local"); err != nil || !who.Operator {
		t.Errorf("local: %+v %v", who, err)
	}
	if _, err := a.ByName("carol"); interlock.CodeOf(err) != interlock.CodeNotFound {
		t.Errorf("carol: %v", err)
	}
}

func TestConfigIsRefused(t *testing.T) {
	secrets := auth.Resolver{Lookup: func(name string) (string, bool) { return map[string]string{"E": "", "W": "a b"}[name], name != "NO" }}
	for _, c := range []struct {
		says string
		cfg  auth.Config
	}{
		{"auth.mode", auth.Config{Mode: "oauth"}},
		{"auth.jwt is missing", auth.Config{Mode: "jwt"}},
		{"it is for auth.mode: jwt", auth.Config{JWT: &auth.JWT{}}},
		{"scopes: \"all\" is none of", auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "x", Scopes: []string{"all"}}}}},
		{"is no time such as", auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "x", Expires: "tomorrow"}}}},
		{"there is no clock", auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "x", Expires: "2027-01-01T00:00:00Z"}}}},
		{"with each of `secrets`", auth.Config{Tokens: []auth.Token{{Name: "a", Expires: "2027-01-01T00:00:00Z", Secrets: []auth.Secret{{Token: "x"}}}}}},
		{"does not begin with cn:", auth.Config{Tokens: []auth.Token{{Name: "a", Certificates: []string{"alice"}}}}},
		{"there is no clock", auth.Config{Tokens: []auth.Token{{Name: "a", Certificates: []string{"cn:alice"}}}}},
		{"have one certificate", auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "x", Certificates: []string{"cn:x", "cn:x"}}}}},
		{"a and a have one secret", auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "x", Secrets: []auth.Secret{{Token: "x"}}}}}},
		{"lets nobody in", auth.Config{Mode: "bearer"}},
		{"name is missing", auth.Config{Tokens: []auth.Token{{Secret: "x"}}}},
		{"operator's own", auth.Config{Tokens: []auth.Token{{Name: "local", Secret: "x"}}}},
		{"control character", auth.Config{Tokens: []auth.Token{{Name: "a\nb", Secret: "x"}}}},
		{"empty", auth.Config{Tokens: []auth.Token{{Name: "a"}}}},
		{"64 hexadecimal", auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "sha256:12"}}}},
		{"env:E", auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "env:E"}}}},
		{`auth.tokens[0]: token of a: secret "env:NO": the variable is not set`, auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "env:NO"}}}},
		{"white space", auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "env:W"}}}},
		{"file:/nowhere/at/all", auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "file:/nowhere/at/all"}}}},
		{`"a" is taken`, auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "x"}, {Name: "a", Secret: "y"}}}},
		{"one secret", auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "x"}, {Name: "b", Secret: interlock.Secret(sum("x"))}}}},
	} {
		a, err := auth.New(c.cfg, auth.Options{Secrets: secrets})
		if a != nil || interlock.ReasonOf(err) != interlock.ReasonConfigInvalid || !strings.Contains(interlock.AsError(err).Public, c.says) {
			t.Errorf("%+v: %v, expected config-invalid with %q", c.cfg, err, c.says)
		}
	}
	if _, err := auth.New(auth.Config{Tokens: []auth.Token{{Name: "a", Secret: "env:X"}}}, auth.Options{}); err == nil {
		t.Error("a reference without a resolver was taken")
	}
}

func TestClearTokenIsWarnedOf(t *testing.T) {
	var log bytes.Buffer
	a, err := auth.New(auth.Config{Tokens: []auth.Token{{Name: "a", Secret: alice}}}, auth.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil || a.Open() {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "in clear") || strings.Contains(log.String(), alice) {
		t.Errorf("log: %s", log.String())
	}
	if _, err := a.Authenticate(request("Bearer " + alice)); err != nil {
		t.Error(err)
	}
}

func TestSecrets(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return "file:" + path
	}
	r := auth.Resolver{Lookup: func(name string) (string, bool) { return "value", name == "SET" }}
	for ref, want := range map[string]string{
		"env:SET": "value", write("plain", "s3cret"): "s3cret", write("line", "s3cret\n"): "s3cret",
		write("crlf", "s3cret\r\n"): "s3cret", write("inner", "a\nb\n\n"): "a\nb\n",
	} {
		if got, err := r.Secret(ref); err != nil || got.Reveal() != want || !interlock.IsReference(ref) {
			t.Errorf("%s: %q %v", ref, got, err)
		}
	}
	big := write("big", strings.Repeat("x", auth.MaxSecret+1))
	for _, ref := range []string{"env:UNSET", write("empty", "\n"), big, "file:" + dir, "plain text", "", "sha256:00"} {
		got, err := r.Secret(ref)
		var e *interlock.Error
		if !errors.As(err, &e) || got != "" || e.Reason != interlock.ReasonCredential || strings.Contains(e.Public, dir) || e.Outcome != interlock.OutcomeNotSent {
			t.Errorf("%s: %q %v", ref, got, err)
		}
	}
	if _, err := (auth.Resolver{}).Secret("env:SET"); err == nil {
		t.Error("a resolver without an environment knew a variable")
	}
}
