package driftlab

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
)

// TestIncidents replays what happened to real programs: a change of unit that no
// schema shows, in a release that called itself compatible. Each is found by the
// words of the documentation and by what the service does.
func TestIncidents(t *testing.T) {
	seconds := func(name, words string) string {
		return fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"number","exclusiveMinimum":0,"maximum":100000,"description":%q,"examples":[10]}},"required":[%q]}`, name, words, name)
	}
	echo := func(name string, by float64) answerer {
		return func(a args, _ int) reply {
			v, err := strconv.ParseFloat(a[name], 64)
			if err != nil || v <= 0 || v > 100_000 {
				return refused(400, "invalid_argument")
			}
			return ok(object{name: v * by, "ready": []string{}})
		}
	}
	out := func(name string) string {
		return fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"number"},"ready":{"type":"array","items":{"type":"string"}}},"required":[%q,"ready"]}`, name, name)
	}
	for _, tc := range []struct {
		name, field, words string
		by                 float64
	}{
		{"the timeout of a database client went from seconds to milliseconds in a minor release", "timeout", "Timeout of the query in seconds", 1e-3},
		{"waiting for tasks took milliseconds, and takes seconds", "timeout", "How long to wait for results, in milliseconds", 1e3},
		{"a parameter named in milliseconds is read in seconds", "timeout_ms", "Timeout in milliseconds", 1e3},
		{"a sleep documented in microseconds is taken in milliseconds", "delay", "Delay in microseconds", 1e3},
		{"a period in seconds is passed on in milliseconds", "period", "Period of the heartbeat in seconds", 1e-3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := fault{kind: drift.ParamUnitShift, says: "Polls once; the answer tells the value in force.", in: seconds(tc.field, tc.words), out: out(tc.field),
				clean: echo(tc.field, 1), drifted: echo(tc.field, tc.by), calls: func(n int) string { return fmt.Sprintf(`{%q:%d}`, tc.field, 10+10*n) },
				warm: 3, within: 3, also: []drift.Kind{drift.OutputUnitShift}}
			w := newWorld(t)
			w.judge(t, f, w.try(t, f, interlock.EffectRead))
		})
	}
}

// TestHold: seconds that became milliseconds, found by how long a call takes
// alone: nothing in the answer or the schema tells.
func TestHold(t *testing.T) {
	hold := func(scale float64) answerer {
		return func(a args, _ int) reply {
			v, err := strconv.ParseFloat(a["timeout"], 64)
			if err != nil || v <= 0 || v > 2 {
				return refused(400, "invalid_argument")
			}
			time.Sleep(time.Duration(v * scale * float64(time.Second)))
			return ok(object{"done": false})
		}
	}
	f := fault{kind: drift.ParamUnitShift, says: "Holds the call for up to timeout seconds, then answers done: false; answers done: true as soon as the job ends.",
		in:  `{"type":"object","properties":{"timeout":{"type":"number","exclusiveMinimum":0,"maximum":2,"description":"Longest wait in seconds","examples":[0.2]}},"required":["timeout"]}`,
		out: `{"type":"object","properties":{"done":{"type":"boolean"}},"required":["done"]}`, clean: hold(1), drifted: hold(1e-3),
		calls: func(n int) string { return fmt.Sprintf(`{"timeout":%.1f}`, 0.3+0.1*float64(n)) }, warm: 3, within: 3, also: []drift.Kind{drift.LatencyShift}}
	w := newWorld(t)
	w.judge(t, f, w.try(t, f, interlock.EffectRead))
}

// TestMasked is the first failure mode end to end: 404 becomes 200 with an empty
// body, the tool leaves the view, and the call that would have acted on phantom
// data is refused with nothing sent.
func TestMasked(t *testing.T) {
	w := newWorld(t)
	f := faults()[0]
	s, tool := w.serve("lab", "tool", f, interlock.EffectRead)
	w.register("lab", false, tool)
	w.row("lab/tool")
	for n := range f.warm {
		_ = w.call("lab/tool", f.calls(n))
	}
	s.drifted.Store(true)
	for n := range f.within {
		_ = w.call("lab/tool", f.calls(f.warm+n))
	}
	if row := w.row("lab/tool"); row.Verdict != drift.DriftRejected {
		t.Fatalf("after %d calls: %s", f.within, told(row))
	}
	before := s.asked.Load()
	err := w.call("lab/tool", knownID(0))
	if interlock.ReasonOf(err) != interlock.ReasonDriftRejected || s.asked.Load() != before {
		t.Errorf("%v, %d requests", err, s.asked.Load()-before)
	}
}

// TestCleanTwins: every tool of the lab without its fault, under rate limits,
// outages, a proxy's pages, slow answers and the probes, raises nothing.
func TestCleanTwins(t *testing.T) {
	w := newWorld(t)
	var tools []object
	var names []string
	all := append(faults(), lists()...)
	for i, f := range all {
		if f.beside != nil || f.secret {
			continue
		}
		name := fmt.Sprintf("twin%d", i)
		s, tool := w.serve("lab", name, f, interlock.EffectRead)
		s.noise.Store(true)
		tools, names = append(tools, tool), append(names, name)
	}
	w.register("lab", false, tools...)
	for _, name := range names {
		f := w.services["/lab/"+name].fault
		w.row("lab/" + name)
		for n := range 40 {
			if err := w.call("lab/"+name, f.calls(n)); interlock.ReasonOf(err) == interlock.ReasonDriftRejected {
				t.Fatalf("%s: a clean call is refused: %s", f.kind, told(w.row("lab/"+name)))
			}
		}
		w.probe(t, fault{probes: 1}, "lab/"+name)
		row := w.row("lab/" + name)
		if len(row.Divergences) > 0 || row.Verdict != drift.BehaviorAligned && row.Verdict != drift.InsufficientEvidence {
			t.Errorf("%s%s: %s", f.kind, f.name, told(row))
		}
	}
	asked := int64(0)
	for _, s := range w.services {
		asked += s.asked.Load()
	}
	t.Logf("%d tools, %d requests", len(names), asked)
	if asked < int64(40*len(names)) {
		t.Error("the twins were hardly asked")
	}
}
