package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/qualify"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Draft is a case file on its way: what is known is filled in, and what a
// person has to say is left open, so that no run scores it before he did.
type Draft struct {
	Header qualify.Header
	Cases  []qualify.Case
	Gold   int // cases whose gold is there
}

// draft starts a case. Nobody has said who wrote the need, in what language it
// was first, or how it is to be counted.
func draft(id, need string) qualify.Case {
	return qualify.Case{ID: id, Need: need, Language: words.LanguageOf(need).String(), Authored: "unknown", Stratum: "supported", Split: "dev"}
}

// Match adds an accepted match. One tool that was accepted is the gold, and so is
// that nothing serves the need; of several nobody knows whether all are required or
// any one does. How far what nothing serves is from the tools a person says.
func (d *Draft) Match(m Match, source string, sources map[string]string) {
	c := draft(fmt.Sprintf("match-%d", len(d.Cases)+1), m.Query)
	c.Source = source
	c.Gold = &qualify.Gold{}
	for _, id := range m.Tools {
		if sources[id] != "" {
			c.Gold.Tools = append(c.Gold.Tools, []string{id})
			c.Provider = sources[id]
		}
	}
	switch {
	case len(m.Tools) == 0:
		c.Gold.Disposition, c.Stratum = interlock.Unsupported, "out_of_domain"
		d.Gold++
	case len(m.Tools) == 1 && len(c.Gold.Tools) == 1:
		c.Gold.Disposition = interlock.Supported
		d.Gold++
	}
	d.Cases = append(d.Cases, c)
}

// Need adds a need, with the tools that were called after it, most often first.
// They were among what was offered, so that they are proposed and no gold: a
// better tool that was not offered could not be called.
func (d *Draft) Need(n interlock.Need, called map[string]int, sources map[string]string) {
	c := draft(fmt.Sprintf("need-%d", len(d.Cases)+1), n.Text)
	c.Source, c.Have = "log", n.Have
	for _, e := range n.Effects {
		c.Effects = append(c.Effects, string(e))
	}
	var tools []string
	for id := range called {
		if sources[id] != "" {
			tools = append(tools, id)
		}
	}
	slices.SortFunc(tools, func(a, b string) int {
		if called[a] != called[b] {
			return called[b] - called[a]
		}
		return strings.Compare(a, b)
	})
	c.Gold = &qualify.Gold{Outputs: n.Want}
	if len(tools) > 0 {
		c.Provider = sources[tools[0]]
		c.Gold.Tools = [][]string{tools}
	}
	d.Cases = append(d.Cases, c)
}

// Text gives the case file.
func (d *Draft) Text() ([]byte, error) {
	rows := []any{d.Header}
	for _, c := range d.Cases {
		rows = append(rows, c)
	}
	var text []byte
	for _, row := range rows {
		line, err := interlock.Marshal(row)
		if err != nil {
			return nil, err
		}
		text = append(append(text, line...), '\n')
	}
	return text, nil
}
