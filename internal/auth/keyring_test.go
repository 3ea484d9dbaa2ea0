package auth_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

// TestKeysTurn: a new key is found by its kid, an old one is believed no more,
// and tokens that name keys which are not there do not make many readings.
func TestKeysTurn(t *testing.T) {
	first, second, ghost := newEC(t, "k1"), newEC(t, "k2"), newEC(t, "k9")
	is := newIssuer(t, first)
	w := &watch{noon}
	a := believes(t, auth.JWT{Issuer: is.URL, JWKSURL: is.URL + "/keys"}, w, nil)
	asks := func(k key) bool {
		_, err := a.Authenticate(request("Bearer " + k.sign(t, is.claims(), nil)))
		return err == nil
	}
	step := func(name string, got, want bool, fetched int64) {
		t.Helper()
		if got != want || is.fetched.Load() != fetched {
			t.Errorf("%s: %t after %d readings, expected %t after %d", name, got, is.fetched.Load(), want, fetched)
		}
	}
	step("nothing is fetched before a token", false, false, 0)
	step("first", asks(first), true, 1)
	is.publish(first, second)
	for range 50 {
		asks(ghost)
	}
	step("kids that are not there, inside the pause", asks(second), false, 1)
	w.now = w.now.Add(10 * time.Second)
	step("second", asks(second), true, 2)
	step("first still", asks(first), true, 2)
	is.publish(second)
	w.now = w.now.Add(5*time.Minute + time.Second)
	step("withdrawn", asks(first), false, 3)
	step("second again", asks(second), true, 3)
}

// TestIssuerDown: without the issuer the last keys serve until they expire, and
// then nobody comes in; with him, again everybody.
func TestIssuerDown(t *testing.T) {
	k := newEd(t, "k1")
	for name, broken := range map[string]func(w http.ResponseWriter){
		"error":    func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) },
		"no JSON":  func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>")) },
		"no keys":  func(w http.ResponseWriter) { _, _ = w.Write([]byte(`{"keys":[{"kty":"oct","k":"AAAA","kid":"k1"}]}`)) },
		"too much": func(w http.ResponseWriter) { _, _ = w.Write(bytes.Repeat([]byte(" "), 1<<20+1)) },
		"redirect": func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(http.StatusFound)
		},
	} {
		is := newIssuer(t, k)
		w := &watch{noon}
		var log bytes.Buffer
		a := believes(t, auth.JWT{Issuer: is.URL, JWKSURL: is.URL + "/keys", KeysExpire: "30m"}, w, &log)
		is.breaks(broken)
		asks := func() error {
			_, err := a.Authenticate(request("Bearer " + k.sign(t, is.claims("exp", noon.Add(24*time.Hour).Unix()), nil)))
			return err
		}
		if err := asks(); interlock.CodeOf(err) != interlock.CodeUnavailable || auth.FaultOf(err) != auth.FaultKeys {
			t.Errorf("%s: without any keys: %v", name, err)
		}
		is.breaks(nil)
		w.now = w.now.Add(time.Minute)
		if err := asks(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		is.breaks(broken)
		for _, c := range []struct {
			after time.Duration
			in    bool
		}{{6 * time.Minute, true}, {30 * time.Minute, true}, {30*time.Minute + time.Second, false}, {time.Hour, false}} {
			w.now = noon.Add(time.Minute + c.after)
			if err := asks(); (err == nil) != c.in || err != nil && auth.FaultOf(err) != auth.FaultKeys {
				t.Errorf("%s: %s later: %v", name, c.after, err)
			}
		}
		if !strings.Contains(log.String(), "cannot be read") {
			t.Errorf("%s: the operator is not told: %s", name, log.String())
		}
		is.breaks(nil)
		w.now = w.now.Add(time.Minute)
		if err := asks(); err != nil {
			t.Errorf("%s: the issuer is back: %v", name, err)
		}
	}
}

// TestKeysExpireEarly: keys serve no longer than is said, shorter than they stay
// fresh included, and are read again before they are given up.
func TestKeysExpireEarly(t *testing.T) {
	k := newEd(t, "k1")
	is := newIssuer(t, k)
	w := &watch{noon}
	a := believes(t, auth.JWT{Issuer: is.URL, JWKSURL: is.URL + "/keys", KeysExpire: "20s"}, w, nil)
	token := k.sign(t, is.claims("exp", noon.Add(time.Hour).Unix()), nil)
	for _, c := range []struct {
		after time.Duration
		down  bool
		in    bool
	}{{0, false, true}, {20 * time.Second, true, true}, {21 * time.Second, true, false}, {40 * time.Second, false, true}, {60 * time.Second, true, true}, {61 * time.Second, true, false}} {
		w.now = noon.Add(c.after)
		is.breaks(nil)
		if c.down {
			is.breaks(func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) })
		}
		if _, err := a.Authenticate(request("Bearer " + token)); (err == nil) != c.in || err != nil && auth.FaultOf(err) != auth.FaultKeys {
			t.Errorf("after %s, down %t: %v", c.after, c.down, err)
		}
	}
}

