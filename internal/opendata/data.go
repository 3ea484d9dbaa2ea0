// Package opendata composes catalogues and case files of public tools and
// requests, always the same of the same data: the catalogue ladder, the requests
// that are asked over it, and their negatives. It draws by hash and knows no
// scorer.
//
//	data, err := opendata.Read(dir)
//	file, err := data.Cases(1000)
package opendata

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-ae386458/interlock/internal/qualify"
)

// Tool is a tool as its line says.
type Tool struct {
	ID          string `json:"id"`
	Provider    string `json:"provider"`
	Source      string `json:"source"`
	Lang        string `json:"lang"`
	Name        string `json:"name"`
	Annotations struct {
		ReadOnly *bool `json:"readOnlyHint"`
	} `json:"annotations"`
	Line []byte `json:"-"`
}

// Task is a labelled request.
type Task struct {
	ID       string          `json:"id"`
	Lang     string          `json:"lang"`
	Query    string          `json:"query"`
	Gold     [][]string      `json:"gold"` // the tools that serve it, alternatives together
	Kind     string          `json:"kind"` // single, multi, nofit, needs-input
	Source   string          `json:"source"`
	Authored string          `json:"authored"`
	Scope    json.RawMessage `json:"scope"` // "*" or a list of tools
	Cand     []string        `json:"cand"`
	Context  json.RawMessage `json:"context"`
	Missing  json.RawMessage `json:"missing"`
}

// whole reports whether a request is asked of a whole catalogue.
func (k Task) whole() bool { return string(k.Scope) == `"*"` }

// alone reports whether it stands without earlier turns.
func (k Task) alone() bool {
	s := string(k.Context)
	return s == "" || s == "null" || s == "[]" || s == `""`
}

// list gives the tools that a request is asked of by itself.
func (k Task) list() []string {
	var list []string
	if k.whole() || json.Unmarshal(k.Scope, &list) != nil {
		return nil
	}
	return list
}

// Data is public tools and requests.
type Data struct {
	Tools   []Tool
	Tasks   []Task
	Equal   qualify.Classes // tools that serve the same requests equally well
	Classes []byte          // the file of them
	Digest  string          // of all files
	byID    map[string]Tool
}

// the files of a folder; a part that is shared alike stands by itself and may
// be missing.
const (
	toolsFile   = "tools.jsonl"
	tasksFile   = "tasks.jsonl"
	alikeFile   = "tasks_xsid_cc-by-sa.jsonl"
	classesFile = "equivalents.json"
)

// Read reads the data of a folder.
func Read(dir string) (*Data, error) {
	h := sha256.New()
	texts := map[string][]byte{}
	for _, name := range []string{toolsFile, tasksFile, alikeFile, classesFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && (name != alikeFile || !errors.Is(err, fs.ErrNotExist)) {
			return nil, err
		}
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
		texts[name] = text
	}
	d := &Data{Digest: "sha256:" + hex.EncodeToString(h.Sum(nil)), Classes: texts[classesFile], byID: map[string]Tool{}}
	var err error
	if d.Equal, err = qualify.ReadClasses(d.Classes); err != nil {
		return nil, err
	}
	if d.Tools, err = lines(texts[toolsFile], func(t *Tool, line []byte) { t.Line = line }); err != nil {
		return nil, fmt.Errorf("%s: %w", toolsFile, err)
	}
	if d.Tasks, err = lines(append(append(texts[tasksFile], '\n'), texts[alikeFile]...), func(*Task, []byte) {}); err != nil {
		return nil, fmt.Errorf("%s: %w", tasksFile, err)
	}
	for _, t := range d.Tools {
		d.byID[t.ID] = t
	}
	return d, nil
}

func lines[T any](text []byte, keep func(*T, []byte)) ([]T, error) {
	var out []T
	scan := bufio.NewScanner(bytes.NewReader(text))
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		line := bytes.Clone(bytes.TrimSpace(scan.Bytes()))
		if len(line) == 0 {
			continue
		}
		var row T
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, fmt.Errorf("row %d: %w", len(out)+1, err)
		}
		keep(&row, line)
		out = append(out, row)
	}
	return out, scan.Err()
}
