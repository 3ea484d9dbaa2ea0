package snapshot

import (
	"context"
	"errors"
	"maps"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
)

// lack is a wording that has no vector yet.
type lack struct {
	doc, tool int // places in its segment
	name      string
	key       string
	texts     [4]string
}

// lacks lists the wordings of docs.
func lacks(docs []index.Doc) []lack {
	out := make([]lack, len(docs))
	for i, d := range docs {
		texts := index.Readings(d)
		out[i] = lack{doc: i, tool: d.Tool, name: d.Name, key: textKey(texts), texts: texts}
	}
	return out
}

// vectors are what is known of wordings by their keys. A key that stands with
// nothing is of a wording that never gets one.
type vectors map[string][]byte

// given sets the vectors of docs and returns the wordings that still lack one.
func (v vectors) given(docs []index.Doc, of []lack) []lack {
	var left []lack
	for _, l := range of {
		packed, ok := v[l.key]
		if !ok {
			left = append(left, l)
			continue
		}
		docs[l.doc].Vector = unpack(packed)
	}
	return left
}

// joined is the segment with the vectors that are known, itself where none of
// those it lacks is.
func (seg segment) joined(v vectors) segment {
	rows := map[int][]float32{}
	var left []lack
	for _, l := range seg.lacks {
		if packed, ok := v[l.key]; ok {
			rows[l.doc] = unpack(packed)
		} else {
			left = append(left, l)
		}
	}
	if len(rows) == 0 {
		return seg
	}
	seg.lacks, seg.index = left, seg.index.With(rows)
	return seg
}

// stored reads the vectors of wordings from the store, those that never get one
// among them.
func (o Options) stored(ctx context.Context, never vectors, of []lack) vectors {
	if o.Embedder == nil || len(of) == 0 {
		return nil
	}
	keys := make([]string, len(of))
	for i, l := range of {
		keys[i] = l.key
	}
	known, err := o.Vectors.Vectors(ctx, o.Embedder.Name(), keys)
	if err != nil {
		o.Logger.Error("stored vectors cannot be read", "err", err)
	}
	found := make(vectors, len(known)+len(never))
	maps.Copy(found, never)
	maps.Copy(found, known)
	return found
}

// lacking lists the wordings of a snapshot that have no vector, each text once.
func (s *Snapshot) lacking() []lack {
	seen := map[string]bool{}
	var out []lack
	for _, seg := range s.segments {
		for _, l := range seg.lacks {
			if !seen[l.key] {
				seen[l.key] = true
				out = append(out, l)
			}
		}
	}
	return out
}

// with is the snapshot with the vectors that are known: the same registry, and
// another snapshot, because answers differ.
func (s *Snapshot) with(v vectors) *Snapshot {
	next := &Snapshot{Generation: s.Generation, Serial: s.Serial + 1, Scorer: s.Scorer, Sources: s.Sources,
		byID: s.byID, byHandle: s.byHandle, views: map[string]*viewing{}, proofs: s.proofs, glosser: s.glosser}
	for _, seg := range s.segments {
		next.segments = append(next.segments, seg.joined(v))
	}
	return next
}

// vector is the mean direction of a wording's readings, as it is stored.
func vector(readings [][]float32) ([]byte, error) {
	mean := make([]float32, len(readings[0]))
	for _, v := range readings {
		if len(v) != len(mean) {
			return nil, errors.New("vectors of one model have different lengths")
		}
		for i, x := range v {
			mean[i] += x
		}
	}
	return pack(mean), nil
}

// embed makes the vectors of wordings, all or none.
func (o Options) embed(ctx context.Context, of []lack) (vectors, error) {
	var texts []string
	for _, l := range of {
		texts = append(texts, l.texts[:]...)
	}
	made, err := o.Embedder.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(made) != len(texts) {
		return nil, errors.New("the embedder gave another number of vectors than texts")
	}
	out := vectors{}
	for i, l := range of {
		if out[l.key], err = vector(made[4*i : 4*i+4]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// apart makes the vectors of wordings one by one, after doing so together
// failed. A text that fails twice while the embedder takes another is at fault
// itself, whatever the failure says; once it takes no other, nothing more is
// tried.
func (o Options) apart(ctx context.Context, of []lack) (made, never vectors, err error) {
	made, never = vectors{}, vectors{}
	for i := range of {
		one, fault := o.embed(ctx, of[i:i+1])
		if fault != nil && !errors.Is(fault, interlock.ErrText) {
			if _, err = o.Embedder.Embed(ctx, []string{"a tool"}); err != nil {
				return made, never, err
			}
			one, fault = o.embed(ctx, of[i:i+1])
		}
		if fault == nil {
			maps.Copy(made, one)
			continue
		}
		if ctx.Err() != nil {
			return made, never, ctx.Err()
		}
		never[of[i].key] = nil
		o.Logger.Error("a text has no vector; lexical search serves its tool", "tool", of[i].name, "err", fault)
	}
	return made, never, nil
}
