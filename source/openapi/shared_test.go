package openapi

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
)

// sharedDocuments is a directory of real documents that is not part of the
// repository.
const sharedDocuments = "../../../shared/data/openapi"

// Every operation of every real document becomes a tool or a finding.
func TestRealDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	index, err := os.Open(filepath.Join(sharedDocuments, "INDEX.tsv"))
	if err != nil {
		t.Skip("the collection of real documents is not here")
	}
	defer index.Close()
	r := csv.NewReader(index)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	operations, tools := 0, 0
	for _, row := range rows[1:] {
		want, err := strconv.Atoi(row[6])
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		c := catalogue(t, interlock.SourceConfig{File: filepath.Join(sharedDocuments, row[0])})
		took, dropped, size := time.Since(start), 0, 0
		for _, f := range c.Findings {
			if f.Dropped {
				dropped++
			}
			t.Logf("  %s %v %s", f.Pointer, f.Dropped, f.Reason)
		}
		for _, op := range c.Operations {
			size += len(op.InputSchema) + len(op.OutputSchema)
		}
		t.Logf("%-70s %-6s index %4d met %4d tools %4d dropped %2d lesser %2d schemas %5d kB %s", row[0], row[5], want, c.Total, len(c.Operations), dropped, len(c.Findings)-dropped, size>>10, took.Round(time.Millisecond))
		if c.Total < want || len(c.Operations)+dropped != c.Total || 10*len(c.Operations) < 9*want || took > 30*time.Second {
			t.Errorf("%s: %d operations met of %d, %d tools, %d dropped, %s", row[0], c.Total, want, len(c.Operations), dropped, took)
		}
		operations, tools = operations+c.Total, tools+len(c.Operations)
	}
	t.Logf("%d tools of %d operations", tools, operations)
}

func catalogue(t *testing.T, cfg interlock.SourceConfig) interlock.Catalogue {
	t.Helper()
	src, err := NewOpener(Options{}).Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	c, err := src.Catalogue(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}
