package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// net is what is read of WordNet: what each noun is a kind of, and how often
// each word was met in each of its senses.
type net struct {
	nouns  map[string]synset // by place in data.noun
	senses map[string][]sense
}

// synset is one meaning: the words for it, and the places of what it is a kind
// or an instance of.
type synset struct {
	words  []string
	kindOf []string
}

// sense is a meaning that a word has.
type sense struct {
	place string
	noun  bool
	count int
}

// read reads the files of a directory of WordNet.
func read(dir string) (net, error) {
	n := net{nouns: map[string]synset{}, senses: map[string][]sense{}}
	counts := map[string]int{}
	err := lines(filepath.Join(dir, "index.sense"), func(line string) error {
		f := strings.Fields(line)
		lemma, rest, ok := strings.Cut(f[0], "%")
		if !ok || len(f) != 4 {
			return fmt.Errorf("index.sense: %q", line)
		}
		class := map[byte]string{'1': "noun", '2': "verb", '3': "adj", '4': "adv", '5': "adj"}[rest[0]]
		count, err := strconv.Atoi(f[3])
		counts[lemma+" "+class+" "+f[1]] = count
		return err
	})
	if err != nil {
		return n, err
	}
	for _, class := range []string{"noun", "verb", "adj", "adv"} {
		err := lines(filepath.Join(dir, "data."+class), func(line string) error {
			place, s, err := parse(line)
			if err != nil {
				return err
			}
			if class == "noun" {
				n.nouns[place] = s
			}
			for _, w := range s.words {
				n.senses[w] = append(n.senses[w], sense{place, class == "noun", counts[w+" "+class+" "+place]})
			}
			return nil
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// lines does something for each line of a file but those of its licence.
func lines(path string, do func(string) error) error {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return err
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		if line := scan.Text(); !strings.HasPrefix(line, " ") {
			if err := do(line); err != nil {
				return err
			}
		}
	}
	return scan.Err()
}

// parse reads a line of a data file: place, two numbers and the class, how many
// words (in sixteens) and the words, how many pointers and the pointers.
func parse(line string) (place string, s synset, err error) {
	f := strings.Fields(line)
	bad := fmt.Errorf("no synset: %q", line)
	if len(f) < 6 {
		return "", s, bad
	}
	n, err := strconv.ParseUint(f[3], 16, 16)
	at := 4 + 2*int(n)
	if err != nil || at >= len(f) {
		return "", s, bad
	}
	had := map[string]bool{}
	for i := 4; i < at; i += 2 {
		w, _, _ := strings.Cut(strings.ToLower(f[i]), "(")
		if !had[w] {
			had[w] = true
			s.words = append(s.words, w)
		}
	}
	pointers, err := strconv.Atoi(f[at])
	if err != nil || at+4*pointers >= len(f) {
		return "", s, bad
	}
	for i := at + 1; i < at+1+4*pointers; i += 4 {
		if f[i] == "@" || f[i] == "@i" {
			s.kindOf = append(s.kindOf, f[i+1])
		}
	}
	return f[0], s, nil
}

// above gives a noun and all that it is a kind of.
func (n net) above(place string) map[string]bool {
	out := map[string]bool{place: true}
	for next := []string{place}; len(next) > 0; {
		for _, up := range n.nouns[next[0]].kindOf {
			if !out[up] {
				out[up] = true
				next = append(next, up)
			}
		}
		next = next[1:]
	}
	return out
}
