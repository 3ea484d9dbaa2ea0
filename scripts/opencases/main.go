// Command opencases composes the case file of public requests that docs/eval.md
// reports of, with its catalogue and its equal tools.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-ae386458/interlock/internal/opendata"
	"github.com/seed-ae386458/interlock/internal/qualify"
)

func main() {
	dir := flag.String("data", "", "folder of tools.jsonl, tasks.jsonl and equivalents.json")
	out := flag.String("out", "", "folder for the case file; it must hold none")
	n := flag.Int("tools", 1000, "tools of the catalogue")
	flag.Parse()
	if err := run(*dir, *out, *n); err != nil {
		fmt.Fprintln(os.Stderr, "opencases:", err)
		os.Exit(1)
	}
}

func run(dir, out string, n int) error {
	if dir == "" || out == "" {
		return errors.New("say where the data is (-data) and where the cases go (-out)")
	}
	data, err := opendata.Read(dir)
	if err != nil {
		return err
	}
	file, err := data.Cases(n)
	if err != nil {
		return err
	}
	text, err := file.Text()
	if err != nil {
		return err
	}
	if _, err := qualify.ReadCases(text); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		text []byte
	}{{"cases.jsonl", text}, {"tools.jsonl", file.Tools}, {"equivalents.json", file.Classes}} {
		if err := write(filepath.Join(out, f.name), f.text); err != nil {
			return err
		}
		fmt.Printf("%s  %s\n", qualify.Digest(f.text), f.name)
	}
	count(file.Cases.Cases)
	return nil
}

// write writes a file that is not there yet, or is there as it would be written.
func write(name string, text []byte) error {
	if had, err := os.ReadFile(name); err == nil {
		if qualify.Digest(had) == qualify.Digest(text) {
			return nil
		}
		return fmt.Errorf("%s is there and is another; a case file is frozen", name)
	}
	return os.WriteFile(name, text, 0o600)
}

// count says how many cases there are of each kind.
func count(cases []qualify.Case) {
	type kind struct{ stratum, language string }
	counts := map[kind][2]int{}
	var kinds []kind
	for _, c := range cases {
		k := kind{c.Stratum, c.Language}
		n, had := counts[k]
		if !had {
			kinds = append(kinds, k)
		}
		n[0]++
		if c.Authored == qualify.Native {
			n[1]++
		}
		counts[k] = n
	}
	slices.SortFunc(kinds, func(a, b kind) int {
		return cmp.Or(cmp.Compare(a.stratum, b.stratum), cmp.Compare(a.language, b.language))
	})
	fmt.Printf("%d cases\n", len(cases))
	for _, k := range kinds {
		fmt.Printf("%-14s %s %5d, %d native\n", k.stratum, k.language, counts[k][0], counts[k][1])
	}
}
