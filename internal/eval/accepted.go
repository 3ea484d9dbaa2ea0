package eval

import (
	"encoding/json"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// Accepted is what a log says of needs and of the calls that followed them. A
// log holds no need, only its digest under a key of the log's own; who kept the
// needs can find them in it.
type Accepted struct {
	Needs    int // answered with an offer
	Followed int // and followed by a call of an offered tool that came to an end
	// By gives the tools so called and how often, by the digest of the need.
	By map[string]map[string]int
}

// followed is how many of a principal's latest needs a call may belong to.
const followed = 8

// ReadAccepted reads entries of a log, in order. A call belongs to the latest
// need of its principal for which its tool was offered.
func ReadAccepted(entries []interlock.LogEntry) (Accepted, error) {
	out := Accepted{By: map[string]map[string]int{}}
	open := map[string][]receipt.ResolveBody{}
	for _, e := range entries {
		switch e.Type {
		case interlock.EntryResolve:
			var body receipt.ResolveBody
			if err := json.Unmarshal(e.Body, &body); err != nil {
				return out, err
			}
			if len(body.Offered) > 0 {
				out.Needs++
				open[body.Principal] = append([]receipt.ResolveBody{body}, open[body.Principal]...)
				open[body.Principal] = open[body.Principal][:min(followed, len(open[body.Principal]))]
			}
		case interlock.EntryCall:
			var body receipt.CallBody
			if err := json.Unmarshal(e.Body, &body); err != nil {
				return out, err
			}
			if body.Outcome == receipt.OutcomeOK {
				out.follow(open[body.Principal], body.Tool)
			}
		}
	}
	return out, nil
}

func (a *Accepted) follow(needs []receipt.ResolveBody, tool string) {
	i := slices.IndexFunc(needs, func(n receipt.ResolveBody) bool {
		return slices.ContainsFunc(n.Offered, func(o receipt.Offered) bool { return o.Tool == tool })
	})
	if i < 0 {
		return
	}
	a.Followed++
	by := a.By[needs[i].NeedDigest]
	if by == nil {
		by = map[string]int{}
		a.By[needs[i].NeedDigest] = by
	}
	by[tool]++
}
