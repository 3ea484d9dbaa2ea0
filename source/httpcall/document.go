package httpcall

import (
	"context"
	"fmt"
	"net/http"

	"github.com/seed-ae386458/interlock"
)

// Document reads the document at an address that the operator wrote, with his
// headers. The error says what to do; it never repeats the address.
func (c *Client) Document(ctx context.Context, address string, limit int64) ([]byte, error) {
	if err := checkAddress(address); err != nil {
		return nil, unread("%s", err)
	}
	ctx, cancel := context.WithTimeout(ctx, interlock.DefaultTimeout)
	defer cancel()
	extra, err := c.credentials(nil)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, unread("the address cannot be read")
	}
	req.Header = extra.header
	req.Header.Set("User-Agent", c.opts.UserAgent)
	req.Header.Set("Accept", "application/json, application/yaml, text/yaml, */*;q=0.5")
	resp, err := c.trusted.Do(req)
	if err != nil {
		failed := unread("the server that should have it cannot be reached")
		failed.Code, failed.Reason, failed.Err = interlock.CodeUnavailable, interlock.ReasonSourceUnreachable, bare(err)
		return nil, failed
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		return nil, unread("the server answers %d and points elsewhere, which is not followed; give the address that it points to", resp.StatusCode)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, unread("the server answers %d", resp.StatusCode)
	}
	body, failed, err := readBody(resp, limit)
	if failed != nil {
		return nil, unread("it is over the limit of %d bytes, or compressed in an unknown way", limit)
	}
	if err != nil {
		return nil, unread("the connection broke before it was whole")
	}
	return body, nil
}

func unread(format string, args ...any) *interlock.Error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest",
		Public: "The document cannot be read: " + fmt.Sprintf(format, args...)}
}
