package mcpserver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock/internal/surface/mcpserver"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

type echoIn struct {
	Message string `json:"message"`
}

// bare is an SDK server with one typed tool and nothing else, in both eras on
// one address.
func bare(b *testing.B) string {
	s := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, in echoIn) (*mcp.CallToolResult, echoIn, error) {
		return nil, in, nil
	})
	get := func(*http.Request) *mcp.Server { return s }
	modern := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true})
	legacy := mcp.NewStreamableHTTPHandler(get, nil)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Session-Id") == "" && r.Header.Get("Mcp-Protocol-Version") >= modernEra {
			modern.ServeHTTP(w, r)
			return
		}
		legacy.ServeHTTP(w, r)
	}))
	b.Cleanup(srv.Close)
	return srv.URL
}

// BenchmarkCall compares a call through the face with the same call to a bare
// SDK server, in one run: go test -bench Call -count 5.
func BenchmarkCall(b *testing.B) {
	for _, era := range []string{legacyEra, modernEra} {
		for _, size := range []int{16, 64 << 10} {
			text := strings.Repeat("x", size)
			b.Run(fmt.Sprintf("%s/%dB/bare", era, size), func(b *testing.B) {
				hammer(b, bare(b), "", era, "echo", `{"message":"`+text+`"}`, text)
			})
			for name, opts := range map[string]mcpserver.Options{"face": {}, "face-streams": {Elicit: true}} {
				b.Run(fmt.Sprintf("%s/%dB/%s", era, size, name), func(b *testing.B) {
					r := surfacetest.New()
					url := web(b, r, bearer(b), opts)
					_, _, found := post(b, url, aliceKey, "", modernEra, "tools/call", "find_tools", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+meta+`,"name":"find_tools","arguments":{"need":"docs/echo"}}}`)
					offer := anyOffer.FindString(found)
					hammer(b, url, aliceKey, era, "call_tool", `{"offer":"`+offer+`","args":{"message":"`+text+`"}}`, text)
				})
			}
		}
	}
}

// hammer sends one call after another over a connection that is kept.
func hammer(b *testing.B, url, token, era, tool, args, want string) {
	session := ""
	more := meta + ","
	if era == legacyEra {
		more = ""
		_, session, _ = post(b, url, token, "", "", "", "", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		post(b, url, token, session, era, "", "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + more + `"name":"` + tool + `","arguments":` + args + `}}`
	status, _, first := post(b, url, token, session, era, "tools/call", tool, body)
	if status != 200 || !strings.Contains(first, want) || strings.Contains(first, `"isError"`) {
		b.Fatalf("%d %.300s", status, first)
	}
	b.SetBytes(int64(len(args)))
	for b.Loop() {
		once(b, url, token, session, era, tool, body)
	}
}

// once sends a call and drops its answer.
func once(b *testing.B, url, token, session, era, tool, body string) {
	req, err := http.NewRequest("POST", url+"/mcp", strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {era}}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	} else {
		req.Header.Set("Mcp-Method", "tools/call")
		req.Header.Set("Mcp-Name", tool)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	n, err := io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	if err != nil || resp.StatusCode != 200 || n == 0 {
		b.Fatalf("%d %d %v", resp.StatusCode, n, err)
	}
}
