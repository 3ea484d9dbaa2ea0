package router_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/endpoint"
	"github.com/seed-ae386458/interlock/router"
)

// TestRerankerComesBack: a model that failed, and is left alone for it, is found
// to serve again by a need of several requests too, of which one alone may try.
func TestRerankerComesBack(t *testing.T) {
	var down atomic.Bool
	down.Store(true)
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Documents []string }
		if down.Load() || json.NewDecoder(r.Body).Decode(&in) != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		time.Sleep(10 * time.Millisecond) // longer than it takes the others to be refused
		rows := []map[string]any{}
		for i := range in.Documents {
			rows = append(rows, map[string]any{"index": i, "relevance_score": i})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"results": rows})
	}))
	defer model.Close()
	var now atomic.Int64
	clock := func() time.Time { return time.Unix(1_800_000_000+now.Load(), 0) }
	r, err := endpoint.NewReranker(endpoint.Options{URL: model.URL, Model: "m", Backoff: time.Millisecond, Clock: clock, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	router := newRouterWith(t, s, func(o *router.Options) { o.Reranker, o.RerankWait = r, 5*time.Second })
	stock(t, router, s, twoOfEach(), []string{"s0"})
	spoke := func() bool {
		res, err := router.Resolve(t.Context(), interlock.Local(), interlock.Need{Text: twoRequests})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(res.Scorer, "rerank/1+m@")
	}
	for range 3 {
		if spoke() {
			t.Fatal("a model that is down spoke")
		}
	}
	down.Store(false)
	now.Store(3600)
	if spoke(); !spoke() {
		t.Error("a model that serves again is not heard")
	}
}
