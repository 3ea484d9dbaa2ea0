// Package endpoint speaks to models behind HTTP addresses that the operator
// names: one that embeds texts (POST …/embeddings, as OpenAI's interface is
// commonly served) and one that orders texts by their relevance to a request
// (POST …/rerank, as Cohere, Jina, vLLM and others serve it).
//
// It promises that nobody waits longer than his context allows; that an address
// which fails is left alone for a while instead of being waited for again and
// again; that an answer of the wrong number, length or order, or one that holds
// anything but finite numbers, is a failure and never half used; and that
// neither a key nor a text stands in an error or a log. It refuses redirects,
// proxies from the environment and answers without a bound.
//
//	e, err := endpoint.NewEmbedder(endpoint.Options{URL: "http://127.0.0.1:8080/v1", Model: "m", …})
//	vectors, err := e.Embed(ctx, texts)
package endpoint

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
)

// Options of an endpoint.
type Options struct {
	URL   string // base of the interface, or the whole address; required
	Model string // required
	// Dimensions is the length of vectors: asked for, and held against each
	// answer. 0 leaves it to the server; then the first answer says it.
	Dimensions int
	// Key refers to the bearer token; empty sends none.
	Key     string
	Secrets interlock.Secrets // reads Key; required with it
	// Timeout bounds one request; default 10 s.
	Timeout time.Duration
	// Batch is how many texts one request embeds at most; default 32.
	Batch int
	// Backoff is the wait before a request is sent again, doubled each time;
	// default 200 ms.
	Backoff time.Duration
	Clock   func() time.Time // required
	Logger  *slog.Logger     // required
}

const (
	maxBatch      = 512
	maxDimensions = 8192
	maxModel      = 100
	attempts      = 3
)

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Batch == 0 {
		o.Batch = 32
	}
	if o.Backoff <= 0 {
		o.Backoff = 200 * time.Millisecond
	}
	return o
}

// Check refuses options that can be seen to be wrong without asking anyone.
func (o Options) Check() error {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("url: an address begins with http:// or https://")
	case u.User != nil || u.Fragment != "":
		return errors.New("url: an address holds no user, password or fragment; the key has a key of its own")
	case o.Model == "" || len(o.Model) > maxModel || strings.ContainsFunc(o.Model, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Errorf("model: a name has 1 to %d printable ASCII characters without spaces", maxModel)
	case o.Dimensions < 0 || o.Dimensions > maxDimensions:
		return fmt.Errorf("dimensions: between 1 and %d, or left out", maxDimensions)
	case o.Batch < 0 || o.Batch > maxBatch:
		return fmt.Errorf("batch: between 1 and %d, or left out", maxBatch)
	case o.Timeout < 0:
		return errors.New("timeout: is not negative")
	case o.Key != "" && !interlock.IsReference(o.Key):
		return errors.New("key: is a reference such as env:NAME or file:PATH, never the key itself")
	}
	return nil
}

// link is the way to one address.
type link struct {
	opts    Options
	address string
	what    string // for the log
	client  *http.Client
	circuit circuit
}

func newLink(o Options, path, what string) (*link, error) {
	o = o.withDefaults()
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if o.Logger == nil || o.Clock == nil || o.Key != "" && o.Secrets == nil {
		return nil, fmt.Errorf("%s: a logger, a clock and, with a key, secrets are required", what)
	}
	u, err := url.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if !strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), path) {
		u.Path = strings.TrimSuffix(u.Path, "/") + path
	}
	return &link{opts: o, address: u.String(), what: what, client: &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// name tells models, and addresses that serve one of the same name, apart
// without telling the address.
func (l *link) name() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d", l.address, l.opts.Dimensions))
	return l.opts.Model + "@" + hex.EncodeToString(sum[:4])
}

