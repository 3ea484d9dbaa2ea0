package auth_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

// TestClaimsMakePrincipals reads tenant, roles, scopes and attributes from where
// the configuration says.
func TestClaimsMakePrincipals(t *testing.T) {
	ed := newEd(t, "d1")
	is := newIssuer(t, ed)
	full := auth.Claims{Name: "email", Tenant: "https://example.com/tenant", Roles: "/realm_access/roles", Scopes: "scope", Attributes: map[string]string{"desk": "/a~1b/desk", "level": "level", "on": "on"}}
	for _, c := range []struct {
		name  string
		read  auth.Claims
		pairs []any
		want  *interlock.Principal // nil is refused
	}{
		{"everything", full, []any{"email", "c@x", "https://example.com/tenant", "blue", "realm_access", map[string]any{"roles": []string{"w", "a", "w"}}, "scope", "openid invoke discover",
			"a/b", map[string]any{"desk": "rates"}, "level", 9007199254740993, "on", true},
			&interlock.Principal{Name: "c@x", Tenant: "blue", Roles: []string{"a", "w"}, Scopes: []string{"discover", "invoke"}, Attributes: map[string]string{"desk": "rates", "level": "9007199254740993", "on": "true"}, Allow: []string{"docs/*"}}},
		{"nothing but the name", full, []any{"email", "c@x"}, &interlock.Principal{Name: "c@x", Scopes: []string{}, Attributes: map[string]string{}, Allow: []string{}, Invoke: []string{}}},
		{"one role as text", auth.Claims{Roles: "groups"}, []any{"groups", "team one"}, &interlock.Principal{Name: "carol", Roles: []string{"team one"}, Allow: []string{"docs/*"}}},
		{"a scope too few", auth.Claims{Scopes: "scp"}, []any{"scp", []string{"discover"}}, &interlock.Principal{Name: "carol", Scopes: []string{"discover"}, Allow: []string{"docs/*"}, Invoke: []string{}}},
		{"a way through a text", auth.Claims{Tenant: "/sub/x"}, nil, &interlock.Principal{Name: "carol", Allow: []string{"docs/*"}}},
		{"roles that are numbers", auth.Claims{Roles: "groups"}, []any{"groups", []int{1}}, nil},
		{"roles that are an object", auth.Claims{Roles: "groups"}, []any{"groups", map[string]any{}}, nil},
		{"a tenant that is a list", auth.Claims{Tenant: "t"}, []any{"t", []string{"a"}}, nil},
		{"an attribute that is an object", auth.Claims{Attributes: map[string]string{"x": "x"}}, []any{"x", map[string]any{}}, nil},
		{"an empty name", auth.Claims{Name: "email"}, []any{"email", ""}, nil},
		{"too many roles", auth.Claims{Roles: "groups"}, []any{"groups", strings.Split(strings.Repeat("x,", 300), ",")}, nil},
	} {
		a := believes(t, auth.JWT{Issuer: is.URL, Claims: c.read, Allow: []string{"docs/*"}}, &watch{noon}, nil)
		who, err := a.Authenticate(request("Bearer " + ed.sign(t, is.claims(c.pairs...), nil)))
		if c.want == nil {
			if interlock.CodeOf(err) != interlock.CodeUnauthenticated || err == nil {
				t.Errorf("%s: %+v %v", c.name, who, err)
			}
			continue
		}
		who.Until = time.Time{} // TestTokens looks at it
		if diff := cmp.Diff(*c.want, who); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", c.name, err, diff)
		}
	}
}
