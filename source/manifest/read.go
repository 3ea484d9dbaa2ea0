package manifest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// node is a value of the manifest.
type node = *yamljson.Node

func read(doc *yamljson.Document) (interlock.Catalogue, error) {
	c := interlock.Catalogue{Operations: []interlock.Operation{}, Findings: []interlock.Finding{}}
	whole := &reading{}
	top := whole.object(doc.Root, "", "interlock source tenant tools edges overlay")
	if version := top.Get("interlock"); top != nil && (!version.Is(yamljson.Number) || string(version.Raw) != "1") {
		whole.fault("/interlock", `the manifest does not begin with "interlock: 1"; no other version of the format is read`)
	}
	c.Source = whole.name(top, "", "source", true)
	c.Tenant = whole.name(top, "", "tenant", false)
	tools, edges, overlays := whole.list(top, "", "tools"), whole.list(top, "", "edges"), whole.list(top, "", "overlay")
	twice := sortTwice(doc.Twice, whole)
	if first := whole.first(); first != nil {
		return interlock.Catalogue{}, invalid(first.pointer, "%s", whole.reason())
	}
	c.Total = len(tools)
	readTools(&c, tools, twice)
	for i, n := range edges {
		r := &reading{}
		if e := r.edge(n, "/edges/"+strconv.Itoa(i)); r.holds(&c, "edge", twice["/edges/"+strconv.Itoa(i)]) {
			c.Edges = append(c.Edges, e)
		}
	}
	for i, n := range overlays {
		r := &reading{}
		if o := r.overlay(n, "/overlay/"+strconv.Itoa(i)); r.holds(&c, "overlay", twice["/overlay/"+strconv.Itoa(i)]) {
			c.Overlays = append(c.Overlays, o)
		}
	}
	return c, nil
}

// sortTwice sorts names that were given twice by the tool, edge or overlay
// that they are in; what is outside of those is a fault of the whole.
func sortTwice(pointers []string, whole *reading) map[string]string {
	out := map[string]string{}
	for _, p := range pointers {
		parts := strings.SplitN(p, "/", 4)
		if len(parts) == 4 && (parts[1] == "tools" || parts[1] == "edges" || parts[1] == "overlay") {
			out["/"+parts[1]+"/"+parts[2]] = p
			continue
		}
		whole.fault(p, "this name is given twice")
	}
	return out
}

func readTools(c *interlock.Catalogue, tools []node, twice map[string]string) {
	places := map[string]string{}
	for i, n := range tools {
		at := "/tools/" + strconv.Itoa(i)
		r := &reading{}
		op := r.tool(n, at)
		if before, known := places[op.Name]; known && op.Name != "" {
			r.fault(at+"/name", "the name %q is given at %s already", op.Name, before)
		} else {
			places[op.Name] = at
		}
		if p := twice[at]; p != "" {
			r.fault(p, "this name is given twice")
		}
		if first := r.first(); first != nil {
			c.Findings = append(c.Findings, interlock.Finding{Pointer: first.pointer, Reason: r.reason(), Dropped: true})
			continue
		}
		c.Operations, c.Places = append(c.Operations, op), append(c.Places, at)
	}
}

// holds reports whether nothing is wrong; otherwise it notes the finding.
func (r *reading) holds(c *interlock.Catalogue, what, twice string) bool {
	if twice != "" {
		r.fault(twice, "this name is given twice")
	}
	first := r.first()
	if first == nil {
		return true
	}
	c.Findings = append(c.Findings, interlock.Finding{Pointer: first.pointer, Reason: fmt.Sprintf("the %s is left out: %s", what, r.reason())})
	return false
}

func (r *reading) edge(n node, at string) interlock.Edge {
	n = r.object(n, at, "family from to compat force")
	e := interlock.Edge{
		Family: r.family(n, at, true),
		From:   r.version(n, at, "from", true),
		To:     r.version(n, at, "to", true),
		Compat: interlock.Compat(r.word(n, at, "compat", true, "backward full none")),
	}
	if force := r.flag(n, at, "force"); force != nil {
		e.Force = *force
	}
	if e.From != "" && e.From == e.To {
		r.fault(at+"/to", "the edge leads from %s to itself", e.From)
	}
	return e
}

func (r *reading) overlay(n node, at string) interlock.Overlay {
	n = r.object(n, at, "tool family version effect state aliases tags fields")
	return interlock.Overlay{
		Tool:    r.text(n, at, "tool", true),
		Family:  r.family(n, at, false),
		Version: r.version(n, at, "version", false),
		Effect:  interlock.Effect(r.word(n, at, "effect", false, effects)),
		State:   interlock.State(r.word(n, at, "state", false, states)),
		Aliases: r.texts(n, at, "aliases"),
		Tags:    r.dictionary(n, at, "tags"),
		Fields:  r.fields(n, at),
	}
}
