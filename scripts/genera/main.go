// Command genera writes what general nouns English words are kinds of, from the
// files of WordNet.
//
//	go run ./scripts/genera -wordnet DIR -out internal/words/genera.txt
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/words"
)

const (
	wanted = words.Genera // the general nouns with the most below them
	leaf   = 2            // a synset with fewer at or below it is no kind
	named  = 3            // words of a synset that name it
	smooth = 0.1          // what each sense counts beyond its occurrences
	rare   = 0.05         // the share of a word's uses under which a sense is left out
	steps  = 15           // shares are told in so many
)

func main() {
	dir := flag.String("wordnet", "", "directory of index.sense and data.noun, data.verb, data.adj, data.adv")
	pieces := flag.String("words", "embedding/gist/gist.bin", "table whose words are everyday English")
	out := flag.String("out", "internal/words/genera.txt", "file to write")
	flag.Parse()
	if err := run(*dir, *pieces, *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir, pieces, out string) error {
	everyday, err := wordsOf(pieces)
	if err != nil {
		return err
	}
	net, err := read(dir)
	if err != nil {
		return err
	}
	genera := net.general(everyday)
	place := map[string]int{}
	for i, noun := range genera {
		place[words.Stem(noun)] = i
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, "# Made from WordNet 3.1, Copyright 2011 by Princeton University (LICENSE-WORDNET.txt), by scripts/genera.")
	fmt.Fprintln(&b, strings.Join(genera, " "))
	of := net.kinds(everyday, place)
	for _, term := range slices.Sorted(maps.Keys(of)) {
		b.WriteString(term + " ")
		for i, share := range of[term] {
			if n := min(steps, int(share*steps+0.5)); n > 0 {
				fmt.Fprintf(&b, "%02x%x", i, n)
			}
		}
		b.WriteString("\n")
	}
	return os.WriteFile(filepath.Clean(out), b.Bytes(), 0o644)
}

// wordsOf gives the words that the table of gist holds whole.
func wordsOf(path string) (map[string]bool, error) {
	file, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(file, []byte("gist/1\n"))
	if !ok || len(rest) < 4 {
		return nil, fmt.Errorf("%s is no table of gist", path)
	}
	n := int(rest[0]) | int(rest[1])<<8 | int(rest[2])<<16
	out := map[string]bool{}
	for _, piece := range bytes.SplitN(rest[4:], []byte("\n"), n+1)[:n] {
		if w := string(piece); strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" && len(words.Tokens(w)) > 0 {
			out[w] = true
		}
	}
	return out, nil
}

// general gives the nouns that have the most below them, one of each term, in
// order of their letters.
func (n net) general(everyday map[string]bool) []string {
	below := map[string]int{}
	for place := range n.nouns {
		for above := range n.above(place) {
			below[above]++
		}
	}
	most := map[string]int{}
	for place, count := range below {
		for _, w := range first(n.nouns[place].words) {
			if count >= leaf && everyday[w] {
				most[w] = max(most[w], count)
			}
		}
	}
	var nouns []string
	had := map[string]bool{}
	for _, w := range slices.SortedFunc(maps.Keys(most), func(a, b string) int {
		return cmp.Or(cmp.Compare(most[b], most[a]), strings.Compare(words.Stem(a), words.Stem(b)), strings.Compare(a, b))
	}) {
		if term := words.Stem(w); !had[term] && len(nouns) < wanted {
			had[term] = true
			nouns = append(nouns, w)
		}
	}
	slices.Sort(nouns)
	return nouns
}

// kinds gives of each term how likely it names a thing of each general noun: the
// shares of its senses that are below it.
func (n net) kinds(everyday map[string]bool, genera map[string]int) map[string][]float64 {
	senses := map[string][]sense{}
	for _, w := range slices.Sorted(maps.Keys(everyday)) {
		if of := n.senses[w]; len(of) > 0 {
			senses[words.Stem(w)] = append(senses[words.Stem(w)], of...)
		}
	}
	out := map[string][]float64{}
	for term, of := range senses {
		all := 0.0
		for _, s := range of {
			all += float64(s.count) + smooth
		}
		shares := make([]float64, len(genera))
		for _, s := range of {
			share := (float64(s.count) + smooth) / all
			if s.noun && share >= rare {
				n.share(shares, genera, term, s.place, share)
			}
		}
		if slices.Max(shares)*steps >= 0.5 {
			out[term] = shares
		}
	}
	return out
}

// share adds the share of one sense of a term to each general noun above it.
func (n net) share(shares []float64, genera map[string]int, term, place string, share float64) {
	had := map[int]bool{}
	for above := range n.above(place) {
		if above == place {
			continue
		}
		for _, w := range first(n.nouns[above].words) {
			i, ok := genera[words.Stem(w)]
			if ok && !had[i] && words.Stem(w) != term {
				had[i] = true
				shares[i] += share
			}
		}
	}
}

// first gives the words that name a synset; phrases do not.
func first(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all[:min(len(all), named)]), func(w string) bool { return strings.Contains(w, "_") })
}
