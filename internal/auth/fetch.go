package auth

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
)

// loader gives what reads an issuer's key set: from a file, from an address, or
// from where the issuer's own OpenID configuration says.
func loader(cfg JWT) (func(ctx context.Context) ([]byte, error), error) {
	if cfg.JWKSURL != "" && cfg.JWKSFile != "" {
		return nil, errors.New("jwks_url and jwks_file: give one of them")
	}
	if cfg.Issuer == "" {
		return nil, errors.New("issuer is missing")
	}
	if cfg.JWKSFile != "" {
		return func(context.Context) ([]byte, error) { return readKeyFile(cfg.JWKSFile) }, nil
	}
	client, err := newClient(cfg.CA)
	if err != nil {
		return nil, err
	}
	if cfg.JWKSURL != "" {
		at, err := address("jwks_url", cfg.JWKSURL)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) ([]byte, error) { return fetch(ctx, client, at.String()) }, nil
	}
	issuer, err := address("issuer", cfg.Issuer)
	if err != nil {
		return nil, fmt.Errorf("%w; or give jwks_url or jwks_file", err)
	}
	return func(ctx context.Context) ([]byte, error) { return discover(ctx, client, cfg.Issuer, issuer) }, nil
}

// discover reads the key set that an issuer's OpenID configuration names. The
// configuration must be the issuer's own, and its keys at his origin.
func discover(ctx context.Context, client *http.Client, issuer string, at *url.URL) ([]byte, error) {
	text, err := fetch(ctx, client, strings.TrimSuffix(at.String(), "/")+"/.well-known/openid-configuration")
	if err != nil {
		return nil, err
	}
	var doc struct {
		Issuer  string `json:"issuer"`
		JWKSURI string `json:"jwks_uri"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("the issuer's configuration: %w", err)
	}
	if doc.Issuer != issuer {
		return nil, fmt.Errorf("the issuer's configuration is of %.200q", doc.Issuer)
	}
	keys, err := address("jwks_uri", doc.JWKSURI)
	if err != nil {
		return nil, fmt.Errorf("the issuer's configuration: %w", err)
	}
	if keys.Scheme != at.Scheme || !strings.EqualFold(keys.Host, at.Host) {
		return nil, fmt.Errorf("the issuer's keys are at another origin, %s://%s; where that is meant, set auth.jwt.jwks_url", keys.Scheme, keys.Host)
	}
	return fetch(ctx, client, keys.String())
}

// address reads an address that is fetched from: https, or http on this
// machine, and nothing in it that has no business there.
func address(key, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || u.Opaque != "" || u.RawQuery != "" && !strings.HasPrefix(key, "jwks"):
		return nil, fmt.Errorf("%s: %q is no address such as https://login.example.com", key, text)
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return nil, fmt.Errorf("%s: %q is not https, and not on this machine", key, text)
	}
	return u, nil
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// newClient goes to the address it is given and nowhere else: no proxy, no
// redirect. Where a file of certificates is named, those alone vouch for it.
func newClient(ca string) (*http.Client, error) {
	secure := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		text, err := readKeyFile(ca)
		if err != nil {
			return nil, fmt.Errorf("ca: %w", err)
		}
		if secure.RootCAs = x509.NewCertPool(); !secure.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("ca: %s holds no certificate (PEM)", ca)
		}
	}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DisableKeepAlives: true, TLSHandshakeTimeout: keysTime, ResponseHeaderTimeout: keysTime,
			MaxResponseHeaderBytes: 64 << 10, TLSClientConfig: secure, ForceAttemptHTTP2: true,
		},
	}, nil
}

// fetch reads a bounded answer.
func fetch(ctx context.Context, client *http.Client, from string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json, application/jwk-set+json")
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }() // only read
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s", from, resp.Status)
	}
	return readAll(resp.Body)
}

func readKeyFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return readAll(f)
}

func readAll(in io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxKeySet+1))
	if err == nil && len(text) > maxKeySet {
		return nil, fmt.Errorf("over %d bytes", maxKeySet)
	}
	return text, err
}
