package policy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/policy"
)

func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

// randomPolicies writes a set that reads everything in every way, errors
// included.
func randomPolicies(rng *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		action := pick(rng, "discover", "readField", "invoke")
		principal := pick(rng, "principal", "principal", `principal == Principal::"p1"`, `principal in Role::"r1"`, `principal in Role::"r2"`, "principal is Principal", `principal is Principal in Role::"r3"`)
		resource := pick(rng, "resource", "resource", "resource", `resource == Tool::"s/t1"`, `resource in Tool::"s/t2"`, "resource is Tool")
		texts := []string{`resource.tenant == "a"`, `resource.tenant == principal.tenant`, `resource.source like "s*"`, `resource.tags.contains("k=1")`,
			`resource.family == "f" || principal.roles.contains("r3")`, `resource.effect == "read" && 9223372036854775807 + 1 > 0`, `resource == Tool::"s/t3"`}
		if action == "readField" {
			resource = pick(rng, "resource", "resource", `resource == Field::"s/t1#output:/a"`, `resource in Tool::"s/t2"`, "resource is Field")
			texts = []string{`resource.at == "output:/a"`, `resource.semantic_id == "m" && principal.tenant == "a"`, `resource.tool like "*1"`, `resource in Tool::"s/t3"`,
				`resource.at like "input:*" && 0 - 9223372036854775807 - 2 < 0`}
		}
		texts = append(texts, `principal == Principal::"p2"`, `principal.tenant == "b"`, `principal in Role::"r2"`, `principal.roles.containsAny(["r1", "r4"])`, `if principal.tenant == "a" then true else 9223372036854775807 + 1 > 0`,
			`principal in [Role::"r1", Role::"r4"]`, `[Principal::"p3"].contains(principal)`, `principal.attributes.contains("desk=fx")`, "true")
		if action == "invoke" {
			texts = append(texts, `context.args_bytes > 10`)
		}
		effect := pick(rng, "permit", "permit", "forbid")
		if effect == "forbid" && action == "readField" {
			b.WriteString(pick(rng, "", "", `@rows("/t == principal.tenant") `, `@bind("principal.name") `))
		}
		fmt.Fprintf(&b, "%s (%s, action == Action::%q, %s)", effect, principal, action, resource)
		for range rng.IntN(3) {
			fmt.Fprintf(&b, "\n  %s { %s }", pick(rng, "when", "unless"), pick(rng, texts...))
		}
		b.WriteString(";\n")
	}
	return b.String()
}

func randomPrincipal(rng *rand.Rand) interlock.Principal {
	p := interlock.Principal{Name: fmt.Sprintf("p%d", rng.IntN(6)), Tenant: pick(rng, "a", "b", "c")}
	for i := 1; i < 6; i++ {
		if rng.IntN(3) == 0 {
			p.Roles = append(p.Roles, fmt.Sprintf("r%d", i))
		}
	}
	if rng.IntN(2) == 0 {
		p.Attributes = map[string]string{"desk": pick(rng, "rates", "fx")}
	}
	if rng.IntN(8) == 0 {
		p.Scopes = []string{pick(rng, "discover", "invoke", "audit")}
	}
	return p
}

func randomTools(rng *rand.Rand, n int) []*policy.Tool {
	var out []*policy.Tool
	for i := range n {
		f := policy.Facts{ID: fmt.Sprintf("s/t%d", i), Tenant: pick(rng, "a", "b", interlock.SharedTenant), Source: pick(rng, "s", "x"), Family: pick(rng, "f", "g"),
			Effect: pick(rng, interlock.EffectRead, interlock.EffectWrite), State: interlock.StateActive, Tags: map[string]string{}}
		if rng.IntN(2) == 0 {
			f.Tags["k"] = pick(rng, "1", "2")
		}
		out = append(out, policy.NewTool(f))
	}
	return out
}

var ats = []string{"output:/a", "output:/b", "input:/a", "output:/a/b", "output:/x#output:/a"}

