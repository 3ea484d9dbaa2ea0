// Package mcpserver is the MCP face: find_tools, describe_tools and call_tool,
// over stdio and streamable HTTP, in both protocol eras on one address.
//
// It promises that a tool's structured content is the JSON that /v1 answers
// with, that arguments and results keep their spelling on the way, and that
// the principal is that of each request, never of the session: a session used
// with another principal's credential is refused. It holds no policy of its
// own. Interlock's own tools have plain input schemas, so that the strictest
// client takes them.
//
//	face, err := mcpserver.NewHandler(router, mcpserver.Options{Logger: logger})
//	public, err := httpapi.Public(router, keeper, guard, httpapi.Options{MCP: face})
//	err = mcpserver.ServeStdio(ctx, router, who, os.Stdin, os.Stdout, mcpserver.Options{})
//
// What stands behind the face is a router in this process, or the client of a
// running one: both are a Face.
package mcpserver

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
)

// Face is what the tools are answered from.
type Face interface {
	Resolve(ctx context.Context, who interlock.Principal, need interlock.Need) (interlock.Resolution, error)
	Call(ctx context.Context, who interlock.Principal, req interlock.CallRequest) (interlock.CallResult, error)
	Show(ctx context.Context, who interlock.Principal, name string) (interlock.ToolDetail, error)
	// Approvals are read to say to a person what he is asked to approve.
	Approvals(ctx context.Context, who interlock.Principal) ([]interlock.Approval, error)
}

// Options are what a face may be given.
type Options struct {
	Logger  *slog.Logger // default: discards
	Version string       // told to clients; default "dev"
	// Elicit lets the operator of the single-user mode be asked for an
	// approval through his own client, where that client can ask him.
	Elicit bool
	// ElicitTime is how long he may take; default 5 minutes.
	ElicitTime time.Duration
	// SessionTime is how long a session of the older era may be idle; default
	// 30 minutes.
	SessionTime time.Duration
	// MaxSessions bounds the sessions of the older era; default 1000. One
	// principal holds half of them at most.
	MaxSessions int
}

// withDefaults fills what was left out.
func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.ElicitTime == 0 {
		o.ElicitTime = 5 * time.Minute
	}
	if o.SessionTime == 0 {
		o.SessionTime = 30 * time.Minute
	}
	if o.MaxSessions == 0 {
		o.MaxSessions = 1000
	}
	return o
}

// tools answers tool calls.
type tools struct {
	face    Face
	opts    Options
	asker   func(*mcp.CallToolRequest) (interlock.Principal, error)
	pending *pending
	ctx     context.Context // ends when calls in flight must
}

// newTools makes tools that answer from face, until ctx ends.
func newTools(ctx context.Context, face Face, opts Options, asker func(*mcp.CallToolRequest) (interlock.Principal, error)) (*tools, error) {
	if face == nil {
		return nil, errors.New("mcpserver: a face needs something to answer from")
	}
	return &tools{face: face, opts: opts, asker: asker, pending: newPending(), ctx: ctx}, nil
}

// server makes an SDK server with the tools on it. newID makes ids of sessions;
// nil leaves that to the SDK. What is around sees every message after all else.
func (t *tools) server(newID func() string, around ...mcp.Middleware) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "interlock", Title: "Interlock", Version: t.opts.Version}, &mcp.ServerOptions{
		Instructions: instructions, Logger: slog.New(quiet{t.opts.Logger.Handler()}),
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}, GetSessionID: newID,
	})
	s.AddReceivingMiddleware(append([]mcp.Middleware{exactly}, around...)...)
	for _, d := range definitions() {
		s.AddTool(d.tool, t.handler(d))
	}
	return s
}

// quiet passes warnings and worse: the SDK tells of every session otherwise.
type quiet struct{ slog.Handler }

// Enabled reports whether a level is passed.
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}
