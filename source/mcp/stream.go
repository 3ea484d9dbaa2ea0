package mcp

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	resumePause  = time.Second // before resuming, where the server names no pause
	maxPause     = 30 * time.Second
	maxResumes   = 5 // without progress
	drainTimeout = time.Second
)

// stream reads the events of an answer until the answer itself comes, resuming
// where the server cut the stream and gave ids to resume from.
func (w *web) stream(f *flight, resp *http.Response, id, limit int64) (answer, error) {
	lastID := ""
	for idle := 0; ; {
		e := events{r: w.reader(resp.Body), limit: limit, id: lastID}
		ans, err := w.await(&e, id)
		if err == nil {
			w.drain(f, resp, e.r)
			return ans, nil
		}
		w.putReader(e.r)
		resp.Body.Close()
		if fault := asFault(err); fault.kind != faultBroken || e.id == "" || w.modern {
			return answer{}, fault
		}
		if idle++; e.id != lastID {
			idle, lastID = 0, e.id
		}
		if idle > maxResumes {
			return answer{}, faultf(faultBroken, true, "the stream was resumed %d times without progress", maxResumes)
		}
		if resp, err = w.resume(f, lastID, e.retry); err != nil {
			return answer{}, err
		}
	}
}

// await reads events until the answer to request id.
func (w *web) await(e *events, id int64) (answer, error) {
	for {
		ev, err := e.next()
		switch {
		case errors.Is(err, errTooLarge):
			return answer{}, faultf(faultTooLarge, true, "an event of the answer is over %d bytes", e.limit)
		case err != nil:
			return answer{}, faultf(faultBroken, true, "the stream ended before the answer: %w", err)
		case len(ev.data) == 0 || ev.name != "" && ev.name != "message":
			continue
		}
		m, err := parse(ev.data)
		if err != nil {
			return answer{}, faultf(faultMalformed, true, "an event of the answer: %w", err)
		}
		if got, ok := m.number(); ok && got == id && m.isAnswer() {
			return m.answer, nil
		}
		w.incoming(m)
	}
}

// resume asks for the rest of a stream after the event lastID.
func (w *web) resume(f *flight, lastID string, pause time.Duration) (*http.Response, error) {
	if pause <= 0 {
		pause = resumePause
	}
	select {
	case <-f.ctx.Done():
		return nil, faultf(faultBroken, true, "resume the stream: %w", f.ctx.Err())
	case <-time.After(min(pause, maxPause)):
	}
	resp, err := w.get(f, lastID)
	if err != nil {
		return nil, faultf(faultBroken, true, "resume the stream: %w", err)
	}
	if resp.StatusCode != http.StatusOK || mediaType(resp.Header) != "text/event-stream" {
		resp.Body.Close()
		return nil, faultf(faultBroken, true, "resume the stream: HTTP %d", resp.StatusCode)
	}
	return resp, nil
}

// get opens a stream of the server's own messages, or the rest of one.
func (w *web) get(f *flight, lastID string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(f.ctx, http.MethodGet, w.url, nil)
	if err != nil {
		return nil, err
	}
	if err := w.dress(req.Header); err != nil {
		return nil, err
	}
	delete(req.Header, "Content-Type")
	req.Header["Accept"] = []string{"text/event-stream"}
	if lastID != "" {
		req.Header.Set("Last-Event-Id", lastID)
	}
	return w.client.Do(req)
}

// incoming deals with a message that is no answer to a request of ours.
func (w *web) incoming(m message) {
	switch {
	case m.method == "notifications/tools/list_changed":
		if w.changed != nil {
			w.changed()
		}
	case m.method != "" && m.id != nil && !isNull(m.id):
		w.tell(refusal(m))
	}
}

func (w *web) reader(body io.Reader) *bufio.Reader {
	if r, ok := w.buffers.Get().(*bufio.Reader); ok {
		r.Reset(body)
		return r
	}
	return bufio.NewReaderSize(body, 16<<10)
}

func (w *web) putReader(r *bufio.Reader) {
	r.Reset(nil)
	w.buffers.Put(r)
}

// drain reads what follows an answer, so that the connection can be used
// again, and ends the flight.
func (w *web) drain(f *flight, resp *http.Response, r *bufio.Reader) {
	f.stop()
	f.handed = true
	w.spawn(func() { // the exchange under way keeps the link open: this runs
		late := time.AfterFunc(drainTimeout, f.cancel)
		_, _ = io.Copy(io.Discard, io.LimitReader(r, maxErrorBody))
		late.Stop()
		_ = resp.Body.Close()
		f.cancel()
		w.putReader(r)
	})
}
