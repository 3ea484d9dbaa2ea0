package driftlab

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/router"
	"github.com/seed-ae386458/interlock/source/manifest"
	"github.com/seed-ae386458/interlock/source/mcp"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// world is a router over a store, and the services that it calls.
type world struct {
	t      testing.TB
	router *router.Router
	server *httptest.Server
	dir    string

	mu       sync.Mutex // guards services
	services map[string]*service
}

// service is one tool that runs here.
type service struct {
	fault
	drifted atomic.Bool
	noise   atomic.Bool
	asked   atomic.Int64
	mu      sync.Mutex // one answer at a time
	n       int
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), services: map[string]*service{}}
	w.server = httptest.NewServer(w)
	t.Cleanup(w.server.Close)
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(w.dir, "store.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	keys, err := receipt.LoadKeys(filepath.Join(w.dir, "keys"), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	servers, err := mcp.New(mcp.Options{Logger: logger, Revision: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	w.router, err = router.New(ctx, router.Options{Store: store, Keys: keys, Logger: logger, Clock: time.Now, Random: rand.Reader,
		Tokens:  func(text string) int { return len(text) / 4 },
		Openers: map[string]interlock.Opener{interlock.KindManifest: manifest.NewOpener(manifest.Options{Backoff: time.Millisecond}), interlock.KindMCP: servers}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.router.Close() })
	return w
}

// ServeHTTP answers for every tool: /source/tool.
func (w *world) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	s := w.services[r.URL.Path]
	w.mu.Unlock()
	if s == nil {
		http.NotFound(out, r)
		return
	}
	s.asked.Add(1)
	a := args{}
	for name, values := range r.URL.Query() {
		if a[name] = values[0]; len(values) > 1 {
			a[name] = strings.Join(values, ",")
		}
	}
	if r.Method == http.MethodPost {
		var body map[string]json.RawMessage
		if json.NewDecoder(r.Body).Decode(&body) == nil {
			for name, raw := range body {
				a[name] = flat(raw)
			}
		}
	}
	if key := r.Header.Get("Authorization"); key != "" {
		a[credential] = key
	}
	s.answer(a).write(out)
}

// credential is where a service finds what a request proves itself with.
const credential = " credential"

// flat spells a value as a query would.
func flat(raw json.RawMessage) string {
	var text string
	var list []json.RawMessage
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &list) == nil:
		parts := make([]string, len(list))
		for i, item := range list {
			parts[i] = flat(item)
		}
		return strings.Join(parts, ",")
	}
	return string(raw)
}

func (s *service) answer(a args) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	if s.noise.Load() {
		switch dice := s.n % 29; dice {
		case 3:
			return reply{status: 429, header: map[string]string{"Retry-After": "0"}, body: failure("rate_limited")}
		case 11:
			return reply{status: 503, body: failure("unavailable")}
		case 17:
			return reply{status: 502, header: map[string]string{"Content-Type": "text/html"}, raw: "<html><body>bad gateway</body></html>"}
		case 23:
			time.Sleep(20 * time.Millisecond)
		}
	}
	if s.drifted.Load() {
		return s.fault.drifted(a, s.n)
	}
	return s.clean(a, s.n)
}

// args are the arguments of a request, each as text.
type args map[string]string

// reply is what a service answers.
type reply struct {
	status int
	body   any
	raw    string // in the place of body
	header map[string]string
}

func ok(body any) reply { return reply{status: 200, body: body} }

func refused(status int, code string) reply { return reply{status: status, body: failure(code)} }

func failure(code string) object { return object{"error": object{"code": code, "message": "no"}} }

type object = map[string]any

func (r reply) write(out http.ResponseWriter) {
	text := []byte(r.raw)
	if r.raw == "" && r.body != nil {
		text, _ = json.Marshal(r.body) // what the lab makes always marshals
	}
	out.Header().Set("Content-Type", "application/json")
	for name, value := range r.header {
		out.Header().Set(name, value)
	}
	out.WriteHeader(r.status)
	_, _ = out.Write(text)
}

// register writes a manifest of the tools and adds it as a source.
func (w *world) register(source string, secret bool, tools ...object) {
	w.t.Helper()
	w.writeManifest(source, tools)
	cfg := interlock.SourceConfig{Kind: interlock.KindManifest, File: w.file(source)}
	if secret {
		cfg.Headers = map[string]string{"Authorization": "Bearer a-key-of-the-lab"}
	}
	report, err := w.router.Add(context.Background(), interlock.Local(), cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range report.Findings {
		w.t.Errorf("%s%s: %s", source, f.Pointer, f.Reason)
	}
}

func (w *world) file(source string) string { return filepath.Join(w.dir, source+".json") }

func (w *world) writeManifest(source string, tools []object) {
	text, err := json.MarshalIndent(object{"interlock": 1, "source": source, "tools": tools}, "", " ")
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.file(source), text, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// serve makes the service of a fault, and its tool.
func (w *world) serve(source, name string, f fault, effect interlock.Effect) (*service, object) {
	w.t.Helper()
	path := "/" + source + "/" + name
	s := &service{fault: f}
	w.mu.Lock()
	w.services[path] = s
	w.mu.Unlock()
	method := http.MethodGet
	if effect != interlock.EffectRead {
		method = http.MethodPost
	}
	tool := object{"name": name, "family": source + "." + name, "version": "1.0.0", "effect": effect, "results": "off",
		"variants":     []object{{"id": "d", "description": f.says}},
		"input_schema": json.RawMessage(f.in), "http": object{"method": method, "url": w.server.URL + path, "timeout": "10s"}}
	if f.out != "" {
		tool["output_schema"] = json.RawMessage(f.out)
	}
	more := f.more
	if more == "" {
		more = notFoundAndInvalid
	}
	var members object
	if err := json.Unmarshal([]byte("{"+more+"}"), &members); err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	for key, value := range members {
		tool[key] = value
	}
	if effect != interlock.EffectRead {
		tool["probe"] = object{"sandbox": true}
	}
	return s, tool
}

// call makes one call and gives its refusal, if there is one.
func (w *world) call(tool, args string) error {
	_, err := w.router.Call(context.Background(), interlock.Local(), interlock.CallRequest{Tool: tool, Args: json.RawMessage(args), Approve: true})
	return err
}

// row gives the verdict on a tool.
func (w *world) row(tool string) drift.Row {
	w.t.Helper()
	rows, err := w.router.Drift(context.Background(), interlock.Local(), interlock.DriftQuery{Tool: tool})
	if err != nil {
		w.t.Fatal(err)
	}
	if len(rows) != 1 {
		w.t.Fatalf("%s: %d rows", tool, len(rows))
	}
	return rows[0]
}

// told is a divergence in short.
func told(row drift.Row) string {
	var parts []string
	for _, d := range row.Divergences {
		parts = append(parts, fmt.Sprintf("%s %s at %s (%s)", d.Severity, d.Kind, d.Pointer, d.Evidence))
	}
	return fmt.Sprintf("%s: %s", row.Verdict, strings.Join(parts, "; "))
}
