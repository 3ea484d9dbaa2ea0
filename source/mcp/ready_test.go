package mcp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestReady: what keeps a call from being sent is found out without sending it: a
// header whose secret is gone, a server that is not there, a binding of another
// endpoint. Where nothing does, the session stands, and no call went out.
func TestReady(t *testing.T) {
	srv := &webServer{raw: &rawServer{}}
	srv.before = func(_ http.ResponseWriter, _ *http.Request, body []byte) bool {
		if strings.Contains(string(body), "tools/call") {
			t.Errorf("a call went out: %s", body)
		}
		return false
	}
	ts := httptest.NewServer(srv)
	secrets := secretsFake{"env:T": "t1"}
	s := openSource(t, Options{Secrets: secrets}, interlock.SourceConfig{URL: ts.URL, Headers: map[string]string{"Authorization": "Bearer env:T"}})
	call := outbound(s, "echo", `{}`, interlock.EffectDestructive)
	if err := s.Ready(context.Background(), call); err != nil {
		t.Fatal(err)
	}
	delete(secrets, "env:T")
	refused(t, s.Ready(context.Background(), call), interlock.ReasonCredential)
	secrets["env:T"] = "t1"
	if err := s.Ready(context.Background(), call); err != nil {
		t.Error(err)
	}
	elsewhere := call
	elsewhere.Binding = []byte(`{"url":"http://127.0.0.1:1/","tool":"echo"}`)
	refused(t, s.Ready(context.Background(), elsewhere), interlock.ReasonFingerprintChanged)
	ts.Close()
	gone := openSource(t, Options{}, interlock.SourceConfig{URL: ts.URL})
	refused(t, gone.Ready(context.Background(), outbound(gone, "echo", `{}`, interlock.EffectDestructive)), interlock.ReasonSourceUnreachable)
}

func refused(t *testing.T, err error, reason interlock.Reason) {
	t.Helper()
	if interlock.ReasonOf(err) != reason || interlock.AsError(err).Outcome != interlock.OutcomeNotSent {
		t.Errorf("%v, want %s", err, reason)
	}
}
