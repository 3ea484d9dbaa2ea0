package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// web is a running server that is asked over HTTP.
type web struct {
	up     *up
	client *http.Client
}

func newWeb(u *up) *web {
	return &web{u, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1, DisableCompression: true}}}
}

// web registers the catalogue and starts the server.
func (b *bench) web(ctx context.Context, c catalogue) (*web, error) {
	b.say("registering %d tools with the program", c.tools)
	store := filepath.Join(b.dir, "web.db")
	if _, err := b.add(ctx, store, "tools", c.file, "--name", "catalogue"); err != nil {
		return nil, err
	}
	u, err := b.up(store)
	if err != nil {
		return nil, err
	}
	w := newWeb(u)
	if _, _, err := w.ready(ctx, c.tools); err != nil {
		return nil, fmt.Errorf("%w%w", err, w.close())
	}
	return w, nil
}

func (w *web) ask(ctx context.Context, need string) error {
	body, err := json.Marshal(interlock.Need{Text: need})
	if err != nil {
		return err
	}
	text, err := w.send(ctx, http.MethodPost, "/v1/resolve", body)
	if err != nil {
		return err
	}
	var answer struct {
		Disposition interlock.Disposition
		Scorer      string
		Snapshot    interlock.View
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	if answer.Disposition == "" || answer.Snapshot.View == "" || !strings.HasPrefix(answer.Scorer, "hybrid") {
		return fmt.Errorf("no whole answer, or not by terms and vectors together: %.200s", text)
	}
	return nil
}

// base asks for the health of the server: what HTTP itself takes.
func (w *web) base(ctx context.Context, _ string) error {
	_, err := w.send(ctx, http.MethodGet, "/healthz", nil)
	return err
}

func (w *web) baseName() string { return "GET /healthz" }

func (w *web) send(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, w.up.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := w.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close() //nolint:errcheck // read to its end below
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: HTTP %d: %.200s", method, path, res.StatusCode, text)
	}
	return text, err
}

func (w *web) close() error {
	w.client.CloseIdleConnections()
	w.up.stop()
	return nil
}
