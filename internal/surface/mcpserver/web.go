package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// Handler serves the face over streamable HTTP: requests of the newer era each
// on their own, those of the older one in sessions. Host and origin are the
// business of what it is mounted in.
type Handler struct {
	server *mcp.Server
	modern http.Handler
	legacy http.Handler
	most   int // sessions of the older era
	stop   context.CancelFunc
}

// NewHandler makes a handler. Close ends its sessions.
func NewHandler(face Face, opts Options) (*Handler, error) {
	opts = opts.withDefaults()
	ctx, stop := context.WithCancel(context.Background())
	server, err := newServer(ctx, face, opts, askerOf)
	if err != nil {
		stop()
		return nil, err
	}
	get := func(*http.Request) *mcp.Server { return server }
	base := mcp.StreamableHTTPOptions{
		DisableLocalhostProtection: true, // the door checks Host
		MaxRequestBodyBytes:        maxMessage,
	}
	modern, legacy := base, base
	modern.Stateless, modern.JSONResponse, modern.PropagateRequestCancellation = true, true, true
	legacy.JSONResponse = !opts.Elicit // a question to the client needs a stream to travel on
	legacy.SessionTimeout = opts.SessionTime
	return &Handler{
		server: server, modern: mcp.NewStreamableHTTPHandler(get, &modern), legacy: mcp.NewStreamableHTTPHandler(get, &legacy),
		most: opts.MaxSessions, stop: stop,
	}, nil
}

// ServeAs serves one request for the principal it was authenticated as.
func (h *Handler) ServeAs(w http.ResponseWriter, r *http.Request, who interlock.Principal) {
	info := &auth.TokenInfo{UserID: who.Name, Extra: map[string]any{principalKey: who}}
	session := r.Header.Get("Mcp-Session-Id")
	next := h.legacy
	if session == "" && r.Header.Get("Mcp-Protocol-Version") >= modernEra {
		next = h.modern
	}
	if r.Method == http.MethodPost {
		if next == h.legacy && session == "" && h.full() {
			w.Header().Set("Retry-After", "60")
			http.Error(w, "too many sessions; end one, or use protocol "+modernEra+", which needs none", http.StatusServiceUnavailable)
			return
		}
		if err := h.takeArguments(w, r, info); err != nil {
			refuse(w, err)
			return
		}
	}
	carry(info, next).ServeHTTP(w, r)
}

// takeArguments reads the message and puts the arguments of a call beside it.
func (h *Handler) takeArguments(w http.ResponseWriter, r *http.Request, info *auth.TokenInfo) error {
	message, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		return err
	}
	rest, args, err := lift(message)
	if err != nil {
		return err
	}
	if args != nil {
		info.Extra[argumentsKey] = json.RawMessage(args)
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(rest)), int64(len(rest))
	return nil
}

// maxMessage bounds a message: a call at its limit, and what is around it.
const maxMessage = wire.MaxCall + wire.MaxEnvelope

// refuse answers a message that cannot be taken.
func refuse(w http.ResponseWriter, err error) {
	status, code := http.StatusBadRequest, jsonrpc.CodeInvalidRequest
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		status = http.StatusRequestEntityTooLarge
		err = fmt.Errorf("the message is over the limit of %d bytes", over.Limit)
	}
	body, failed := wire.Encode(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": err.Error()}})
	if failed != nil {
		body = nil
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

// full reports whether no further session may begin.
func (h *Handler) full() bool {
	n := 0
	for range h.server.Sessions() {
		if n++; n >= h.most {
			return true
		}
	}
	return false
}

// carry puts the principal where the SDK keeps it with each request and holds
// sessions to it. The caller's credential goes no further.
func carry(info *auth.TokenInfo, next http.Handler) http.Handler {
	verify := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) { return info, nil }
	inner := auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := make(http.Header, len(r.Header)+1)
		for name, values := range r.Header {
			h[name] = values
		}
		h["Authorization"] = []string{"Bearer admitted"}
		r.Header = h
		inner.ServeHTTP(w, r)
	})
}

// The keys under which a principal and a call's arguments travel in a token's
// extras.
const (
	principalKey = "interlock.principal"
	argumentsKey = "interlock.arguments"
)

// askerOf reads the principal of a request.
func askerOf(req *mcp.CallToolRequest) (interlock.Principal, error) {
	if req.Extra != nil && req.Extra.TokenInfo != nil {
		if who, ok := req.Extra.TokenInfo.Extra[principalKey].(interlock.Principal); ok {
			return who, nil
		}
	}
	return interlock.Principal{}, &interlock.Error{
		Code: interlock.CodeUnauthenticated, Reason: interlock.ReasonUnauthenticated, Stage: "surface", Public: "The request carries no principal.",
	}
}

// grace is how long calls in flight may take to end by themselves.
const grace = 3 * time.Second

// Close ends all sessions: calls in flight may finish for a moment, then they
// are cancelled.
func (h *Handler) Close() {
	var all sync.WaitGroup
	for s := range h.server.Sessions() {
		all.Go(func() { _ = s.Close() })
	}
	late := time.AfterFunc(grace, h.stop)
	all.Wait()
	late.Stop()
	h.stop()
}
