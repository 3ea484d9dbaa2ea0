package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding/lexicon"
	"github.com/seed-ae386458/interlock/router"
)

// things, and what is done to them, as tools and needs of several languages say.
var (
	spokenThings = [][]string{
		{"invoice", "請求書", "청구서", "发票"}, {"calendar", "カレンダー", "캘린더", "日历"}, {"weather", "天気", "날씨", "天气"},
		{"employee", "社員", "직원", "员工"}, {"lamp", "ランプ", "램프", "灯"}, {"flight", "航空便", "항공편", "航班"},
	}
	spokenActs = []struct {
		name   string
		effect interlock.Effect
		says   [4]string // with %s for the thing
	}{
		{"list", interlock.EffectRead, [4]string{"List every %s", "%sの一覧を表示します", "%s 목록을 보여줍니다", "列出所有%s"}},
		{"search", interlock.EffectRead, [4]string{"Search for a %s by name", "名前で%sを検索します", "이름으로 %s 검색", "按名称搜索%s"}},
		{"get", interlock.EffectRead, [4]string{"Read one %s", "%sを取得します", "%s 조회", "查询%s"}},
		{"create", interlock.EffectWrite, [4]string{"Create a new %s", "新しい%sを作成します", "새 %s 만들기", "创建新的%s"}},
		{"delete", interlock.EffectDestructive, [4]string{"Delete a %s for good", "%sを削除します", "%s 삭제", "删除%s"}},
	}
)

// spoken gives a catalogue a source whose tools speak one language each.
func (g gen) spoken(tools int) map[string]interlock.Catalogue {
	cats := map[string]interlock.Catalogue{}
	for _, s := range genSources {
		cats[s] = interlock.Catalogue{Tenant: g.pick("shared", "shared", "shared", "b")}
	}
	for i := range tools {
		s := g.pick(genSources...)
		cat := cats[s]
		cat.Operations = append(cat.Operations, g.spokenTool(i))
		cat.Total++
		cats[s] = cat
	}
	return cats
}

func (g gen) spokenTool(i int) interlock.Operation {
	thing, act, l := spokenThings[g.IntN(len(spokenThings))], spokenActs[g.IntN(len(spokenActs))], g.IntN(4)
	op := interlock.Operation{Name: fmt.Sprintf("%s_%s_t%d", act.name, thing[0], i), Version: "1.0.0", Effect: act.effect, Binding: json.RawMessage(`"b"`),
		Variants: []interlock.Variant{{ID: "d", Description: fmt.Sprintf(act.says[l], thing[l])}}, OutputSchema: json.RawMessage(`{"type":"object"}`)}
	if g.IntN(4) == 0 {
		op.Name = fmt.Sprintf("%s%d", thing[l], i)
	}
	if g.IntN(4) == 0 {
		op.Title = thing[g.IntN(4)]
	}
	switch act.name {
	case "search":
		op.InputSchema = json.RawMessage(`{"type":"object","required":["query"],"properties":{"query":{"type":"string"}}}`)
	case "get", "delete":
		op.InputSchema = fmt.Appendf(nil, `{"type":"object","required":["%[1]s_id"],"properties":{"%[1]s_id":{"type":"string","description":%[2]q},"secret9":{"type":"string","description":"zebra 明細 lamp"}}}`, thing[0], thing[l])
	default:
		op.InputSchema = json.RawMessage(`{"type":"object","properties":{"note":{"type":"string"}}}`)
	}
	return op
}

func (g gen) spokenNeed() interlock.Need {
	one := func() string {
		thing, act, l := spokenThings[g.IntN(len(spokenThings))], spokenActs[g.IntN(len(spokenActs))], g.IntN(4)
		return fmt.Sprintf(act.says[l], thing[l])
	}
	need := interlock.Need{Text: one(), K: g.IntN(8), Explain: g.IntN(3) == 0}
	switch g.IntN(6) {
	case 0:
		need.Text += " and then " + one()
	case 1:
		need.Text += g.pick(" of the choir", ` "Alpha"`, " Westworld", " 12345", " zebra", " device", " document")
	case 2:
		need.Context = []string{one()}
	case 3:
		need.Have = []string{spokenThings[g.IntN(len(spokenThings))][0] + "_id"}
	case 4:
		need.Effects = []interlock.Effect{interlock.EffectRead}
	}
	return need
}

