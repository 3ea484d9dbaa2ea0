package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/mcpserver"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// run gives a whole input at once and collects the answers by id.
func run(t *testing.T, face mcpserver.Face, input string) map[string]string {
	t.Helper()
	var out bytes.Buffer
	if err := mcpserver.ServeStdio(t.Context(), face, interlock.Local(), strings.NewReader(input), &out, mcpserver.Options{}); err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var m struct{ ID json.RawMessage }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		answers[string(m.ID)] += line
	}
	return answers
}

// A client that closes its side at once gets its answers.
func TestInputEndsAtOnce(t *testing.T) {
	got := run(t, slow{surfacetest.New()}, hello+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"docs/echo"}}}`)
	if !strings.Contains(got["1"], `"supported"`) {
		t.Errorf("%v", got)
	}
}

// slow takes a while for each need.
type slow struct{ *surfacetest.Router }

func (s slow) Resolve(ctx context.Context, who interlock.Principal, need interlock.Need) (interlock.Resolution, error) {
	time.Sleep(100 * time.Millisecond)
	return s.Router.Resolve(ctx, who, need)
}

// Lines that are no messages are answered, and the session goes on.
func TestBadLinesAreSurvived(t *testing.T) {
	huge := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"call_tool","arguments":{"offer":"` + strings.Repeat("x", 17<<20) + `"}}}`
	bad := []string{`{`, `nonsense`, `5`, `[]`, `{"jsonrpc":"1.0","id":5,"method":"ping"}`, `{"jsonrpc":"2.0"}`, "\xff", huge, strings.Repeat("[", 5000) + strings.Repeat("]", 5000)}
	input := hello
	for _, line := range bad {
		input += line + "\n\r\n"
	}
	got := run(t, surfacetest.New(), input+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"docs/echo"}}}`+"\n")
	if !strings.Contains(got["1"], `"supported"`) {
		t.Errorf("the session did not survive: %.300v", got)
	}
	if n := strings.Count(got["null"], "\n"); n != len(bad) || !strings.Contains(got["null"], "-32700") || !strings.Contains(got["null"], "-32600") {
		t.Errorf("%d answers to %d bad lines: %s", n, len(bad), got["null"])
	}
}

// Arguments over their limit are refused as a call, by name.
func TestLargeArguments(t *testing.T) {
	call := pipes(t, surfacetest.New(), aliceP, legacyEra, mcpserver.Options{})
	res := call.tool(t, "call_tool", `{"offer":"o","args":{"x":"`+strings.Repeat("x", 2<<20)+`"}}`)
	if at(t, res, "/structuredContent/error/reason") != `"too-large"` {
		t.Errorf("%.300s", res)
	}
	if res := call.tool(t, "find_tools", `{"need":"docs/echo"}`); !strings.Contains(res, "supported") {
		t.Error(res)
	}
}

func TestStdioEndsWithItsContext(t *testing.T) {
	in, _ := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	var log bytes.Buffer
	go func() {
		done <- mcpserver.ServeStdio(ctx, surfacetest.New(), interlock.Local(), in, io.Discard, mcpserver.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	}()
	time.AfterFunc(50*time.Millisecond, stop)
	select {
	case err := <-done:
		if err != nil || log.Len() > 0 { // to be told to stop is no failure
			t.Errorf("%v, and logged: %s", err, log.String())
		}
	case <-time.After(5 * time.Second):
		t.Error("still serving")
	}
}

// The operator on stdio is asked through his client, before a running server
// too.
func TestElicitationOverStdio(t *testing.T) {
	for _, where := range []string{"here", "behind a socket"} {
		r := surfacetest.New()
		var face mcpserver.Face = r
		if where != "here" {
			face = remote(t, r)
		}
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		served := make(chan error, 1)
		go func() {
			served <- mcpserver.ServeStdio(t.Context(), face, interlock.Local(), inR, outW, mcpserver.Options{Elicit: true})
			_ = outW.Close()
		}()
		a := &answerer{answer: mcp.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}}
		c := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, a.options())
		s, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW}, &mcp.ClientSessionOptions{ProtocolVersion: legacyEra})
		if err != nil {
			t.Fatal(err)
		}
		if res := store(t, s, map[string]any{"id": 7}); res.IsError || r.Calls() != 1 || len(a.asked) != 1 {
			t.Errorf("%s: %v, asked %v", where, res.StructuredContent, a.asked)
		}
		_ = s.Close()
		if err := <-served; err != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
}

func TestFaceIsNeeded(t *testing.T) {
	if _, err := mcpserver.NewHandler(nil, mcpserver.Options{}); err == nil {
		t.Error("a handler without a face")
	}
	if err := mcpserver.ServeStdio(t.Context(), nil, interlock.Local(), strings.NewReader(""), io.Discard, mcpserver.Options{}); err == nil {
		t.Error("stdio without a face")
	}
}
