package policy_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/policy"
)

const all = `permit (principal, action in [Action::"discover", Action::"invoke", Action::"readField"], resource);` + "\n"

func load(t testing.TB, text string) *policy.Set {
	t.Helper()
	s, err := policy.Load([]policy.File{{Name: "t.cedar", Text: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var (
	pat    = interlock.Principal{Name: "pat", Tenant: "blue", Roles: []string{"clerk"}, Attributes: map[string]string{"desk": "rates"}}
	boss   = interlock.Principal{Name: "boss", Tenant: "blue", Roles: []string{"approver"}}
	lookup = policy.NewTool(policy.Facts{ID: "hr/lookup", Tenant: "shared", Source: "hr", Family: "employee.lookup", Version: "1.0.0",
		Effect: interlock.EffectRead, State: interlock.StateActive, Tags: map[string]string{"data": "internal", "vis": "open"}})
	store = policy.NewTool(policy.Facts{ID: "eff/store", Tenant: "red", Source: "eff", Family: "record.store", Version: "2.1.0",
		Effect: interlock.EffectWrite, State: interlock.StateDeprecated, Tags: map[string]string{"vis": "hidden"}})
	noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
)

func TestDecisions(t *testing.T) {
	discover := func(s *policy.Set) policy.Decision { return s.Discover(pat, lookup) }
	salary := func(s *policy.Set) policy.Decision {
		return s.ReadField(pat, policy.Field{Tool: lookup, At: "output:/salary", SemanticID: "pay"})
	}
	invoke := func(s *policy.Set) policy.Decision {
		return s.Invoke(pat, store, policy.Call{Now: noon, ArgsBytes: 9})
	}
	approve := func(s *policy.Set) policy.Decision {
		return s.Approve(boss, store, policy.Request{Now: noon, Requester: "pat"})
	}
	own := func(s *policy.Set) policy.Decision {
		return s.Approve(boss, store, policy.Request{Now: noon, Requester: "boss"})
	}
	audit := func(s *policy.Set) policy.Decision { return s.Holds(pat, policy.Audit) }
	scoped := func(s *policy.Set) policy.Decision {
		narrow := pat
		narrow.Scopes = []string{"discover", "invoke"}
		return s.Holds(narrow, policy.Audit)
	}
	for _, c := range []struct {
		name, text string
		ask        func(*policy.Set) policy.Decision
		want       string // "" denies
	}{
		{"nothing", "", discover, ""},
		{"permit", all, discover, "allowed"},
		{"another action", `permit (principal, action == Action::"invoke", resource);`, discover, ""},
		{"forbid wins", all + `forbid (principal == Principal::"pat", action == Action::"discover", resource);`, discover, ""},
		{"forbid of another", all + `forbid (principal == Principal::"quinn", action == Action::"discover", resource);`, discover, "allowed"},
		{"tag", all + `forbid (principal, action == Action::"discover", resource) when { resource.tags.contains("data=internal") };`, discover, ""},
		{"tool", `permit (principal, action == Action::"discover", resource == Tool::"hr/lookup");`, discover, "allowed"},
		{"role", `permit (principal in Role::"clerk", action, resource);`, discover, "allowed"},
		{"no such role", `permit (principal in Role::"approver", action, resource);`, discover, ""},
		{"tenant", `permit (principal, action, resource) when { principal.tenant == "blue" };`, discover, "allowed"},
		{"all attributes", `permit (principal, action == Action::"discover", resource) when { resource.tenant == "shared" && resource.source == "hr" && resource.family like "employee.*" && resource.version == "1.0.0" && resource.effect == "read" && resource.state == "active" };`, discover, "allowed"},
		{"a policy that errs denies", all + `forbid (principal, action == Action::"discover", resource) when { resource.effect == "read" && 9223372036854775807 + 1 > 0 };`, discover, ""},
		{"and a permit that errs", all + `permit (principal, action == Action::"discover", resource) when { 9223372036854775807 + 1 > 0 };`, discover, ""},
		{"field", all + `forbid (principal == Principal::"pat", action == Action::"readField", resource == Field::"hr/lookup#output:/salary");`, salary, ""},
		{"another field", all + `forbid (principal, action == Action::"readField", resource == Field::"hr/lookup#output:/grade");`, salary, "allowed"},
		{"field by meaning", all + `forbid (principal, action == Action::"readField", resource) when { resource.semantic_id == "pay" };`, salary, ""},
		{"field by place", all + `forbid (principal, action == Action::"readField", resource) when { resource.at like "*:/sal*" && resource.tool == "hr/lookup" };`, salary, ""},
		{"field in tool", all + `forbid (principal, action == Action::"readField", resource in Tool::"hr/lookup");`, salary, ""},
		{"no field permitted", `permit (principal, action == Action::"discover", resource);`, salary, ""},
		{"waived", all + `@approval("none") permit (principal, action == Action::"invoke", resource == Tool::"eff/store");`, invoke, "allowed waived"},
		{"waived for another", all + `@approval("none") permit (principal, action == Action::"invoke", resource == Tool::"eff/purge");`, invoke, "allowed"},
		{"waived and forbidden", all + `@approval("none") permit (principal, action == Action::"invoke", resource); forbid (principal, action == Action::"invoke", resource);`, invoke, ""},
		{"in time", `permit (principal, action == Action::"invoke", resource) when { context.now < datetime("2026-12-01") && context.args_bytes < 10 };`, invoke, "allowed"},
		{"too late", `permit (principal, action == Action::"invoke", resource) when { context.now < datetime("2026-11-30") };`, invoke, ""},
		{"approver", `permit (principal in Role::"approver", action == Action::"approve", resource);`, approve, "allowed"},
		{"nobody approves", all, approve, ""},
		{"not for that requester", `permit (principal, action == Action::"approve", resource) unless { context.requester == "pat" };`, approve, ""},
		{"own request", `permit (principal in Role::"approver", action == Action::"approve", resource);`, own, ""},
		{"own request allowed", `@self_approval("allowed") permit (principal, action == Action::"approve", resource);`, own, "allowed own"},
		{"audit", `permit (principal, action == Action::"audit", resource);`, audit, "allowed"},
		{"audit out of scope", `permit (principal, action == Action::"audit", resource);`, scoped, ""},
		{"attribute", `permit (principal, action, resource) when { principal.attributes.contains("desk=rates") };`, discover, "allowed"},
		{"another attribute", `permit (principal, action, resource) when { principal.attributes.contains("desk=fx") };`, discover, ""},
		{"no audit", `permit (principal, action == Action::"administer", resource);`, audit, ""},
	} {
		d := c.ask(load(t, c.text))
		var got []string
		for _, x := range []struct {
			is   bool
			word string
		}{{d.Allowed, "allowed"}, {d.Waived, "waived"}, {d.Own, "own"}} {
			if x.is {
				got = append(got, x.word)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, want %q", c.name, got, c.want)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"permit (principal, action resource);", `t.cedar:1: expected ",", found "resource"`},
		{all + "\npermit (principal, action, resource) when { 1 + };", "t.cedar:3: "},
		{all + "\npermit (principal, action, resource) whenever { true };", `t.cedar:3: expected ";", found "whenever"`},
		{"permit (principal, action, resource", "t.cedar:1: "},
		{all + "\n\npermit (principal, action == Action::\"peek\", resource);", "t.cedar:4: unrecognized action"},
		{`forbid (principal, action == Action::"discover", resource) when { resource.nosuch == "x" };`, "nosuch"},
		{`forbid (principal, action == Action::"discover", resource) when { resource.tags == "x" };`, "t.cedar:1"},
		{`permit (principal == Group::"x", action, resource);`, "Group"},
		{`permit (principal, action == Action::"readField", resource == Tool::"a/b");`, "t.cedar:1"},
		{`permit (principal, action == Action::"discover", resource) when { context.now < datetime("2026-11-30") };`, "now"},
		{`permit (principal, action in [Action::"readField", Action::"invoke"], resource) when { context.args_bytes < 3 };`, "args_bytes"},
		{`@approval("nnoe") permit (principal, action, resource);`, `@approval("none")`},
		{`@approval("none") forbid (principal, action, resource);`, `@approval("none")`},
		{`@self_approval("none") permit (principal, action, resource);`, `@self_approval("allowed")`},
		{`@id("a") permit (principal, action, resource); @id("a") forbid (principal, action, resource);`, `the id "a"`},
		{`@id("") permit (principal, action, resource);`, "@id is empty"},
		{"permit (principal, action, resource) when {\n" + strings.Repeat("(", 500) + "true" + strings.Repeat(")", 500) + "};", "t.cedar:2: brackets"},
		{strings.Repeat(" ", policy.MaxFile+1), "over"},
	} {
		s, err := policy.Load([]policy.File{{Name: "t.cedar", Text: []byte(c.text)}})
		if s != nil || interlock.ReasonOf(err) != interlock.ReasonConfigInvalid || !strings.Contains(interlock.AsError(err).Public, c.says) {
			t.Errorf("%.80s: %v, want config-invalid with %q", c.text, err, c.says)
		}
	}
}

func TestReasons(t *testing.T) {
	s := load(t, `@id("everyone") permit (principal, action == Action::"discover", resource);
@id("not-hidden")
forbid (principal, action == Action::"discover", resource) when { resource.tags.contains("vis=hidden") };
@id("broken") permit (principal, action == Action::"invoke", resource) when { 9223372036854775807 + 1 > 0 };`)
	d := s.Discover(pat, store)
	if diff := cmp.Diff(policy.Decision{Permits: []string{}, Forbids: []string{"not-hidden"}}, d); diff != "" {
		t.Error(diff)
	}
	if text := s.Explain(d); !strings.Contains(text, "forbid beats") || !strings.Contains(text, "not-hidden (t.cedar:2)") {
		t.Error(text)
	}
	if text := s.Explain(s.Discover(pat, lookup)); text != "allowed\n  permits  everyone (t.cedar:1)\n" {
		t.Error(text)
	}
	if text := s.Explain(s.Invoke(pat, store, policy.Call{})); !strings.Contains(text, "errs denies") || !strings.Contains(text, "broken (t.cedar:4): ") {
		t.Error(text)
	}
	if text := s.Explain(s.Holds(pat, policy.Audit)); !strings.Contains(text, "no policy permits") {
		t.Error(text)
	}
}

func TestDigest(t *testing.T) {
	a, b := load(t, all), load(t, all)
	if a.Digest() != b.Digest() || a.Digest() == load(t, all+" ").Digest() || len(a.Digest()) != 64 {
		t.Error("the digest does not name the content")
	}
	none, err := policy.Load(nil)
	if err != nil || none.Discover(pat, lookup).Allowed || none.Len() != 0 {
		t.Error("no file does not deny", err)
	}
}

// TestMisspelledAnnotation: an annotation that is nearly one which means
// something is refused, whether it would let in or keep out; any other is a note.
func TestMisspelledAnnotation(t *testing.T) {
	for _, wrong := range []string{"aproval", "hiden_characters", "self_aproval", "row", "binds"} {
		_, err := policy.Load([]policy.File{{Name: "p.cedar", Text: []byte("@" + wrong + `("x") permit (principal, action, resource);`)}})
		if err == nil || !strings.Contains(err.Error(), "did you mean") {
			t.Errorf("@%s: %v", wrong, err)
		}
	}
	load(t, `@owner("team-a") @ticket("42") permit (principal, action, resource);`)
}

func TestStarterLoads(t *testing.T) {
	s := load(t, policy.Starter())
	if !s.Discover(pat, lookup).Allowed || s.Discover(pat, store).Allowed || s.Approve(pat, lookup, policy.Request{Requester: "boss"}).Allowed ||
		!s.Approve(boss, lookup, policy.Request{Requester: "pat"}).Allowed {
		t.Error("the starter set does not do what its comments say")
	}
	examples := strings.ReplaceAll(policy.Starter()[strings.Index(policy.Starter(), "// Examples"):], "// ", "")
	examples = strings.NewReplacer("Examples; take the slashes away to use them.", "", "//\n", "\n", "A field that only one role reads, wherever it occurs:", "",
		"One tool whose calls need no approval:", "", "A role that never gets characters which nobody sees:", "", "Approvers who may also grant what they asked for themselves:", "").Replace(examples)
	if s = load(t, examples); s.Len() != 4 {
		t.Errorf("%d examples", s.Len())
	}
	if !strings.Contains(policy.Schema(), "entity Principal") {
		t.Error("no schema")
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(all)
	f.Add(policy.Starter())
	f.Add(`forbid (principal == Principal::"pat", action, resource is Tool) unless { if resource.tags.isEmpty() then !(principal has tenant) else [1, 2].containsAny([2]) };`)
	f.Add(`@approval("none") permit (principal is Principal in Role::"a", action in [Action::"invoke"], resource) when { ip("1.2.3.4").isLoopback() || "\u{41}" like "a*\*" };`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := policy.Load([]policy.File{{Name: "f", Text: []byte(text)}})
		if err != nil {
			if s != nil || interlock.ReasonOf(err) != interlock.ReasonConfigInvalid {
				t.Fatalf("%v with a set: %t", err, s != nil)
			}
			return
		}
		j := s.Judge(pat)
		for _, tool := range []*policy.Tool{lookup, store} {
			if a, b := s.Discover(pat, tool).Allowed, j.Sees(tool); a != b {
				t.Fatalf("%s: asked %t, judged %t", tool.ID(), a, b)
			}
			field := policy.Field{Tool: tool, At: "output:/salary", SemanticID: "pay"}
			if a, b := s.ReadField(pat, field).Allowed, j.Reads(field); a != b {
				t.Fatalf("%s: asked %t, judged %t", field.At, a, b)
			}
			if s.Invoke(pat, tool, policy.Call{Now: noon}).Allowed && !j.MayInvoke(tool) && len(s.Invoke(pat, tool, policy.Call{Now: noon}).Errors) == 0 {
				t.Fatalf("%s can be called and is judged not to be", tool.ID())
			}
		}
	})
}
