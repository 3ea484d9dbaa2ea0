package discover

// The anchors: evidence of right matches, measured on the calibration requests
// as docs/discovery.md says. TestAnchors of internal/eval holds them true.
var (
	hybridLatin  = Anchors{Low: 0.20, Median: 0.42}
	hybridOther  = Anchors{Low: 0.15, Median: 0.32}
	lexicalLatin = Anchors{Low: 0.14, Median: 0.39}
	lexicalOther = Anchors{Low: 0.15, Median: 0.33}
)

// lexicalWeight is the share of the lexical half in the hybrid scorer, and
// cjkWeight what it adds to a need in Han, Kana and Hangul.
const (
	lexicalWeight = 0.5
	cjkWeight     = 0.5
)
