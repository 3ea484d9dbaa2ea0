package mcp

import (
	"context"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdkTransport lends the link to the SDK.
type sdkTransport struct{ *pipe }

func (t sdkTransport) Connect(context.Context) (sdk.Connection, error) {
	return &sdkConn{pipe: t.pipe}, nil
}

// sdkConn is the SDK's view of the link.
type sdkConn struct {
	*pipe
}

func (c *sdkConn) SessionID() string { return "" }

func (c *sdkConn) Close() error {
	c.fail(io.EOF)
	return nil
}

func (c *sdkConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.in:
		return msg, nil
	case <-c.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *sdkConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if req, ok := msg.(*jsonrpc.Request); ok && req.Method == "server/discover" {
		c.hurry(req.ID)
	}
	select {
	case c.out <- &outgoing{line: append(data, '\n')}:
		return nil
	case <-c.done:
		return c.why()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hurry answers server/discover in the server's place where it stays silent, as
// some older ones do to a method they do not know: the SDK then begins in the
// older way.
func (c *sdkConn) hurry(id jsonrpc.ID) {
	c.wg.Go(func() {
		select {
		case <-c.done:
		case <-time.After(silence):
			c.slow.Store(true)
			select {
			case <-c.done:
			case c.in <- &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no answer"}}:
			}
		}
	})
}

// silence is how long server/discover may stay without an answer.
const silence = 5 * time.Second
