package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// upstreamArg makes this program the upstream: a process of its own, like the
// server that a team runs.
const upstreamArg = "serve-upstream"

// The two eras of the protocol.
const (
	sessionEra   = "2025-11-25"
	statelessEra = "2026-07-28"
)

// said is what echo takes and gives back.
type said struct {
	Message string `json:"message" jsonschema:"the text to give back"`
}

// upstreamHandler serves the tool echo in both eras on one address, as the
// official SDK serves it.
func upstreamHandler() http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "bench-upstream", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Give back the message that was sent", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in said) (*mcp.CallToolResult, said, error) {
			return nil, in, nil
		})
	get := func(*http.Request) *mcp.Server { return server }
	sessions := mcp.NewStreamableHTTPHandler(get, nil)
	stateless := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Session-Id") == "" && r.Header.Get("Mcp-Protocol-Version") >= statelessEra {
			stateless.ServeHTTP(w, r)
			return
		}
		sessions.ServeHTTP(w, r)
	})
}

// serveUpstream serves on a loopback address, which it prints, until the
// context ends.
func serveUpstream(ctx context.Context, out io.Writer) error {
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, lis.Addr()); err != nil {
		return err
	}
	srv := &http.Server{Handler: upstreamHandler(), ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = srv.Close() })()
	if err := srv.Serve(lis); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
