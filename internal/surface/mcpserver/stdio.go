package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
)

// ServeStdio serves the face to one client over in and out, as who, until in
// ends or ctx does. A line that is no message is answered as an error and the
// session goes on.
func ServeStdio(ctx context.Context, face Face, who interlock.Principal, in io.Reader, out io.Writer, opts Options) error {
	asker := func(*mcp.CallToolRequest) (interlock.Principal, error) { return who, nil }
	t, err := newTools(ctx, face, opts.withDefaults(), asker)
	if err != nil {
		return err
	}
	session, err := t.server(nil).Connect(ctx, &lines{in: in, out: out}, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done(): // it is told to stop, which is no failure and nothing to log
		_ = session.Close()
		err = <-ended
	}
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// maxLine bounds one message: a call at its limit, escaped at length.
const maxLine = 16 << 20

// drain is how long answers may take that are under way when the input ends.
const drain = 10 * time.Second

// lines is a transport of one JSON message a line.
type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect starts reading.
func (l *lines) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConn{out: l.out, messages: make(chan jsonrpc.Message), closed: make(chan struct{})}
	go c.read(l.in)
	return c, nil
}

// lineConn is the connection. Its reader ends with the input; a read that
// blocks after Close ends with the process, since it cannot be interrupted.
type lineConn struct {
	messages chan jsonrpc.Message // closed at the end of the input
	closed   chan struct{}
	once     sync.Once

	mu   sync.Mutex // guards the fields below
	out  io.Writer
	open int           // calls without an answer
	idle chan struct{} // closed when none is open; nil while nobody waits
}

// SessionID is empty: a pipe is its own session.
func (c *lineConn) SessionID() string { return "" }

// Read gives the next message.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m, ok := <-c.messages:
		if !ok {
			return nil, io.EOF
		}
		return m, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closed:
		return nil, io.EOF
	}
}

// Write sends one message as one line.
func (c *lineConn) Write(_ context.Context, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, answers := m.(*jsonrpc.Response); answers {
		if c.open--; c.open <= 0 && c.idle != nil {
			close(c.idle)
			c.idle = nil
		}
	}
	_, err = c.out.Write(append(line, '\n'))
	return err
}

// Close ends the connection; the pipes are their owner's to close.
func (c *lineConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// read turns lines into messages until the input ends, then waits for the
// answers that are under way: a client that closes its side at once still gets
// them.
func (c *lineConn) read(in io.Reader) {
	defer close(c.messages)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, whole, err := readLine(r)
		if !c.deliver(bytes.TrimSpace(line), whole) || err != nil {
			break
		}
	}
	select {
	case <-c.answered():
	case <-c.closed:
	case <-time.After(drain):
	}
}

// readLine reads to the next line break. Of a line over the limit it keeps
// nothing.
func readLine(r *bufio.Reader) (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := r.ReadSlice('\n')
		if whole = whole && len(line)+len(part) <= maxLine; whole {
			line = append(line, part...)
		} else {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, whole, err
		}
	}
}

// deliver hands a line on as a message, or answers why it is none. It reports
// false when the connection has ended.
func (c *lineConn) deliver(line []byte, whole bool) bool {
	switch {
	case !whole:
		return c.refuse(jsonrpc.CodeInvalidRequest, "the message is over its limit")
	case len(line) == 0:
		return true
	case !json.Valid(line):
		return c.refuse(jsonrpc.CodeParseError, "the line is not JSON")
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return c.refuse(jsonrpc.CodeInvalidRequest, "the line is no JSON-RPC 2.0 message")
	}
	if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() {
		c.mu.Lock()
		c.open++
		c.mu.Unlock()
	}
	select {
	case c.messages <- m:
		return true
	case <-c.closed:
		return false
	}
}

// refuse answers a line that cannot be told which call it was.
func (c *lineConn) refuse(code int, text string) bool {
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": text}})
	if err != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.out.Write(append(line, '\n'))
	return err == nil
}

// answered is closed once no call is without an answer.
func (c *lineConn) answered() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	done := make(chan struct{})
	if c.open <= 0 {
		close(done)
	} else {
		c.idle = done
	}
	return done
}
