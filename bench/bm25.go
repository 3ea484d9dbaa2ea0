package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"unicode"
)

// bm25 is the plainest search there is by words: the names and descriptions of
// tools, cut at what is no letter, scored one after the other. It is a baseline
// for time, and no word of it is used by Interlock.
type bm25 struct {
	postings map[string][]occurrence
	lengths  []float64
	average  float64
}

type occurrence struct {
	doc   int32
	count float32
}

func newBM25(file string) (*bm25, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	p := &bm25{postings: map[string][]occurrence{}}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var t struct{ Name, Description string }
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, err
		}
		p.add(plainWords(t.Name + " " + t.Description))
	}
	p.average /= float64(max(len(p.lengths), 1))
	return p, lines.Err()
}

func (p *bm25) add(words []string) {
	counts := map[string]float32{}
	for _, w := range words {
		counts[w]++
	}
	for w, n := range counts {
		p.postings[w] = append(p.postings[w], occurrence{int32(len(p.lengths)), n})
	}
	p.lengths = append(p.lengths, float64(len(words)))
	p.average += float64(len(words))
}

func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// best gives the places of the k docs with the greatest scores, best first.
func (p *bm25) best(need string, k int) []int {
	scores := make([]float64, len(p.lengths))
	for _, w := range plainWords(need) {
		rows := p.postings[w]
		rarity := math.Log(1 + (float64(len(p.lengths))-float64(len(rows))+0.5)/(float64(len(rows))+0.5))
		for _, o := range rows {
			tf := float64(o.count)
			scores[o.doc] += rarity * tf * 2.2 / (tf + 1.2*(0.25+0.75*p.lengths[o.doc]/p.average))
		}
	}
	var out []int
	for i, s := range scores {
		if len(out) == k && s <= scores[out[k-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(out, s, func(j int, s float64) int { return cmp.Compare(s, scores[j]) })
		for at < len(out) && scores[out[at]] == s {
			at++
		}
		out = slices.Insert(out, at, i)
		out = out[:min(len(out), k)]
	}
	return out
}
