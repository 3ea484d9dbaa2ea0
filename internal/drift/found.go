package drift

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// found is a divergence. Its body never changes once it is made; the counts
// beside it do.
type found struct {
	Key    string
	Body   DivergenceBody
	Digest string
	Seen   int64 // calls that showed it
	Last   string
	Clean  int64 // calls since that could have shown it and did not
	Passed int64 // such calls between those that did
	Need   int64 // clean calls in a row that mend it
	Mended bool
	Logged bool // its record stands in the log
}

// DivergenceBody is the body of a behavior_divergence_receipt.
type DivergenceBody struct {
	At          string           `json:"at"`
	Tool        string           `json:"tool"`
	Version     string           `json:"version"`
	Effect      interlock.Effect `json:"effect"`
	Contract    string           `json:"contract"`
	Binding     string           `json:"binding"`
	Fingerprint string           `json:"documented_behavior_fingerprint"`
	Observed    string           `json:"observed_behavior_fingerprint"`
	Kind        Kind             `json:"kind"`
	Severity    Severity         `json:"severity"`
	Pointer     string           `json:"pointer"`
	Says        string           `json:"documented"` // what the documentation has there
	Saw         string           `json:"observed"`   // what the tool did
	Evidence    string           `json:"evidence"`
	Confidence  string           `json:"confidence"` // that this is no chance, as text; in (0, 1]
	Entry       int64            `json:"entry"`      // index of the entry that completed the evidence
	Probe       string           `json:"probe,omitempty"`
}

// hint is a contradiction that needs more calls before it counts.
type hint struct {
	Kind    Kind
	At      string
	Doc     string
	Saw     string
	Seen    int
	Tags    []string // of the first different arguments
	Entries int64    // index of the last
}

// claim is a contradiction, on its way to be counted.
type claim struct {
	kind       Kind
	at         string
	doc, saw   string
	evidence   string
	confidence float64
}

// severity gives the catalogue's severity of a kind for an effect.
func severity(kind Kind, effect interlock.Effect) Severity {
	for _, e := range Catalogue() {
		if e.Kind != kind {
			continue
		}
		if reads(effect) {
			return e.Read
		}
		return e.Write
	}
	return Critical // a kind that this version does not know
}

// insists is how many times as often one and the same call has to show what
// calls that differ show.
const insists = 3

// suspectIt counts one call that shows c, and makes a divergence of it once
// need calls do, by as many different arguments as distinct says.
func (t *tool) suspectIt(m moment, o *Observation, c claim, need, distinct int) {
	key := string(c.kind) + "|" + c.at + "|" + c.saw
	if f := t.standing(key); f != nil {
		f.again(m)
		return
	}
	h := t.Hints[key]
	if h == nil {
		if len(t.Hints) >= maxHints {
			t.forget()
		}
		h = &hint{Kind: c.kind, At: c.at, Doc: c.doc, Saw: c.saw}
		put(&t.Hints, key, h)
	}
	h.Seen++
	h.Entries = m.index
	if o.Args != "" && len(h.Tags) < 8 && !slices.Contains(h.Tags, o.Args) {
		h.Tags = append(h.Tags, o.Args)
	}
	alone := distinct > 1 && len(h.Tags) < distinct && o.Args != "" && h.Seen < insists*need
	if h.Seen < need || alone {
		return
	}
	delete(t.Hints, key)
	if c.evidence == "" {
		c.evidence = fmt.Sprintf("documented: %s; seen: %s, in %s up to entry %d of the log", orNone(c.doc), c.saw, counted(h.Seen, "call"), m.index)
	}
	if c.confidence == 0 {
		c.confidence = 1
	}
	t.diverge(m, o, key, c, int64(h.Seen))
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return itoa(n) + " " + what + "s"
}

