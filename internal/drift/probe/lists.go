package probe

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// direction is how a list is documented to be sorted.
type direction struct {
	member string
	falls  bool
}

var (
	sortedBy = regexp.MustCompile(`(?i)(?:sorted|ordered) by (?:their |its |the )?([a-z_][a-z0-9_]*)(,? *(?:in )?(?:desc|falling|largest first|newest first))?`)
	ageFirst = regexp.MustCompile(`(?i)\b(newest|latest|most recent|oldest|earliest) (ones? )?first\b`)
)

// sorting reads from words how the list is sorted; nil where they do not say.
func (r *reading) sorting() *direction {
	_, list := r.list()
	if list == nil || list.items == nil {
		return nil
	}
	text := r.words + " " + list.description
	if m := sortedBy.FindStringSubmatch(text); m != nil {
		if name := strings.ToLower(m[1]); list.items.members[name] != nil {
			return &direction{name, m[2] != ""}
		}
	}
	if m := ageFirst.FindStringSubmatch(text); m != nil {
		for _, name := range list.items.names {
			if of := list.items.members[name]; of.format == "date-time" || of.format == "date" || strings.HasSuffix(name, "_at") {
				first := strings.ToLower(m[1])
				return &direction{name, first != "oldest" && first != "earliest"}
			}
		}
	}
	return nil
}

// turns finds an argument that turns the order round, and its two values.
func (r *reading) turns() (a *argument, up, down json.RawMessage) {
	for _, a := range r.args {
		up, down = nil, nil
		for _, v := range a.values {
			switch text, _ := rawjson.String(v); strings.ToLower(text) {
			case "asc", "ascending":
				up = v
			case "desc", "descending":
				down = v
			}
		}
		if up != nil && down != nil {
			return a, up, down
		}
	}
	return nil, nil, nil
}

func aptOrder(p *Prober) string {
	if reason := aptList(p); reason != "" {
		return reason
	}
	if a, _, _ := p.tool.turns(); a == nil && p.tool.sorting() == nil {
		return "the documentation promises no order"
	}
	return ""
}

// order holds a list against its documented order, twice, and against itself
// turned round.
func order(t *trial) {
	r := t.p.tool
	at, _ := r.list()
	if d := r.sorting(); d != nil {
		unsorted := 0
		if items, ok := r.items(t.p.base.reply); ok && !d.sorts(items) {
			unsorted++
		}
		x, ok := t.ask(drift.ProbeRepeat, t.p.base.args)
		if !ok {
			return
		}
		items, listed := r.items(x)
		switch {
		case listed && unsorted == 1 && !d.sorts(items):
			t.breaks(drift.OrderingChanged, "output:"+at, 2, "two answers are not sorted by "+d.member+" as documented")
		case listed && unsorted == 0 && d.sorts(items):
			t.holds(drift.OrderingChanged, "output:"+at, 2, "sorted as documented")
		}
	}
	if a, up, down := r.turns(); a != nil {
		t.turned(a, up, down)
	}
}

// sorts reports whether the items are in the documented order.
func (d *direction) sorts(items []json.RawMessage) bool {
	var before json.RawMessage
	for _, item := range items {
		v, ok := rawjson.Member(item, d.member)
		if !ok {
			continue
		}
		if before != nil {
			c := compareValues(before, v)
			if d.falls && c < 0 || !d.falls && c > 0 {
				return false
			}
		}
		before = v
	}
	return true
}

// compareValues orders numbers by size and texts by their letters; what cannot
// be ordered is equal.
func compareValues(a, b json.RawMessage) int {
	if x, y := numberOf(a), numberOf(b); x != nil && y != nil {
		return x.Cmp(y)
	}
	x, ok1 := rawjson.String(a)
	y, ok2 := rawjson.String(b)
	if ok1 && ok2 {
		return strings.Compare(strings.ToLower(x), strings.ToLower(y))
	}
	return 0
}

