package auth_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

// b64 writes a part of a token.
func b64(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// hs256 signs with a shared secret, which for key confusion is a public key.
func hs256(header, payload string, secret []byte) string {
	text := b64(header) + "." + b64(payload)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// TestTokens: a token is believed when everything about it holds, and each
// thing that does not is refused for itself.
func TestTokens(t *testing.T) {
	rs, ec, ed, stranger := newRSA(t, "r1", 2048), newEC(t, "e1"), newEd(t, "d1"), newRSA(t, "r1", 2048)
	is := newIssuer(t, rs, ec, ed)
	w := &watch{noon}
	a := believes(t, auth.JWT{Issuer: is.URL}, w, nil)
	der, err := x509.MarshalPKIXPublicKey(rs.secret.Public())
	if err != nil {
		t.Fatal(err)
	}
	pub := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	good := rs.sign(t, is.claims(), nil)
	parts := strings.Split(good, ".")
	ps := key{jose.PS256, rs.secret, "r1"}
	at := func(d time.Duration) int64 { return noon.Add(d).Unix() }
	for _, c := range []struct{ name, token, says string }{
		{"RS256", good, ""},
		{"ES256", ec.sign(t, is.claims(), nil), ""},
		{"EdDSA", ed.sign(t, is.claims(), nil), ""},
		{"a list of audiences", rs.sign(t, is.claims("aud", []string{"x", "https://tools.example/mcp"}), nil), ""},
		{"access token type", rs.sign(t, is.claims(), map[jose.HeaderKey]any{"typ": "at+jwt"}), ""},
		{"no kid, one key of the kind", key{jose.ES256, ec.secret, ""}.sign(t, is.claims(), nil), ""},
		{"expired inside the leeway", rs.sign(t, is.claims("exp", at(-29*time.Second)), nil), ""},
		{"early inside the leeway", rs.sign(t, is.claims("nbf", at(29*time.Second)), nil), ""},
		{"expired", rs.sign(t, is.claims("exp", at(-31*time.Second)), nil), "has expired"},
		{"no end", rs.sign(t, is.claims("exp", nil), nil), "no end"},
		{"an end that is no number", rs.sign(t, is.claims("exp", "never"), nil), "cannot be read"},
		{"not yet", rs.sign(t, is.claims("nbf", at(31*time.Second)), nil), "not valid yet"},
		{"issued later", rs.sign(t, is.claims("iat", at(time.Minute)), nil), "in the future"},
		{"wrong audience", rs.sign(t, is.claims("aud", "another"), nil), "another audience"},
		{"no audience", rs.sign(t, is.claims("aud", nil), nil), "another audience"},
		{"wrong issuer", rs.sign(t, is.claims("iss", is.URL+"/"), nil), "another issuer"},
		{"no issuer", rs.sign(t, is.claims("iss", nil), nil), "another issuer"},
		{"no subject", rs.sign(t, is.claims("sub", nil), nil), "do not give a principal"},
		{"a subject that is a list", rs.sign(t, is.claims("sub", []string{"a"}), nil), "cannot be read"},
		{"a subject with a line break", rs.sign(t, is.claims("sub", "a\nb"), nil), "do not give a principal"},
		{"the operator", rs.sign(t, is.claims("sub", "local"), nil), "another principal"},
		{"a configured name", rs.sign(t, is.claims("sub", "alice"), nil), "another principal"},
		{"claims twice", rs.sign(t, `{"sub":"alice",`+is.claims()[1:], nil), "cannot be read"},
		{"no JSON", rs.sign(t, "hello", nil), "cannot be read"},
		{"another's key of that kid", stranger.sign(t, is.claims(), nil), "signature does not hold"},
		{"unknown kid", key{jose.RS256, rs.secret, "r2"}.sign(t, is.claims(), nil), "not signed by a key"},
		{"an algorithm that is not taken", ps.sign(t, is.claims(), nil), "algorithm that is taken"},
		{"another key's kid", key{jose.RS256, rs.secret, "e1"}.sign(t, is.claims(), nil), "not signed by a key"},
		{"another type", rs.sign(t, is.claims(), map[jose.HeaderKey]any{"typ": "logout+jwt"}), "another type"},
		{"a condition nobody knows", rs.sign(t, is.claims(), map[jose.HeaderKey]any{"crit": []string{"x"}, "x": 1}), "does not hold"},
		{"none", b64(`{"alg":"none"}`) + "." + parts[1] + ".", "algorithm that is taken"},
		{"None", b64(`{"alg":"None","kid":"r1"}`) + "." + parts[1] + "." + parts[2], "algorithm that is taken"},
		{"none with a signature", b64(`{"alg":"none","kid":"r1"}`) + "." + parts[1] + "." + parts[2], "algorithm that is taken"},
		{"confused: HS256 by the PEM", hs256(`{"alg":"HS256","kid":"r1"}`, is.claims(), pub), "algorithm that is taken"},
		{"confused: RS256 said, HS256 made", hs256(`{"alg":"RS256","kid":"r1"}`, is.claims(), pub), "does not hold"},
		{"its own key inside", stranger.sign(t, is.claims(), map[jose.HeaderKey]any{"jwk": stranger.public()}), "signature does not hold"},
		{"changed", parts[0] + "." + b64(is.claims("sub", "dave")) + "." + parts[2], "does not hold"},
		{"no signature", parts[0] + "." + parts[1] + ".", "does not hold"},
		{"two parts", parts[0] + "." + parts[1], "not known"},
		{"four parts", good + ".x", "not known"},
		{"the whole in JSON", `{"payload":"` + parts[1] + `"}`, "not known"},
		{"a megabyte of claims", rs.sign(t, is.claims("sub", strings.Repeat("x", 1<<20)), nil), "too long"},
		{"a long name", rs.sign(t, is.claims("sub", strings.Repeat("x", 257)), nil), "do not give a principal"},
		{"a long kid", key{jose.RS256, rs.secret, strings.Repeat("k", 300)}.sign(t, is.claims(), nil), "not signed by a key"},
	} {
		who, err := a.Authenticate(request("Bearer " + c.token))
		if c.says == "" {
			if who.Until.Before(noon) || who.Until.After(noon.Add(48*time.Hour)) {
				t.Errorf("%s: good until %s", c.name, who.Until)
			}
			who.Until = time.Time{}
			if diff := cmp.Diff(interlock.Principal{Name: "carol"}, who); err != nil || diff != "" {
				t.Errorf("%s: %v %s", c.name, err, diff)
			}
			continue
		}
		if err == nil || who.Name != "" || interlock.CodeOf(err) != interlock.CodeUnauthenticated || !strings.Contains(interlock.AsError(err).Public, c.says) {
			t.Errorf("%s: %q %v, expected %q", c.name, who.Name, err, c.says)
		}
		if err != nil && len(c.token) > 40 && strings.Contains(err.Error(), c.token[:40]) {
			t.Errorf("%s: the error repeats the token", c.name)
		}
	}
	if who, err := a.Authenticate(request("Bearer " + alice)); err != nil || who.Name != "alice" {
		t.Errorf("a configured token beside: %q %v", who.Name, err)
	}
	if _, err := a.Authenticate(request("Bearer "+alice, "Bearer "+good)); interlock.CodeOf(err) != interlock.CodeInvalid {
		t.Errorf("a configured token and one of the issuer: %v", err)
	}
}

// TestEveryByteCounts: no change of a token gives another principal.
func TestEveryByteCounts(t *testing.T) {
	ed := newEd(t, "d1")
	is := newIssuer(t, ed)
	a := believes(t, auth.JWT{Issuer: is.URL}, &watch{noon}, nil)
	good := ed.sign(t, is.claims(), nil)
	if _, err := a.Authenticate(request("Bearer " + good)); err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := []byte(good)
		if bad[i]++; bad[i] == good[i]|0x80 {
			continue
		}
		if who, err := a.Authenticate(request("Bearer " + string(bad))); err == nil && !alike(string(bad), good) {
			t.Errorf("byte %d: taken for %q", i, who.Name)
		}
	}
}

func TestJWTConfigIsRefused(t *testing.T) {
	ok := auth.JWT{Issuer: "https://login.example.com", Audience: []string{"interlock"}}
	with := func(change func(*auth.JWT)) auth.JWT {
		c := ok
		change(&c)
		return c
	}
	if _, err := auth.New(auth.Config{Mode: "jwt", JWT: &ok}, auth.Options{Clock: time.Now}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says string
		cfg  auth.JWT
	}{
		{"issuer is missing", with(func(c *auth.JWT) { c.Issuer = "" })},
		{"not https", with(func(c *auth.JWT) { c.Issuer = "http://login.example.com" })},
		{"is no address", with(func(c *auth.JWT) { c.Issuer = "https://user:pw@login.example.com" })},
		{"is no address", with(func(c *auth.JWT) { c.Issuer = "login" })},
		{"audience is missing", with(func(c *auth.JWT) { c.Audience = nil })},
		{"audience is missing", with(func(c *auth.JWT) { c.Audience = []string{""} })},
		{`"none" is none of`, with(func(c *auth.JWT) { c.Algorithms = []string{"none"} })},
		{`"HS256" is none of`, with(func(c *auth.JWT) { c.Algorithms = []string{"RS256", "HS256"} })},
		{"leeway", with(func(c *auth.JWT) { c.Leeway = "1h" })},
		{"keys_expire", with(func(c *auth.JWT) { c.KeysExpire = "soon" })},
		{"keys_expire", with(func(c *auth.JWT) { c.KeysExpire = "9s" })},
		{"give one of them", with(func(c *auth.JWT) { c.JWKSURL, c.JWKSFile = "https://x/keys", "keys.json" })},
		{"jwks_url", with(func(c *auth.JWT) { c.JWKSURL = "ftp://x/keys" })},
		{"jwks_file", with(func(c *auth.JWT) { c.JWKSFile = "/nowhere/at/all" })},
		{"resource", with(func(c *auth.JWT) { c.Resource = "http://tools.example.com" })},
		{"claims.attributes", with(func(c *auth.JWT) { c.Claims.Attributes = map[string]string{"a=b": "c"} })},
	} {
		a, err := auth.New(auth.Config{Mode: "jwt", JWT: &c.cfg}, auth.Options{Clock: time.Now})
		if a != nil || interlock.ReasonOf(err) != interlock.ReasonConfigInvalid || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, expected %q", c.cfg, err, c.says)
		}
	}
	if _, err := auth.New(auth.Config{Mode: "jwt", JWT: &ok}, auth.Options{}); err == nil {
		t.Error("mode jwt without a clock")
	}
}

