package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/diff/documents"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// exitBreaking is the exit code of a breaking change, and of one that nobody
// could decide.
const exitBreaking = 4

// maxCompared is the largest text that is compared, in bytes, unpacked.
const maxCompared = 32 << 20

// diffCmd compares contracts without a registry.
type diffCmd struct {
	Pairs    diffPairs    `cmd:"" default:"withargs" hidden:"" help:"Many pairs of schemas from a file."`
	OpenAPI  diffOpenAPI  `cmd:"" name:"openapi" help:"Two OpenAPI documents."`
	Schema   diffSchema   `cmd:"" help:"Two JSON Schemas."`
	Manifest diffManifest `cmd:"" help:"Two manifests."`
	Tools    diffTools    `cmd:"" help:"Two lists of MCP tools: what tools/list answered, or one tool a line."`
	Source   diffSource   `cmd:"" help:"A registered source, read again, against what the store holds of it."`
}

// diffOutput is what every comparison can be told.
type diffOutput struct {
	SARIF string `name:"sarif" help:"Write the changes as SARIF, for code review." placeholder:"FILE" type:"path"`
	Mode  string `help:"strict: as the schemas say; tool: as Interlock enforces them." enum:"strict,tool" default:"tool" placeholder:"MODE"`
	All   bool   `help:"Show the changes that break nobody, too."`
}

func (o diffOutput) options() documents.Options {
	return documents.Options{Options: diff.Options{Mode: diff.Mode(o.Mode)}}
}

type diffOpenAPI struct {
	diffOutput
	Base     string `arg:"" help:"The document that callers were built against."`
	Revision string `arg:"" help:"The document that may take its place."`
}

type diffManifest struct {
	diffOutput
	Old string `arg:"" help:"The manifest that callers were built against."`
	New string `arg:"" help:"The manifest that may take its place."`
}

type diffTools struct {
	diffOutput
	Old string `arg:"" help:"The list that callers were built against."`
	New string `arg:"" help:"The list that may take its place."`
}

type diffSchema struct {
	diffOutput
	Old       string `arg:"" help:"The schema that callers were built against."`
	New       string `arg:"" help:"The schema that may take its place."`
	Direction string `required:"" help:"input: what callers send; output: what they receive." enum:"input,output" placeholder:"input|output"`
	Draft     string `help:"Dialect of a schema that names none: draft4, draft7, draft2019-09 or draft2020-12." placeholder:"DRAFT"`
}

type diffSource struct {
	diffOutput
	Name string `arg:"" help:"Name of the source."`
}

// Run compares two OpenAPI documents.
func (c diffOpenAPI) Run(a *app) error {
	return c.files(a, c.Base, c.Revision, func(old, new []byte) (documents.Report, error) {
		return documents.OpenAPI(old, new, c.options())
	})
}

// Run compares two manifests.
func (c diffManifest) Run(a *app) error {
	return c.files(a, c.Old, c.New, func(old, new []byte) (documents.Report, error) {
		return documents.Manifests(old, new, c.options())
	})
}

// Run compares two lists of tools.
func (c diffTools) Run(a *app) error {
	return c.files(a, c.Old, c.New, func(old, new []byte) (documents.Report, error) {
		return documents.Tools(old, new, c.options())
	})
}

// Run compares two schemas.
func (c diffSchema) Run(a *app) error {
	return c.files(a, c.Old, c.New, func(old, new []byte) (documents.Report, error) {
		opts := c.options()
		opts.Draft = c.Draft
		d := rule.Direction(c.Direction)
		r, err := diff.Compare(diff.Schemas(json.RawMessage(old), d), diff.Schemas(json.RawMessage(new), d), opts.Options)
		return documents.Alone(r), err
	})
}

// Run reads a source again and compares it with what the store holds, in the
// running server where there is one.
func (c diffSource) Run(ctx context.Context, a *app) error {
	var found interlock.Reread
	err := a.with(ctx, func(s *session, _ interlock.Principal) (err error) {
		found, err = s.Reread(ctx, c.Name)
		return err
	})
	if err != nil {
		return err
	}
	r, err := documents.Operations(found.Stored, found.Now, c.options())
	if err != nil {
		return err
	}
	return c.show(a, r, text{name: c.Name + " as stored"}, text{name: c.Name + " now"})
}

// text is one side of a comparison with the name that reports give it.
type text struct {
	name  string
	bytes []byte
}

// files reads both sides, compares and shows.
func (o diffOutput) files(a *app, oldName, newName string, compare func(old, new []byte) (documents.Report, error)) error {
	old, err := readCompared(oldName)
	if err != nil {
		return err
	}
	new, err := readCompared(newName)
	if err != nil {
		return err
	}
	r, err := compare(old, new)
	if err != nil {
		return err
	}
	return o.show(a, r, text{oldName, old}, text{newName, new})
}

// show prints the report in the form that was asked for and gives exit code 4
// where old callers are not served.
func (o diffOutput) show(a *app, r documents.Report, old, new text) error {
	if o.SARIF != "" {
		if err := writeSARIF(o.SARIF, r, old, new); err != nil {
			return err
		}
	}
	var err error
	if a.JSON {
		err = a.print(r)
	} else {
		err = printChanges(a, r, old, new, o.All)
	}
	if err == nil && !r.Verdict.Serves() {
		return &exitError{exitBreaking}
	}
	return err
}

// readCompared reads a file, unpacked where it is gzip.
func readCompared(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, usagef("cannot read %s: %v", name, err)
	}
	defer f.Close()
	head := make([]byte, 2)
	n, err := io.ReadFull(f, head)
	if err != nil && n == 0 {
		return nil, usagef("%s is empty", name)
	}
	var from io.Reader = io.MultiReader(bytes.NewReader(head[:n]), f)
	if bytes.Equal(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(from)
		if err != nil {
			return nil, usagef("%s is gzip that cannot be unpacked: %v", name, err)
		}
		defer z.Close()
		from = z
	}
	text, err := io.ReadAll(io.LimitReader(from, maxCompared+1))
	if err != nil {
		return nil, usagef("cannot read %s: %v", name, err)
	}
	if len(text) > maxCompared {
		return nil, &interlock.Error{Code: interlock.CodeTooLarge, Reason: interlock.ReasonTooLarge, Stage: "cmd",
			Public: fmt.Sprintf("%s is over the limit of %d bytes.", name, maxCompared)}
	}
	return text, nil
}