// TestOneReading: many callers at once make one reading.
func TestOneReading(t *testing.T) {
	k := newEd(t, "k1")
	is := newIssuer(t, k)
	a := believes(t, auth.JWT{Issuer: is.URL}, &watch{noon}, nil)
	token := k.sign(t, is.claims(), nil)
	var wg sync.WaitGroup
	var failed atomic.Int64
	for range 50 {
		wg.Go(func() {
			if _, err := a.Authenticate(request("Bearer " + token)); err != nil {
				failed.Add(1)
			}
		})
	}
	wg.Wait()
	if failed.Load() != 0 || is.fetched.Load() != 1 {
		t.Errorf("%d of 50 failed, %d readings", failed.Load(), is.fetched.Load())
	}
}

// TestDiscovery: the issuer's configuration must be his own, with keys at his
// origin.
func TestDiscovery(t *testing.T) {
	k := newEd(t, "k1")
	other := newIssuer(t, k)
	for _, c := range []struct {
		name string
		doc  func(url string) map[string]any
		in   bool
	}{
		{"his own", func(u string) map[string]any { return map[string]any{"issuer": u, "jwks_uri": u + "/keys?v=1"} }, true},
		{"another's", func(u string) map[string]any { return map[string]any{"issuer": other.URL, "jwks_uri": u + "/keys"} }, false},
		{"keys elsewhere", func(u string) map[string]any { return map[string]any{"issuer": u, "jwks_uri": other.URL + "/keys"} }, false},
		{"keys in a file", func(u string) map[string]any { return map[string]any{"issuer": u, "jwks_uri": "file:///etc/passwd"} }, false},
		{"no keys", func(u string) map[string]any { return map[string]any{"issuer": u} }, false},
	} {
		is := newIssuer(t, k)
		is.doc = c.doc
		a := believes(t, auth.JWT{Issuer: is.URL}, &watch{noon}, nil)
		if _, err := a.Authenticate(request("Bearer " + k.sign(t, is.claims(), nil))); (err == nil) != c.in {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if n := other.fetched.Load(); n != 0 {
		t.Errorf("an address that is not the issuer's was fetched %d times", n)
	}
}

// TestKeyFile reads keys from a file, and leaves out those that are weak,
// private, shared or for another use.
func TestKeyFile(t *testing.T) {
	good, weak, private := newEC(t, "good"), newRSA(t, "weak", 1024), newEC(t, "private")
	enc := good.public()
	enc.KeyID, enc.Use = "enc", "enc"
	path := filepath.Join(t.TempDir(), "keys.json")
	write := func(keys ...any) {
		text, err := json.Marshal(map[string]any{"keys": keys})
		if err == nil {
			err = os.WriteFile(path, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write(good.public(), weak.public(), jose.JSONWebKey{Key: private.secret, KeyID: "private", Algorithm: "ES256"}, enc,
		map[string]any{"kty": "oct", "kid": "shared", "k": b64("secret")}, map[string]any{"kty": "unheard-of"})
	is := newIssuer(t) // of the name alone
	cfg := auth.JWT{Issuer: "urn:example:issuer", JWKSFile: path, Audience: []string{"interlock"}}
	a := believes(t, cfg, &watch{noon}, nil)
	for _, c := range []struct {
		k  key
		in bool
	}{{good, true}, {weak, false}, {private, false}, {key{jose.ES256, good.secret, "enc"}, false}, {newEC(t, "new"), false}} {
		_, err := a.Authenticate(request("Bearer " + c.k.sign(t, is.claims("iss", "urn:example:issuer"), nil)))
		if (err == nil) != c.in {
			t.Errorf("%s: %v", c.k.id, err)
		}
	}
	write(weak.public())
	if _, err := auth.New(auth.Config{Mode: "jwt", JWT: &cfg}, auth.Options{Clock: time.Now}); err == nil || !strings.Contains(err.Error(), "no public key") {
		t.Errorf("a file without a key that can be used: %v", err)
	}
}
