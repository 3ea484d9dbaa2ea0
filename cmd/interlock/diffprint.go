package main

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/diff/documents"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// printChanges writes a report for people: each change with its place on both
// sides, whom it breaks, the proof and the remedy.
func printChanges(a *app, r documents.Report, old, new text, all bool) error {
	w := bufio.NewWriter(a.out)
	p := changePrinter{style: a.style(a.out), w: w, old: old, new: new, oldLines: linesOf(old.bytes), newLines: linesOf(new.bytes)}
	p.head(r)
	hidden, last := 0, ""
	shared := sharedBy(r)
	for _, c := range r.Changes {
		if !all && !c.Breaking && c.Stopped == "" && c.Enforcement == "" {
			hidden++
			continue
		}
		ops := shared[alike(c)]
		if ops == nil {
			continue // told with an earlier operation
		}
		delete(shared, alike(c))
		if c.Operation != last {
			tell(w, "\n%s\n", p.style.bold(c.Operation))
			last = c.Operation
		}
		p.change(c)
		p.line("also", others(c.Operation, ops))
	}
	if hidden > 0 {
		tell(w, "\n%s\n", p.style.dim(fmt.Sprintf("%d more that break nobody; --all shows them", hidden)))
	}
	return w.Flush()
}

// sameChange is what one change of a shared component has in common wherever
// it is met.
type sameChange struct {
	rule, old, new, message string
	direction               rule.Direction
	breaking                bool
}

func alike(c documents.Change) sameChange {
	return sameChange{c.Rule, c.Pointer, c.PointerNew, c.Message, c.Direction, c.Breaking}
}

// sharedBy lists the operations that each change is met in.
func sharedBy(r documents.Report) map[sameChange][]string {
	out := map[sameChange][]string{}
	for _, c := range r.Changes {
		out[alike(c)] = append(out[alike(c)], c.Operation)
	}
	return out
}

// maxAlso is how many further operations are named.
const maxAlso = 3

// others names the further operations that share a change.
func others(first string, ops []string) string {
	ops = slices.DeleteFunc(slices.Compact(slices.Clone(ops)), func(op string) bool { return op == first })
	if len(ops) <= maxAlso {
		return strings.Join(ops, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ops[:maxAlso], ", "), len(ops)-maxAlso)
}

type changePrinter struct {
	style              style
	w                  *bufio.Writer
	old, new           text
	oldLines, newLines *lines
}

// head is the verdict in one line.
func (p *changePrinter) head(r documents.Report) {
	word := p.style.green(string(r.Verdict))
	switch {
	case r.Verdict == diff.Undecided:
		word = p.style.yellow(string(r.Verdict))
	case !r.Verdict.Serves():
		word = p.style.red(string(r.Verdict))
	}
	tell(p.w, "%s  %s → %s\n", word, p.old.name, p.new.name)
	says := map[diff.Verdict]string{
		diff.Identical: "the same contract",
		diff.Full:      "either serves the callers of the other",
		diff.Backward:  "the new one serves every caller of the old",
		diff.Undecided: "nobody knows; it counts as breaking",
		diff.None:      "callers of the old one break",
	}
	changes := "1 change"
	if n := len(r.Changes); n != 1 {
		changes = fmt.Sprint(n, " changes")
	}
	tell(p.w, "%s in %s mode; %s, %d breaking; the version step is %s\n", says[r.Verdict], r.Mode, changes, len(r.Breaking()), r.Bump)
}

// change is one change in full.
func (p *changePrinter) change(c documents.Change) {
	tell(p.w, "  %s %s  %s\n", changeMark(p.style, c.Breaking, c.Stopped, c.Enforcement), c.Message, p.style.dim(c.Rule))
	if c.Breaking || c.Stopped != "" {
		p.line("old", p.place(p.old, p.oldLines, c.Pointer))
	}
	p.line("new", p.place(p.new, p.newLines, c.PointerNew))
	if !c.Breaking && c.Stopped == "" {
		p.line("as", enforcementWords(c.Enforcement))
		return
	}
	p.line("why", c.Harm)
	if len(c.Witness) > 0 {
		words := " passes one side and not the other"
		switch {
		case c.WitnessPart:
			words = " at that place passes one side and not the other"
		case c.WitnessAt != "":
			words += ", for what stands at " + c.WitnessAt
		}
		p.line("proof", clip(string(c.Witness))+words)
	}
	p.line("hint", renamedWords(c.Renamed))
	p.line("do", c.Remedy)
}

// changeMark is the verdict on one change in one word.
func changeMark(st style, breaking bool, stopped, enforcement string) safe {
	switch {
	case breaking:
		return st.red("break")
	case stopped != "":
		return st.yellow("open ")
	case enforcement != "":
		return st.yellow("safe ")
	}
	return st.green("ok   ")
}

func renamedWords(now string) string {
	if now == "" {
		return ""
	}
	return "it seems to be called " + now + " now"
}

func (p *changePrinter) line(word string, words any) {
	if words := shown(words); words != safe("") {
		tell(p.w, "        %s %s\n", p.style.dim(fmt.Sprintf("%-5s", word)), words)
	}
}

// place writes a pointer with the file and line it leads to.
func (p *changePrinter) place(side text, l *lines, pointer string) safe {
	if pointer == "" {
		return ""
	}
	if n := l.at(pointer); n > 0 {
		return plain(side.name+":"+strconv.Itoa(n)+"  ") + p.style.dim(pointer)
	}
	return plain(pointer)
}

func enforcementWords(e string) string {
	switch e {
	case "undeclared_refused":
		return "arguments that the caller's contract does not declare are refused"
	case "projected":
		return "results are cut to what the caller's contract declares"
	case "default_filled":
		return "the argument states a default, which the service is trusted to take; no edge rests on it"
	}
	return e
}

// clip bounds a value that a line repeats.
func clip(text string) string {
	if len(text) <= 160 {
		return text
	}
	return strings.ToValidUTF8(text[:160], "") + "…"
}

// maxLined is the largest text whose lines are looked up, in bytes: it is read
// a second time for them.
const maxLined = 16 << 20

// lines finds the line of a pointer in a JSON or YAML text.
type lines struct{ root *yaml.Node }

func linesOf(text []byte) *lines {
	var doc yaml.Node
	if len(text) == 0 || len(text) > maxLined || yaml.Unmarshal(text, &doc) != nil || len(doc.Content) == 0 {
		return &lines{}
	}
	return &lines{doc.Content[0]}
}

// at gives the line of the value that a pointer leads to, or of the last one
// on its way that there is; 0 where nothing is known.
func (l *lines) at(pointer string) int {
	if l.root == nil {
		return 0
	}
	names, _ := rawjson.Split(pointer)
	at, line := l.root, l.root.Line
	for _, name := range names {
		next, where := under(at, name)
		if next == nil {
			return line
		}
		at, line = next, where
	}
	return line
}

// under gives a member or an item, and the line where its name stands.
func under(n *yaml.Node, name string) (*yaml.Node, int) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == name {
				return n.Content[i+1], n.Content[i].Line
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i], n.Content[i].Line
		}
	}
	return nil, 0
}
