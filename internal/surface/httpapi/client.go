package httpapi

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// Client speaks to the Operator door of a running Interlock. It is a Router
// and a Keeper like the one behind that door: the same answers, the same
// errors. It is safe for concurrent use.
type Client struct {
	http *http.Client
	base string
	acts http.Header // names the principal of every request; nil: each says his own
}

var (
	_ Router = (*Client)(nil)
	_ Keeper = (*Client)(nil)
)

// maxAnswer bounds what a client reads of one answer: a result at its limit,
// its content beside it, and room for both to be spelled at length.
const maxAnswer = 4 * interlock.DefaultMaxResult

// DialSocket makes a client of the local socket at path. It connects at the
// first request.
func DialSocket(path string) *Client {
	var d net.Dialer
	return NewClient(&http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return d.DialContext(ctx, "unix", path)
		},
		MaxIdleConnsPerHost: 16, DisableCompression: true,
	}, "http://interlock")
}

// NewClient makes a client over a transport.
func NewClient(transport http.RoundTripper, base string) *Client {
	return &Client{http: &http.Client{Transport: transport}, base: base}
}

// As gives a client of the same door whose every request is the principal's: by
// the name of his token, or by the claims of one, a JSON object.
func (c *Client) As(name string, claims []byte) *Client {
	acts := *c
	acts.acts = http.Header{}
	if len(claims) > 0 {
		acts.acts.Set(HeaderClaims, base64.RawURLEncoding.EncodeToString(claims))
	} else {
		acts.acts.Set(HeaderPrincipal, name)
	}
	return &acts
}

// Close drops idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Resolve answers a need as who.
func (c *Client) Resolve(ctx context.Context, who interlock.Principal, need interlock.Need) (interlock.Resolution, error) {
	raw, err := wire.Encode(need)
	if err != nil {
		return interlock.Resolution{}, err
	}
	answer, err := c.send(ctx, "POST", "/v1/resolve", raw, as(who))
	if err != nil {
		return interlock.Resolution{}, err
	}
	return wire.ReadResolution(answer)
}

// Call sends a call as who.
func (c *Client) Call(ctx context.Context, who interlock.Principal, req interlock.CallRequest) (interlock.CallResult, error) {
	raw, err := wire.EncodeCall(req)
	if err != nil {
		return interlock.CallResult{}, err
	}
	h := as(who)
	h.Set(HeaderContent, "1")
	if req.Approve {
		h.Set(HeaderApprove, "1")
	}
	if req.Limit != "" {
		h.Set(HeaderLimit, string(req.Limit))
	}
	answer, err := c.send(ctx, "POST", "/v1/call", raw, h)
	if err != nil {
		return interlock.CallResult{}, err
	}
	return wire.ReadResult(answer)
}

// Tools lists the tools that who sees.
func (c *Client) Tools(ctx context.Context, who interlock.Principal) (list []interlock.ToolInfo, err error) {
	return list, c.get(ctx, "/v1/tools", as(who), &list)
}

// Show gives one tool in full, as who sees it.
func (c *Client) Show(ctx context.Context, who interlock.Principal, name string) (tool interlock.ToolDetail, err error) {
	return tool, c.get(ctx, (&url.URL{Path: "/v1/tools/" + name}).EscapedPath(), as(who), &tool)
}

// Family judges one family under a constraint, as who sees it.
func (c *Client) Family(ctx context.Context, who interlock.Principal, of interlock.Constraint) (info interlock.FamilyInfo, err error) {
	at := url.URL{Path: "/v1/families/" + of.Family}
	query := url.Values{}
	for name, text := range map[string]string{"range": of.Range, "built_against": of.BuiltAgainst} {
		if text != "" {
			query.Set(name, text)
		}
	}
	at.RawQuery = query.Encode()
	return info, c.get(ctx, at.RequestURI(), as(who), &info)
}

// Sources lists the sources that who sees.
func (c *Client) Sources(ctx context.Context, who interlock.Principal) (list []interlock.SourceInfo, err error) {
	return list, c.get(ctx, "/v1/sources", as(who), &list)
}

