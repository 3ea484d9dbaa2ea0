package drift

import (
	"fmt"
	"strconv"
)

// repeat is the last read, to tell whether reading moves what only a write
// moves.
type repeat struct {
	Args, Revision string
	Step           string
	N              int
	Index          int64
	At             int64 // Unix seconds
}

// How often in a row a read has to raise a revision by the same step: at once
// after each other, or with time for somebody else's write between them.
const (
	minRaises  = 3
	slowRaises = 12
	atOnce     = 10 // seconds
)

func (t *tool) revisions(m moment, o *Observation) {
	if o.Failed || o.Revision == "" || o.Args == "" || !reads(t.Doc.Effect) {
		return
	}
	r := &t.Read
	same := r.Args == o.Args && m.disturbed <= r.Index
	step := ""
	if a, err := strconv.ParseInt(r.Revision, 10, 64); err == nil && same {
		if b, err := strconv.ParseInt(o.Revision, 10, 64); err == nil && b != a {
			step = strconv.FormatInt(b-a, 10)
		}
	} else if same && r.Revision != o.Revision {
		step = "#"
	}
	switch {
	case step == "":
		if same {
			t.clean(SideEffectInRead, o.RevisionAt)
		}
		*r = repeat{Args: o.Args, Revision: o.Revision, Index: m.index, At: m.unix}
		return
	case r.N > 0 && r.Step != step:
		r.N = 0
	}
	raise := slowRaises
	if m.unix-r.At <= atOnce && m.unix >= r.At {
		raise = minRaises
	}
	*r = repeat{Args: o.Args, Revision: o.Revision, Step: step, N: r.N + 1, Index: m.index, At: m.unix}
	if r.N >= raise {
		t.suspectIt(m, o, claim{kind: SideEffectInRead, at: o.RevisionAt, doc: "moves by writes alone", saw: "moved by reads", confidence: 0.999,
			evidence: fmt.Sprintf("%d reads in a row with the same arguments, and no write between them, each moved the revision by %s", r.N+1, step)}, 1, 1)
	}
}

// holding is how long calls took against how long they were asked to.
type holding struct {
	Held  int      // calls that took as long as was asked
	Other int      // calls that did not
	Tags  []string // different arguments of those that did
	Short run
}

// holds reads whether calls take as long as an argument asks.
func (t *tool) holds(m moment, o *Observation) {
	if len(o.Waits) != 1 {
		return
	}
	for at, asked := range o.Waits {
		mood := o.Mood
		if o.Failed {
			mood = o.outcome()
		}
		if mood == "" || asked < 50_000 {
			return
		}
		key := at + "|" + mood
		h := t.Waits[key]
		if h == nil {
			if len(t.Waits) >= 2*maxRoles {
				return
			}
			h = &holding{}
			put(&t.Waits, key, h)
		}
		h.take(t, m, o, at, asked)
	}
}

func (h *holding) take(t *tool, m moment, o *Observation, at string, asked int64) {
	held := o.Took >= asked-asked/10 && o.Took <= 2*asked+1_000_000
	rule := h.Held >= 3 && len(h.Tags) >= 2 && h.Other*20 <= h.Held
	switch {
	case held:
		h.Held++
		h.Short = run{}
		(&h.Short).put(&h.Tags, o.Args)
		t.clean(ParamUnitShift, at)
	case !rule:
		h.Other++
	case o.Took < asked/2: // a thousandth, and what the way there and back takes
		h.Short.another("short")
		h.Short.put(&h.Short.Tags, o.Args)
		if h.Short.N >= 3 && len(h.Short.Tags) >= 2 {
			t.suspectIt(m, o, claim{kind: ParamUnitShift, at: at, doc: "calls take as long as it says", saw: "a small part of it", confidence: 0.9999,
				evidence: fmt.Sprintf("calls with this answer took as long as %s says in %d cases, and now less than half of it in %d out of %d with different values", at, h.Held, h.Short.N, h.Short.N)}, 1, 1)
		}
	default:
		h.Other++
		h.Short = run{}
	}
}
