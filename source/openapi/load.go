package openapi

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

func invalidDocument(format string, args ...any) *interlock.Error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest", Public: fmt.Sprintf(format, args...)}
}

// load reads the bytes of the document, unpacked.
func (s *source) load(ctx context.Context) ([]byte, error) {
	var text []byte
	var err error
	if s.cfg.URL != "" {
		text, err = s.client.Document(ctx, s.cfg.URL, MaxDocument)
	} else {
		text, err = readFile(s.cfg.File)
	}
	if err != nil || !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return text, err
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, invalidDocument("The document is gzip that cannot be unpacked: %s.", err)
	}
	defer z.Close()
	return bounded(z)
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, invalidDocument("The document cannot be opened: %s.", err)
	}
	defer f.Close()
	return bounded(f)
}

func bounded(from io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, MaxDocument+1))
	if err != nil {
		return nil, invalidDocument("The document cannot be read: %s.", err)
	}
	if len(text) > MaxDocument {
		return nil, invalidDocument("The document is over the limit of %d bytes.", MaxDocument)
	}
	return text, nil
}

// parse reads the document into a tree and tells its dialect.
func parse(text []byte) (*document, error) {
	tree, err := yamljson.Parse(text, yamljson.Limits{Bytes: MaxDocument})
	if err != nil {
		return nil, invalidDocument("The document cannot be read: %s.", err)
	}
	dialect, err := dialectOf(tree.Root)
	if err != nil {
		return nil, err
	}
	return newDocument(tree, dialect), nil
}
