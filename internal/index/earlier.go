package index

import (
	"strings"

	"github.com/seed-ae386458/interlock/embedding"
	"github.com/seed-ae386458/interlock/internal/words"
)

const (
	maxEarlier      = 4    // turns that are read
	maxEarlierBytes = 2048 // of them
	// pastWeight is what earlier turns weigh against the need, and elliptWeight
	// where the need itself names no act, as an answer to a question does.
	pastWeight   = 0.25
	elliptWeight = 0.7
)

// Earlier joins the last earlier turns into one text, bounded.
func Earlier(turns []string) string {
	turns = turns[max(0, len(turns)-maxEarlier):]
	text := strings.ToValidUTF8(strings.TrimSpace(strings.Join(turns, "\n")), " ")
	if len(text) > maxEarlierBytes {
		text = strings.ToValidUTF8(text[len(text)-maxEarlierBytes:], "")
	}
	return text
}

// after gives the need as one that follows what was said earlier.
func (q Query) after(past Query) Query {
	weight := pastWeight
	if q.reading.Operations == 0 {
		weight = elliptWeight
		q.reading.Operations = past.reading.Operations
	}
	q.earlier = &past.reading
	q.lexical = lighter(q.lexical, past.lexical, weight)
	q.native = lighter(q.native, past.native, weight)
	if q.reading.Language == words.English {
		q.kinds = kindsOf(q.lexical)
	} else {
		q.gloss = lighter(q.gloss, past.gloss, weight)
	}
	q.vector = between(q.vector, past.vector, weight)
	return q
}

// lighter adds terms with a part of their weight; those that stand keep theirs.
func lighter(terms, more []term, weight float64) []term {
	out := append([]term{}, terms...)
	for _, t := range more {
		out = put(out, t.text, t.weight*weight)
	}
	return out
}

// Earlier gives what the turns before the need say; ok is false where there are
// none.
func (q Query) Earlier() (words.Reading, bool) {
	if q.earlier == nil {
		return words.Reading{}, false
	}
	return *q.earlier, true
}

// between gives the direction of a, drawn towards b by its weight.
func between(a, b embedding.Vector, weight float64) embedding.Vector {
	if len(a.Values) == 0 || len(a.Values) != len(b.Values) {
		return a
	}
	sum := make([]float32, len(a.Values))
	for i, x := range a.Values {
		sum[i] = float32(float64(float32(x)*a.Scale) + float64(weight*float64(float32(b.Values[i])*b.Scale)))
	}
	return embedding.Quantise(sum)
}
