package fit

import (
	"math"
	"strings"

	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Signals are what tells a need that is served from one that is not, in numbers
// of like size. They describe the need and its best tools, never which tools
// those are.
type Signals [NumSignals]float64

// NumSignals is the number of signals.
const NumSignals = 28

// SignalNames names the signals.
var SignalNames = [NumSignals]string{"level", "dense", "lexical", "gloss", "native", "rank", "ahead of second", "ahead of fifth",
	"act asked", "act beside", "unknown words", "name covered", "context", "inputs missing", "values unused", "length",
	"share", "nearest in meaning", "nearest in words", "clear of second",
	"gist", "nearest in gist", "act not met", "nearest in act",
	"values", "speech", "texts", "question"}

// Signals measures the best tool of a result; ok is false where there is none.
func (r Result) Signals() (s Signals, ok bool) {
	best, found := r.best()
	if !found {
		return s, false
	}
	query := r.list.Query()
	at := r.list.Standing()
	e, unknown := abroad(best.Evidence, query, at.Foreign), index.Unknown(r.list.Set().Frozen().View().Index, query)
	if e.Foreign {
		unknown *= 1 - float64(at.Foreign*missed)
	}
	s[0], s[1], s[2], s[3], s[4] = at.Level, float64(e.Dense), float64(e.Lexical), float64(e.Gloss), float64(e.Native)
	s[5], s[6], s[7] = at.Rank/10, at.Second/4, at.Fifth/4
	s[16], s[17], s[18], s[19] = at.Share, at.Dense, at.Words, at.NextLevel
	asked := query.Reading().Operations
	if asked != 0 {
		s[8] = float64(e.Asked) / 3
		s[9] = float64(e.Extra) / 5
	}
	s[10] = unknown
	s[11] = nameCovered(best.Tool.Op.Name, query, e)
	s[12] = float64(e.Context)
	missing, unused := best.balance()
	s[13], s[14] = float64(min(missing, 4))/4, float64(min(unused, 4))/4
	s[20], s[21] = float64(e.Gist), at.Gist
	s[22] = float64((asked &^ best.Tool.Said().Acts).Len()) / 3
	if asked != 0 {
		s[23] = at.Act / 3
	}
	s[15] = math.Log1p(float64(query.Length())) / 4
	talked(&s, best, query)
	return s, true
}

// What is told of an English need's best tool where it is described in another
// language goes through a vocabulary that knows every other word or so: right
// matches have so much less of each kind, and of the words that no tool holds
// half are words that no tool could have been given. That holds where a view has
// no other tools; beside others one that stands first has less often to be the
// right one, and its evidence is raised by no more than the share of its like.
const (
	lessDense, lessGist, lessLexical = 1.15, 1.25, 2.5
	missed                           = 0.5
)

// abroad gives the evidence of the best tool as it would be of one described in
// the language of an English need; that of other needs as it is.
func abroad(e index.Evidence, query index.Query, share float64) index.Evidence {
	if e.Foreign = e.Foreign && query.Reading().Language == words.English; e.Foreign {
		raised := func(x float32, by float64) float32 {
			return float32(min(1, float64(x)*(1+float64(share*(by-1)))))
		}
		e.Dense, e.Context = raised(e.Dense, lessDense), raised(e.Context, lessDense)
		e.Gist, e.Lexical = raised(e.Gist, lessGist), raised(e.Lexical, lessLexical)
	}
	return e
}

// talked measures whether a need asks for words, or for what anybody may know. A
// tool that says of itself that it explains may be what "explain" asks for.
func talked(s *Signals, best Fit, query index.Query) {
	talk := words.TalkOf(query.Text(), query.Reading())
	s[24] = math.Log1p(float64(talk.Values)) / 2
	if talk.Speech != "" && !strings.Contains(strings.ToLower(best.Tool.Op.Name+" "+best.Tool.Wording()), talk.Speech) {
		s[25] = 1
	}
	s[26] = float64(min(talk.Texts, 3)) / 3
	if talk.Question {
		s[27] = 1
	}
}

// best is the first of the compatible tools, denied ones included, as the
// evidence orders them: what a reranker proposes says nothing of whether a need
// is served.
func (r Result) best() (Fit, bool) {
	compatible, denied := r.compatible, r.denied
	if r.list.Reranked() != nil {
		compatible = r.unranked(eligible.Compatible)
	}
	switch {
	case len(compatible) == 0 && len(denied) == 0:
		return Fit{}, false
	case len(compatible) == 0 || len(denied) > 0 && denied[0].Score > compatible[0].Score:
		return denied[0], true
	}
	return compatible[0], true
}

// unranked gives the first slot of a part as it stood before a reranker.
func (r Result) unranked(class eligible.Class) []Fit {
	list := r.list.Unranked()
	whole := list.Query()
	slots := list.Slots(class)
	if len(slots) == 0 {
		return nil
	}
	f := match(slots[0], r.need, &whole)
	f.whole = &whole
	return []Fit{f}
}

// nameCovered is the share of the words of a tool's name, its acts apart, that
// the need or its gloss holds. An English need cannot hold a name in another
// script: what it covers of the whole wording stands for it.
func nameCovered(name string, query index.Query, e index.Evidence) float64 {
	all, held := 0.0, 0.0
	for _, t := range words.Objects(name) {
		if e.Foreign && words.IsCJK(t) {
			return float64(e.Lexical)
		}
		all++
		if query.Holds(t) {
			held++
		}
	}
	if all == 0 {
		return 0
	}
	return held / all
}

// balance counts the inputs that are missing, and the values of the need that
// no input takes.
func (f Fit) balance() (missing, unused int) {
	s := newSupply(f)
	for _, in := range f.inputs() {
		if in.kind == anyFlag {
			continue
		}
		if !s.take(in) && in.Required && !in.HasDefault && !inHand(in.Name, in.Pointer, f.need.Have) {
			missing++
		}
	}
	return missing, s.moments + s.numbers + s.emails + s.addresses
}
