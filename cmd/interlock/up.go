package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/internal/surface/mcpserver"
	"github.com/seed-ae386458/interlock/router"
)

// defaultListen is where `up` serves unless it is told otherwise.
const defaultListen = "127.0.0.1:7717"

// Run serves until it is told to stop.
func (c upCmd) Run(ctx context.Context, a *app) (err error) {
	s, err := a.prepare()
	if err != nil {
		return errors.Join(err, a.noteFault(ctx, s, err))
	}
	s.by = router.ByStart
	if err := a.admit(s); err != nil {
		return err
	}
	every, err := s.cfg.pollEvery(c.Poll)
	if err != nil {
		return err
	}
	addr := cmp.Or(c.Listen, s.cfg.Listen, defaultListen)
	if err := exposed(addr, s.guard.Open()); err != nil {
		return err
	}
	secure, err := s.cfg.tlsConfig()
	if err != nil {
		return err
	}
	if client := running(s.path); client != nil {
		client.Close()
		return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonStoreLocked, Stage: "store",
			Public: fmt.Sprintf("A server already runs on %s; stop it, or give another --store.", s.path)}
	}
	if err := a.openLocal(ctx, s, 5*time.Second); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.local.NotePolicies(ctx, router.ByStart); err != nil {
		return err
	}
	u := &server{app: a, session: s, poll: every, secure: secure}
	u.conf.Store(&s.cfg)
	return u.serve(ctx, addr, c)
}

// noteFault records in a store that is there that policies could not be taken.
// Nothing is disclosed meanwhile: without its session there is no server.
func (a *app) noteFault(ctx context.Context, s *session, fault error) error {
	if s == nil || running(s.path) != nil {
		return nil
	}
	if _, err := os.Stat(s.path); err != nil {
		return nil //nolint:nilerr // there is no store yet, and a fault makes none
	}
	if err := a.openLocal(ctx, s, time.Second); err != nil {
		return nil //nolint:nilerr // whatever else is wrong is not told beside the fault
	}
	return errors.Join(s.local.NotePolicyFault(ctx, router.ByStart, fault), s.close())
}

// exposed refuses to serve the single-user mode to other machines.
func exposed(addr string, open bool) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return usagef("--listen %q is not HOST:PORT", addr)
	}
	ip := net.ParseIP(host)
	if open && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return configError("listen: %s can be reached by others, and without tokens everyone is the operator; set auth.mode to bearer, or listen on 127.0.0.1", addr)
	}
	return nil
}

// server is a running `up`.
type server struct {
	app      *app
	session  *session
	poll     time.Duration
	secure   *tls.Config            // nil serves in clear
	conf     atomic.Pointer[config] // in force
	swapping sync.Mutex             // held while policies and tokens are exchanged for others
	work     sync.WaitGroup
}

// serve listens on the address and the socket until the context ends.
func (u *server) serve(ctx context.Context, addr string, c upCmd) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	mcp, err := u.mcp()
	if err != nil {
		return err
	}
	opts := u.app.doorOptions(u.session, mcp)
	opts.Passes = auth.NewPasses(time.Now)
	public, err := httpapi.Public(u.session.local, u.session.local, u.session.guard, opts)
	if err != nil {
		return err
	}
	tcp, err := net.Listen("tcp", addr)
	if err != nil {
		return usagef("cannot listen on %s: %v; choose another --listen", addr, err)
	}
	opts.Address = scheme(u.secure) + reached(tcp.Addr())
	stopSocket, err := u.app.serveSocket(u.session, opts)
	if err != nil {
		return errors.Join(err, tcp.Close())
	}
	srv := httpapi.NewServer(public, u.app.logger)
	failed := make(chan error, 1)
	go func() { failed <- serveOn(srv, tcp, u.secure) }()
	sample, err := u.sample(ctx, c)
	if err != nil {
		stop()
	} else {
		configured := newConfigured(u)
		configured.apply(ctx, *u.conf.Load())
		u.work.Go(func() { u.watchSources(ctx) })
		u.work.Go(func() { u.watchPolicies(ctx) })
		u.work.Go(func() { u.watchConfig(ctx, configured) })
		u.work.Go(func() { u.probes(ctx) })
		u.hello(opts.Address, c.Sample)
		select {
		case <-ctx.Done():
		case err = <-failed:
		}
	}
	stop()
	return errors.Join(ignoreClosed(err), u.shutdown(srv, mcp, stopSocket, sample))
}

// reached is how this machine reaches an address that is listened on: one that
// stands for all of the machine's is itself none.
func reached(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (u *server) mcp() (*mcpserver.Handler, error) {
	return mcpserver.NewHandler(u.session.local, mcpserver.Options{Logger: u.app.logger, Version: version, Elicit: u.session.guard.Open()})
}

// shutdown lets calls finish for a moment, then ends everything.
func (u *server) shutdown(srv *http.Server, mcp *mcpserver.Handler, stopSocket, stopSample func() error) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	mcp.Close()
	err := srv.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close()
	}
	err = errors.Join(err, stopSocket())
	if stopSample != nil {
		err = errors.Join(err, stopSample())
	}
	u.work.Wait()
	return err
}

// hello says where everything is and what to try next.
func (u *server) hello(url string, sample bool) {
	a := u.app
	st := a.style(a.out)
	mode := "bearer tokens"
	if login, ok := u.session.guard.Login(); ok {
		mode = "tokens of " + login.Issuer
	}
	if u.session.guard.Open() {
		mode = "single user, this machine only: no tokens, everything visible, writes ask for approval"
	}
	tell(a.out, "%s %s\n", st.green("Interlock is up."), mode)
	tell(a.out, "  MCP    %s/mcp\n  HTTP   %s/v1   (described at %s/openapi.json)\n  store  %s\n  calls that wait for a person: %s/console/approvals\n", url, url, url, u.session.path, url)
	if !sample {
		return
	}
	more := a.storeFlag(u.session.path)
	_, login := u.session.guard.Login()
	snippet := clientSnippet(url, !login && !u.session.guard.Open())
	tell(a.out, "\nTry, in another terminal:\n")
	for _, line := range []string{
		`tools`,
		`resolve "extract the fields of an invoice" --have document --have fields --constraint 'document.extract=^2.0'`,
		`resolve "서울 날씨 알려줘"`,
		`call sample/weather_v1 --args '{"city":"Seoul"}'`,
	} {
		tell(a.out, "  %s\n", st.bold("bin/interlock "+line+more))
	}
	tell(a.out, "\nIn an MCP client:\n  %s\n", snippet)
}

// clientSnippet is what an MCP client's configuration takes in. Where a token of
// the configuration lets a client in, its header stands there to be filled in.
func clientSnippet(url string, tokens bool) []byte {
	server := map[string]any{"type": "http", "url": url + "/mcp"}
	if tokens {
		server["headers"] = map[string]string{"Authorization": "Bearer YOUR_TOKEN"}
	}
	text, _ := json.Marshal(map[string]any{"mcpServers": map[string]any{"interlock": server}}) // strings always marshal
	return text
}

// storeFlag is what a command in another terminal has to add to find the store.
func (a *app) storeFlag(path string) string {
	bare := *a
	bare.Store = ""
	if usual, err := bare.storePath(config{}); err == nil && usual == path {
		return ""
	}
	return " --store '" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