// Add registers a source, or replaces the one of its name.
func (c *Client) Add(ctx context.Context, by interlock.Principal, cfg interlock.SourceConfig) (report interlock.AddReport, err error) {
	raw, err := wire.Encode(cfg)
	if err != nil {
		return report, err
	}
	return report, c.post(ctx, "/v1/sources", raw, as(by), &report)
}

// Probe finds out how tools behave.
func (c *Client) Probe(ctx context.Context, who interlock.Principal, req interlock.ProbeRequest) (report interlock.ProbeReport, err error) {
	raw, err := wire.Encode(req)
	if err != nil {
		return report, err
	}
	answer, err := c.send(ctx, "POST", "/v1/probe", raw, as(who))
	if err != nil {
		return report, err
	}
	return report, decode("/v1/probe", answer, &report)
}

// Remove takes a source out.
func (c *Client) Remove(ctx context.Context, by interlock.Principal, name string) error {
	_, err := c.send(ctx, "DELETE", "/v1/sources/"+url.PathEscape(name), nil, as(by))
	return err
}

// Reread reads a source again and changes nothing.
func (c *Client) Reread(ctx context.Context, name string) (found interlock.Reread, err error) {
	return found, c.post(ctx, "/v1/sources/"+url.PathEscape(name)+"/reread", []byte("{}"), nil, &found)
}

// Approvals lists the approvals that who asked for or may decide on.
func (c *Client) Approvals(ctx context.Context, who interlock.Principal) (list []interlock.Approval, err error) {
	return list, c.get(ctx, "/v1/approvals", as(who), &list)
}

// Decide grants or refuses an approval as by.
func (c *Client) Decide(ctx context.Context, id string, by interlock.Principal, grant bool) (a interlock.Approval, err error) {
	v := verdict{"refuse"}
	if grant {
		v.Decision = "approve"
	}
	raw, err := wire.Encode(v)
	if err != nil {
		return a, err
	}
	path := "/v1/approvals/" + url.PathEscape(id)
	answer, err := c.send(ctx, "POST", path, raw, as(by))
	if err != nil {
		return a, err
	}
	return a, decode(path, answer, &a)
}

// Why explains what the principal of a name, or of the claims of a token, may do
// with a tool, and what held at an entry of the log, where at is not negative.
func (c *Client) Why(ctx context.Context, name string, claims []byte, tool string, at int64, into any) error {
	q := url.Values{"tool": {tool}}
	if len(claims) > 0 {
		q.Set("claims", base64.RawURLEncoding.EncodeToString(claims))
	} else {
		q.Set("principal", name)
	}
	if at >= 0 {
		q.Set("at", strconv.FormatInt(at, 10))
	}
	return c.get(ctx, "/v1/policy/why?"+q.Encode(), nil, into)
}

// PolicyVersions reads which policies were in force.
func (c *Client) PolicyVersions(ctx context.Context) (list []interlock.PolicyVersion, err error) {
	return list, c.get(ctx, "/v1/policy", nil, &list)
}

// PolicySet reads the policies of a digest.
func (c *Client) PolicySet(ctx context.Context, digest string) ([]interlock.PolicyFile, error) {
	var list []policyText
	err := c.get(ctx, "/v1/policy/set/"+url.PathEscape(digest), nil, &list)
	files := make([]interlock.PolicyFile, len(list))
	for i, f := range list {
		files[i] = interlock.PolicyFile{Name: f.Name, Text: []byte(f.Text)}
	}
	return files, err
}

// LogList reads up to limit entries of the log from an index on.
func (c *Client) LogList(ctx context.Context, from int64, limit int) ([]interlock.LogEntry, error) {
	var p page
	query := url.Values{"from": {strconv.FormatInt(from, 10)}, "limit": {strconv.Itoa(min(limit, maxPage))}}
	err := c.get(ctx, "/v1/log?"+query.Encode(), nil, &p)
	return p.Entries, err
}

