package httpapi

import (
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/netip"
	"path"
	"runtime/debug"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// server is one door.
type server struct {
	router Router
	keeper Keeper
	guard  Guard
	opts   Options
	local  bool // the operator's socket
	mux    *http.ServeMux
	origin *http.CrossOriginProtection
	page   *template.Template // the landing page
}

// ServeHTTP sends a request to the endpoint of its path. The mux would answer
// an unclean path with a redirect; here it is one that nothing has.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := r.URL.Path; !strings.HasPrefix(p, "/") || path.Clean(p) != strings.TrimSuffix(p, "/") && p != "/" {
		endpoint{server: s, private: true}.ServeHTTP(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// answerer serves one admitted request. An error becomes a problem.
type answerer func(w http.ResponseWriter, r *http.Request, c caller) error

// endpoint is one path: what answers each method, and whether a credential is
// asked for. Without methods it is a path that nothing answers.
type endpoint struct {
	*server
	methods map[string]answerer
	private bool
	passes  bool // a pass of the console is let in
}

// ServeHTTP admits a request, answers it, and tells failures and panics as
// problems.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := e.requestID(r)
	w.Header().Set(headerRequestID, id)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	out := &writer{ResponseWriter: w}
	defer e.recovered(out, r, id)
	if err := e.answer(out, r); err != nil {
		e.fail(out, r, id, err)
	}
}

// answer admits first and looks at the method after, so that a stranger learns
// nothing of what is behind a path.
func (e endpoint) answer(w http.ResponseWriter, r *http.Request) error {
	c, err := e.admit(r, e.private)
	if err != nil {
		return e.shut(w, r, err)
	}
	if c.passed && !e.passes {
		return errOperator("A link to the console decides on approvals and does nothing else.")
	}
	if !e.local && headerBytes(r) > MaxHeaders {
		e.opts.Refused("headers-too-large", c.who.Name, remoteOf(r))
		return errHeaders()
	}
	if len(e.methods) == 0 {
		return errNotFound()
	}
	do, ok := e.methods[r.Method]
	if !ok && r.Method == http.MethodHead {
		do, ok = e.methods[http.MethodGet]
	}
	if !ok {
		w.Header().Set("Allow", allowed(e.methods))
		return errMethod(r.Method)
	}
	return do(w, r, c)
}

// shut is the answer to a request that is not let in, on record.
func (s *server) shut(w http.ResponseWriter, r *http.Request, err error) error {
	fault := auth.FaultOf(err)
	s.opts.Refused("credential-"+string(fault), "", remoteOf(r))
	if fault == auth.FaultKeys {
		w.Header().Set("Retry-After", "10")
		return &protocolError{http.StatusServiceUnavailable, interlock.AsError(err)}
	}
	return err
}

// remoteOf gives the address that a request came from, without the port.
func remoteOf(r *http.Request) string {
	if addr, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return addr.Addr().Unmap().String()
	}
	return ""
}

// fail writes an error as a problem and logs its cause.
func (s *server) fail(w *writer, r *http.Request, id string, err error) {
	status, body := problemOf(err)
	s.logged(r, id, status, err)
	if w.wrote {
		return
	}
	h := w.Header()
	h.Set("Content-Type", wire.ProblemType)
	h.Set("Cache-Control", "no-store")
	if status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", s.challenge(r))
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller may be gone
}

// logged records a failed request, as loudly as its kind deserves.
func (s *server) logged(r *http.Request, id string, status int, err error) {
	s.opts.Logger.LogAttrs(r.Context(), slog.Level(wire.Level(err)), "request failed",
		slog.String("request", id), slog.String("method", r.Method), slog.String("path", r.URL.Path),
		slog.Int("status", status), slog.String("error", err.Error()))
}

// recovered answers a panic of an answerer with an internal failure.
func (s *server) recovered(w *writer, r *http.Request, id string) {
	cause := recover()
	if cause == nil {
		return
	}
	if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) { // an answer that cannot be finished is cut, so that nobody takes it for whole
		panic(cause)
	}
	s.opts.Logger.Error("a request panicked", "request", id, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
	s.fail(w, r, id, wire.Panicked(cause))
}

// writer remembers whether an answer has begun.
type writer struct {
	http.ResponseWriter
	wrote bool
}

// WriteHeader begins the answer.
func (w *writer) WriteHeader(status int) {
	w.wrote = true
	w.ResponseWriter.WriteHeader(status)
}

// Write begins the answer.
func (w *writer) Write(p []byte) (int, error) {
	w.wrote = true
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
