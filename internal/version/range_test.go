package version

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// admitting is what the traps below are played against: a matcher for the
// range [2, 3), right or wrong.
type admitting func(v Version) bool

// upperMajorTraps are versions against every spelling of "2.x and nothing
// above".
var upperMajorTraps = []struct {
	version string
	admit   bool
}{
	{"1.9.9", false},
	{"2.0.0", true},
	{"2.3.0", true},
	{"2.999.999", true},
	{"3.0.0", false},
	{"3.0.1", false},
	{"3.1.0", false},
	{"3.0.0-0", false},
	{"3.0.0-alpha", false},
	{"2.0.0-rc.1", false},
	{"10.0.0", false},
}

func trapped(t *testing.T, admits admitting) (caught []string) {
	t.Helper()
	for _, trap := range upperMajorTraps {
		if admits(mustParse(t, trap.version)) != trap.admit {
			caught = append(caught, trap.version)
		}
	}
	return caught
}

func TestUpperMajorIsExcluded(t *testing.T) {
	for _, text := range []string{"^2.0", "^2", "2", "2.x", "2.x.x", "~2", "2 - 2", "^2.0.0", ">=2 <3", ">=2.0.0 <3.0.0", ">=2.0.0 <3.0.0-0", ">1 <=2"} {
		if caught := trapped(t, mustRange(t, text).Match); caught != nil {
			t.Errorf("%q answers wrongly for %v", text, caught)
		}
	}
}

// The traps must catch the evaluators that have misrouted callers: one that
// keeps the excluded upper major, and one that orders by numbers alone.
func TestTrapsCatchMutants(t *testing.T) {
	mutants := map[string]admitting{
		"inclusive upper major": func(v Version) bool { return v.Major() >= 2 && v.Major() <= 3 && v.Prerelease() == "" },
		"numeric order alone": func(v Version) bool {
			return Compare(v, Version{major: 2, ok: true}) >= 0 && Compare(v, Version{major: 3, ok: true}) < 0
		},
	}
	for name, mutant := range mutants {
		if trapped(t, mutant) == nil {
			t.Errorf("the mutant %q passes every trap", name)
		}
	}
}

func TestMatch(t *testing.T) {
	tests := []struct {
		text, admits, refuses string
	}{
		{"^2.0.0", "2.0.0 2.9.9", "3.0.0 3.0.0-alpha 2.1.0-alpha"},
		{">1", "2.0.0 3.0.0", "1.0.0 1.9.9 2.0.0-rc"},
		{"<=1", "1.0.0 1.9.9 0.0.0", "2.0.0 2.0.0-0"},
		{"~0.0.0", "0.0.0 0.0.9", "0.1.0 1.0.0"},
		{"^0.0.3", "0.0.3", "0.0.2 0.0.4 0.0.3-a"},
		{"^0.x", "0.0.0 0.9.9", "1.0.0 1.0.0-0"},
		{"", "0.0.0 9.9.9", "0.0.0-0 9.9.9-a"},
		{">=1.2.3-beta.2", "1.2.3-beta.2 1.2.3-rc 1.2.3 4.0.0", "1.2.3-beta.1 1.2.4-beta.2"},
		{"1.2.3+a", "1.2.3 1.2.3+b", "1.2.4"},
		{">1.2.3+a", "1.2.4", "1.2.3+b"},
		{"1.2.3-99999999999999999999", "1.2.3-99999999999999999999", "1.2.3-99999999999999999998"},
		{">=1.2.3-100000000000000000000", "1.2.3-100000000000000000000 1.2.3-a", "1.2.3-99999999999999999999"},
	}
	for _, tt := range tests {
		r := mustRange(t, tt.text)
		for v := range strings.FieldsSeq(tt.admits) {
			if !r.Match(mustParse(t, v)) {
				t.Errorf("%q refuses %s", tt.text, v)
			}
		}
		for v := range strings.FieldsSeq(tt.refuses) {
			if r.Match(mustParse(t, v)) {
				t.Errorf("%q admits %s", tt.text, v)
			}
		}
		if r.Match(Version{}) {
			t.Errorf("%q admits the zero version", tt.text)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	long := strings.Repeat("1 ", MaxRangeLength)
	tests := []struct {
		text   string
		offset int
		says   string
	}{
		{"^1.2.", 5, "expected a number, x or *, found the end"},
		{"1.2.3foo", 5, "unexpected 'f'"},
		{"^1 || 01.2", 6, "leading zero"},
		{">", 1, "found the end"},
		{"~<1", 1, `"<" cannot follow '~'`},
		{"^ >1", 2, `">" cannot follow '^'`},
		{"1.2-rc", 3, "follows three numbers"},
		{"1.2.3-01", 6, "leading zero"},
		{"1.2.3-a..b", 8, "pre-release identifier"},
		{"1.2.3+", 6, "build identifier"},
		{"x.1", 0, "wildcard"},
		{"==1.2.3", 0, "no operator"},
		{"v =1.2.3 - 2", 0, "no operator"},
		{"1 - =2.0.0", 4, "no operator"},
		{"1 - 2 3", 6, "hyphen range"},
		{"1 | 2", 2, "found '|'"},
		{"1,2", 1, "unexpected ','"},
		{"1.2.3*", 5, "unexpected '*'"},
		{"+b", 0, "found '+'"},
		{"1.2.3 ＞2", 6, "found '＞'"},
		{"9007199254740992.1", 0, "9007199254740991"},
		{"1 ^9007199254740991", 2, "9007199254740991"},
		{long, MaxRangeLength, "at most 4096"},
	}
	for _, tt := range tests {
		_, err := ParseRange(tt.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("ParseRange(%q): %v, want a *SyntaxError", tt.text, err)
			continue
		}
		if syntax.Offset != tt.offset || !strings.Contains(syntax.Message, tt.says) {
			t.Errorf("ParseRange(%q): offset %d, %s; want offset %d and %q", tt.text, syntax.Offset, syntax.Message, tt.offset, tt.says)
		}
		if !strings.HasPrefix(tt.text, syntax.Text) || !strings.Contains(err.Error(), syntax.Message) {
			t.Errorf("ParseRange(%q): the error %v hides its text or message", tt.text, err)
		}
	}
}

func TestRangeText(t *testing.T) {
	r := mustRange(t, " ^2.0 ")
	written, err := r.MarshalText()
	if err != nil || string(written) != " ^2.0 " || r.Text() != " ^2.0 " {
		t.Errorf("marshalled as %q, %v", written, err)
	}
	var back Range
	if err := back.UnmarshalText(written); err != nil || back.String() != ">=2.0.0 <3.0.0-0" {
		t.Errorf("read back as %q, %v", back, err)
	}
	if err := back.UnmarshalText([]byte("^^")); err == nil || !back.Empty() {
		t.Errorf("a range that does not parse must leave the empty one, not %q", back)
	}
	none, err := Range{}.MarshalText()
	if diff := cmp.Diff("<0.0.0-0", string(none)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
