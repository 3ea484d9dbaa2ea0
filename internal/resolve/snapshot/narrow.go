package snapshot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/policy"
)

// cut is what a class of principals does not get of a tool.
type cut struct {
	masked []string // fields that are out, as places
	rows   []rows
	binds  []bind
}

// rows are the items of one list that stay.
type rows struct {
	at  string
	way []string
	by  []policy.Narrowing // all of them must keep an item
}

// bind is an argument that is given for the caller.
type bind struct {
	at, name string
	text     bool // or else a whole number
	by       policy.Narrowing
}

func (c *cut) empty() bool { return len(c.masked)+len(c.rows)+len(c.binds) == 0 }

// join leaves out what another cut of the same tool does as well.
func (c *cut) join(o cut) {
	c.masked = append(c.masked, o.masked...)
	slices.Sort(c.masked)
	c.masked = slices.Compact(c.masked)
	c.rows = append(c.rows, o.rows...) // of one list both must keep an item
	for _, b := range o.binds {
		if !slices.ContainsFunc(c.binds, func(d bind) bool { return d.at == b.at }) {
			c.binds = append(c.binds, b)
		}
	}
}

// key names a cut by its content.
func (c *cut) key() string {
	var b strings.Builder
	put := func(parts ...string) {
		for _, p := range parts {
			b.WriteString(strconv.Quote(p))
		}
		b.WriteByte(';')
	}
	put(c.masked...)
	for _, r := range c.rows {
		put(r.at)
		for _, n := range r.by {
			put(n.Text)
		}
	}
	for _, d := range c.binds {
		put(d.at, d.by.Text)
	}
	return b.String()
}

// bound gives the places of the arguments that are bound.
func (c *cut) bound() []string {
	var out []string
	for _, d := range c.binds {
		out = append(out, d.at)
	}
	return out
}

// narrow takes in what is left of a field. Where a narrowing cannot be carried
// out, because the schema does not state what it goes by, the forbid that it
// stands on holds for the whole field.
func (c *cut) narrow(op interlock.Operation, f policy.Field, by []policy.Narrowing) {
	if !Narrowed(op, f.At, by) {
		c.masked = append(c.masked, f.At)
		return
	}
	if by[0].Binds() {
		name, text, _ := contract.Argument(op, f.At)
		c.binds = append(c.binds, bind{at: f.At, name: name, text: text, by: by[0]})
		return
	}
	way, _ := rawjson.Split(strings.TrimPrefix(f.At, "output:"))
	c.rows = append(c.rows, rows{at: f.At, way: way, by: by})
	if slices.ContainsFunc(by, func(n policy.Narrowing) bool { return !n.Counts }) {
		c.masked = append(c.masked, contract.Numbers(op, f.At)...)
	}
}

// Narrowed reports whether narrowings of a field can be carried out: all by
// members that the items of the list state, or one by an argument of its own.
func Narrowed(op interlock.Operation, at string, by []policy.Narrowing) bool {
	if len(by) == 1 && by[0].Binds() {
		_, _, ok := contract.Argument(op, at)
		return ok
	}
	return !slices.ContainsFunc(by, func(n policy.Narrowing) bool { return n.Binds() || !contract.Lists(op, at, n.Members()) })
}

// Rows gives a result without the items that a principal may not see, and how
// many those are.
func (t *Tool) Rows(who interlock.Principal, result []byte) ([]byte, int) {
	left := 0
	for _, r := range t.rows {
		var n int
		result, n = rawjson.Filter(nil, result, r.way, func(item []byte) bool {
			return !slices.ContainsFunc(r.by, func(by policy.Narrowing) bool {
				return !by.Keeps(who, func(pointer string) (string, bool) { return valueAt(item, pointer) })
			})
		})
		left += n
	}
	return result, left
}

// valueAt gives a text, or a whole number as it is spelled.
func valueAt(item []byte, pointer string) (string, bool) {
	raw, ok := rawjson.At(item, pointer)
	if !ok {
		return "", false
	}
	if rawjson.KindOf(raw) == rawjson.KindNumber {
		return string(raw), whole(string(raw))
	}
	return rawjson.String(raw)
}

// whole reports whether a text spells a whole number in the only way there is.
func whole(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (digits[0] != '0' || text == "0")
}

// Bound gives a call's arguments with those that are given for the caller;
// false where his credential does not say what they are.
func (t *Tool) Bound(who interlock.Principal, args []byte) ([]byte, bool) {
	for _, d := range t.binds {
		value, ok := d.by.Argument(who)
		if !ok || !d.text && !whole(value) {
			return nil, false
		}
		spelled := []byte(value)
		if d.text {
			var err error
			if spelled, err = interlock.Marshal(value); err != nil {
				return nil, false
			}
		}
		name, err := interlock.Marshal(d.name)
		if err != nil {
			return nil, false
		}
		args = rawjson.Put(args, name, spelled)
	}
	return args, true
}

// Cut names what is left out of the tool in this view; two forms of one tool
// with one name leave out the same.
func (t *Tool) Cut() string { return t.cut }

// Binds reports whether any argument is given for the caller.
func (t *Tool) Binds() bool { return len(t.binds) > 0 }
