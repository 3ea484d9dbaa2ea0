package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

// twin is one random registry twice: with what a principal may not see, and as
// it would be if that had never existed.
type twin struct {
	with, without map[string]interlock.Catalogue
	token         auth.Token
	laws          string // Cedar; empty leaves it to the token's lists
	hidden        []string
	masked        int
	down          string // a source that does not answer
}

var (
	twinSources  = []string{"s0", "s1", "s2"}
	twinFamilies = []string{"weather.current", "note.write", "document.extract", ""}
	twinVersions = []string{"1.0.0", "1.1.0", "2.0.0", "2.1.0", "3.0.0"}
	twinWords    = strings.Fields("weather city current forecast note write read delete record document extract field invoice send mail translate bell ring tower 날씨 도시 문서 읽기 天気 都市 文書 予報")
)

// lottery draws at random.
type lottery struct{ *rand.Rand }

func (l lottery) of(list ...string) string { return list[l.IntN(len(list))] }

func (l lottery) words(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = l.of(twinWords...)
	}
	return strings.Join(out, " ")
}

// twin draws a registry, and a way to hide some of it: by the token's lists, by
// tenant, by policy, or by all of them.
func (l lottery) twin() twin {
	t := twin{with: map[string]interlock.Catalogue{}, without: map[string]interlock.Catalogue{}}
	t.token = auth.Token{Name: "alice", Secret: "alice-token-0000000000000000", Tenant: "a"}
	if l.IntN(4) > 0 {
		t.laws = `permit (principal, action in [Action::"discover", Action::"invoke", Action::"readField"], resource) when { resource is Field || ["shared", principal.tenant].contains(resource.tenant) };
forbid (principal, action == Action::"discover", resource) when { resource.tags.contains("vis=hidden") };
forbid (principal, action == Action::"readField", resource) when { resource.at like "*/secret*" || resource.semantic_id == "hush" };
forbid (principal, action == Action::"invoke", resource) when { resource.source == "s1" && resource.effect == "read" };`
	}
	if t.laws == "" || l.IntN(3) == 0 {
		t.token.Allow = []string{"*"}
		for range l.IntN(4) {
			t.token.Deny = append(t.token.Deny, l.of(twinSources...)+"/"+l.of("*", "*1", "*3", "t2*", "*5"))
		}
		if l.IntN(3) == 0 {
			t.token.Invoke = []string{"s0/*", "*2"}
		}
	}
	for _, s := range twinSources {
		cat := interlock.Catalogue{Source: s, Tenant: l.of("shared", "shared", "a", "b"), Edges: l.edges()}
		t.with[s], t.without[s] = cat, cat
	}
	for i := range 4 + l.IntN(12) {
		l.place(&t, fmt.Sprint("t", i))
	}
	t.settle()
	if l.IntN(5) == 0 {
		t.down = l.of(twinSources...)
	}
	return t
}

// place draws one tool and puts it into both registries, or into the one.
func (l lottery) place(t *twin, name string) {
	s := l.of(twinSources...)
	has, never := l.operation(name)
	with, without := t.with[s], t.without[s]
	who := interlock.Principal{Name: "alice", Tenant: "a", Allow: t.token.Allow, Deny: t.token.Deny}
	if who.Allow == nil {
		who.Allow = []string{"*"}
	}
	hidden := !auth.Visible(who, interlock.ToolRecord{ID: s + "/" + name, Tenant: with.Tenant})
	if t.laws == "" {
		never = has
	} else if l.IntN(4) == 0 {
		hidden, has.Tags = true, map[string]string{"vis": "hidden"}
	}
	with.Operations = append(with.Operations, has)
	if t.with[s] = with; hidden {
		t.hidden = append(t.hidden, s+"/"+name)
		return
	}
	if string(has.OutputSchema) != string(never.OutputSchema) || string(has.InputSchema) != string(never.InputSchema) {
		t.masked++
	}
	without.Operations = append(without.Operations, never)
	t.without[s] = without
}

// settle leaves of the lesser registry's edges those between versions that it
// has, and of its sources those that it shows anything of,
// and now and then one that is left with edges alone, which says no more.
func (t *twin) settle() {
	seen := map[string]bool{}
	for s, cat := range t.without {
		for _, op := range cat.Operations {
			family := op.Family
			if family == "" {
				family = s + "." + op.Name
			}
			seen[family+op.Version] = true
		}
	}
	for s, cat := range t.without {
		cat.Edges = slices.DeleteFunc(slices.Clone(cat.Edges), func(e interlock.Edge) bool { return !seen[e.Family+e.From] || !seen[e.Family+e.To] })
		if t.without[s] = cat; len(cat.Operations) == 0 && len(cat.Edges)%2 == 0 {
			delete(t.without, s)
		}
	}
}

