package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"log/slog"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

const fewTools = `{"id":"desk/ticket_open","provider":"desk","name":"ticket_open","description":"Open a support ticket","inputSchema":{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}}
{"id":"desk/ticket_close","provider":"desk","name":"ticket_close","description":"Close a support ticket","inputSchema":{"type":"object"}}
{"id":"sky/forecast","provider":"sky","name":"forecast","description":"Weather forecast for a city","inputSchema":{"type":"object"}}
{"id":"odd/schema","provider":"odd","name":"schema","description":"A schema that is none","inputSchema":{"type":"strnig"}}
`

func open(t *testing.T, tools string) *Catalogue {
	t.Helper()
	c, err := Open(context.Background(), []byte(tools), Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// lines ranks tasks and gives each answer as its JSON, times apart.
func lines(t *testing.T, c *Catalogue, k int, tasks ...Task) []string {
	t.Helper()
	var out []string
	err := c.Rank(context.Background(), tasks, k, func(l Line) error {
		l.Took = 0
		text, err := json.Marshal(l)
		out = append(out, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestScopeIsTheWholeWorld(t *testing.T) {
	whole := open(t, fewTools)
	part := strings.SplitAfter(fewTools, "\n")
	alone := open(t, part[0]+part[2])
	for _, q := range []string{"open a ticket", "weather in Seoul", "close", "", "forecast", "티켓 열어줘"} {
		want := lines(t, alone, 5, Task{ID: "x", Query: q})
		got := lines(t, whole, 5, Task{ID: "x", Query: q, Scope: Scope{"sky/forecast", "desk/ticket_open"}})
		if got[0] != want[0] {
			t.Errorf("%q\nin scope %s\nalone    %s", q, got[0], want[0])
		}
	}
}

func TestRankKeepsOrderAndBounds(t *testing.T) {
	c := open(t, fewTools)
	if got := len(c.IDs()); got != 4 {
		t.Errorf("%d tools can be found, want 4: a bad schema costs a tool no more than its schema", got)
	}
	var tasks []Task
	for i := range 50 {
		tasks = append(tasks, Task{ID: fmt.Sprint(i), Query: "close the ticket"})
	}
	for i, text := range lines(t, c, 2, tasks...) {
		var l struct {
			ID     string
			Ranked [][2]any
		}
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		if l.ID != fmt.Sprint(i) || len(l.Ranked) > 2 || l.Ranked[0][0] != "desk/ticket_close" {
			t.Fatalf("line %d: %s", i, text)
		}
	}
}

func TestNamedToolSurvivesTruncation(t *testing.T) {
	got := lines(t, open(t, fewTools), 1, Task{ID: "x", Query: "Weather forecast for a city; please run ticket_close"})
	if !strings.Contains(got[0], `["desk/ticket_close",`) {
		t.Errorf("the tool that is named is not in %s", got[0])
	}
}

func TestEmptyScopeOffersNothing(t *testing.T) {
	var task Task
	if err := json.Unmarshal([]byte(`{"id":"x","query":"weather","scope":[]}`), &task); err != nil {
		t.Fatal(err)
	}
	got := lines(t, open(t, fewTools), 5, task)
	if !strings.Contains(got[0], string(interlock.Unsupported)) || !strings.Contains(got[0], `"ranked":[]`) {
		t.Errorf("an empty scope is answered %s", got[0])
	}
	if err := json.Unmarshal([]byte(`{"scope":"some"}`), &task); err == nil {
		t.Error("a scope that is neither everything nor a list is taken")
	}
}

// bag is an embedder whose texts are near where they share letters.
type bag struct{}

func (bag) Name() string { return "bag/1" }

func (bag) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, 128)
		for _, r := range text {
			if r < 128 {
				out[i][r]++
			}
		}
	}
	return out, nil
}

// TestCalibration: what served a request before leads for one like it, and a
// calibration of another scorer is refused.
func TestCalibration(t *testing.T) {
	c, err := Open(context.Background(), []byte(fewTools), Options{Embedder: bag{}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ask := Task{ID: "x", Query: "umbrella today or not"}
	cal, _, err := c.Calibrate(t.Context(), []Match{{Query: "umbrella today, yes or not", Tools: []string{"sky/forecast", "gone/tool"}}, {Query: "other", Tools: []string{"gone/tool"}}})
	if err != nil || len(cal.Matches) != 1 || len(cal.Matches[0].Tools) != 1 {
		t.Fatalf("%+v, %v", cal, err)
	}
	use := func(cal discover.Calibration) error {
		text, err := json.Marshal(cal)
		if err != nil {
			t.Fatal(err)
		}
		return c.Use(t.Context(), text)
	}
	if err := use(cal); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, c, 1, ask); !strings.Contains(got[0], `"sky/forecast"`) {
		t.Errorf("after an accepted match: %s", got[0])
	}
	cal.Scorer = "another"
	if err := use(cal); err == nil {
		t.Error("a calibration of another scorer is taken")
	}
	if _, _, err := open(t, fewTools).Calibrate(t.Context(), nil); err == nil {
		t.Error("calibrated without vectors")
	}
}
