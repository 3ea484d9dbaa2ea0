package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
)

// Token names a principal and what proves it: a secret, several while one takes
// the place of another, or a client certificate. A secret is a reference
// ("env:NAME", "file:PATH", "command:PROGRAM …", "keyring:SERVICE/NAME"), a digest ("sha256:HEX"), or the token itself,
// which is for tests and is warned of.
type Token struct {
	Name    string           `json:"name" yaml:"name"`
	Secret  interlock.Secret `json:"token" yaml:"token"`
	Expires string           `json:"expires,omitempty" yaml:"expires,omitempty"` // RFC 3339; of Secret
	Secrets []Secret         `json:"secrets,omitempty" yaml:"secrets,omitempty"`
	// Certificates are names of verified client certificates: "cn:", "subject:"
	// (RFC 2253), "dns:", "uri:" or "email:" and the name, letter for letter.
	Certificates []string          `json:"certificates,omitempty" yaml:"certificates,omitempty"`
	Tenant       string            `json:"tenant,omitempty" yaml:"tenant,omitempty"`
	Roles        []string          `json:"roles,omitempty" yaml:"roles,omitempty"`
	Attributes   map[string]string `json:"attributes,omitempty" yaml:"attributes,omitempty"`
	// Scopes narrow what the principal may do, whatever else permits it; nil
	// narrows nothing.
	Scopes []string `json:"scopes,omitempty" yaml:"scopes,omitempty"`
	Allow  []string `json:"allow,omitempty" yaml:"allow,omitempty"`
	Deny   []string `json:"deny,omitempty" yaml:"deny,omitempty"`
	Invoke []string `json:"invoke,omitempty" yaml:"invoke,omitempty"`
}

// Secret is one of a token's several secrets.
type Secret struct {
	Token   interlock.Secret `json:"token" yaml:"token"`
	Expires string           `json:"expires,omitempty" yaml:"expires,omitempty"` // RFC 3339
}

// Scopes gives what a credential can be narrowed to.
func Scopes() []string { return []string{"discover", "invoke", "approve", "audit", "administer"} }

// add reads one token of the configuration.
func (a *Authenticator) add(t Token, opts Options) error {
	switch {
	case t.Name == "":
		return errors.New("name is missing")
	case t.Name == interlock.Local().Name:
		return fmt.Errorf("the name %q is the operator's own; choose another", t.Name)
	case strings.ContainsFunc(t.Name, control):
		return fmt.Errorf("the name %q has a control character", t.Name)
	}
	if _, taken := a.find(t.Name); taken {
		return fmt.Errorf("the name %q is taken", t.Name)
	}
	if i := slices.IndexFunc(t.Scopes, func(s string) bool { return !slices.Contains(Scopes(), s) }); i >= 0 {
		return fmt.Errorf("scopes: %q is none of %s", t.Scopes[i], strings.Join(Scopes(), ", "))
	}
	of := len(a.named)
	a.named = append(a.named, narrowed(interlock.Principal{
		Name: t.Name, Tenant: t.Tenant, Roles: slices.Sorted(slices.Values(t.Roles)), Attributes: maps.Clone(t.Attributes),
		Allow: slices.Clone(t.Allow), Deny: slices.Clone(t.Deny), Invoke: slices.Clone(t.Invoke), Scopes: slices.Clone(t.Scopes),
	}))
	if err := a.addCertificates(t, of); err != nil {
		return err
	}
	return a.addSecrets(t, of, opts)
}

func control(r rune) bool { return r < ' ' || r == 0x7f }

// narrowed cuts the lists of a principal to its scopes: without discover
// nothing is visible, without invoke nothing may be called. The other scopes
// are policy's to ask for.
func narrowed(p interlock.Principal) interlock.Principal {
	if !p.Within("discover") {
		p.Allow = []string{}
	}
	if !p.Within("invoke") {
		p.Invoke = []string{}
	}
	return p
}

func (a *Authenticator) addCertificates(t Token, of int) error {
	for _, name := range t.Certificates {
		if err := certName(name); err != nil {
			return err
		}
		if at, taken := a.certs[name]; taken {
			return fmt.Errorf("%s and %s have one certificate, %q", a.named[at].Name, t.Name, name)
		}
		a.certs[name] = of
	}
	if len(t.Certificates) > 0 && a.clock == nil {
		return errors.New("a certificate ends, and there is no clock")
	}
	return nil
}

// addSecrets reads the secrets of a token.
func (a *Authenticator) addSecrets(t Token, of int, opts Options) error {
	list := t.Secrets
	if t.Secret != "" || len(list)+len(t.Certificates) == 0 {
		list = append([]Secret{{t.Secret, t.Expires}}, list...)
	} else if t.Expires != "" {
		return errors.New("expires: there is no `token` beside it; say it with each of `secrets`")
	}
	for _, s := range list {
		k, err := readSecret(t.Name, s, opts)
		if err != nil {
			return fmt.Errorf("token of %s: %w", t.Name, err)
		}
		for _, other := range a.secrets {
			if other.digest == k.digest {
				return fmt.Errorf("%s and %s have one secret", a.named[other.of].Name, t.Name)
			}
		}
		k.of = of
		a.secrets = append(a.secrets, k)
	}
	return nil
}

// readSecret reads one secret and its end.
func readSecret(name string, s Secret, opts Options) (k secret, err error) {
	if k.digest, err = digest(name, s.Token.Reveal(), opts); err != nil || s.Expires == "" {
		return k, err
	}
	if k.expires, err = time.Parse(time.RFC3339, s.Expires); err != nil {
		return k, fmt.Errorf("expires: %q is no time such as 2027-01-31T00:00:00Z", s.Expires)
	}
	if opts.Clock == nil {
		return k, errors.New("expires: there is no clock")
	}
	if k.expired(opts.Clock) {
		opts.Logger.Warn("a token has expired and lets nobody in", "name", name, "expired", s.Expires)
	}
	return k, nil
}

// digest gives the SHA-256 of a token's secret.
func digest(name, text string, opts Options) (sum [sha256.Size]byte, err error) {
	if hexes, ok := strings.CutPrefix(text, "sha256:"); ok {
		raw, err := hex.DecodeString(hexes)
		if err != nil || len(raw) != sha256.Size {
			return sum, errors.New("sha256: wants 64 hexadecimal digits")
		}
		return [sha256.Size]byte(raw), nil
	}
	secret := text
	if interlock.IsReference(text) {
		if opts.Secrets == nil {
			return sum, errors.New("it is a reference, and no secrets can be read here")
		}
		read, err := opts.Secrets.Secret(text)
		if err != nil {
			return sum, unread(text, err)
		}
		secret = read.Reveal()
	} else if secret != "" {
		opts.Logger.Warn("a token is in clear in the configuration; refer to it with env:, file: or sha256:", "name", name)
	}
	if secret == "" || len(secret) > MaxToken || strings.ContainsAny(secret, " \t\r\n,") {
		return sum, errors.New("it is empty, too long, or has white space or a comma")
	}
	return sha256.Sum256([]byte(secret)), nil
}

// unread says why a reference gave nothing. The operator who wrote the
// reference reads it, so it has the cause, and not what a caller is told.
func unread(ref string, err error) error {
	var e *interlock.Error
	if errors.As(err, &e) && e.Err != nil {
		return e.Err
	}
	return fmt.Errorf("secret %q: %w", shortRef(ref), err)
}
