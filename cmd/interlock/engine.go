package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/alecthomas/kong"
	"github.com/tiktoken-go/tokenizer"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding/lexicon"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/router"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// engine is what every command speaks to: a router in this process, or a
// running one behind its socket.
type engine interface {
	httpapi.Router
	httpapi.Keeper
	httpapi.Auditor
}

// session is an open engine. Local is nil where the engine is another
// process's.
type session struct {
	engine
	local *router.Router
	guard *auth.Current // nil where the engine is another process's: it has its own
	cfg   config
	// policies are those of the configuration; nil where it names none.
	policies *policy.Set
	by       string // what brought the policies: router.ByStart or router.ByCommand
	path     string
	close    func() error
	// changed names the sources that say that their tools are others now.
	changed chan string
}

// lockWait is how long a command waits for another one to let the store go.
const lockWait = 15 * time.Second

// open gives an engine for the store: the running one where there is one, and
// otherwise the store itself, under its lock.
func (a *app) open(ctx context.Context) (*session, error) {
	s, err := a.prepare()
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(lockWait)
	for {
		if client := running(s.path); client != nil {
			s.engine, s.close = client, func() error { client.Close(); return nil }
			return s, nil
		}
		_, missing := os.Stat(s.path)
		err := a.openLocal(ctx, s, time.Second)
		a.hint(err == nil && !a.begins && errors.Is(missing, os.ErrNotExist), "a new store was made at "+s.path)
		if interlock.ReasonOf(err) != interlock.ReasonStoreLocked || time.Now().After(deadline) {
			if err != nil {
				return nil, err
			}
			return s, nil
		}
	}
}

// prepare reads the configuration and finds the store.
func (a *app) prepare() (*session, error) {
	cfg, err := loadConfig(a.configPath())
	if err != nil {
		return nil, err
	}
	path, err := a.storePath(cfg)
	if err != nil {
		return nil, err
	}
	if a.LogLevel == "" && cfg.Log.Level != "" {
		if a.logger, err = newLogger(a.err, cfg.Log.Level); err != nil {
			return nil, err
		}
	}
	set, err := cfg.policySet()
	if err != nil {
		return &session{cfg: cfg, path: path}, err // for who notes it
	}
	return &session{cfg: cfg, policies: set, by: router.ByCommand, path: path}, nil
}

// configPath is where the configuration is; empty where there is none.
func (a *app) configPath() string {
	if a.Config == "" { // an empty variable is none
		return ""
	}
	return kong.ExpandPath(a.Config)
}

// admit reads who may come in. Only who serves or opens the store needs it: a
// command that speaks to a running server may lack the tokens' variables.
func (a *app) admit(s *session) error {
	if s.guard != nil {
		return nil
	}
	guard, err := a.authenticator(s.cfg)
	if err == nil {
		s.guard = auth.NewCurrent(guard)
	}
	return err
}

// authenticator reads the credentials of a configuration.
func (a *app) authenticator(c config) (*auth.Authenticator, error) {
	return auth.New(c.Auth, auth.Options{Secrets: a.secrets(), Clock: time.Now, Logger: a.logger})
}

func (a *app) secrets() interlock.Secrets {
	return auth.Resolver{Lookup: a.lookup, Run: a.commands.secret, Keyring: a.keyrings.secret, Forget: a.forgetSecrets}
}

// forgetSecrets has every secret read again at its next use.
func (a *app) forgetSecrets() {
	a.commands.kept.forget()
	a.keyrings.kept.forget()
}

// openLocal opens the store in this process.
func (a *app) openLocal(ctx context.Context, s *session, wait time.Duration) error {
	if err := a.admit(s); err != nil {
		return err
	}
	embedder, err := a.embedder(s.cfg)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return configError("store: the folder of %s cannot be made: %v", s.path, err)
	}
	store, err := sqlite.Open(ctx, s.path, sqlite.Options{LockWait: wait, Logger: a.logger})
	if err != nil {
		return err
	}
	opts, err := a.routerOptions(s, store, embedder)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	r, err := router.New(ctx, opts)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	if s.policies != nil {
		if err := r.NotePolicies(ctx, s.by); err != nil {
			return errors.Join(err, r.Close(), store.Close())
		}
	}
	s.engine, s.local = r, r
	s.close = func() error { return errors.Join(r.Close(), store.Close()) }
	return nil
}

