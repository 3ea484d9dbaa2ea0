package mcp

import (
	"context"
	"net/http"
	"time"
)

// listen keeps a stream of the server's own notices open until ctx
// ends. A server that offers none is left alone; a stream that breaks is opened
// again, ever more slowly.
func (w *web) listen(ctx context.Context, sess *session) {
	pause := resumePause
	for ctx.Err() == nil {
		f := w.launch(ctx)
		begun := time.Now()
		resp, err := w.openNotices(f, sess)
		if err == nil {
			if !isNotices(resp) {
				resp.Body.Close()
				f.end()
				return
			}
			w.hear(resp)
		}
		f.end()
		if time.Since(begun) > maxPause {
			pause = resumePause
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, maxPause)
	}
}

// openNotices asks for the stream in the way of the session's era.
func (w *web) openNotices(f *flight, sess *session) (*http.Response, error) {
	if !w.modern {
		return w.get(f, "")
	}
	req := request{method: "subscriptions/listen", params: sess.params([]byte(`{"notifications":{"toolsListChanged":true}`))}
	return w.post(f, req.encode(w.ids.Add(1)), &req)
}

func isNotices(resp *http.Response) bool {
	return resp.StatusCode == http.StatusOK && mediaType(resp.Header) == "text/event-stream"
}

// hear reads notices until the stream ends.
func (w *web) hear(resp *http.Response) {
	defer resp.Body.Close()
	e := events{r: w.reader(resp.Body), limit: maxHandshake}
	defer w.putReader(e.r)
	for {
		ev, err := e.next()
		if err != nil {
			return
		}
		if m, err := parse(ev.data); err == nil {
			w.incoming(m)
		}
	}
}
