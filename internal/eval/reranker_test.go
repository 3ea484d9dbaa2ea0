package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/endpoint"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// knowing serves POST /rerank as a model would that knows what serves each
// request; turned round it knows and says the opposite.
func knowing(t *testing.T, cat *Catalogue, cases []Case, round bool) interlock.Reranker {
	t.Helper()
	view := snapshot.Take(cat.keeper, interlock.Local()).View()
	serves := map[string]map[string]bool{} // request → wordings of the tools that serve it
	for _, c := range cases {
		serves[c.Query] = map[string]bool{}
		for _, id := range golden(c) {
			if tool := view.Tool(id); tool != nil {
				serves[c.Query][snapshot.Wording(tool)] = true
			}
		}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Query     string   `json:"query"`
			Documents []string `json:"documents"`
		}
		if json.NewDecoder(r.Body).Decode(&body) != nil {
			return
		}
		rows := []map[string]any{}
		for i, d := range body.Documents {
			score := 0.1
			if serves[body.Query][d] != round {
				score = 0.9
			}
			rows = append(rows, map[string]any{"index": i, "relevance_score": score})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"results": rows})
	}))
	t.Cleanup(s.Close)
	out, err := endpoint.NewReranker(endpoint.Options{URL: s.URL, Model: "knowing", Timeout: time.Minute, Clock: time.Now, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// golden gives every tool that serves a case of one intent.
func golden(c Case) []string {
	var gold [][]string
	if json.Unmarshal(c.Gold, &gold) != nil || len(gold) != 1 {
		return nil
	}
	return gold[0]
}

// TestSuiteReranker measures what a reranker can do: one that knows lifts the
// right tool to the first place wherever it is among those that it is shown, one
// that says the opposite takes it from there, and neither changes whether a need
// is answered, or brings in a tool that was not there.
func TestSuiteReranker(t *testing.T) {
	cat, all := labelled(t, true)
	var cases []Case
	for _, c := range all {
		if string(c.Scope) == `"*"` && c.Kind == "single" && fold(c.ID)%5 == 1 && len(golden(c)) > 0 {
			cases = append(cases, c)
		}
	}
	const first = 20
	type tally struct{ first, five, pool, moved int }
	count := func(r interlock.Reranker, base map[string]string) (n tally, kinds map[string]string) {
		cat.opts.Reranker, cat.opts.RerankFirst = r, first
		kinds = map[string]string{}
		for _, c := range cases {
			scope := within(cat, c.ID, golden(c), 1000)
			answer, err := cat.answer(context.Background(), snapshot.Take(cat.keeper, scope.principal()), interlock.Need{Text: c.Query})
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			best := interlock.Score(0)
			for _, f := range answer.Result().Whole().Compatible() {
				ids = append(ids, f.Tool.ID)
				best = max(best, f.Score)
			}
			at := slices.IndexFunc(ids, func(id string) bool { return slices.Contains(golden(c), id) })
			if at == 0 {
				n.first++
			}
			if at < 5 {
				n.five++
			}
			if at < first {
				n.pool++
			}
			slices.Sort(ids)
			kinds[c.ID] = fmt.Sprintf("%t %v %v", best >= 0.62, best, ids)
			if base != nil && kinds[c.ID] != base[c.ID] {
				n.moved++
			}
		}
		return n, kinds
	}
	plain, kinds := count(nil, nil)
	oracle, _ := count(knowing(t, cat, cases, false), kinds)
	worst, _ := count(knowing(t, cat, cases, true), kinds)
	cat.opts.Reranker = nil
	fmt.Printf("reranker over the first %d of 1,000 tools, %d requests: without, first %d, five %d, in the pool %d; knowing %d, %d; the opposite %d, %d\n",
		first, len(cases), plain.first, plain.five, plain.pool, oracle.first, oracle.five, worst.first, worst.five)
	if oracle.first < plain.pool-len(cases)/50 || worst.first >= plain.first {
		t.Error("what the reranker says is not followed")
	}
	if oracle.moved+worst.moved > 0 || oracle.pool != plain.pool || worst.pool != plain.pool {
		t.Errorf("%d answers differ in more than their order", oracle.moved+worst.moved)
	}
}

// TestSuiteRerankedGate measures what a reranker is worth for telling whether
// anything serves a request, once a calibration was made with it: the request
// with its right tools and without them, on matches that the calibration did not
// see.
func TestSuiteRerankedGate(t *testing.T) {
	cat, all := labelled(t, true)
	var cases []Case
	for _, c := range all {
		if string(c.Scope) == `"*"` && c.Kind == "single" && fold(c.ID)%4 == 1 && len(golden(c)) > 0 {
			cases = append(cases, c)
		}
	}
	var learn []Match
	var rest []row
	for _, c := range cases {
		m := Match{Query: c.Query, Tools: golden(c)}
		if fold(clusterOf(c.Query))%2 == 0 {
			learn = append(learn, m)
		} else {
			rest = append(rest, row{Match: m})
		}
	}
	told := func(r interlock.Reranker) float64 {
		cat := *cat
		cat.opts.Reranker, cat.opts.RerankFirst = r, 20
		cal, _, err := cat.Calibrate(t.Context(), learn)
		if err != nil {
			t.Fatal(err)
		}
		if (cal.Reranked != nil) != (r != nil) {
			t.Errorf("the gate of %v: %+v", r, cal.Reranked)
		}
		text, err := json.Marshal(cal)
		if err != nil {
			t.Fatal(err)
		}
		if err := cat.Use(t.Context(), text); err != nil {
			t.Fatal(err)
		}
		var with, without []float64
		for _, r := range rest {
			ts, _, err := cat.both(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			with, without = append(with, ts[0].servable), append(without, ts[1].servable)
		}
		return area(with, without)
	}
	plain, asked := told(nil), told(knowing(t, cat, cases, false))
	fmt.Printf("right tool withdrawn from %d tools, calibrated on %d matches, %d others: AUROC %.3f, with a reranker that knows %.3f\n", len(cat.ids), len(learn), len(rest), plain, asked)
	if asked < plain+0.1 {
		t.Error("what the reranker says is not used")
	}
}
