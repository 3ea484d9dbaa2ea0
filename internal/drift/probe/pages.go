package probe

import (
	"encoding/json"
	"regexp"

	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

var (
	paging    = regexp.MustCompile(`(?i)^(page|page_?number|page_?no)$`)
	skipping  = regexp.MustCompile(`(?i)^(offset|skip|start|from_index)$`)
	following = regexp.MustCompile(`(?i)^(cursor|page_?token|after|next_?token|continuation)$`)
	fromZero  = regexp.MustCompile(`(?i)(from|starts? (at|with)|first (page )?(is|has)( number)?|zero[- ]based|0[- ]based)[^.]{0,12}\b(0|zero)\b|zero[- ]based|0[- ]based`)
)

// pager is how a tool goes through a list.
type pager struct {
	arg   *argument
	kind  string // page, offset, cursor
	first int64
}

// pager finds the argument that goes through the list; nil for none.
func (r *reading) pager() *pager {
	for _, a := range r.args {
		switch {
		case paging.MatchString(a.name) && a.is("integer"):
			return &pager{a, "page", a.start(1)}
		case skipping.MatchString(a.name) && a.is("integer"):
			return &pager{a, "offset", a.start(0)}
		case following.MatchString(a.name) && a.is("string") && r.cursor() != "":
			return &pager{a, "cursor", 0}
		}
	}
	return nil
}

// start is the documented number of the first page or place.
func (a *argument) start(usual int64) int64 {
	if v := numberOf(a.preset); v != nil && v.IsInt() && v.Num().IsInt64() {
		return v.Num().Int64()
	}
	if a.least != nil && !a.least.open && a.least.at.IsInt() && a.least.at.Num().IsInt64() {
		return a.least.at.Num().Int64()
	}
	if fromZero.MatchString(a.description) {
		return 0
	}
	return usual
}

// cursor is where the answer gives the cursor of the next page.
func (r *reading) cursor() string {
	for _, name := range []string{"next_cursor", "nextCursor", "next", "cursor", "next_page_token", "nextPageToken"} {
		if r.output.members[name] != nil {
			return name
		}
	}
	return ""
}

func aptPages(p *Prober) string {
	if reason := aptPrefix(p); reason != "" {
		return reason
	}
	if p.tool.pager() == nil {
		return "no argument goes through the list by page, offset or cursor"
	}
	if !p.prefixed {
		return "a shorter list was not seen to be the start of a longer one"
	}
	return ""
}

// pages: two pages that follow each other are the first 2n items.
func pages(t *trial) {
	r := t.p.tool
	g := r.pager()
	n, _ := r.sizes()
	small := t.p.base.args.without(g.arg.name).with(r.limit().name, spell(whole(int64(n))))
	big := small.with(r.limit().name, spell(whole(int64(2*n))))
	if g.arg.required {
		big = big.with(g.arg.name, spell(whole(g.first)))
	}
	for round := range 2 {
		all, ok := t.page(big)
		if !ok || len(all) < 2*n {
			t.skip("fewer items than two pages hold")
			return
		}
		one, two, ok := t.pair(g, small, n)
		if !ok {
			return
		}
		kind, says := paged(g, all, one, two, n)
		if kind == "" {
			t.holds(drift.PaginationContractChanged, g.arg.pointer, 3, "two pages are the first of the list, without overlap or gap")
			return
		}
		if round == 1 {
			t.breaks(kind, g.arg.pointer, 6, says)
		}
	}
}

// pair asks for the first page and the second.
func (t *trial) pair(g *pager, small arguments, n int) (one, two []json.RawMessage, ok bool) {
	r := t.p.tool
	if g.kind == "cursor" {
		x, ok := t.ask(drift.ProbeRelation+":"+g.arg.place(), small)
		if !ok || x.class != granted {
			return nil, nil, false
		}
		next, there := rawjson.Member(objectOr(x.result), r.cursor())
		one, ok = r.items(x)
		if !there || !ok || rawjson.KindOf(next) != rawjson.KindString {
			return nil, nil, false
		}
		two, ok = t.page(small.with(g.arg.name, next))
		return one, two, ok
	}
	step := int64(1)
	if g.kind == "offset" {
		step = int64(n)
	}
	if one, ok = t.page(small.with(g.arg.name, spell(whole(g.first)))); !ok {
		return nil, nil, false
	}
	two, ok = t.page(small.with(g.arg.name, spell(whole(g.first+step))))
	return one, two, ok
}

// paged names what is wrong with two pages of n against the list; an empty kind
// is nothing.
func paged(g *pager, all, one, two []json.RawMessage, n int) (drift.Kind, string) {
	starts := func(page []json.RawMessage, at int) bool {
		return len(page) > 0 && at >= 0 && at+len(page) <= len(all) && overlap(page, all[at:]) == len(page)
	}
	switch {
	case len(one) == n && starts(one, 0) && starts(two, n):
		return "", ""
	case g.kind == "page" && starts(one, n):
		return drift.IndexOrBoundConvention, "the page documented as the first is the second"
	case g.kind != "cursor" && len(one) > 0 && len(one) == len(two) && overlap(one, two) == len(one):
		return drift.IndexOrBoundConvention, "the first two pages are the same"
	case g.kind == "offset" && (starts(two, n-1) || starts(one, 1)):
		return drift.IndexOrBoundConvention, "the offset counts from another number than documented"
	case shared(one, two) > 0:
		return drift.PaginationContractChanged, "two pages that follow each other overlap"
	case len(one) != n:
		return drift.PaginationContractChanged, "a page has another size than was asked for"
	}
	return drift.PaginationContractChanged, "two pages that follow each other leave a gap"
}

func aptRepeatedWrite(p *Prober) string {
	switch {
	case p.tool.effect == "read":
		return "the tool reads"
	case !p.tool.idempotent:
		return "the documentation does not promise that a repeated write is done once"
	case p.base == nil:
		return "no call made of the documentation's examples succeeds"
	}
	return ""
}

// repeatedWrite makes the write of the example again, twice.
func repeatedWrite(t *trial) {
	differ := 0
	for range 2 {
		x, ok := t.ask(drift.ProbeRepeat, t.p.base.args)
		if !ok {
			return
		}
		if x.class != granted || !t.p.tool.same(t.p.base.reply, x) {
			differ++
		}
	}
	if differ == 2 {
		t.breaks(drift.IdempotencyLost, "output:", 3, "a repeated write has another outcome each time; the documentation promises that it is done once")
	} else if differ == 0 {
		t.holds(drift.IdempotencyLost, "output:", 3, "a repeated write has the same outcome")
	}
}
