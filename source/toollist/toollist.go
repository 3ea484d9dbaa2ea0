// Package toollist reads lists of tools that have no live endpoint: a file of
// JSON lines, one tool a line, with at least an id and a name.
//
// It promises that the id of a line is the tool's whole name, that schemas and
// annotations keep their bytes, and that a bad line is a finding that names
// its number ("/17", the first line being 1) and costs itself alone.
//
// It refuses to call anything: the tools of a list can be resolved, and a call
// is answered with unavailable.
//
//	src, err := toollist.NewOpener().Open(interlock.SourceConfig{File: "tools.jsonl"})
//	catalogue, err := src.Catalogue(ctx)
package toollist

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// MaxFile is the largest list read, in bytes.
const MaxFile = 256 << 20

// Opener opens sources of kind "tools".
type Opener struct{}

// NewOpener makes an opener.
func NewOpener() *Opener { return &Opener{} }

// Open makes the source; it reads nothing.
func (*Opener) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	if cfg.File == "" || cfg.URL != "" {
		return nil, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: "ingest", Public: "A list of tools is a file."}
	}
	return &source{file: cfg.File}, nil
}

// source is one list.
type source struct{ file string }

// Catalogue reads the file.
func (s *source) Catalogue(ctx context.Context) (interlock.Catalogue, error) {
	f, err := os.Open(s.file)
	if err != nil {
		return interlock.Catalogue{}, invalid("The list cannot be opened: %s.", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return interlock.Catalogue{}, invalid("The list cannot be read: %s.", err)
	}
	if len(text) > MaxFile {
		return interlock.Catalogue{}, invalid("The list is over the limit of %d bytes.", MaxFile)
	}
	if err := ctx.Err(); err != nil {
		return interlock.Catalogue{}, err
	}
	c := Read(text)
	if len(c.Operations) == 0 && c.Total > 0 {
		return c, invalid("The file is no list of tools: no line of it is one. Line %s: %s.", strings.TrimPrefix(c.Findings[0].Pointer, "/"), c.Findings[0].Reason)
	}
	return c, nil
}

func invalid(format string, args ...any) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest", Public: fmt.Sprintf(format, args...)}
}

// Call refuses: there is nothing to call.
func (*source) Call(context.Context, interlock.Outbound) (interlock.Reply, error) {
	return interlock.Reply{}, &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonUnavailable, Stage: "invoke", Outcome: interlock.OutcomeNotSent,
		Public: "The tool comes from a list and has no endpoint to call."}
}

// Close does nothing: nothing is open.
func (*source) Close() error { return nil }
