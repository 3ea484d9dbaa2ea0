package endpoint

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRerank: a server that orders by length is read as it means, whatever the
// order of its results and whatever else stands in them.
func TestRerank(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body rerankRequest
		if r.URL.Path != "/v1/rerank" || json.NewDecoder(r.Body).Decode(&body) != nil || body.Query != "need" || body.TopN != len(body.Documents) {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		rows := []map[string]any{}
		for i, d := range body.Documents {
			rows = append(rows, map[string]any{"index": i, "relevance_score": float64(len(d)), "document": map[string]string{"text": d}})
		}
		slices.Reverse(rows)
		_ = json.NewEncoder(w).Encode(map[string]any{"id": "x", "results": rows})
	}))
	defer s.Close()
	r, err := NewReranker(Options{URL: s.URL + "/v1/", Model: "m", Clock: time.Now, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Rerank(t.Context(), "need", []string{"aa", "a", "漢漢漢"})
	if err != nil || !slices.Equal(got, []float64{2, 1, 9}) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestRerankFaults: an answer that is not one number a text is none.
func TestRerankFaults(t *testing.T) {
	for _, tc := range []struct{ body, want string }{
		{`nothing`, "no list"},
		{`{}`, "0 results for 2"},
		{`{"results":[{"index":0,"relevance_score":1}]}`, "1 results for 2"},
		{`{"results":[{"index":0,"relevance_score":1},{"index":0,"relevance_score":2}]}`, "not numbered"},
		{`{"results":[{"index":0,"relevance_score":1},{"index":2,"relevance_score":2}]}`, "not numbered"},
		{`{"results":[{"index":0,"relevance_score":1},{"index":-1,"relevance_score":2}]}`, "not numbered"},
		{`{"results":[{"index":0,"relevance_score":1},{"relevance_score":2}]}`, "not numbered"},
		{`{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":NaN}]}`, "no list"},
		{`{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":1e999}]}`, "no list"},
		{`{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":null}]}`, "without a number"},
		{`{"results":[{"index":0,"relevance_score":1},{"index":1}]}`, "without a number"},
		{strings.Repeat(" ", 1<<20), "has over"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, tc.body) }))
		r, err := NewReranker(Options{URL: s.URL, Model: "m", Clock: time.Now, Backoff: time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Rerank(t.Context(), "need", []string{"a", "b"}); err == nil || got != nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, %v", fmt.Sprintf("%.80s", tc.body), got, err)
		}
		s.Close()
	}
}