func orNone(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// forget drops the hint that was seen longest ago.
func (t *tool) forget() {
	oldest := ""
	for _, key := range slices.Sorted(maps.Keys(t.Hints)) {
		if oldest == "" || t.Hints[key].Entries < t.Hints[oldest].Entries {
			oldest = key
		}
	}
	delete(t.Hints, oldest)
}

// unsuspect takes back what a call of the same kind and place contradicts.
func (t *tool) unsuspect(kind Kind, at string) {
	prefix := string(kind) + "|" + at + "|"
	for key := range t.Hints {
		if strings.HasPrefix(key, prefix) {
			delete(t.Hints, key)
		}
	}
}

func (t *tool) standing(key string) *found {
	for _, f := range t.Found {
		if f.Key == key {
			return f
		}
	}
	return nil
}

// again counts a divergence that is seen once more.
func (f *found) again(m moment) {
	f.Seen++
	f.Last = m.at
	f.Passed += f.Clean
	f.Clean = 0
	f.Mended = false
	f.Need = mending(f.Seen, f.Passed)
}

// diverge makes a divergence, unless another explains it.
func (t *tool) diverge(m moment, o *Observation, key string, c claim, seen int64) {
	grade := severity(c.kind, t.Doc.Effect)
	if grade == None || t.explained(c.kind, c.at) {
		return
	}
	if f := t.standing(key); f != nil {
		f.again(m)
		return
	}
	if t.crowded(c, grade) {
		t.fold(m, c)
		return
	}
	probe := ""
	if o != nil {
		probe = o.Probe
	}
	f := &found{Key: key, Seen: seen, Need: mending(seen, 0), Last: m.at, Body: DivergenceBody{At: m.at, Tool: t.Doc.Tool, Version: t.Doc.Version, Effect: t.Doc.Effect,
		Contract: t.Doc.Contract, Binding: t.Doc.Binding, Fingerprint: t.Doc.Fingerprint, Kind: c.kind, Severity: grade, Pointer: c.at,
		Says: orNone(c.doc), Saw: c.saw, Evidence: clip(c.evidence, 600), Confidence: strconv.FormatFloat(c.confidence, 'g', 6, 64), Entry: m.index, Probe: probe}}
	t.Found = append(t.Found, f)
}

// crowded reports whether a divergence is too much to be told by itself: the
// same kind in the same place with ever other values, the same kind in ever
// other places, or too many of one severity. What is grave keeps its room.
func (t *tool) crowded(c claim, grade Severity) bool {
	same, kin, grave := 0, 0, 0
	for _, f := range t.Found {
		if f.Body.Kind == c.kind {
			kin++
			if f.Body.Pointer == c.at {
				same++
			}
		}
		if f.Body.Severity == grade {
			grave++
		}
	}
	return same >= maxSaw || kin >= maxKin || grave >= maxFound/3
}

// fold counts what is too much to be told one by one under the last of its
// kind, in its place if there is one.
func (t *tool) fold(m moment, c claim) {
	var last *found
	for _, f := range t.Found {
		if f.Body.Kind == c.kind && (last == nil || f.Body.Pointer == c.at || last.Body.Pointer != c.at) {
			last = f
		}
	}
	if last != nil {
		last.again(m)
	}
}

// explains lists, for a kind, those that a divergence of it makes to be
// expected: they are no news of their own.
var explains = map[Kind][]Kind{
	ParamIgnored:   {SilentTruncation, DefaultChanged, PaginationContractChanged},
	DefaultChanged: {},
	ErrorFlagLost:  {ErrorMaskedAsEmptySuccess, PhantomSuccess},
	PhantomSuccess: {ErrorMaskedAsEmptySuccess},
}

// explained reports whether a standing divergence makes one of the kind at the
// place to be expected.
func (t *tool) explained(kind Kind, _ string) bool {
	for _, f := range t.Found {
		if !f.Mended && slices.Contains(explains[f.Body.Kind], kind) {
			return true
		}
	}
	return false
}

// clean counts a call that could have shown a divergence of the kind and place,
// and did not. Enough of them mend it: as many as would show that what came at
// the rate at which it came no longer does.
func (t *tool) clean(kind Kind, at string) {
	t.unsuspect(kind, at)
	for _, f := range t.Found {
		if f.Body.Kind != kind || f.Body.Pointer != at || f.Mended {
			continue
		}
		if f.Clean++; f.Clean >= f.Need {
			f.Mended = true
		}
	}
}

// The clean calls that mend a divergence.
const (
	leastMend = 10
	mostMend  = 3000
	mendAlpha = 0.001
)

// mending is how many clean calls in a row show, at mendAlpha, that what came at
// the rate at which it came no longer does: the rate is the lower bound of seen
// in seen and passed.
func mending(seen, passed int64) int64 {
	rate, _ := clopperPearson(seen, seen+passed, 0.05)
	if rate <= 0 {
		return mostMend
	}
	return min(max(int64(math.Ceil(math.Log(mendAlpha)/math.Log1p(-min(rate, 0.999)))), leastMend), mostMend)
}
