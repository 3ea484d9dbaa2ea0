// Package version reads semantic versions and version ranges, and decides
// which versions a range admits.
//
// It promises npm's strict semantics: a version is major.minor.patch with
// optional pre-release and build metadata; ranges know carets, tildes,
// hyphens, x-ranges, comparators joined by space and alternatives joined by
// "||". The upper end of a caret, a tilde or an x-range is exclusive, its
// pre-releases included, so 3.0.0-alpha never satisfies ^2.0.0; and a
// pre-release is admitted only where a comparator of the same alternative
// names a pre-release of the same major.minor.patch. [Range.Subset] and
// [Range.Intersects] are exact over unions and pre-releases, where npm's own
// answers are approximations.
//
// It refuses loose forms (1.2.3foo, leading zeros, a lone operator), text
// over [MaxLength] bytes ([MaxRangeLength] for a range), numbers over [MaxComponent], and what npm lets
// through by accident only: build metadata with no version before it, and a
// star glued to a version. Every refusal is a [*SyntaxError] that names the
// place.
//
//	r, err := version.ParseRange("^2.0")
//	v, err := version.Parse("2.3.0")
//	r.Match(v) // true
package version

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// MaxLength bounds the text of a version, in bytes.
const MaxLength = 256

// MaxRangeLength bounds the text of a range, in bytes.
const MaxRangeLength = 4096

// MaxComponent is the largest major, minor or patch number: the largest
// integer that every JSON implementation keeps exact.
const MaxComponent = 1<<53 - 1

// Version is one semantic version. Versions compare with == by their whole
// text and with [Compare] by precedence. The zero Version is the absence of
// one: no range admits it.
type Version struct {
	major, minor, patch uint64
	pre, build          string
	ok                  bool // set by Parse alone, so the zero value is not 0.0.0
}

// Parse reads a version as npm's strict mode does: white space around it and
// one leading "v" are allowed, nothing else is forgiven.
func Parse(text string) (Version, error) {
	if len(text) > MaxLength {
		return Version{}, tooLong("version", text, MaxLength)
	}
	bare := strings.TrimPrefix(strings.TrimFunc(text, isSpace), "v")
	parsed, err := semver.StrictNewVersion(bare)
	if err != nil || max(parsed.Major(), parsed.Minor(), parsed.Patch()) > MaxComponent {
		return Version{}, explainVersion(text)
	}
	return Version{
		major: parsed.Major(), minor: parsed.Minor(), patch: parsed.Patch(),
		pre: parsed.Prerelease(), build: parsed.Metadata(), ok: true,
	}, nil
}

// Major is the first number.
func (v Version) Major() uint64 { return v.major }

// Minor is the second number.
func (v Version) Minor() uint64 { return v.minor }

// Patch is the third number.
func (v Version) Patch() uint64 { return v.patch }

// Prerelease is what follows the hyphen, without it; empty for a release.
func (v Version) Prerelease() string { return v.pre }

// Build is the build metadata, without the plus sign.
func (v Version) Build() string { return v.build }

// IsZero reports whether v is the zero Version, which is no version at all.
func (v Version) IsZero() bool { return !v.ok }

// Core is v without its build metadata: what precedence looks at.
func (v Version) Core() Version {
	v.build = ""
	return v
}

// String spells v canonically, without white space or a leading "v", with
// pre-release and build metadata as they were written. The zero Version is
// the empty string.
func (v Version) String() string {
	if !v.ok {
		return ""
	}
	text := fmt.Sprintf("%d.%d.%d", v.major, v.minor, v.patch)
	if v.pre != "" {
		text += "-" + v.pre
	}
	if v.build != "" {
		text += "+" + v.build
	}
	return text
}

// MarshalText spells v as String does.
func (v Version) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads what MarshalText wrote; empty text is the zero Version.
func (v *Version) UnmarshalText(text []byte) (err error) {
	if *v = (Version{}); len(text) > 0 {
		*v, err = Parse(string(text))
	}
	return err
}

// Compare orders versions by precedence: -1, 0 or +1. Build metadata never
// orders, a pre-release comes before its release, and the zero Version comes
// before every other.
func Compare(a, b Version) int {
	if a.ok != b.ok {
		if b.ok {
			return -1
		}
		return 1
	}
	if c := compareTriple(a, b); c != 0 {
		return c
	}
	return comparePre(a.pre, b.pre)
}

func compareTriple(a, b Version) int {
	return cmp.Or(
		cmp.Compare(a.major, b.major),
		cmp.Compare(a.minor, b.minor),
		cmp.Compare(a.patch, b.patch),
	)
}

// comparePre orders pre-releases, where the empty one is the release itself.
func comparePre(a, b string) int {
	if a == "" || b == "" {
		return cmp.Compare(len(b), len(a)) // the release is the greatest
	}
	for {
		idA, restA, moreA := strings.Cut(a, ".")
		idB, restB, moreB := strings.Cut(b, ".")
		if c := compareIdentifier(idA, idB); c != 0 {
			return c
		}
		if !moreA || !moreB {
			return cmp.Compare(len(restA), len(restB)) // more identifiers are greater
		}
		a, b = restA, restB
	}
}

// compareIdentifier orders numbers by value, however long, before words.
func compareIdentifier(a, b string) int {
	numA, numB := isNumber(a), isNumber(b)
	switch {
	case numA && numB:
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case numA:
		return -1
	case numB:
		return 1
	}
	return strings.Compare(a, b)
}
