package httpcall

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

// TestWhatComesWithAFailure: a failure keeps status, media type and the JSON
// body that came with it, for whoever judges the source; what is no JSON, or too
// long, is not kept.
func TestWhatComesWithAFailure(t *testing.T) {
	const problem = `{"error":{"code":"not_found"}}`
	long := `"` + strings.Repeat("x", maxRefusal) + `"`
	for name, tc := range map[string]struct {
		status      int
		media, body string
		want        string
	}{
		"a problem":       {404, "application/json", problem, problem},
		"a proxy's page":  {502, "text/html", "<html>", ""},
		"nothing":         {404, "application/json", "", ""},
		"too long":        {422, "application/json", long, ""},
		"a page with 200": {200, "text/html", "<html>", ""},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", tc.media)
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(tc.status)
				_, _ = w.Write([]byte(tc.body))
			}))
			defer srv.Close()
			raw := encode(t, Binding{Method: "POST", URL: srv.URL, Trusted: true})
			reply, err := client(t, Options{}).Call(context.Background(), interlock.Outbound{Binding: raw, Effect: interlock.EffectWrite})
			if err == nil {
				t.Fatal("no failure")
			}
			want := interlock.Reply{Status: tc.status, Said: map[string]string{"content-type": tc.media, "retry-after": "0"}}
			if tc.want != "" {
				want.Result = []byte(tc.want)
			}
			if diff := cmp.Diff(want, reply); diff != "" {
				t.Error(diff)
			}
		})
	}
}
