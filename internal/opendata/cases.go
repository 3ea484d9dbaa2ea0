package opendata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/qualify"
)

// Form names the rules of composition; other rules are another name.
const Form = "opencases/1"

const (
	each      = 60  // requests of a source and language over the ladder, and of own lists
	talk      = 150 // requests that need no tool
	narrow    = 500 // tools of the views from which something is taken
	forbidden = 20  // requests of a source and language whose tools are forbidden

)

// listed is put before the id of a tool that only own lists hold, so that the
// views of the ladder leave it out by one glob.
const listed = "list/"

// File is a case file with its catalogue and its equal tools.
type File struct {
	Cases   qualify.CaseSet
	Tools   []byte
	Classes []byte
}

// composing is a case file on its way.
type composing struct {
	data   *Data
	on     map[string]bool // tools of the ladder
	narrow []string        // its beginning
	extra  map[string]bool // tools that only own lists hold
	out    []qualify.Case
}

// Cases composes the case file over a ladder of n tools:
//
//   - requests over the whole ladder, by source and language (Pick); where equal
//     tools of several providers are in view, the right answer is ambiguous;
//   - requests that need no tool, over the whole ladder;
//   - requests for one tool over the beginning of the ladder, less their right
//     tools and those equal to them: siblings are left, and nothing serves;
//   - the same with those tools in view, and not to be used;
//   - requests in other languages over the Korean tools alone, where one of
//     these is equal to the right tool;
//   - requests over lists of their own: served, served by none, or short of an
//     input.
//
// Requests that are asked in several of these ways are one cluster.
func (d *Data) Cases(n int) (File, error) {
	catalogue := d.Ladder(n)
	c := &composing{data: d, on: map[string]bool{}, extra: map[string]bool{}}
	for i, t := range catalogue {
		c.on[t.ID] = true
		if i < narrow {
			c.narrow = append(c.narrow, t.ID)
		}
	}
	picked := d.Pick(catalogue, each)
	c.served(picked)
	c.talk()
	c.taken(picked)
	c.korean(picked)
	c.lists()
	return c.file(catalogue)
}

// over is who sees the whole ladder.
func over() *qualify.Asker {
	return &qualify.Asker{Name: "ladder", Allow: []string{"*"}, Deny: []string{listed + "*"}}
}

// among is who sees some tools.
func among(ids []string) *qualify.Asker { return &qualify.Asker{Name: "scope", Allow: ids} }

func (c *composing) add(k Task, suffix, stratum string, is interlock.Disposition, gold [][]string, who *qualify.Asker) *qualify.Case {
	one := qualify.Case{ID: k.ID + suffix, Need: k.Query, Language: k.Lang, Author: k.Source, Source: k.Source, Cluster: k.ID, Stratum: stratum, Split: "dev", Principal: who,
		Authored: map[string]string{"native": "native", "translated": "translated", "llm": "generated"}[k.Authored], Gold: &qualify.Gold{Disposition: is, Tools: gold}}
	if one.Authored == "" {
		one.Authored = "unknown"
	}
	if len(gold) > 0 {
		one.Provider, one.Effect = c.data.byID[gold[0][0]].Provider, c.effect(gold)
	}
	if strings.TrimSpace(one.Need) == "" {
		return &one
	}
	c.out = append(c.out, one)
	return &c.out[len(c.out)-1]
}

// effect is what the right tools say of themselves; empty where one says
// nothing.
func (c *composing) effect(gold [][]string) string {
	effect := "read"
	for _, any := range gold {
		switch only := c.data.byID[any[0]].Annotations.ReadOnly; {
		case only == nil:
			return ""
		case !*only:
			effect = "mutation"
		}
	}
	return effect
}

// served asks the picked requests of the whole ladder.
func (c *composing) served(picked []Task) {
	for _, k := range picked {
		if wide := c.equal(k, c.on); len(k.Gold) == 1 && c.providers(wide) > 1 {
			c.add(k, "", "ambiguous", interlock.Ambiguous, [][]string{wide}, over())
			continue
		}
		c.add(k, "", "supported", interlock.Supported, k.Gold, over())
	}
}

