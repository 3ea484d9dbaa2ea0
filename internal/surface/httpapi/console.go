package httpapi

import (
	"context"
	"embed"
	"net/http"
	"time"

	"github.com/seed-ae386458/interlock"
)

// The console is pages that hold nothing: what they show they ask of /v1, with
// the credential of whoever looks. So they are given to anyone, and nothing that
// a tool says is ever part of a page.
//
//go:embed console
var consoleFiles embed.FS

// consolePages are the files of the console, by the last part of their path.
var consolePages = map[string]struct{ file, media string }{
	"approvals":    {"console/approvals.html", "text/html; charset=utf-8"},
	"approvals.js": {"console/approvals.js", "text/javascript; charset=utf-8"},
	"text.js":      {"console/text.js", "text/javascript; charset=utf-8"},
	"console.css":  {"console/console.css", "text/css; charset=utf-8"},
}

// console names the paths that a pass is good for.
var console = map[string]bool{"/v1/approvals": true, "/v1/approvals/{id}": true, "/v1/tools/{name...}": true}

// consoleRules let a page of the console run its own script and speak to its
// own server, and nothing else: no text becomes markup, no frame shows it.
const consoleRules = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// console answers GET /console/{file}.
func (s *server) console(w http.ResponseWriter, r *http.Request, _ caller) error {
	page, ok := consolePages[r.PathValue("file")]
	if !ok {
		return errNotFound()
	}
	raw, err := consoleFiles.ReadFile(page.file)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", page.media)
	h.Set("Content-Security-Policy", consoleRules)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	_, err = w.Write(raw)
	return err
}

// ConsoleLink opens the console for the operator.
type ConsoleLink struct {
	URL     string    `json:"url"`
	Expires time.Time `json:"expires"`
}

// link answers POST /v1/console.
func (s *server) link(w http.ResponseWriter, _ *http.Request, c caller) error {
	if !s.local || !c.who.Operator {
		return errOperator("A link to the console is given to the operator on the machine of the store: run interlock console there.")
	}
	if s.opts.Passes == nil || s.opts.Address == "" {
		return errNoConsole()
	}
	pass, until := s.opts.Passes.Make()
	w.Header().Set("Cache-Control", "no-store")
	return sendValue(w, ConsoleLink{URL: s.opts.Address + "/console/approvals#" + pass, Expires: until.UTC()})
}

// errNoConsole is the error of a server without a Public door.
func errNoConsole() error {
	return &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonUnavailable, Stage: stageSurface,
		Public: "This store is served without HTTP, so there is no console; start it with `interlock up`."}
}

// Console gives a new link to the console of the server.
func (c *Client) Console(ctx context.Context) (link ConsoleLink, err error) {
	return link, c.post(ctx, "/v1/console", []byte("{}"), nil, &link)
}
