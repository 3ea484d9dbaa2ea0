package eval

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding/lexicon"
	"github.com/seed-ae386458/interlock/embedding/usem3"
)

// acrossNeeds reads a file of needs in two languages and what serves them.
func acrossNeeds(t *testing.T, file string) (languages []string, rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "across", file))
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.LazyQuotes = '\t', true
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0][len(all[0])-2:], all[1:]
}

// across opens tools with the vocabulary, and with vectors or without.
func across(t *testing.T, lines []byte, directed bool) *Catalogue {
	t.Helper()
	opts := Options{Logger: slog.New(slog.DiscardHandler)}
	var err error
	if opts.Glosser, err = lexicon.Load(); err != nil {
		t.Fatal(err)
	}
	if directed {
		model, err := usem3.Load()
		if err != nil {
			t.Fatal(err)
		}
		opts.Embedder = builtin{model}
	}
	cat, err := Open(context.Background(), lines, opts)
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// japanese gives the tools that are described in Japanese.
func japanese(t *testing.T, rows [][]string) []byte {
	t.Helper()
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	for _, row := range rows {
		if err := enc.Encode(map[string]any{"id": row[0], "provider": "ja", "name": row[0], "description": row[1], "inputSchema": json.RawMessage(`{"type":"object"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	return lines.Bytes()
}

// foundAcross gives how many needs of a language find a right tool in the first
// five, how many are accepted, and how many are that find it taken away.
func foundAcross(t *testing.T, cat *Catalogue, rows [][]string, column int, among Scope) (five, accepted, strayed int) {
	t.Helper()
	var tasks []Task
	for _, row := range rows {
		serves := strings.Split(row[0], ",")
		taken := slices.DeleteFunc(slices.Clone(among), func(id string) bool { return slices.Contains(serves, id) })
		tasks = append(tasks, Task{Query: row[column], Scope: among}, Task{Query: row[column], Scope: taken})
	}
	at := 0
	if err := cat.Rank(context.Background(), tasks, 5, func(l Line) error {
		offers := l.Disposition != interlock.Unsupported
		serves := strings.Split(rows[at/2][0], ",")
		switch {
		case at%2 == 1 && offers:
			strayed++
		case at%2 == 0:
			if offers {
				accepted++
			}
			if slices.ContainsFunc(l.Ranked, func(r Ranked) bool { return slices.Contains(serves, r.Tool) }) {
				five++
			}
		}
		at++
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return five, accepted, strayed
}

// TestAcross: tools that are described in Japanese, and named by nothing, are
// found by needs in English and Korean, with vectors and by words alone.
func TestAcross(t *testing.T) {
	languages, rows := acrossNeeds(t, "japanese.tsv")
	for _, directed := range []bool{true, false} {
		cat := across(t, japanese(t, rows), directed)
		for i, language := range languages {
			five, accepted, strayed := foundAcross(t, cat, rows, 2+i, cat.IDs())
			t.Logf("vectors %t, %s: %d of %d in the first five, %d accepted, %d with the right one taken away", directed, language, five, len(rows), accepted, strayed)
			if 4*five < 3*len(rows) || accepted <= strayed {
				t.Errorf("vectors %t, %s: %d of %d in the first five, %d accepted, %d with the right one taken away", directed, language, five, len(rows), accepted, strayed)
			}
		}
	}
}

// TestSuiteAcross measures needs in English and Japanese over the Korean tools
// of the labelled data.
func TestSuiteAcross(t *testing.T) {
	for _, directed := range []bool{true, false} {
		cat, _ := labelled(t, directed)
		korean := slices.DeleteFunc(slices.Clone(cat.IDs()), func(id string) bool {
			return !strings.HasPrefix(id, "functionchat/") || strings.Contains(id, "~")
		})
		languages, rows := acrossNeeds(t, "korean.tsv")
		for i, language := range languages {
			five, accepted, strayed := foundAcross(t, cat, rows, 1+i, korean)
			t.Logf("%d Korean tools, vectors %t, %s: %d of %d in the first five, %d accepted, %d with the right one taken away", len(korean), directed, language, five, len(rows), accepted, strayed)
			if 2*five < len(rows) {
				t.Errorf("%s: %d of %d in the first five", language, five, len(rows))
			}
		}
	}
}
