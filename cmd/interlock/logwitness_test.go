package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock/receipt"
)

// commands runs command lines against one store.
type commands struct {
	t      *testing.T
	dir    string
	config string
}

func newCommands(t *testing.T) *commands {
	return &commands{t: t, dir: t.TempDir()}
}

// run gives what one command printed, which has to end with code.
func (c *commands) run(code int, args ...string) string {
	c.t.Helper()
	var out, errs strings.Builder
	p := process{in: strings.NewReader(""), out: &out, err: &errs, lookup: func(string) (string, bool) { return "", false }}
	args = append(args, "--store", c.file("interlock.db"), "--embedder", "none", "--config", c.config)
	if got := run(c.t.Context(), args, p); got != code {
		c.t.Fatalf("%q: exit %d, want %d\n%s%s", args, got, code, out.String(), errs.String())
	}
	return out.String() + errs.String()
}

func (c *commands) file(name string) string { return filepath.Join(c.dir, name) }

// A witness is asked over HTTP: first at the size that it is thought to know,
// then at the one that it names. It signs nothing that did not grow out of what
// it signed.
func TestWitnessOverHTTP(t *testing.T) {
	c := newCommands(t)
	c.run(0, "log", "verify")
	c.add(1)
	var keys struct {
		Keys []string `json:"verifier_keys"`
	}
	if err := json.Unmarshal([]byte(c.run(0, "keys", "list", "--json")), &keys); err != nil {
		t.Fatal(err)
	}
	public := strings.TrimSpace(c.run(0, "log", "witness", "key", "one.example", c.file("one.key")))
	flags := witnessFlags{Key: c.file("one.key"), State: c.file("one.state"), Log: keys.Keys}
	w, err := flags.open(&app{}, "test")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	srv := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { asked++; w.ServeHTTP(out, r) }))
	defer srv.Close()
	config := fmt.Sprintf("log: {witness: {need: 1, by: [{key: %q, url: %q}]}}\n", public, srv.URL)
	if err := os.WriteFile(c.file("config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	c.config = c.file("config.yaml")
	c.run(1, "log", "verify")
	if text := c.run(0, "log", "witness", "ask"); !strings.Contains(text, "1 entries are signed by one.example") || asked != 1 {
		t.Errorf("asked %d times: %s", asked, text)
	}
	c.add(2)
	if c.run(0, "log", "witness", "ask"); asked != 2 {
		t.Errorf("asked %d times", asked)
	}
	c.run(0, "log", "verify")

	// Its state is of another size than the log thinks.
	other := newCommands(t)
	copyStore(t, c, other)
	other.config = c.config
	other.add(3)
	other.run(0, "log", "witness", "ask")
	if asked != 3 {
		t.Errorf("asked %d times", asked)
	}
	c.add(4)
	c.add(5)
	if text := c.run(1, "log", "witness", "ask"); !strings.Contains(text, "422") || asked != 5 {
		t.Errorf("a fork, asked %d times: %s", asked, text)
	}
	for body, status := range map[string]int{"": 403, "old 0\n\nnonsense": 403, strings.Repeat("x", 1<<20): 400} {
		resp, err := http.Post(srv.URL+"/add-checkpoint", "text/plain", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil || resp.StatusCode != status {
			t.Errorf("%.20q: status %d, want %d", body, resp.StatusCode, status)
		}
	}
	srv.Close()
	c.run(1, "log", "witness", "ask")
}

// add leaves one more entry in the log: a list that is empty is a source, too.
func (c *commands) add(n int) {
	c.t.Helper()
	file := c.file(fmt.Sprintf("tools-%d.jsonl", n))
	if err := os.WriteFile(file, []byte("\n"), 0o600); err != nil {
		c.t.Fatal(err)
	}
	c.run(0, "add", "tools", file, "--name", fmt.Sprintf("source%d", n))
}

// copyStore gives to the store of from, with its keys.
func copyStore(t *testing.T, from, to *commands) {
	t.Helper()
	for _, suffix := range []string{"", ".keys", ".seen"} {
		data, err := os.ReadFile(from.file("interlock.db" + suffix))
		if err == nil {
			err = os.WriteFile(to.file("interlock.db"+suffix), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What witnesses answer is bounded and typed, whatever it is.
func TestOddWitnesses(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"another status": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", 500) },
		"endless":        func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1<<20)) },
		"a size that is none": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", sizeMedia)
			w.WriteHeader(409)
			_, _ = w.Write([]byte("many\n"))
		},
		"elsewhere": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusTemporaryRedirect) },
	} {
		srv := httptest.NewServer(answer)
		_, _, err := postWitness(context.Background(), &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, srv.URL, "old 0\n\nx")
		srv.Close()
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := receipt.SizeOf("nonsense"); err == nil {
		t.Error("nonsense has a size")
	}
}
