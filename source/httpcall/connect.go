package httpcall

import (
	"errors"
	"net"
	"net/http"
	"time"

	"code.dny.dev/ssrf"
)

// newHTTPClient makes a client that follows nothing and remembers nothing.
// Guarded, it judges each address after it is resolved, so neither a name that
// resolves anew nor an odd spelling of an address leads inside.
func newHTTPClient(guarded, reuse bool) *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	if guarded {
		dialer.Control = ssrf.New(ssrf.WithAnyPort()).Safe
	}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            dialer.DialContext,
			ForceAttemptHTTP2:      true,
			DisableCompression:     true,
			DisableKeepAlives:      !reuse,
			MaxIdleConns:           128,
			MaxIdleConnsPerHost:    64,
			IdleConnTimeout:        30 * time.Second,
			TLSHandshakeTimeout:    10 * time.Second,
			MaxResponseHeaderBytes: 256 << 10,
		},
	}
}

// forbiddenAddress reports whether the guard stopped a connection.
func forbiddenAddress(err error) bool {
	return errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedNetwork) || errors.Is(err, ssrf.ErrInvalidHostPort)
}
