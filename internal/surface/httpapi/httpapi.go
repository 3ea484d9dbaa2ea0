// Package httpapi is the HTTP face: /v1, its OpenAPI description, a health
// check, a landing page and the console. It serves two doors over one router: Public, for
// callers who prove who they are on every request, and Operator, for the local
// socket, whose file permissions are the proof.
//
// It promises that nothing under /v1 or /mcp answers without a known
// credential (unless the mode is none, which serves this machine alone), that
// every failure is a problem (RFC 9457) whose text is public, and that equal
// needs have equal bytes, offers apart. It refuses requests of other origins,
// bodies over their limit, and changes to the registry over a network.
//
//	public, err := httpapi.Public(router, keeper, guard, httpapi.Options{MCP: face})
//	err = httpapi.NewServer(public, logger).Serve(listener)
//
// Client is the other end of the Operator door.
package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/policy"
)

// Router answers needs and calls for a principal.
type Router interface {
	Resolve(ctx context.Context, who interlock.Principal, need interlock.Need) (interlock.Resolution, error)
	Call(ctx context.Context, who interlock.Principal, req interlock.CallRequest) (interlock.CallResult, error)
	Catalogue
}

// Catalogue lists what a principal sees.
type Catalogue interface {
	Tools(ctx context.Context, who interlock.Principal) ([]interlock.ToolInfo, error)
	Show(ctx context.Context, who interlock.Principal, name string) (interlock.ToolDetail, error)
	// Family judges one family under a constraint; an empty range is none.
	Family(ctx context.Context, who interlock.Principal, c interlock.Constraint) (interlock.FamilyInfo, error)
	Sources(ctx context.Context, who interlock.Principal) ([]interlock.SourceInfo, error)
}

// Keeper does what only the operator may ask for.
type Keeper interface {
	Registrar
	Reviewer
	Approver
	Judge
	Prober
	Log
	Versions
	// Healthy reports whether requests can be served, without asking anybody
	// else.
	Healthy(ctx context.Context) error
	// Status gives facts about the health of the whole, for the operator; an
	// error means that requests cannot be served.
	Status(ctx context.Context) (map[string]any, error)
}

// Registrar changes what is registered, on record as by's doing.
type Registrar interface {
	Add(ctx context.Context, by interlock.Principal, cfg interlock.SourceConfig) (interlock.AddReport, error)
	Remove(ctx context.Context, by interlock.Principal, name string) error
	// Reread reads a source again and changes nothing.
	Reread(ctx context.Context, name string) (interlock.Reread, error)
}

// Prober finds out how tools behave.
type Prober interface {
	// Probe refuses a principal without the right to administer.
	Probe(ctx context.Context, who interlock.Principal, req interlock.ProbeRequest) (interlock.ProbeReport, error)
}

// Approver lists and decides approvals.
type Approver interface {
	// Approvals lists what a principal asked for and what he may decide on.
	Approvals(ctx context.Context, who interlock.Principal) ([]interlock.Approval, error)
	// Decide refuses a principal without the right.
	Decide(ctx context.Context, id string, by interlock.Principal, grant bool) (interlock.Approval, error)
}

// Versions reads which policies were in force.
type Versions interface {
	PolicyVersions(ctx context.Context) ([]interlock.PolicyVersion, error)
	PolicySet(ctx context.Context, digest string) ([]interlock.PolicyFile, error)
}

// Log reads the append-only log.
type Log interface {
	LogList(ctx context.Context, from int64, limit int) ([]interlock.LogEntry, error)
	LogExport(ctx context.Context, w io.Writer) error
	LogVerify(ctx context.Context) (size int64, err error)
}

// MCP is the face that is served at /mcp. The principal comes with each
// request.
type MCP interface {
	ServeAs(w http.ResponseWriter, r *http.Request, who interlock.Principal)
}

// Options are what a door may be given.
type Options struct {
	MCP     MCP           // served at /mcp; nil leaves the path out
	Logger  *slog.Logger  // default: discards
	Version string        // shown on the landing page
	NewID   func() string // makes request ids; default: random
	// Holds reports whether a principal who is not the operator has the right
	// to audit (the log, the state of the whole) or to administer (sources);
	// nil: none has.
	Holds func(who interlock.Principal, a policy.Action) bool
	// Why explains to a holder of audit what another may do with a tool; nil
	// answers nothing at that path.
	Why func(ctx context.Context, caller interlock.Principal, q Question) (any, error)
	// Audit proves what is in the log; nil answers nothing at those paths.
	Audit Auditor
	// Refused hears of every request that was refused for its credential or
	// for a right that its principal lacks, with the rule and the address it
	// came from; nil: nobody does. It must not wait.
	Refused func(rule, principal, from string)
	// Passes are those of the console; the two doors of one server share them.
	// Nil: nobody decides by one.
	Passes *auth.Passes
	// Address is where the Public door is reached, for the links that the
	// Operator door gives; empty: it gives none.
	Address string
	// Operate lets operator principals register, remove and decide through
	// the Public door as well. A source may name a command to run and files to
	// read, so by default only the local socket takes such requests.
	Operate bool
}

// withDefaults fills what was left out.
func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Holds == nil {
		o.Holds = func(interlock.Principal, policy.Action) bool { return false }
	}
	if o.Refused == nil {
		o.Refused = func(string, string, string) {}
	}
	if o.NewID == nil {
		o.NewID = rand.Text
	}
	return o
}

// Guard tells who a request is from: an auth.Authenticator, or the one that is
// in force at the time.
type Guard interface {
	Open() bool
	Authenticate(r *http.Request) (interlock.Principal, error)
	ByName(name string) (interlock.Principal, error)
	Claimed(claims []byte) (interlock.Principal, error)
	Login() (auth.Login, bool)
}

// Public serves callers who prove who they are: each request under /v1 and
// /mcp carries a credential that guard knows. In mode none it serves loopback
// alone, by address and by name.
func Public(router Router, keeper Keeper, guard Guard, opts Options) (http.Handler, error) {
	return newServer(router, keeper, guard, opts, false)
}

// Operator serves the local socket: the caller is the operator, or acts as the
// token that the header Interlock-Principal names. Never serve it on an
// address that others reach.
func Operator(router Router, keeper Keeper, guard Guard, opts Options) (http.Handler, error) {
	return newServer(router, keeper, guard, opts, true)
}

// newServer checks what a door needs.
func newServer(router Router, keeper Keeper, guard Guard, opts Options, local bool) (http.Handler, error) {
	if router == nil || keeper == nil || guard == nil {
		return nil, errors.New("httpapi: a door needs a router, a keeper and a guard")
	}
	page, err := template.New("landing").Parse(landingText)
	if err != nil {
		return nil, fmt.Errorf("httpapi: landing page: %w", err)
	}
	s := &server{
		router: router, keeper: keeper, guard: guard, opts: opts.withDefaults(), local: local,
		origin: http.NewCrossOriginProtection(), page: page,
	}
	s.mux = s.mount()
	return s, nil
}

// NewServer makes the http.Server for a door, with the timeouts that long
// answers allow: there is none for the answer.
func NewServer(door http.Handler, logger *slog.Logger) *http.Server {
	srv := &http.Server{
		Handler: door, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
	}
	if logger != nil {
		srv.ErrorLog = slog.NewLogLogger(logger.Handler(), slog.LevelWarn)
	}
	return srv
}
