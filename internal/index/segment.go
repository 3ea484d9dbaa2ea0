package index

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
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
	weightFamily  = 2.0
	weightTitle   = 2.0
	weightText    = 1.0
	weightParam   = 0.7
	weightOutput  = 0.4
	weightEnum    = 0.4
	weightDocs    = 0.25
	weightSource  = 0.5
	maxDocsTokens = 400
)

// Segment is the compiled form of the tools of one source. It never changes; a
// source that changes gets a new one.
type Segment struct {
	tools    int
	docs     []doc
	postings map[string][]posting
	exact    map[string][]int32 // lower-case name or alias → tools
	vectors  rows
	words    int // the longest exact key, in words
}

type doc struct {
	tool   int32
	length float32 // weighted number of terms
}

type posting struct {
	doc int32
	tf  float32 // weighted term frequency
}

// Tools gives the number of tools in the segment.
func (s *Segment) Tools() int { return s.tools }

// Build compiles the docs of one source, which must come grouped by tool. An
// exact key is a name that finds its tool whatever the score.
func Build(tools int, docs []Doc, exact func(tool int) []string) *Segment {
	s := &Segment{tools: tools, postings: map[string][]posting{}, exact: map[string][]int32{}}
	for i, w := range weighAll(docs) {
		for term, f := range w.tf {
			s.postings[term] = append(s.postings[term], posting{int32(i), f})
		}
		s.docs = append(s.docs, doc{int32(docs[i].Tool), w.length})
	}
	s.vectors = newRows(docs)
	for tool := range tools {
		for _, key := range exact(tool) {
			s.addExact(key, int32(tool))
		}
	}
	return s
}

func (s *Segment) addExact(key string, tool int32) {
	key = strings.ToLower(strings.Join(strings.Fields(key), " "))
	if key == "" {
		return
	}
	if had := s.exact[key]; len(had) > 0 && had[len(had)-1] == tool {
		return
	}
	s.exact[key] = append(s.exact[key], tool)
	s.words = max(s.words, 1+strings.Count(key, " "))
}

// weighed is what BM25F keeps of one doc: one weighted frequency a term, and one
// weighted length.
type weighed struct {
	tf     map[string]float32
	length float32
}

// weighAll weighs docs, many of them on all processors.
func weighAll(docs []Doc) []weighed {
	const chunk = 64
	out := make([]weighed, len(docs))
	var next atomic.Int64
	var work sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 1+len(docs)/chunk) {
		work.Go(func() {
			for from := int(next.Add(chunk)) - chunk; from < len(docs); from = int(next.Add(chunk)) - chunk {
				for i := from; i < min(from+chunk, len(docs)); i++ {
					out[i] = weigh(docs[i])
				}
			}
		})
	}
	work.Wait()
	return out
}

func weigh(d Doc) weighed {
	w := weighed{tf: map[string]float32{}}
	put := func(weight float32, limit int, texts ...string) {
		for _, text := range texts {
			for i, term := range Tokens(text) {
				if i >= limit {
					break
				}
				w.tf[term] += weight
				w.length += weight
			}
		}
	}
	put(weightName, maxTokens, d.Name)
	put(weightAlias, maxTokens, d.Aliases...)
	put(weightFamily, maxTokens, d.Family)
	put(weightTitle, maxTokens, d.Title)
	put(weightSource, maxTokens, d.Source)
	put(weightText, maxTokens, d.Description)
	put(weightParam, maxTokens, d.Params...)
	put(weightOutput, maxTokens, d.Outputs...)
	put(weightEnum, maxTokens, d.Enums...)
	put(weightDocs, maxDocsTokens, d.ParamDocs)
	return w
}
