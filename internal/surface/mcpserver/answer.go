package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// incoming is one call of a tool.
type incoming struct {
	tool definition
	args json.RawMessage
	who  interlock.Principal
	// sdk is the request as the SDK has it: what brings an answer to a question,
	// and whom one can be put to. A call that came the short way has none.
	sdk *mcp.CallToolRequest
}

// handler answers the calls of one tool. A failed call is a result that says
// so, which the model reads; a protocol error it would not.
func (t *tools) handler(d definition) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		who, err := t.asker(req)
		if err != nil {
			return nil, &jsonrpc.Error{Code: int64(wire.RPC(err)), Message: interlock.AsError(err).Public}
		}
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		defer context.AfterFunc(t.ctx, func() { stop(t.ctx.Err()) })()
		p, ask := t.answer(ctx, incoming{d, arguments(req), who, req})
		if ask != nil {
			return ask, nil
		}
		p.modern = req.ProtocolVersion() >= modernEra
		return p.result(), nil
	}
}

// answer does what a tool does. Where a person is asked in between, ask is what
// the client is told to ask.
func (t *tools) answer(ctx context.Context, in incoming) (p *payload, ask *mcp.CallToolResult) {
	defer func() {
		if cause := recover(); cause != nil { // the SDK's goroutine has nobody else to answer for it
			t.opts.Logger.Error("a request panicked", "tool", in.tool.tool.Name, "principal", in.who.Name, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			p, ask = &payload{body: wire.ErrorObject(wire.Panicked(cause)), failed: true}, nil
		}
	}()
	var err error
	switch in.tool.kind {
	case finds:
		p, err = t.find(ctx, in.args, in.who)
	case describes:
		p, err = t.describe(ctx, in.args, in.who)
	default:
		p, ask, err = t.call(ctx, in)
	}
	if err != nil {
		t.logged(ctx, in.tool.tool.Name, in.who, err)
		p = &payload{body: wire.ErrorObject(err), failed: true}
	}
	return p, ask
}

// arguments are the raw arguments, from beside the message where they were
// lifted out of it; a call may leave them out.
func arguments(req *mcp.CallToolRequest) json.RawMessage {
	if req.Extra != nil && req.Extra.TokenInfo != nil {
		if args, ok := req.Extra.TokenInfo.Extra[argumentsKey].(json.RawMessage); ok {
			return args
		}
	}
	if len(req.Params.Arguments) == 0 {
		return json.RawMessage("{}")
	}
	return req.Params.Arguments
}

// logged records a failed call with its cause, as loudly as its kind deserves.
func (t *tools) logged(ctx context.Context, tool string, who interlock.Principal, err error) {
	t.opts.Logger.Log(ctx, slog.Level(wire.Level(err)), "mcp call failed", "tool", tool, "principal", who.Name, "error", err.Error())
}

// find answers find_tools as /v1/resolve answers the same need.
func (t *tools) find(ctx context.Context, args json.RawMessage, who interlock.Principal) (*payload, error) {
	need, err := wire.ReadNeed(args)
	if err != nil {
		return nil, err
	}
	res, err := t.face.Resolve(ctx, who, need)
	if err != nil {
		return nil, err
	}
	body, err := wire.Encode(res)
	if err != nil {
		return nil, err
	}
	return &payload{body: body}, nil
}

// described is the answer of describe_tools.
type described struct {
	Tools   []interlock.ToolDetail `json:"tools"`
	Missing []string               `json:"missing"` // names that nothing visible has
}

// describe answers describe_tools.
func (t *tools) describe(ctx context.Context, args json.RawMessage, who interlock.Principal) (*payload, error) {
	names, err := wire.ReadNames(args)
	if err != nil {
		return nil, err
	}
	d := described{Tools: []interlock.ToolDetail{}, Missing: []string{}}
	for _, name := range names {
		tool, err := t.face.Show(ctx, who, name)
		switch {
		case err == nil:
			d.Tools = append(d.Tools, tool)
		case interlock.CodeOf(err) == interlock.CodeNotFound:
			d.Missing = append(d.Missing, name)
		default:
			return nil, err
		}
	}
	body, err := wire.Encode(d)
	if err != nil {
		return nil, err
	}
	return &payload{body: body}, nil
}

// call answers call_tool as /v1/call answers the same call.
func (t *tools) call(ctx context.Context, in incoming) (p *payload, ask *mcp.CallToolResult, err error) {
	call, err := wire.ReadOffered(in.args)
	if err != nil {
		if interlock.AsError(err).Pointer == "/tool" {
			err = wire.Invalid("/tool", "A call repeats an offer; find_tools gives one.")
		}
		return nil, nil, err
	}
	call.Limit = in.tool.limit
	if call.Approve, err = t.answered(in, call); err != nil {
		return nil, nil, err
	}
	res, err := t.face.Call(ctx, in.who, call)
	if e := interlock.AsError(err); err != nil && e.Reason == interlock.ReasonApprovalRequired && t.canAsk(in) {
		if call.Approve, ask = t.ask(ctx, in, call, e); ask != nil {
			return nil, ask, nil
		}
		if call.Approve {
			res, err = t.face.Call(ctx, in.who, call)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	body, err := wire.EncodeResult(res, false)
	if err != nil {
		return nil, nil, err
	}
	return &payload{body: body, content: res.Content}, nil, nil
}
