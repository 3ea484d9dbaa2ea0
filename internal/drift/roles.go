package drift

import (
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// The limits of what is read into fields.
const (
	maxEchoes = 16
	maxUnits  = 16
	maxRoles  = 8
)

// roles says what single fields of a definition mean for what is observed.
type roles struct {
	slots     int // values that the walk of a result keeps
	echoes    []echo
	measures  []measure
	revisions []*node
	instants  []instant
	waits     []wait
	list      *listing
	core      []*node // required members of a result whose value a call may be known by
	moods     []*node // booleans and enumerations of a result
}

// echo is an output that repeats an input.
type echo struct {
	in, out *node
	expect  float64 // output = input × expect
	numeric bool
	pair    int // of two that can be mixed up: the other's place; -1
}

// measure is a number of the output in a unit.
type measure struct {
	out   *node
	unit  unit
	epoch bool // counts from 1970
}

// instant is an output that says when something ends which an argument gives
// the length of.
type instant struct {
	out    *node
	in     *node
	epoch  float64 // of a number: seconds in one; 0: a date-time
	factor float64 // of the argument: seconds in one
}

// wait is an argument that says how long a call may take.
type wait struct {
	in     *node
	factor float64
}

// listing is a list with what says how long it is.
type listing struct {
	limit *node // argument
	list  *node // output: the list
	total *node // output: how many there are in all; may be nil
	more  []*node
	pages []string // arguments that move along the list
}

func rolesOf(op interlock.Operation, in, out *node) roles {
	r := roles{}
	m := meanings{fields: map[string]interlock.FieldMeaning{}}
	for _, f := range op.Fields {
		m.fields[f.At] = f
	}
	inputs, outputs := leaves(in), leaves(out)
	r.echo(m, inputs, outputs)
	r.measure(m, outputs)
	r.wait(m, inputs)
	r.ends(m, inputs, outputs)
	r.lists(in, out)
	r.tell(out, outputs)
	return r
}

// meanings finds what is documented of a field, by its place.
type meanings struct {
	fields map[string]interlock.FieldMeaning
}

// unit gives the unit of a field: as declared, by its words, by its name.
// Where two of them disagree it has none.
func (m meanings) unit(side string, n *node) (unit, bool) {
	declared, has := units[m.fields[side+n.at].Unit]
	prose, said := proseUnit(n.says)
	named, ends := suffixUnit(lastName(n.at))
	var all []unit
	for _, u := range []struct {
		unit unit
		ok   bool
	}{{declared, has}, {prose, said}, {named, ends}} {
		if u.ok {
			all = append(all, u.unit)
		}
	}
	if len(all) == 0 || slices.ContainsFunc(all, func(u unit) bool { return u != all[0] }) {
		return unit{}, false
	}
	return all[0], true
}

func (m meanings) semantic(side string, n *node) string { return m.fields[side+n.at].SemanticID }

func lastName(at string) string { return at[strings.LastIndexByte(at, '/')+1:] }

// leaves lists the scalars of a schema that stand in no list, to a depth of
// three, in the order of declaration.
func leaves(root *node) []*node {
	var all []*node
	var walk func(*node, int)
	walk = func(n *node, depth int) {
		if n == nil || depth > 3 || len(all) == 64 {
			return
		}
		if len(n.props) == 0 {
			if n.at != "" && n.types&(tObject|tArray) == 0 {
				all = append(all, n)
			}
			return
		}
		for _, name := range n.order {
			walk(n.props[name], depth+1)
		}
	}
	walk(root, 0)
	return all
}

// keep gives a place of the output a slot.
func (r *roles) keep(n *node) {
	if n.slot < 0 {
		n.slot = r.slots
		r.slots++
	}
}

func numeric(n *node) bool { return n.types != 0 && n.types&^(tInteger|tNumber|tNull) == 0 }

func alike(a, b *node) bool {
	return numeric(a) && numeric(b) || a.types&tString != 0 && b.types&tString != 0 || a.types&tBool != 0 && b.types&tBool != 0
}

// echo pairs inputs and outputs of one name: one name, one value.
func (r *roles) echo(m meanings, inputs, outputs []*node) {
	for _, in := range inputs {
		if name := strings.ToLower(lastName(in.at)); numeric(in) && (limitNames[name] || pageNames[name] || totalNames[name]) {
			continue // how many there are is no echo of how many may be
		}
		i := slices.IndexFunc(outputs, func(out *node) bool {
			return lastName(out.at) == lastName(in.at) && alike(in, out) && strings.Count(out.at, "/") == strings.Count(in.at, "/")
		})
		if i < 0 || len(r.echoes) == maxEchoes {
			continue
		}
		e := echo{in: in, out: outputs[i], expect: 1, numeric: numeric(in), pair: -1}
		iu, ok := m.unit("input:", in)
		ou, also := m.unit("output:", outputs[i])
		if ok && also && iu != ou {
			if iu.of != ou.of || iu.of == "temperature" {
				continue
			}
			e.expect = iu.factor / ou.factor
		}
		r.keep(e.out)
		r.echoes = append(r.echoes, e)
	}
	for i := range r.echoes {
		for j := range r.echoes {
			if i != j && r.echoes[i].pair < 0 && r.echoes[i].numeric && r.echoes[j].numeric {
				r.echoes[i].pair = j
			}
		}
	}
}

// measure lists numbers with a unit that repeat no argument, and the values
// that only a write moves.
func (r *roles) measure(m meanings, outputs []*node) {
	for _, out := range outputs {
		if m.semantic("output:", out) == "state_revision" && len(r.revisions) < maxRoles {
			r.keep(out)
			r.revisions = append(r.revisions, out)
			continue
		}
		if !numeric(out) || out.slot >= 0 || len(r.measures) == maxUnits {
			continue
		}
		u, ok := m.unit("output:", out)
		epoch := m.semantic("output:", out) == "unix_time" || speaksOfEpoch(out.says)
		if epoch && !ok {
			u, ok = units["s"], strings.Contains(strings.ToLower(out.says), "second") && !strings.Contains(strings.ToLower(out.says), "milli")
		}
		if ok {
			r.keep(out)
			r.measures = append(r.measures, measure{out, u, epoch && u.of == "time"})
		}
	}
}

func speaksOfEpoch(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "unix time") || strings.Contains(text, "unix epoch") || strings.Contains(text, "since the epoch") || strings.Contains(text, "epoch seconds") || strings.Contains(text, "epoch milliseconds")
}

