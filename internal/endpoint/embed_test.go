package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding"
	"github.com/seed-ae386458/interlock/embedding/usem3"
)

const testKey = "sk-not-for-anyone-to-read"

// secrets knows one key.
type secrets struct{}

func (secrets) Secret(ref string) (interlock.Secret, error) {
	if ref != "env:KEY" {
		return "", errors.New("unknown")
	}
	return testKey, nil
}

// server serves the embedded model as embedding servers do, and fails on demand.
type server struct {
	*httptest.Server
	model *usem3.Model
	mu    sync.Mutex // guards what follows
	// fail answers in the model's place while it gives true.
	fail  func(w http.ResponseWriter, texts []string) bool
	asked int
	texts int
	log   strings.Builder
}

func newServer(t testing.TB) *server {
	t.Helper()
	s := &server{model: loaded(t)}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	var body embedRequest
	if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer "+testKey ||
		json.NewDecoder(r.Body).Decode(&body) != nil || body.Model != "use/m3" || body.Encoding != "float" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	s.mu.Lock()
	s.asked++
	s.texts += len(body.Input)
	fail := s.fail
	s.mu.Unlock()
	if fail != nil && fail(w, body.Input) {
		return
	}
	type row struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	rows := make([]row, len(body.Input))
	for i, text := range body.Input { // servers give them in any order
		rows[len(rows)-1-i] = row{"embedding", i, s.model.Embed(nil, text)}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": body.Model, "data": rows, "usage": map[string]int{"total_tokens": 1}})
}

func (s *server) set(fail func(w http.ResponseWriter, texts []string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = fail
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *server) options(clock func() time.Time) Options {
	if clock == nil {
		clock = time.Now
	}
	return Options{URL: s.URL + "/v1", Model: "use/m3", Key: "env:KEY", Secrets: secrets{}, Timeout: 300 * time.Millisecond, Batch: 8, Backoff: time.Millisecond,
		Clock: clock, Logger: slog.New(slog.NewTextHandler(&s.log, nil))}
}

// hands is a clock that moves when it is told to.
type hands struct {
	mu sync.Mutex // guards at
	at time.Time
}

func (h *hands) now() time.Time { h.mu.Lock(); defer h.mu.Unlock(); return h.at }

func (h *hands) move(d time.Duration) { h.mu.Lock(); defer h.mu.Unlock(); h.at = h.at.Add(d) }

// TestEqual: vectors from the wire are those of the model, in order, whatever
// the size of a batch, and its cosines need no moving.
func TestEqual(t *testing.T) {
	s := newServer(t)
	e, err := NewEmbedder(s.options(nil))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for i := range 19 {
		texts = append(texts, fmt.Sprint("close the door number ", i))
	}
	got, err := e.Embed(t.Context(), texts)
	if err != nil || len(got) != len(texts) {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	for i, text := range texts {
		want := s.model.Embed(nil, text)
		for j := range want {
			if got[i][j] != want[j] {
				t.Fatalf("text %d differs at %d: %v, not %v", i, j, got[i][j], want[j])
			}
		}
	}
	if scale, shift, known := e.Alignment(); scale != 1 || shift != 0 || !known {
		t.Errorf("the model's own cosines are moved by %v and %v", scale, shift)
	}
	if strings.Contains(e.Name(), "127.0.0.1") || !strings.HasPrefix(e.Name(), "endpoint/1+use/m3@") {
		t.Errorf("the name is %s", e.Name())
	}
}

// TestAligned: a model that sees everything near everything is brought to the
// scale that scores are anchored on.
func TestAligned(t *testing.T) {
	s := newServer(t)
	s.set(func(w http.ResponseWriter, texts []string) bool { // one great component beside the model's own
		var rows []map[string]any
		for i, text := range texts {
			rows = append(rows, map[string]any{"index": i, "embedding": append(s.model.Embed(nil, text), 1.5)})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": rows})
		return true
	})
	e, err := NewEmbedder(s.options(nil))
	if err != nil {
		t.Fatal(err)
	}
	vs, err := e.Embed(t.Context(), []string{"turn on the radio", "Compute the tax of a salary"})
	if err != nil {
		t.Fatal(err)
	}
	scale, shift, _ := e.Alignment()
	raw := float64(embedding.Dot(vs[0], vs[1]))
	want := float64(embedding.Dot(s.model.Embed(nil, "turn on the radio"), s.model.Embed(nil, "Compute the tax of a salary")))
	if got := scale*raw + shift; raw < 0.6 || got < want-0.01 || got > want+0.01 {
		t.Errorf("a cosine of %.3f becomes %.3f; the model itself gives %.3f", raw, got, want)
	}
}

// TestFaults: whatever a server does, an error comes of it in bounded time,
// nothing of the answer is used, and once it is well again so is the embedder.
func TestFaults(t *testing.T) {
	status := func(code int) func(http.ResponseWriter, []string) bool {
		return func(w http.ResponseWriter, texts []string) bool {
			w.WriteHeader(code)
			fmt.Fprintf(w, "your key %s and your text %q", testKey, texts)
			return true
		}
	}
	text := func(body string) func(http.ResponseWriter, []string) bool {
		return func(w http.ResponseWriter, _ []string) bool { _, _ = io.WriteString(w, body); return true }
	}
	long := strings.TrimSuffix(strings.Repeat("0.5,", 512), ",")
	for _, tc := range []struct {
		name string
		fail func(http.ResponseWriter, []string) bool
		want string
	}{
		{"429", status(429), "HTTP 429"},
		{"500", status(500), "HTTP 500"},
		{"401", status(401), "HTTP 401"},
		{"redirect", func(w http.ResponseWriter, _ []string) bool {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return true
		}, "HTTP 307"},
		{"no JSON", text("hello"), "no list"},
		{"NaN", text(`{"data":[{"index":0,"embedding":[NaN]}]}`), "no list"},
		{"null", text(`{"data":[{"index":0,"embedding":[` + strings.Replace(long, "0.5", "null", 1) + `]}]}`), "no number"},
		{"infinite", text(`{"data":[{"index":0,"embedding":[` + strings.Replace(long, "0.5", "1e400", 1) + `]}]}`), "no number"},
		{"without bound", text(`{"data":[{"index":0,"embedding":[` + strings.Replace(long, "0.5", "1e30", 1) + `]}]}`), "without bound"},
		{"wrong length", text(`{"data":[{"index":0,"embedding":[1,2,3]}]}`), "not 512"},
		{"too few", text(`{"data":[]}`), "0 vectors for 1"},
		{"too many", text(`{"data":[{"index":0,"embedding":[` + long + `]},{"index":1,"embedding":[` + long + `]}]}`), "2 vectors for 1"},
		{"wrong number", text(`{"data":[{"index":7,"embedding":[` + long + `]}]}`), "not numbered"},
		{"huge", func(w http.ResponseWriter, _ []string) bool {
			for range 1000 {
				if _, err := io.WriteString(w, strings.Repeat(" ", 64<<10)); err != nil {
					break
				}
			}
			return true
		}, "has over"},
		{"slow", func(http.ResponseWriter, []string) bool { time.Sleep(500 * time.Millisecond); return true }, "in time"},
		{"broken off", func(w http.ResponseWriter, _ []string) bool {
			w.Header().Set("Content-Length", "9999")
			_, _ = io.WriteString(w, `{"data":`)
			return true
		}, "broke off"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, h := newServer(t), &hands{at: time.Unix(1e9, 0)}
			e, err := NewEmbedder(s.options(h.now))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Embed(t.Context(), []string{"first"}); err != nil {
				t.Fatal(err)
			}
			s.set(tc.fail)
			began := time.Now()
			_, err = e.Embed(t.Context(), []string{"a secret text"})
			if err == nil || !strings.Contains(err.Error(), tc.want) || errors.Is(err, interlock.ErrText) {
				t.Fatalf("%v, which does not say %q", err, tc.want)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			for range failures {
				_, _ = e.Embed(t.Context(), []string{"a secret text"})
			}
			before := s.count()
			if _, err := e.Embed(t.Context(), []string{"x"}); err == nil || s.count() != before {
				t.Errorf("an address that fails is asked again at once: %v", err)
			}
			s.set(nil)
			h.move(time.Minute)
			if _, err := e.Embed(t.Context(), []string{"x"}); err != nil {
				t.Errorf("the server is well and the embedder is not: %v", err)
			}
			if text := s.log.String(); strings.Contains(text, testKey) || strings.Contains(text, "a secret text") || !strings.Contains(text, "serves again") {
				t.Errorf("the log: %s", text)
			}
		})
	}
}

// TestRetried: one bad moment costs a wait and nothing else.
func TestRetried(t *testing.T) {
	s := newServer(t)
	n := 0
	s.set(func(w http.ResponseWriter, _ []string) bool {
		if n++; n%2 == 1 {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		return false
	})
	e, err := NewEmbedder(s.options(nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"x"}); err != nil {
		t.Error(err)
	}
}

// TestRetryAfter: a server that asks to be left alone is.
func TestRetryAfter(t *testing.T) {
	s, h := newServer(t), &hands{at: time.Unix(1e9, 0)}
	s.set(func(w http.ResponseWriter, _ []string) bool {
		w.Header().Set("Retry-After", "20")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	e, err := NewEmbedder(s.options(h.now))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []time.Duration{0, 10 * time.Second, 9 * time.Second} {
		h.move(step)
		if _, err := e.Embed(t.Context(), []string{"x"}); err == nil {
			t.Fatal("it answers")
		}
	}
	if s.count() != 1 {
		t.Errorf("it was asked %d times in the 20 seconds", s.count())
	}
}

// TestRefusedText: a text that the server does not take is said to be that, and
// the server is not left alone for it.
func TestRefusedText(t *testing.T) {
	s := newServer(t)
	s.set(func(w http.ResponseWriter, texts []string) bool {
		if strings.Contains(strings.Join(texts, ""), "long") {
			w.WriteHeader(http.StatusBadRequest)
			return true
		}
		return false
	})
	e, err := NewEmbedder(s.options(nil))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 * failures {
		if _, err := e.Embed(t.Context(), []string{"long"}); !errors.Is(err, interlock.ErrText) {
			t.Fatal(err)
		}
	}
	if _, err := e.Embed(t.Context(), []string{"short"}); err != nil {
		t.Error(err)
	}
}

// TestGone: whoever gives up says nothing of the server.
func TestGone(t *testing.T) {
	s := newServer(t)
	release := make(chan struct{})
	s.set(func(http.ResponseWriter, []string) bool { <-release; return false })
	e, err := NewEmbedder(s.options(nil))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 * failures {
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Millisecond, stop)
		if _, err := e.Embed(ctx, []string{"x"}); err == nil {
			t.Fatal("it answers")
		}
	}
	close(release)
	if _, err := e.Embed(t.Context(), []string{"x"}); err != nil {
		t.Error(err)
	}
}

// TestTellsNothing: a model that gives every text one vector is refused.
func TestTellsNothing(t *testing.T) {
	s := newServer(t)
	s.set(func(w http.ResponseWriter, texts []string) bool {
		var rows []map[string]any
		for i := range texts {
			rows = append(rows, map[string]any{"index": i, "embedding": []int{1, 2, 3}})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": rows})
		return true
	})
	e, err := NewEmbedder(s.options(nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"x"}); err == nil || !strings.Contains(err.Error(), "no better") {
		t.Error(err)
	}
	if _, _, known := e.Alignment(); known {
		t.Error("it has a scale")
	}
}

func TestOptionsAreChecked(t *testing.T) {
	good := Options{URL: "http://127.0.0.1:1/v1", Model: "m", Secrets: secrets{}, Clock: time.Now, Logger: slog.New(slog.DiscardHandler)}
	for _, tc := range []struct {
		change func(*Options)
		want   string
	}{
		{func(*Options) {}, ""},
		{func(o *Options) { o.URL = "" }, "url"},
		{func(o *Options) { o.URL = "ftp://x" }, "url"},
		{func(o *Options) { o.URL = "http://u:p@x/" }, "url"},
		{func(o *Options) { o.Model = "" }, "model"},
		{func(o *Options) { o.Model = "a b" }, "model"},
		{func(o *Options) { o.Dimensions = -1 }, "dimensions"},
		{func(o *Options) { o.Batch = 1e6 }, "batch"},
		{func(o *Options) { o.Timeout = -1 }, ""}, // takes the default
		{func(o *Options) { o.Key = "sk-clear" }, "never the key itself"},
		{func(o *Options) { o.Key, o.Secrets = "env:KEY", nil }, "secrets"},
	} {
		o := good
		tc.change(&o)
		_, err := NewEmbedder(o)
		if (err == nil) != (tc.want == "") || err != nil && (!strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "sk-clear")) {
			t.Errorf("%+v: %v, want %q", o, err, tc.want)
		}
	}
}
