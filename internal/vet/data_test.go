package vet_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/vet"
	"github.com/seed-ae386458/interlock/source/openapi"
)

var documents = flag.Bool("documents", false, "read the real OpenAPI documents as well")

// TestRealCatalogue reads a catalogue of real definitions, where it is at hand:
// none may be quarantined.
func TestRealCatalogue(t *testing.T) {
	f, err := os.Open("../../../shared/data/tools.jsonl")
	if err != nil {
		t.Skip("the catalogue of real tools is not here: ", err)
	}
	defer f.Close()
	n, reviews := 0, 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var row struct {
			ID, Name, Description, Provider string
			InputSchema, OutputSchema       json.RawMessage
			Annotations                     json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		n++
		op := interlock.Operation{ID: row.ID, Name: row.Name, Variants: []interlock.Variant{{ID: "default", Description: row.Description}},
			InputSchema: row.InputSchema, OutputSchema: row.OutputSchema, Annotations: row.Annotations}
		for _, f := range vet.Check(op) {
			if f.Severity == vet.Quarantine {
				t.Errorf("%s is quarantined: %s at %s: %s", row.ID, f.Rule, f.Pointer, f.Evidence)
				continue
			}
			reviews++
			t.Logf("%s: %s at %s: %s", row.ID, f.Rule, f.Pointer, f.Evidence)
		}
	}
	if err := lines.Err(); err != nil || n < 4000 {
		t.Fatalf("%d lines read: %v", n, err)
	}
	t.Logf("%d definitions, %d flags for review", n, reviews)
}

// TestRealDocuments reads OpenAPI documents of real services, where they are at
// hand: nothing in them may be quarantined.
func TestRealDocuments(t *testing.T) {
	paths, _ := filepath.Glob("../../../shared/data/openapi/*")
	if len(paths) == 0 || !*documents {
		t.Skip("reading the real documents takes a minute; -documents does it, where they are at hand")
	}
	n, reviews := 0, 0
	for _, path := range paths {
		if strings.HasSuffix(path, ".tsv") {
			continue
		}
		for _, op := range operationsOf(t, path) {
			n++
			for _, f := range vet.Check(op) {
				if f.Severity == vet.Quarantine {
					t.Errorf("%s %s is quarantined: %s at %s: %s", filepath.Base(path), op.Name, f.Rule, f.Pointer, f.Evidence)
					continue
				}
				reviews++
				t.Logf("%s %s: %s at %s: %s", filepath.Base(path), op.Name, f.Rule, f.Pointer, f.Evidence)
			}
		}
	}
	t.Logf("%d operations of %d documents, %d flags for review", n, len(paths), reviews)
	if n < 2000 {
		t.Errorf("only %d operations were read", n)
	}
}

func operationsOf(t *testing.T, path string) []interlock.Operation {
	t.Helper()
	if strings.HasSuffix(path, ".gz") {
		path = unzip(t, path)
	}
	src, err := openapi.NewOpener(openapi.Options{Secrets: auth.Resolver{}}).Open(interlock.SourceConfig{Name: "x", Kind: interlock.KindOpenAPI, File: path, BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	cat, err := src.Catalogue(t.Context())
	if err != nil {
		t.Logf("%s: %v", filepath.Base(path), err)
	}
	return cat.Operations
}

func unzip(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(path), ".gz"))
	if err := os.WriteFile(out, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}
