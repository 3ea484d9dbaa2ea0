package auth_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

func TestSees(t *testing.T) {
	for _, c := range []struct {
		name   string
		p      interlock.Principal
		tenant string
		tool   string
		want   bool
	}{
		{"shared and allowed", interlock.Principal{Tenant: "a", Allow: []string{"*"}}, "shared", "docs/x", true},
		{"own tenant", interlock.Principal{Tenant: "a", Allow: []string{"*"}}, "a", "docs/x", true},
		{"another tenant", interlock.Principal{Tenant: "a", Allow: []string{"*"}}, "b", "docs/x", false},
		{"no tenant at all", interlock.Principal{Allow: []string{"*"}}, "", "docs/x", false},
		{"no tenant, shared tool", interlock.Principal{Allow: []string{"*"}}, "shared", "docs/x", true},
		{"nothing allowed", interlock.Principal{Tenant: "a"}, "shared", "docs/x", false},
		{"source glob", interlock.Principal{Allow: []string{"docs/*"}}, "shared", "docs/x", true},
		{"star crosses slashes", interlock.Principal{Allow: []string{"docs/*"}}, "shared", "docs/x/y/z", true},
		{"whole name only", interlock.Principal{Allow: []string{"docs"}}, "shared", "docs/x", false},
		{"deny wins", interlock.Principal{Allow: []string{"*"}, Deny: []string{"docs/x"}}, "shared", "docs/x", false},
		{"deny of another", interlock.Principal{Allow: []string{"*"}, Deny: []string{"docs/y"}}, "shared", "docs/x", true},
		{"case counts", interlock.Principal{Allow: []string{"Docs/*"}}, "shared", "docs/x", false},
		{"operator", interlock.Principal{Operator: true, Deny: []string{"*"}}, "b", "docs/x", true},
	} {
		if got := auth.NewMatcher(c.p).Sees(c.tenant, c.tool); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if got := auth.Visible(c.p, interlock.ToolRecord{ID: c.tool, Tenant: c.tenant}); got != c.want {
			t.Errorf("%s: Visible %v", c.name, got)
		}
	}
}

// What the lists leave to policies: all of it where no allow is given, what it
// reaches where one is, and nothing that is denied.
func TestLeaves(t *testing.T) {
	for _, c := range []struct {
		name   string
		p      interlock.Principal
		tenant string
		want   bool
	}{
		{"no lists", interlock.Principal{Tenant: "a"}, "b", true},
		{"an empty list", interlock.Principal{Tenant: "a", Allow: []string{}}, "shared", false},
		{"denied", interlock.Principal{Tenant: "a", Deny: []string{"docs/*"}}, "shared", false},
		{"another is denied", interlock.Principal{Tenant: "a", Deny: []string{"mail/*"}}, "b", true},
		{"allowed", interlock.Principal{Tenant: "a", Allow: []string{"docs/*"}}, "shared", true},
		{"allowed, out of reach", interlock.Principal{Tenant: "a", Allow: []string{"docs/*"}}, "b", false},
		{"operator", interlock.Principal{Operator: true, Deny: []string{"*"}}, "b", true},
	} {
		if got := auth.NewMatcher(c.p).Leaves(c.tenant, "docs/x"); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if auth.NewMatcher(interlock.Principal{}).Class() == auth.NewMatcher(interlock.Principal{Allow: []string{}}).Class() {
		t.Error("a missing allow and an empty one are of one class")
	}
}

func TestMayInvoke(t *testing.T) {
	for _, c := range []struct {
		invoke   []string
		operator bool
		want     bool
	}{{nil, false, true}, {[]string{}, false, false}, {[]string{"docs/*"}, false, true}, {[]string{"mail/*"}, false, false}, {[]string{}, true, true}} {
		m := auth.NewMatcher(interlock.Principal{Allow: []string{"*"}, Invoke: c.invoke, Operator: c.operator})
		if got := m.MayInvoke("docs/x"); got != c.want {
			t.Errorf("%v operator %v: %v", c.invoke, c.operator, got)
		}
	}
}

// Principals are of one class exactly when no tool can tell them apart by their
// lists, names and order aside.
func TestClass(t *testing.T) {
	class := func(p interlock.Principal) string { return auth.NewMatcher(p).Class() }
	base := interlock.Principal{Name: "a", Tenant: "t", Allow: []string{"x/*", "y/*"}, Deny: []string{"z"}}
	same := []interlock.Principal{
		{Name: "b", Tenant: "t", Allow: []string{"y/*", "x/*", "x/*"}, Deny: []string{"z"}},
		{Name: "c", Tenant: "t", Roles: []string{"r"}, Allow: []string{"x/*", "y/*"}, Deny: []string{"z"}},
	}
	for _, p := range same {
		if class(p) != class(base) {
			t.Errorf("%+v is of another class", p)
		}
	}
	other := []interlock.Principal{
		{Tenant: "u", Allow: base.Allow, Deny: base.Deny}, {Tenant: "t", Allow: []string{"x/*"}, Deny: base.Deny},
		{Tenant: "t", Allow: base.Allow}, {Tenant: "t", Allow: base.Allow, Deny: base.Deny, Invoke: []string{}},
		{Tenant: "t", Allow: []string{"x/*y/*"}, Deny: base.Deny}, {Tenant: "t", Allow: append([]string{"z"}, base.Allow...)},
		{Operator: true}, {},
	}
	seen := map[string]int{class(base): -1}
	for i, p := range other {
		if j, taken := seen[class(p)]; taken {
			t.Errorf("%d and %d are of one class", i, j)
		}
		seen[class(p)] = i
	}
	if class(interlock.Principal{Operator: true, Tenant: "a"}) != class(interlock.Local()) {
		t.Error("operators differ")
	}
}

// matches says by the pattern alone, letter for letter, what a glob covers.
func matches(pattern, name string) bool {
	quoted := regexp.QuoteMeta(pattern)
	return regexp.MustCompile(`(?s)\A` + strings.ReplaceAll(quoted, `\*`, `.*`) + `\z`).MatchString(name)
}

func sees(pattern, name string) bool {
	return auth.NewMatcher(interlock.Principal{Allow: []string{pattern}}).Sees(interlock.SharedTenant, name)
}

func TestGlobAgainstRegexp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func(letters string, most int) string {
		b := make([]byte, rng.IntN(most+1))
		for i := range b {
			b[i] = letters[rng.IntN(len(letters))]
		}
		return string(b)
	}
	covered := 0
	for range 50_000 {
		pattern, name := word("ab/*", 7), word("ab/", 9)
		want := matches(pattern, name)
		if want {
			covered++
		}
		if got := sees(pattern, name); got != want {
			t.Fatalf("%q on %q: %v", pattern, name, got)
		}
	}
	if covered < 1000 {
		t.Errorf("only %d of the pairs match", covered)
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("docs/*", "docs/a/b")
	f.Add("*a*a*", "aaa")
	f.Add("a**b", "a\nb")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if strings.ToValidUTF8(pattern, "") != pattern || strings.ToValidUTF8(name, "") != name {
			t.Skip("regexp reads broken UTF-8 in its own way")
		}
		if got, want := sees(pattern, name), matches(pattern, name); got != want {
			t.Errorf("%q on %q: %v", pattern, name, got)
		}
	})
}

func BenchmarkSees(b *testing.B) {
	m := auth.NewMatcher(interlock.Principal{Tenant: "a", Allow: []string{"docs/*", "mail/*", "*"}, Deny: []string{"*/secret*", "x/*"}})
	for b.Loop() {
		m.Sees("shared", "weather/current_conditions")
	}
}
