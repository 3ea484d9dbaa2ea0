package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// modernEra is the first protocol revision without sessions.
const modernEra = "2026-07-28"

// payload is an answer whose JSON is written as it is. The SDK's own encoding
// would escape <, > and & in it and write it twice.
type payload struct {
	body    []byte // structuredContent
	content []byte // the tool's own blocks, a JSON array; nil: body as text
	failed  bool
	modern  bool
}

// result hands a payload through the SDK's handlers. Content is not nil, or
// the SDK would copy the result.
func (p *payload) result() *mcp.CallToolResult {
	return &mcp.CallToolResult{StructuredContent: p, IsError: p.failed, Content: []mcp.Content{}}
}

// exactResult is a tool's result that encodes to a payload's bytes. The
// embedded one carries what the SDK adds.
type exactResult struct {
	*mcp.CallToolResult
	payload *payload
}

// MarshalJSON writes the members of a result around the payload.
func (r *exactResult) MarshalJSON() ([]byte, error) {
	var meta []byte
	if len(r.Meta) > 0 {
		var err error
		if meta, err = wire.Encode(r.Meta); err != nil {
			return nil, err
		}
	}
	return r.payload.appendTo(make([]byte, 0, r.payload.size()+len(meta)), meta)
}

// size is about how long the result is.
func (p *payload) size() int {
	if p.content != nil {
		return len(p.body) + len(p.content) + 128
	}
	return 2*len(p.body) + len(p.body)/8 + 128
}

// appendTo writes the result, with meta where there is any.
func (p *payload) appendTo(out, meta []byte) ([]byte, error) {
	out = append(out, `{"content":`...)
	if p.content != nil {
		out = append(out, p.content...)
	} else {
		text, err := wire.Encode(string(p.body))
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, `[{"type":"text","text":`...), text...), `}]`...)
	}
	out = append(append(out, `,"structuredContent":`...), p.body...)
	if p.failed {
		out = append(out, `,"isError":true`...)
	}
	if p.modern {
		out = append(out, `,"resultType":"complete"`...)
	}
	if len(meta) > 0 {
		out = append(append(out, `,"_meta":`...), meta...)
	}
	return append(out, '}'), nil
}

// exactly puts payloads in the place of the results that carry them. It is the
// outermost middleware, so nothing encodes a payload before it.
func exactly(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if r, ok := res.(*mcp.CallToolResult); err == nil && ok {
			if p, ok := r.StructuredContent.(*payload); ok {
				return &exactResult{r, p}, nil
			}
		}
		return res, err
	}
}
