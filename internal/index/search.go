package index

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-ae386458/interlock/embedding"
)

// Query is a need made ready for search. It is independent of any view and may
// be kept.
type Query struct {
	terms  []string // distinct, in order of appearance
	lower  string   // the whole text in lower case, white space folded
	vector embedding.Vector
	cjk    float64 // share of the terms in a script written without spaces or Latin letters
}

// CJK gives the share of the query's terms that are Han, Kana or Hangul. Most
// tools are described in English, so a need in these scripts has less to say by
// its terms.
func (q Query) CJK() float64 { return q.cjk }

// NewQuery prepares a text and its vector; the vector may be nil.
func NewQuery(text string, vector []float32) Query {
	q := Query{lower: strings.ToLower(strings.Join(strings.Fields(text), " ")), vector: embedding.Quantise(vector)}
	for _, term := range Tokens(text) {
		if len(q.terms) < 256 && !slices.Contains(q.terms, term) {
			q.terms = append(q.terms, term)
			if IsCJK(term) {
				q.cjk++
			}
		}
	}
	q.cjk /= max(float64(len(q.terms)), 1)
	return q
}

// Evidence says how near one tool is to a query, by its best wording in each
// respect that Fuse decides.
type Evidence struct {
	Segment, Tool int
	Lexical       float64 // share of the query's weight that the wording covers, [0,1]
	Dense         float64 // cosine, [-1,1]; 0 without vectors
	Exact         bool    // the query names the tool
}

// The constants of BM25F. background stands for a general catalogue of that
// many tools beside the view, in which an unseen term occurs commonTools times:
// it keeps scores alike in catalogues of ten and of ten thousand tools.
const (
	k1          = 0.6
	b           = 0.35
	background  = 300.0
	commonTools = 3.0
	// unseenCJK is what a Han, Kana or Hangul term that no visible tool holds
	// still weighs: it may be a particle, or a word that tools say in English.
	unseenCJK = 0.3
)

// Search gives the evidence of every visible tool, in order of segment and
// tool. fuse turns the two halves of one wording into one number; the wording
// with the highest is the tool's.
func Search(v *View, q Query, fuse func(lexical, dense, cjk float64) float64) []Evidence {
	lexical := v.lexical(q)
	exact := v.exact(q)
	out := make([]Evidence, 0, v.tools)
	dense := make([]float64, 0, 64)
	for i, s := range v.segments {
		dense = s.vectors.cosines(dense[:0], q.vector)
		out = v.gather(out, i, lexical[v.offset[i]:v.offset[i+1]], dense, q.cjk, fuse)
	}
	for i := range out {
		out[i].Exact = exact[[2]int{out[i].Segment, out[i].Tool}]
	}
	return out
}

// gather folds the docs of one segment into its visible tools.
func (v *View) gather(out []Evidence, seg int, lexical []float32, dense []float64, cjk float64, fuse func(_, _, _ float64) float64) []Evidence {
	best := math.Inf(-1)
	for i, d := range v.segments[seg].docs {
		if !v.visible[seg].Has(int(d.tool)) {
			continue
		}
		e := Evidence{Segment: seg, Tool: int(d.tool), Lexical: float64(lexical[i]), Dense: dense[i]}
		f := fuse(e.Lexical, e.Dense, cjk)
		if n := len(out); n > 0 && out[n-1].Segment == seg && out[n-1].Tool == e.Tool {
			if f > best {
				out[n-1], best = e, f
			}
			continue
		}
		out, best = append(out, e), f
	}
	return out
}

// lexical gives, for each doc of each segment, the covered share of the
// query's weight.
func (v *View) lexical(q Query) []float32 {
	cover := make([]float32, v.offset[len(v.segments)])
	average := v.averageLength()
	var total float64
	for _, term := range q.terms {
		df := v.frequency(term)
		idf := inverseFrequency(df, v.tools)
		switch {
		case df > 0:
			total += idf
			v.cover(cover, term, idf, average)
		case IsCJK(term):
			total += float64(unseenCJK * idf)
		default:
			total += idf
		}
	}
	if total == 0 {
		return cover
	}
	for i := range cover {
		cover[i] = float32(float64(cover[i]) / total)
	}
	return cover
}

// frequency counts the visible tools that hold a term.
func (v *View) frequency(term string) int {
	n := 0
	for i, s := range v.segments {
		last := int32(-1)
		for _, p := range s.postings[term] {
			if tool := s.docs[p.doc].tool; tool != last && v.visible[i].Has(int(tool)) {
				n++
				last = tool
			}
		}
	}
	return n
}

func inverseFrequency(df, tools int) float64 {
	n := float64(tools) + background
	f := float64(df) + commonTools
	return math.Log(1 + (n-f+0.5)/(f+0.5))
}

// cover adds a term's saturated weight to each visible doc that holds it.
func (v *View) cover(cover []float32, term string, idf, average float64) {
	for i, s := range v.segments {
		for _, p := range s.postings[term] {
			d := s.docs[p.doc]
			if !v.visible[i].Has(int(d.tool)) {
				continue
			}
			tf := float64(p.tf)
			long := float64(d.length) / average
			norm := (1 - b) + float64(b*long)
			full := float64(tf*(1+k1)) / (tf + float64(k1*norm))
			cover[v.offset[i]+int(p.doc)] += float32(idf * min(full, 1))
		}
	}
}

// exact finds the tools that the query names: the whole text, or a run of its
// words, is a name or an alias. A run of one word counts only where it looks
// like an identifier, so that "get" names nothing.
func (v *View) exact(q Query) map[[2]int]bool {
	named := map[[2]int]bool{}
	words := strings.Fields(q.lower)
	try := func(key string) {
		for i, s := range v.segments {
			for _, tool := range s.exact[key] {
				if v.visible[i].Has(int(tool)) {
					named[[2]int{i, int(tool)}] = true
				}
			}
		}
	}
	try(q.lower)
	for n := 1; n <= min(v.words, 6, len(words)); n++ {
		for i := 0; i+n <= min(len(words), 64); i++ {
			key := strings.TrimFunc(strings.Join(words[i:i+n], " "), edgePunctuation)
			if n > 1 || identifier(key) {
				try(key)
			}
		}
	}
	return named
}

func edgePunctuation(r rune) bool {
	return unicode.IsPunct(r) && r != '_' && r != '/' || unicode.IsSymbol(r)
}

// identifier reports whether one word could only be a name.
func identifier(word string) bool { return strings.ContainsAny(word, "_/.-") }
