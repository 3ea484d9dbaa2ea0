package mcp

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// web is a link over streamable HTTP. Every exchange is a POST of its own, so
// exchanges share nothing but pooled connections.
type web struct {
	url     string
	client  *http.Client
	headers headers
	fixed   http.Header // what every request carries
	session string      // the server's session id; empty where it gives none
	modern  bool
	changed func() // nil: nobody wants to know
	log     *slog.Logger

	sdk     *sdk.ClientSession // holds the session open; ends it at close
	ids     atomic.Int64
	ctx     context.Context // the life of the link
	cancel  context.CancelFunc
	hush    context.CancelFunc // ends the listener; nil where there is none
	buffers sync.Pool          // *bufio.Reader

	gone    atomic.Bool   // no new exchanges: the server ended the session, or retire was called
	flying  atomic.Int64  // what uses the link, and one for the link until it retires; 0 is final
	landed  chan struct{} // closed when flying is 0
	landing sync.Once
	closing sync.Once
}

func (w *web) alive() bool { return !w.gone.Load() && w.ctx.Err() == nil }

func (w *web) why() error { return errEnded }

// take keeps the link open until land; it fails once the link has ended.
func (w *web) take() bool {
	for {
		n := w.flying.Load()
		if n == 0 {
			return false
		}
		if w.flying.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (w *web) land() {
	if w.flying.Add(-1) == 0 {
		close(w.landed)
	}
}

// retire waits for what is under way, then ends the session.
func (w *web) retire() {
	w.gone.Store(true)
	if w.hush != nil {
		w.hush()
	}
	w.landing.Do(w.land)
	<-w.landed
	w.finish()
}

func (w *web) close() {
	w.cancel()
	w.retire()
}

func (w *web) finish() {
	w.closing.Do(func() {
		_ = w.sdk.Close() // the session's DELETE is a courtesy
		w.cancel()
	})
}

// spawn runs what needs the link in a goroutine of its own.
func (w *web) spawn(run func()) {
	if w.take() {
		go func() {
			defer w.land()
			run()
		}()
	}
}

// flight is one HTTP request under way. It ends with its caller's context or
// with the link, unless it is handed to a drain first.
type flight struct {
	ctx    context.Context
	cancel context.CancelFunc
	stop   func() bool // lets go of the caller's context
	sent   atomic.Bool // the request's head went out
	handed bool        // a drain ends it
}

func (w *web) launch(ctx context.Context) *flight {
	f := &flight{}
	f.ctx, f.cancel = context.WithCancel(w.ctx)
	f.ctx = httptrace.WithClientTrace(f.ctx, &httptrace.ClientTrace{WroteHeaders: func() { f.sent.Store(true) }})
	f.stop = context.AfterFunc(ctx, f.cancel)
	return f
}

func (f *flight) end() {
	if !f.handed {
		f.stop()
		f.cancel()
	}
}

func (w *web) exchange(ctx context.Context, req request) (answer, error) {
	if !w.take() {
		return answer{}, faultf(faultBroken, false, "the session has ended")
	}
	defer w.land()
	id := w.ids.Add(1)
	f := w.launch(ctx)
	defer f.end()
	ans, err := w.fly(f, id, req)
	if err == nil {
		return ans, nil
	}
	return answer{}, w.settle(ctx, f, id, asFault(err))
}

// settle tells a request that was given up from one that failed.
func (w *web) settle(ctx context.Context, f *flight, id int64, cause *fault) error {
	if cause.kind == faultExpired {
		w.gone.Store(true)
		return cause
	}
	if ctx.Err() == nil || cause.kind == faultTooLarge {
		return cause
	}
	if sent := f.sent.Load(); sent && !w.modern { // in the newer era closing the stream says it
		w.tell(cancellation(id, "the caller gave up"))
	}
	return &fault{kind: faultGivenUp, sent: f.sent.Load(), err: ctx.Err()}
}

// fly sends and reads.
func (w *web) fly(f *flight, id int64, req request) (answer, error) {
	resp, err := w.post(f, req.encode(id), &req)
	if err != nil {
		return answer{}, err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		defer resp.Body.Close()
		return w.refused(resp)
	}
	switch mediaType(resp.Header) {
	case "application/json":
		defer resp.Body.Close()
		raw, err := readBody(resp, req.limit)
		if err != nil {
			return answer{}, err
		}
		return answerTo(id, raw)
	case "text/event-stream":
		return w.stream(f, resp, id, req.limit)
	}
	resp.Body.Close()
	return answer{}, faultf(faultMalformed, true, "HTTP %d with content type %q", resp.StatusCode, resp.Header.Get("Content-Type"))
}

// post sends one message. req is nil for what is no request.
func (w *web) post(f *flight, body []byte, req *request) (*http.Response, error) {
	hr, err := http.NewRequestWithContext(f.ctx, http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		return nil, faultf(faultUnreachable, false, "post: %w", err)
	}
	if err := w.dress(hr.Header); err != nil {
		return nil, err
	}
	if w.modern && req != nil {
		hr.Header["Mcp-Method"] = []string{req.method}
		if req.tool != "" {
			hr.Header["Mcp-Name"] = []string{headerValue(req.tool)}
		}
		setMirrors(hr.Header, req.mirrors, req.args)
	}
	resp, err := w.client.Do(hr)
	if err != nil {
		kind := faultUnreachable
		if f.sent.Load() {
			kind = faultBroken
		}
		return nil, &fault{kind: kind, sent: f.sent.Load(), err: err}
	}
	return resp, nil
}

// dress sets the headers that every request of the session has.
func (w *web) dress(header http.Header) error {
	for name, values := range w.fixed {
		header[name] = values
	}
	return w.headers.set(header)
}

// tell sends a notice and waits for nothing.
func (w *web) tell(body []byte) {
	w.spawn(func() {
		ctx, cancel := context.WithTimeout(w.ctx, notifyTimeout)
		defer cancel()
		f := w.launch(ctx)
		defer f.end()
		resp, err := w.post(f, body, nil)
		if err != nil {
			w.log.Debug("a notice did not reach the server", "error", err)
			return
		}
		_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxErrorBody))
		_ = resp.Body.Close()
	})
}
