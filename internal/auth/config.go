package auth

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/seed-ae386458/interlock"
)

// The modes of authentication.
const (
	// ModeNone is the single-user mode: everyone who reaches Interlock is its
	// local operator. Surfaces serve it to this machine alone.
	ModeNone = "none"
	// ModeBearer asks each request for a configured token or certificate.
	ModeBearer = "bearer"
	// ModeJWT takes tokens of an issuer as well.
	ModeJWT = "jwt"
)

// Config says who may come in. An empty Mode is bearer where there are tokens
// and none where there are not.
type Config struct {
	Mode   string  `json:"mode,omitempty" yaml:"mode,omitempty"`
	Tokens []Token `json:"tokens,omitempty" yaml:"tokens,omitempty"`
	JWT    *JWT    `json:"jwt,omitempty" yaml:"jwt,omitempty"`
}

// Options are what New needs beside the configuration.
type Options struct {
	Secrets interlock.Secrets // resolves references; required where a token is one
	// Clock tells the time; required where something expires: a token with an
	// end, a certificate, mode jwt.
	Clock  func() time.Time
	Logger *slog.Logger // default: discards
}

// New reads a configuration. The secrets it names are read now and kept as
// digests; any that cannot be read, or that two tokens share, is an error. So
// is a file of keys; an issuer is not asked before its first token.
func New(cfg Config, opts Options) (*Authenticator, error) {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	mode, err := modeOf(cfg)
	if err != nil {
		return nil, err
	}
	a := &Authenticator{open: mode == ModeNone, clock: opts.Clock, certs: map[string]int{}}
	for i, t := range cfg.Tokens {
		if err := a.add(t, opts); err != nil {
			return nil, invalid("auth.tokens[%d]: %v", i, err)
		}
	}
	if mode == ModeJWT {
		if a.jwt, err = newVerifier(*cfg.JWT, opts); err != nil {
			return nil, invalid("auth.jwt: %v", err)
		}
	}
	return a, nil
}

// modeOf gives the mode of a configuration that has what the mode needs.
func modeOf(cfg Config) (string, error) {
	mode := cfg.Mode
	switch {
	case mode == "" && len(cfg.Tokens) > 0 && cfg.JWT == nil:
		mode = ModeBearer
	case mode == "" && cfg.JWT == nil:
		mode = ModeNone
	}
	switch {
	case cfg.JWT != nil && mode != ModeJWT:
		return "", invalid("auth.jwt: it is for auth.mode: jwt, and the mode is %q", mode)
	case mode == ModeJWT && cfg.JWT == nil:
		return "", invalid("auth.jwt is missing: mode jwt needs an issuer and an audience")
	case mode == ModeBearer && len(cfg.Tokens) == 0:
		return "", invalid("auth.tokens: mode bearer without a token lets nobody in; add one")
	case mode != ModeNone && mode != ModeBearer && mode != ModeJWT:
		return "", invalid("auth.mode: %q is none of none, bearer, jwt", mode)
	}
	return mode, nil
}

// Certificates reports whether any principal is known by a client certificate.
func (c Config) Certificates() bool {
	for _, t := range c.Tokens {
		if len(t.Certificates) > 0 {
			return true
		}
	}
	return false
}

// invalid is the error of a configuration that cannot stand.
func invalid(format string, args ...any) *interlock.Error {
	return &interlock.Error{
		Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: "cmd", Public: fmt.Sprintf(format, args...),
	}
}
