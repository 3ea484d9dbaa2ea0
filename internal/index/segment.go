package index

import (
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding"
	"github.com/seed-ae386458/interlock/internal/parallel"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Doc is one wording of one tool, as texts to be searched.
type Doc struct {
	Tool        int // position of its tool in the segment
	Name        string
	Family      string
	Source      string
	Title       string
	Description string
	Aliases     []string
	Params      []string // names of inputs, nested ones too
	ParamDocs   string   // what the inputs say of themselves
	Outputs     []string
	Enums       []string
	Vector      []float32 // nil where there is none yet
	Row         Row       // in the place of Vector: that of a doc compiled before
}

// The weight of a term by the field it stands in.
const (
	weightName    = 3.0
	weightAlias   = 3.0
	weightFamily  = 1.0
	weightTitle   = 2.0
	weightText    = 1.0
	weightParam   = 1.0
	weightOutput  = 0.4
	weightEnum    = 1.0
	weightDocs    = 0.5
	weightSource  = 0.5
	maxTokens     = 4096
	maxDocsTokens = 400
)

// Segment is the compiled form of the tools of one source. It never changes; a
// source that changes gets a new one.
type Segment struct {
	tools    int
	docs     []doc
	postings map[string][]posting
	glossed  map[string][]posting // English words for what is said in another language, where a wording does not hold them itself
	exact    exact                // of names and aliases
	vectors  rows
	gists    rows      // by English words alone
	general  []general // general nouns of the docs, end to end
	sources  []string  // names that the docs point to
}

type doc struct {
	tool         int32
	source       int32
	length       float32 // weighted number of terms
	general      int32   // where its general nouns end
	acts         words.Operations
	language     words.Language
	sourceInName []string // words of its source's name that its own name holds
}

type posting struct {
	doc int32
	tf  float32 // weighted term frequency
}

// Tools gives the number of tools in the segment.
func (s *Segment) Tools() int { return s.tools }

// Build compiles the docs of one source, which must come grouped by tool. An
// exact key is a name that finds its tool whatever the score. The vocabulary
// gives English words for wordings in other languages; it may be nil.
func Build(tools int, docs []Doc, glosser interlock.Glosser, exact func(tool int) []string) *Segment {
	s := &Segment{tools: tools, postings: map[string][]posting{}, glossed: map[string][]posting{}, exact: newExact(tools, exact)}
	weights := weighAll(docs, glosser)
	for i, w := range weights {
		for term, f := range w.tf {
			s.postings[term] = append(s.postings[term], posting{int32(i), f})
		}
		for term, f := range w.glossed {
			s.glossed[term] = append(s.glossed[term], posting{int32(i), f})
		}
		s.general = append(s.general, w.general.list()...)
		s.docs = append(s.docs, doc{tool: int32(docs[i].Tool), source: s.source(docs[i].Source), length: w.length, general: int32(len(s.general)), acts: w.acts, language: w.language, sourceInName: w.sourceInName})
	}
	s.vectors = newRows(docs)
	s.gists = gistRows(weights)
	return s
}

// weighed is what is kept of one doc: for BM25F one weighted frequency a term and
// one weighted length, what it does, what its name says of its source, and its
// direction by English words alone.
type weighed struct {
	tf           map[string]float32
	glossed      map[string]float32 // the same of English words for it
	general      generals
	length       float32
	language     words.Language
	acts         words.Operations
	sourceInName []string
	gist         embedding.Vector
}

// weighAll weighs docs, many of them on all processors.
func weighAll(docs []Doc, glosser interlock.Glosser) []weighed {
	const chunk = 64
	out := make([]weighed, len(docs))
	parallel.Each(len(docs), chunk, func(from, to int) {
		for i := from; i < to; i++ {
			out[i] = weigh(docs[i], glosser)
		}
	})
	return out
}

func weigh(d Doc, glosser interlock.Glosser) weighed {
	w := weighed{tf: map[string]float32{}, language: languageOf(d)}
	add := func(weight float32, limit int, things bool, texts []string) {
		for _, text := range texts {
			for i, term := range words.Tokens(text) {
				if i >= limit {
					break
				}
				w.tf[term] += weight
				w.length += weight
				if things {
					w.general.add(term, weight)
				}
			}
		}
	}
	put := func(weight float32, limit int, texts ...string) { add(weight, limit, false, texts) }
	name := func(weight float32, limit int, texts ...string) { add(weight, limit, true, texts) } // what is acted on or taken
	name(weightName, maxTokens, d.Name)
	name(weightAlias, maxTokens, d.Aliases...)
	put(weightFamily, maxTokens, d.Family)
	name(weightTitle, maxTokens, d.Title)
	put(weightSource, maxTokens, d.Source)
	put(weightText, maxTokens, d.Description)
	name(weightParam, maxTokens, d.Params...)
	put(weightOutput, maxTokens, d.Outputs...)
	name(weightEnum, maxTokens, d.Enums...)
	name(weightDocs, maxDocsTokens, d.ParamDocs)
	w.acts = words.ToolOperations(d.Name, d.Description)
	w.sourceInName = shared(d.Source, d.Name)
	texts := Readings(d)
	if w.language != words.English && glosser != nil {
		w.glossed = glossOf(d, glosser, w.tf)
		said := texts
		for i := range texts {
			if i > 0 && said[i] == said[i-1] {
				texts[i] = texts[i-1]
			} else {
				texts[i] = english(texts[i], glosser)
			}
		}
	}
	w.gist = gistOf(texts[:]...)
	return w
}

// source gives the place of a source's name, which is added where it is new.
func (s *Segment) source(name string) int32 {
	i := slices.Index(s.sources, name)
	if i < 0 {
		i = len(s.sources)
		s.sources = append(s.sources, name)
	}
	return int32(i)
}

// shared gives the words of a source's name that a tool's name holds.
func shared(source, name string) []string {
	own := words.Tokens(name)
	return slices.DeleteFunc(sourceWords(source), func(w string) bool { return !slices.Contains(own, w) })
}
