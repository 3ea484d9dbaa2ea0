package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"
	josejson "github.com/go-jose/go-jose/v4/json"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/seed-ae386458/interlock"
)

// JWT says which tokens of an issuer are believed. Its keys come from JWKSURL
// or JWKSFile, and without either from where the issuer's OpenID configuration
// says, which must be at the issuer's own origin.
type JWT struct {
	Issuer     string   `json:"issuer" yaml:"issuer"`
	Audience   []string `json:"audience" yaml:"audience"` // a token is for one of them
	JWKSURL    string   `json:"jwks_url,omitempty" yaml:"jwks_url,omitempty"`
	JWKSFile   string   `json:"jwks_file,omitempty" yaml:"jwks_file,omitempty"`
	Algorithms []string `json:"algorithms,omitempty" yaml:"algorithms,omitempty"`   // default: RS256, ES256, EdDSA
	Leeway     string   `json:"leeway,omitempty" yaml:"leeway,omitempty"`           // of clocks, at most 5m; default: 30s
	CA         string   `json:"ca,omitempty" yaml:"ca,omitempty"`                   // file of certificates (PEM) that alone vouch for the issuer; default: those of the system
	KeysExpire string   `json:"keys_expire,omitempty" yaml:"keys_expire,omitempty"` // of keys that cannot be had again; default: 1h
	Claims     Claims   `json:"claims,omitzero" yaml:"claims,omitempty"`
	// Resource is the address that clients know, such as
	// https://tools.example.com; default: the one of the request.
	Resource string `json:"resource,omitempty" yaml:"resource,omitempty"`
	// Allow, Deny and Invoke are the lists of every principal of the issuer.
	Allow  []string `json:"allow,omitempty" yaml:"allow,omitempty"`
	Deny   []string `json:"deny,omitempty" yaml:"deny,omitempty"`
	Invoke []string `json:"invoke,omitempty" yaml:"invoke,omitempty"`
}

// The algorithms that may be asked for are signatures by a key pair alone: who
// can check a token must not be able to make one.
var allAlgorithms = [...]jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA}

// The defaults and limits of JWT.
const (
	defaultLeeway = 30 * time.Second
	maxLeeway     = 5 * time.Minute
	defaultExpire = time.Hour
)

// verifier believes tokens of one issuer.
type verifier struct {
	cfg        JWT
	algorithms []jose.SignatureAlgorithm
	leeway     time.Duration
	clock      func() time.Time
	keys       *keyring
	read       reader
}

// newVerifier checks a configuration. A file of keys is read now.
func newVerifier(cfg JWT, opts Options) (*verifier, error) {
	if opts.Clock == nil {
		return nil, errors.New("tokens expire, and there is no clock")
	}
	v := &verifier{cfg: cfg, clock: opts.Clock, leeway: defaultLeeway}
	var err error
	if v.algorithms, err = algorithmsOf(cfg.Algorithms); err != nil {
		return nil, err
	}
	if v.leeway, err = duration("leeway", cfg.Leeway, defaultLeeway, 0, maxLeeway); err != nil {
		return nil, err
	}
	expire, err := duration("keys_expire", cfg.KeysExpire, defaultExpire, keysPause, 7*24*time.Hour)
	if err != nil {
		return nil, err
	}
	if len(cfg.Audience) == 0 || slices.Contains(cfg.Audience, "") {
		return nil, errors.New("audience is missing: say whom the tokens are for, or those for another service would do")
	}
	if cfg.Resource != "" {
		if _, err := address("resource", cfg.Resource); err != nil {
			return nil, err
		}
	}
	if v.read, err = newReader(cfg); err != nil {
		return nil, err
	}
	v.keys, err = newKeyring(cfg, expire, opts)
	return v, err
}

func algorithmsOf(names []string) ([]jose.SignatureAlgorithm, error) {
	if len(names) == 0 {
		return []jose.SignatureAlgorithm{jose.RS256, jose.ES256, jose.EdDSA}, nil
	}
	var out []jose.SignatureAlgorithm
	for _, name := range names {
		if !slices.Contains(allAlgorithms[:], jose.SignatureAlgorithm(name)) {
			return nil, fmt.Errorf("algorithms: %q is none of %v", name, allAlgorithms)
		}
		out = append(out, jose.SignatureAlgorithm(name))
	}
	return out, nil
}

