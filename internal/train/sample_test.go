package train

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-ae386458/interlock/embedding/lexicon"
	"github.com/seed-ae386458/interlock/embedding/usem3"
	"github.com/seed-ae386458/interlock/internal/eval"
	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
)

var update = flag.Bool("update", false, "write the gates of the sample anew")

// builtin is the embedded model as an embedder.
type builtin struct{ *usem3.Model }

func (b builtin) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = b.Model.Embed(nil, text)
	}
	return out, nil
}

// TestSample fits the gates to a sample of requests, from its files to the
// weights, and holds them against those that stand beside it. Weights may
// differ by what other processors round otherwise.
func TestSample(t *testing.T) {
	dir := filepath.Join("testdata", "sample")
	data, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows := sampleRows(t, data)
	got, err := NewFile(data.Digest, rows)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(got, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "gates.json")
	if *update {
		if err := os.WriteFile(file, append(text, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stands, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want dispose.GateFile
	if err := json.Unmarshal(stands, &want); err != nil {
		t.Fatal(err)
	}
	if got.Name != want.Name || got.Data != want.Data || got.Rows != want.Rows {
		t.Errorf("%s of %d rows of %s, want %s of %d of %s", got.Name, got.Rows, got.Data, want.Name, want.Rows, want.Data)
	}
	alike(t, "hybrid", got.Hybrid, want.Hybrid)
	alike(t, "lexical", got.Lexical, want.Lexical)
	again, err := NewFile(data.Digest, rows)
	if err != nil {
		t.Fatal(err)
	}
	if second, _ := json.MarshalIndent(again, "", " "); !bytes.Equal(text, second) {
		t.Error("a second fit of the same rows is another")
	}
}

// sampleRows measures the requests with vectors and without.
func sampleRows(t *testing.T, data *Data) []Row {
	t.Helper()
	model, err := usem3.Load()
	if err != nil {
		t.Fatal(err)
	}
	glosser, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := data.Rows(context.Background(), eval.Options{Embedder: builtin{model}, Glosser: glosser, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// alike holds weights against others.
func alike(t *testing.T, name string, got, want dispose.Gates) {
	t.Helper()
	const most = 0.01
	for i, l := range want.Each() {
		g := got.Each()[i]
		if len(g.Weights) != len(l.Weights) || math.Abs(g.Bias-l.Bias) > most {
			t.Errorf("%s, gate %d: %d weights and bias %v, want %d and %v", name, i, len(g.Weights), g.Bias, len(l.Weights), l.Bias)
			continue
		}
		for j, w := range l.Weights {
			if math.Abs(g.Weights[j]-w) > most {
				t.Errorf("%s, gate %d: %v for %s, want %v", name, i, g.Weights[j], fit.SignalNames[j], w)
			}
		}
	}
}
