package auth_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

// TestEveryAlgorithm: a token of each algorithm that can be asked for is taken
// where it is asked for, and of none where it is not, whoever holds the key.
func TestEveryAlgorithm(t *testing.T) {
	rsaKey := newRSA(t, "r", 2048).secret
	curve := func(c elliptic.Curve) crypto.Signer {
		k, err := ecdsa.GenerateKey(c, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	keys := []key{{jose.RS256, rsaKey, ""}, {jose.RS384, rsaKey, ""}, {jose.RS512, rsaKey, ""}, {jose.PS256, rsaKey, ""}, {jose.PS384, rsaKey, ""}, {jose.PS512, rsaKey, ""},
		{jose.ES256, curve(elliptic.P256()), ""}, {jose.ES384, curve(elliptic.P384()), ""}, {jose.ES512, curve(elliptic.P521()), ""}, {jose.EdDSA, newEd(t, "").secret, ""}}
	for i := range keys {
		keys[i].id = "k-" + string(keys[i].alg)
	}
	is := newIssuer(t, keys...)
	for _, k := range keys {
		a := believes(t, auth.JWT{Issuer: is.URL, Algorithms: []string{string(k.alg)}}, &watch{noon}, nil)
		for _, other := range keys {
			who, err := a.Authenticate(request("Bearer " + other.sign(t, is.claims(), nil)))
			if (err == nil) != (other.alg == k.alg) || err == nil && who.Name != "carol" {
				t.Errorf("%s where %s is asked for: %q %v", other.alg, k.alg, who.Name, err)
			}
		}
	}
}

// TestPrivateAuthority: an issuer behind a private authority is asked where its
// certificate is named, and where another is, it is not.
func TestPrivateAuthority(t *testing.T) {
	k := newEd(t, "k")
	is := newIssuer(t, k)
	secure := httptest.NewTLSServer(is.Config.Handler)
	defer secure.Close()
	is.URL = secure.URL
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	token := "Bearer " + k.sign(t, is.claims(), nil)
	if _, err := believes(t, auth.JWT{Issuer: secure.URL, CA: file}, &watch{noon}, nil).Authenticate(request(token)); err != nil {
		t.Errorf("with its authority: %v", err)
	}
	var log bytes.Buffer
	_, err := believes(t, auth.JWT{Issuer: secure.URL}, &watch{noon}, &log).Authenticate(request(token))
	if auth.FaultOf(err) != auth.FaultKeys || !bytes.Contains(log.Bytes(), []byte("certificate")) {
		t.Errorf("with the system's authorities: %v, %s", err, log.String())
	}
	for _, bad := range []string{filepath.Join(t.TempDir(), "none.pem"), os.Args[0]} {
		cfg := auth.JWT{Issuer: secure.URL, CA: bad, Audience: []string{"x"}}
		if _, err := auth.New(auth.Config{Mode: "jwt", JWT: &cfg}, auth.Options{Clock: time.Now}); interlock.ReasonOf(err) != interlock.ReasonConfigInvalid {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestFaults: what is on record of a refused credential is by which rule.
func TestFaults(t *testing.T) {
	k := newEd(t, "k1")
	is := newIssuer(t, k)
	a := believes(t, auth.JWT{Issuer: is.URL}, &watch{noon}, nil)
	for want, header := range map[auth.Fault][]string{
		auth.FaultMissing: nil, auth.FaultMalformed: {"Basic x"}, auth.FaultTwo: {"Bearer a", "Bearer b"}, auth.FaultTooLong: {"Bearer " + string(bytes.Repeat([]byte("x"), 1<<20))},
		auth.FaultUnknown:   {"Bearer nobody"},
		auth.FaultExpired:   {"Bearer " + k.sign(t, is.claims("exp", noon.Add(-time.Hour).Unix()), nil)},
		auth.FaultEarly:     {"Bearer " + k.sign(t, is.claims("nbf", noon.Add(time.Hour).Unix()), nil)},
		auth.FaultAudience:  {"Bearer " + k.sign(t, is.claims("aud", "x"), nil)},
		auth.FaultIssuer:    {"Bearer " + k.sign(t, is.claims("iss", "x"), nil)},
		auth.FaultSignature: {"Bearer " + newEd(t, "k1").sign(t, is.claims(), nil)},
		auth.FaultClaims:    {"Bearer " + k.sign(t, is.claims("sub", nil), nil)},
		auth.FaultName:      {"Bearer " + k.sign(t, is.claims("sub", "alice"), nil)},
	} {
		r := request("")
		r.Header["Authorization"] = header
		if _, err := a.Authenticate(r); auth.FaultOf(err) != want {
			t.Errorf("%s: %s (%v)", want, auth.FaultOf(err), err)
		}
	}
}
