package mcpserver_test

import (
	"context"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/internal/surface/mcpserver"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

// stuck holds every call until its context ends, and says so.
type stuck struct {
	*surfacetest.Router
	began, ended chan struct{}
}

func (s stuck) Call(ctx context.Context, _ interlock.Principal, _ interlock.CallRequest) (interlock.CallResult, error) {
	s.began <- struct{}{}
	<-ctx.Done()
	s.ended <- struct{}{}
	return interlock.CallResult{}, ctx.Err()
}

func newStuck() stuck {
	return stuck{surfacetest.New(), make(chan struct{}, 1), make(chan struct{}, 1)}
}

// within waits for a signal, for a while.
func within(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(10 * time.Second):
		t.Fatalf("%s did not come", what)
	}
}

// A caller who gives up ends the call behind the face, in both eras.
func TestCancellationReachesTheFace(t *testing.T) {
	for _, era := range []string{legacyEra, modernEra} {
		face := newStuck()
		h, err := mcpserver.NewHandler(face, mcpserver.Options{})
		if err != nil {
			t.Fatal(err)
		}
		door, err := httpapi.Public(face.Router, face.Router, open(t), httpapi.Options{MCP: h})
		if err != nil {
			t.Fatal(err)
		}
		srv := httptest.NewServer(door)
		s := connect(t, srv.URL, "", era, nil)
		ctx, stop := context.WithCancel(t.Context())
		failed := make(chan struct{})
		go func() {
			defer close(failed)
			if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "call_tool", Arguments: map[string]any{"offer": "o", "args": map[string]any{}}}); err == nil {
				t.Error("a call that was given up has an answer")
			}
		}()
		within(t, era+": the call", face.began)
		stop()
		within(t, era+": the end of the call", face.ended)
		within(t, era+": the caller's error", failed)
		_ = s.Close()
		h.Close()
		srv.Close()
	}
}

// Close gives calls in flight a moment and then ends them.
func TestCloseEndsCalls(t *testing.T) {
	t.Parallel()
	face := newStuck()
	h, err := mcpserver.NewHandler(face, mcpserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	door, err := httpapi.Public(face.Router, face.Router, open(t), httpapi.Options{MCP: h})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(door)
	s := connect(t, srv.URL, "", legacyEra, nil)
	go func() {
		_, _ = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "call_tool", Arguments: map[string]any{"offer": "o"}})
	}()
	within(t, "the call", face.began)
	closed := make(chan struct{})
	go func() { h.Close(); close(closed) }()
	within(t, "the end of the call", face.ended)
	within(t, "the end of the handler", closed)
	_ = s.Close()
	srv.Close()
}

// Nothing is left of clients that came and went.
func TestNothingIsLeftBehind(t *testing.T) {
	r := surfacetest.New()
	h, err := mcpserver.NewHandler(r, mcpserver.Options{Elicit: true})
	if err != nil {
		t.Fatal(err)
	}
	door, err := httpapi.Public(r, r, open(t), httpapi.Options{MCP: h})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(door)
	visit := func() {
		for _, era := range []string{legacyEra, modernEra} {
			s := connect(t, srv.URL, "", era, nil)
			if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "find_tools", Arguments: map[string]any{"need": "x"}}); err != nil {
				t.Error(err)
			}
			_ = s.Close()
		}
	}
	visit()
	before := runtime.NumGoroutine()
	for range 20 {
		visit()
	}
	for range 100 {
		if runtime.NumGoroutine() <= before+4 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before+4 {
		t.Errorf("%d goroutines before 40 clients, %d after", before, after)
	}
	h.Close()
	srv.Close()
}
