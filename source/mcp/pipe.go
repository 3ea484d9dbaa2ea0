package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// pipe is a link over the standard streams of a child. Answers to requests of
// this package go straight to whoever waits; all other messages are the SDK's.
type pipe struct {
	child *child
	grace time.Duration
	log   *slog.Logger
	sdk   *sdk.ClientSession

	out  chan *outgoing
	in   chan jsonrpc.Message // for the SDK
	done chan struct{}        // closed when the link is dead
	slow atomic.Bool          // the server was silent for too long at the handshake
	wg   sync.WaitGroup       // reader, writer, stop

	mu      sync.Mutex // guards the rest
	ids     int64
	waiting map[int64]*waiter
	cause   error // why the link is dead
}

// waiter is an exchange that waits for its answer.
type waiter struct {
	limit int64
	got   chan outcome // takes one
}

type outcome struct {
	answer answer
	fault  *fault
}

// outgoing is a line on its way to the child.
type outgoing struct {
	line  []byte
	state atomic.Int32
}

// The states of a line. It is taken back only while it is queued.
const (
	lineQueued int32 = iota
	lineSent
	lineWithdrawn
)

func newPipe(ch *child, opts Options) *pipe {
	p := &pipe{child: ch, grace: opts.Grace, log: opts.Logger, out: make(chan *outgoing, 256), in: make(chan jsonrpc.Message, 16),
		done: make(chan struct{}), ids: firstID, waiting: map[int64]*waiter{}}
	p.wg.Go(p.write)
	p.wg.Go(p.read)
	return p
}

func (p *pipe) alive() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// fail ends the link: whoever waits learns why, and the child is stopped.
func (p *pipe) fail(cause error) {
	p.mu.Lock()
	if p.cause != nil {
		p.mu.Unlock()
		return
	}
	p.cause = cause
	orphans := p.waiting
	p.waiting = nil
	close(p.done)
	p.wg.Go(func() { p.child.stop(p.grace) })
	p.mu.Unlock()
	for _, w := range orphans {
		w.got <- outcome{fault: &fault{kind: faultBroken, sent: true, err: cause}}
	}
}

func (p *pipe) retire() { p.close() }

func (p *pipe) close() {
	p.fail(errors.New("the source was closed"))
	p.wg.Wait()
	if p.sdk != nil {
		_ = p.sdk.Close()
	}
}

func (p *pipe) exchange(ctx context.Context, req request) (answer, error) {
	id, w, err := p.expect(req.limit)
	if err != nil {
		return answer{}, err
	}
	line := &outgoing{line: oneLine(req.encode(id))}
	select {
	case p.out <- line:
	case <-ctx.Done():
		p.forget(id)
		return answer{}, &fault{kind: faultGivenUp, err: ctx.Err()}
	case <-p.done:
		return answer{}, &fault{kind: faultBroken, err: p.why()}
	}
	select {
	case o := <-w.got:
		if o.fault != nil {
			o.fault.sent = o.fault.sent && !line.state.CompareAndSwap(lineQueued, lineWithdrawn)
			return answer{}, o.fault
		}
		return o.answer, nil
	case <-ctx.Done():
		p.forget(id)
		sent := !line.state.CompareAndSwap(lineQueued, lineWithdrawn)
		if sent {
			p.tell(cancellation(id, "the caller gave up"))
		}
		return answer{}, &fault{kind: faultGivenUp, sent: sent, err: ctx.Err()}
	}
}

// oneLine takes out the line ends that a caller's JSON may hold between its
// tokens; inside a string JSON has none.
func oneLine(msg []byte) []byte {
	for _, end := range []byte("\n\r") {
		for at := bytes.IndexByte(msg, end); at >= 0; at = bytes.IndexByte(msg, end) {
			msg[at] = ' '
		}
	}
	return append(msg, '\n')
}

// expect gives an id to an exchange and a place to wait at.
func (p *pipe) expect(limit int64) (int64, *waiter, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cause != nil {
		return 0, nil, &fault{kind: faultBroken, err: p.cause}
	}
	p.ids++
	w := &waiter{limit: limit, got: make(chan outcome, 1)}
	p.waiting[p.ids] = w
	return p.ids, w, nil
}

// forget takes an exchange out of those that wait, and gives it.
func (p *pipe) forget(id int64) *waiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.waiting[id]
	delete(p.waiting, id)
	return w
}

func (p *pipe) why() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause
}

// tell queues a notice; where the child reads nothing it is dropped.
func (p *pipe) tell(line []byte) {
	select {
	case p.out <- &outgoing{line: append(line, '\n')}:
	default:
		p.log.Debug("a notice was dropped: the server does not read")
	}
}

// write passes lines to the child, one after the other.
func (p *pipe) write() {
	for {
		select {
		case <-p.done:
			return
		case line := <-p.out:
			if !line.state.CompareAndSwap(lineQueued, lineSent) {
				continue
			}
			if _, err := p.child.stdin.Write(line.line); err != nil {
				p.fail(p.child.epitaph())
				return
			}
		}
	}
}

// limit bounds the next line: what the most patient exchange takes, and never
// less than a handshake needs.
func (p *pipe) limit() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	most := int64(maxHandshake)
	for _, w := range p.waiting {
		most = max(most, w.limit)
	}
	return most
}

// read takes the child's output apart until it ends.
func (p *pipe) read() {
	defer p.child.stdout.Close()
	r := bufio.NewReaderSize(p.child.stdout, 64<<10)
	for {
		f, err := readFrame(r, p.limit)
		switch {
		case errors.Is(err, errFlood):
			p.fail(err)
			return
		case err != nil:
			p.fail(p.child.epitaph())
			return
		case f.over:
			p.resolve(message{id: f.id}, outcome{fault: faultf(faultTooLarge, true, "the answer is over the limit")})
		default:
			p.dispatch(f.line)
		}
	}
}

// dispatch takes one line: a message, or in older revisions a batch of them.
func (p *pipe) dispatch(line []byte) {
	if line[0] != '[' {
		p.deliver(line)
		return
	}
	for _, one := range rawjson.Elements(line) {
		p.deliver(one)
	}
}

// deliver finds who a message is for. Text that is no message is the child's
// chatter; if it names a request that waits, it is that one's broken answer.
func (p *pipe) deliver(line []byte) {
	m, err := parse(line)
	if err != nil {
		var find idFinder
		find.feed(line)
		if !p.resolve(message{id: find.id()}, outcome{fault: faultf(faultMalformed, true, "the answer: %w", err)}) {
			p.log.Debug("a line of the server is no message", "bytes", len(line), "error", err)
		}
		return
	}
	if m.isAnswer() && p.resolve(m, outcome{answer: m.answer}) {
		return
	}
	if _, ours := m.number(); ours && m.method == "" {
		return // an answer that nobody waits for any more
	}
	if msg, err := jsonrpc.DecodeMessage(line); err == nil {
		select {
		case p.in <- msg:
		case <-p.done:
		}
	}
}

// resolve gives an outcome to the exchange that waits for it.
func (p *pipe) resolve(m message, o outcome) bool {
	id, ok := m.number()
	if !ok {
		return false
	}
	w := p.forget(id)
	if w == nil {
		return false
	}
	if o.fault == nil && int64(len(m.result)+len(m.fail)) > w.limit {
		o = outcome{fault: faultf(faultTooLarge, true, "the answer is over %d bytes", w.limit)}
	}
	w.got <- o
	return true
}
