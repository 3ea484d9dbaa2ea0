package httpapi

import (
	"bytes"
	_ "embed"
	"fmt"
	"net/http"
	"time"
)

// healthTime bounds a health check.
const healthTime = 5 * time.Second

//go:embed landing.html
var landingText string

// landingFacts are what the landing page shows.
type landingFacts struct {
	Version, Base string
	MCP, Open     bool
}

// landing answers GET / with a page that says what this is and where to go.
func (s *server) landing(w http.ResponseWriter, r *http.Request, _ caller) error {
	facts := landingFacts{Version: s.opts.Version, Base: "http://" + r.Host, MCP: s.opts.MCP != nil, Open: s.guard.Open()}
	if r.TLS != nil {
		facts.Base = "https://" + r.Host
	}
	var out bytes.Buffer
	if err := s.page.Execute(&out, facts); err != nil {
		return fmt.Errorf("landing page: %w", err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	_, err := w.Write(out.Bytes())
	return err
}