// LogExport copies the whole log. It fails where the copy is not whole.
func (c *Client) LogExport(ctx context.Context, w io.Writer) error {
	resp, err := c.open(ctx, "GET", "/v1/log/export", nil, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(w, resp.Body); err != nil {
		return fmt.Errorf("log export: %w", err)
	}
	return nil
}

// LogVerify has the log verified and gives its size.
func (c *Client) LogVerify(ctx context.Context) (int64, error) {
	var v verified
	err := c.get(ctx, "/v1/log/verify", nil, &v)
	return v.Size, err
}

// Healthy asks for /healthz.
func (c *Client) Healthy(ctx context.Context) error {
	_, err := c.send(ctx, "GET", "/healthz", nil, nil)
	return err
}

// Status gives facts about the health of the whole.
func (c *Client) Status(ctx context.Context) (facts map[string]any, err error) {
	return facts, c.get(ctx, "/v1/status", nil, &facts)
}

// as names who a request is made for; the operator needs no name.
func as(who interlock.Principal) http.Header {
	h := http.Header{}
	if !who.Operator {
		h.Set(HeaderPrincipal, who.Name)
	}
	return h
}

// get reads a JSON answer.
func (c *Client) get(ctx context.Context, path string, h http.Header, into any) error {
	answer, err := c.send(ctx, "GET", path, nil, h)
	if err != nil {
		return err
	}
	return decode(path, answer, into)
}

// post sends a JSON body and reads the answer.
func (c *Client) post(ctx context.Context, path string, raw []byte, h http.Header, into any) error {
	answer, err := c.send(ctx, "POST", path, raw, h)
	if err != nil {
		return err
	}
	return decode(path, answer, into)
}

// decode reads an answer into a value.
func decode(path string, answer []byte, into any) error {
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("answer of %s: %w", path, err)
	}
	return nil
}

// send makes a request and reads the whole answer.
func (c *Client) send(ctx context.Context, method, path string, raw []byte, h http.Header) ([]byte, error) {
	resp, err := c.open(ctx, method, path, raw, h)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := readAtMost(resp.Body, maxAnswer)
	if err != nil {
		return nil, lost(ctx, path, err)
	}
	return answer, nil
}

// open makes a request; a problem comes back as the error it tells.
func (c *Client) open(ctx context.Context, method, path string, raw []byte, h http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if h != nil {
		req.Header = h
	}
	if c.acts != nil {
		req.Header.Del(HeaderPrincipal)
	}
	for name, values := range c.acts {
		req.Header[name] = values
	}
	if raw != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, lost(ctx, path, err)
	}
	if resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	answer, err := readAtMost(resp.Body, maxAnswer)
	if err != nil {
		return nil, lost(ctx, path, err)
	}
	return nil, wire.ReadProblem(resp.StatusCode, answer)
}

// lost is the error of a request that has no answer. One that never reached
// the server did nothing; a call that did may have been sent on.
func lost(ctx context.Context, path string, err error) error {
	e := &interlock.Error{
		Code: interlock.CodeUnavailable, Reason: interlock.ReasonUnavailable, Stage: stageSurface,
		Public: "The running Interlock does not answer on its local socket.", Err: err,
	}
	var dial *net.OpError
	refused := errors.As(err, &dial) && dial.Op == "dial"
	switch {
	case path == "/v1/call" && !refused:
		e.Code, e.Reason, e.Outcome = interlock.CodeIndeterminate, interlock.ReasonIndeterminate, interlock.OutcomeUnknown
		e.Public = "The connection to the running Interlock broke before the answer came; the log says what became of the call."
	case ctx.Err() != nil:
		e.Code, e.Reason, e.Public = interlock.CodeTimeout, interlock.ReasonCancelled, "The request was given up before its answer came."
	}
	return e
}

// readAtMost reads all, and fails past the limit.
func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	out, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(out)) > limit {
		return nil, errors.New("the answer is over its limit")
	}
	return out, err
}
