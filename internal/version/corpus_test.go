package version

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// npmRow is one answer of npm's semver 7.8.6 in strict mode, asked by a
// generator and written down in testdata/npm.jsonl. Which members a row has
// depends on its kind.
type npmRow struct {
	Kind string

	Range     string   // range, invalid-range
	Canonical string   // range, version: how npm spells it
	Admits    []string // range: versions that satisfy it
	Refuses   []string // range: versions that do not

	Text                string // version, bump
	OK                  bool   // version
	Build               string // version
	Major, Minor, Patch string // bump

	Versions []string // order: from least to greatest

	A, B       string // relation
	Subset     bool   // relation: A is a subset of B
	Intersects bool   // relation
}

func npmRows(t *testing.T, kind string) []npmRow {
	t.Helper()
	file, err := os.Open("testdata/npm.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows []npmRow
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var row npmRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Kind == kind {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("no rows of kind %s", kind)
	}
	return rows
}

func mustRange(t testing.TB, text string) Range {
	t.Helper()
	r, err := ParseRange(text)
	if err != nil {
		t.Fatalf("ParseRange: %v", err)
	}
	return r
}

func mustParse(t testing.TB, text string) Version {
	t.Helper()
	v, err := Parse(text)
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	return v
}

func TestNPMRanges(t *testing.T) {
	for _, row := range npmRows(t, "range") {
		r := mustRange(t, row.Range)
		if r.String() != row.Canonical {
			t.Errorf("%q is spelled %q, want %q", row.Range, r, row.Canonical)
		}
		for _, v := range row.Admits {
			if !r.Match(mustParse(t, v)) {
				t.Errorf("%q refuses %s, want it admitted", row.Range, v)
			}
		}
		for _, v := range row.Refuses {
			if r.Match(mustParse(t, v)) {
				t.Errorf("%q admits %s, want it refused", row.Range, v)
			}
		}
	}
}

func TestNPMInvalidRanges(t *testing.T) {
	for _, row := range npmRows(t, "invalid-range") {
		if r, err := ParseRange(row.Range); err == nil {
			t.Errorf("%q parses as %q, want an error", row.Range, r)
		}
	}
}

func TestNPMVersions(t *testing.T) {
	for _, row := range npmRows(t, "version") {
		v, err := Parse(row.Text)
		if (err == nil) != row.OK {
			t.Errorf("Parse(%q): err %v, npm accepts: %v", row.Text, err, row.OK)
			continue
		}
		if v.Core().String() != row.Canonical || v.Build() != row.Build {
			t.Errorf("Parse(%q) is %q with build %q, want %q with %q", row.Text, v.Core(), v.Build(), row.Canonical, row.Build)
		}
	}
}

func TestNPMOrder(t *testing.T) {
	for _, row := range npmRows(t, "order") {
		for i, a := range row.Versions {
			for j, b := range row.Versions {
				got, want := Compare(mustParse(t, a), mustParse(t, b)), min(1, max(-1, i-j))
				if got != want {
					t.Errorf("Compare(%s, %s) = %d, want %d", a, b, got, want)
				}
			}
		}
	}
}

func TestNPMBump(t *testing.T) {
	for _, row := range npmRows(t, "bump") {
		for part, want := range map[Part]string{Major: row.Major, Minor: row.Minor, Patch: row.Patch} {
			got, err := Bump(mustParse(t, row.Text), part)
			if err != nil || got.String() != want {
				t.Errorf("Bump(%s, %s) = %s, %v, want %s", row.Text, part, got, err, want)
			}
		}
	}
}

// npm answers subset and intersects by comparing comparators in pairs, which
// misses some truths. Where we differ from it, counting over versions must
// prove us right.
func TestNPMRelations(t *testing.T) {
	rows := npmRows(t, "relation")
	differ := 0
	for _, row := range rows {
		a, b := mustRange(t, row.A), mustRange(t, row.B)
		subset, meets := a.Subset(b), a.Intersects(b)
		if subset == row.Subset && meets == row.Intersects {
			continue
		}
		differ++
		pool := poolFor(a, b)
		if subset != subsetByCount(a, b, pool) || meets != intersectsByCount(a, b, pool) {
			t.Errorf("%q and %q: subset %v, intersects %v; npm says %v, %v, and counting is on its side",
				row.A, row.B, subset, meets, row.Subset, row.Intersects)
		}
	}
	if differ*10 > len(rows) {
		t.Errorf("%d of %d relations differ from npm; only its known approximations should", differ, len(rows))
	}
}

func subsetByCount(a, b Range, pool []Version) bool {
	return !slices.ContainsFunc(pool, func(v Version) bool { return a.Match(v) && !b.Match(v) })
}

func intersectsByCount(a, b Range, pool []Version) bool {
	return slices.ContainsFunc(pool, func(v Version) bool { return a.Match(v) && b.Match(v) })
}

// poolFor holds the versions at which the answers of the ranges can change:
// every bound, its release, the least pre-release of it, what follows each,
// and the ends of the line. The answer is constant between two of them.
func poolFor(ranges ...Range) []Version {
	pool := []Version{nothing().bound, {ok: true}, {major: MaxComponent, minor: MaxComponent, patch: MaxComponent, ok: true}}
	for _, r := range ranges {
		for _, s := range r.sets {
			for _, c := range s {
				release := c.bound.release()
				pool = append(pool, c.bound, c.bound.successor(), release,
					before(release).bound, release.successor(), release.successor().release())
			}
		}
	}
	return slices.DeleteFunc(pool, func(v Version) bool { return !v.ok || !v.inBounds() })
}
