package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

// waits is an MCP face whose streams end with their request.
type waits struct{ ended chan struct{} }

func (w waits) ServeAs(_ http.ResponseWriter, r *http.Request, _ interlock.Principal) {
	if r.Method == http.MethodGet {
		<-r.Context().Done()
		close(w.ended)
	}
}

// TestStreamEndsWithItsCredential: a stream that was opened with a key does not
// outlive it.
func TestStreamEndsWithItsCredential(t *testing.T) {
	until := time.Now().Add(300 * time.Millisecond)
	guard, err := auth.New(auth.Config{Tokens: []auth.Token{{Name: "alice", Secret: "s", Expires: until.Format(time.RFC3339Nano), Allow: []string{"*"}}}}, auth.Options{Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	r, face := surfacetest.New(), waits{make(chan struct{})}
	door, err := Public(r, r, guard, Options{MCP: face})
	if err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequest(http.MethodGet, "/mcp", nil)
	req.Header.Set("Authorization", "Bearer s")
	go door.ServeHTTP(httptest.NewRecorder(), req)
	select {
	case <-face.ended:
		if time.Now().Before(until) {
			t.Error("the stream ended before its credential")
		}
	case <-time.After(10 * time.Second):
		t.Error("the stream goes on")
	}
}

// TestRefusedAreTold: whoever is refused at the door is told of by rule, with
// nothing of what he brought; without keys the door is shut for a moment, and
// the token is not called invalid.
func TestRefusedAreTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, []byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	guard, err := auth.New(auth.Config{Mode: "jwt", JWT: &auth.JWT{Issuer: "https://login.example.com", Audience: []string{"x"}, JWKSFile: file, KeysExpire: "10m"},
		Tokens: []auth.Token{{Name: "alice", Secret: "key-of-alice", Allow: []string{"*"}}}}, auth.Options{Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var told []string
	r := surfacetest.New()
	door, err := Public(r, r, guard, Options{Refused: func(rule, principal, from string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, fmt.Sprint(rule, " ", principal, " ", from))
	}})
	if err != nil {
		t.Fatal(err)
	}
	const signed = "eyJhbGciOiJFZERTQSIsImtpZCI6ImsifQ.e30.AAAA"
	ask := func(path string, credentials ...string) *httptest.ResponseRecorder {
		req, rec := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
		for _, c := range credentials {
			req.Header.Add("Authorization", "Bearer "+c)
		}
		door.ServeHTTP(rec, req)
		return rec
	}
	for _, c := range []struct {
		path   string
		sent   []string
		status int
		told   string
	}{
		{"/v1/tools", nil, 401, "credential-missing  192.0.2.1"},
		{"/v1/tools", []string{"key-of-nobody"}, 401, "credential-unknown  192.0.2.1"},
		{"/v1/tools", []string{"key-of-alice", "key-of-nobody"}, 400, "credential-two-credentials  192.0.2.1"},
		{"/v1/tools", []string{signed}, 401, "credential-signature  192.0.2.1"},
		{"/v1/log", []string{"key-of-alice"}, 403, "right-audit alice 192.0.2.1"},
		{"/v1/tools", []string{"key-of-alice"}, 200, ""},
	} {
		told = nil
		rec := ask(c.path, c.sent...)
		if got := strings.Join(told, "; "); rec.Code != c.status || got != c.told {
			t.Errorf("%s with %v: %d, told %q", c.path, c.sent, rec.Code, got)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	now, told = now.Add(time.Hour), nil
	rec := ask("/v1/tools", signed)
	if rec.Code != http.StatusServiceUnavailable || rec.Header().Get("Retry-After") == "" || rec.Header().Get("WWW-Authenticate") != "" || strings.Join(told, "") != "credential-keys-unavailable  192.0.2.1" {
		t.Errorf("without keys: %d %v %v", rec.Code, rec.Header(), told)
	}
	if rec := ask("/v1/tools", "key-of-alice"); rec.Code != http.StatusOK {
		t.Errorf("a configured key without keys of the issuer: %d", rec.Code)
	}
}
