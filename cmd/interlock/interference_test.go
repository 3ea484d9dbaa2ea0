package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/internal/surface/mcpserver"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/router"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// TestNonInterferenceOnEveryFace draws registries, hides a part of each from a
// principal, and asks everything on every face, of that registry and of one in
// which the hidden part never existed: the command line, MCP and HTTP must give
// the same bytes, offers compared by length. INTERLOCK_INTERFERENCE says how
// many registries; `make attack` runs 10,000.
func TestNonInterferenceOnEveryFace(t *testing.T) {
	total, seed := 60, uint64(5)
	long := false
	if n, err := strconv.Atoi(os.Getenv("INTERLOCK_INTERFERENCE")); err == nil && n > 0 {
		total, long = n, true
	}
	t.Logf("%d registries, seed %d", total, seed)
	var next, answers, hidden, masked, offered atomic.Int64
	begun := time.Now()
	t.Run("faces", func(t *testing.T) {
		for i := range 2 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				a, b := newPane(t), newPane(t)
				for n := next.Add(1); n <= int64(total) && !t.Failed(); n = next.Add(1) {
					l := lottery{rand.New(rand.NewPCG(seed, uint64(n)))}
					tw := l.twin()
					hidden.Add(int64(len(tw.hidden)))
					masked.Add(int64(tw.masked))
					a.set(t, &tw, tw.with)
					b.set(t, &tw, tw.without)
					for _, q := range l.questions(&tw) {
						x, y := q.ask(a), q.ask(b)
						answers.Add(1)
						if strings.Contains(x, `"offer":"`) {
							offered.Add(1)
						}
						if x != y {
							t.Errorf("registry %d: what is hidden shows in %s:\nwith    %s\nwithout %s\nlaws %s\nhidden %v, token %+v", n, q.name, x, y, tw.laws, tw.hidden, tw.token)
						}
					}
					if long && n%500 == 0 {
						fmt.Fprintf(os.Stderr, "non-interference: %d of %d registries, %d pairs of answers, %s\n", n, total, answers.Load(), time.Since(begun).Round(time.Second))
					}
				}
			})
		}
	})
	t.Logf("%d pairs of answers, %d tools hidden, %d masked, %d answers with offers", answers.Load(), hidden.Load(), masked.Load(), offered.Load())
	if hidden.Load() < int64(total) || masked.Load() < int64(total)/4 || offered.Load() < int64(total) {
		t.Error("hardly anything was hidden, or answered")
	}
}

// pane is one store behind every face.
type pane struct {
	path   string
	shelf  map[string]interlock.Catalogue
	router *router.Router
	mcp    *mcpserver.Handler
	public http.Handler
	sent   func(interlock.Outbound) error // hears of each call; may be nil
	local  atomic.Pointer[http.Handler]   // what the socket serves
}

// Open gives a source of the shelf.
func (p *pane) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	return kept{p, cfg.Name}, nil
}

type kept struct {
	pane *pane
	name string
}

func (kept) Close() error { return nil }

func (k kept) Catalogue(context.Context) (interlock.Catalogue, error) {
	return k.pane.shelf[k.name], nil
}

// Call answers with everything that the tool declares.
func (k kept) Call(_ context.Context, call interlock.Outbound) (interlock.Reply, error) {
	if k.pane.sent != nil {
		if err := k.pane.sent(call); err != nil {
			return interlock.Reply{}, err
		}
	}
	result := fmt.Sprintf(`{"by":%s`, call.Binding)
	for _, op := range k.pane.shelf[k.name].Operations {
		if op.Name != call.Operation {
			continue
		}
		for _, add := range [][2]string{{`"secret1"`, `,"secret1":1`}, {`"other"`, `,"other":"SECRET","in":{"a":1,"secret2":"zebra"}`}} {
			if bytes.Contains(op.OutputSchema, []byte(add[0])) {
				result += add[1]
			}
		}
		if !bytes.Contains(op.OutputSchema, []byte(`"other"`)) && bytes.Contains(op.OutputSchema, []byte(`"in"`)) {
			result += `,"in":{"a":1}`
		}
	}
	return interlock.Reply{Result: json.RawMessage(result + "}"), Content: json.RawMessage(`[{"type":"text","text":"as above"}]`)}, nil
}

