package lock

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

// at is one version with one active tool, changed by each of the given.
func at(version string, change ...func(*interlock.FamilyVersion)) interlock.FamilyVersion {
	v := interlock.FamilyVersion{Version: version, Contract: hashA, Tools: []interlock.FamilyTool{
		{Tool: "docs/v2", Effect: interlock.EffectRead, State: interlock.StateActive, Contract: hashA, Pin: pinA, Bound: true, Allowed: true}}}
	for _, c := range change {
		c(&v)
	}
	return v
}

type change = func(*interlock.FamilyVersion)

// in puts the tool into a state, which stops its version as eligible does.
func in(s interlock.State) change {
	return func(v *interlock.FamilyVersion) {
		v.Tools[0].State = s
		if !s.Resolvable() {
			v.Stopped = &interlock.Stopped{Version: v.Version, By: "state", State: s}
		}
	}
}

func stopped(by, from, compat string) change {
	return func(v *interlock.FamilyVersion) {
		v.Stopped = &interlock.Stopped{Version: v.Version, By: by, From: from, Compat: compat}
	}
}

func contract(hash string) change {
	return func(v *interlock.FamilyVersion) { v.Contract, v.Tools[0].Contract = hash, hash }
}

func pin(hash string) change { return func(v *interlock.FamilyVersion) { v.Tools[0].Pin = hash } }

func effect(e interlock.Effect) change {
	return func(v *interlock.FamilyVersion) { v.Tools[0].Effect = e }
}

func denied(v *interlock.FamilyVersion)  { v.Tools[0].Allowed = false }
func unbound(v *interlock.FamilyVersion) { v.Tools[0].Bound = false }
func named(tool string) change {
	return func(v *interlock.FamilyVersion) { v.Tools[0].Tool = tool }
}

// past is a version without tools.
func past(v *interlock.FamilyVersion) {
	v.Tools, v.Stopped = nil, &interlock.Stopped{Version: v.Version, By: "state", State: interlock.StateRetired}
}

func family(rows ...interlock.FamilyVersion) interlock.FamilyInfo {
	return interlock.FamilyInfo{Family: "doc.extract", Range: "^2.0", BuiltAgainst: "2.3.0", Base: "2.3.0", Versions: rows, Edges: []interlock.Edge{}}
}

