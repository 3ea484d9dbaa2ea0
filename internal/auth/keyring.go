package auth

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// The times of an issuer's keys.
const (
	keysFresh  = 5 * time.Minute  // until they are read again
	keysPause  = 10 * time.Second // between two readings, whatever tokens ask for
	keysTime   = 5 * time.Second  // for one reading
	maxKeys    = 100              // of one issuer
	leastRSA   = 2048             // bits
	maxKeySet  = 1 << 20          // bytes
	maxKeyName = 256              // bytes of a kid
)

// keyring holds the public keys of one issuer. It reads them at the first
// token, again when they are old or a token names a key that is not there, and
// never more often than keysPause. While they cannot be read, the last good
// ones serve until they expire; then there are none.
type keyring struct {
	load   func(ctx context.Context) ([]byte, error)
	clock  func() time.Time
	logger *slog.Logger
	expire time.Duration
	now    atomic.Pointer[held]
	turn   chan struct{} // held by the one who reads
	tried  time.Time     // guarded by turn
}

// held are keys as they were read at one time.
type held struct {
	keys []jose.JSONWebKey
	at   time.Time
}

// newKeyring prepares the keys of an issuer; those of a file are read now.
func newKeyring(cfg JWT, expire time.Duration, opts Options) (*keyring, error) {
	load, err := loader(cfg)
	if err != nil {
		return nil, err
	}
	k := &keyring{load: load, clock: opts.Clock, logger: opts.Logger, expire: expire, turn: make(chan struct{}, 1)}
	if cfg.JWKSFile == "" {
		return k, nil
	}
	h, err := k.read(context.Background())
	if err != nil {
		return nil, fmt.Errorf("jwks_file: %w", err)
	}
	k.now.Store(h)
	return k, nil
}

// find gives the key that a token names by its kid, or where it names none the
// only one that fits.
func (k *keyring) find(ctx context.Context, kid string, alg jose.SignatureAlgorithm) (any, error) {
	if len(kid) > maxKeyName {
		return nil, fmt.Errorf("a kid of %d bytes", len(kid))
	}
	h := k.now.Load()
	key := k.pick(h, kid, alg)
	if key == nil || k.clock().Sub(h.at) > keysFresh {
		h = k.again(ctx, h, key == nil)
		key = k.pick(h, kid, alg)
	}
	if key == nil && !k.good(h) {
		return nil, errNoKeys
	}
	if key == nil {
		return nil, fmt.Errorf("no single key for kid %q and %s", kid, alg)
	}
	return key, nil
}

// errNoKeys says that there are no keys, or that they are too old.
var errNoKeys = errors.New("no keys of the issuer that may still be used")

// good reports whether there are keys that have not expired.
func (k *keyring) good(h *held) bool {
	return h != nil && k.clock().Sub(h.at) <= k.expire
}

// pick looks into keys that have not expired.
func (k *keyring) pick(h *held, kid string, alg jose.SignatureAlgorithm) any {
	if !k.good(h) {
		return nil
	}
	var found any
	for i := range h.keys {
		key := &h.keys[i]
		if kid != "" && key.KeyID != kid || !fits(key, alg) {
			continue
		}
		if found != nil {
			return nil
		}
		found = key.Key
	}
	return found
}

// again reads the keys, unless another has since they were seen, or tried a
// moment ago. Who can go on without does not wait for another who reads.
func (k *keyring) again(ctx context.Context, seen *held, wait bool) *held {
	if wait {
		select {
		case k.turn <- struct{}{}:
		case <-ctx.Done():
			return k.now.Load()
		}
	} else {
		select {
		case k.turn <- struct{}{}:
		default:
			return k.now.Load()
		}
	}
	defer func() { <-k.turn }()
	if h := k.now.Load(); h != seen || !k.tried.IsZero() && k.clock().Sub(k.tried) < keysPause {
		return h
	}
	k.tried = k.clock()
	// A caller who hangs up must not spoil the reading for the others.
	h, err := k.read(context.WithoutCancel(ctx))
	if err != nil {
		k.logger.Warn("the issuer's keys cannot be read; the last good ones serve until they expire", "err", err)
		return k.now.Load()
	}
	k.now.Store(h)
	return h
}

// read reads the keys once.
func (k *keyring) read(ctx context.Context) (*held, error) {
	ctx, cancel := context.WithTimeout(ctx, keysTime)
	defer cancel()
	text, err := k.load(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := parseKeys(text)
	if err != nil {
		return nil, err
	}
	return &held{keys, k.clock()}, nil
}

// parseKeys reads a JSON Web Key Set. A key that cannot be used for a
// signature, is not public, or is weak, is left out; a set without any other
// is an error.
func parseKeys(text []byte) ([]jose.JSONWebKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(text, &set); err != nil {
		return nil, fmt.Errorf("it is no key set: %w", err)
	}
	if len(set.Keys) > maxKeys {
		return nil, fmt.Errorf("it has over %d keys", maxKeys)
	}
	var out []jose.JSONWebKey
	for _, raw := range set.Keys {
		var key jose.JSONWebKey
		if key.UnmarshalJSON(raw) == nil && usable(&key) {
			out = append(out, key)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("it has no public key that signatures can be checked with")
	}
	return out, nil
}

func usable(key *jose.JSONWebKey) bool {
	if key.Use != "" && key.Use != "sig" || !key.IsPublic() || !key.Valid() || len(key.KeyID) > maxKeyName {
		return false
	}
	public, is := key.Key.(*rsa.PublicKey)
	return !is || public.N.BitLen() >= leastRSA
}

// fits reports whether a key is of the kind that an algorithm needs, so that no
// token chooses how a key is used.
func fits(key *jose.JSONWebKey, alg jose.SignatureAlgorithm) bool {
	if key.Algorithm != "" && key.Algorithm != string(alg) {
		return false
	}
	switch public := key.Key.(type) {
	case *rsa.PublicKey:
		return strings.HasPrefix(string(alg), "RS") || strings.HasPrefix(string(alg), "PS")
	case *ecdsa.PublicKey:
		return alg == jose.ES256 && public.Curve == elliptic.P256() || alg == jose.ES384 && public.Curve == elliptic.P384() || alg == jose.ES512 && public.Curve == elliptic.P521()
	case ed25519.PublicKey:
		return alg == jose.EdDSA
	}
	return false
}
