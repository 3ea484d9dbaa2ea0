package version

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"
	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	tests := []struct {
		text, want, pre, build string
	}{
		{"1.2.3", "1.2.3", "", ""},
		{" v1.2.3-rc.1+b.7\n", "1.2.3-rc.1+b.7", "rc.1", "b.7"},
		{"1.2.3+001", "1.2.3+001", "", "001"},
		{"1.2.3--", "1.2.3--", "-", ""},
		{"9007199254740991.0.0", "9007199254740991.0.0", "", ""},
	}
	for _, tt := range tests {
		v, err := Parse(tt.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.text, err)
			continue
		}
		if core := fmt.Sprintf("%d.%d.%d", v.Major(), v.Minor(), v.Patch()); !strings.HasPrefix(tt.want, core) {
			t.Errorf("Parse(%q) has the numbers %s", tt.text, core)
		}
		got := []string{v.String(), v.Prerelease(), v.Build()}
		if diff := cmp.Diff([]string{tt.want, tt.pre, tt.build}, got); diff != "" {
			t.Errorf("Parse(%q): %s", tt.text, diff)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		says   string
	}{
		{"", 0, "found the end"},
		{"1.2", 0, "three numbers"},
		{"1.2.x", 0, "three numbers"},
		{" v1.02.3", 4, "leading zero"},
		{"=1.2.3", 0, "found '='"},
		{"1.2.3 4", 6, "unexpected '4'"},
		{"1.2.3-", 6, "identifier"},
		{"1.2.3+a+b", 7, "unexpected '+'"},
		{"9007199254740992.0.0", 0, "9007199254740991"},
		{"0.99999999999999999999.0", 0, "9007199254740991"},
		{strings.Repeat("1", 257), 256, "at most 256"},
	}
	for _, tt := range tests {
		v, err := Parse(tt.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !v.IsZero() {
			t.Errorf("Parse(%q) = %q, %v, want a *SyntaxError", tt.text, v, err)
			continue
		}
		if syntax.Offset != tt.offset || !strings.Contains(syntax.Message, tt.says) {
			t.Errorf("Parse(%q): offset %d, %s; want offset %d and %q", tt.text, syntax.Offset, syntax.Message, tt.offset, tt.says)
		}
	}
}

func TestCompare(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"1.2.3", "1.2.3+build", 0},
		{"1.2.3+a", "1.2.3+b", 0},
		{"1.2.3-a+1", "1.2.3-a+2", 0},
		{"3.0.0-alpha", "3.0.0", -1},
		{"3.0.0-alpha", "2.9.9", 1},
		{"1.0.0-2", "1.0.0-10", -1},
		{"1.0.0-10", "1.0.0-1a", -1},
		{"1.0.0-a", "1.0.0-a.0", -1},
		{"1.0.0-a.b", "1.0.0-a.0", 1},
		{"1.0.0-99999999999999999999", "1.0.0-100000000000000000000", -1},
		{"1.0.0-100000000000000000000", "1.0.0-1a", -1},
	}
	for _, tt := range tests {
		a, b := mustParse(t, tt.a), mustParse(t, tt.b)
		if got := Compare(a, b); got != tt.want {
			t.Errorf("Compare(%s, %s) = %d, want %d", a, b, got, tt.want)
		}
		if got := Compare(b, a); got != -tt.want {
			t.Errorf("Compare(%s, %s) = %d, want %d", b, a, got, -tt.want)
		}
	}
	if least := mustParse(t, "0.0.0-0"); Compare(Version{}, least) != -1 || Compare(least, Version{}) != 1 || Compare(Version{}, Version{}) != 0 {
		t.Error("the zero version must come before every other")
	}
}

func TestCompareAgainstLibrary(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		a, b := randomVersion(rng), randomVersion(rng)
		want := semver.MustParse(a).Compare(semver.MustParse(b))
		if got := Compare(mustParse(t, a), mustParse(t, b)); got != want {
			t.Fatalf("Compare(%s, %s) = %d, the library says %d", a, b, got, want)
		}
	}
}

// 1.2.3-a.0 is the very next version after 1.2.3-a: nothing lies between, on
// which the algebra of ranges rests.
func TestSuccessor(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		v, w := mustParse(t, randomVersion(rng)), mustParse(t, randomVersion(rng))
		next := v.successor()
		if Compare(next, v) <= 0 {
			t.Fatalf("the successor of %s is %s", v, next)
		}
		if Compare(v, w) < 0 && Compare(w, next) < 0 {
			t.Fatalf("%s lies between %s and its successor %s", w, v, next)
		}
	}
}

func TestVersionIsAMapKeyAndText(t *testing.T) {
	v := mustParse(t, "1.2.3-rc.1+b")
	in := map[Version]Version{v: v, mustParse(t, "1.2.3"): {}}
	written, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out map[Version]Version
	if err := json.Unmarshal(written, &out); err != nil {
		t.Fatal(err)
	}
	if len(out) != 2 || out[v] != v || out[mustParse(t, "1.2.3")] != (Version{}) {
		t.Errorf("%s was read back as %v", written, out)
	}
	if err := json.Unmarshal([]byte(`{"1.2":"1.2.3"}`), &out); err == nil {
		t.Error("1.2 was read as a version")
	}
}

func TestBumpRefuses(t *testing.T) {
	top := mustParse(t, "9007199254740991.9007199254740991.9007199254740991")
	for _, part := range []Part{Major, Minor, Patch} {
		if v, err := Bump(top, part); err == nil {
			t.Errorf("Bump(%s, %s) = %s, want an error", top, part, v)
		}
		if v, err := Bump(Version{}, part); err == nil {
			t.Errorf("Bump of nothing by %s is %s, want an error", part, v)
		}
	}
	if v, err := Bump(mustParse(t, "1.2.3"), Part(9)); err == nil || !strings.Contains(err.Error(), "part(9)") {
		t.Errorf("Bump by part 9 is %s, %v", v, err)
	}
}