// equal gives the right tools of a request for one tool and those equal to one
// of them, of those that are there.
func (c *composing) equal(k Task, there map[string]bool) []string {
	var out []string
	for _, id := range slices.Concat(c.data.Equal.Widen(k.Gold)...) {
		if there[id] && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

func (c *composing) providers(ids []string) int {
	seen := map[string]bool{}
	for _, id := range ids {
		seen[c.data.byID[id].Provider] = true
	}
	return len(seen)
}

// talk asks requests that need no tool.
func (c *composing) talk() {
	tasks := slices.DeleteFunc(slices.Clone(c.data.Tasks), func(k Task) bool { return k.Source != "metatool-notool" })
	for _, k := range capped(tasks, func(Task) string { return "" }, talk) {
		c.add(k, "", "out_of_domain", interlock.Unsupported, nil, over())
	}
}

// taken asks requests for one tool where what serves them is not there, and
// where it is there and forbidden.
func (c *composing) taken(picked []Task) {
	there := map[string]bool{}
	for _, id := range c.narrow {
		there[id] = true
	}
	count := map[string]int{}
	for _, k := range picked {
		gold, ok := within(k.Gold, there)
		if !ok || k.Kind != "single" {
			continue
		}
		serve := c.equal(k, there)
		rest := slices.DeleteFunc(slices.Clone(c.narrow), func(id string) bool { return slices.Contains(serve, id) })
		c.add(k, "#withdrawn", "near_domain", interlock.Unsupported, nil, among(rest))
		if count[k.Source+k.Lang]++; count[k.Source+k.Lang] <= forbidden {
			who := among(c.narrow)
			who.Invoke = rest
			c.add(k, "#forbidden", "forbidden", interlock.Forbidden, gold, who)
		}
	}
}

// korean asks requests in other languages of the tools that are described in
// Korean, where one of them is equal to the right tool.
func (c *composing) korean(picked []Task) {
	var ids []string
	there := map[string]bool{}
	for _, t := range c.data.Tools {
		if c.on[t.ID] && t.Lang == "ko" {
			ids, there[t.ID] = append(ids, t.ID), true
		}
	}
	for _, k := range picked {
		if k.Lang == "ko" || k.Kind != "single" {
			continue
		}
		if serve := c.equal(k, there); len(serve) > 0 {
			c.add(k, "#ko-tools", "supported", interlock.Supported, [][]string{serve}, among(ids))
		}
	}
}

// lists asks requests of lists of their own.
func (c *composing) lists() {
	own := slices.DeleteFunc(slices.Clone(c.data.Tasks), func(k Task) bool { return !k.alone() || len(k.list()) == 0 })
	own = capped(own, func(k Task) string { return k.Source + "\x00" + k.Kind + "\x00" + k.Lang }, each)
	for _, k := range c.data.Tasks {
		if k.whole() && k.Kind == "needs-input" && len(k.Cand) > 0 {
			own = append(own, k)
		}
	}
	for _, k := range own {
		ids := slices.Clone(k.list())
		if len(ids) == 0 {
			ids = slices.Clone(k.Cand)
		}
		there := map[string]bool{}
		ids = slices.DeleteFunc(ids, func(id string) bool {
			had := there[id]
			there[id] = c.data.byID[id].ID != ""
			return had || !there[id]
		})
		gold, served := within(k.Gold, there)
		switch {
		case k.Kind == "nofit":
			c.add(k, "", "near_domain", interlock.Unsupported, nil, c.own(ids))
		case k.Kind == "needs-input" && served:
			one := c.add(k, "", "missing_input", interlock.NeedsInput, c.names(gold), c.own(ids))
			one.Gold.Missing = missing(k.Missing)
		case (k.Kind == "single" || k.Kind == "multi") && served:
			c.add(k, "#own-list", "supported", interlock.Supported, c.names(gold), c.own(ids))
		}
	}
}

func missing(text json.RawMessage) []string {
	var out []string
	if json.Unmarshal(text, &out) != nil {
		return nil
	}
	return out
}

// own is who sees the tools of an own list.
func (c *composing) own(ids []string) *qualify.Asker {
	return among(c.names([][]string{ids})[0])
}

// names gives the ids under which tools of own lists stand in the catalogue.
func (c *composing) names(lists [][]string) [][]string {
	out := make([][]string, len(lists))
	for i, ids := range lists {
		for _, id := range ids {
			if !c.on[id] {
				c.extra[id] = true
				id = listed + id
			}
			out[i] = append(out[i], id)
		}
	}
	return out
}

// file puts the cases together with the tools that they speak of.
func (c *composing) file(catalogue []Tool) (File, error) {
	var tools bytes.Buffer
	for _, t := range catalogue {
		tools.Write(append(t.Line, '\n'))
	}
	for _, t := range c.data.Tools {
		if !c.extra[t.ID] {
			continue
		}
		var line map[string]json.RawMessage
		if err := json.Unmarshal(t.Line, &line); err != nil {
			return File{}, err
		}
		line["id"], _ = json.Marshal(listed + t.ID)
		text, err := interlock.Marshal(line)
		if err != nil {
			return File{}, err
		}
		tools.Write(append(text, '\n'))
	}
	set := qualify.CaseSet{Header: qualify.Header{Form: qualify.CasesForm, Name: fmt.Sprintf("open data, %d tools", len(catalogue)), Licence: "as stated by each source",
		Note: Form + " of " + c.data.Digest, Catalogue: toolsFile, Equivalents: classesFile}, Cases: c.out}
	return File{Cases: set, Tools: tools.Bytes(), Classes: c.data.Classes}, nil
}

// Text gives the case file.
func (f File) Text() ([]byte, error) {
	rows := []any{f.Cases.Header}
	for _, c := range f.Cases.Cases {
		rows = append(rows, c)
	}
	var out []byte
	for _, row := range rows {
		line, err := interlock.Marshal(row)
		if err != nil {
			return nil, err
		}
		out = append(append(out, line...), '\n')
	}
	return out, nil
}
