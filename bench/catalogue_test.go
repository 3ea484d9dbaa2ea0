package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGenerated holds generated catalogues to the shape that they stand for.
func TestGenerated(t *testing.T) {
	lines, needs := generated(rand.New(rand.NewPCG(seed, 1)), 4000)
	ids, asked, text, schema, cjk := map[string]bool{}, map[string]bool{}, 0, 0, 0
	for _, line := range lines {
		var tool struct {
			ID, Name, Description string
			InputSchema           struct {
				Properties map[string]any
				Required   []string
			}
		}
		if err := json.Unmarshal([]byte(line), &tool); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for _, name := range tool.InputSchema.Required {
			if tool.InputSchema.Properties[name] == nil {
				t.Errorf("%s requires %s and does not declare it", tool.ID, name)
			}
		}
		raw, _, _ := strings.Cut(line[strings.Index(line, `"inputSchema":`)+len(`"inputSchema":`):], `,"name"`)
		ids[tool.ID], text, schema = true, text+len(tool.Description), schema+len(raw)
	}
	for _, need := range needs {
		asked[need] = true
		if strings.ContainsFunc(need, func(r rune) bool { return r > 0x3000 }) {
			cjk++
		}
	}
	if len(ids) != 4000 || len(asked) != 4000 {
		t.Errorf("%d tools and %d needs are different, want 4000 of each", len(ids), len(asked))
	}
	if mean := text / len(lines); mean < 80 || mean > 160 {
		t.Errorf("a description has %d bytes in the mean", mean)
	}
	if mean := schema / len(lines); mean < 350 || mean > 750 {
		t.Errorf("a schema has %d bytes in the mean", mean)
	}
	if cjk != 800 {
		t.Errorf("%d of 4000 needs are Korean or Japanese, want 800", cjk)
	}
	again, _ := generated(rand.New(rand.NewPCG(seed, 1)), 4000)
	if diff := cmp.Diff(lines, again); diff != "" {
		t.Error("the same seed gives another catalogue")
	}
}

func TestCatalogueFromFiles(t *testing.T) {
	b := benchOf(t)
	b.opts.data = t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(b.opts.data, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("tools.jsonl", "{\"id\":\"a\"}\n\n{\"id\":\"b\"}\n{\"id\":\"c\"}")
	write("tasks.jsonl", "{\"query\":\"one\"}\n{\"query\":\"two\"}\n{\"query\":\"one\"}\n{\"other\":1}\n")
	c, err := b.catalogue(2)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(c.file)
	if err != nil || string(text) != "{\"id\":\"a\"}\n{\"id\":\"b\"}\n" {
		t.Errorf("the first two lines are %q, %v", text, err)
	}
	if len(c.needs) != 2 {
		t.Errorf("needs = %q, want each once", c.needs)
	}
	if _, err := b.catalogue(3); err != nil {
		t.Errorf("three lines of three, the last without an end: %v", err)
	}
	if _, err := b.catalogue(4); err == nil {
		t.Error("four tools come of three lines")
	}
	write("tasks.jsonl", "{\"query\":\n")
	if _, err := b.catalogue(2); err == nil {
		t.Error("broken requests are read")
	}
}

func TestFlags(t *testing.T) {
	for _, tc := range []struct {
		args string
		want options
		bad  bool
	}{
		{args: "", want: options{data: "../shared/data", limit: 600e9}},
		{args: "--quick --json --bin x --only call,start", want: options{quick: true, json: true, bin: "x", data: "../shared/data", only: []string{"call", "start"}, limit: 600e9}},
		{args: "--only fly", bad: true},
		{args: "extra", bad: true},
		{args: "--limit soon", bad: true},
	} {
		got, err := readFlags(strings.Fields(tc.args), io.Discard)
		if (err != nil) != tc.bad {
			t.Errorf("%q: error %v", tc.args, err)
		}
		if err == nil && fmt.Sprint(got) != fmt.Sprint(tc.want) {
			t.Errorf("%q: got %+v, want %+v", tc.args, got, tc.want)
		}
	}
}
