package toollist

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

func TestRead(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"n":{"maximum":9223372036854775807,"default":1.10}}}`)
	text := "\ufeff" + `{"id":"p/a","name":"a","description":"Do a","inputSchema":{ "type":"object", "properties":{"n":{"maximum":9223372036854775807,"default":1.10}}},"outputSchema":true,"annotations":{"readOnlyHint": true},"title":"A","provider":"p"}` + "\r\n\n" +
		`{"id":"p/b","name":"b"}` + "\n" +
		`{"id":"p/c","name":"c","description":["one","two",3],"inputSchema":null}` + "\n" +
		`{"id":"p/d","name":"d","description":{"x":1.10}}` + "\n" +
		`{"id":"p/e","name":"e","description":" "}`
	any := json.RawMessage(`{"type":"object"}`)
	op := func(id, words string) interlock.Operation {
		return interlock.Operation{ID: "p/" + id, Name: id, InputSchema: any, Variants: []interlock.Variant{{ID: "default", Description: words}}}
	}
	want := interlock.Catalogue{Total: 5, Places: []string{"/1", "/3", "/4", "/5", "/6"}, Operations: []interlock.Operation{
		{ID: "p/a", Name: "a", Title: "A", Variants: []interlock.Variant{{ID: "default", Description: "Do a"}}, InputSchema: schema, OutputSchema: json.RawMessage("true"), Annotations: json.RawMessage(`{"readOnlyHint":true}`)},
		op("b", "b"), op("c", "one\ntwo"), op("d", `{"x":1.10}`), op("e", "e")},
		Findings: []interlock.Finding{{Pointer: "/4", Reason: "the description is a list; its texts are read as lines"}, {Pointer: "/5", Reason: "the description is object; its JSON is read as text"}}}
	if diff := cmp.Diff(want, Read([]byte(text))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBadLines(t *testing.T) {
	for name, tc := range map[string]struct{ line, says string }{
		"not JSON":                  {`{"id":"x"`, "JSON"},
		"not UTF-8":                 {"{\"id\":\"\xff\"}", "utf8"},
		"two values":                {`{} {}`, "JSON"},
		"a list":                    {`[]`, "object"},
		"a member twice":            {`{"id":"x","id":"y","name":"n"}`, "duplicate"},
		"no id":                     {`{"name":"n"}`, `"id"`},
		"an id that is a number":    {`{"id":7,"name":"n"}`, `"id"`},
		"an empty id":               {`{"id":"","name":"n"}`, `"id"`},
		"an id of two lines":        {`{"id":"a\nb","name":"n"}`, `"id"`},
		"an id without an end":      {`{"id":"` + strings.Repeat("x", 600) + `","name":"n"}`, `"id"`},
		"no name":                   {`{"id":"x"}`, `"name"`},
		"the id of another":         {`{"id":"good","name":"n"}`, "line 1"},
		"a schema that is text":     {`{"id":"x","name":"n","inputSchema":"object"}`, "inputSchema"},
		"a schema that is a list":   {`{"id":"x","name":"n","outputSchema":[]}`, "outputSchema"},
		"nested without an end":     {`{"id":"x","name":"n","inputSchema":` + strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 301), "depth"},
		"an id that nobody can see": {`{"id":"\u200b","name":"n"}`, `"id"`},
	} {
		c := Read([]byte(`{"id":"good","name":"g"}` + "\n" + tc.line + "\n" + `{"id":"after","name":"g"}`))
		if c.Total != 3 || len(c.Operations) != 2 || len(c.Findings) != 1 || c.Findings[0].Pointer != "/2" || !c.Findings[0].Dropped || !strings.Contains(c.Findings[0].Reason, tc.says) {
			t.Errorf("%s: %d of %d, %v", name, len(c.Operations), c.Total, c.Findings)
		}
	}
}

func TestSource(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tools.jsonl")
	if err := os.WriteFile(file, []byte(`{"id":"a","name":"a"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := NewOpener().Open(interlock.SourceConfig{File: file})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	c, err := src.Catalogue(context.Background())
	if err != nil || len(c.Operations) != 1 || c.Operations[0].Binding != nil {
		t.Errorf("%v %v", c, err)
	}
	_, err = src.Call(context.Background(), interlock.Outbound{Operation: "a"})
	if e := interlock.AsError(err); e.Reason != interlock.ReasonUnavailable || e.Outcome != interlock.OutcomeNotSent {
		t.Errorf("a call: %v", err)
	}
	for _, cfg := range []interlock.SourceConfig{{}, {URL: "http://h/"}} {
		if _, err := NewOpener().Open(cfg); interlock.ReasonOf(err) != interlock.ReasonConfigInvalid {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
	gone, err := NewOpener().Open(interlock.SourceConfig{File: file + ".gone"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gone.Catalogue(context.Background()); interlock.ReasonOf(err) != interlock.ReasonSourceInvalid {
		t.Errorf("a missing file: %v", err)
	}
}

// The collection of real tools is not part of the repository.
func TestRealTools(t *testing.T) {
	text, err := os.ReadFile("../../../shared/data/tools.jsonl")
	if err != nil {
		t.Skip("the collection of real tools is not here")
	}
	start := time.Now()
	c := Read(text)
	took := time.Since(start)
	t.Logf("%d tools of %d lines in %s, %d findings", len(c.Operations), c.Total, took, len(c.Findings))
	if c.Total != bytes.Count(text, []byte{'\n'}) || len(c.Operations) != c.Total || took > 10*time.Second {
		t.Errorf("%d tools of %d lines in %s: %v", len(c.Operations), c.Total, took, c.Findings)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"id":"a","name":"a","description":["x"]}` + "\n" + `{"id":"a"}`))
	f.Add([]byte("\n\n{}\r\n[]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := Read(text)
		dropped, ids := 0, map[string]bool{}
		for _, finding := range c.Findings {
			if finding.Dropped {
				dropped++
			}
		}
		for _, op := range c.Operations {
			if ids[op.ID] || op.Variants[0].Description == "" || !json.Valid(op.InputSchema) {
				t.Errorf("%+v", op)
			}
			ids[op.ID] = true
		}
		if len(c.Operations)+dropped != c.Total {
			t.Error(fmt.Sprint(len(c.Operations), dropped, c.Total))
		}
	})
}
