// Command train fits what Interlock ships of weights to labelled requests.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"

	"github.com/seed-ae386458/interlock/embedding/lexicon"
	"github.com/seed-ae386458/interlock/embedding/usem3"
	"github.com/seed-ae386458/interlock/internal/eval"
	"github.com/seed-ae386458/interlock/internal/opendata"
	"github.com/seed-ae386458/interlock/internal/train"
)

func main() {
	dir := flag.String("data", "", "directory of tools.jsonl and tasks.jsonl")
	out := flag.String("out", "internal/resolve/dispose/gate.json", "file for the weights")
	rows := flag.String("rows", "", "file for the rows, one JSON object a line")
	from := flag.String("from", "", "rows written before, instead of measuring")
	rank := flag.String("rank", "internal/train/rank.json", "file for the report on weights of ranks")
	only := flag.String("only", "", "gates or rank; both without it")
	flag.Parse()
	ctx := context.Background()
	if _, err := os.Stat(*dir); err != nil {
		fmt.Println("no labelled requests in", *dir, "- nothing to train on; the weights stay as they are")
		return
	}
	err := error(nil)
	if *only != "rank" {
		err = run(ctx, *dir, *out, *rows, *from)
	}
	if err == nil && *only != "gates" {
		err = ranks(ctx, *dir, *rank)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// builtin is the embedded model as an embedder.
type builtin struct{ *usem3.Model }

func (b builtin) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = b.Model.Embed(nil, text)
	}
	return out, nil
}

func run(ctx context.Context, dir, out, rowsFile, from string) error {
	data, err := train.Read(dir)
	if err != nil {
		return err
	}
	rows, err := known(from)
	if err == nil && from == "" {
		rows, err = measure(ctx, data)
	}
	if err != nil {
		return err
	}
	if rowsFile != "" {
		if err := writeRows(rowsFile, rows); err != nil {
			return err
		}
	}
	file, err := train.NewFile(data.Digest, rows)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(file, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, append(text, '\n'), 0o600); err != nil {
		return err
	}
	fmt.Printf("%d rows of %s; weights in %s\n", len(rows), data.Digest, out)
	return train.Report(os.Stdout, rows)
}

func writeRows(file string, rows []train.Row) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(f)
	for _, r := range rows {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return f.Close()
}

// known reads rows that were written before.
func known(file string) ([]train.Row, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return eval.ReadLines[train.Row](f)
}

// measure asks every request with the embedded model.
func measure(ctx context.Context, data *train.Data) ([]train.Row, error) {
	opts, err := options()
	if err != nil {
		return nil, err
	}
	return data.Rows(ctx, opts)
}

func options() (eval.Options, error) {
	model, err := usem3.Load()
	if err != nil {
		return eval.Options{}, err
	}
	glosser, err := lexicon.Load()
	return eval.Options{Embedder: builtin{model}, Glosser: glosser, Logger: slog.New(slog.DiscardHandler)}, err
}

// ranks fits the weights of ranks, holds them against those that ship, and
// writes what came of it. It changes no weight: those stand in the code.
func ranks(ctx context.Context, dir, out string) error {
	data, err := train.Read(dir)
	if err != nil {
		return err
	}
	open, err := opendata.Read(dir)
	if err != nil {
		return err
	}
	opts, err := options()
	if err != nil {
		return err
	}
	words := opts
	words.Embedder = nil
	var file train.RankFile
	for _, part := range []struct {
		name string
		opts eval.Options
		to   *train.RankReport
	}{{"with vectors", opts, &file.Hybrid}, {"by words alone", words, &file.Lexical}} {
		orders, err := train.Orders(ctx, data, open, part.opts)
		if err != nil {
			return err
		}
		*part.to = train.NewRankReport(open.Digest, orders, train.HandSet(part.opts))
		fmt.Printf("\nWeights of ranks %s, by %s\n\n%s", part.name, open.Digest, part.to)
	}
	text, err := json.MarshalIndent(file, "", " ")
	if err != nil {
		return err
	}
	fmt.Printf("\nReport in %s\n", out)
	return os.WriteFile(out, append(text, '\n'), 0o600)
}