// FuzzBearer: whatever stands in the header, only the two credentials that are
// known give a principal, and theirs.
func FuzzBearer(f *testing.F) {
	k := newEd(f, "k1")
	is := newIssuer(f, k)
	a := believes(f, auth.JWT{Issuer: is.URL}, &watch{noon}, nil)
	good := k.sign(f, is.claims(), nil)
	for _, s := range []string{"Bearer " + good, "bearer  " + alice, "Bearer", "Basic x", "Bearer " + b64(`{"alg":"none"}`) + ".e30.", "Bearer a.b.c", "Bearer {}", "Bearer " + good + ",x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		who, err := a.Authenticate(request(header))
		if err != nil {
			var e *interlock.Error
			if !errors.As(err, &e) || who.Name != "" || e.Code != interlock.CodeUnauthenticated {
				t.Errorf("%q: %+v %v", header, who, err)
			}
			return
		}
		_, token, _ := strings.Cut(strings.TrimSpace(header), " ")
		token = strings.TrimSpace(token)
		if token != alice && !alike(token, good) || who.Name != "alice" && who.Name != "carol" {
			t.Errorf("%q is taken for %q", header, who.Name)
		}
	})
}

// alike reports whether two tokens say the same bytes: the last letter of a part
// holds bits that mean nothing.
func alike(a, b string) bool {
	left, right := strings.Split(a, "."), strings.Split(b, ".")
	if len(left) != len(right) {
		return false
	}
	for i := range left {
		x, err := base64.RawURLEncoding.DecodeString(left[i])
		y, err2 := base64.RawURLEncoding.DecodeString(right[i])
		if err != nil || err2 != nil || !bytes.Equal(x, y) {
			return false
		}
	}
	return true
}

// BenchmarkTokens: what one token costs.
func BenchmarkTokens(b *testing.B) {
	for _, k := range []key{newRSA(b, "r", 2048), newEC(b, "e"), newEd(b, "d")} {
		is := newIssuer(b, k)
		a := believes(b, auth.JWT{Issuer: is.URL}, &watch{noon}, nil)
		r := request("Bearer " + k.sign(b, is.claims(), nil))
		b.Run(fmt.Sprint(k.alg), func(b *testing.B) {
			for b.Loop() {
				if _, err := a.Authenticate(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
