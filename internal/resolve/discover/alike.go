package discover

import "github.com/seed-ae386458/interlock/internal/index"

// byWordsAlone is what is taken off the likeness of two tools where English
// words alone tell it: they are alike more often.
const byWordsAlone = 0.1

// Alike gives how much two tools of the view say the same of themselves, 1 at
// the most: the mean of the two cosines between their wordings.
func (l List) Alike(a, b Entry) float64 {
	dense, gist := index.Alike(l.set.Frozen().View().Index, a.Evidence, b.Evidence)
	if dense == 0 || !l.Directed() {
		return Round(float64(gist) - byWordsAlone)
	}
	return Round((float64(l.cosine(dense)) + float64(gist)) / 2)
}
