package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
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
	servers [2]*mcp.Server // of sessions that can be asked, and of the others
	modern  http.Handler
	asking  http.Handler // the older era with streams, on which a question can travel
	plain   http.Handler // the older era with single answers, which cost less
	most    int          // sessions of the older era
	stop    context.CancelFunc
	mu      sync.Mutex        // guards owners
	owners  map[string]string // the principal of each session that is open, by its id
}

// The first letters of session ids tell the two kinds of session apart.
const (
	askingSession = "q"
	plainSession  = "p"
)

// NewHandler makes a handler. Close ends its sessions.
func NewHandler(face Face, opts Options) (*Handler, error) {
	opts = opts.withDefaults()
	ctx, stop := context.WithCancel(context.Background())
	h := &Handler{most: opts.MaxSessions, stop: stop, owners: map[string]string{}}
	for i, kind := range [...]string{askingSession, plainSession} {
		server, err := newServer(ctx, face, opts, askerOf, func() string { return kind + rand.Text() })
		if err != nil {
			stop()
			return nil, err
		}
		h.servers[i] = server
	}
	base := mcp.StreamableHTTPOptions{
		DisableLocalhostProtection: true, // the door checks Host
		MaxRequestBodyBytes:        maxMessage,
	}
	modern, asking := base, base
	modern.Stateless, modern.JSONResponse, modern.PropagateRequestCancellation = true, true, true
	asking.SessionTimeout = opts.SessionTime
	plain := asking
	plain.JSONResponse = true
	if !opts.Elicit {
		asking.JSONResponse = true // nobody is ever asked
	}
	of := func(s *mcp.Server) func(*http.Request) *mcp.Server {
		return func(*http.Request) *mcp.Server { return s }
	}
	h.modern = mcp.NewStreamableHTTPHandler(of(h.servers[1]), &modern)
	h.asking = mcp.NewStreamableHTTPHandler(of(h.servers[0]), &asking)
	h.plain = mcp.NewStreamableHTTPHandler(of(h.servers[1]), &plain)
	return h, nil
}

// legacy picks the handler of a request of the older era: by its session, or,
// where it begins one, by whether the client says that it can be asked.
func (h *Handler) legacy(session string, message []byte) http.Handler {
	if strings.HasPrefix(session, askingSession) || session == "" && bytes.Contains(message, []byte(`"elicitation"`)) {
		return h.asking
	}
	return h.plain
}

// ServeAs serves one request for the principal it was authenticated as.
func (h *Handler) ServeAs(w http.ResponseWriter, r *http.Request, who interlock.Principal) {
	info := &auth.TokenInfo{UserID: who.Name, Extra: map[string]any{principalKey: who}}
	session := r.Header.Get("Mcp-Session-Id")
	modern := session == "" && r.Header.Get("Mcp-Protocol-Version") >= modernEra
	var message []byte
	if r.Method == http.MethodPost {
		if !modern && session == "" && h.full(who) {
			w.Header().Set("Retry-After", "60")
			http.Error(w, "too many sessions; end one, or use protocol "+modernEra+", which needs none", http.StatusServiceUnavailable)
			return
		}
		var err error
		if message, err = h.takeArguments(w, r, info); err != nil {
			refuse(w, err)
			return
		}
	}
	next := h.modern
	if !modern {
		next = h.legacy(session, message)
	}
	carry(info, next).ServeHTTP(w, r)
	if id := w.Header().Get("Mcp-Session-Id"); session == "" && id != "" {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.owners[id] = who.Name
	}
}

// takeArguments reads the message, puts the arguments of a call beside it, and
// gives the rest.
func (h *Handler) takeArguments(w http.ResponseWriter, r *http.Request, info *auth.TokenInfo) ([]byte, error) {
	message, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		return nil, err
	}
	rest, args, err := lift(message)
	if err != nil {
		return nil, err
	}
	if args != nil {
		info.Extra[argumentsKey] = json.RawMessage(args)
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(rest)), int64(len(rest))
	return rest, nil
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

// full reports whether who may begin no further session: all are taken, or he
// holds half of them, so that nobody takes them from everybody else. It forgets
// the owners of sessions that have ended.
func (h *Handler) full(who interlock.Principal) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	open, own := make(map[string]string, len(h.owners)), 0
	n := 0
	for _, server := range h.servers {
		for s := range server.Sessions() {
			n++
			owner, known := h.owners[s.ID()]
			if !known {
				continue
			}
			open[s.ID()] = owner
			if owner == who.Name {
				own++
			}
		}
	}
	h.owners = open
	return n >= h.most || own >= max(1, h.most/2)
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
	for _, server := range h.servers {
		for s := range server.Sessions() {
			all.Go(func() { _ = s.Close() })
		}
	}
	late := time.AfterFunc(grace, h.stop)
	all.Wait()
	late.Stop()
	h.stop()
}
