package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// authority signs certificates, and tokens in the place of an OpenID issuer.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	oidc *httptest.Server
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, key: newECKey(t)}
	a.cert = a.sign(&x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ca"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}, a.key)
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": a.oidc.URL, "jwks_uri": a.oidc.URL + "/keys"})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: a.key.Public(), KeyID: "k1", Algorithm: "ES256", Use: "sig"}}})
	})
	a.oidc = httptest.NewServer(mux)
	t.Cleanup(a.oidc.Close)
	return a
}

func newECKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// sign signs a certificate for a key; the first is signed by itself.
func (a *authority) sign(c *x509.Certificate, key *ecdsa.PrivateKey) *x509.Certificate {
	a.t.Helper()
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent := a.cert
	if parent == nil {
		parent = c
	}
	raw, err := x509.CreateCertificate(rand.Reader, c, parent, key.Public(), a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	out, err := x509.ParseCertificate(raw)
	if err != nil {
		a.t.Fatal(err)
	}
	return out
}

// client makes a client certificate.
func (a *authority) client(cn string) *tls.Certificate {
	key := newECKey(a.t)
	cert := a.sign(&x509.Certificate{SerialNumber: big.NewInt(3), Subject: pkix.Name{CommonName: cn}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}, key)
	return &tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key}
}

// server writes a certificate for this machine and its key.
func (a *authority) server(b *box) {
	key := newECKey(a.t)
	cert := a.sign(&x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "interlock"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, key)
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	b.file("ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})))
	b.file("cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Raw})))
	b.file("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})))
}

// token makes a token of the issuer.
func (a *authority) token(sub, audience string, ends time.Duration) string {
	a.t.Helper()
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: a.key, KeyID: "k1"}}, nil)
	if err != nil {
		a.t.Fatal(err)
	}
	claims, err := json.Marshal(map[string]any{"iss": a.oidc.URL, "aud": audience, "sub": sub, "exp": time.Now().Add(ends).Unix(), "org": "a"})
	if err != nil {
		a.t.Fatal(err)
	}
	obj, err := s.Sign(claims)
	if err != nil {
		a.t.Fatal(err)
	}
	text, err := obj.CompactSerialize()
	if err != nil {
		a.t.Fatal(err)
	}
	return text
}

// visit sends one request over TLS.
func (a *authority) visit(cert *tls.Certificate, method, url, token, body string) (*http.Response, string) {
	a.t.Helper()
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	conf := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	if cert != nil {
		conf.Certificates = []tls.Certificate{*cert}
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: conf, DisableKeepAlives: true, ForceAttemptHTTP2: true}, Timeout: 30 * time.Second}
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := client.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // read only
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	return resp, string(text)
}

// TestLogin: over TLS, a client that is refused is led to the issuer, and comes
// in with his token; a client certificate does as well, and must not
// contradict it.
func TestLogin(t *testing.T) {
	b, _ := pinged(t)
	a := newAuthority(t)
	a.server(b)
	b.env = append(b.env, "INTERLOCK_CONFIG="+b.file("interlock.yaml", `
tls: {cert: cert.pem, key: key.pem, client_ca: ca.pem}
auth:
  mode: jwt
  jwt: {issuer: "`+a.oidc.URL+`", audience: [interlock], claims: {tenant: org}, allow: ["*"]}
  tokens:
    - {name: bot, certificates: ["cn:bot"], allow: ["*"]}
    - {name: blind, certificates: ["cn:blind"], token: "file:`+b.file("blind", bobToken)+`"}
`))
	s := b.up()
	if !strings.HasPrefix(s.url, "https://") {
		t.Fatal(s.url)
	}
	resp, _ := a.visit(nil, http.MethodPost, s.url+"/mcp", "", initialize)
	at := s.url + "/.well-known/oauth-protected-resource/mcp"
	if got := resp.Header.Get("WWW-Authenticate"); resp.StatusCode != 401 || !strings.Contains(got, `resource_metadata="`+at+`"`) {
		t.Fatalf("%d %s", resp.StatusCode, got)
	}
	_, text := a.visit(nil, http.MethodGet, at, "", "")
	var meta struct {
		Resource string   `json:"resource"`
		Servers  []string `json:"authorization_servers"`
	}
	if err := json.Unmarshal([]byte(text), &meta); err != nil || meta.Resource != s.url+"/mcp" || len(meta.Servers) != 1 || meta.Servers[0] != a.oidc.URL {
		t.Fatalf("%v %s", err, text)
	}
	carol := a.token("carol", "interlock", time.Hour)
	if resp, text := a.visit(nil, http.MethodPost, s.url+"/mcp", carol, initialize); resp.StatusCode != 200 || resp.Header.Get("Mcp-Session-Id") == "" {
		t.Errorf("initialize: %d %s", resp.StatusCode, text)
	}
	for _, c := range []struct {
		name   string
		cert   *tls.Certificate
		token  string
		status int
		holds  string
	}{
		{"token", nil, carol, 200, "docs/ping"},
		{"certificate", a.client("bot"), "", 200, "docs/ping"},
		{"certificate of one who sees nothing", a.client("blind"), "", 200, "[]"},
		{"certificate of nobody", a.client("nobody"), "", 401, "unauthenticated"},
		{"certificate of nobody and a token", a.client("nobody"), carol, 200, "docs/ping"},
		{"certificate and another's token", a.client("bot"), carol, 400, "two principals"},
		{"certificate and his own token", a.client("blind"), bobToken, 200, "[]"},
		{"certificate and a wrong token", a.client("bot"), "wrong", 401, "unauthenticated"},
		{"expired", nil, a.token("carol", "interlock", -time.Hour), 401, "has expired"},
		{"for another", nil, a.token("carol", "mail", time.Hour), 401, "another audience"},
		{"the operator's name", nil, a.token("local", "interlock", time.Hour), 401, "another principal"},
		{"too long", nil, a.token(strings.Repeat("x", 20<<10), "interlock", time.Hour), 401, "too long"},
		{"nothing", nil, "", 401, "unauthenticated"},
	} {
		resp, text := a.visit(c.cert, http.MethodGet, s.url+"/v1/tools", c.token, "")
		if resp.StatusCode != c.status || !strings.Contains(text, c.holds) || c.status != 200 && strings.Contains(text, "docs/") {
			t.Errorf("%s: %d %s, expected %d with %s", c.name, resp.StatusCode, text, c.status, c.holds)
		}
	}
	if text := b.logged() + readAll(t, s.log); strings.Contains(text, carol[:60]) || strings.Contains(text, bobToken) {
		t.Error("a token stands in a log")
	}
}
