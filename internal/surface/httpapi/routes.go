package httpapi

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/seed-ae386458/interlock/internal/surface/wire"
	"github.com/seed-ae386458/interlock/policy"
)

// route is one operation of the API.
type route struct {
	method, path string
	do           answerer
}

// routes is the whole API under /v1, the same at both doors.
func (s *server) routes() []route {
	return append([]route{
		{"POST", "/v1/resolve", s.resolve},
		{"POST", "/v1/call", s.call},
		{"GET", "/v1/tools", s.tools},
		{"GET", "/v1/tools/{name...}", s.show},
		{"GET", "/v1/families/{name...}", s.family},
		{"GET", "/v1/sources", s.sources},
		{"POST", "/v1/sources", s.changes(s.add)},
		{"DELETE", "/v1/sources/{name}", s.changes(s.remove)},
		{"POST", "/v1/sources/{name}/reread", s.changes(s.reread)},
		{"GET", "/v1/review", s.reads(s.review)},
		{"POST", "/v1/review", s.changes(s.rule)},
		{"POST", "/v1/probe", s.changes(s.probe)},
		{"GET", "/v1/approvals", s.approvals},
		{"GET", "/v1/approvals/{id}", s.approval},
		{"POST", "/v1/approvals/{id}", s.decide},
		{"POST", "/v1/console", s.link},
		{"GET", "/v1/log", s.reads(s.logList)},
		{"GET", "/v1/log/export", s.reads(s.logExport)},
		{"GET", "/v1/log/verify", s.reads(s.logVerify)},
		{"GET", "/v1/policy", s.reads(s.policyVersions)},
		{"GET", "/v1/policy/set/{digest}", s.reads(s.policySet)},
		{"GET", "/v1/policy/why", s.reads(s.why)},
		{"GET", "/v1/drift", s.drift},
		{"POST", "/v1/drift", s.changes(s.decideDrift)},
		{"GET", "/v1/status", s.reads(s.status)},
	}, s.auditRoutes()...)
}

// mount builds the mux. Paths that nothing answers ask for a credential too.
func (s *server) mount() *http.ServeMux {
	mux := http.NewServeMux()
	paths := map[string]map[string]answerer{}
	for _, r := range s.routes() {
		if paths[r.path] == nil {
			paths[r.path] = map[string]answerer{}
		}
		paths[r.path][r.method] = r.do
	}
	for path, methods := range paths {
		mux.Handle(path, endpoint{server: s, methods: methods, private: true, passes: console[path]})
	}
	for _, path := range [...]string{"/v1", "/v1/", "/mcp", "/mcp/"} {
		if path != "/mcp" || s.opts.MCP == nil {
			mux.Handle(path, endpoint{server: s, private: true})
		}
	}
	if s.opts.MCP != nil {
		mux.Handle("/mcp", endpoint{server: s, private: true, methods: map[string]answerer{
			"GET": s.mcp, "POST": s.mcp, "DELETE": s.mcp,
		}})
	}
	for path, do := range map[string]answerer{"/{$}": s.landing, "/healthz": s.health, "/openapi.json": s.description, "/console/{file}": s.console} {
		mux.Handle(path, endpoint{server: s, methods: map[string]answerer{"GET": do}})
	}
	if _, ok := s.guard.Login(); ok && !s.local {
		for _, path := range [...]string{wellKnown, wellKnown + "/mcp"} {
			mux.Handle(path, endpoint{server: s, methods: map[string]answerer{"GET": s.resource}})
		}
	}
	mux.Handle("/", endpoint{server: s})
	return mux
}

// holds asks for a right that the operator has, and whom policy gives it.
func (s *server) holds(a policy.Action, text string, do answerer) answerer {
	return func(w http.ResponseWriter, r *http.Request, c caller) error {
		if !c.who.Operator && !s.opts.Holds(c.who, a) {
			s.opts.Refused("right-"+string(a), c.who.Name, remoteOf(r))
			return errOperator(text)
		}
		return do(w, r, c)
	}
}

// reads asks for the right to audit.
func (s *server) reads(do answerer) answerer {
	return s.holds(policy.Audit, "Only the operator of the store may read this, and who has the right to audit.", do)
}

// changes asks for the right to administer, at a door where that is done.
func (s *server) changes(do answerer) answerer {
	return s.holds(policy.Administer, "Only the operator of the store may do this, and who has the right to administer.", s.operates(do))
}

// operates asks for a door where the registry may be changed.
func (s *server) operates(do answerer) answerer {
	return func(w http.ResponseWriter, r *http.Request, c caller) error {
		if !s.local && !s.opts.Operate {
			return errOperator("This is done on the machine of the store, through its local socket: run the interlock command there.")
		}
		return do(w, r, c)
	}
}

// mcp hands a request to the MCP face with the principal it is from.
func (s *server) mcp(w http.ResponseWriter, r *http.Request, c caller) error {
	// A stream that waits for messages ends with the credential that opened it;
	// a call that was let in may end by itself.
	if r.Method == http.MethodGet && !c.who.Until.IsZero() {
		ctx, stop := context.WithDeadline(r.Context(), c.who.Until)
		defer stop()
		r = r.WithContext(ctx)
	}
	s.opts.MCP.ServeAs(w, r, c.who)
	return nil
}

// bodyTime is how long the body of one request may take to arrive.
const bodyTime = 30 * time.Second

// body reads a JSON body of at most limit bytes.
func body(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return nil, errMedia()
	}
	ctl := http.NewResponseController(w)
	if ctl.SetReadDeadline(time.Now().Add(bodyTime)) == nil {
		defer func() { _ = ctl.SetReadDeadline(time.Time{}) }()
	}
	in := http.MaxBytesReader(w, r.Body, limit)
	var out []byte
	var err error
	if n := r.ContentLength; n >= 0 && n <= limit {
		out = make([]byte, n)
		_, err = io.ReadFull(in, out)
	} else {
		out, err = io.ReadAll(in)
	}
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		return nil, wire.TooLarge(over.Limit)
	}
	if err != nil {
		return nil, wire.Invalid("", "The body ended early.")
	}
	return out, nil
}

// send writes raw JSON.
func send(w http.ResponseWriter, raw []byte) error {
	w.Header().Set("Content-Type", "application/json")
	if _, err := w.Write(raw); err != nil {
		return err
	}
	return nil
}

// sendValue writes a value as JSON.
func sendValue(w http.ResponseWriter, v any) error {
	raw, err := wire.Encode(v)
	if err != nil {
		return err
	}
	return send(w, raw)
}

// sendList writes a list as a JSON array, an empty one as [].
func sendList[T any](w http.ResponseWriter, list []T) error {
	if list == nil {
		list = []T{}
	}
	return sendValue(w, list)
}

// openapi is the description of the API.
//
//go:embed openapi.json
var openapi []byte

// Description gives the OpenAPI description of the API.
func Description() json.RawMessage { return append(json.RawMessage(nil), openapi...) }

// description answers /openapi.json.
func (s *server) description(w http.ResponseWriter, _ *http.Request, _ caller) error {
	return send(w, openapi)
}
