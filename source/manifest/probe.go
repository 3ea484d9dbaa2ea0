package manifest

import (
	"encoding/json"
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
		item = r.object(item, here, "args expect")
		c := interlock.Canary{Args: r.members(item, here, "args", true)}
		if expect := r.get(item, here, "expect", true); expect != nil {
			c.Expect = r.expectation(expect, rawjson.Join(here, "expect"), errors)
		}
		out = append(out, c)
	}
	return out
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
