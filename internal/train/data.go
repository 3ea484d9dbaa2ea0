// Package train fits the weights by which a need is said to be served, on
// labelled requests of many publishers, and says how well they do on sources
// and publishers that were left out. It promises the same bytes for the same
// data. Nothing that it fits names a tool, a source or a word.
//
//	data, err := train.Read(dir)
//	rows, err := data.Rows(ctx, eval.Options{Embedder: model, Glosser: vocabulary, Logger: log})
//	file, err := train.NewFile(data.Digest, rows)
package train

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// Tool is what is read of a tool beside what the catalogue reads.
type Tool struct {
	ID       string `json:"id"`
	Provider string `json:"provider"`
	Source   string `json:"source"`
	Name     string `json:"name"`
}

// Request is a labelled request.
type Request struct {
	ID      string          `json:"id"`
	Lang    string          `json:"lang"`
	Kind    string          `json:"kind"` // single, multi, nofit, needs-input
	Query   string          `json:"query"`
	Gold    [][]string      `json:"gold"` // the tools that serve it, alternatives together
	Scope   json.RawMessage `json:"scope"`
	Cand    []string        `json:"cand"`
	Context json.RawMessage `json:"context"`
	Source  string          `json:"source"`
}

// Data is tools and labelled requests.
type Data struct {
	Digest   string // of both files
	Lines    []byte // the tools as they stand
	Tools    []Tool
	Requests []Request
	provider map[string]string
}

// Read reads tools.jsonl and tasks.jsonl of a directory.
func Read(dir string) (*Data, error) {
	h := sha256.New()
	d := &Data{provider: map[string]string{}}
	texts := [2][]byte{}
	for i, name := range [2]string{"tools.jsonl", "tasks.jsonl"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
		texts[i] = text
	}
	d.Digest, d.Lines = "sha256:"+hex.EncodeToString(h.Sum(nil)), texts[0]
	var err error
	if d.Tools, err = lines[Tool](texts[0]); err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	if d.Requests, err = lines[Request](texts[1]); err != nil {
		return nil, fmt.Errorf("requests: %w", err)
	}
	for _, t := range d.Tools {
		d.provider[t.ID] = t.Provider
	}
	return d, nil
}

func lines[T any](text []byte) ([]T, error) {
	var out []T
	scan := bufio.NewScanner(bytes.NewReader(text))
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		var row T
		if len(bytes.TrimSpace(scan.Bytes())) == 0 {
			continue
		}
		if err := json.Unmarshal(scan.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(out)+1, err)
		}
		out = append(out, row)
	}
	return out, scan.Err()
}

// whole reports whether a request is asked of a whole catalogue.
func (r Request) whole() bool { return string(r.Scope) == `"*"` }

// alone reports whether a request stands without earlier turns.
func (r Request) alone() bool { return len(r.Context) == 0 || string(r.Context) == "null" }

// list gives the tools that a request is asked of, each once; nil for all.
func (r Request) list() []string {
	list := slices.Clone(r.Cand)
	if len(list) == 0 && !r.whole() && json.Unmarshal(r.Scope, &list) != nil {
		return nil
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(id string) bool {
		had := seen[id]
		seen[id] = true
		return had
	})
}

// serves gives every tool that serves a part of a request.
func (r Request) serves() []string { return slices.Concat(r.Gold...) }

// Family is the project that a request comes from, of which there may be
// several files.
func (r Request) Family() string {
	for _, name := range families {
		if strings.HasPrefix(r.Source, name) {
			return name
		}
	}
	return r.Source
}

var families = []string{"acebench", "bfcl", "functionchat", "metatool", "toolalpaca"}

// publisher of the tool that serves a request, or of the first that it is asked of.
func (d *Data) publisher(r Request, list []string) string {
	for _, id := range append(r.serves(), list...) {
		return d.provider[id]
	}
	return r.ID
}

// fold is a name without what spellings differ in.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// order gives things in an order that is chance and always the same.
func order[T any](things []T, salt string, name func(T) string) []T {
	key := func(t T) string {
		sum := sha256.Sum256([]byte(salt + name(t)))
		return string(sum[:])
	}
	keys := map[string]string{}
	for _, t := range things {
		keys[name(t)] = key(t)
	}
	out := slices.Clone(things)
	slices.SortStableFunc(out, func(a, b T) int { return strings.Compare(keys[name(a)], keys[name(b)]) })
	return out
}
