package mcp

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

// refused reads an HTTP answer that is no success: the server's own JSON-RPC
// error where it holds one.
func (w *web) refused(resp *http.Response) (answer, error) {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	m, err := parse(body)
	said := err == nil && m.fail != nil
	status := resp.StatusCode
	if w.session != "" && (status == http.StatusNotFound || status == http.StatusBadRequest && said && bytes.Contains(bytes.ToLower(m.fail), []byte("session"))) {
		return answer{}, faultf(faultExpired, true, "HTTP %d: the session is unknown to the server", status)
	}
	if said && status != http.StatusUnauthorized {
		return answer{fail: m.fail}, nil
	}
	return answer{}, statusFault(resp, true)
}

func statusFault(resp *http.Response, sent bool) *fault {
	return &fault{kind: statusKind(resp.StatusCode), sent: sent, gate: resp.StatusCode == http.StatusForbidden, err: statusError(resp)}
}

// statusKind says what an HTTP status leaves open.
func statusKind(status int) faultKind {
	switch {
	case status == http.StatusUnauthorized:
		return faultUnauthorised
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		return faultFailed
	case status >= 500:
		return faultUncertain
	}
	return faultRefused
}

func statusError(resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return faultf(faultRefused, true, "HTTP %d: the server does not accept the credentials; set the header it needs", resp.StatusCode)
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return faultf(faultRefused, true, "HTTP %d: the server redirects elsewhere, which is not followed; configure the final address", resp.StatusCode)
	}
	return faultf(faultRefused, true, "HTTP %d", resp.StatusCode)
}

// mediaType reads the content type without its parameters.
func mediaType(header http.Header) string {
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// readBody reads a body of a known limit, in one piece where its length is
// stated.
func readBody(resp *http.Response, limit int64) ([]byte, error) {
	if resp.ContentLength > limit {
		return nil, faultf(faultTooLarge, true, "the answer has %d bytes", resp.ContentLength)
	}
	if resp.ContentLength >= 0 {
		raw := make([]byte, resp.ContentLength)
		if _, err := io.ReadFull(resp.Body, raw); err != nil {
			return nil, faultf(faultBroken, true, "read the answer: %w", err)
		}
		return raw, nil
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return nil, faultf(faultBroken, true, "read the answer: %w", err)
	case int64(len(raw)) > limit:
		return nil, faultf(faultTooLarge, true, "the answer is over %d bytes", limit)
	}
	return raw, nil
}

// answerTo reads a message that has to be the answer to request id.
func answerTo(id int64, raw []byte) (answer, error) {
	m, err := parse(raw)
	if err != nil {
		return answer{}, faultf(faultMalformed, true, "the answer: %w", err)
	}
	if got, ok := m.number(); !m.isAnswer() || !ok || got != id {
		return answer{}, faultf(faultMalformed, true, "the message is not the answer to request %d", id)
	}
	return m.answer, nil
}
