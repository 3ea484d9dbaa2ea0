package httpapi

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
)

// The bounds of a request's headers. What is over MaxHeaders is refused; up to
// readHeaders it is read first, so that the refusal can say why and be on record.
// At most largeHeaders connections at once are given that room: more are cut.
const (
	MaxHeaders   = 64 << 10
	readHeaders  = 2 << 20
	largeHeaders = 8
)

// Bound has a server read headers that are too large as far as a refusal in its
// own words needs, in memory that is bounded whatever comes. The server serves
// the listener that it gives.
func Bound(srv *http.Server, lis net.Listener) net.Listener {
	srv.MaxHeaderBytes = readHeaders
	srv.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if t, ok := c.(*tls.Conn); ok {
			c = t.NetConn()
		}
		return context.WithValue(ctx, gaugeKey{}, c)
	}
	door := srv.Handler
	srv.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g, ok := r.Context().Value(gaugeKey{}).(*gauged); ok {
			g.enter()
			defer g.leave()
		}
		door.ServeHTTP(w, r)
	})
	return &gauge{lis, make(chan struct{}, largeHeaders)}
}

type gaugeKey struct{}

// gauge is a listener whose connections share the room for large headers.
type gauge struct {
	net.Listener
	room chan struct{}
}

// Accept gives a connection that is measured.
func (l *gauge) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &gauged{Conn: c, room: l.room}, nil
}

// gauged is a connection that counts what is read while it serves no request:
// headers, in what is before and around them.
type gauged struct {
	net.Conn
	room    chan struct{}
	mu      sync.Mutex // guards the fields below
	serving int        // requests under way
	read    int        // bytes since the last of them
	large   bool       // it has room for large headers
}

var errNoRoom = errors.New("httpapi: the headers are too large, and others have the room for such")

// Read reads, and cuts a connection whose headers no room is left for.
func (g *gauged) Read(p []byte) (int, error) {
	n, err := g.Conn.Read(p)
	if !g.count(n) {
		_ = g.Close()
		return 0, errNoRoom
	}
	return n, err
}

func (g *gauged) count(n int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.serving > 0 {
		return true
	}
	if g.read += n; g.read <= 2*MaxHeaders || g.large { // room to spare, for the pieces that it is read in and the wrapping of TLS
		return true
	}
	select {
	case g.room <- struct{}{}:
		g.large = true
	default:
	}
	return g.large
}

// enter notes that headers were read and a request begins.
func (g *gauged) enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.serving++
}

// leave notes that a request is answered; its headers are let go.
func (g *gauged) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.serving--
	g.read = 0
	g.release()
}

// release gives the room back; mu is held.
func (g *gauged) release() {
	if g.large {
		<-g.room
		g.large = false
	}
}

// Close ends the connection.
func (g *gauged) Close() error {
	g.mu.Lock()
	g.release()
	g.mu.Unlock()
	return g.Conn.Close()
}

// headerBytes is the size of a request's headers.
func headerBytes(r *http.Request) int {
	n := len(r.RequestURI)
	for name, values := range r.Header {
		for _, v := range values {
			n += len(name) + len(v) + 4
		}
	}
	return n
}
