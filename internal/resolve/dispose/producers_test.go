package dispose_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
)

// television is a source of which one tool is near to what is asked here, and
// what leads to its id is not.
func television(t *testing.T) stage {
	t.Helper()
	takes := func(o interlock.Operation, id string) interlock.Operation {
		o.InputSchema = json.RawMessage(`{"type":"object","required":["` + id + `"],"properties":{"` + id + `":{"type":"string"}}}`)
		return o
	}
	return newStage(t,
		takes(op("episode_stills", "tv.stills", "1.0.0", "Pictures from the making"), "episode_id"),
		takes(op("list_episodes", "tv.episodes", "1.0.0", "What was broadcast, in order"), "season_id"),
		op("list_seasons", "tv.seasons", "1.0.0", "Years of broadcasting"),
		op("ring", "bell.ring", "1.0.0", "Ring a bell in a tower"))
}

func required(a dispose.Answer) []string {
	out := []string{}
	for _, f := range a.Required() {
		out = append(out, f.Tool.ID)
	}
	return out
}

// TestChainIsRequired: what leads to the id of the only confident tool belongs to
// the complete set, and to one that does not fit K or the calls; where an agent
// names the tool itself, what leads to its id is there for who wants it.
func TestChainIsRequired(t *testing.T) {
	s := television(t)
	ask := func(need interlock.Need) dispose.Answer { return s.decide(need, discover.LexicalScorer()) }
	const pictures = "pictures from the making"
	all := []string{"s/episode_stills", "s/list_episodes", "s/list_seasons"}
	if a := ask(interlock.Need{Text: pictures}); a.Disposition() != interlock.NeedsInput || !slices.Equal(required(a), all) || len(a.Missing()) != 1 || a.Missing()[0].Name != "episode_id" || a.Missing()[0].FoundBy != "s/list_episodes" {
		t.Errorf("%s of %v, %v missing", a.Disposition(), required(a), a.Missing())
	}
	for budget, need := range map[string]interlock.Need{"k": {Text: pictures, K: 2}, "calls": {Text: pictures, Budget: interlock.Budget{Calls: 2}}} {
		a := ask(need)
		over, ok := a.Refusal().(*interlock.OverBudget)
		if !ok || over.Budget != budget || over.Needs != 3 || len(a.Missing()) != 1 || a.Missing()[0].Tool != "s/list_seasons" {
			t.Errorf("%s: %v, %v missing", budget, a.Refusal(), a.Missing())
		}
	}
	if a := ask(interlock.Need{Text: pictures, Have: []string{"episode_id"}, K: 1}); a.Disposition() != interlock.Supported || !slices.Equal(required(a), all[:1]) {
		t.Errorf("with the id in hand: %s of %v", a.Disposition(), required(a))
	}
	named := ask(interlock.Need{Text: "call s/episode_stills", K: 1})
	more := []string{}
	for _, f := range named.More() {
		more = append(more, f.Tool.ID)
	}
	if !slices.Equal(required(named), all[:1]) || len(more) < 2 || !slices.Equal(more[:2], all[1:]) {
		t.Errorf("named: %v, and %v", required(named), more)
	}
}

// TestChainOfOneRequest: of a need of several requests each pulls what leads to
// its ids into the set.
func TestChainOfOneRequest(t *testing.T) {
	a := television(t).decide(interlock.Need{Text: "get the pictures from the making and ring the bell in the tower"}, discover.LexicalScorer())
	got := required(a)
	if len(a.Intents()) != 2 || !slices.Equal(got, []string{"s/episode_stills", "s/ring", "s/list_episodes", "s/list_seasons"}) {
		t.Errorf("%s, %v of %v", a.Disposition(), got, a.Intents())
	}
	var ordered []string
	for _, f := range a.Ordered() {
		ordered = append(ordered, f.Tool.ID)
	}
	if !slices.Equal(ordered, got) {
		t.Errorf("in order %v", ordered)
	}
}
