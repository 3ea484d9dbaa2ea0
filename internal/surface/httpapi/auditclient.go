package httpapi

import (
	"context"
	"net/url"
	"strconv"

	"github.com/seed-ae386458/interlock/internal/surface/wire"
	"github.com/seed-ae386458/interlock/receipt"
)

var _ Auditor = (*Client)(nil)

// LogCheck has the log verified where it lies. What it is held against goes
// along; who is to hear of single entries or of progress hears nothing.
func (c *Client) LogCheck(ctx context.Context, check receipt.Check) (report receipt.Report, err error) {
	raw, err := wire.Encode(against{Held: check.Held, Books: check.Books})
	if err != nil {
		return report, err
	}
	return report, c.post(ctx, "/v1/log/verify", raw, nil, &report)
}

// LogCheckpoint gives the signed checkpoint of the log as it stands.
func (c *Client) LogCheckpoint(ctx context.Context) (string, error) {
	return c.text(ctx, "/v1/log/checkpoint")
}

func (c *Client) text(ctx context.Context, path string) (string, error) {
	answer, err := c.send(ctx, "GET", path, nil, nil)
	return string(answer), err
}

// LogProve gives the proof that an entry is in the log.
func (c *Client) LogProve(ctx context.Context, entry string) (proof receipt.Proof, err error) {
	return proof, c.get(ctx, "/v1/log/proof?"+url.Values{"entry": {entry}}.Encode(), nil, &proof)
}

// LogConsistency gives the proof that one log grew out of another.
func (c *Client) LogConsistency(ctx context.Context, older, newer int64) (proof receipt.Consistency, err error) {
	query := url.Values{"old": {strconv.FormatInt(older, 10)}, "new": {strconv.FormatInt(newer, 10)}}
	return proof, c.get(ctx, "/v1/log/consistency?"+query.Encode(), nil, &proof)
}

// LogAttest states of an entry that it is in the log.
func (c *Client) LogAttest(ctx context.Context, entry string) (envelope receipt.Envelope, err error) {
	return envelope, c.get(ctx, "/v1/log/attestation?"+url.Values{"entry": {entry}}.Encode(), nil, &envelope)
}

// LogTile gives one tile of the tree.
func (c *Client) LogTile(ctx context.Context, path string) ([]byte, error) {
	return c.send(ctx, "GET", (&url.URL{Path: "/v1/log/" + path}).EscapedPath(), nil, nil)
}

// LogWitnessRequest gives what a witness is asked with.
func (c *Client) LogWitnessRequest(ctx context.Context, old int64) (string, error) {
	return c.text(ctx, "/v1/log/witnesses/request?"+url.Values{"old": {strconv.FormatInt(old, 10)}}.Encode())
}

// LogWitnesses lists the checkpoints that witnesses have signed.
func (c *Client) LogWitnesses(ctx context.Context) (list []receipt.Witnessed, err error) {
	return list, c.get(ctx, "/v1/log/witnesses", nil, &list)
}

// LogWitness keeps a checkpoint with the signatures of witnesses.
func (c *Client) LogWitness(ctx context.Context, text string) (kept receipt.WitnessKept, err error) {
	raw, err := wire.Encode(witnessed{text})
	if err != nil {
		return kept, err
	}
	return kept, c.post(ctx, "/v1/log/witnesses", raw, nil, &kept)
}

// LogPrune drops the entries before an index. The door names the principal.
func (c *Client) LogPrune(ctx context.Context, before int64, _, why string) (pruned receipt.Pruned, err error) {
	raw, err := wire.Encode(prune{before, why})
	if err != nil {
		return pruned, err
	}
	return pruned, c.post(ctx, "/v1/log/prune", raw, nil, &pruned)
}
