package router_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tiktoken-go/tokenizer"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding/usem3"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/router"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// world is everything that one scenario acts in. Its verbs run one after
// another.
type world struct {
	t           *testing.T
	out         strings.Builder
	files       map[string]string
	dir         string
	clock       *clock
	random      io.Reader
	upstream    *upstream
	down        *downs
	embedder    interlock.Embedder
	glosser     interlock.Glosser
	drift       drift.Policy
	insensitive bool
	registries  map[string]*registry
	reg         *registry
	principals  map[string]interlock.Principal
	who         interlock.Principal
	offers      names // o1, o2, …
	approvals   names // a1, a2, …
	pending     chan string
	abandoned   []*registry
}

// registry is one router over one store.
type registry struct {
	path  string
	keys  receipt.Keys
	store *sqlite.Store
	*router.Router
}

func newWorld(t *testing.T, files map[string]string) *world {
	w := &world{t: t, files: map[string]string{}, dir: t.TempDir(), clock: newClock(), random: newRandom(7), down: newDowns(),
		registries: map[string]*registry{}, principals: map[string]interlock.Principal{}, who: interlock.Local(),
		offers: newNames("o"), approvals: newNames("a")}
	w.upstream = newUpstream(t)
	for name, text := range files {
		w.files[name] = strings.NewReplacer("$UPSTREAM", w.upstream.URL, "$NOWHERE", "http://127.0.0.1:1", "$LARGE", strings.Repeat("x", interlock.DefaultMaxArgs)).Replace(text)
	}
	if script, ok := w.files["upstream.txt"]; ok {
		w.upstream.script(t, script)
	}
	w.use("main", 0)
	t.Cleanup(w.close)
	return w
}

// use makes a registry the current one, opening it where it is new.
func (w *world) use(name string, quota int64) {
	if w.registries[name] == nil {
		keys, err := receipt.NewKeys(newRandom(byte(11 + len(w.registries))))
		if err != nil {
			w.t.Fatal(err)
		}
		w.registries[name] = w.open(filepath.Join(w.dir, name+".db"), keys, quota)
	}
	w.reg = w.registries[name]
}

func (w *world) open(path string, keys receipt.Keys, quota int64) *registry {
	w.t.Helper()
	store, err := sqlite.Open(context.Background(), path, sqlite.Options{MaxBytes: quota})
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := router.New(context.Background(), router.Options{Store: store, Openers: openers(w.down), Keys: keys, Logger: slog.New(slog.DiscardHandler),
		Clock: w.clock.now, Random: w.random, Embedder: w.embedder, Glosser: w.glosser, Tokens: countTokens, Tokenizers: map[string]func(string) int{"bytes": func(s string) int { return len(s) }}, Drift: w.drift, InsensitiveReads: w.insensitive})
	if err != nil {
		w.t.Fatal(err)
	}
	return &registry{path, keys, store, r}
}

// restart closes the registry in order and opens it again.
func (w *world) restart(quota int64) {
	w.replace(w.reg, func(old *registry) *registry {
		if err := old.close(); err != nil {
			w.t.Fatal(err)
		}
		return w.open(old.path, old.keys, quota)
	})
}

// crash goes on with what the disk had at this moment: a copy of the files of
// the store, opened, while the old process is left where it stood.
func (w *world) crash() {
	w.replace(w.reg, func(old *registry) *registry {
		w.abandoned = append(w.abandoned, old)
		path := filepath.Join(w.t.TempDir(), "crashed.db")
		for _, suffix := range []string{"", "-wal"} {
			data, err := os.ReadFile(old.path + suffix)
			if err == nil {
				err = os.WriteFile(path+suffix, data, 0o600)
			}
			if err != nil {
				w.t.Fatal(err)
			}
		}
		return w.open(path, old.keys, 0)
	})
}

func (w *world) replace(old *registry, by func(*registry) *registry) {
	for name, r := range w.registries {
		if r == old {
			w.registries[name] = by(old)
			w.reg = w.registries[name]
		}
	}
}

func (r *registry) close() error {
	if err := r.Close(); err != nil {
		return err
	}
	return r.store.Close()
}

func (w *world) close() {
	w.upstream.release()
	if w.pending != nil {
		<-w.pending
	}
	for _, r := range w.abandoned {
		_ = r.close()
	}
	for name, r := range w.registries {
		if err := r.close(); err != nil {
			w.t.Errorf("close %s: %v", name, err)
		}
	}
}

func (w *world) printf(format string, args ...any) { fmt.Fprintf(&w.out, format+"\n", args...) }

// clock stands still until a scenario waits.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) wait(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// random is chance that repeats, for any number of readers.
type random struct {
	mu  sync.Mutex
	src *rand.ChaCha8
}

func newRandom(seed byte) *random { return &random{src: rand.NewChaCha8([32]byte{seed})} }

func (r *random) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.src.Read(p)
}

// names gives short names to long texts, in the order they are met.
type names struct {
	prefix string
	long   map[string]string
	short  map[string]string
}

func newNames(prefix string) names { return names{prefix, map[string]string{}, map[string]string{}} }

func (n names) of(text string) string {
	if n.short[text] == "" {
		n.put(fmt.Sprintf("%s%d", n.prefix, len(n.long)+1), text)
	}
	return n.short[text]
}

func (n names) put(name, text string) { n.short[text], n.long[name] = name, text }

// get gives the long text of a name; a name that is none stands for itself.
func (n names) get(name string) string {
	if text, ok := n.long[name]; ok {
		return text
	}
	return name
}

var codec = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

func countTokens(text string) int {
	c, err := codec()
	if err != nil {
		return len(text)
	}
	n, err := c.Count(text)
	if err != nil {
		return len(text)
	}
	return n
}

// builtin is the embedded model.
type builtin struct{ *usem3.Model }

var model = sync.OnceValues(usem3.Load)

func (b builtin) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = b.Model.Embed(nil, text)
	}
	return out, nil
}