func (a *app) routerOptions(s *session, store interlock.Store, embedder interlock.Embedder) (router.Options, error) {
	keys, err := receipt.LoadKeys(s.path+".keys", rand.Reader)
	if err != nil {
		return router.Options{}, err
	}
	s.changed = make(chan string, 64)
	openers, err := a.openers(func(source string) {
		select {
		case s.changed <- source:
		default: // the next poll reads it anyway
		}
	})
	if err != nil {
		return router.Options{}, err
	}
	limit, err := s.cfg.Drift.policy()
	if err != nil {
		return router.Options{}, err
	}
	glosser, err := s.cfg.glosser()
	if err != nil {
		return router.Options{}, err
	}
	wait, err := a.needWait(s.cfg)
	if err != nil {
		return router.Options{}, err
	}
	calibration, err := s.cfg.calibration()
	if err != nil {
		return router.Options{}, err
	}
	reranker, first, rerankWait, err := a.reranker(s.cfg)
	if err != nil {
		return router.Options{}, err
	}
	return router.Options{Store: store, Drift: limit, InsensitiveReads: s.cfg.Drift.InsensitiveReads, Openers: openers, Keys: keys, Logger: a.logger, Clock: time.Now, Random: rand.Reader,
		Embedder: embedder, NeedWait: wait, Calibration: calibration, Reranker: reranker, RerankFirst: first, RerankWait: rerankWait, Glosser: glosser, Tokens: tokenCounter(), Tokenizers: map[string]func(string) int{"cl100k": counterOf(tokenizer.Cl100kBase)}, Progress: a.progress("vectors"), Policies: s.policies,
		Secrets: a.secrets(),
		Asked:   s.asked(a.logger), Seen: receipt.NewSeen(s.seenPath()), Restored: a.restored, Witnesses: s.cfg.Log.Witness.policy(), Pruning: a.counts("entries")}, nil
}

// glosser gives the vocabulary with the configured words.
func (c config) glosser() (interlock.Glosser, error) {
	lex, err := lexicon.Load()
	if err != nil {
		return nil, err
	}
	with, err := lex.With(c.Glossary)
	if err != nil {
		return nil, fmt.Errorf("glossary: %w", err)
	}
	return with, nil
}

// tokenCounter counts o200k tokens.
func tokenCounter() func(string) int { return counterOf(tokenizer.O200kBase) }

// counterOf counts tokens of an encoding; its vocabulary is loaded at the first
// use.
func counterOf(of tokenizer.Encoding) func(string) int {
	load := sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(of) })
	return func(text string) int {
		codec, err := load()
		if err == nil {
			if n, err := codec.Count(text); err == nil {
				return n
			}
		}
		return len(text) // never fewer than there are: a token has a byte or more
	}
}

// may refuses a principal without a right. Where the engine is another
// process's, that one decides: each of its answers asks for the right anyway.
func (s *session) may(who interlock.Principal, right policy.Action, does string) error {
	if who.Operator || s.local == nil || s.local.Holds(who, right) {
		return nil
	}
	return &interlock.Error{Code: interlock.CodeDenied, Reason: interlock.ReasonOperatorOnly, Stage: "cmd",
		Public: fmt.Sprintf("Only the operator %s, and who has the right to %s; leave --principal out.", does, right)}
}

// operator refuses a principal who is not the operator.
func operator(who interlock.Principal, does string) error {
	if who.Operator {
		return nil
	}
	return &interlock.Error{Code: interlock.CodeDenied, Reason: interlock.ReasonOperatorOnly, Stage: "cmd", Public: "Only the operator " + does + "; leave --principal out."}
}

// explain answers a question of a holder of audit, for the faces.
func (s *session) explain(ctx context.Context, caller interlock.Principal, q httpapi.Question) (any, error) {
	return s.ask(ctx, caller, q)
}

func (s *session) ask(ctx context.Context, caller interlock.Principal, q httpapi.Question) (router.Why, error) {
	if q.At >= 0 {
		return s.local.WhyAt(ctx, caller, q.Of, q.Tool, q.At)
	}
	return s.local.Why(ctx, caller, q.Of, q.Tool)
}

// why explains the rights of a principal, by the name of his token or by the
// claims of one, to who.
func (s *session) why(ctx context.Context, who interlock.Principal, name string, claims []byte, tool string, at int64) (why router.Why, err error) {
	if client, ok := s.engine.(*httpapi.Client); ok {
		return why, client.Why(ctx, name, claims, tool, at, &why)
	}
	q := httpapi.Question{Tool: tool, At: at}
	if q.Of, err = s.named(name, claims); err != nil {
		return why, err
	}
	return s.ask(ctx, who, q)
}

// named gives a principal by the name of his token, or by the claims of one.
func (s *session) named(name string, claims []byte) (interlock.Principal, error) {
	if claims != nil {
		return s.guard.Claimed(claims)
	}
	return s.guard.ByName(name)
}

// who gives the principal that a command acts as.
func (s *session) who(name, claimsFile string) (interlock.Principal, error) {
	if name == "" && claimsFile == "" {
		return interlock.Local(), nil
	}
	claims, err := readClaims(name, claimsFile)
	if err != nil {
		return interlock.Principal{}, err
	}
	if client, ok := s.engine.(*httpapi.Client); ok { // the running server knows its principals
		s.engine = client.As(name, claims)
		return interlock.Principal{Name: name}, nil
	}
	return s.named(name, claims)
}

// maxClaims bounds a file of claims.
const maxClaims = 16 << 10

// readClaims reads a file of claims; nil where none is named.
func readClaims(name, file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	if name != "" {
		return nil, usagef("name a token, or a file of claims, not both")
	}
	text, err := os.ReadFile(file)
	switch {
	case err != nil:
		return nil, usagef("claims: %v", err)
	case len(text) == 0 || len(text) > maxClaims:
		return nil, usagef("claims: %s is empty or has over %d bytes", filepath.Base(file), maxClaims)
	}
	return text, nil
}
