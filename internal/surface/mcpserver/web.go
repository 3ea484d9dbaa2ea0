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
	tools    *tools
	byName   map[string]definition
	modern   http.Handler
	asking   http.Handler  // the older era with streams, on which a question can travel
	plain    http.Handler  // the older era with single answers, which cost less
	servers  []*mcp.Server // of the three
	sessions *sessions     // of the older era
	stop     context.CancelFunc
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
	t, err := newTools(ctx, face, opts, askerOf)
	if err != nil {
		stop()
		return nil, err
	}
	h := &Handler{tools: t, byName: map[string]definition{}, stop: stop, sessions: newSessions(opts)}
	for _, d := range definitions() {
		h.byName[d.tool.Name] = d
	}
	base := mcp.StreamableHTTPOptions{
		DisableLocalhostProtection: true, // the door checks Host
		MaxRequestBodyBytes:        maxMessage,
	}
	modern, asking, plain := base, base, base
	modern.Stateless, modern.JSONResponse, modern.PropagateRequestCancellation = true, true, true
	asking.JSONResponse = !opts.Elicit // nobody is ever asked
	plain.JSONResponse = true
	serve := func(kind string, opts *mcp.StreamableHTTPOptions) http.Handler {
		s := t.server(func() string { return kind + rand.Text() }, h.sessions.watch)
		h.servers = append(h.servers, s)
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, opts)
	}
	h.modern, h.asking, h.plain = serve(plainSession, &modern), serve(askingSession, &asking), serve(plainSession, &plain)
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
	id := r.Header.Get("Mcp-Session-Id")
	modern := id == "" && r.Header.Get("Mcp-Protocol-Version") >= modernEra
	if r.Method == http.MethodPost && !modern && id == "" && h.sessions.full(who) {
		w.Header().Set("Retry-After", "60")
		http.Error(w, "too many sessions; end one, or use protocol "+modernEra+", which needs none", http.StatusServiceUnavailable)
		return
	}
	s := h.sessions.of(id, who)
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r, who, s, modern)
	case r.Method == http.MethodDelete && s != nil:
		s.drain()
		fallthrough
	default:
		h.pass(w, r, &auth.TokenInfo{UserID: who.Name, Extra: map[string]any{principalKey: who}}, nil, modern)
	}
}

// post serves a message: a call in its plain form the short way, anything else
// by the SDK.
func (h *Handler) post(w http.ResponseWriter, r *http.Request, who interlock.Principal, s *session, modern bool) {
	message, err := readMessage(w, r)
	if err != nil {
		refuse(w, err)
		return
	}
	if s != nil {
		s.begin()
		defer s.end()
		if h.short(w, r, s, who, message) {
			return
		}
		s.cancelBy(message)
	}
	rest, args, err := lift(message)
	if err != nil {
		refuse(w, err)
		return
	}
	info := &auth.TokenInfo{UserID: who.Name, Extra: map[string]any{principalKey: who}}
	if args != nil {
		info.Extra[argumentsKey] = json.RawMessage(args)
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(rest)), int64(len(rest))
	h.pass(w, r, info, rest, modern)
}

// pass hands a request to the SDK.
func (h *Handler) pass(w http.ResponseWriter, r *http.Request, info *auth.TokenInfo, message []byte, modern bool) {
	next := h.modern
	if !modern {
		next = h.legacy(r.Header.Get("Mcp-Session-Id"), message)
	}
	carry(info, next).ServeHTTP(w, r)
}

// readMessage reads the body of a request, up to its limit.
func readMessage(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body := http.MaxBytesReader(w, r.Body, maxMessage)
	if n := r.ContentLength; n > 0 && n <= maxMessage {
		message := make([]byte, n)
		_, err := io.ReadFull(body, message)
		return message, err
	}
	return io.ReadAll(body)
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
	late := time.AfterFunc(grace, h.stop)
	h.sessions.close(h.servers)
	late.Stop()
	h.stop()
}
