package driftlab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/internal/drift"
)

const listIn = `{"type":"object","properties":{
	"limit":{"type":"integer","minimum":1,"maximum":60,"default":20,"description":"At most this many rows"},
	"page":{"type":"integer","minimum":1,"description":"Page, counted from 1"},
	"state":{"type":"string","enum":["open","shut"],"description":"Only rows of this state"},
	"tags":{"type":"array","items":{"type":"string"},"description":"Only rows that have all of these tags","examples":[["red","big"]]},
	"order":{"type":"string","enum":["asc","desc"]},
	"min_price":{"type":"integer","description":"Least price, inclusive"},
	"max_price":{"type":"integer","description":"Greatest price, inclusive"}}}`

const listOut = `{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{
	"id":{"type":"integer"},"state":{"type":"string"},"price":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["id","state","price"]}},
	"total":{"type":"integer","description":"How many match in all"}},"required":["rows","total"]}`

// shelf is a list of rows; each member turns one thing.
type shelf struct {
	preset, first          int
	extra, most            int // more rows than asked for; a cap that nothing tells of
	ignoreLimit            bool
	anyTag, leak, noFilter bool
	shuffled, sameTurn     bool
	exclusive, overlaps    bool
}

var tidy = shelf{preset: 20, first: 1}

func (s shelf) answer(a args, _ int) reply {
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(a[name]); err == nil {
			return n
		}
		return otherwise
	}
	limit, page := number("limit", s.preset), number("page", s.first)
	order, state := a["order"], a["state"]
	if limit < 1 || limit > 60 || page < min(1, s.first) || !slices.Contains([]string{"", "asc", "desc"}, order) || !slices.Contains([]string{"", "open", "shut"}, state) {
		return refused(400, "invalid_argument")
	}
	rows := s.rows(a, state, number("min_price", 0), number("max_price", 1<<30))
	total := len(rows)
	if order == "desc" && !s.sameTurn {
		slices.Reverse(rows)
	}
	if s.shuffled {
		slices.Reverse(rows[:min(limit, len(rows))])
	}
	if limit += s.extra; s.ignoreLimit {
		limit = 30
	}
	if s.most > 0 {
		limit = min(limit, s.most)
	}
	from := (page - s.first) * limit
	if s.overlaps && from > 0 {
		from--
	}
	from = max(0, min(from, len(rows)))
	return ok(object{"rows": rows[from:min(len(rows), from+limit)], "total": total})
}

func (s shelf) rows(a args, state string, low, high int) []object {
	rows := []object{}
	for i := range 200 {
		row := object{"id": i, "state": []string{"open", "shut"}[i%2], "price": 100 + i, "tags": [][]string{{"red"}, {"red", "big"}, {"big"}, {"small"}}[i%4]}
		price := row["price"].(int)
		if price < low || price > high || s.exclusive && (price == low || price == high) {
			continue
		}
		if state != "" && row["state"] != state && !s.noFilter && !(s.leak && i == 3) {
			continue
		}
		if a["tags"] == "" || tagged(row["tags"].([]string), strings.Split(a["tags"], ","), s.anyTag) {
			rows = append(rows, row)
		}
	}
	return rows
}

func tagged(has, asked []string, any bool) bool {
	n := 0
	for _, tag := range asked {
		if slices.Contains(has, strings.Trim(tag, `[]" `)) {
			n++
		}
	}
	return n == len(asked) || any && n > 0
}

// lists are the faults of lists.
func lists() []fault {
	limits := func(n int) string { return fmt.Sprintf(`{"limit":%d}`, []int{5, 10, 40, 15, 50, 8}[n%6]) }
	make := func(kind drift.Kind, name string, s shelf, probes, warm, within int, also ...drift.Kind) fault {
		return fault{kind: kind, name: name, says: "Lists rows, sorted by id: limit of them, 20 when it is left out.", in: listIn, out: listOut, clean: tidy.answer, drifted: s.answer,
			calls: limits, probes: probes, warm: warm, within: within, also: also}
	}
	omitted := make(drift.DefaultChanged, "", shelf{preset: 45, first: 1}, 0, 4, 3)
	omitted.calls = func(int) string { return `{}` }
	return []fault{
		omitted,
		make(drift.DefaultChanged, ", probed", shelf{preset: 45, first: 1}, 1, 0, 40),
		make(drift.ParamIgnored, "", shelf{preset: 20, first: 1, ignoreLimit: true}, 0, 6, 4, drift.PaginationContractChanged),
		make(drift.ParamIgnored, ", probed", shelf{preset: 20, first: 1, noFilter: true}, 1, 0, 40),
		make(drift.SilentTruncation, "", shelf{preset: 20, first: 1, most: 4}, 0, 6, 4),
		make(drift.IndexOrBoundConvention, "", shelf{preset: 20, first: 1, extra: 1}, 0, 6, 4),
		make(drift.IndexOrBoundConvention, ", pages", shelf{preset: 20, first: 0}, 1, 0, 40, drift.ValidationRelaxed),
		make(drift.IndexOrBoundConvention, ", bounds", shelf{preset: 20, first: 1, exclusive: true}, 1, 0, 40),
		make(drift.FilterSemanticsChanged, ", a leak", shelf{preset: 20, first: 1, leak: true}, 1, 0, 40),
		make(drift.FilterSemanticsChanged, ", any for all", shelf{preset: 20, first: 1, anyTag: true}, 1, 0, 40),
		make(drift.OrderingChanged, "", shelf{preset: 20, first: 1, shuffled: true}, 1, 0, 40),
		make(drift.PaginationContractChanged, "", shelf{preset: 20, first: 1, overlaps: true}, 1, 0, 40),
	}
}
