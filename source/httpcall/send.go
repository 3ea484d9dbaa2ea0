package httpcall

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/seed-ae386458/interlock"
)

// retries is how often a read is sent again at most.
const retries = 2

// Call sends a call and reads its answer. A read is sent up to three times
// where the connection failed before an answer or the server says that it is
// busy; anything else is sent once.
func (c *Client) Call(ctx context.Context, call interlock.Outbound) (interlock.Reply, error) {
	m, err := compose(call.Binding, call.Args)
	if err != nil {
		return interlock.Reply{}, err
	}
	m.bare = call.Anonymous
	timeout := call.Timeout
	if timeout <= 0 {
		timeout = interlock.DefaultTimeout
	}
	limit := call.MaxResult
	if limit <= 0 {
		limit = interlock.DefaultMaxResult
	}
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	try := &attempt{client: c, message: m, read: call.Effect == interlock.EffectRead, limit: limit, caller: ctx, told: call.Dispatched}
	var before error // of the attempt before
	for n := 0; ; n++ {
		reply, again, err := try.send(bounded)
		if try.refusal != nil && before != nil {
			return reply, before // a repeat that may not be is no refusal of what was sent
		}
		if err == nil || !again || !try.read || call.Once || n == retries {
			return reply, err
		}
		before = err
		if !c.wait(bounded, n, try.after) || try.barred() {
			return reply, err
		}
	}
}

// Ready makes the request of a call, its credentials filled in, and sends nothing.
func (c *Client) Ready(ctx context.Context, call interlock.Outbound) error {
	m, err := compose(call.Binding, call.Args)
	if err != nil {
		return err
	}
	m.bare = call.Anonymous
	_, err = c.request(ctx, m)
	return err
}

// wait sleeps before retry n and reports whether there is time left for it.
func (c *Client) wait(ctx context.Context, n int, after time.Duration) bool {
	pause := time.Duration((0.5 + c.opts.Random()) * float64(c.opts.Backoff<<n))
	pause = max(pause, after)
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= pause {
		return false
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// attempt sends a message once at a time.
type attempt struct {
	client  *Client
	message *message
	read    bool
	limit   int64
	caller  context.Context // the caller's own, to tell his leaving from our deadline
	after   time.Duration   // what the server asks us to wait
	told    func() error    // asked before the call is written; may be nil
	refusal error           // what it said against that
}

// barred asks whether the call may not be written now.
func (a *attempt) barred() bool {
	if a.told == nil {
		return false
	}
	a.refusal = a.told()
	return a.refusal != nil
}

// send sends the message once. The second result says that nothing speaks
// against sending a read again.
func (a *attempt) send(ctx context.Context) (interlock.Reply, bool, error) {
	a.after = 0
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var left atomic.Bool // a connection was there, so the request may have left
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		if a.barred() {
			stop()
			_ = got.Conn.Close() // whoever writes to it finds it shut
			return
		}
		left.Store(true)
	}})
	req, err := a.client.request(ctx, a.message)
	if err != nil {
		return interlock.Reply{}, false, err
	}
	resp, err := a.client.pick(a.message.binding.Trusted, a.read || !replayable(req)).Do(req)
	if a.refusal != nil && !left.Load() {
		return interlock.Reply{}, false, a.refusal
	}
	if err != nil {
		failed, again := a.broken(err, left.Load(), false)
		return interlock.Reply{}, again, failed
	}
	defer resp.Body.Close()
	if failed := refusedStatus(resp.StatusCode); failed != nil {
		a.after = retryAfter(resp.Header)
		return refusal(resp), busy(resp.StatusCode), failed
	}
	reply, failed, cut := readAnswer(resp, a.message.binding, a.limit)
	if cut != nil {
		failed, _ = a.broken(cut, true, true)
	}
	reply.Status, reply.Said = resp.StatusCode, said(resp.Header)
	if failed != nil {
		return reply, false, failed
	}
	return reply, false, nil
}

// replayable reports whether net/http itself would send the request again on a
// connection that broke.
func replayable(req *http.Request) bool {
	switch req.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return req.Header["Idempotency-Key"] != nil || req.Header["X-Idempotency-Key"] != nil
}

// broken names a call that got no whole answer. answering says that the answer
// had begun.
func (a *attempt) broken(err error, left, answering bool) (failed *interlock.Error, again bool) {
	outcome := interlock.OutcomeNotSent
	if left {
		outcome = interlock.OutcomeUnknown
	}
	switch {
	case left && !a.read:
		return failure(interlock.CodeIndeterminate, interlock.ReasonIndeterminate, outcome,
			"The call was sent and no answer came, so its effect is unknown; find out at the source before calling again.", err), false
	case errors.Is(a.caller.Err(), context.Canceled):
		return failure(interlock.CodeUnavailable, interlock.ReasonCancelled, outcome, "The caller went away before the answer came.", err), false
	case isTimeout(err) || a.caller.Err() != nil:
		return failure(interlock.CodeTimeout, interlock.ReasonTimeout, outcome, "The source gave no answer within the time allowed.", err), false
	case forbiddenAddress(err):
		return failure(interlock.CodeUnavailable, interlock.ReasonSourceUnreachable, outcome,
			"The address comes from a document and is not public, so nothing was sent; the operator can vouch for it with a base URL.", err), false
	case left:
		return failure(interlock.CodeUpstream, interlock.ReasonSourceFailed, outcome, "The connection to the source broke before the answer was whole.", err), !answering
	}
	return failure(interlock.CodeUnavailable, interlock.ReasonSourceUnreachable, outcome, "The source could not be reached; nothing was sent.", err), true
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &t) && t.Timeout()
}

// busy are the statuses that say that a repeat may be answered.
func busy(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// retryAfter reads the seconds form of Retry-After.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 || seconds > 86400 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