// TestJudgeAgrees holds the judge against the set asked one by one, and
// principals of one class against each other.
func TestJudgeAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rounds, allowed, denied, alike, narrowed := 400, 0, 0, 0, 0
	if testing.Short() {
		rounds = 60
	}
	for range rounds {
		text := randomPolicies(rng, 1+rng.IntN(8))
		s := load(t, text)
		tools := randomTools(rng, 5)
		seen := map[string]string{}
		for range 8 {
			who := randomPrincipal(rng)
			j := s.Judge(who)
			var answers strings.Builder
			check := func(what string, judged, asked bool) {
				fmt.Fprint(&answers, asked, " ")
				if judged != asked {
					t.Fatalf("%s for %+v: judged %t, asked %t\n%s", what, who, judged, asked, text)
				}
				if asked {
					allowed++
				} else {
					denied++
				}
			}
			for _, tool := range tools {
				check("discover "+tool.ID(), j.Sees(tool), s.Discover(who, tool).Allowed)
				reads := true
				for _, at := range ats {
					f := policy.Field{Tool: tool, At: at, SemanticID: pick(rng, "", "m")}
					asked := s.ReadField(who, f)
					check("readField "+tool.ID()+" "+at, j.Reads(f), asked.Allowed)
					if asked.Allowed && fmt.Sprint(j.Narrows(f)) != fmt.Sprint(asked.Narrows) {
						t.Fatalf("%s %s is narrowed by %v, judged %v\n%s", tool.ID(), at, asked.Narrows, j.Narrows(f), text)
					}
					narrowed += len(asked.Narrows)
					reads = reads && j.Reads(f) && len(asked.Narrows) == 0
				}
				if j.ReadsAll(tool) && !reads {
					t.Fatalf("all fields of %s are said to be readable\n%s", tool.ID(), text)
				}
				big, small := s.Invoke(who, tool, policy.Call{ArgsBytes: 11}), s.Invoke(who, tool, policy.Call{ArgsBytes: 1})
				if (big.Allowed || small.Allowed) && !j.MayInvoke(tool) && len(big.Errors)+len(small.Errors) == 0 {
					t.Fatalf("invoke %s for %+v can be allowed and is judged not to be\n%s", tool.ID(), who, text)
				}
				for range 2 { // the second is remembered
					for _, c := range []policy.Call{{ArgsBytes: 11}, {ArgsBytes: 1}} {
						if judged, asked := j.Invoke(who, tool, c), s.Invoke(who, tool, c); fmt.Sprintf("%+v", judged) != fmt.Sprintf("%+v", asked) {
							t.Fatalf("a call of %s by %+v: judged %+v, asked %+v\n%s", tool.ID(), who, judged, asked, text)
						}
					}
				}
				if !strings.Contains(text, "context") {
					check("invoke "+tool.ID(), j.MayInvoke(tool), big.Allowed)
				}
			}
			class := s.Class(who)
			if other, ok := seen[class]; ok && len(other) == answers.Len() {
				alike++
			}
			seen[class] = answers.String()
		}
	}
	if allowed < 1000 || denied < 1000 || alike < 20 || narrowed < 5 {
		t.Errorf("%d allowed, %d denied, %d alike, %d narrowed: the policies are not varied", allowed, denied, alike, narrowed)
	}
}

// TestClassIsSound asks for pairs of one class whether any question tells them
// apart.
func TestClassIsSound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	pairs := 0
	for range 300 {
		text := randomPolicies(rng, 1+rng.IntN(5))
		s := load(t, text)
		tools := randomTools(rng, 4)
		a, b := randomPrincipal(rng), randomPrincipal(rng)
		for range 20 {
			if s.Class(a) == s.Class(b) {
				break
			}
			b = randomPrincipal(rng)
		}
		if s.Class(a) != s.Class(b) {
			continue
		}
		pairs++
		for _, tool := range tools {
			if s.Discover(a, tool).Allowed != s.Discover(b, tool).Allowed || s.Invoke(a, tool, policy.Call{}).Allowed != s.Invoke(b, tool, policy.Call{}).Allowed {
				t.Fatalf("%+v and %+v are of one class, and %s tells them apart\n%s", a, b, tool.ID(), text)
			}
			for _, at := range ats {
				f := policy.Field{Tool: tool, At: at}
				if s.ReadField(a, f).Allowed != s.ReadField(b, f).Allowed {
					t.Fatalf("%+v and %+v are of one class, and %s tells them apart\n%s", a, b, at, text)
				}
			}
		}
	}
	if pairs < 100 {
		t.Errorf("only %d pairs of one class", pairs)
	}
}

