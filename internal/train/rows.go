package train

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-ae386458/interlock/internal/eval"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
)

// The kinds of row: what makes a request one that nothing serves.
const (
	Withdrawn = "withdrawn" // its tool is taken from a catalogue, siblings stay
	Short     = "short"     // the same in a list of few
	NoTool    = "no-tool"   // no tool is needed
	OwnList   = "own-list"  // its own list of few holds none
)

// Row is one request asked of some tools.
type Row struct {
	Kind      string      `json:"kind"`
	Request   string      `json:"request"`
	Source    string      `json:"source"`    // the project it comes from
	Publisher string      `json:"publisher"` // of the tool that serves it
	Answer    string      `json:"answer"`    // that tool
	Served    bool        `json:"served"`
	Apart     bool        `json:"apart"` // measured alone, never learned from
	English   bool        `json:"english"`
	Tools     int         `json:"tools"`
	Dense     bool        `json:"dense"` // there were vectors
	Signals   fit.Signals `json:"signals"`
	task      eval.Task
}

// How many tools a catalogue and a list have, and how many requests of one
// source count.
const (
	many      = 500
	fewest    = 3
	mostShort = 14
	perSource = 60
	apartRows = 100
)

// Rows measures every request with and without the tools that serve it, over a
// catalogue with the vectors of an embedder and over one without any.
func (d *Data) Rows(ctx context.Context, opts eval.Options) ([]Row, error) {
	words := opts
	words.Embedder = nil
	var out []Row
	for _, o := range []eval.Options{opts, words} {
		cat, err := eval.Open(ctx, d.Lines, o)
		if err != nil {
			return nil, err
		}
		rows, err := d.measure(ctx, cat, o.Embedder != nil)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

func (d *Data) measure(ctx context.Context, cat *eval.Catalogue, dense bool) ([]Row, error) {
	rows := d.rows(cat)
	tasks := make([]eval.Task, len(rows))
	for i, r := range rows {
		tasks[i] = r.task
	}
	samples, err := cat.Samples(ctx, tasks)
	if err != nil {
		return nil, err
	}
	out := rows[:0]
	for i, s := range samples {
		if !s.Found {
			continue
		}
		r := rows[i]
		r.English, r.Tools, r.Signals, r.Dense = s.English, s.Tools, s.Signals, dense
		out = append(out, r)
	}
	return out, nil
}

// rows makes the rows without what is measured.
func (d *Data) rows(cat *eval.Catalogue) []Row {
	w := newWorld(d, cat)
	var out []Row
	bySource := map[[2]string]int{}
	for _, r := range order(d.Requests, "rows", func(r Request) string { return r.ID }) {
		if !r.alone() {
			continue
		}
		key := [2]string{r.Source, r.Lang}
		if r.Kind != "nofit" {
			if bySource[key]++; bySource[key] > perSource {
				continue
			}
		}
		out = append(out, w.catalogued(r)...)
		out = append(out, w.listed(r)...)
	}
	apart := order(slices.DeleteFunc(slices.Clone(out), func(r Row) bool { return r.Kind != NoTool || r.Served }), "ladder-1:", func(r Row) string { return r.Request })
	for i := range out {
		out[i].Apart = out[i].Kind == NoTool && !out[i].Served && slices.ContainsFunc(apart[:min(apartRows, len(apart))], func(a Row) bool { return a.Request == out[i].Request })
	}
	return out
}

// world is the tools that catalogues are made of: one of each name of a source.
type world struct {
	data      *Data
	known     map[string]bool
	providers []string
	of        map[string][]string // by provider
	distinct  map[string]bool
}

func newWorld(d *Data, cat *eval.Catalogue) *world {
	w := &world{data: d, known: map[string]bool{}, of: map[string][]string{}, distinct: map[string]bool{}}
	for _, id := range cat.IDs() {
		w.known[id] = true
	}
	seen := map[[2]string]bool{}
	for _, t := range d.Tools {
		key := [2]string{t.Source, fold(t.Name)}
		if !w.known[t.ID] || seen[key] {
			continue
		}
		seen[key] = true
		if w.of[t.Provider] == nil {
			w.providers = append(w.providers, t.Provider)
		}
		w.of[t.Provider] = append(w.of[t.Provider], t.ID)
		w.distinct[t.ID] = true
	}
	return w
}

// catalogue gives about n tools: all of some providers, those of the request first.
func (w *world) catalogue(r Request, n int) []string {
	var first []string
	for _, id := range r.serves() {
		if p := w.data.provider[id]; w.distinct[id] && !slices.Contains(first, p) {
			first = append(first, p)
		}
	}
	var out []string
	rest := order(w.providers, r.ID, func(p string) string { return p })
	for _, p := range append(first, slices.DeleteFunc(rest, func(p string) bool { return slices.Contains(first, p) })...) {
		if out = append(out, w.of[p]...); len(out) >= n {
			break
		}
	}
	return out[:min(n, len(out))]
}

// catalogued asks a request of a catalogue, and without what serves it.
func (w *world) catalogued(r Request) []Row {
	if !r.whole() {
		return nil
	}
	scope := w.catalogue(r, many)
	switch {
	case r.Kind == "nofit":
		return []Row{w.row(NoTool, r, scope, false)}
	case r.Kind == "multi" && w.complete(r, scope):
		return []Row{w.row(NoTool, r, scope, true)}
	case r.Kind != "single" || !w.complete(r, scope):
		return nil
	}
	rows := w.pair(Withdrawn, r, scope)
	rows = append(rows, w.pair(Short, r, w.short(r))...)
	if r.Lang == "en" {
		rows = append(rows, w.row(NoTool, r, scope, true))
	}
	return rows
}

func (w *world) complete(r Request, scope []string) bool {
	return len(r.Gold) > 0 && !slices.ContainsFunc(r.Gold, func(any []string) bool {
		return !slices.ContainsFunc(any, func(id string) bool { return slices.Contains(scope, id) })
	})
}

// short gives a list of few: what serves a request, siblings and strangers.
func (w *world) short(r Request) []string {
	seed := order([]string{"a", "b", "c", "d", "e", "f", "g", "h"}, r.ID, func(s string) string { return s })
	n := fewest + int(seed[0][0]-'a') + (int(seed[1][0]-'a')+1)/2
	all := w.catalogue(r, many)
	gold := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return !slices.Contains(r.serves(), id) })
	rest := order(slices.DeleteFunc(slices.Clone(all), func(id string) bool { return slices.Contains(gold, id) }), r.ID, func(s string) string { return s })
	near := func(id string) int {
		if w.data.provider[id] == w.data.publisher(r, nil) {
			return 0
		}
		return 1
	}
	siblings := slices.Clone(rest)
	slices.SortStableFunc(siblings, func(a, b string) int { return cmp.Compare(near(a), near(b)) })
	out := append(gold[:1:1], siblings[:min(n/2, len(siblings))]...)
	for _, id := range rest {
		if len(out) >= min(n, mostShort) {
			break
		}
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// pair asks a request of tools less as many strangers, and of tools less those
// that serve it.
func (w *world) pair(kind string, r Request, scope []string) []Row {
	serves := r.serves()
	gold := slices.DeleteFunc(slices.Clone(scope), func(id string) bool { return !slices.Contains(serves, id) })
	others := order(slices.DeleteFunc(slices.Clone(scope), func(id string) bool { return slices.Contains(gold, id) }), r.ID+"other", func(s string) string { return s })
	if len(gold) == 0 || len(others) < len(gold)+fewest-1 {
		return nil
	}
	others = others[:len(gold)]
	less := func(out []string) []string {
		return slices.DeleteFunc(slices.Clone(scope), func(id string) bool { return slices.Contains(out, id) })
	}
	return []Row{w.row(kind, r, less(others), true), w.row(kind, r, less(gold), false)}
}

// listed asks a request of its own list.
func (w *world) listed(r Request) []Row {
	list := r.list()
	if len(list) < 2 || slices.ContainsFunc(list, func(id string) bool { return !w.known[id] }) {
		return nil
	}
	switch r.Kind {
	case "nofit":
		return []Row{w.row(OwnList, r, list, false)}
	case "single", "multi":
		return []Row{w.row(OwnList, r, list, true)}
	}
	return nil
}

func (w *world) row(kind string, r Request, scope []string, served bool) Row {
	row := Row{Kind: kind, Request: r.ID, Source: r.Family(), Publisher: w.data.publisher(r, r.list()), Served: served,
		task: eval.Task{ID: r.ID, Query: r.Query, Scope: slices.Clone(scope)}}
	if g := r.serves(); len(g) > 0 {
		row.Answer = slices.Min(g)
	}
	return row
}
