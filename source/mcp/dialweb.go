package mcp

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
)

// webDialer makes sessions over streamable HTTP. Its connections are pooled
// for as long as the source is open.
type webDialer struct {
	url     string
	headers headers
	client  *http.Client
	pool    *http.Transport
	opts    Options
	changed func() // nil: nobody wants to know
}

func newWebDialer(cfg interlock.SourceConfig, opts Options, changed func()) (*webDialer, error) {
	hdrs, err := newHeaders(cfg, opts.Secrets)
	if err != nil {
		return nil, err
	}
	pool := &http.Transport{
		Proxy:                 opts.Proxy,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          256,
		MaxIdleConnsPerHost:   128,
		IdleConnTimeout:       90 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
	return &webDialer{url: cfg.URL, headers: hdrs, pool: pool, opts: opts, changed: changed,
		client: &http.Client{Transport: pool, CheckRedirect: sameOrigin}}, nil
}

// sameOrigin follows a redirect only where it leads to the same scheme and
// host and repeats the request as it is.
func sameOrigin(next *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 3 || next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host || next.Method != first.Method {
		return http.ErrUseLastResponse
	}
	return nil
}

func (d *webDialer) endpoint() binding { return binding{Transport: "http", URL: d.url} }

func (d *webDialer) backoff() bool { return false }

func (d *webDialer) close() { d.pool.CloseIdleConnections() }

// dial makes a session: the SDK shakes hands and keeps the session's state.
func (d *webDialer) dial(ctx, life context.Context, revision string) (*session, error) {
	seen := &witness{next: d.pool, headers: d.headers}
	cs, err := newClient(d.opts, nil).Connect(ctx, &sdk.StreamableClientTransport{
		Endpoint:             d.url,
		HTTPClient:           &http.Client{Transport: seen, CheckRedirect: sameOrigin},
		MaxRetries:           -1,
		DisableStandaloneSSE: true, // the link listens itself, so that a broken stream costs no session
		MaxEventSize:         maxHandshake,
	}, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		return nil, seen.explain(ctx, err)
	}
	info := cs.InitializeResult()
	w := &web{url: d.url, client: d.client, headers: d.headers, session: cs.ID(), changed: d.changed, log: d.opts.Logger, sdk: cs,
		modern: info.ProtocolVersion >= modernRevision, landed: make(chan struct{})}
	w.ctx, w.cancel = context.WithCancel(life)
	w.ids.Store(firstID)
	w.flying.Store(1)
	w.fixed = http.Header{
		"Accept":               {"application/json, text/event-stream"},
		"Content-Type":         {"application/json"},
		"Mcp-Protocol-Version": {info.ProtocolVersion},
	}
	if w.session != "" {
		w.fixed["Mcp-Session-Id"] = []string{w.session}
	}
	sess := newSession(w, info, d.opts)
	if d.changed != nil && sess.tools && info.Capabilities.Tools.ListChanged {
		var hearing context.Context
		hearing, w.hush = context.WithCancel(w.ctx)
		w.spawn(func() { w.listen(hearing, sess) })
	}
	return sess, nil
}

// witness carries the requests of the handshake, adds the operator's headers,
// bounds the answers, and remembers why one failed, which the SDK's errors do
// not always tell.
type witness struct {
	next    http.RoundTripper
	headers headers

	mu     sync.Mutex // guards the rest
	err    error      // of the last request
	status int        // of its answer
}

func (w *witness) RoundTrip(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	err := w.headers.set(out.Header)
	var resp *http.Response
	if err == nil {
		resp, err = w.next.RoundTrip(out)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err, w.status = err, 0
	if err != nil {
		return nil, err
	}
	w.status = resp.StatusCode
	resp.Body = bounded{io.LimitReader(resp.Body, maxHandshake), resp.Body}
	return resp, nil
}

// bounded reads a part of what it closes.
type bounded struct {
	io.Reader
	io.Closer
}

// explain says why a handshake failed.
func (w *witness) explain(ctx context.Context, err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return faultf(faultGivenUp, false, "the server did not answer the handshake: %w", ctx.Err())
	case w.err != nil:
		f := asFault(w.err)
		if f.kind != faultCredential {
			f = &fault{kind: faultUnreachable, err: w.err}
		}
		return f
	case w.status >= 300:
		return statusFault(&http.Response{StatusCode: w.status}, false)
	}
	return faultf(faultHandshake, false, "the handshake failed: %w", err)
}
