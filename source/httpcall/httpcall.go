// Package httpcall sends one HTTP call that a [Binding] describes and reads
// its answer.
//
// It promises that arguments reach the request as the caller spelled them
// (9223372036854775807, 1e400, -0 and 1.10 in a path, a query, a header or a
// body alike); that the path sent is the path of the binding, whatever the
// arguments hold; that a call which may change the world is sent at most once;
// that every failure is an *interlock.Error with its outcome; and that no
// credential appears in a binding, an error or a log.
//
// It refuses to follow redirects, keep cookies, use a proxy from the
// environment, set a protected header from an argument, connect to an address
// that is not public unless the operator wrote that address himself, and send
// a credential unencrypted to an address that only a document names.
//
//	client, err := httpcall.New(httpcall.Options{Secrets: secrets})
//	reply, err := client.Call(ctx, outbound)
package httpcall

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
)

// Options of a client. The zero value sends without credentials.
type Options struct {
	// Headers are sent with each request. A value that begins with "env:" or
	// "file:" is a reference, read at each send.
	Headers map[string]string
	// Credentials gives a reference for each security scheme, by its name.
	Credentials map[string]string
	// Secrets reads references; nil reads none.
	Secrets interlock.Secrets
	// Backoff is the mean wait before the first retry of a read, doubled for
	// the second; default 200 ms.
	Backoff time.Duration
	// Random gives numbers in [0,1) that spread retries; default math/rand.
	Random func() float64
	// UserAgent names us to the server; default "interlock".
	UserAgent string
}

func (o Options) withDefaults() Options {
	if o.Backoff <= 0 {
		o.Backoff = 200 * time.Millisecond
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	if o.UserAgent == "" {
		o.UserAgent = "interlock"
	}
	return o
}

func (o Options) validate() error {
	for name, value := range o.Headers {
		if !isToken(name) || listed(connectionOwn, strings.ToLower(name)) {
			return fmt.Errorf("header %q cannot be set; leave it to the connection", name)
		}
		if !interlock.IsReference(value) && !headerSafe(value) {
			return fmt.Errorf("the value of header %q holds a control character", name)
		}
		if interlock.IsReference(value) && o.Secrets == nil {
			return fmt.Errorf("header %q is a reference and there is nothing to read references with", name)
		}
	}
	if len(o.Credentials) > 0 && o.Secrets == nil {
		return fmt.Errorf("credentials are references and there is nothing to read references with")
	}
	return nil
}

// Client sends the calls of one source over connections of its own. It is
// safe for concurrent use.
type Client struct {
	opts    Options
	trusted *http.Client // where the operator wrote the address
	guarded *http.Client // where a document did
	once    *http.Client // trusted, no connection used twice: nothing is sent again behind our back
	onceOut *http.Client // guarded, likewise
}

// New makes a client; it connects to nothing.
func New(opts Options) (*Client, error) {
	opts = opts.withDefaults()
	if err := opts.validate(); err != nil {
		return nil, fmt.Errorf("http client: %w", err)
	}
	return &Client{
		opts:    opts,
		trusted: newHTTPClient(false, true),
		guarded: newHTTPClient(true, true),
		once:    newHTTPClient(false, false),
		onceOut: newHTTPClient(true, false),
	}, nil
}

// Close ends the connections that are not in use.
func (c *Client) Close() error {
	for _, h := range []*http.Client{c.trusted, c.guarded, c.once, c.onceOut} {
		h.CloseIdleConnections()
	}
	return nil
}

// pick chooses the connections for one call.
func (c *Client) pick(trusted, reuse bool) *http.Client {
	switch {
	case trusted && reuse:
		return c.trusted
	case trusted:
		return c.once
	case reuse:
		return c.guarded
	}
	return c.onceOut
}
