package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/seed-ae386458/interlock/embedding/usem3"
)

// upstream is a small HTTP service that counts what it is asked and repeats
// what it is told: a real counterpart for the tools of the tests.
type upstream struct {
	server *httptest.Server
	mu     sync.Mutex // guards counts
	counts map[string]int
}

func newUpstream() *upstream {
	u := &upstream{counts: map[string]int{}}
	u.server = httptest.NewServer(u)
	return u
}

func (u *upstream) hits(path string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.counts[path]
}

// ServeHTTP answers by path: /echo with the member "reply" of the body as it
// is spelled, /came with which of the planted secrets came, /fail with a failure, /absent with 404, /locked with 401 to whoever has not the secret of the file, /hang after the client has gone, and
// /model with vectors of the embedded model to whoever has the key, or with the
// longest text first, and anything else with ok.
func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.mu.Lock()
	u.counts[r.URL.Path]++
	u.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasPrefix(r.URL.Path, "/echo"):
		var in struct{ Reply json.RawMessage }
		if json.Unmarshal(body, &in) != nil || in.Reply == nil {
			in.Reply = json.RawMessage(`{"text":"no reply asked for"}`)
		}
		_, _ = w.Write(in.Reply)
	case strings.HasPrefix(r.URL.Path, "/came"):
		all := fmt.Sprint(r.Header)
		_, _ = fmt.Fprintf(w, `{"env":%t,"file":%t,"caller":%t}`, r.Header.Get("X-From-Env") == "planted-in-the-variable",
			r.Header.Get("X-From-File") == "planted-in-the-file", strings.Contains(all, "planted-key") || r.Header.Get("Authorization") != "")
	case r.URL.Path == "/model/embeddings":
		embeddings(w, r.Header.Get("Authorization"), body)
	case r.URL.Path == "/model/rerank":
		longest(w, body)
	case strings.HasPrefix(r.URL.Path, "/locked") && r.Header.Get("X-From-File") != "planted-in-the-file":
		w.WriteHeader(http.StatusUnauthorized)
	case strings.HasPrefix(r.URL.Path, "/absent"):
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":"POISONOUS"}`)
	case strings.HasPrefix(r.URL.Path, "/fail"):
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, `{"error":"POISONOUS"}`)
	case strings.HasPrefix(r.URL.Path, "/hang"):
		<-r.Context().Done()
	default:
		_, _ = io.WriteString(w, `{"ok":true}`)
	}
}

// longest puts texts in order as reranking servers do, by how long they are.
func longest(w http.ResponseWriter, body []byte) {
	var in struct{ Documents []string }
	if json.Unmarshal(body, &in) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	rows := []map[string]any{}
	for i, text := range in.Documents {
		rows = append(rows, map[string]any{"index": i, "relevance_score": len(text)})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"results": rows})
}

var embedded = sync.OnceValues(usem3.Load)

// embeddings serves the embedded model as embedding servers do.
func embeddings(w http.ResponseWriter, key string, body []byte) {
	var in struct{ Input []string }
	model, err := embedded()
	if err != nil || key != "Bearer planted-key" || json.Unmarshal(body, &in) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	rows := []map[string]any{}
	for i, text := range in.Input {
		rows = append(rows, map[string]any{"index": i, "embedding": model.Embed(nil, text)})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": rows})
}
