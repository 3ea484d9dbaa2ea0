package manifest

import (
	"encoding/json"
	"regexp"
	"strconv"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// probing reads how the tool may be called to find out how it behaves.
func (r *reading) probing(n node, at string) *interlock.Probing {
	v := r.get(n, at, "probe", false)
	if v == nil {
		return nil
	}
	at = rawjson.Join(at, "probe")
	v = r.object(v, at, "never sandbox args")
	p := &interlock.Probing{}
	if never := r.flag(v, at, "never"); never != nil {
		p.Never = *never
	}
	if sandbox := r.flag(v, at, "sandbox"); sandbox != nil {
		p.Sandbox = *sandbox
	}
	p.Args = r.members(v, at, "args", false)
	if p.Never && (p.Sandbox || p.Args != nil) {
		r.fault(at, `"never" stands alone: what is not probed needs no sandbox and no arguments`)
	}
	return p
}

// members takes an object as it is.
func (r *reading) members(n node, at, name string, needed bool) json.RawMessage {
	v := r.get(n, at, name, needed)
	if v == nil {
		return nil
	}
	if !v.Is(yamljson.Object) {
		r.fault(rawjson.Join(at, name), "this has to be an object, and is %s", v.KindOf())
		return nil
	}
	return v.JSON()
}

// canaries reads the calls whose outcome the owner vouches for.
func (r *reading) canaries(n node, at string, errors []interlock.ErrorCase) []interlock.Canary {
	var out []interlock.Canary
	for i, item := range r.list(n, at, "canaries") {
		here := rawjson.Join(at, "canaries", strconv.Itoa(i))
		item = r.object(item, here, "args expect shows then")
		c := interlock.Canary{Args: r.members(item, here, "args", true)}
		if expect := r.get(item, here, "expect", true); expect != nil {
			c.Expect = r.expectation(expect, rawjson.Join(here, "expect"), errors)
		}
		if c.Shows = r.text(item, here, "shows", false); c.Shows != "" && !kindPattern.MatchString(c.Shows) {
			r.fault(rawjson.Join(here, "shows"), "%q is no kind of drift: words joined by underscores, as in error_flag_lost", clip(c.Shows))
		}
		c.Then = r.readBack(item, here)
		out = append(out, c)
	}
	return out
}

// kindPattern is the form of a kind of drift.
var kindPattern = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

// readBack reads how to see what a canary wrote.
func (r *reading) readBack(n node, at string) *interlock.ReadBack {
	v := r.get(n, at, "then", false)
	if v == nil {
		return nil
	}
	at = rawjson.Join(at, "then")
	v = r.object(v, at, "tool args expect")
	back := &interlock.ReadBack{Tool: r.text(v, at, "tool", true), Args: r.members(v, at, "args", true)}
	if expect := r.get(v, at, "expect", true); expect != nil {
		at = rawjson.Join(at, "expect")
		expect = r.object(expect, at, "result")
		back.Expect.Result = r.members(expect, at, "result", true)
	}
	return back
}

func (r *reading) expectation(n node, at string, errors []interlock.ErrorCase) interlock.Expectation {
	n = r.object(n, at, "error result")
	e := interlock.Expectation{Error: r.text(n, at, "error", false), Result: r.members(n, at, "result", false)}
	if n != nil && (e.Error == "") == (e.Result == nil) {
		r.fault(at, `a canary expects either an "error" or a "result"`)
	}
	known := e.Error == ""
	for _, documented := range errors {
		known = known || documented.When == e.Error
	}
	if !known {
		r.fault(rawjson.Join(at, "error"), `no documented error has "when": %q`, clip(e.Error))
	}
	return e
}