func TestCompare(t *testing.T) {
	moved := entry()
	moved.Version, moved.BuiltContract = "2.4.0", hashA
	for _, tc := range []struct {
		name   string
		have   Capability
		rows   []interlock.FamilyVersion
		reason Reason
		serves string
		detail string
	}{
		{"as locked", entry(), []interlock.FamilyVersion{at("2.3.0")}, OK, "2.3.0", ""},
		{"deprecated still serves", entry(), []interlock.FamilyVersion{at("2.3.0", in(interlock.StateDeprecated))}, OK, "2.3.0", "deprecated"},
		{"what is stopped is nobody's business", entry(), []interlock.FamilyVersion{at("2.3.0"), at("3.0.0", stopped("range", "", ""))}, OK, "2.3.0", ""},
		{"newer and proved", entry(), []interlock.FamilyVersion{at("2.3.0"), at("2.4.0")}, Outdated, "2.4.0", "2.3.0 still would"},
		{"newer and waiting", entry(), []interlock.FamilyVersion{at("2.3.0"), at("2.4.0", in(interlock.StatePending))}, OK, "2.3.0", ""},
		{"newer and down", entry(), []interlock.FamilyVersion{at("2.3.0"), at("2.4.0", in(interlock.StateUnavailable))}, OK, "2.3.0", ""},
		{"retired with an heir", entry(), []interlock.FamilyVersion{at("2.3.0", past), at("2.4.0", contract(hashB))}, Outdated, "2.4.0", "2.3.0 is retired"},
		{"down with an heir", entry(), []interlock.FamilyVersion{at("2.3.0", in(interlock.StateUnavailable)), at("2.4.0")}, Outdated, "2.4.0", "unavailable"},
		{"gone with an heir", moved, []interlock.FamilyVersion{at("2.3.0")}, Outdated, "2.3.0", "2.4.0 is not in view"},
		{"other words", entry(), []interlock.FamilyVersion{at("2.3.0", pin(pinB))}, WordingChanged, "2.3.0", "111111111111"},
		{"other words, and newer", entry(), []interlock.FamilyVersion{at("2.3.0", pin(pinB)), at("2.4.0")}, WordingChanged, "2.4.0", "111111111111"},
		{"other tool", entry(), []interlock.FamilyVersion{at("2.3.0", named("more/v2"), pin(pinB))}, WordingChanged, "2.3.0", "more/v2 serves it in the place of docs/v2"},
		{"other contract", entry(), []interlock.FamilyVersion{at("2.3.0", contract(hashB))}, ContractChanged, "2.3.0", "bbbbbbbbbbbb"},
		{"other contract of the base", moved, []interlock.FamilyVersion{at("2.3.0", contract(hashB)), at("2.4.0")}, ContractChanged, "2.4.0", "contract of 2.3.0"},
		{"other contract beats newer", entry(), []interlock.FamilyVersion{at("2.3.0", contract(hashB)), at("2.4.0")}, ContractChanged, "2.4.0", ""},
		{"other contract beats down", entry(), []interlock.FamilyVersion{at("2.3.0", contract(hashB), in(interlock.StateUnavailable))}, ContractChanged, "", ""},
		{"broken beats other contract", entry(), []interlock.FamilyVersion{at("2.3.0", contract(hashB), in(interlock.StateRetired))}, Retired, "", ""},
		{"stronger effect", entry(), []interlock.FamilyVersion{at("2.3.0", effect(interlock.EffectUnknown))}, ContractChanged, "2.3.0", "the effect was read and is unknown"},
		{"down", entry(), []interlock.FamilyVersion{at("2.3.0", in(interlock.StateUnavailable))}, Unavailable, "", "docs/v2 2.3.0 is unavailable"},
		{"denied", entry(), []interlock.FamilyVersion{at("2.3.0", denied)}, Denied, "", "policy"},
		{"denied and down", entry(), []interlock.FamilyVersion{at("2.3.0", in(interlock.StateUnavailable), denied)}, Denied, "", "policy"},
		{"unbound", entry(), []interlock.FamilyVersion{at("2.3.0", in(interlock.StateUnavailable), unbound)}, Unbound, "", ""},
		{"pending", entry(), []interlock.FamilyVersion{at("2.3.0", in(interlock.StatePending))}, Pending, "", ""},
		{"changed", entry(), []interlock.FamilyVersion{at("2.3.0", in(interlock.StateChanged))}, Changed, "", ""},
		{"quarantined", entry(), []interlock.FamilyVersion{at("2.3.0", in(interlock.StateQuarantined))}, Quarantined, "", ""},
		{"drifted", entry(), []interlock.FamilyVersion{at("2.3.0", in(interlock.StateDriftRejected))}, DriftRejected, "", ""},
		{"retired", entry(), []interlock.FamilyVersion{at("2.3.0", in(interlock.StateRetired))}, Retired, "", ""},
		{"past", entry(), []interlock.FamilyVersion{at("2.3.0", past)}, Retired, "", ""},
		{"retired, and the heir waits", entry(), []interlock.FamilyVersion{at("2.3.0", past), at("2.4.0", in(interlock.StatePending))}, Pending, "", "2.4.0 is pending"},
		{"retired, and one heir is down", entry(), []interlock.FamilyVersion{at("2.3.0", past), at("2.4.0", in(interlock.StatePending)), at("2.5.0", in(interlock.StateUnavailable))}, Unavailable, "", "2.5.0"},
		{"retired, and the heir breaks", entry(), []interlock.FamilyVersion{at("2.3.0", past), at("2.4.0", stopped("edge", "2.3.0", "none"))}, Retired, "", "2.3.0 is retired"},
		{"gone, and the rest breaks", entry(), []interlock.FamilyVersion{at("2.2.0", stopped("base-unknown", "", ""))}, NoCompatibleContract, "", "2.3.0 is not in view"},
		{"edge", moved, []interlock.FamilyVersion{at("2.3.0", past), at("2.4.0", stopped("edge", "2.3.0", "none"))}, NoCompatibleContract, "", "2.4.0 breaks the callers of 2.3.0"},
		{"undecided", moved, []interlock.FamilyVersion{at("2.3.0", past), at("2.4.0", stopped("edge", "2.3.0", "undecided"))}, NoCompatibleContract, "", "nothing proves"},
	} {
		s := Compare(New().With(tc.have), Facts{"doc.extract": family(tc.rows...)})[0]
		serves := ""
		if s.Serves != nil {
			serves = s.Serves.Version
		}
		if s.Reason != tc.reason || serves != tc.serves || !strings.Contains(s.Detail, tc.detail) || s.Exit != tc.reason.Exit() {
			t.Errorf("%s: %+v serves %q, want %s serving %q, …%s…", tc.name, s, serves, tc.reason, tc.serves, tc.detail)
		}
	}
	if s := Compare(New().With(entry()), Facts{})[0]; s.Reason != UnknownFamily || s.Exit != ExitBroken || s.Remedy == "" {
		t.Errorf("a family out of view: %+v", s)
	}
}

