package eval

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// Accepted is what a log says of needs and of the calls that followed them. A
// log holds no need, only its digest under a key of the log's own; who kept the
// needs can find them in it.
type Accepted struct {
	Needs    int // answered with an offer
	Followed int // calls of an offered tool that came to a good end
	Failed   int // calls of an offered tool that did not: failed, withheld, or with an end that nobody knows
	// Tenants counts the good calls of each tenant's principals.
	Tenants map[string]int
	// By gives the tools so called and how often, by the digest of the need.
	By map[string]map[string]int
}

// Asked says whose needs of a log count; the zero value takes all.
type Asked struct {
	Since  time.Time // not those asked before
	Tenant string    // only those of its principals
}

// followed is how many of a principal's latest needs a call may belong to.
const followed = 8

// ReadAccepted reads entries of a log, in order. A call belongs to the latest
// need of its principal for which its tool was offered.
func ReadAccepted(entries []interlock.LogEntry, which Asked) (Accepted, error) {
	out := Accepted{Tenants: map[string]int{}, By: map[string]map[string]int{}}
	open := map[asker][]receipt.ResolveBody{}
	for _, e := range entries {
		switch e.Type {
		case interlock.EntryResolve:
			var body receipt.ResolveBody
			if err := json.Unmarshal(e.Body, &body); err != nil {
				return out, err
			}
			if len(body.Offered) > 0 && which.counts(body) {
				out.Needs++
				who := asker{body.Tenant, body.Principal}
				open[who] = append([]receipt.ResolveBody{body}, open[who]...)
				open[who] = open[who][:min(followed, len(open[who]))]
			}
		case interlock.EntryCall, interlock.EntryIndeterminate:
			var body receipt.CallBody
			if err := json.Unmarshal(e.Body, &body); err != nil {
				return out, err
			}
			out.follow(open[asker{body.Tenant, body.Principal}], body)
		}
	}
	return out, nil
}

// asker is a principal of a log.
type asker struct{ tenant, name string }

func (w Asked) counts(body receipt.ResolveBody) bool {
	at, err := time.Parse(time.RFC3339, body.At)
	return (w.Since.IsZero() || err == nil && !at.Before(w.Since)) && (w.Tenant == "" || w.Tenant == body.Tenant)
}

func (a *Accepted) follow(needs []receipt.ResolveBody, call receipt.CallBody) {
	i := slices.IndexFunc(needs, func(n receipt.ResolveBody) bool {
		return slices.ContainsFunc(n.Offered, func(o receipt.Offered) bool { return o.Tool == call.Tool })
	})
	if i < 0 {
		return
	}
	if call.Outcome != receipt.OutcomeOK {
		a.Failed++
		return
	}
	a.Followed++
	a.Tenants[call.Tenant]++
	by := a.By[needs[i].NeedDigest]
	if by == nil {
		by = map[string]int{}
		a.By[needs[i].NeedDigest] = by
	}
	by[call.Tool]++
}

// LeftOut counts what was accepted and makes no match.
type LeftOut struct {
	Unkept    int `json:"unkept"`    // the need is not among those that were kept
	Wordless  int `json:"wordless"`  // it has no words of its own
	Continued int `json:"continued"` // it goes on with earlier turns, without which it asks something else
}

// Matches gives the needs that were accepted with the tools so called, those of
// the same words as one. Digests gives the names that a need may have in the
// log.
func (a Accepted) Matches(needs []interlock.Need, digests func(interlock.Need) ([]string, error)) ([]Match, LeftOut, error) {
	var out []Match
	var left LeftOut
	at, done := map[string]int{}, map[string]bool{}
	for _, n := range needs {
		names, err := digests(n)
		if err != nil {
			return nil, left, err
		}
		tools, text := a.called(names, done), strings.TrimSpace(n.Text)
		switch i, had := at[text]; {
		case len(tools) == 0:
		case text == "":
			left.Wordless++
		case len(n.Context) > 0:
			left.Continued++
		case had:
			out[i].Tools = slices.Compact(slices.Sorted(slices.Values(append(out[i].Tools, tools...))))
		default:
			at[text] = len(out)
			out = append(out, Match{Query: text, Tools: tools})
		}
	}
	left.Unkept = len(a.By) - len(done)
	return out, left, nil
}

// called gives the tools that were called after a need under any of its names
// that is not done yet.
func (a Accepted) called(names []string, done map[string]bool) []string {
	var tools []string
	for _, name := range names {
		if by := a.By[name]; len(by) > 0 && !done[name] {
			done[name] = true
			for tool := range by {
				tools = append(tools, tool)
			}
		}
	}
	slices.Sort(tools)
	return slices.Compact(tools)
}

// Called gives the tools that were called after a need, and how often, by the
// names that it may have in the log.
func (a Accepted) Called(names []string) map[string]int {
	out := map[string]int{}
	for _, name := range names {
		for tool, n := range a.By[name] {
			out[tool] += n
		}
	}
	return out
}
