package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every batch answers each line with one line, in order, whatever the lines
// around it are.
func TestBatches(t *testing.T) {
	deep := strings.Repeat(`{"items":`, 10_000) + "{}" + strings.Repeat("}", 10_000)
	for _, tc := range []struct {
		name  string
		args  []string
		lines string
		want  []string
	}{
		{"input", []string{"diff", "--direction", "input", "--mode", "strict", "--json"},
			`{"id":"a","old":{"type":"integer"},"new":{"type":"number"},"draft":"draft7"}
not json
{"id":"d","old":` + deep + `,"new":{}}

{"id":1,"old":{"type":"number"},"new":{"type":"integer"}}
{"id":"n","old":{"enum":[NaN]},"new":{}}
{"id":"s","old":{},"new":{"type":"strnig"}}
{"id":"o","old":{}}
{"id":"q","old":{},"new":{},"draft":7}`,
			[]string{`{"id":"a","verdict":"subset"}`,
				`{"id":null,"error":{"reason":"not-json"`,
				`{"id":"d","error":{"reason":"too-deep","pointer":"/old/items`,
				`{"id":1,"verdict":"not_subset","witness":0.5,"rules":[{"rule":"type-narrowed","pointer":"/type"}]}`,
				`{"id":"n","verdict":"undecided","stopped":{"pointer":"/old"`,
				`{"id":"s","error":{"reason":"not-a-schema","pointer":"/new/type"`,
				`{"id":"o","error":{"reason":"missing","pointer":"/new"`,
				`{"id":"q","error":{"reason":"not-a-string","pointer":"/draft"`}},
		{"output", []string{"diff", "--direction", "output", "--mode", "strict"},
			`{"id":"a","old":{"type":"integer"},"new":{"type":"number"}}
{"id":"b","old":{"type":"integer"},"new":{"type":"strnig"}}`,
			[]string{`{"id":"a","verdict":"not_subset"`, `{"id":"b","error":{"reason":"not-a-schema","pointer":"/new/type"`}},
		{"tool", []string{"diff", "--mode", "tool"}, `{"id":"a","old":{"properties":{"a":{}},"type":"object"},"new":{"properties":{"a":{}},"type":"object","additionalProperties":false}}`,
			[]string{`{"id":"a","verdict":"subset"}`}},
		{"validate", []string{"validate"},
			`{"schema":{"type":"integer"},"instance":1.0,"draft":"draft7"}
{"schema":{"type":"integer"},"instance":"x","draft":"draft7"}
{"schema":{"$ref":"http://localhost:1234/a.json"},"instance":1}
{"schema":{"type":"integer"},"instance":null}
{"schema":{"type":"integer"}}
{"schema":{},"instance":1,"draft":"draft1"}`,
			[]string{`{"valid":true}`, `{"valid":false}`, `{"error":{"reason":"not-a-schema","pointer":"/schema/$ref"`, `{"valid":false}`,
				`{"error":{"reason":"missing","pointer":"/instance"`, `{"error":{"reason":"unknown-dialect"`}},
		{"match", []string{"range", "match"}, `{"range":"^2.0","version":"3.0.0-alpha"}
{"range":"^2.0","version":"2.9.9"}
{"range":"==2.0.0","version":"2.0.0"}
{"range":"2","version":"2"}`,
			[]string{`{"match":false}`, `{"match":true}`, `{"error":{"reason":"not-a-range","pointer":"/range"`, `{"error":{"reason":"not-a-version","pointer":"/version"`}},
		{"subset", []string{"range", "subset"}, `{"a":"^1.2","b":"1.x"}
{"a":"1.x","b":"^1.2"}
{"a":1}`, []string{`{"subset":true}`, `{"subset":false}`, `{"error":{"reason":"not-a-string","pointer":"/a"`}},
		{"intersect", []string{"range", "intersect"}, `{"a":"<1","b":">2"}
{"a":"<2","b":">1.0.0"}`, []string{`{"intersects":false}`, `{"intersects":true}`}},
		{"compare", []string{"range", "compare"}, `{"a":"1.0.0-a","b":"1.0.0"}
{"a":"1.0.0+x","b":"1.0.0"}
{"a":"1.0.0","b":"01.0.0"}`, []string{`{"compare":-1}`, `{"compare":0}`, `{"error":{"reason":"not-a-version","pointer":"/b"`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := strings.Split(strings.TrimSpace(runBatch(t, tc.lines, tc.args...)), "\n")
			if len(got) != len(tc.want) {
				t.Fatalf("%d answers, want %d:\n%s", len(got), len(tc.want), strings.Join(got, "\n"))
			}
			for i, want := range tc.want {
				if !strings.HasPrefix(got[i], want) {
					t.Errorf("line %d: %s\nwant %s", i+1, got[i], want)
				}
			}
		})
	}
}

// Documents of the test server come from a folder, and from nowhere else.
func TestValidateRemotes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte(`{"type":"integer"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	lines := `{"schema":{"$ref":"http://localhost:1234/a.json"},"instance":1}
{"schema":{"$ref":"http://localhost:1234/../a.json"},"instance":1}
{"schema":{"$ref":"http://localhost:1234/b.json"},"instance":1}`
	got := strings.Split(runBatch(t, lines, "validate", "--remotes", dir), "\n")
	for i, want := range []string{`{"valid":true}`, `{"valid":true}`, `{"error":{"reason":"not-a-schema"`} {
		if !strings.HasPrefix(got[i], want) {
			t.Errorf("line %d: %s, want %s", i+1, got[i], want)
		}
	}
}

// runBatch runs one command over lines and gives what it printed.
func runBatch(t *testing.T, lines string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "batch.jsonl")
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := run(context.Background(), append(args, "--batch", file), process{in: strings.NewReader(""), out: &out, err: &errs,
		lookup: func(string) (string, bool) { return "", false }})
	if diff := cmp.Diff(0, code); diff != "" {
		t.Fatalf("exit code %s\n%s", diff, errs.String())
	}
	return out.String()
}

// A line nested too deep says so and where, whichever reader met it first.
func TestBatchTooDeep(t *testing.T) {
	for _, depth := range []int{130, 10_000, 100_000} {
		schema := strings.Repeat(`{"items":`, depth) + "{}" + strings.Repeat("}", depth)
		lines := `{"id":1,"old":{},"new":` + schema + "}\n" + `{"id":2,"old":{},"new":{}}`
		first, second, _ := strings.Cut(runBatch(t, lines, "diff", "--json"), "\n")
		if want := `{"id":1,"error":{"reason":"too-deep","pointer":"/new` + strings.Repeat("/items", 128) + `"`; !strings.HasPrefix(first, want) {
			t.Errorf("%d levels: %.1200s", depth, first)
		}
		if !strings.Contains(second, `"verdict":"subset"`) {
			t.Errorf("%d levels: the line after it got %.200s", depth, second)
		}
	}
}