func duration(key, text string, otherwise, least, most time.Duration) (time.Duration, error) {
	if text == "" {
		return otherwise, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < least || d > most {
		return 0, fmt.Errorf("%s: %q is no duration from %s to %s", key, text, least, most)
	}
	return d, nil
}

// principal gives whom a token is of.
func (v *verifier) principal(ctx context.Context, token string) (interlock.Principal, error) {
	payload, err := v.verified(ctx, token)
	if err != nil {
		return interlock.Principal{}, err
	}
	until, err := v.holds(payload)
	if err != nil {
		return interlock.Principal{}, err
	}
	who, err := v.read.principal(payload)
	if err != nil {
		return interlock.Principal{}, refused(FaultClaims, "The token's claims do not give a principal.", err)
	}
	who.Until = until
	return who, nil
}

// verified gives what a token says, once its signature holds: made with one of
// the algorithms, by the one key of the issuer that its kid names.
func (v *verifier) verified(ctx context.Context, token string) ([]byte, error) {
	sig, err := jose.ParseSignedCompact(token, v.algorithms)
	if err != nil {
		return nil, refused(FaultUnknown, "The bearer token is not known, and is no token signed with an algorithm that is taken.", err)
	}
	head := sig.Signatures[0].Protected
	if typ, given := head.ExtraHeaders[jose.HeaderType]; given && typ != "JWT" && typ != "jwt" && typ != "at+jwt" && typ != "application/at+jwt" {
		return nil, refused(FaultMalformed, "The token is of another type.", fmt.Errorf("typ %.64q", fmt.Sprint(typ)))
	}
	key, err := v.keys.find(ctx, head.KeyID, jose.SignatureAlgorithm(head.Algorithm))
	if errors.Is(err, errNoKeys) {
		return nil, keyless(err)
	}
	if err != nil {
		return nil, refused(FaultSignature, "The token is not signed by a key of the issuer that is known now.", err)
	}
	payload, err := sig.Verify(key)
	if err != nil {
		return nil, refused(FaultSignature, "The token's signature does not hold.", err)
	}
	return payload, nil
}

// holds compares issuer, audience and times, and gives until when they do.
func (v *verifier) holds(payload []byte) (time.Time, error) {
	var std jwt.Claims
	if err := josejson.Unmarshal(payload, &std); err != nil {
		return time.Time{}, refused(FaultMalformed, "The token's claims cannot be read.", err)
	}
	if std.Expiry == nil {
		return time.Time{}, refused(FaultMalformed, "The token has no end (exp).", nil)
	}
	err := std.ValidateWithLeeway(jwt.Expected{Issuer: v.cfg.Issuer, AnyAudience: v.cfg.Audience, Time: v.clock()}, v.leeway)
	for _, c := range [...]struct {
		is    error
		fault Fault
		text  string
	}{
		{jwt.ErrInvalidIssuer, FaultIssuer, "The token is of another issuer."},
		{jwt.ErrInvalidAudience, FaultAudience, "The token is for another audience."},
		{jwt.ErrExpired, FaultExpired, "The token has expired."},
		{jwt.ErrNotValidYet, FaultEarly, "The token is not valid yet."},
		{jwt.ErrIssuedInTheFuture, FaultEarly, "The token was issued in the future."},
	} {
		if errors.Is(err, c.is) {
			return time.Time{}, refused(c.fault, c.text, err)
		}
	}
	if err != nil {
		return time.Time{}, refused(FaultClaims, "The token's claims do not hold.", err)
	}
	return std.Expiry.Time().Add(v.leeway), nil
}

// Login is what a client needs to know to get a token (RFC 9728).
type Login struct {
	Issuer   string
	Resource string   // "": the address of the request
	Scopes   []string // that a token may carry; nil: none are read
}

// Login tells where clients log in; false where no issuer is believed.
func (a *Authenticator) Login() (Login, bool) {
	if a.jwt == nil {
		return Login{}, false
	}
	l := Login{Issuer: a.jwt.cfg.Issuer, Resource: a.jwt.cfg.Resource}
	if a.jwt.cfg.Claims.Scopes != "" {
		l.Scopes = Scopes()
	}
	return l, true
}
