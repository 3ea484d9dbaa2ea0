package auth_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

// signer is a certificate authority.
type signer struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newSigner(t testing.TB) signer {
	t.Helper()
	s := signer{key: newKey(t)}
	s.cert = &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ca"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	raw, err := x509.CreateCertificate(rand.Reader, s.cert, s.cert, s.key.Public(), s.key)
	if err != nil {
		t.Fatal(err)
	}
	if s.cert, err = x509.ParseCertificate(raw); err != nil {
		t.Fatal(err)
	}
	return s
}

// client makes a client certificate.
func (s signer) client(t testing.TB, cn string, more func(*x509.Certificate)) tls.Certificate {
	t.Helper()
	key := newKey(t)
	c := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: cn, Organization: []string{"Example"}},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}, NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(time.Minute)}
	if more != nil {
		more(c)
	}
	raw, err := x509.CreateCertificate(rand.Reader, c, s.cert, key.Public(), s.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}
}

// A certificate is a credential where TLS has verified it and the configuration
// knows its name; it is compared with the token of the same request.
func TestCertificates(t *testing.T) {
	later := time.Duration(0)
	guard, err := auth.New(auth.Config{Tokens: []auth.Token{
		{Name: "alice", Secret: interlock.Secret(sum(alice)), Certificates: []string{"cn:alice", "uri:spiffe://example/alice"}},
		{Name: "bob", Certificates: []string{"subject:CN=bob,O=Example", "dns:bob.example"}},
	}}, auth.Options{Clock: func() time.Time { return time.Now().Add(later) }})
	if err != nil {
		t.Fatal(err)
	}
	ca, stranger := newSigner(t), newSigner(t)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, err := guard.Authenticate(r)
		_, _ = fmt.Fprint(w, who.Name, "|", interlock.CodeOf(err))
	}))
	pool := x509.NewCertPool()
	pool.AddCert(ca.cert)
	srv.TLS = &tls.Config{ClientCAs: pool, ClientAuth: tls.VerifyClientCertIfGiven, MinVersion: tls.VersionTLS12}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	uri := func(text string) func(*x509.Certificate) {
		return func(c *x509.Certificate) {
			u, err := url.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			c.URIs = []*url.URL{u}
		}
	}
	for _, c := range []struct {
		name  string
		cert  *tls.Certificate
		token string
		later time.Duration
		want  string
	}{
		{"common name", one(ca.client(t, "alice", nil)), "", 0, "alice|"},
		{"uri", one(ca.client(t, "x", uri("spiffe://example/alice"))), "", 0, "alice|"},
		{"subject", one(ca.client(t, "bob", nil)), "", 0, "bob|"},
		{"dns", one(ca.client(t, "x", func(c *x509.Certificate) { c.DNSNames = []string{"other", "bob.example"} })), "", 0, "bob|"},
		{"case counts", one(ca.client(t, "Alice", nil)), "", 0, "|unauthenticated"},
		{"nobody's", one(ca.client(t, "carol", nil)), "", 0, "|unauthenticated"},
		{"nobody's and a token", one(ca.client(t, "carol", nil)), alice, 0, "alice|"},
		{"of two", one(ca.client(t, "bob", uri("spiffe://example/alice"))), "", 0, "|invalid"},
		{"and the same's token", one(ca.client(t, "alice", nil)), alice, 0, "alice|"},
		{"and another's token", one(ca.client(t, "bob", nil)), alice, 0, "|invalid"},
		{"and a bad token", one(ca.client(t, "alice", nil)), "wrong", 0, "|unauthenticated"},
		{"ended on the connection", one(ca.client(t, "alice", nil)), "", time.Hour, "|unauthenticated"},
		{"none", nil, "", 0, "|unauthenticated"},
		{"none and a token", nil, alice, 0, "alice|"},
	} {
		later = c.later
		if got, err := knock(srv, c.cert, c.token); err != nil || got != c.want {
			t.Errorf("%s: %q %v, expected %q", c.name, got, err, c.want)
		}
	}
	forged := stranger.client(t, "alice", nil)
	if got, err := knock(srv, &forged, ""); err == nil {
		t.Errorf("a certificate of another authority: %q", got)
	}
	unverified := request()
	leaf, err := x509.ParseCertificate(forged.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	unverified.TLS = &tls.ConnectionState{PeerCertificates: []*x509.Certificate{leaf}}
	if who, err := guard.Authenticate(unverified); err == nil {
		t.Errorf("a certificate that nobody verified: %q", who.Name)
	}
}

func one(c tls.Certificate) *tls.Certificate { return &c }

// knock asks who one is taken for.
func knock(srv *httptest.Server, cert *tls.Certificate, token string) (string, error) {
	conf := srv.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	if cert != nil {
		conf.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return cert, nil }
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: conf, DisableKeepAlives: true}}
	req, err := http.NewRequest(http.MethodGet, srv.URL, nil)
	if err != nil {
		return "", err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close() //nolint:errcheck // read only
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}
