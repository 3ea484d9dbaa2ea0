package qualify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// Header is the first line of a case file.
type Header struct {
	Form        string `json:"form"`
	Name        string `json:"name"`
	Licence     string `json:"licence,omitempty"`
	Note        string `json:"note,omitempty"`
	Catalogue   string `json:"catalogue"`             // file of tools, beside the case file
	Equivalents string `json:"equivalents,omitempty"` // file of classes of equal tools, beside it
}

// Case is one labelled need.
type Case struct {
	ID       string `json:"id"`
	Need     string `json:"need"`
	Language string `json:"language"`
	// Provider published the right tool, Author wrote the need. Splits keep
	// both apart.
	Provider string `json:"provider,omitempty"`
	Author   string `json:"author,omitempty"`
	Authored string `json:"authored"`          // native, translated, generated or unknown
	Source   string `json:"source,omitempty"`  // where the case is from
	Cluster  string `json:"cluster,omitempty"` // cases of one task; empty: it stands alone
	Stratum  string `json:"stratum"`
	Effect   string `json:"effect,omitempty"` // read or mutation
	Split    string `json:"split"`
	// Principal is who asks; without one everything is in view.
	Principal *Asker   `json:"principal,omitempty"`
	Context   []string `json:"context,omitempty"` // earlier turns; no arm reads them
	Have      []string `json:"have,omitempty"`
	Effects   []string `json:"effects,omitempty"` // effects allowed
	Gold      *Gold    `json:"gold,omitempty"`
	Digest    string   `json:"-"` // of its line
}

// Gold is the right answer.
type Gold struct {
	Disposition interlock.Disposition `json:"disposition"`
	// Tools are all required; of each list any one does. Of a forbidden need
	// they are what fits and may not be used.
	Tools [][]string `json:"tools,omitempty"`
	// Missing names the inputs that the need leaves out.
	Missing []string `json:"missing,omitempty"`
	// Inputs are the arguments of the right call, by tool. They are judged where
	// an agent fills them.
	Inputs map[string]json.RawMessage `json:"inputs,omitempty"`
	// Outputs are the fields wanted, with units; they go into the need.
	Outputs []interlock.Want `json:"outputs,omitempty"`
}

// Strata are the kinds of need that a case can be.
var strata = [...]string{"supported", "ambiguous", "missing_input", "near_domain", "out_of_domain", "forbidden"}

// Strata gives the kinds of need, in order.
func Strata() []string { return slices.Clone(strata[:]) }

// splits are the parts of a case file.
var splits = [...]string{"train", "dev", "calibration", Confirmation}

// Confirmation is the split that one run consumes.
const Confirmation = "confirmation"

// Native marks needs that their author wrote in the language they are in.
const Native = "native"

var authorings = [...]string{Native, "translated", "generated", "unknown"}

// CaseSet is a case file as it was read.
type CaseSet struct {
	Header
	Digest string
	Cases  []Case
}

// maxCase is the longest line of a case file.
const maxCase = 4 << 20

// ReadCases reads a case file: a header line, then a case a line.
func ReadCases(text []byte) (CaseSet, error) {
	set := CaseSet{Digest: Digest(text)}
	seen := map[string]int{}
	for number, line := range bytes.Split(text, []byte{'\n'}) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if len(line) > maxCase {
			return set, invalid("The case file has a line over %d bytes: line %d.", maxCase, number+1)
		}
		if set.Form == "" {
			if err := strict(line, &set.Header); err != nil || set.Form != CasesForm {
				return set, invalid("The first line of a case file is its header, with \"form\": %q; line %d is not: %v.", CasesForm, number+1, err)
			}
			continue
		}
		c := Case{Digest: Digest(line)}
		if err := strict(line, &c); err != nil {
			return set, invalid("Line %d of the case file: %v.", number+1, err)
		}
		if why := c.fault(); why != "" {
			return set, invalid("Line %d of the case file, case %q: %s.", number+1, c.ID, why)
		}
		if at, twice := seen[c.ID]; twice {
			return set, invalid("The case %q stands on lines %d and %d; an id is given once.", c.ID, at, number+1)
		}
		seen[c.ID] = number + 1
		set.Cases = append(set.Cases, c)
	}
	if set.Form == "" {
		return set, invalid("The case file is empty; its first line is a header with \"form\": %q.", CasesForm)
	}
	return set, nil
}

// strict reads one value and refuses members that nobody would look at.
func strict(line []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}

// fault says what is wrong with a case, its gold apart.
func (c Case) fault() string {
	one := func(member, value string, allowed []string) string {
		if slices.Contains(allowed, value) {
			return ""
		}
		return fmt.Sprintf("%s %q is none of %s", member, value, strings.Join(allowed, ", "))
	}
	switch {
	case c.ID == "":
		return "id is empty"
	case c.Language == "":
		return "language is empty"
	case len(c.Need) > interlock.MaxNeedBytes:
		return fmt.Sprintf("the need is over %d bytes", interlock.MaxNeedBytes)
	}
	for _, why := range []string{one("split", c.Split, splits[:]), one("stratum", c.Stratum, strata[:]), one("authored", c.Authored, authorings[:]),
		one("effect", c.Effect, []string{"", "read", "mutation"})} {
		if why != "" {
			return why
		}
	}
	for _, e := range c.Effects {
		if _, err := interlock.ParseEffect(e); err != nil {
			return fmt.Sprintf("effects: %q is no effect", e)
		}
	}
	return ""
}

