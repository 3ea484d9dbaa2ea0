// Package manifest reads manifests: files in which the operator declares
// families, versions, compatibility edges and field meanings, for tools of any
// source and for HTTP tools of their own.
//
// It promises that a manifest is held strictly to the published format
// ([Schema]): an unknown key is named with the nearest known one; a wrong tool
// becomes a finding and costs itself alone, and so does a wrong edge or
// overlay. The arguments of a tool reach its address as they were spelled.
//
// It refuses a file that as a whole is no manifest: no YAML or JSON, another
// format version, no source name, an unknown key at the top.
//
//	src, err := manifest.NewOpener(manifest.Options{Secrets: secrets}).Open(cfg)
//	catalogue, err := src.Catalogue(ctx)
package manifest

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/source/httpcall"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// MaxFile is the largest manifest read, in bytes.
const MaxFile = 32 << 20

//go:embed manifest.schema.json
var schema string

// Schema gives the JSON Schema of the format, draft 2020-12.
func Schema() []byte { return []byte(schema) }

// Options of the opener; the zero value reads no references.
type Options struct {
	// Secrets reads the references of headers.
	Secrets interlock.Secrets
	// Random and Backoff spread retries; see httpcall.Options.
	Random  func() float64
	Backoff time.Duration
}

// Opener opens sources of kind "manifest".
type Opener struct{ opts Options }

// NewOpener makes an opener.
func NewOpener(opts Options) *Opener { return &Opener{opts: opts} }

// Open makes the source; it reads nothing.
func (o *Opener) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	if cfg.File == "" || cfg.URL != "" {
		return nil, invalidConfig("a manifest source takes a file")
	}
	var base *url.URL
	if cfg.BaseURL != "" {
		var err error
		if base, err = url.Parse(cfg.BaseURL); err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
			return nil, invalidConfig("the base URL %q is no absolute http or https URL without password, query and fragment", cfg.BaseURL)
		}
	}
	client, err := httpcall.New(httpcall.Options{Headers: cfg.Headers, Credentials: cfg.Credentials,
		Secrets: o.opts.Secrets, Random: o.opts.Random, Backoff: o.opts.Backoff})
	if err != nil {
		return nil, invalidConfig("%s", err)
	}
	return &source{file: cfg.File, base: base, client: client}, nil
}

func invalidConfig(format string, args ...any) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: "ingest", Public: fmt.Sprintf(format, args...)}
}

// source is one manifest and the addresses that it names.
type source struct {
	file   string
	base   *url.URL // in the place of the hosts that the file names; nil: those
	client *httpcall.Client
}

// Catalogue reads the file.
func (s *source) Catalogue(context.Context) (interlock.Catalogue, error) {
	f, err := os.Open(s.file)
	if err != nil {
		return interlock.Catalogue{}, invalid("", "the manifest cannot be opened: %s", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return interlock.Catalogue{}, invalid("", "the manifest cannot be read: %s", err)
	}
	c, err := Read(text)
	if err != nil || s.base == nil {
		return c, err
	}
	for i := range c.Operations {
		if c.Operations[i].Binding, err = rebase(c.Operations[i].Binding, s.base); err != nil {
			return c, invalid("/tools", "the base URL cannot be used: %s", err)
		}
	}
	return c, nil
}

// rebase sends a call to another host, below its path.
func rebase(binding json.RawMessage, base *url.URL) (json.RawMessage, error) {
	if binding == nil {
		return nil, nil
	}
	var b httpcall.Binding
	if err := json.Unmarshal(binding, &b); err != nil {
		return nil, err
	}
	at := strings.Index(b.URL, "://") + len("://")
	rest := ""
	if i := strings.IndexAny(b.URL[at:], "/?"); i >= 0 {
		rest = b.URL[at+i:]
	}
	b.URL = strings.TrimSuffix(base.String(), "/") + rest
	return b.Encode()
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

func invalid(pointer, format string, args ...any) *interlock.Error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest", Pointer: pointer, Public: fmt.Sprintf(format, args...)}
}

// Read reads the text of a manifest. Its error is an *interlock.Error that
// points at the place; everything that costs less than the whole is a finding.
func Read(text []byte) (interlock.Catalogue, error) {
	doc, err := yamljson.Parse(text, yamljson.Limits{Bytes: MaxFile})
	if err != nil {
		return interlock.Catalogue{}, invalid("", "the manifest cannot be read: %s", err)
	}
	return read(doc)
}