func TestClassReadsWhatPoliciesRead(t *testing.T) {
	a := interlock.Principal{Name: "a", Tenant: "x", Roles: []string{"r1", "r2"}, Attributes: map[string]string{"desk": "rates"}}
	for _, c := range []struct {
		text  string
		other interlock.Principal
		same  bool
	}{
		{all, interlock.Principal{Name: "b", Tenant: "y"}, true},
		{`permit (principal == Principal::"a", action, resource);`, interlock.Principal{Name: "b", Tenant: "x", Roles: a.Roles}, false},
		{`permit (principal == Principal::"c", action, resource);`, interlock.Principal{Name: "b"}, true},
		{`permit (principal, action, resource) when { principal.tenant == "x" };`, interlock.Principal{Name: "b", Tenant: "y"}, false},
		{`permit (principal in Role::"r1", action, resource);`, interlock.Principal{Name: "b", Roles: []string{"r1", "r3"}}, true},
		{`permit (principal in Role::"r2", action, resource);`, interlock.Principal{Name: "b", Roles: []string{"r1", "r3"}}, false},
		{`permit (principal, action, resource) when { principal.roles.contains("r9") };`, interlock.Principal{Name: "b", Roles: []string{"r1"}}, false},
		{`permit (principal, action, resource) when { [Principal::"b"].contains(principal) };`, interlock.Principal{Name: "b"}, false},
		{`permit (principal, action, resource) when { principal.attributes.contains("desk=rates") };`, interlock.Principal{Name: "b", Attributes: map[string]string{"desk": "fx"}}, false},
		{`permit (principal, action, resource) when { principal.attributes.contains("desk=rates") };`, interlock.Principal{Name: "b", Attributes: map[string]string{"desk": "rates"}}, true},
		{`permit (principal, action, resource) when { (if true then principal else principal).tenant == "x" };`, interlock.Principal{Name: "b", Tenant: "y"}, false},
	} {
		s := load(t, c.text)
		if got := s.Class(a) == s.Class(c.other); got != c.same {
			t.Errorf("%s: %+v of one class: %t", c.text, c.other, got)
		}
	}
}

// many writes role and group policies with one forbid, as many as are asked
// for.
func many(n int) string {
	var b strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&b, "permit (principal in Role::\"r%d\", action in [Action::\"discover\", Action::\"invoke\"], resource) when { resource.tags.contains(\"group=%d\") };\n", i%40, i)
	}
	b.WriteString(`forbid (principal, action, resource is Tool) when { resource.tags.contains("data=restricted") } unless { principal in Role::"admin" };`)
	return b.String()
}

func manyTools(n int) []*policy.Tool {
	out := make([]*policy.Tool, n)
	for i := range out {
		out[i] = policy.NewTool(policy.Facts{ID: fmt.Sprintf("s%d/t%d", i%50, i), Tenant: "shared", Source: fmt.Sprintf("s%d", i%50), Family: fmt.Sprintf("f.%d", i), Version: "1.0.0", Effect: interlock.EffectRead,
			State: interlock.StateActive, Tags: map[string]string{"group": fmt.Sprint(i % 400), "data": []string{"public", "restricted"}[i%2]}})
	}
	return out
}

func BenchmarkVisible10000Under401(b *testing.B) {
	text, tools := many(401), manyTools(10_000)
	who := interlock.Principal{Name: "p", Roles: []string{"r1", "r2", "r3"}}
	count := 0
	for b.Loop() {
		b.StopTimer()
		s := load(b, text)
		b.StartTimer()
		j := s.Judge(who)
		for _, t := range tools {
			if j.Sees(t) && j.MayInvoke(t) {
				count++
			}
		}
	}
	if count == 0 {
		b.Error("nothing is visible")
	}
}

func BenchmarkInvokeUnder401(b *testing.B) {
	s, tools := load(b, many(401)), manyTools(100)
	who := interlock.Principal{Name: "p", Roles: []string{"r1", "r2", "r3"}}
	b.Run("set", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			s.Invoke(who, tools[i%100], policy.Call{Now: noon})
		}
	})
	b.Run("judge", func(b *testing.B) {
		j := s.Judge(who)
		for i := 0; b.Loop(); i++ {
			j.Invoke(who, tools[i%100], policy.Call{Now: noon})
		}
	})
}
