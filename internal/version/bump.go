package version

import "fmt"

// Part names the number of a version that [Bump] raises.
type Part uint8

// The parts of a version, from the one whose change breaks callers down.
const (
	Major Part = iota + 1
	Minor
	Patch
)

// String is the part's lower-case word.
func (p Part) String() string {
	switch p {
	case Major:
		return "major"
	case Minor:
		return "minor"
	case Patch:
		return "patch"
	}
	return fmt.Sprintf("part(%d)", uint8(p))
}

// Bump is the least release above v that differs in the part named, as npm
// counts: a pre-release goes to the release that it announces if that already
// differs enough (2.0.0-rc.1 bumped by major is 2.0.0). Pre-release and build
// metadata are gone afterwards. It refuses the zero Version, a part that is
// none of the three, and a number that would pass [MaxComponent].
func Bump(v Version, part Part) (Version, error) {
	if v.IsZero() {
		return Version{}, fmt.Errorf("bump %s: there is no version to raise", part)
	}
	out := Version{major: v.major, minor: v.minor, patch: v.patch, ok: true}
	announced := v.pre != ""
	switch part {
	case Major:
		if v.minor != 0 || v.patch != 0 || !announced {
			out.major++
		}
		out.minor, out.patch = 0, 0
	case Minor:
		if v.patch != 0 || !announced {
			out.minor++
		}
		out.patch = 0
	case Patch:
		if !announced {
			out.patch++
		}
	default:
		return Version{}, fmt.Errorf("bump %s by %s: the part must be major, minor or patch", v, part)
	}
	if !out.inBounds() {
		return Version{}, fmt.Errorf("bump %s by %s: the number would pass %d", v, part, uint64(MaxComponent))
	}
	return out, nil
}

func (v Version) inBounds() bool {
	return max(v.major, v.minor, v.patch) <= MaxComponent
}