// wait lists the arguments that bound how long a call takes.
func (r *roles) wait(m meanings, inputs []*node) {
	for _, in := range inputs {
		if u, ok := m.unit("input:", in); ok && u.of == "time" && numeric(in) && len(r.waits) < maxRoles {
			r.waits = append(r.waits, wait{in, u.factor})
		}
	}
}

// ends pairs a length of time among the arguments with the output that says
// when it is over; only where there is one such argument.
func (r *roles) ends(m meanings, inputs, outputs []*node) {
	if len(r.waits) != 1 {
		return
	}
	w := r.waits[0]
	for _, out := range outputs {
		at := instant{out: out, in: w.in, factor: w.factor}
		switch {
		case !endsBy(out, w.in) || len(r.instants) == maxRoles:
			continue
		case out.format == "date-time" && out.types&tString != 0:
		case numeric(out):
			i := slices.IndexFunc(r.measures, func(m measure) bool { return m.out == out && m.epoch })
			if i < 0 {
				continue
			}
			at.epoch = r.measures[i].unit.factor
		default:
			continue
		}
		r.keep(out)
		r.instants = append(r.instants, at)
	}
}

// endsBy reports whether an output is documented as now plus the argument.
func endsBy(out, in *node) bool {
	words := nameWords(lastName(out.at))
	if len(words) > 0 && (strings.HasPrefix(words[0], "expir") || words[0] == "until" || words[0] == "deadline" || words[0] == "valid" && slices.Contains(words, "until")) {
		return true
	}
	said := proseWords(out.says)
	i := slices.IndexFunc(said, func(w proseWord) bool { return w.text == "plus" })
	return i >= 0 && slices.ContainsFunc(said[i:], func(w proseWord) bool { return w.text == strings.ToLower(lastName(in.at)) })
}

var (
	limitNames = words("limit max_results max_items maxresults maxitems page_size pagesize per_page perpage max_count maxcount count size top first num_results")
	totalNames = words("total total_count totalcount total_results totalresults total_items totalitems total_hits totalhits count_total")
	moreNames  = words("next next_cursor nextcursor next_page nextpage next_page_token nextpagetoken next_token nexttoken has_more hasmore has_next hasnext truncated incomplete incomplete_results partial cursor more")
	pageNames  = words("offset page cursor after before skip start from page_token pagetoken next_token starting_after continuation")
)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

func (n *node) member(names map[string]bool) []*node {
	var all []*node
	for _, name := range n.order {
		if names[strings.ToLower(name)] {
			all = append(all, n.props[name])
		}
	}
	return all
}

// lists finds the one list of a result and the argument that bounds it.
func (r *roles) lists(in, out *node) {
	if in == nil || out == nil {
		return
	}
	l := listing{}
	for _, n := range in.member(limitNames) {
		if n.types&(tInteger|tNumber) != 0 && l.limit == nil {
			l.limit = n
		}
	}
	if out.types == tArray {
		l.list = out
	}
	for _, name := range out.order {
		if n := out.props[name]; n.types == tArray {
			if l.list != nil {
				return // two lists: which one is bounded is not documented
			}
			l.list = n
		}
	}
	if l.limit == nil || l.list == nil {
		return
	}
	for _, n := range out.member(totalNames) {
		l.total = n
	}
	l.more = out.member(moreNames)
	for _, n := range in.member(pageNames) {
		l.pages = append(l.pages, n.at)
	}
	r.list = &l
	r.keep(l.list)
	if l.total != nil {
		r.keep(l.total)
	}
	for _, n := range l.more {
		r.keep(n)
	}
}

// tell lists what one answer is known by: its required members, and those that
// have only a few values.
func (r *roles) tell(out *node, outputs []*node) {
	if out == nil {
		return
	}
	for _, name := range out.order {
		n := out.props[name]
		if !n.optional && n.format != "date-time" && !slices.Contains(r.revisions, n) {
			r.keep(n)
			r.core = append(r.core, n)
		}
	}
	for _, n := range outputs {
		if (n.types == tBool || len(n.enum) > 0) && len(r.moods) < maxRoles {
			r.keep(n)
			r.moods = append(r.moods, n)
		}
	}
}

// told says the meanings for the log.
func (r *roles) told() []string {
	var all []string
	for _, e := range r.echoes {
		all = append(all, "output:"+e.out.at+" repeats input:"+e.in.at)
	}
	for _, m := range r.measures {
		what := " in "
		if m.epoch {
			what = " counted from 1970 in "
		}
		all = append(all, "output:"+m.out.at+what+m.unit.code)
	}
	for _, n := range r.revisions {
		all = append(all, "output:"+n.at+" moves by writes alone")
	}
	for _, w := range r.waits {
		all = append(all, "input:"+w.in.at+" is a length of time")
	}
	for _, i := range r.instants {
		all = append(all, "output:"+i.out.at+" is the time of the call plus input:"+i.in.at)
	}
	if r.list != nil {
		all = append(all, "input:"+r.list.limit.at+" bounds output:"+r.list.list.at)
	}
	return all
}
