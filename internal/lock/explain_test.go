package lock

import (
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

func TestChoose(t *testing.T) {
	two := at("2.3.0")
	two.Tools = append(two.Tools, two.Tools[0])
	two.Tools[0].Tool, two.Tools[1].Tool = "a/x", "b/x"
	for _, tc := range []struct {
		name, prefer, version, tool string
		rows                        []interlock.FamilyVersion
	}{
		{"nothing", "", "", "", nil},
		{"the highest", "", "2.10.0", "docs/v2", []interlock.FamilyVersion{at("2.9.0"), at("2.10.0")}},
		{"a release over its preview", "", "2.0.0", "docs/v2", []interlock.FamilyVersion{at("2.0.0-rc.1"), at("2.0.0")}},
		{"the higher major", "", "3.0.0", "docs/v2", []interlock.FamilyVersion{at("2.9.0"), at("3.0.0")}},
		{"active over deprecated", "", "2.3.0", "docs/v2", []interlock.FamilyVersion{at("2.3.0"), at("2.4.0", in(interlock.StateDeprecated))}},
		{"deprecated over nothing", "", "2.4.0", "docs/v2", []interlock.FamilyVersion{at("2.3.0", denied), at("2.4.0", in(interlock.StateDeprecated))}},
		{"what can be called", "", "2.3.0", "docs/v2", []interlock.FamilyVersion{at("2.3.0"), at("3.0.0", in(interlock.StateUnavailable)), at("3.1.0", stopped("edge", "2.3.0", "none"))}},
		{"the first by name", "", "2.3.0", "a/x", []interlock.FamilyVersion{two}},
		{"the preferred", "b/x", "2.3.0", "b/x", []interlock.FamilyVersion{two}},
		{"a preference chooses no version", "b/x", "2.4.0", "docs/v2", []interlock.FamilyVersion{two, at("2.4.0")}},
	} {
		c, ok := Choose(family(tc.rows...), tc.prefer)
		if ok != (tc.version != "") || c.Version != tc.version || c.Tool.Tool != tc.tool {
			t.Errorf("%s: %+v, want %s %s", tc.name, c, tc.version, tc.tool)
		}
	}
}

func TestExplain(t *testing.T) {
	info := family(
		at("1.0.0", stopped("range", "", "")), at("2.1.0", past), at("2.2.0"), at("2.3.0", in(interlock.StateUnavailable)),
		at("3.0.0"), at("3.1.0", in(interlock.StateDeprecated)), at("3.2.0", stopped("edge", "2.2.0", "none")), at("3.3.0", in(interlock.StatePending)), at("3.4.0", denied))
	choice, rows := Explain(info, "")
	if choice.Version != "3.0.0" || len(rows) != len(info.Versions) {
		t.Fatalf("%+v of %d rows", choice, len(rows))
	}
	for i, want := range []struct {
		verdict Verdict
		because string
	}{
		{Stopped, "outside the range"}, {Stopped, "2.1.0 is retired"}, {PassedOver, "3.0.0 is of a higher major"}, {Blocked, "docs/v2 2.3.0 is unavailable"},
		{Chosen, "highest active"}, {PassedOver, "deprecated and 3.0.0 is not"}, {Stopped, "breaks the callers of 2.2.0"}, {Stopped, "docs/v2 3.3.0 is pending"}, {Blocked, "policy"},
	} {
		if rows[i].Verdict != want.verdict || !strings.Contains(rows[i].Because, want.because) {
			t.Errorf("%s: %s because %s, want %s because …%s…", rows[i].Version, rows[i].Verdict, rows[i].Because, want.verdict, want.because)
		}
	}
	if choice, rows := Explain(family(at("2.3.0", in(interlock.StateDeprecated))), ""); choice.Version == "" || !strings.Contains(rows[0].Because, "deprecated") {
		t.Errorf("%+v, %+v", choice, rows)
	}
}

func TestOutlook(t *testing.T) {
	info := family(at("2.2.0"), at("2.3.0"), at("2.4.0"), at("2.5.0", in(interlock.StateUnavailable)), at("2.6.0", stopped("edge", "2.3.0", "undecided")),
		at("3.0.0", stopped("range", "", "")), at("4.0.0", stopped("range", "", "")), at("5.0.0-rc.1", stopped("range", "", "")), at("6.0.0", past))
	wide := family(at("2.3.0"), at("3.0.0"), at("4.0.0", stopped("edge", "2.3.0", "none")), at("5.0.0-rc.1", stopped("range", "", "")))
	o := entry().Outlook(info, wide)
	if o.Wanted != "2.4.0" || o.Latest != "5.0.0-rc.1" || len(o.Newer) != 7 {
		t.Fatalf("%+v", o)
	}
	for i, want := range []struct {
		version    string
		compatible bool
		why        string
	}{
		{"2.4.0", true, ""}, {"2.5.0", true, "docs/v2 2.5.0 is unavailable"}, {"2.6.0", false, "nothing proves that 2.6.0 serves the callers of 2.3.0"},
		{"3.0.0", false, "3.0.0 is outside the range, which is all that stops it: widen the range to take it"},
		{"4.0.0", false, "4.0.0 is outside the range, and 4.0.0 breaks the callers of 2.3.0"},
		{"5.0.0-rc.1", false, "5.0.0-rc.1 is outside the range"}, {"6.0.0", false, "6.0.0 is retired"},
	} {
		if n := o.Newer[i]; n.Version != want.version || n.Compatible != want.compatible || n.Why != want.why {
			t.Errorf("%+v, want %+v", n, want)
		}
	}
	if o := entry().Outlook(family(at("2.3.0")), family(at("2.3.0"))); o.Wanted != "" || len(o.Newer) != 0 || o.Latest != "2.3.0" {
		t.Errorf("nothing newer: %+v", o)
	}
	if c := entry().Wide(); c.Range != ">=2.3.0" || c.BuiltAgainst != "2.3.0" {
		t.Errorf("%+v", c)
	}
}
