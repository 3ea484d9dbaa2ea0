package discover

// The weights were set by hand and chosen among a few on open requests; learned
// ones did not beat them on publishers left out (docs/discovery.md; make train
// fits and holds them anew). The anchors are the evidence of right matches,
// measured on the calibration requests; TestAnchors of internal/eval holds them
// true. What an English need and a wording in another language have in common
// goes through a vocabulary, so there is less of it: abroad puts it on the same
// scale.
var (
	hybridLatin = Regime{
		rank:    weights{dense: 1, gist: 1.2, lexical: 0.9, implied: 0.4, source: 0.3, context: 0.2, asked: 0.55, extra: -0.1},
		level:   weights{dense: 0.5, lexical: 0.5},
		abroad:  weights{dense: 0.45, gist: 0.25, lexical: 0.25},
		Anchors: Anchors{Low: 0.20, Median: 0.385},
	}
	hybridOther = Regime{
		rank:    weights{dense: 1, native: 0.25, gloss: 0.2, implied: 0.6, source: 0.2, context: 0.3, asked: 0.55, extra: -0.1},
		level:   weights{dense: 1, native: 0.5, gloss: 0.1},
		Anchors: Anchors{Low: 0.12, Median: 0.38},
	}
	lexicalLatin = Regime{
		rank:    weights{gist: 0.8, lexical: 1, implied: 0.4, source: 0.3, asked: 0.5, extra: -0.05},
		level:   weights{lexical: 1},
		abroad:  weights{gist: 0.2, lexical: 0.6},
		Anchors: Anchors{Low: 0.12, Median: 0.30},
	}
	lexicalOther = Regime{
		rank:    weights{lexical: 0.3, native: 1, gloss: 0.6, implied: 0.6, source: 0.2, asked: 0.3, extra: -0.05},
		level:   weights{lexical: 0.3, native: 1, gloss: 0.5},
		Anchors: Anchors{Low: 0.08, Median: 0.22},
	}
)