// goldFault says why a case cannot be scored; empty where it can.
func (c Case) goldFault() string {
	g := c.Gold
	if g == nil || g.Disposition == "" {
		return "no gold"
	}
	known := []interlock.Disposition{interlock.Supported, interlock.Ambiguous, interlock.NeedsInput, interlock.Unsupported, interlock.Forbidden, interlock.BudgetUnsatisfied}
	switch {
	case !slices.Contains(known, g.Disposition):
		return fmt.Sprintf("%q is no disposition", g.Disposition)
	case g.Disposition != interlock.Unsupported && len(g.Tools) == 0:
		return "no tools"
	case g.Disposition == interlock.Unsupported && len(g.Tools) > 0:
		return "tools beside unsupported"
	case slices.ContainsFunc(g.Tools, func(any []string) bool { return len(any) == 0 }):
		return "an empty list of tools"
	}
	return ""
}

// Cluster gives the name under which cases of one task are counted together.
func (c Case) cluster() string {
	if c.Cluster != "" {
		return c.Cluster
	}
	return c.ID
}

// Scored gives the cases of a split; it refuses where one of them has no gold.
func (s CaseSet) Scored(split string) ([]Case, error) {
	var out []Case
	var bad []string
	for _, c := range s.Cases {
		if c.Split != split {
			continue
		}
		if why := c.goldFault(); why != "" {
			bad = append(bad, fmt.Sprintf("%s (%s)", c.ID, why))
		}
		out = append(out, c)
	}
	if len(bad) > 0 {
		return nil, refuse(interlock.CodeConflict, interlock.ReasonGoldMissing, "", "%d of %d cases of the split %s cannot be scored: %s.", len(bad), len(out), split, some(bad))
	}
	if len(out) == 0 {
		return nil, refuse(interlock.CodeConflict, interlock.ReasonGoldMissing, "", "The split %s has no case.", split)
	}
	return out, nil
}

// Apart refuses cases whose need was learned from: what is learned and what is
// scored are kept apart.
func Apart(cases []Case, learned []string) error {
	seen := map[string]bool{}
	for _, need := range learned {
		seen[strings.Join(strings.Fields(need), " ")] = true
	}
	var both []string
	for _, c := range cases {
		if seen[strings.Join(strings.Fields(c.Need), " ")] {
			both = append(both, c.ID)
		}
	}
	if len(both) > 0 {
		return invalid("The calibration was made from needs of the cases that would be scored: %s. Calibrate on others.", some(both))
	}
	return nil
}

// Overlaps names the providers and authors that stand in a split and outside
// of it. A split that shares them measures memory.
func (s CaseSet) Overlaps(split string) []string {
	in, outside := map[string]bool{}, map[string]bool{}
	unnamed := 0
	for _, c := range s.Cases {
		side := outside
		if c.Split == split {
			side = in
			if c.Author == "" {
				unnamed++
			}
		}
		if c.Provider != "" {
			side["provider "+c.Provider] = true
		}
		if c.Author != "" {
			side["author "+c.Author] = true
		}
	}
	out := []string{}
	for name := range in {
		if outside[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	if unnamed > 0 {
		out = append(out, fmt.Sprintf("%d cases name no author", unnamed))
	}
	return out
}

// Asker is a principal of a case: what it may see and use, by globs over tool
// ids in which * also matches a slash. Deny wins.
type Asker struct {
	Name   string   `json:"name,omitempty"`
	Allow  []string `json:"allow,omitempty"`
	Deny   []string `json:"deny,omitempty"`
	Invoke []string `json:"invoke,omitempty"` // of what is visible, what may be called; missing: all of it
}

// Principal gives the principal that the stages know.
func (a *Asker) Principal() interlock.Principal {
	if a == nil {
		return interlock.Local()
	}
	return interlock.Principal{Name: a.Name, Tenant: interlock.SharedTenant, Allow: a.Allow, Deny: a.Deny, Invoke: a.Invoke}
}

// May reports whether the principal may be offered a tool. It reads the lists
// itself and asks no stage, so that it can be held against what they disclose.
func (a *Asker) May(tool string) bool {
	if a == nil {
		return true
	}
	return anyGlob(a.Allow, tool) && !anyGlob(a.Deny, tool) && (a.Invoke == nil || anyGlob(a.Invoke, tool))
}

func anyGlob(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(g string) bool { return glob(g, name) })
}

// glob matches with * for any run of characters.
func glob(pattern, name string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !strings.HasPrefix(name, head) {
		return false
	}
	if name = name[len(head):]; !star {
		return name == ""
	}
	for i := 0; i <= len(name); i++ {
		if glob(rest, name[i:]) {
			return true
		}
	}
	return false
}

// Classes are tools that serve the same needs equally well, by name.
type Classes map[string][]string

// ReadClasses reads a file of classes.
func ReadClasses(text []byte) (Classes, error) {
	var file struct {
		Classes Classes `json:"classes"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, invalid("The file of equal tools: %v.", err)
	}
	return file.Classes, nil
}

// Widen adds to each list of alternatives the tools that are equal to one of it.
func (c Classes) Widen(tools [][]string) [][]string {
	out := make([][]string, len(tools))
	for i, any := range tools {
		wide := slices.Clone(any)
		for _, class := range c {
			if slices.ContainsFunc(any, func(id string) bool { return slices.Contains(class, id) }) {
				wide = append(wide, class...)
			}
		}
		out[i] = unique(wide)
	}
	return out
}