const spokenLaw = permitAll + `
forbid (principal, action == Action::"discover", resource) when { resource.tags.contains("vis=hidden") || resource.tenant == "b" };
forbid (principal, action == Action::"readField", resource) when { resource.at like "*secret*" };
forbid (principal, action == Action::"invoke", resource) when { resource.tags.contains("use=denied") };`

// TestNonInterferenceAcrossLanguages hides tools, masks inputs and denies calls
// among tools that say the same in several languages, and expects the bytes of a
// registry that never had what is hidden, whatever order it was filled in.
func TestNonInterferenceAcrossLanguages(t *testing.T) {
	lex, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	m, err := model()
	if err != nil {
		t.Fatal(err)
	}
	laws := policies(t, spokenLaw)
	kinds := map[interlock.Disposition]int{}
	for seed := range uint64(8) {
		g := newGen(9000 + seed)
		with := g.spoken(30 + g.IntN(60))
		without := map[string]interlock.Catalogue{}
		alice := interlock.Principal{Name: "alice", Tenant: "a"}
		for source, cat := range with {
			part := cat
			part.Operations = nil
			for i := range cat.Operations {
				op := &cat.Operations[i]
				switch g.IntN(4) {
				case 0:
					op.Tags = map[string]string{"vis": "hidden"}
					continue
				case 1:
					op.Tags = map[string]string{"use": "denied"}
				}
				never := *op
				never.InputSchema = json.RawMessage(strings.ReplaceAll(string(op.InputSchema), `,"secret9":{"type":"string","description":"zebra 明細 lamp"}`, ""))
				part.Operations = append(part.Operations, never)
			}
			if cat.Tenant == "b" {
				part.Operations = nil
			}
			part.Total = len(part.Operations)
			with[source], without[source] = cat, part
		}
		order := slices.Clone(genSources)
		slices.Reverse(order)
		shelves := map[*router.Router]*shelf{}
		open := func(cats map[string]interlock.Catalogue, order []string) *router.Router {
			s := &shelf{stock: map[string]interlock.Catalogue{}}
			r := newRouterWith(t, s, func(o *router.Options) {
				if o.Glosser = lex; seed%4 == 3 {
					o.Embedder = builtin{m}
				}
			})
			stock(t, r, s, cats, order)
			r.SetPolicies(laws)
			shelves[r] = s
			return r
		}
		a, b := open(with, genSources), open(without, order)
		c := open(with, genSources)
		for range 3 {
			name := g.pick(genSources...)
			shelves[c].put(name, without[name])
			if _, err := c.Refresh(t.Context(), name); err != nil {
				t.Fatal(err)
			}
			shelves[c].put(name, with[name])
			if _, err := c.Refresh(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
		for range 80 {
			need := g.spokenNeed()
			sameFor(t, a, b, alice, answered, need)
			sameFor(t, b, c, alice, unnamed, need)
			if res, err := b.Resolve(t.Context(), alice, need); err == nil {
				kinds[res.Disposition]++
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if len(kinds) < 5 {
		t.Errorf("the answers are of few kinds: %v", slices.Sorted(maps.Keys(kinds)))
	}
}

// unnamed is the answer on one processor, without the name of the view.
func unnamed(r *router.Router, who interlock.Principal, need interlock.Need) ([]byte, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if err := r.Settle(context.Background()); err != nil {
		return nil, err
	}
	res, err := r.Resolve(context.Background(), who, need)
	if err != nil {
		return nil, err
	}
	res.Snapshot = interlock.View{}
	for i, c := range res.Candidates {
		res.Candidates[i].Offer = fmt.Sprintf("%d characters", len(c.Offer))
	}
	return interlock.Marshal(res)
}
