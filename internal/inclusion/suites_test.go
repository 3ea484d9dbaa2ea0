package inclusion

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// row is one labelled pair.
type row struct {
	ID       string
	Old, New json.RawMessage
	Backward *bool
	Forward  *bool
	Error    string
	Equal    *bool `json:"equivalent"`
}

// suiteRows reads a published suite, where a copy lies beside the checkout.
func suiteRows(t testing.TB, name string) []row {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "compat", "schema-pairs", name))
	if err != nil {
		t.Skipf("the suite is not here: %v", err)
	}
	defer f.Close() //nolint:errcheck // read only
	var out []row
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return out
		}
		var r row
		if bytes.Contains(line, []byte("NaN")) {
			continue // no JSON
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
}

// claim is one question with the label that its source gives.
type claim struct {
	id         string
	small, big []byte
	draft      string
	label      *bool
}

func claimsOf(rows []row) []claim {
	var out []claim
	for _, r := range rows {
		if r.Error == "SchemaError" {
			continue
		}
		draft := draftOfPair(r.Old, r.New)
		back, forth := r.Backward, r.Forward
		if r.Equal != nil && *r.Equal {
			back, forth = r.Equal, r.Equal
		}
		out = append(out, claim{r.ID + " backward", r.Old, r.New, draft, back})
		if forth != nil {
			out = append(out, claim{r.ID + " forward", r.New, r.Old, draft, forth})
		}
	}
	return out
}

// draftOfPair is the dialect of a side that names none: the other side's,
// draft 4 where a boolean bound shows it, else draft 7.
func draftOfPair(a, b []byte) string {
	for _, text := range [][]byte{a, b} {
		var v map[string]any
		if err := json.Unmarshal(text, &v); err != nil {
			continue
		}
		if uri, ok := v["$schema"].(string); ok {
			if draft, ok := draftOf(uri); ok {
				return map[int]string{draft4: "draft4", draft6: "draft6", draft7: "draft7", draft2019: "draft2019-09", draft2020: "draft2020-12"}[draft]
			}
		}
		if bytes.Contains(text, []byte(`"exclusiveMinimum": true`)) || bytes.Contains(text, []byte(`"exclusiveMaximum": true`)) ||
			bytes.Contains(text, []byte(`"exclusiveMinimum":true`)) || bytes.Contains(text, []byte(`"exclusiveMaximum":true`)) ||
			bytes.Contains(text, []byte(`"exclusiveMinimum":false`)) || bytes.Contains(text, []byte(`"exclusiveMaximum":false`)) {
			return "draft4"
		}
	}
	return "draft7"
}

// disagreements lists by name the labels that are wrong under the semantics of
// JSON Schema, each with the reason.
func disagreements(t testing.TB) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "disagreements.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range bytes.Lines(text) {
		var d struct{ ID, Truth, Why string }
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		if d.Why == "" {
			t.Errorf("%s disagrees without a reason", d.ID)
		}
		out[d.ID] = d.Truth
	}
	return out
}

// Published pairs with labels: decided, and right.
func TestPublishedPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	wrongLabels := disagreements(t)
	for name, least := range map[string]float64{"karapace": .97, "apicurio": .97, "sentry": .97, "jsonsubschema": .9} {
		t.Run(name, func(t *testing.T) {
			rows := suiteRows(t, "pairs-"+name+".jsonl")
			right, all := 0, 0
			var times []time.Duration
			for _, c := range claimsOf(rows) {
				start := time.Now()
				r, err := Decide(c.small, c.big, Options{Draft: c.draft})
				took := time.Since(start)
				times = append(times, took)
				if took > 10*time.Millisecond {
					t.Logf("%s took %v: %v", c.id, took, r.Verdict)
				}
				all++
				want := map[bool]Verdict{true: Subset, false: NotSubset}[c.label != nil && *c.label]
				if truth, ok := wrongLabels[c.id]; ok {
					want = Verdict(truth)
				}
				switch {
				case err != nil || r.Verdict == Undecided:
					t.Logf("%s: %v %+v", c.id, err, r.Stopped)
				case c.label != nil && r.Verdict != want:
					t.Errorf("%s: %s, want %s; witness %s", c.id, r.Verdict, want, r.Witness)
				default:
					right++
				}
			}
			slices.Sort(times)
			t.Logf("%s: %d of %d right; median %v, p99 %v, longest %v", name, right, all, times[all/2], times[all*99/100], times[all-1])
			if float64(right) < least*float64(all) {
				t.Errorf("%d of %d decided and right", right, all)
			}
		})
	}
}

// BenchmarkPublishedPairs decides every published pair once an iteration.
func BenchmarkPublishedPairs(b *testing.B) {
	var claims []claim
	for _, name := range []string{"karapace", "apicurio", "sentry", "jsonsubschema"} {
		claims = append(claims, claimsOf(suiteRows(b, "pairs-"+name+".jsonl"))...)
	}
	b.ResetTimer()
	var times []time.Duration
	for b.Loop() {
		for _, c := range claims {
			start := time.Now()
			if _, err := Decide(c.small, c.big, Options{Draft: c.draft}); err != nil {
				b.Log(c.id, err)
			}
			times = append(times, time.Since(start))
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "µs/median")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "µs/p99")
	b.ReportMetric(float64(times[len(times)-1].Milliseconds()), "ms/longest")
}

func Example() {
	r, err := Decide([]byte(`{"type":"number"}`), []byte(`{"type":"integer"}`), Options{})
	fmt.Println(r.Verdict, string(r.Witness), r.Rules, err)
	// Output: not_subset 0.5 [{type-narrowed /type}] <nil>
}
