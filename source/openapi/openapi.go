// Package openapi reads OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 documents and
// sends calls to the services that they describe.
//
// It promises that every operation of a document becomes an operation or a
// named finding, and that a bad path, parameter, schema or reference costs its
// own operation alone; that the schemas of a tool are self-contained JSON
// Schema 2020-12, in which cycles stay references; and that reading is pure:
// the same document gives the same bytes, whatever is read first.
//
// It refuses references that lead out of the document, and to believe a
// document about itself: a server URL inside it is held to public addresses
// unless it names the host that the operator gave.
//
//	src, err := openapi.NewOpener(openapi.Options{Secrets: secrets}).Open(cfg)
//	catalogue, err := src.Catalogue(ctx)
package openapi

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/source/httpcall"
)

// MaxDocument is the largest document read, in bytes, unpacked.
const MaxDocument = 32 << 20

// Options of the opener; the zero value reads no references.
type Options struct {
	// Secrets reads the references of credentials and headers.
	Secrets interlock.Secrets
	// Random and Backoff spread retries; see httpcall.Options.
	Random  func() float64
	Backoff time.Duration
}

// Opener opens sources of kind "openapi".
type Opener struct{ opts Options }

// NewOpener makes an opener.
func NewOpener(opts Options) *Opener { return &Opener{opts: opts} }

// Open makes the source; it reads nothing.
func (o *Opener) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	if (cfg.File == "") == (cfg.URL == "") {
		return nil, invalidConfig("an openapi source takes a file or a URL, one of the two")
	}
	if cfg.BaseURL != "" {
		if err := checkBase(cfg.BaseURL); err != nil {
			return nil, invalidConfig("the base URL: %s", err)
		}
	}
	client, err := httpcall.New(httpcall.Options{Headers: cfg.Headers, Credentials: cfg.Credentials,
		Secrets: o.opts.Secrets, Random: o.opts.Random, Backoff: o.opts.Backoff})
	if err != nil {
		return nil, invalidConfig("%s", err)
	}
	return &source{cfg: cfg, client: client}, nil
}

func invalidConfig(format string, args ...any) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: "ingest", Public: fmt.Sprintf(format, args...)}
}

// checkBase takes an absolute URL that paths can be appended to.
func checkBase(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return fmt.Errorf("%q is no absolute http or https URL without a password", text)
	}
	if u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(text, "{}?#") {
		return fmt.Errorf("%q has a query, a fragment or a placeholder", text)
	}
	return nil
}

// source is one document and the service behind it.
type source struct {
	cfg    interlock.SourceConfig
	client *httpcall.Client
}

// Catalogue reads the document.
func (s *source) Catalogue(ctx context.Context) (interlock.Catalogue, error) {
	text, err := s.load(ctx)
	if err != nil {
		return interlock.Catalogue{}, err
	}
	doc, err := parse(text)
	if err != nil {
		return interlock.Catalogue{}, err
	}
	cat := doc.read(place{base: s.cfg.BaseURL, from: s.cfg.URL})
	for i := range cat.Operations {
		if name := s.client.Lacks(cat.Operations[i].Binding); name != "" && !slices.Contains(cat.Lacking, name) {
			cat.Lacking = append(cat.Lacking, name)
		}
	}
	return cat, nil
}

// Call sends one call.
func (s *source) Call(ctx context.Context, call interlock.Outbound) (interlock.Reply, error) {
	return s.client.Call(ctx, call)
}

// Ready finds out what keeps a call from being sent.
func (s *source) Ready(ctx context.Context, call interlock.Outbound) error {
	return s.client.Ready(ctx, call)
}

// Close ends the source's connections.
func (s *source) Close() error { return s.client.Close() }
