package lock

import (
	"cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/version"
)

// Choice is the tool that a family gives a caller.
type Choice struct {
	Version string
	Tool    interlock.FamilyTool
}

// usable: it can be called, and by this principal.
func usable(t interlock.FamilyTool) bool { return t.State.Callable() && t.Allowed && t.Bound }

// Choose gives the tool that serves the caller now: of the versions that
// nothing stops, the highest major that can be called; in it active before
// deprecated, then the highest version; of several tools of that one the
// preferred one, else the first by name. No score takes part.
func Choose(info interlock.FamilyInfo, prefer string) (Choice, bool) {
	return choose(info, prefer, usable)
}

// resolvable is Choose where nothing can be called now: what will serve once
// its source is back.
func resolvable(info interlock.FamilyInfo, prefer string) (Choice, bool) {
	if c, ok := Choose(info, prefer); ok {
		return c, true
	}
	return choose(info, prefer, func(t interlock.FamilyTool) bool { return t.State.Resolvable() && t.Allowed })
}

func choose(info interlock.FamilyInfo, prefer string, fits func(interlock.FamilyTool) bool) (best Choice, found bool) {
	for _, row := range info.Versions {
		if row.Stopped != nil {
			continue
		}
		for _, t := range row.Tools {
			if c := (Choice{row.Version, t}); fits(t) && (!found || c.before(best, prefer)) {
				best, found = c, true
			}
		}
	}
	return best, found
}

// before orders choices; rows come ascending and tools by name, so of equals
// the first stays.
func (c Choice) before(o Choice, prefer string) bool {
	a, b := parse(c.Version), parse(o.Version)
	order := cmp.Or(
		cmp.Compare(b.Major(), a.Major()),
		cmp.Compare(standing(c.Tool.State), standing(o.Tool.State)),
		version.Compare(b, a),
		cmp.Compare(rank(c.Tool.Tool != prefer), rank(o.Tool.Tool != prefer)))
	return order < 0
}

func standing(s interlock.State) int {
	switch s {
	case interlock.StateActive:
		return 0
	case interlock.StateUnavailable:
		return 1
	}
	return 2
}

// rank puts what holds after what does not.
func rank(no bool) int {
	if no {
		return 1
	}
	return 0
}

// parse reads a version that the registry wrote; anything else is the zero
// version, which comes before every other.
func parse(text string) version.Version {
	v, err := version.Parse(text)
	if err != nil {
		return version.Version{}
	}
	return v
}

// row finds a version of a family.
func row(info interlock.FamilyInfo, text string) *interlock.FamilyVersion {
	for i := range info.Versions {
		if info.Versions[i].Version == text {
			return &info.Versions[i]
		}
	}
	return nil
}
