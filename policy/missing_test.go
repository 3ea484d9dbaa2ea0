package policy

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	cedar "github.com/cedar-policy/cedar-go"

	"github.com/seed-ae386458/interlock"
)

// TestMissingAttributeNeverAllows takes one attribute of the tool or of the
// principal away: whatever the policies are, what was denied stays denied. Cedar
// passes over a policy that errs, so a forbid that reads what is not there would
// forbid nothing.
func TestMissingAttributeNeverAllows(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	parts := []string{`resource.tenant == "a"`, `resource.source like "s*"`, `resource.family != "f"`, `resource.effect == "read"`, `resource.tags.contains("k=1")`, `resource.version == "1.0.0"`,
		`resource.state != "active"`, `principal.tenant == resource.tenant`, `principal.roles.contains("r1")`, `principal.attributes.contains("desk=fx")`, `principal.tenant != "b"`, "true", "false"}
	clause := func() string {
		text := parts[rng.IntN(len(parts))]
		for range rng.IntN(3) {
			text = fmt.Sprintf("(%s %s %s)", text, []string{"&&", "||"}[rng.IntN(2)], parts[rng.IntN(len(parts))])
		}
		if rng.IntN(4) == 0 {
			text = "!(" + text + ")"
		}
		return text
	}
	kept, lost := 0, 0
	for range 1500 {
		var text strings.Builder
		for range 1 + rng.IntN(4) {
			fmt.Fprintf(&text, "%s (principal, action, resource is Tool) %s { %s };\n", []string{"permit", "permit", "forbid"}[rng.IntN(3)], []string{"when", "unless"}[rng.IntN(2)], clause())
		}
		set, err := Load([]File{{Name: "p.cedar", Text: []byte(text.String())}})
		if err != nil {
			t.Fatal(err)
		}
		who := interlock.Principal{Name: "p", Tenant: []string{"a", "b"}[rng.IntN(2)], Roles: []string{"r1"}, Attributes: map[string]string{"desk": "fx"}}
		tool := NewTool(Facts{ID: "s/t", Tenant: "a", Source: []string{"s", "x"}[rng.IntN(2)], Family: []string{"f", "g"}[rng.IntN(2)], Version: "1.0.0", Effect: interlock.EffectRead, State: interlock.StateActive,
			Tags: map[string]string{"k": []string{"1", "2"}[rng.IntN(2)]}})
		before := set.Discover(who, tool).Allowed
		for _, name := range append([]cedar.String{"tags"}, toolTexts[:]...) {
			less := *tool
			less.entity.Attributes = without(tool.entity.Attributes, name)
			after := set.Discover(who, &less).Allowed
			if after && !before {
				t.Fatalf("without %s the tool is allowed to %+v, with it not\n%s", name, who, text.String())
			}
			fresh, err := Load([]File{{Name: "p.cedar", Text: []byte(text.String())}})
			if err != nil {
				t.Fatal(err)
			}
			if fresh.Judge(who).Sees(&less) && !before {
				t.Fatalf("without %s the tool is judged to be allowed to %+v, with it not\n%s", name, who, text.String())
			}
			if before && after {
				kept++
			} else if before {
				lost++
			}
		}
		whole := principalOf(who)
		for _, name := range []cedar.String{"tenant", "roles", "attributes"} {
			w := world{who: whole, resource: tool.entity}
			w.who.Attributes = without(whole.Attributes, name)
			decision, diag := cedar.Authorize(asked{set.rules, w.who, cedar.Entity{UID: uidOf(Discover)}}, &w, cedar.Request{Principal: whole.UID, Action: uidOf(Discover), Resource: tool.entity.UID})
			if decision == cedar.Allow && len(diag.Errors) == 0 && !before {
				t.Fatalf("without the principal's %s the tool is allowed, with it not\n%s", name, text.String())
			}
		}
	}
	if kept < 100 || lost < 100 {
		t.Errorf("%d stayed allowed, %d were lost: the policies are not varied", kept, lost)
	}
}

func without(attributes cedar.Record, name cedar.String) cedar.Record {
	less := cedar.RecordMap{}
	for k, v := range attributes.All() {
		if k != name {
			less[k] = v
		}
	}
	return cedar.NewRecord(less)
}
