package mcp

import (
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
)

// stdioDialer makes sessions by starting a command.
type stdioDialer struct {
	cfg     interlock.SourceConfig
	opts    Options
	changed func() // nil: nobody wants to know
}

func (d *stdioDialer) endpoint() binding {
	return binding{Transport: "stdio", Command: slices.Clone(d.cfg.Command), Dir: d.cfg.Dir}
}

func (d *stdioDialer) backoff() bool { return true }

func (d *stdioDialer) close() {}

// dial starts the command; the SDK shakes hands.
func (d *stdioDialer) dial(ctx, _ context.Context, revision string) (*session, error) {
	env, err := childEnviron(d.cfg, d.opts)
	if err != nil {
		return nil, err
	}
	ch, err := command{argv: d.cfg.Command, dir: d.cfg.Dir, env: env}.start(d.opts.Logger)
	if err != nil {
		return nil, err
	}
	p := newPipe(ch, d.opts)
	cs, err := newClient(d.opts, d.changed).Connect(ctx, sdkTransport{p}, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		ended := !p.alive()
		p.fail(err)
		p.close()
		switch {
		case ended:
			return nil, &fault{kind: faultHandshake, err: ch.epitaph()}
		case ctx.Err() != nil:
			return nil, faultf(faultGivenUp, false, "the server did not answer the handshake: %w", ctx.Err())
		}
		f := faultf(faultHandshake, false, "the handshake failed: %w", err)
		f.slow = p.slow.Load()
		return nil, f
	}
	p.sdk = cs
	return newSession(p, cs.InitializeResult(), d.opts), nil
}