// operation draws a tool. Its contract and its secrets follow family and version
// alone, so that neighbours agree.
func (l lottery) operation(name string) (has, never interlock.Operation) {
	op := interlock.Operation{Name: name, Family: l.of(twinFamilies...), Version: l.of(twinVersions...), Effect: interlock.EffectRead,
		State: interlock.State(l.of("", "", "", "", "deprecated", "retired")), Binding: json.RawMessage(fmt.Sprintf(`"%s"`, name))}
	kind := (len(op.Family) + 2*int(op.Version[0]) + int(op.Version[2])) % 6
	if kind == 5 {
		op.Effect = interlock.EffectWrite
	}
	for i := range 1 + l.IntN(3) {
		op.Variants = append(op.Variants, interlock.Variant{ID: fmt.Sprint(i), Description: l.words(2 + l.IntN(7))})
	}
	if l.IntN(3) == 0 {
		op.Aliases = []string{l.words(1 + l.IntN(2))}
	}
	op.InputSchema = json.RawMessage([]string{`{"type":"object","properties":{"city":{"type":"string"}}}`, `{"type":"object","required":["city"],"properties":{"city":{"type":"string"}}}`}[kind%2])
	op.OutputSchema = json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"}}}`)
	op.Fields = []interlock.FieldMeaning{{At: "output:/by", SemanticID: "loud"}}
	has, never = op, op
	switch kind {
	case 1:
		has.OutputSchema = json.RawMessage(`{"type":"object","properties":{"secret1":{"type":"number","description":"zebra 縞馬"},"by":{"type":"string"}},"required":["secret1"]}`)
	case 2:
		has.OutputSchema = json.RawMessage(`{"$defs":{"zebra":{"type":"string","enum":["zebra"]}},"type":"object","properties":{"by":{"type":"string"},"other":{},"in":{"type":"object","properties":{"a":{},"secret2":{"$ref":"#/$defs/zebra"}}}}}`)
		never.OutputSchema = json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"},"in":{"type":"object","properties":{"a":{}}}}}`)
		has.Fields = append(has.Fields[:1:1], interlock.FieldMeaning{At: "output:/other", SemanticID: "hush"})
	case 4:
		has.InputSchema = json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"secret3":{"type":"string","description":"zebra"}}}`)
	}
	return has, never
}

func (l lottery) edges() []interlock.Edge {
	var out []interlock.Edge
	for range l.IntN(6) {
		from, to := l.IntN(len(twinVersions)), l.IntN(len(twinVersions))
		out = append(out, interlock.Edge{Family: l.of(twinFamilies[:3]...), From: twinVersions[from], To: twinVersions[to], Compat: interlock.Compat(l.of("none", "backward", "full"))})
	}
	return out
}

// need draws a need as JSON.
func (l lottery) need(t *twin) string {
	need := map[string]any{"need": l.words(1 + l.IntN(6))}
	if l.IntN(3) == 0 && len(t.hidden) > 0 {
		need["need"] = l.of(t.hidden...) + " " + l.words(1)
	}
	if l.IntN(4) == 0 {
		need["need"] = need["need"].(string) + " " + l.of("zebra", "縞馬", "secret1", "hush", "secret")
	}
	if l.IntN(2) == 0 {
		need["have"] = []string{"city"}
	}
	if l.IntN(3) == 0 {
		need["k"] = 1 + l.IntN(8)
	}
	if l.IntN(4) == 0 {
		need["want"] = []map[string]string{{"semantic_id": l.of("hush", "loud", "none")}}
	}
	if l.IntN(6) == 0 {
		need["effects"] = []string{l.of("read", "write", "destructive")}
	}
	if l.IntN(6) == 0 {
		need["budget"] = map[string]int{l.of("tokens", "schema_bytes"): 40 + l.IntN(400)}
	}
	if l.IntN(4) == 0 {
		need["explain"] = true
	}
	if l.IntN(6) == 0 {
		need["context"] = []string{l.words(3)}
	}
	if l.IntN(6) == 0 {
		need["need"] = "open the " + l.words(2) + " and close the " + l.words(2)
	}
	asked, rules := map[string]bool{}, []map[string]string{}
	for range l.IntN(3) {
		c := map[string]string{"family": l.of("weather.current", "note.write", "document.extract", "s0.t1", "*"), "range": l.of("^1.0", "^2.0", ">=1.0.0", "1.x || 3.x", "2.0.0", "^9.0", "oops")}
		if l.IntN(3) == 0 {
			c["built_against"] = l.of(twinVersions...)
		}
		if !asked[c["family"]] {
			rules = append(rules, c)
		}
		asked[c["family"]] = true
	}
	if len(rules) > 0 {
		need["constraints"] = rules
	}
	text, err := json.Marshal(need)
	if err != nil {
		panic(err)
	}
	return string(text)
}
