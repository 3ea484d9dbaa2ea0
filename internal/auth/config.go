package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// The modes of authentication.
const (
	// ModeNone is the single-user mode: everyone who reaches Interlock is its
	// local operator. Surfaces serve it to this machine alone.
	ModeNone = "none"
	// ModeBearer asks each request for a configured token.
	ModeBearer = "bearer"
)

// Config says who may come in. An empty Mode is bearer where there are tokens
// and none where there are not.
type Config struct {
	Mode   string  `json:"mode,omitempty" yaml:"mode,omitempty"`
	Tokens []Token `json:"tokens,omitempty" yaml:"tokens,omitempty"`
}

// Token names a principal and its secret. Secret is a reference ("env:NAME",
// "file:PATH"), a digest ("sha256:HEX"), or the token itself, which is for
// tests and is warned of.
type Token struct {
	Name   string   `json:"name" yaml:"name"`
	Secret string   `json:"token" yaml:"token"`
	Tenant string   `json:"tenant,omitempty" yaml:"tenant,omitempty"`
	Roles  []string `json:"roles,omitempty" yaml:"roles,omitempty"`
	Allow  []string `json:"allow,omitempty" yaml:"allow,omitempty"`
	Deny   []string `json:"deny,omitempty" yaml:"deny,omitempty"`
	Invoke []string `json:"invoke,omitempty" yaml:"invoke,omitempty"`
}

// Options are what New needs beside the configuration.
type Options struct {
	Secrets interlock.Secrets // resolves references; required where a token is one
	Logger  *slog.Logger      // default: discards
}

// New reads a configuration. The secrets it names are read now and kept as
// digests; any that cannot be read, or that two tokens share, is an error.
func New(cfg Config, opts Options) (*Authenticator, error) {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	mode := cfg.Mode
	if mode == "" && len(cfg.Tokens) > 0 {
		mode = ModeBearer
	}
	a := &Authenticator{}
	switch mode {
	case "", ModeNone:
		a.open = true
	case ModeBearer:
		if len(cfg.Tokens) == 0 {
			return nil, invalid("auth.tokens: mode bearer without a token lets nobody in; add one")
		}
	default:
		return nil, invalid("auth.mode: %q is none of none, bearer", mode)
	}
	for i, t := range cfg.Tokens {
		k, err := read(t, opts)
		if err != nil {
			return nil, invalid("auth.tokens[%d]: %v", i, err)
		}
		if err := a.distinct(k); err != nil {
			return nil, invalid("auth.tokens[%d]: %v", i, err)
		}
		a.tokens = append(a.tokens, k)
	}
	return a, nil
}

// read makes one token of its configuration.
func read(t Token, opts Options) (known, error) {
	switch {
	case t.Name == "":
		return known{}, fmt.Errorf("name is missing")
	case t.Name == interlock.Local().Name:
		return known{}, fmt.Errorf("the name %q is the operator's own; choose another", t.Name)
	case strings.ContainsFunc(t.Name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return known{}, fmt.Errorf("the name %q has a control character", t.Name)
	}
	digest, err := digest(t, opts)
	if err != nil {
		return known{}, fmt.Errorf("token of %s: %w", t.Name, err)
	}
	return known{digest, interlock.Principal{
		Name: t.Name, Tenant: t.Tenant, Roles: slices.Sorted(slices.Values(t.Roles)),
		Allow: slices.Clone(t.Allow), Deny: slices.Clone(t.Deny), Invoke: slices.Clone(t.Invoke),
	}}, nil
}

// digest gives the SHA-256 of a token's secret.
func digest(t Token, opts Options) (sum [sha256.Size]byte, err error) {
	if text, ok := strings.CutPrefix(t.Secret, "sha256:"); ok {
		raw, err := hex.DecodeString(text)
		if err != nil || len(raw) != sha256.Size {
			return sum, fmt.Errorf("sha256: wants 64 hexadecimal digits")
		}
		return [sha256.Size]byte(raw), nil
	}
	secret := t.Secret
	if IsReference(secret) {
		if opts.Secrets == nil {
			return sum, fmt.Errorf("it is a reference, and no secrets can be read here")
		}
		if secret, err = opts.Secrets.Secret(t.Secret); err != nil {
			return sum, fmt.Errorf("%s: %w", t.Secret, err)
		}
	} else if secret != "" {
		opts.Logger.Warn("a token is in clear in the configuration; refer to it with env:, file: or sha256:", "name", t.Name)
	}
	if secret == "" || strings.ContainsAny(secret, " \t\r\n,") {
		return sum, fmt.Errorf("it is empty, or has white space or a comma")
	}
	return sha256.Sum256([]byte(secret)), nil
}

// distinct refuses a second token of one name or one secret.
func (a *Authenticator) distinct(k known) error {
	for _, other := range a.tokens {
		if other.principal.Name == k.principal.Name {
			return fmt.Errorf("the name %q is taken", k.principal.Name)
		}
		if other.digest == k.digest {
			return fmt.Errorf("%s and %s have one secret", other.principal.Name, k.principal.Name)
		}
	}
	return nil
}

// invalid is the error of a configuration that cannot stand.
func invalid(format string, args ...any) *interlock.Error {
	return &interlock.Error{
		Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: "cmd", Public: fmt.Sprintf(format, args...),
	}
}
