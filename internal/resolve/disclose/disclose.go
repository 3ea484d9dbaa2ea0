// Package disclose turns a decided answer into what the caller gets: the least
// schema, inside the budget, with an offer for each compatible candidate and
// for nothing else. It promises that the complete set is disclosed whole or
// not at all, and that what is left out is counted.
//
//	res, err := disclose.Bound(answer, need, disclose.Options{Seal: seal, Tokens: count})
package disclose

import (
	"encoding/json"
	"errors"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// Options of disclosure; both are required.
type Options struct {
	// Seal makes the offer of a tool for the principal of the need.
	Seal func(t *snapshot.Tool) string
	// Tokens counts the tokens of a text; asked only where a need bounds them.
	Tokens func(text string) int
}

// Bound discloses an answer inside the need's budget.
func Bound(a dispose.Answer, need interlock.Need, opts Options) (interlock.Resolution, error) {
	if !a.Valid() || opts.Seal == nil || opts.Tokens == nil {
		return interlock.Resolution{}, errors.New("disclose: no answer, seal or token count")
	}
	b := bounded{answer: a, need: need, opts: opts, bytes: need.Budget.SchemaBytes, tokens: need.Budget.Tokens}
	if b.bytes == 0 {
		b.bytes = interlock.DefaultSchemaBytes
	}
	if a.Disposition().Offers() {
		b.candidates()
	}
	return b.resolution(), nil
}

type bounded struct {
	answer        dispose.Answer
	need          interlock.Need
	opts          Options
	bytes, tokens int // what is left of each; tokens 0 from the start is no bound
	shown         []interlock.Candidate
	left          interlock.LeftOut
}

// candidates discloses the complete set, then further matches while they fit.
func (b *bounded) candidates() {
	limitBytes, limitTokens := b.bytes, b.tokens
	inBytes, inTokens := 0, 0 // how many of the complete set fit
	for _, f := range b.answer.Required() {
		c, bytes, tokens := b.candidate(f)
		b.bytes -= bytes
		b.tokens -= tokens
		b.shown = append(b.shown, c)
		if b.bytes >= 0 {
			inBytes++
		}
		if limitTokens == 0 || b.tokens >= 0 {
			inTokens++
		}
	}
	switch {
	case inBytes < len(b.shown):
		b.exceed("schema_bytes", limitBytes, limitBytes-b.bytes, inBytes)
		return
	case inTokens < len(b.shown):
		b.exceed("tokens", limitTokens, limitTokens-b.tokens, inTokens)
		return
	}
	more := b.answer.More()
	keep := fitting(more, b.room())
	for i, f := range more {
		if !keep[i] {
			b.left.K++
			continue
		}
		b.further(f, limitTokens)
	}
}

// room is the number of further matches that K leaves.
func (b *bounded) room() int {
	k := b.need.K
	if k == 0 {
		k = interlock.DefaultK
	}
	return max(k-len(b.shown), 0)
}

// fitting marks which matches take the room there is: those that the need
// names always, then the best. Order is not its business.
func fitting(more []fit.Fit, room int) []bool {
	keep := make([]bool, len(more))
	for _, exact := range [...]bool{true, false} {
		for i, f := range more {
			if room > 0 && f.Exact == exact && !keep[i] {
				keep[i] = true
				room--
			}
		}
	}
	return keep
}

// further discloses one more match where its schema fits.
func (b *bounded) further(f fit.Fit, limitTokens int) {
	c, bytes, tokens := b.candidate(f)
	switch {
	case bytes > b.bytes:
		b.left.SchemaBytes++
	case limitTokens > 0 && tokens > b.tokens:
		b.left.Tokens++
	default:
		b.bytes -= bytes
		b.tokens -= tokens
		b.shown = append(b.shown, c)
	}
}

func (b *bounded) exceed(budget string, limit, needs, fitting int) {
	b.shown = nil
	b.answer = dispose.Exceed(b.answer, budget, limit, needs, fitting)
}

// candidate is the disclosed form of a fit, with its bytes of schema and, where
// they are bounded, its tokens.
func (b *bounded) candidate(f fit.Fit) (c interlock.Candidate, bytes, tokens int) {
	t := f.Tool
	c = interlock.Candidate{Tool: t.ID, Family: t.Family, Version: t.Version.String(), Effect: t.Effect, State: t.State, Score: f.Score, Reasons: f.Why(),
		InputSchema: schema(t.Op.InputSchema), Gives: f.Gives()}
	if len(t.Op.Variants) > 0 {
		c.Description = t.Op.Variants[0].Description
	}
	if len(b.need.Want) > 0 && len(t.Op.OutputSchema) > 0 {
		c.OutputSchema = t.Op.OutputSchema
	}
	bytes = len(c.InputSchema) + len(c.OutputSchema)
	if b.need.Budget.Tokens > 0 {
		text, err := interlock.Marshal(c)
		if err != nil {
			text = c.InputSchema
		}
		tokens = b.opts.Tokens(string(text))
	}
	c.Offer = b.opts.Seal(t)
	return c, bytes, tokens
}

// lived tells of disclosed tools that do not behave as they document, as far as
// policy lives with it.
func (b *bounded) lived() []interlock.Event {
	var out []interlock.Event
	view := b.answer.Result().List().Set().Frozen().View()
	for _, c := range b.shown {
		if t := view.Tool(c.Tool); t != nil && t.Drift != nil && !t.Drift.Rejected {
			out = append(out, interlock.Event{Type: interlock.EventDriftWithinPolicy, Family: t.Family, Tool: t.ID, Kinds: t.Drift.Kinds,
				Advice: "It does not behave as it documents in every respect; read its answers with that in mind."})
		}
	}
	return out
}

func schema(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage(`{"type":"object"}`)
	}
	return raw
}

func (b *bounded) resolution() interlock.Resolution {
	res := interlock.Resolution{
		Disposition: b.answer.Disposition(),
		Confidence:  b.answer.Confidence(),
		Servable:    b.answer.Servable(),
		Candidates:  b.shown,
		Missing:     b.answer.Missing(),
		Refusal:     b.answer.Refusal(),
		Events:      b.answer.Events(),
		Intents:     b.answer.Intents(),
		Scorer:      b.answer.Result().List().Scorer(),
		Snapshot:    interlock.View{View: b.answer.Result().List().Set().Frozen().View().Fingerprint},
	}
	res.Events = append(res.Events, b.lived()...)
	if b.left != (interlock.LeftOut{}) {
		res.LeftOut = &b.left
	}
	if res.Candidates == nil {
		res.Candidates = []interlock.Candidate{}
	}
	if res.Missing == nil {
		res.Missing = []interlock.Missing{}
	}
	if res.Events == nil {
		res.Events = []interlock.Event{}
	}
	return res
}