// The set of reasons is closed, each has an exit code, and whatever is not ok
// says what to do. A reason that is not in the table fails closed.
func TestReasons(t *testing.T) {
	want := map[Reason]int{OK: 0, Outdated: 0, Unavailable: 10, WordingChanged: 11, ContractChanged: 11, Pending: 11, Changed: 11, Quarantined: 11,
		DriftRejected: 11, Denied: 11, Unbound: 11, Retired: 12, NoCompatibleContract: 12, UnknownFamily: 12}
	have := map[Reason]int{}
	for _, r := range Reasons() {
		have[r] = r.Exit()
		if s := entry().is(r, nil, ""); (s.Remedy == "") != (r == OK) || strings.Contains(s.Remedy, "%") {
			t.Errorf("%s: remedy %q", r, s.Remedy)
		}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
	if Reason("new").Exit() != ExitBroken {
		t.Error("an unknown reason passes")
	}
}

func TestExitIsTheWorst(t *testing.T) {
	for _, tc := range []struct {
		reasons []Reason
		want    int
	}{
		{nil, 0}, {[]Reason{OK, Outdated}, 0}, {[]Reason{OK, Unavailable, Outdated}, 10},
		{[]Reason{Unavailable, Denied, OK}, 11}, {[]Reason{Pending, Retired, Unavailable}, 12},
	} {
		var list []Status
		for _, r := range tc.reasons {
			list = append(list, entry().is(r, nil, ""))
		}
		if got := Exit(list); got != tc.want {
			t.Errorf("%v exits %d, want %d", tc.reasons, got, tc.want)
		}
	}
}

// For random families: ready means that something can be called that nothing
// stops, and broken that nothing can. Every reason occurs.
func TestReadyMeansServed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	states := []interlock.State{interlock.StateActive, interlock.StateDeprecated, interlock.StateUnavailable, interlock.StatePending, interlock.StateChanged,
		interlock.StateQuarantined, interlock.StateDriftRejected, interlock.StateRetired}
	seen := map[Reason]bool{}
	for range 5000 {
		var rows []interlock.FamilyVersion
		for _, v := range []string{"2.2.0", "2.3.0", "2.4.0", "3.0.0"} {
			var changes []change
			if r.IntN(4) == 0 {
				continue
			}
			changes = append(changes, in(states[r.IntN(len(states))]))
			for _, c := range []change{denied, unbound, pin(pinB), contract(hashB), stopped("edge", "2.3.0", "none"), stopped("range", "", "")} {
				if r.IntN(8) == 0 {
					changes = append(changes, c)
				}
			}
			rows = append(rows, at(v, changes...))
		}
		s := Compare(New().With(entry()), Facts{"doc.extract": family(rows...)})[0]
		seen[s.Reason] = true
		can := false
		for _, row := range rows {
			tool := row.Tools[0]
			can = can || (row.Stopped == nil && tool.Allowed && tool.Bound && (tool.State == interlock.StateActive || tool.State == interlock.StateDeprecated))
		}
		if can != (s.Serves != nil) || (s.Exit == ExitReady && !can) || (can && s.Exit > ExitOperator) {
			t.Fatalf("%+v from %+v", s, rows)
		}
	}
	for _, want := range Reasons() {
		if !seen[want] && want != UnknownFamily {
			t.Errorf("no family gave %s", want)
		}
	}
}
