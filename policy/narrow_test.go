package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/policy"
)

const forbidField = `forbid (principal, action == Action::"readField", resource == Field::"s/t#output:/items");`

func TestNarrowingLoads(t *testing.T) {
	for _, c := range []struct{ text, fault string }{
		{`@rows("/tenant == principal.tenant") ` + forbidField, ""},
		{`@rows("/a/b == principal.name or /team in principal.roles or /x == \"all\"") @counts("kept") ` + forbidField, ""},
		{`@rows("/desk == principal.attributes.desk") ` + forbidField, ""},
		{`@bind("principal.attributes.cost-centre") ` + forbidField, ""},
		{`@rows("") ` + forbidField, "not of the form"},
		{`@rows("tenant == principal.tenant") ` + forbidField, "not of the form"},
		{`@rows("/tenant == context.tenant") ` + forbidField, "not of the form"},
		{`@rows("/tenant == principal.tennant") ` + forbidField, "not of the form"},
		{`@rows("/tenant != principal.tenant") ` + forbidField, "not of the form"},
		{`@rows("/tenant == principal.roles") ` + forbidField, "not of the form"},
		{`@rows("/tenant in principal.tenant") ` + forbidField, "not of the form"},
		{`@rows("/*/tenant == principal.tenant") ` + forbidField, "not of the form"},
		{`@rows("/tenant == \"\"") ` + forbidField, "not of the form"},
		{`@rows("/tenant == principal.tenant") @bind("principal.name") ` + forbidField, "is narrowed by"},
		{`@counts("kept") ` + forbidField, "is narrowed by"},
		{`@rows("/tenant == principal.tenant") @counts("all") ` + forbidField, "is narrowed by"},
		{`@bind("principal.roles") ` + forbidField, "@bind is written"},
		{`@bind("\"blue\"") ` + forbidField, "@bind is written"},
		{`@rows("/tenant == principal.tenant") permit (principal, action == Action::"readField", resource);`, "narrow a forbid"},
		{`@rows("/tenant == principal.tenant") forbid (principal, action == Action::"invoke", resource);`, "narrow a forbid"},
		{`@bind("principal.tenant") forbid (principal, action in [Action::"readField", Action::"discover"], resource);`, "narrow a forbid"},
		{`@rows("/tenant == principal.tenant") forbid (principal, action, resource);`, "narrow a forbid"},
	} {
		_, err := policy.Load([]policy.File{{Name: "p", Text: []byte(c.text)}})
		switch {
		case c.fault == "" && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.fault != "" && (err == nil || !strings.Contains(interlock.AsError(err).Public, c.fault)):
			t.Errorf("%s: %v, want %q", c.text, err, c.fault)
		}
	}
}

// TestNarrowedFieldKeepsWhatIsKnown: an item stays for what the credential says
// alone, and for nothing where either side says nothing.
func TestNarrowedFieldKeepsWhatIsKnown(t *testing.T) {
	who := interlock.Principal{Name: "kim", Tenant: "blue", Roles: []string{"a", "b"}, Attributes: map[string]string{"desk": "fx"}}
	for _, c := range []struct {
		text string
		who  interlock.Principal
		item map[string]string
		want bool
	}{
		{"/t == principal.tenant", who, map[string]string{"/t": "blue"}, true},
		{"/t == principal.tenant", who, map[string]string{"/t": "Blue"}, false},
		{"/t == principal.tenant", who, map[string]string{"/u": "blue"}, false},
		{"/t == principal.tenant", interlock.Principal{Name: "x"}, map[string]string{"/t": ""}, false},
		{"/t == principal.name", who, map[string]string{"/t": "kim"}, true},
		{"/t in principal.roles", who, map[string]string{"/t": "b"}, true},
		{"/t in principal.roles", who, map[string]string{"/t": "c"}, false},
		{"/t == principal.attributes.desk", who, map[string]string{"/t": "fx"}, true},
		{"/t == principal.attributes.disk", who, map[string]string{"/t": ""}, false},
		{`/t == principal.tenant or /u == "all"`, who, map[string]string{"/t": "red", "/u": "all"}, true},
		{`/t == principal.tenant or /u == "all"`, who, map[string]string{"/t": "red", "/u": "some"}, false},
	} {
		s := load(t, `permit (principal, action, resource); @rows("`+strings.ReplaceAll(c.text, `"`, `\"`)+`") `+forbidField)
		d := s.ReadField(c.who, policy.Field{Tool: policy.NewTool(policy.Facts{ID: "s/t"}), At: "output:/items"})
		if !d.Allowed || len(d.Narrows) != 1 {
			t.Fatalf("%s: %+v", c.text, d)
		}
		got := d.Narrows[0].Keeps(c.who, func(p string) (string, bool) { v, ok := c.item[p]; return v, ok })
		if got != c.want {
			t.Errorf("%s with %v for %s: %t", c.text, c.item, c.who.Name, got)
		}
	}
}

// TestNarrowedByNoPermit: a narrowed forbid leaves nothing that is not
// permitted, and gives way to one that is not narrowed.
func TestNarrowedByNoPermit(t *testing.T) {
	narrow := `@id("n") @rows("/t == principal.tenant") ` + forbidField
	for text, want := range map[string]string{
		narrow: "false 0", `permit (principal, action, resource);` + narrow: "true 1",
		`permit (principal, action, resource);` + narrow + forbidField:                                                                                                            "false 0",
		`permit (principal, action, resource);` + narrow + ` forbid (principal, action == Action::"readField", resource) when { 9223372036854775807 + 1 > 0 };`:                   "false 0",
		`permit (principal, action, resource); @rows("/t == principal.tenant") forbid (principal, action == Action::"readField", resource) when { 9223372036854775807 + 1 > 0 };`: "false 0",
		`permit (principal, action, resource);` + narrow + strings.Replace(narrow, `"n"`, `"m"`, 1):                                                                               "true 2",
	} {
		s := load(t, text)
		who, f := interlock.Principal{Name: "kim", Tenant: "blue"}, policy.Field{Tool: policy.NewTool(policy.Facts{ID: "s/t"}), At: "output:/items"}
		d, j := s.ReadField(who, f), s.Judge(who)
		if got := fmt.Sprint(d.Allowed, len(d.Narrows)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if j.Reads(f) != d.Allowed || d.Allowed && len(j.Narrows(f)) != len(d.Narrows) || j.ReadsAll(f.Tool) {
			t.Errorf("%s: the judge says %t %v", text, j.Reads(f), j.Narrows(f))
		}
	}
}
