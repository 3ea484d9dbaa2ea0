package index

import (
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/seed-ae386458/interlock/embedding"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Evidence says how near one wording of a tool is to a query. It has no
// opinion on what counts more.
type Evidence struct {
	Segment, Tool int
	Dense         float32 // cosine, [-1,1]; 0 without vectors
	Gist          float32 // cosine by English words alone, of an English query
	Lexical       float32 // share of the query's Latin words that the wording covers, by weight and rarity, with nouns for what they are kinds of
	Native        float32 // the same of its Han, Kana and Hangul pieces
	Gloss         float32 // the same of the English words for it
	Implied       float32 // the same of the words for what it asks without naming it
	Source        float32 // share of the query's words that the source's name holds beside the tool's
	Context       float32 // mean of the three nearest cosines of the source's tools
	Asked, Extra  float32 // rarity of the acts that both name, and of those that the tool alone names
	Foreign       bool    // the wording is in another language than the query
	Exact         bool    // the query names the tool
}

// The constants of BM25F. background stands for a general catalogue of that
// many tools beside the view, in which an unseen term occurs commonTools times:
// it keeps scores alike in catalogues of ten and of ten thousand tools.
const (
	k1          = 1.2
	b           = 0.5
	background  = 300.0
	commonTools = 3.0
)

// evidences are lists of evidence that nobody holds any more: at a hundred
// thousand tools one is some megabytes, and a new one for each need would keep
// the collector busy with the whole registry.
var evidences sync.Pool // of *[]Evidence

// Release gives a list of evidence back, once nothing points into it.
func Release(found []Evidence) {
	if cap(found) > 0 {
		evidences.Put(&found)
	}
}

// room gives an empty list that has room for n.
func room(n int) []Evidence {
	if kept, ok := evidences.Get().(*[]Evidence); ok && cap(*kept) >= n {
		return (*kept)[:0]
	}
	return make([]Evidence, 0, n)
}

// Search gives the evidence of every visible wording, in order of segment and
// tool. Whoever is done with it may give it to Release.
func Search(v *View, q Query) []Evidence {
	out := room(v.docs)[:v.docs]
	spare := v.spare()
	defer v.spared.Put(spare)
	v.eachPart(func(p part) { v.directions(out, spare, p, q) })
	sums := spare.sums
	total := v.cover(out, sums, q.reading.Language, q.lexical, func(e *Evidence) *float32 { return &e.Lexical })
	v.generalise(out, q.kinds, total)
	v.cover(out, sums, q.reading.Language, q.native, func(e *Evidence) *float32 { return &e.Native })
	v.cover(out, sums, q.reading.Language, q.gloss, func(e *Evidence) *float32 { return &e.Gloss })
	v.cover(out, sums, q.reading.Language, q.implied, func(e *Evidence) *float32 { return &e.Implied })
	if q.Directed() {
		v.context(out)
	}
	v.acts(out, q.reading.Operations)
	v.named(out, q)
	v.exact(out, q)
	return out
}

// directions begins the evidence of a stretch with its cosines.
func (v *View) directions(out []Evidence, spare *spare, p part, q Query) {
	s := v.segments[p.segment]
	first, last := v.offset[p.segment]+p.from, v.offset[p.segment]+p.to
	dense := s.vectors.products(spare.dense[first:last], p.from, p.to, q.vector)
	gists := s.gists.products(spare.gist[first:last], p.from, p.to, q.gist)
	v.docsOf(p, func(d *doc, j, at int) {
		e := Evidence{Segment: p.segment, Tool: int(d.tool), Foreign: d.language != q.reading.Language}
		if dense != nil {
			e.Dense = embedding.CosineOf(dense[j-p.from], q.vector.Scale, s.vectors.scales[j])
		}
		if gists != nil {
			e.Gist = embedding.CosineOf(gists[j-p.from], q.gist.Scale, s.gists.scales[j])
		}
		out[at] = e
	})
}

// cover adds up the terms of one part of a query. A term's weight is its weight
// in the query times its rarity in the view; what a wording covers of the whole
// is its evidence.
func (v *View) cover(out []Evidence, sums []float32, l words.Language, terms []term, of func(*Evidence) *float32) (total float64) {
	if len(terms) == 0 {
		return 0
	}
	clear(sums)
	average := v.averageLength()
	for _, t := range terms {
		rarity := float64(t.weight * inverseFrequency(v.frequency(t.text, l), v.tools))
		total += rarity
		v.add(sums, t.text, l, rarity, average)
	}
	if total == 0 {
		return 0
	}
	v.eachPart(func(p part) {
		first := v.offset[p.segment]
		v.docsOf(p, func(_ *doc, j, at int) { *of(&out[at]) = float32(float64(sums[first+j]) / total) })
	})
	return total
}

// frequency counts the visible tools that hold a term, or, said in another
// language than the query, an English word for which it stands.
func (v *View) frequency(term string, l words.Language) int {
	n := 0
	for i, s := range v.segments {
		last := int32(-1)
		own, glossed := s.postings[term], s.glossed[term]
		for len(own)+len(glossed) > 0 {
			var d *doc
			if len(glossed) == 0 || len(own) > 0 && own[0].doc <= glossed[0].doc {
				d, own = &s.docs[own[0].doc], own[1:]
			} else {
				d, glossed = &s.docs[glossed[0].doc], glossed[1:]
				if d.language == l {
					continue
				}
			}
			if d.tool != last && v.visible[i].Has(int(d.tool)) {
				n++
				last = d.tool
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

// saturated is what a term counts by its frequency, in a doc that is so many
// times as long as others.
func saturated(tf, long float64) float64 {
	norm := (1 - b) + float64(b*long)
	return float64(tf*(1+k1)) / (tf + float64(k1*norm))
}

// add adds a term's saturated weight to each visible doc that holds it, or says
// it in another language than the query.
func (v *View) add(sums []float32, term string, l words.Language, rarity, average float64) {
	each := func(i int, postings []posting, foreign bool) {
		s := v.segments[i]
		for _, p := range postings {
			d := &s.docs[p.doc]
			if !v.visible[i].Has(int(d.tool)) || foreign && d.language == l {
				continue
			}
			full := saturated(float64(p.tf), float64(d.length)/average)
			sums[v.offset[i]+int(p.doc)] += float32(rarity * full / (1 + k1))
		}
	}
	for i, s := range v.segments {
		each(i, s.postings[term], false)
		each(i, s.glossed[term], true)
	}
}

// context gives each wording the mean of the three nearest cosines of its
// source: a need that is near to several tools of a source is about it.
func (v *View) context(out []Evidence) {
	all := make([]nearest, len(v.sources))
	var mu sync.Mutex // guards all
	v.eachPart(func(p part) {
		var one [1]nearest // most segments are of one source
		own, groups := one[:], v.groups[p.segment]
		if len(groups) > 1 {
			own = make([]nearest, len(groups))
		}
		v.docsOf(p, func(d *doc, _, at int) { own[d.source].add(out[at].Dense) })
		mu.Lock()
		defer mu.Unlock()
		for source, n := range own[:len(groups)] {
			for _, x := range n.best[:min(n.count, len(n.best))] {
				all[groups[source]].add(x)
			}
		}
	})
	means := make([]float32, len(all))
	for i := range all {
		means[i] = all[i].mean()
	}
	v.eachPart(func(p part) {
		groups := v.groups[p.segment]
		v.docsOf(p, func(d *doc, _, at int) { out[at].Context = means[groups[d.source]] })
	})
}

// nearest holds the greatest of the cosines that it was given, in whatever order,
// the greatest first.
type nearest struct {
	best  [3]float32
	count int
}

func (n *nearest) add(x float32) {
	n.count++
	if n.count > len(n.best) && x <= n.best[len(n.best)-1] {
		return
	}
	for i := range n.best {
		if n.count <= i+1 {
			n.best[i] = x
			return
		}
		if x > n.best[i] {
			x, n.best[i] = n.best[i], x
		}
	}
}

// mean is that of what is held; 0 of nothing.
func (n *nearest) mean() float32 {
	held := n.best[:min(n.count, len(n.best))]
	sum := float32(0)
	for _, x := range held {
		sum += x
	}
	if len(held) == 0 {
		return 0
	}
	return sum / float32(len(held))
}

// eachDoc goes over the visible docs in order.
func (v *View) eachDoc(do func(d *doc, group int)) {
	for i, s := range v.segments {
		for j := range s.docs {
			if d := &s.docs[j]; v.visible[i].Has(int(d.tool)) {
				do(d, v.groups[i][d.source])
			}
		}
	}
}

// acts weighs what the query asks to be done against what the tools do, a rare
// act more than a common one.
func (v *View) acts(out []Evidence, asked words.Operations) {
	if asked == 0 {
		return
	}
	v.eachPart(func(p part) {
		known := map[words.Operations][2]float32{} // tools are many, what they do is of few kinds
		v.docsOf(p, func(d *doc, _, at int) {
			if d.acts == 0 {
				return
			}
			x, ok := known[d.acts]
			if !ok {
				x = v.weighActs(d.acts, asked)
				known[d.acts] = x
			}
			out[at].Asked, out[at].Extra = x[0], x[1]
		})
	})
}

// weighActs gives the rarity of the acts that both name, and of those that the
// tool alone names.
func (v *View) weighActs(does, asked words.Operations) (out [2]float32) {
	for k := range words.Kinds {
		switch {
		case !does.Has(k):
		case asked.Has(k):
			out[0] += v.rarity[k]
		default:
			out[1] += v.rarity[k]
		}
	}
	return out
}

// named weighs the words of a source's name that the query holds. Words that
// the tool's own name holds too are no news.
func (v *View) named(out []Evidence, q Query) {
	terms := q.lexical
	if len(q.gloss) > 0 {
		terms = q.gloss
	}
	share := make([]float32, len(v.sources))
	hit := make([]map[string]float32, len(v.sources))
	any := false
	for g, s := range v.sources {
		for _, word := range s.words {
			for _, t := range terms {
				if t.text == word {
					rarity := float32(t.weight * inverseFrequency(v.holders[word], len(v.sources)))
					share[g] += rarity
					if hit[g] == nil {
						hit[g] = map[string]float32{}
					}
					hit[g][word] = rarity
					any = true
				}
			}
		}
	}
	if !any {
		return
	}
	at := 0
	v.eachDoc(func(d *doc, group int) {
		x := share[group]
		for _, word := range d.sourceInName {
			x -= hit[group][word]
		}
		out[at].Source = max(x, 0)
		at++
	})
}

// exact marks the tools that the query names: the whole text, or a run of its
// words, is a name or an alias. A run of one word counts only where it looks
// like an identifier, so that "get" names nothing.
func (v *View) exact(out []Evidence, q Query) {
	named := map[[2]int]bool{}
	fields := q.fields
	try := func(key string) {
		for i, s := range v.segments {
			for _, tool := range s.exact.of(key) {
				if v.visible[i].Has(int(tool)) {
					named[[2]int{i, int(tool)}] = true
				}
			}
		}
	}
	try(strings.ToLower(strings.Join(fields, " ")))
	for n := 1; n <= min(v.words, 6, len(fields)); n++ {
		for i := 0; i+n <= min(len(fields), 64); i++ {
			key := strings.TrimFunc(strings.Join(fields[i:i+n], " "), edgePunctuation)
			if n > 1 || identifier(key) {
				try(strings.ToLower(key))
			}
			if bare := withoutEnding(key); bare != key && identifier(bare) {
				try(strings.ToLower(bare))
			}
		}
	}
	if len(named) == 0 {
		return
	}
	for i := range out {
		out[i].Exact = named[[2]int{out[i].Segment, out[i].Tool}]
	}
}

func edgePunctuation(r rune) bool {
	return unicode.IsPunct(r) && r != '_' && r != '/' || unicode.IsSymbol(r)
}

// identifier reports whether one word could only be a name: it holds a
// separator, or a capital after a small letter.
func identifier(word string) bool {
	if strings.ContainsAny(word, "_/.-") {
		return true
	}
	for i := 1; i < len(word); i++ {
		if word[i] >= 'A' && word[i] <= 'Z' && word[i-1] >= 'a' && word[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// withoutEnding takes off what Korean and Japanese write behind a Latin word
// without a space: "read_file을" names read_file.
func withoutEnding(word string) string {
	for i, r := range word {
		if i > 0 && unicode.In(r, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Han) {
			return strings.TrimFunc(word[:i], edgePunctuation)
		}
	}
	return word
}

// sourceWords are the words of a source's name that say what it is: those of
// its last dotted part, without numbers and the words that any source may bear.
func sourceWords(name string) []string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	var out []string
	for _, t := range words.Tokens(name) {
		if t[0] >= '0' && t[0] <= '9' || commonSource[t] || slices.Contains(out, t) {
			continue
		}
		out = append(out, t)
	}
	return out
}

var commonSource = map[string]bool{"mcp": true, "server": true, "api": true, "apis": true, "servic": true, "tool": true, "app": true, "client": true, "official": true, "v": true}

// SourceText gives the words of a source's name that say something beside the
// name of a tool, as they are spelled; empty where there are none.
func SourceText(source, tool string) string {
	said := sourceWords(source)
	own := words.Tokens(tool)
	if i := strings.LastIndexByte(source, '.'); i >= 0 {
		source = source[i+1:]
	}
	var out []string
	for _, part := range strings.FieldsFunc(source, func(r rune) bool { return strings.ContainsRune("_-/: ", r) }) {
		news := slices.ContainsFunc(words.Tokens(part), func(t string) bool { return slices.Contains(said, t) && !slices.Contains(own, t) })
		if news {
			out = append(out, part)
		}
	}
	return strings.Join(out, " ")
}
