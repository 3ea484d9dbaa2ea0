package opendata

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// chance gives a place that is chance and always the same.
func chance(s string) string {
	sum := sha256.Sum256([]byte("ladder-1:" + s))
	return hex.EncodeToString(sum[:])
}

func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// ladder is a catalogue on its way.
type ladder struct {
	of    map[string][]Tool // distinct tools by provider
	uses  map[string]int    // by requests, of a tool
	asked map[string]int    // and of a provider
	taken map[string]bool
	out   []Tool
}

// Ladder gives n distinct tools, one of each name of a source, in an order of
// which every beginning is a catalogue: the first 100 hold what most requests
// ask for, then whole servers follow.
func (d *Data) Ladder(n int) []Tool {
	l := &ladder{of: map[string][]Tool{}, uses: map[string]int{}, asked: map[string]int{}, taken: map[string]bool{}}
	for _, k := range d.Tasks {
		if k.whole() && (k.Kind == "single" || k.Kind == "multi") {
			for _, id := range slices.Concat(k.Gold...) {
				l.uses[id]++
			}
		}
	}
	seen := map[[2]string]bool{}
	for _, t := range d.Tools {
		if key := [2]string{t.Source, fold(t.Name)}; !seen[key] {
			seen[key] = true
			l.of[t.Provider] = append(l.of[t.Provider], t)
			l.asked[t.Provider] += l.uses[t.ID]
		}
	}
	var live []Tool
	for _, p := range l.providers("bfcl-live") {
		live = append(live, l.of[p]...)
	}
	l.take(l.of["voice-assistant"], l.of["accommodation"], l.most("hass", 12), l.most("functionchat", 20))
	l.fill(live, 100)
	l.take(l.of["restbench.tmdb"], l.most("hass", 99), l.most("functionchat", 60))
	l.fill(live, 250)
	for _, p := range l.providers("livemcpbench") {
		if l.asked[p] > 0 {
			l.take(l.of[p])
		}
	}
	l.fill(live, 500)
	l.take(l.of["functionchat"])
	for _, p := range l.providers("livemcpbench") {
		l.take(l.of[p])
	}
	l.take(l.of["github-mcp"], l.of["hass"])
	for _, source := range []string{"livemcpbench", "bfcl-live", "toolalpaca", "acebench", "bfcl-syn"} {
		for _, p := range l.providers(source) {
			l.take(l.of[p])
		}
	}
	return l.out[:min(n, len(l.out))]
}

// providers gives those of a source, the most asked first.
func (l *ladder) providers(source string) []string {
	var out []string
	for p, tools := range l.of {
		if tools[0].Source == source {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(l.asked[b], l.asked[a]), strings.Compare(chance(a), chance(b)))
	})
	return out
}

// most gives the n most asked tools of a provider.
func (l *ladder) most(provider string, n int) []Tool {
	out := slices.DeleteFunc(slices.Clone(l.of[provider]), func(t Tool) bool { return l.uses[t.ID] == 0 })
	slices.SortFunc(out, func(a, b Tool) int {
		return cmp.Or(cmp.Compare(l.uses[b.ID], l.uses[a.ID]), strings.Compare(a.ID, b.ID))
	})
	return out[:min(n, len(out))]
}

func (l *ladder) take(lists ...[]Tool) {
	for _, t := range slices.Concat(lists...) {
		if !l.taken[t.ID] {
			l.taken[t.ID] = true
			l.out = append(l.out, t)
		}
	}
}

func (l *ladder) fill(tools []Tool, upTo int) {
	for _, t := range tools {
		if len(l.out) >= upTo {
			return
		}
		l.take([]Tool{t})
	}
}

// Pick gives the requests that are asked of a whole catalogue and whose every
// required tool is in it, at most so many of a source and language, by chance;
// of their alternatives those that are there.
func (d *Data) Pick(catalogue []Tool, most int) []Task {
	there := map[string]bool{}
	for _, t := range catalogue {
		there[t.ID] = true
	}
	var out []Task
	for _, k := range d.Tasks {
		if k.whole() && k.alone() && (k.Kind == "single" || k.Kind == "multi") && !strings.HasPrefix(k.Source, "metatool") {
			if gold, ok := within(k.Gold, there); ok {
				k.Gold = gold
				out = append(out, k)
			}
		}
	}
	return capped(out, func(k Task) string { return k.Source + "\x00" + k.Lang }, most)
}

// within keeps of each list of alternatives what is there; not ok where nothing
// of one is.
func within(gold [][]string, there map[string]bool) ([][]string, bool) {
	out := make([][]string, len(gold))
	for i, any := range gold {
		for _, id := range any {
			if there[id] {
				out[i] = append(out[i], id)
			}
		}
		if len(out[i]) == 0 {
			return nil, false
		}
	}
	return out, len(out) > 0
}

// capped gives at most so many of each group, by chance, the groups in order.
func capped(tasks []Task, group func(Task) string, most int) []Task {
	slices.SortStableFunc(tasks, func(a, b Task) int {
		return cmp.Or(strings.Compare(group(a), group(b)), strings.Compare(chance(a.ID), chance(b.ID)))
	})
	count := map[string]int{}
	return slices.DeleteFunc(tasks, func(k Task) bool {
		count[group(k)]++
		return count[group(k)] > most
	})
}