// post asks, again where that can help and there is time, and reads the answer.
// Read refuses an answer; that counts as a failure of the server.
func (l *link) post(ctx context.Context, body any, limit int64, read func(text []byte) error) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("%s: %w", l.what, err)
	}
	wait := l.opts.Backoff
	for attempt := 1; ; attempt++ {
		err := l.once(ctx, text, limit, read)
		var f *fault
		if err == nil || !errors.As(err, &f) || !f.again || attempt == attempts {
			return err
		}
		if end, bounded := ctx.Deadline(); bounded && end.Sub(l.opts.Clock()) < wait {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
		wait *= 2
	}
}

// fault is a request that failed. Its text says nothing of what was sent.
type fault struct {
	what   string
	again  bool          // the same request may succeed soon
	wrong  bool          // nothing will succeed until someone changes something
	rest   time.Duration // for which the server asks to be left alone
	itself bool          // it is the texts: the server is well
}

func (f *fault) Error() string { return f.what }

// Unwrap makes a refused text what every embedder calls it.
func (f *fault) Unwrap() error {
	if f.itself {
		return interlock.ErrText
	}
	return nil
}

// once asks once, through the circuit.
func (l *link) once(ctx context.Context, text []byte, limit int64, read func(text []byte) error) error {
	if !l.circuit.enter(l.opts.Clock()) {
		return &fault{what: l.what + ": left alone after it failed (" + strings.TrimPrefix(l.circuit.last(), l.what+": ") + ")"}
	}
	err := l.exchange(ctx, text, limit, read)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		l.circuit.forget() // whoever asked is gone; that says nothing of the server
		return err
	}
	l.report(l.circuit.leave(l.opts.Clock(), err), err)
	return err
}

// report tells the operator when an address goes and comes back.
func (l *link) report(turned turn, err error) {
	switch turned {
	case opened:
		l.opts.Logger.Warn(l.what+" does not serve; it is done without meanwhile", "model", l.opts.Model, "err", err)
	case closed:
		l.opts.Logger.Info(l.what+" serves again", "model", l.opts.Model)
	case unturned:
	}
}

func (l *link) exchange(ctx context.Context, text []byte, limit int64, read func(text []byte) error) error {
	ctx, stop := context.WithTimeout(ctx, l.opts.Timeout)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.address, bytes.NewReader(text))
	if err != nil {
		return &fault{what: l.what + ": the address cannot be asked", wrong: true}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "interlock")
	if l.opts.Key != "" {
		key, err := l.opts.Secrets.Secret(l.opts.Key)
		if err != nil {
			return &fault{what: fmt.Sprintf("%s: the key %s cannot be read", l.what, l.opts.Key), wrong: true}
		}
		req.Header.Set("Authorization", "Bearer "+key.Reveal())
	}
	res, err := l.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return &fault{what: l.what + ": no answer in time"}
		}
		return &fault{what: l.what + ": no connection", again: true} // the error holds the address
	}
	defer res.Body.Close() //nolint:errcheck // read below as far as it is wanted
	if res.StatusCode != http.StatusOK {
		_, _ = io.CopyN(io.Discard, res.Body, 16<<10) // so that the connection can be used again
		return l.refused(res)
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	switch {
	case err != nil:
		return &fault{what: l.what + ": the answer broke off", again: true}
	case int64(len(answer)) > limit:
		return &fault{what: fmt.Sprintf("%s: the answer has over %d bytes", l.what, limit)}
	}
	if err := read(answer); err != nil {
		return &fault{what: fmt.Sprintf("%s: %v", l.what, err)}
	}
	return nil
}

// refused reads a status that is not 200. What the server writes beside it may
// repeat what was sent, so nothing of it is kept.
func (l *link) refused(res *http.Response) error {
	f := &fault{what: fmt.Sprintf("%s: HTTP %d", l.what, res.StatusCode)}
	switch res.StatusCode {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		f.itself = true
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		if s, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && s > 0 {
			f.rest = time.Duration(min(s, 60)) * time.Second
			return f
		}
		f.again = true
	case http.StatusRequestTimeout, http.StatusInternalServerError, http.StatusBadGateway, http.StatusGatewayTimeout:
		f.again = true
	default:
		f.wrong = true
	}
	return f
}

// Close ends connections that are not in use.
func (l *link) Close() { l.client.CloseIdleConnections() }
