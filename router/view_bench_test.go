package router_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// BenchmarkPolicyView measures a view of 10,000 tools under 401 policies, cold
// and warm: with nothing masked, with a field of every tool masked that was
// masked before, and with one that never was.
func BenchmarkPolicyView(b *testing.B) {
	var text strings.Builder
	text.WriteString(`permit (principal, action == Action::"readField", resource);` + "\n")
	for i := range 400 {
		fmt.Fprintf(&text, "permit (principal in Role::\"r%d\", action in [Action::\"discover\", Action::\"invoke\"], resource) when { resource.tags.contains(\"group=%d\") };\n", i%40, i)
	}
	cat := interlock.Catalogue{}
	for i := range 10_000 {
		cat.Operations = append(cat.Operations, interlock.Operation{Name: fmt.Sprintf("t%d", i), Version: "1.0.0", Effect: interlock.EffectRead, Tags: map[string]string{"group": fmt.Sprint(i % 400)},
			Variants: []interlock.Variant{{ID: "d", Description: fmt.Sprint("tool number ", i)}}, InputSchema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}}}`),
			OutputSchema: json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"},"pay":{"type":"number"}}}`), Binding: json.RawMessage(`"b"`)})
	}
	s := &shelf{stock: map[string]interlock.Catalogue{}}
	r := newRouter(b, s, nil)
	stock(b, r, s, map[string]interlock.Catalogue{"s": cat}, []string{"s"})
	who := interlock.Principal{Name: "p"}
	for i := range 30 {
		who.Roles = append(who.Roles, fmt.Sprintf("r%d", i))
	}
	masks := `forbid (principal, action == Action::"readField", resource) when { resource.at == "output:/pay" };`
	for _, kind := range []struct {
		name string
		more func(i int) string
	}{
		{"plain", func(int) string { return "" }},
		{"masks", func(int) string { return masks }},
	} {
		b.Run("cold/"+kind.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				r.SetPolicies(policies(b, text.String()+kind.more(i)+fmt.Sprintf("// %d\n", i)))
				b.StartTimer()
				r.ViewFingerprint(who)
			}
		})
		b.Run("warm/"+kind.name, func(b *testing.B) {
			for b.Loop() {
				r.ViewFingerprint(who)
			}
		})
	}
	b.Run("first/masks", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			stock(b, r, s, map[string]interlock.Catalogue{"s": {}}, []string{"s"})
			stock(b, r, s, map[string]interlock.Catalogue{"s": cat}, []string{"s"})
			r.SetPolicies(policies(b, text.String()+masks+fmt.Sprintf("// first %d\n", i)))
			b.StartTimer()
			r.ViewFingerprint(who)
		}
	})
}
