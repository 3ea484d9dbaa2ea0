package discover

import (
	"math"

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
}

// standing measures ranked tools, best first.
func standing(ranked []rankedTool, regime Regime) Standing {
	var s Standing
	var first rankedTool
	sum, dense, most, gist, act := 0.0, math.Inf(-1), 0.0, math.Inf(-1), 0.0
	for i := range ranked {
		r := &ranked[i]
		if r.class == eligible.Incompatible || s.Tools > 0 && r.mark.Family == first.mark.Family {
			continue // other versions of the first are no rivals of it
		}
		s.Tools++
		switch s.Tools {
		case 1:
			first = *r
			s.Level, s.Rank, s.Second, s.Fifth, s.NextLevel = regime.place(*r), r.rank, farAhead, farAhead, 1
		case 2:
			s.Second, s.Fifth = first.rank-r.rank, first.rank-r.rank
			s.NextLevel = s.Level - regime.place(*r)
		case 3, 4, 5:
			s.Fifth = first.rank - r.rank
		}
		sum += math.Exp(r.rank - first.rank)
		dense = max(dense, float64(r.evidence.Dense))
		most = max(most, covers(*r))
		gist = max(gist, float64(r.evidence.Gist))
		act = max(act, float64(r.evidence.Asked))
	}
	if s.Tools == 0 {
		return s
	}
	s.Share = 1 / sum
	s.Dense, s.Words = float64(first.evidence.Dense)-dense, covers(first)-most
	s.Gist, s.Act = float64(first.evidence.Gist)-gist, float64(first.evidence.Asked)-act
	return s
}

// farAhead stands for the distance to a tool that is not there.
const farAhead = 4

func covers(r rankedTool) float64 {
	return float64(max(r.evidence.Lexical, r.evidence.Gloss, r.evidence.Native))
}
