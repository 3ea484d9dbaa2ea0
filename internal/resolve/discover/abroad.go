package discover

import "github.com/seed-ae386458/interlock/internal/index"

// doubted is the part of its weight that each kind of words of a wording in
// another language loses, gist and acts with them, and that the cosine gains,
// where a view holds no other: words then weigh half against it.
const doubted = 1.0 / 3

// among is the regime over what was found: the share of it that is in another
// language than an English need tells how such wordings are read.
func (r Regime) among(found []index.Evidence) Regime {
	if r.abroad != (weights{}) {
		r.foreign = foreign(found)
	}
	return r
}

// weightsOf gives what each kind of evidence weighs in the rank of a wording in
// the language of the need, and of one in another. Words that go through a
// vocabulary say less than the cosine does, and weigh less the more of a view
// they are the words of. Beside many tools in the language of the need they
// weigh as much as words do there, or those tools would hide all others.
func (r Regime) weightsOf() (own, abroad numbers) {
	own = r.rank.list()
	if r.abroad == (weights{}) || r.rank.dense == 0 { // without a cosine words are all there is
		return own, own
	}
	moved := float64(doubted * float64(r.foreign*r.foreign))
	w := r.rank
	w.dense += float64(w.dense * moved)
	w.gist -= float64(w.gist * moved)
	w.lexical -= float64(w.lexical * moved)
	w.asked -= float64(w.asked * moved)
	return own, w.list()
}

// levelOf gives what each kind weighs in the place of a wording on the evidence
// scale. One in another language is read by its own weights where a view holds
// no other, and half so beside others: one that stands first there has less
// often to be the right one.
func (r Regime) levelOf(e *index.Evidence) numbers {
	own := r.level.list()
	if !e.Foreign || r.abroad == (weights{}) {
		return own
	}
	abroad, part := r.abroad.list(), (1+r.foreign)/2
	for k := range own {
		own[k] = float64((1-part)*own[k]) + float64(part*abroad[k])
	}
	return own
}

// foreign is the share of wordings in another language than the need.
func foreign(found []index.Evidence) float64 {
	in := make([]int, index.Chunks(len(found)))
	index.Chunked(len(found), func(chunk, from, to int) {
		for i := range found[from:to] {
			if found[from+i].Foreign {
				in[chunk]++
			}
		}
	})
	n := 0
	for _, x := range in {
		n += x
	}
	return float64(n) / float64(max(len(found), 1))
}
