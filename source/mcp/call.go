package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// slack is what an answer may have over the limit of its result: the envelope,
// and the text form that repeats a structured result, whose quotes are escaped.
func slack(limit int64) int64 { return 3*limit + 64<<10 }

// argsLimits bounds arguments by their form; how long they may be was decided
// before.
var argsLimits = rawjson.Limits{Bytes: 1 << 40}

// Call sends one call and gives the answer unchanged.
func (s *source) Call(ctx context.Context, call interlock.Outbound) (interlock.Reply, error) {
	tool, mirrors, err := s.target(call)
	if err != nil {
		return interlock.Reply{}, err
	}
	if call.Anonymous {
		return interlock.Reply{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: stageInvoke,
			Outcome: interlock.OutcomeNotSent, Public: "An MCP server knows its client by the connection, so no call is sent without it."}
	}
	args := bytes.TrimSpace(call.Args)
	if len(args) == 0 {
		args = []byte("{}")
	}
	if !isObject(args) || rawjson.Check(args, argsLimits) != nil {
		return interlock.Reply{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonArgumentsInvalid, Stage: stageInvoke,
			Outcome: interlock.OutcomeNotSent, Public: "The arguments are not one JSON object."}
	}
	limit, wait := call.MaxResult, call.Timeout
	if limit <= 0 {
		limit = interlock.DefaultMaxResult
	}
	if wait <= 0 {
		wait = interlock.DefaultTimeout
	}
	within, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	ans, sess, err := s.send(within, call.Effect == interlock.EffectRead, func(sess *session) (request, error) {
		if call.Dispatched != nil {
			if err := call.Dispatched(); err != nil {
				return request{}, err
			}
		}
		return sess.toolsCall(tool, args, mirrors, slack(limit)), nil
	})
	var barred *barredError
	if errors.As(err, &barred) {
		return interlock.Reply{}, barred.why
	}
	if err != nil {
		return interlock.Reply{}, callFailure(asFault(err), call, ctx.Err())
	}
	if ans.flaw != nil {
		return interlock.Reply{}, callFailure(faultf(faultMalformed, true, "the answer: %w", ans.flaw), call, nil)
	}
	if ans.fail != nil {
		return interlock.Reply{Result: ans.fail, Said: saidCode(ans.fail)}, s.said(ans.fail, tool)
	}
	return readReply(ans.result, sess.modern, limit, call)
}

// Ready finds out what keeps a call from being sent: the session that it needs is
// made, and the headers that go with it are resolved.
func (s *source) Ready(ctx context.Context, call interlock.Outbound) error {
	if _, _, err := s.target(call); err != nil {
		return err
	}
	_, err := s.session(ctx)
	if err == nil && s.cfg.URL != "" {
		var own headers
		if own, err = newHeaders(s.cfg, s.opts.Secrets); err == nil {
			err = own.set(http.Header{})
		}
	}
	if err == nil {
		return nil
	}
	e := callFailure(asFault(err), call, ctx.Err())
	e.Outcome = interlock.OutcomeNotSent
	return e
}

// target reads the binding of a call and holds it against this source.
func (s *source) target(call interlock.Outbound) (string, []mirror, error) {
	if bytes.Equal(call.Binding, s.bind(call.Operation, nil)) {
		return call.Operation, nil, nil
	}
	var b binding
	if err := json.Unmarshal(call.Binding, &b); err != nil || b.Tool == "" {
		return "", nil, &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonUnavailable, Stage: stageInvoke,
			Outcome: interlock.OutcomeNotSent, Public: "The tool has no binding that this source can use.", Err: err}
	}
	if !b.sameEndpoint(s.endpoint) || b.Tool != call.Operation {
		return "", nil, &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonFingerprintChanged, Stage: stageInvoke,
			Outcome: interlock.OutcomeNotSent, Public: "The tool is bound to another endpoint than its source has now. Resolve the need again."}
	}
	return b.Tool, b.Headers, nil
}

// barredError says that a request may not be written, or not once more.
type barredError struct{ why error }

func (e *barredError) Error() string { return "not written: " + e.why.Error() }

// send exchanges one request over the live session. A connection that broke,
// and a session that the server ended, cost one more try each, if nothing was
// sent or sending twice is harmless, and build lets it.
func (s *source) send(ctx context.Context, harmless bool, build func(*session) (request, error)) (answer, *session, error) {
	var tried [faultGivenUp + 1]bool
	var last error
	for {
		sess, err := s.session(ctx)
		if err != nil {
			return answer{}, nil, err
		}
		req, err := build(sess)
		switch {
		case err != nil && last != nil:
			return answer{}, nil, last // the try before is what there is to tell of
		case err != nil:
			return answer{}, nil, &barredError{err}
		}
		ans, err := sess.exchange(ctx, req)
		if err == nil {
			return ans, sess, nil
		}
		if !sess.alive() {
			s.replace(sess)
		}
		f := asFault(err)
		if tried[f.kind] || ctx.Err() != nil || !f.again(harmless) {
			return answer{}, nil, f
		}
		tried[f.kind], last = true, f
	}
}

// replace lets go of a session that an exchange found ended.
func (s *source) replace(old *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && s.current.Load() == old {
		s.lost(old)
	}
}