// turned holds rising against falling: the same items, the other way round.
func (t *trial) turned(a *argument, up, down json.RawMessage) {
	r := t.p.tool
	wrong, asked := 0, 0
	for range 2 {
		var lists [2][]json.RawMessage
		for i, v := range []json.RawMessage{up, down} {
			x, ok := t.ask(drift.ProbeRelation+":"+a.place(), t.p.base.args.with(a.name, v))
			if !ok {
				return
			}
			if lists[i], ok = r.items(x); !ok || x.class != granted {
				return
			}
		}
		if len(lists[0]) < 2 || !sameItems(lists[0], lists[1]) {
			return // not the whole of it, so its ends differ
		}
		slices.Reverse(lists[1])
		if asked++; overlap(lists[0], lists[1]) != len(lists[0]) {
			wrong++
		}
	}
	switch {
	case wrong == asked && asked > 0:
		t.breaks(drift.OrderingChanged, a.pointer, 2*asked, "rising and falling are not each other turned round")
	case wrong == 0:
		t.holds(drift.OrderingChanged, a.pointer, 2*asked, "rising is falling turned round")
	}
}

// sameItems reports whether two lists hold the same, in any order.
func sameItems(a, b []json.RawMessage) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if indexOf(b, x) < 0 {
			return false
		}
	}
	return true
}

func indexOf(list []json.RawMessage, x json.RawMessage) int {
	return slices.IndexFunc(list, func(y json.RawMessage) bool { return rawjson.Equal(x, y) })
}

// overlap counts the places at which two lists agree from their start.
func overlap(a, b []json.RawMessage) int {
	n := 0
	for n < len(a) && n < len(b) && rawjson.Equal(a[n], b[n]) {
		n++
	}
	return n
}

// shared counts the items of one list that are in another.
func shared(a, b []json.RawMessage) int {
	n := 0
	for _, x := range a {
		if indexOf(b, x) >= 0 {
			n++
		}
	}
	return n
}

// sizes gives a small page and one twice its size, inside the documentation.
func (r *reading) sizes() (n int, ok bool) {
	a := r.limit()
	if a == nil {
		return 0, false
	}
	for _, n := range []int64{3, 2, 5, 10, 20} {
		if a.within(whole(n)) && a.within(whole(2*n)) {
			return int(n), true
		}
	}
	return 0, false
}

func aptPrefix(p *Prober) string {
	if reason := aptList(p); reason != "" {
		return reason
	}
	if _, ok := p.tool.sizes(); !ok {
		return "no argument bounds how many items come"
	}
	return ""
}

// page asks for one list; false where there is none to go by.
func (t *trial) page(args arguments) ([]json.RawMessage, bool) {
	if !t.p.tool.legal(args) {
		return nil, false
	}
	x, ok := t.ask(drift.ProbeRelation+":"+t.p.tool.limit().place(), args)
	if !ok || x.class != granted {
		return nil, false
	}
	return t.p.tool.items(x)
}

// prefix: n items are the first n of 2n. Each is asked for twice, so that a
// list that moves by itself is told from one that is cut otherwise.
func prefix(t *trial) {
	r := t.p.tool
	n, _ := r.sizes()
	limit := r.limit()
	var lists [4][]json.RawMessage
	for i := range lists {
		size := int64(n * (1 + i%2))
		var ok bool
		if lists[i], ok = t.page(t.p.base.args.with(limit.name, spell(whole(size)))); !ok {
			return
		}
		if i == 1 && overlap(lists[0], lists[1]) == len(lists[0]) {
			t.p.prefixed = len(lists[0]) <= n
			t.holds(drift.OrderingChanged, limit.pointer, 2, "fewer items are the first of more")
			return
		}
	}
	if overlap(lists[0], lists[2]) != len(lists[0]) || overlap(lists[1], lists[3]) != len(lists[1]) || len(lists[0]) > n {
		return // it moves by itself, or the limit is not obeyed at all
	}
	at, _ := r.list()
	if shared(lists[0], lists[1]) == len(lists[0]) {
		t.breaks(drift.OrderingChanged, "output:"+at, 4, "a longer list begins otherwise than a shorter one, twice")
	} else {
		t.breaks(drift.PaginationContractChanged, limit.pointer, 4, "a longer list lacks items of a shorter one, twice")
	}
}
