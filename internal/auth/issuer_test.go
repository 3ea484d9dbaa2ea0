package auth_test

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

// key is one key of an issuer, to sign with and to publish.
type key struct {
	alg    jose.SignatureAlgorithm
	secret crypto.Signer
	id     string
}

func (k key) public() jose.JSONWebKey {
	return jose.JSONWebKey{Key: k.secret.Public(), KeyID: k.id, Algorithm: string(k.alg), Use: "sig"}
}

// sign makes a token with a header of its own.
func (k key) sign(t testing.TB, payload string, header map[jose.HeaderKey]any) string {
	t.Helper()
	opts := &jose.SignerOptions{ExtraHeaders: map[jose.HeaderKey]any{"kid": k.id}}
	maps.Copy(opts.ExtraHeaders, header)
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: k.alg, Key: k.secret}, opts)
	if err != nil {
		t.Fatal(err)
	}
	obj, err := s.Sign([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	text, err := obj.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func newRSA(t testing.TB, id string, bits int) key {
	t.Helper()
	k, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return key{jose.RS256, k, id}
}

func newEC(t testing.TB, id string) key { return key{jose.ES256, newKey(t), id} }

func newEd(t testing.TB, id string) key {
	t.Helper()
	_, k, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key{jose.EdDSA, k, id}
}

// issuer serves an OpenID configuration and a key set.
type issuer struct {
	*httptest.Server
	mu      sync.Mutex // guards keys, doc and broken
	keys    []any
	doc     func(url string) map[string]any
	broken  func(w http.ResponseWriter)
	fetched atomic.Int64 // key sets
}

func newIssuer(t testing.TB, keys ...key) *issuer {
	t.Helper()
	i := &issuer{doc: func(url string) map[string]any { return map[string]any{"issuer": url, "jwks_uri": url + "/keys"} }}
	i.publish(keys...)
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		i.answer(w, func() any { return i.doc(i.URL) })
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		i.fetched.Add(1)
		i.answer(w, func() any { return map[string]any{"keys": i.keys} })
	})
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

func (i *issuer) answer(w http.ResponseWriter, what func() any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.broken != nil {
		i.broken(w)
		return
	}
	_ = json.NewEncoder(w).Encode(what())
}

func (i *issuer) publish(keys ...key) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = nil
	for _, k := range keys {
		i.keys = append(i.keys, k.public())
	}
}

func (i *issuer) breaks(how func(w http.ResponseWriter)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.broken = how
}

// claims are those of a good token, changed by pairs; a nil takes one out.
func (i *issuer) claims(pairs ...any) string {
	c := map[string]any{"iss": i.URL, "aud": "interlock", "sub": "carol", "exp": noon.Add(time.Hour).Unix(), "iat": noon.Unix()}
	for n := 0; n < len(pairs); n += 2 {
		if c[pairs[n].(string)] = pairs[n+1]; pairs[n+1] == nil {
			delete(c, pairs[n].(string))
		}
	}
	text, _ := json.Marshal(c) // plain values
	return string(text)
}

// believes makes a guard of an issuer.
func believes(t testing.TB, cfg auth.JWT, w *watch, log *bytes.Buffer) *auth.Authenticator {
	t.Helper()
	opts := auth.Options{Clock: w.Now}
	if log != nil {
		opts.Logger = slog.New(slog.NewTextHandler(log, nil))
	}
	if cfg.Audience == nil {
		cfg.Audience = []string{"interlock", "https://tools.example/mcp"}
	}
	a, err := auth.New(auth.Config{Mode: "jwt", JWT: &cfg, Tokens: []auth.Token{{Name: "alice", Secret: interlock.Secret(sum(alice))}}}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
