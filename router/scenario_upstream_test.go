package router_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// upstream is a real HTTP service whose answers a scenario scripts, one line
// each:
//
//	PATH STATUS [delay=D] [size=N] BODY   the answer; several lines of one path
//	                                      are given in turn, the last for good
//	PATH echo                             what came, as {"echo": BODY}
//	PATH hangup                           the connection is cut
//	PATH hold [STATUS BODY]               no answer before it is let go; then
//	                                      this one, or the connection is cut
type upstream struct {
	*httptest.Server
	mu      sync.Mutex // guards the fields below
	answers map[string][]answer
	calls   int
	last    string
	arrived chan struct{} // one for each request that is held
	free    chan struct{} // closed: what is held is let go
	armed   bool          // free is open
}

type answer struct {
	kind   string // status, echo, hangup, hold
	status int
	delay  time.Duration
	size   int
	body   string
}

func newUpstream(t *testing.T) *upstream {
	u := &upstream{answers: map[string][]answer{}, arrived: make(chan struct{}, 64), free: make(chan struct{}), armed: true}
	u.Server = httptest.NewServer(u)
	t.Cleanup(u.Close)
	return u
}

func (u *upstream) script(t *testing.T, text string) {
	t.Helper()
	u.mu.Lock()
	defer u.mu.Unlock()
	u.answers = map[string][]answer{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		path, rest, _ := strings.Cut(line, " ")
		a, err := parseAnswer(rest)
		if err != nil {
			t.Fatalf("upstream line %q: %v", line, err)
		}
		u.answers[path] = append(u.answers[path], a)
	}
}

func parseAnswer(text string) (answer, error) {
	kind, rest, _ := strings.Cut(text, " ")
	status, err := strconv.Atoi(kind)
	if kind == "hold" && rest != "" {
		a, err := parseAnswer(rest)
		a.kind = "hold"
		return a, err
	}
	if err != nil {
		return answer{kind: kind}, nil
	}
	a := answer{kind: "status", status: status, body: rest}
	for err == nil {
		option, after, _ := strings.Cut(a.body, " ")
		name, value, _ := strings.Cut(option, "=")
		switch name {
		case "delay":
			a.delay, err = time.ParseDuration(value)
		case "size":
			a.size, err = strconv.Atoi(value)
		default:
			return a, nil
		}
		a.body = after
	}
	return a, err
}

// ServeHTTP gives the scripted answer.
func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a := u.next(r, string(body))
	select {
	case <-time.After(a.delay):
	case <-r.Context().Done():
		return
	}
	if a.kind == "hold" {
		u.hold()
		if a.kind = "hangup"; a.status > 0 {
			a.kind = "status"
		}
	}
	switch a.kind {
	case "status":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(a.status)
		fmt.Fprint(w, a.body)
		if a.size > 0 {
			fmt.Fprintf(w, `"%s"`, strings.Repeat("x", a.size))
		}
	case "echo":
		fmt.Fprintf(w, `{"echo":%s}`, body)
	case "hangup":
		panic(http.ErrAbortHandler)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (u *upstream) next(r *http.Request, body string) answer {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.calls++
	u.last = strings.TrimRight(fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), body), " ")
	queue := u.answers[r.URL.Path]
	if len(queue) == 0 {
		return answer{kind: "unknown"}
	}
	if len(queue) > 1 {
		u.answers[r.URL.Path] = queue[1:]
	}
	return queue[0]
}

// count is how many requests have come.
func (u *upstream) count() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.calls
}

func (u *upstream) lastRequest() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.last
}

// hold waits until what is held is let go.
func (u *upstream) hold() {
	u.mu.Lock()
	arrived, free := u.arrived, u.free
	u.mu.Unlock()
	arrived <- struct{}{}
	<-free
}

// release lets go what is held, and what would be until the next arm.
func (u *upstream) release() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.armed {
		close(u.free)
	}
	u.armed = false
}

// arm has requests held again, of which none has arrived.
func (u *upstream) arm() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.armed {
		u.free, u.arrived, u.armed = make(chan struct{}), make(chan struct{}, 64), true
	}
}
