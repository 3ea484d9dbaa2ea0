package index

import "github.com/seed-ae386458/interlock/internal/parallel"

// Chunk is how many items of a long list are worked on at once. It is the same
// on every machine, so that what is added up chunk by chunk is, too.
const Chunk = 4096

// Chunked works on n items, chunk by chunk: on all processors where there are
// several chunks, else here. The chunks of a list are its own: they lie in what
// the caller sees.
func Chunked(n int, do func(chunk, from, to int)) {
	parallel.Each(n, Chunk, func(from, to int) { do(from/Chunk, from, to) })
}

// Chunks counts the chunks of n items.
func Chunks(n int) int { return (n + Chunk - 1) / Chunk }

// part is a stretch of a segment's docs, and where the first that is visible of
// them stands in the answer of Search.
type part struct {
	segment, from, to int
	at                int
}

// partsOf cuts the docs of a view into stretches.
func (v *View) partsOf() []part {
	var out []part
	at := 0
	for i, s := range v.segments {
		for from := 0; from < len(s.docs); from += Chunk {
			p := part{segment: i, from: from, to: min(len(s.docs), from+Chunk), at: at}
			for j := p.from; j < p.to; j++ {
				if v.visible[i].Has(int(s.docs[j].tool)) {
					at++
				}
			}
			out = append(out, p)
		}
	}
	return out
}

// eachPart works on the stretches of a view, on all processors where the docs
// are many.
func (v *View) eachPart(do func(p part)) {
	if v.docs < 2*Chunk {
		for _, p := range v.parts {
			do(p)
		}
		return
	}
	parallel.Each(len(v.parts), 1, func(i, _ int) { do(v.parts[i]) })
}

// docsOf goes over the visible docs of a stretch, in order; at is their place in
// the answer of Search.
func (v *View) docsOf(p part, do func(d *doc, j, at int)) {
	s, visible, at := v.segments[p.segment], v.visible[p.segment], p.at
	for j := p.from; j < p.to; j++ {
		if d := &s.docs[j]; visible.Has(int(d.tool)) {
			do(d, j, at)
			at++
		}
	}
}
