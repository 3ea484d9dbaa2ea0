package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
)

type echoed struct {
	Message string `json:"message"`
}

// echoHandler is the SDK's server with one tool, both eras on one address.
func echoHandler() http.Handler {
	server := sdk.NewServer(&sdk.Implementation{Name: "echo", Version: "1.0.0"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "echo"}, func(_ context.Context, _ *sdk.CallToolRequest, in echoed) (*sdk.CallToolResult, echoed, error) {
		return nil, in, nil
	})
	get := func(*http.Request) *sdk.Server { return server }
	modern := sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{Stateless: true})
	legacy := sdk.NewStreamableHTTPHandler(get, nil)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Session-Id") == "" && r.Header.Get("Mcp-Protocol-Version") >= modernRevision {
			modern.ServeHTTP(w, r)
			return
		}
		legacy.ServeHTTP(w, r)
	})
}

// BenchmarkCall compares a call through this package with one through the
// SDK's client, to the same server, in alternating rounds.
func BenchmarkCall(b *testing.B) {
	for _, revision := range []string{legacyRevision, modernRevision} {
		ts := httptest.NewServer(echoHandler())
		s := openSource(b, Options{Revision: revision}, interlock.SourceConfig{URL: ts.URL})
		cs, err := newClient(Options{}.withDefaults(), nil).Connect(context.Background(),
			&sdk.StreamableClientTransport{Endpoint: ts.URL, DisableStandaloneSSE: true, HTTPClient: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}},
			&sdk.ClientSessionOptions{ProtocolVersion: revision})
		if err != nil {
			b.Fatal(err)
		}
		for _, size := range []int{20, 20_000} {
			args := `{"message":"` + strings.Repeat("x", size) + `"}`
			call := outbound(s, "echo", args, interlock.EffectRead)
			ways := map[string]func() error{
				"interlock": func() error { _, err := s.Call(context.Background(), call); return err },
				"sdk": func() error {
					_, err := cs.CallTool(context.Background(), &sdk.CallToolParams{Name: "echo", Arguments: json.RawMessage(args)})
					return err
				},
			}
			for _, callers := range []int{1, 16} {
				name := revision + "/" + map[int]string{20: "small", 20_000: "20kB"}[size] + "/" + map[int]string{1: "c1", 16: "c16"}[callers]
				b.Run(name, func(b *testing.B) { compare(b, callers, ways) })
			}
		}
		_ = cs.Close()
		_ = s.Close()
		ts.Close()
	}
}

// compare reports the median time of a call for each way, and their ratio.
func compare(b *testing.B, callers int, ways map[string]func() error) {
	const round = 64
	times := map[string][]time.Duration{}
	for b.Loop() {
		for _, name := range []string{"interlock", "sdk"} {
			var mu sync.Mutex
			var wg sync.WaitGroup
			for range callers {
				wg.Go(func() {
					for range round / callers {
						begun := time.Now()
						if err := ways[name](); err != nil {
							b.Error(err)
						}
						took := time.Since(begun)
						mu.Lock()
						times[name] = append(times[name], took)
						mu.Unlock()
					}
				})
			}
			wg.Wait()
		}
	}
	median := map[string]float64{}
	for name, all := range times {
		slices.Sort(all)
		median[name] = float64(all[len(all)/2].Microseconds())
		b.ReportMetric(median[name], name+"-p50-µs")
	}
	b.ReportMetric(median["interlock"]/median["sdk"], "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkCallAlone is for profiles: calls through this package, to a server
// that costs next to nothing.
func BenchmarkCallAlone(b *testing.B) {
	srv := httptest.NewServer(&webServer{raw: &rawServer{}})
	defer srv.Close()
	s := openSource(b, Options{}, interlock.SourceConfig{URL: srv.URL})
	call := outbound(s, "echo", `{"message":"hello"}`, interlock.EffectRead)
	if _, err := s.Call(context.Background(), call); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Call(context.Background(), call); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStdio measures a call to a child.
func BenchmarkStdio(b *testing.B) {
	if runtime.GOOS == "windows" {
		b.Skip("the child is the test binary")
	}
	s, _ := openChild(b, Options{}, "legacy")
	call := outbound(s, "echo", `{"message":"hello"}`, interlock.EffectRead)
	if _, err := s.Call(context.Background(), call); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Call(context.Background(), call); err != nil {
			b.Fatal(err)
		}
	}
}