func newPane(t *testing.T) *pane {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "interlock-") //nolint:usetesting // in memory: what is compared is no disk
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p := &pane{path: filepath.Join(dir, "store.db"), shelf: map[string]interlock.Catalogue{}}
	ctx, quiet := context.Background(), slog.New(slog.DiscardHandler)
	store, err := sqlite.Open(ctx, p.path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := receipt.NewKeys(rand.NewChaCha8([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	p.router, err = router.New(ctx, router.Options{Store: store, Openers: map[string]interlock.Opener{interlock.KindManifest: p}, Keys: keys, Logger: quiet, Clock: clock,
		Random: rand.NewChaCha8([32]byte{2}), Tokens: func(s string) int { return len(s) / 4 }})
	if err != nil {
		t.Fatal(err)
	}
	if p.mcp, err = mcpserver.NewHandler(p.router, mcpserver.Options{}); err != nil {
		t.Fatal(err)
	}
	lis, err := net.Listen("unix", p.path+".sock")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*p.local.Load()).ServeHTTP(w, r) })}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(lis)
	}()
	t.Cleanup(func() {
		_ = srv.Close()
		<-done
		p.mcp.Close()
		if err := p.router.Close(); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// set makes the registry one of a twin's.
func (p *pane) set(t *testing.T, tw *twin, cats map[string]interlock.Catalogue) {
	t.Helper()
	ctx := context.Background()
	for s := range p.shelf {
		if err := p.router.Remove(ctx, interlock.Local(), s); err != nil {
			t.Fatal(err)
		}
	}
	p.shelf = cats
	for _, s := range twinSources {
		if _, ok := cats[s]; !ok {
			continue
		}
		if _, err := p.router.Add(ctx, interlock.Local(), interlock.SourceConfig{Name: s, Kind: interlock.KindManifest}); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := cats[tw.down]; ok {
		if err := p.router.MarkDown(ctx, tw.down, "no answer"); err != nil {
			t.Fatal(err)
		}
	}
	var set *policy.Set
	if tw.laws != "" {
		var err error
		if set, err = policy.Load([]policy.File{{Name: "laws.cedar", Text: []byte(tw.laws)}}); err != nil {
			t.Fatal(err)
		}
	}
	p.router.SetPolicies(set)
	guard, err := auth.New(auth.Config{Mode: auth.ModeBearer, Tokens: []auth.Token{tw.token}}, auth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	opts := httpapi.Options{MCP: p.mcp, Holds: p.router.Holds}
	if p.public, err = httpapi.Public(p.router, p.router, guard, opts); err != nil {
		t.Fatal(err)
	}
	local, err := httpapi.Operator(p.router, p.router, guard, opts)
	if err != nil {
		t.Fatal(err)
	}
	p.local.Store(&local)
}

// question is one thing that is asked on one face.
type question struct {
	name string
	ask  func(*pane) string
}

// questions asks for everything: needs, lists, details, families, sources,
// refused calls of what is there, hidden, or neither.
func (l lottery) questions(t *twin) []question {
	name := fmt.Sprintf("%s/t%d", l.of(twinSources...), l.IntN(16))
	if len(t.hidden) > 0 && l.IntN(2) == 0 {
		name = l.of(t.hidden...)
	}
	family := l.of("weather.current", "note.write", "document.extract", strings.ReplaceAll(name, "/", "."))
	out := []question{
		web("GET", "/v1/tools", ""), web("GET", "/v1/sources", ""), web("GET", "/v1/tools/"+name, ""), web("GET", "/v1/approvals", ""),
		web("GET", "/v1/families/"+family+"?range=%5E"+l.of("1", "2")+"&built_against="+l.of(twinVersions...), ""),
		web("POST", "/v1/call", `{"offer":"`+strings.Repeat("o", 41)+`","args":{}}`), web("POST", "/v1/call", `{"tool":"`+name+`","args":{}}`),
		web("GET", "/v1/policy/why?principal=alice&tool="+name, ""), web("GET", "/v1/log", ""),
		web("GET", "/v1/drift", ""), web("GET", "/v1/drift?require_documentation=true&tool="+name, ""),
		tool("describe_tools", `{"tools":["`+name+`"]}`), tool("call_tool", `{"offer":"`+strings.Repeat("A", 41)+`","args":{}}`),
		{"tools/list", func(p *pane) string { return p.rpc("tools/list", "", `{}`) }},
	}
	for range 3 {
		need := l.need(t)
		out = append(out, web("POST", "/v1/resolve", need), tool("find_tools", need), calls(need))
	}
	need := l.need(t)
	line := [][]string{{"tools"}, {"tools", "--json"}, {"show", name}, {"show", name, "--json"}, {"sources"}, {"call", name, "--args", `{"undeclared":1}`}, {"call", name, "--json"},
		append([]string{"resolve"}, flagsOf(need)...), append([]string{"resolve", "--json"}, flagsOf(need)...), {"why", family, "--json"}, {"drift", "--json"}, {"drift", "show", name}}
	args := line[l.IntN(len(line))]
	return append(out, question{"interlock " + strings.Join(args, " "), func(p *pane) string { return p.command(args...) }})
}

// offerText is an offer in an answer, of which the length is compared.
var offerText = regexp.MustCompile(`o[A-Za-z0-9_-]{40}`)

func blank(text string) string {
	return offerText.ReplaceAllStringFunc(text, func(o string) string { return fmt.Sprintf("<%d>", len(o)) })
}

// web asks over HTTP: status, headers and body.
func web(method, path, body string) question {
	return question{method + " " + path + " " + body, func(p *pane) string { return blank(p.http(method, path, body, nil)) }}
}

func (p *pane) http(method, path, body string, headers map[string]string) string {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer alice-token-0000000000000000")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for k, v := range headers {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	p.public.ServeHTTP(w, r)
	w.Header().Del("X-Request-Id")
	var head []string
	for k, v := range w.Header() {
		head = append(head, fmt.Sprint(k, v))
	}
	slices.Sort(head)
	return fmt.Sprint(w.Code, head, "\n", w.Body.String())
}

// tool asks over MCP.
func tool(name, args string) question {
	return question{name + " " + args, func(p *pane) string {
		return p.rpc("tools/call", name, fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, args))
	}}
}

const (
	era        = "2026-07-28"
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + era + `","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
)

func (p *pane) rpc(method, name, params string) string {
	params = strings.Replace(strings.Replace(params, "{", "{"+modernMeta+",", 1), ",}", "}", 1)
	return blank(p.http("POST", "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params), map[string]string{
		"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": era, "Mcp-Method": method, "Mcp-Name": name}))
}

// calls resolves a need and calls what it offers, with arguments that a tool
// takes, and with some that none does. Receipts are compared by their absence.
func calls(need string) question {
	return question{"a call for " + need, func(p *pane) string {
		var res struct{ Candidates []struct{ Offer string } }
		_, body, _ := strings.Cut(p.http("POST", "/v1/resolve", need, nil), "\n")
		_ = json.Unmarshal([]byte(body), &res) // a refusal offers nothing
		var out strings.Builder
		for _, c := range res.Candidates {
			for _, args := range []string{`{"city":"Seoul"}`, `{"secret3":"x"}`} {
				out.WriteString(withoutReceipt(p.http("POST", "/v1/call", `{"offer":"`+c.Offer+`","args":`+args+`}`, nil)))
			}
		}
		return out.String()
	}}
}

var (
	receiptText  = regexp.MustCompile(`"receipt":\{[^}]*\}`)
	approvalText = regexp.MustCompile(`\ba[0-9a-f]{24}\b`)
)

func withoutReceipt(text string) string {
	return approvalText.ReplaceAllString(receiptText.ReplaceAllString(text, `"receipt":{}`), "<approval>")
}

// command runs the command line as alice: what it prints, and its exit code.
func (p *pane) command(args ...string) string {
	var out, errs bytes.Buffer
	env := map[string]string{"INTERLOCK_STORE": p.path, "HOME": filepath.Dir(p.path)}
	code := run(context.Background(), append(args, "--principal", "alice", "--store", p.path), process{in: strings.NewReader(""), out: &out, err: io.Writer(&errs),
		lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	return withoutReceipt(blank(fmt.Sprintf("exit %d\n%s%s", code, out.String(), errs.String())))
}

// flagsOf spells a need as flags.
func flagsOf(text string) []string {
	var need struct {
		Need        string
		Context     []string
		Explain     bool
		Have        []string
		K           *int
		Effects     []string
		Want        []struct{ Semantic_id string }                  //nolint:revive // as the wire has it
		Constraints []struct{ Family, Range, Built_against string } //nolint:revive // as the wire has it
	}
	if err := json.Unmarshal([]byte(text), &need); err != nil {
		panic(err)
	}
	out := []string{need.Need}
	if need.Explain {
		out = append(out, "--explain")
	}
	for _, c := range need.Context {
		out = append(out, "--context", c)
	}
	for _, h := range need.Have {
		out = append(out, "--have", h)
	}
	for _, e := range need.Effects {
		out = append(out, "--effect", e)
	}
	for _, w := range need.Want {
		out = append(out, "--want", w.Semantic_id)
	}
	for _, c := range need.Constraints {
		out = append(out, "--constraint", c.Family+"="+c.Range)
	}
	if need.K != nil {
		out = append(out, "--k", fmt.Sprint(*need.K))
	}
	return out
}
