package discover

import (
	"math"
	"math/bits"

	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
)

// Standing is how the first of the tools that may be used stands among them.
type Standing struct {
	Tools         int
	Level         float64 // its place on the evidence scale
	Rank          float64
	Second, Fifth float64 // how far it is ahead, by rank
	Share         float64 // its part of all ranks, as a softmax
	Dense         float64 // how far its cosine is behind the greatest, and
	Words         float64 // how far what it covers is behind the most
	Gist, Act     float64 // the same of the cosine by words alone, and of the acts asked for
	NextLevel     float64 // how far the second is behind on the evidence scale, itself taken
	Foreign       float64 // the share of wordings in another language than an English need
}

// standing measures the first of the tools that may be used against all others.
// The first ones are in order; ok is false where they are too few to tell.
func (r *ranking) standing(head []place, regime Regime) (s Standing, ok bool) {
	var first place
	var family int32
	near := 0
	for _, p := range head {
		if p.class() == eligible.Incompatible || near > 0 && r.family(p) == family {
			continue // other versions of the first are no rivals of it
		}
		near++
		switch near {
		case 1:
			first, family = p, r.family(p)
			s.Level, s.Rank, s.Second, s.Fifth, s.NextLevel = r.level(p, regime), p.rank, farAhead, farAhead, 1
		case 2:
			s.Second, s.Fifth = first.rank-p.rank, first.rank-p.rank
			s.NextLevel = s.Level - r.level(p, regime)
		case 3, 4, 5:
			s.Fifth = first.rank - p.rank
		}
		if near == 5 {
			break
		}
	}
	if ok = near == 5 || len(head) == len(r.places); ok && near > 0 {
		r.stands(&s, first, regime)
	}
	return s, ok
}

// stands fills in what takes all tools.
func (r *ranking) stands(s *Standing, first place, regime Regime) {
	if r.among == nil {
		r.among = r.amongAll(first)
	}
	all := r.among
	at := &r.found[first.at]
	s.Tools = all.tools
	s.Foreign = regime.foreign
	s.Share = 1 / all.sum.value()
	s.Dense, s.Words = float64(at.Dense)-all.dense, covers(at)-all.most
	s.Gist, s.Act = float64(at.Gist)-all.gist, float64(at.Asked)-all.act
}

func (r *ranking) amongAll(first place) *rivals {
	among := make([]rivals, index.Chunks(len(r.places)))
	index.Chunked(len(r.places), func(chunk, from, to int) { among[chunk] = r.rivals(first, from, to) })
	all := noRivals()
	for _, a := range among {
		all.join(a)
	}
	return &all
}

// rivals is what tools have, of which one is the first: what they add up to, and
// the most that any has. It is the same in any order of the tools.
type rivals struct {
	tools                  int
	sum                    whole
	dense, most, gist, act float64
}

func noRivals() rivals { return rivals{dense: math.Inf(-1), gist: math.Inf(-1)} }

func (a *rivals) join(b rivals) {
	a.tools += b.tools
	a.sum.join(b.sum)
	a.dense, a.most, a.gist, a.act = max(a.dense, b.dense), max(a.most, b.most), max(a.gist, b.gist), max(a.act, b.act)
}

// rivals measures the tools between two places.
func (r *ranking) rivals(first place, from, to int) rivals {
	out := noRivals()
	family := r.family(first)
	for _, p := range r.places[from:to] {
		if p.class() == eligible.Incompatible || p.at != first.at && r.family(p) == family {
			continue
		}
		e := &r.found[p.at]
		out.tools++
		out.sum.add(math.Exp(p.rank - first.rank))
		out.dense, out.most = max(out.dense, float64(e.Dense)), max(out.most, covers(e))
		out.gist, out.act = max(out.gist, float64(e.Gist)), max(out.act, float64(e.Asked))
	}
	return out
}

// whole adds numbers in [0,1] in units of 2^-52: the sum is the same in any
// order of the tools.
type whole struct{ low, high uint64 }

func (w *whole) add(x float64) {
	low, carry := bits.Add64(w.low, uint64(x*(1<<52)), 0)
	w.low, w.high = low, w.high+carry
}

func (w *whole) join(b whole) {
	low, carry := bits.Add64(w.low, b.low, 0)
	w.low, w.high = low, w.high+b.high+carry
}

func (w *whole) value() float64 { return float64(float64(w.high)*(1<<12)) + float64(w.low)/(1<<52) }

// farAhead stands for the distance to a tool that is not there.
const farAhead = 4

func covers(e *index.Evidence) float64 { return float64(max(e.Lexical, e.Gloss, e.Native)) }
