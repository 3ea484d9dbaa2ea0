package qualify

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

const header = `{"form":"interlock/cases/1","name":"t","catalogue":"tools.jsonl"}` + "\n"

// caseLine is a case with members of its own put over the usual ones.
func caseLine(id, more string) string {
	return fmt.Sprintf(`{"id":%q,"need":"n","language":"en","authored":"native","stratum":"supported","split":"dev"%s}`+"\n", id, more)
}

func TestReadCasesRefuses(t *testing.T) {
	for _, tc := range []struct{ text, says string }{
		{"", "empty"},
		{`{"form":"other"}`, "header"},
		{header + `{"id":"a"`, "Line 2"},
		{header + caseLine("a", `,"colour":"red"`), "colour"},
		{header + caseLine("", ""), "id is empty"},
		{header + caseLine("a", "") + caseLine("a", ""), "lines 2 and 3"},
		{header + caseLine("a", `,"split":"test"`), `split "test"`},
		{header + caseLine("a", `,"stratum":"hard"`), `stratum "hard"`},
		{header + caseLine("a", `,"authored":"machine"`), "authored"},
		{header + caseLine("a", `,"effects":["strong"]`), "no effect"},
	} {
		if _, err := ReadCases([]byte(tc.text)); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%q: %v, want something with %q", tc.text, err, tc.says)
		}
	}
}

func FuzzReadCases(f *testing.F) {
	f.Add([]byte(header + caseLine("a", `,"gold":{"disposition":"supported","tools":[["x"]]}`)))
	f.Add([]byte(header))
	f.Fuzz(func(_ *testing.T, text []byte) {
		if set, err := ReadCases(text); err == nil {
			_, _ = set.Scored("dev")
			set.Overlaps("dev")
		}
	})
}

// FuzzReadBack: what is read of a run's own files is read or refused, and a plan
// that is read is one that could be written.
func FuzzReadBack(f *testing.F) {
	text, err := DefaultPlan().Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"kind":"registered","at":"","plan":"","name":"","split":"","prev":""}`))
	f.Add([]byte(`{"form":"interlock/record/1","plan":{}}`))
	f.Add([]byte(`{"classes":{"a":["x","y"]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if p, err := ReadPlan(text); err == nil {
			if again, err := p.Text(); err != nil || len(again) == 0 {
				t.Errorf("a plan that was read cannot be written: %v", err)
			}
		}
		if l, err := ReadLedger(text); err == nil {
			_ = l.Admit(DefaultPlan(), nil)
		}
		if c, err := ReadClasses(text); err == nil {
			c.Widen([][]string{{"x"}})
		}
		_, _ = Check(text, text)
	})
}

func TestCasesWithoutGoldAreNotScored(t *testing.T) {
	for _, gold := range []string{``, `,"gold":{"disposition":""}`, `,"gold":{"disposition":"maybe"}`, `,"gold":{"disposition":"supported"}`, `,"gold":{"disposition":"unsupported","tools":[["x"]]}`, `,"gold":{"disposition":"forbidden","tools":[[]]}`} {
		set, err := ReadCases([]byte(header + caseLine("a", gold)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := set.Scored("dev"); interlock.ReasonOf(err) != interlock.ReasonGoldMissing {
			t.Errorf("gold %q: %v", gold, err)
		}
		if _, err := set.Scored("confirmation"); interlock.ReasonOf(err) != interlock.ReasonGoldMissing {
			t.Errorf("an empty split is scored: %v", err)
		}
	}
}

func TestOverlaps(t *testing.T) {
	text := header + caseLine("a", `,"split":"confirmation","provider":"p","author":"x"`) + caseLine("b", `,"provider":"p","author":"y"`) + caseLine("c", `,"split":"confirmation"`)
	set, err := ReadCases([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"provider p", "1 cases name no author"}, set.Overlaps(Confirmation)); diff != "" {
		t.Error(diff)
	}
}

func plan(t *testing.T, change func(p *Plan)) Plan {
	t.Helper()
	p := DefaultPlan()
	p.Name, p.Made = "t", "2026-01-01T00:00:00Z"
	p.Inputs = Inputs{Cases: Input{"c", "1"}, Catalogue: Input{"t", "2"}, Model: Input{"m", "3"}, Scorer: Input{"s", "4"}, Program: Input{"p", "5"}}
	if change != nil {
		change(&p)
	}
	p, err := p.Sealed()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPlanHoldsItsInputs(t *testing.T) {
	p := plan(t, nil)
	if err := p.Hold(p.Inputs); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		what   string
		change func(in *Inputs)
	}{
		{"cases", func(in *Inputs) { in.Cases.Digest = "x" }}, {"catalogue", func(in *Inputs) { in.Catalogue.Digest = "x" }},
		{"equivalents", func(in *Inputs) { in.Equivalents.Digest = "x" }}, {"model", func(in *Inputs) { in.Model.Digest = "x" }},
		{"scorer", func(in *Inputs) { in.Scorer.Digest = "x" }}, {"calibration", func(in *Inputs) { in.Calibration.Digest = "x" }}, {"program", func(in *Inputs) { in.Program.Digest = "x" }},
	} {
		in := p.Inputs
		tc.change(&in)
		err := p.Hold(in)
		if e := interlock.AsError(err); e.Reason != interlock.ReasonInputChanged || e.Pointer != "/inputs/"+tc.what || !strings.Contains(e.Public, "The "+tc.what) {
			t.Errorf("%s: %v", tc.what, err)
		}
	}
}

func TestPlanThatWasChanged(t *testing.T) {
	text, err := plan(t, nil).Text()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPlan(text); err != nil {
		t.Fatal(err)
	}
	for was, is := range map[string]string{`"k": 5`: `"k": 9`, `"margin": 0`: `"margin": -1`, `"false_accept": 0.4`: `"false_accept": 1`, `"baseline": "hybrid"`: `"baseline": "lexical"`} {
		changed := strings.Replace(string(text), was, is, 1)
		if changed == string(text) {
			t.Fatalf("%s does not stand in the plan", was)
		}
		if _, err := ReadPlan([]byte(changed)); interlock.ReasonOf(err) != interlock.ReasonPlanUnregistered {
			t.Errorf("%s: %v", is, err)
		}
	}
	for name, change := range map[string]func(p *Plan){"oracle": func(p *Plan) { p.Arms = append(p.Arms, Oracle) }, "none of the arms": func(p *Plan) { p.Candidate = "magic" },
		"operating point": func(p *Plan) { p.Point.FalseAccept = 1.5 }, "bytes of schema": func(p *Plan) { p.Bytes = 0 },
		"two of the arms": func(p *Plan) { p.Baseline = p.Candidate }, "primary measure": func(p *Plan) { p.Primary = "false_accept" }, "k lies": func(p *Plan) { p.K = 0 }} {
		p := plan(t, nil)
		change(&p)
		if _, err := p.Sealed(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLedger(t *testing.T) {
	p := plan(t, func(p *Plan) { p.Split = Confirmation })
	cases := []Case{{ID: "a", Digest: "aa"}, {ID: "b", Digest: "bb"}}
	var text []byte
	add := func(e Entry) {
		l, err := ReadLedger(text)
		if err != nil {
			t.Fatal(err)
		}
		line, err := l.Next(e)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, line...)
	}
	admit := func(p Plan, cases []Case) error {
		l, err := ReadLedger(text)
		if err != nil {
			t.Fatal(err)
		}
		return l.Admit(p, cases)
	}
	if err := admit(p, cases); interlock.ReasonOf(err) != interlock.ReasonPlanUnregistered {
		t.Errorf("a plan that nobody registered is admitted: %v", err)
	}
	add(Entry{Kind: Registered, Plan: p.Digest, Name: p.Name})
	if err := admit(p, cases); err != nil {
		t.Error(err)
	}
	add(Consumption(p, cases, "run-1", "yesterday"))
	other := plan(t, func(p *Plan) { p.Split, p.Name = Confirmation, "another" })
	add(Entry{Kind: Registered, Plan: other.Digest, Name: other.Name})
	err := admit(other, []Case{{ID: "new", Digest: "cc"}, cases[1]})
	if interlock.ReasonOf(err) != interlock.ReasonSplitConsumed || !strings.Contains(err.Error(), "run-1") {
		t.Errorf("a confirmation case is scored twice, under another plan and beside new ones: %v", err)
	}
	if err := admit(other, []Case{{ID: "new", Digest: "cc"}}); err != nil {
		t.Error(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i := range 2 {
		if _, err := ReadLedger(bytes.Join(slices.Delete(slices.Clone(lines), i, i+1), nil)); interlock.ReasonOf(err) != interlock.ReasonInputChanged {
			t.Errorf("line %d is gone and nobody noticed: %v", i+1, err)
		}
	}
}

func TestMayReadsTheLists(t *testing.T) {
	for _, tc := range []struct {
		who  *Asker
		tool string
		want bool
	}{
		{nil, "a/b", true},
		{&Asker{}, "a/b", false},
		{&Asker{Allow: []string{"*"}}, "a/b", true},
		{&Asker{Allow: []string{"a/*"}, Deny: []string{"a/b*"}}, "a/bc", false},
		{&Asker{Allow: []string{"*"}, Invoke: []string{"x*z"}}, "a/b", false},
		{&Asker{Allow: []string{"*"}, Invoke: []string{"x*y*z"}}, "x/aybz", true},
		{&Asker{Allow: []string{"a"}}, "ab", false},
	} {
		if got := tc.who.May(tc.tool); got != tc.want {
			t.Errorf("%+v may %s: %v", tc.who, tc.tool, got)
		}
	}
}

func TestJudge(t *testing.T) {
	supported := Line{Gold: Gold{Disposition: interlock.Supported, Tools: [][]string{{"s/a"}}}, Equal: [][]string{{"s/a", "t/a"}}, Sources: []string{"s"}}
	two := Line{Gold: Gold{Disposition: interlock.Supported, Tools: [][]string{{"s/a"}, {"s/b"}}}, Equal: [][]string{{"s/a"}, {"s/b"}}, Sources: []string{"s"}}
	asks := supported
	asks.Gold.Disposition, asks.Gold.Missing = interlock.NeedsInput, []string{"city"}
	none := Line{Gold: Gold{Disposition: interlock.Unsupported}}
	forbidden := Line{Gold: Gold{Disposition: interlock.Forbidden, Tools: [][]string{{"s/a"}}}}
	field := supported
	field.Gold.Outputs = []interlock.Want{{SemanticID: "x"}}
	shows := func(source string, tools ...string) Answer {
		return Answer{Disposition: interlock.Supported, Disclosed: tools, Ranked: tools, Count: len(tools), Source: source}
	}
	kind := func(d interlock.Disposition, a Answer) Answer { a.Disposition = d; return a }
	for _, tc := range []struct {
		name string
		line Line
		says Answer
		want Stage
	}{
		{"right", supported, shows("s", "s/a"), ""},
		{"an equal tool is right", supported, shows("t", "t/a"), ""},
		{"a sibling", supported, shows("s", "s/b"), AtOperation},
		{"another source's", supported, shows("u", "u/b"), AtRetrieval},
		{"refused though it was there", supported, Answer{Disposition: interlock.Unsupported, Ranked: []string{"s/a"}}, AtDisposition},
		{"refused because it was not", supported, Answer{Disposition: interlock.Unsupported, Ranked: []string{"u/b"}}, AtRetrieval},
		{"over budget", supported, kind(interlock.BudgetUnsatisfied, Answer{}), AtBudget},
		{"taken for forbidden", supported, kind(interlock.Forbidden, Answer{}), AtPolicy},
		{"half of a set", two, shows("s", "s/a"), AtRetrieval},
		{"nothing asked", asks, shows("s", "s/a"), AtParameter},
		{"the wrong thing asked", asks, kind(interlock.NeedsInput, Answer{Disclosed: []string{"s/a"}, Missing: []string{"day"}}), AtParameter},
		{"the right thing asked", asks, kind(interlock.NeedsInput, Answer{Disclosed: []string{"s/a"}, Missing: []string{"day", "city"}}), ""},
		{"no need to ask", supported, kind(interlock.NeedsInput, shows("s", "s/a")), AtParameter},
		{"field not given", field, shows("s", "s/a"), AtField},
		{"refused rightly", none, Answer{Disposition: interlock.Unsupported}, ""},
		{"accepted wrongly", none, shows("s", "s/a"), AtDisposition},
		{"forbidden rightly", forbidden, Answer{Disposition: interlock.Forbidden}, ""},
		{"a forbidden need accepted", forbidden, shows("u", "u/b"), AtPolicy},
		{"a forbidden need not told", forbidden, Answer{Disposition: interlock.Unsupported}, AtPolicy},
		{"disclosed what is barred", supported, Answer{Disposition: interlock.Supported, Disclosed: []string{"s/a"}, Barred: []string{"s/a"}}, AtDisclosure},
		{"everything", supported, Answer{Disposition: interlock.Supported, All: true}, ""},
	} {
		if got := Judge(tc.line, tc.says, 5).Failure; got != tc.want {
			t.Errorf("%s: failed at %q, want %q", tc.name, got, tc.want)
		}
	}
	beyond := two
	if got := Judge(beyond, shows("s", "s/a"), 1).Failure; got != AtBudget {
		t.Errorf("two tools in one place: failed at %q", got)
	}
	tied := func(tools ...string) Answer {
		return Answer{Disposition: interlock.Ambiguous, Disclosed: tools, Tied: tools}
	}
	for _, tc := range []struct {
		says Answer
		want bool
	}{{tied("s/a", "t/a"), true}, {tied("s/a"), false}, {tied("s/a", "t/a", "u/b"), false}, {shows("s", "s/a", "t/a"), false}} {
		if got := Judge(supported, tc.says, 5).Tie; got != tc.want {
			t.Errorf("%+v is a right tie: %v", tc.says, got)
		}
	}
}

func TestFigureIsWilsons(t *testing.T) {
	half := make([]sample, 10)
	for i := range half {
		half[i] = sample{fmt.Sprint(i), float64(i % 2)}
	}
	if got, want := figure(half), (Figure{10, 10, 0.5, 0.2366, 0.7634}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	all := []sample{{"a", 1}, {"b", 1}, {"c", 1}}
	if got := figure(all); got.High != 1 || got.Low < 0.43 || got.Low > 0.45 {
		t.Errorf("three of three: %+v", got)
	}
	for i := range half {
		half[i].cluster = fmt.Sprint(i / 5)
	}
	if got := figure(half); got.Clusters != 2 || got.High-got.Low < 0.7 {
		t.Errorf("two clusters are told like ten: %+v", got)
	}
}

func TestBootstrap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 400
	sums, sizes := make([]float64, n), make([]int, n)
	mean, square := 0.0, 0.0
	for i := range sums {
		sums[i], sizes[i] = float64(r.IntN(3)-1), 1
		mean += sums[i] / float64(n)
	}
	for _, x := range sums {
		square += (x - mean) * (x - mean) / float64(n)
	}
	low, high := bootstrap(sums, sizes, 4000, 7)
	half := z95 * math.Sqrt(square/float64(n))
	if math.Abs(low-(mean-half)) > 0.01 || math.Abs(high-(mean+half)) > 0.01 {
		t.Errorf("[%.3f, %.3f], and the normal interval is %.3f ± %.3f", low, high, mean, half)
	}
	if a, b := bootstrap(sums, sizes, 4000, 7); a != low || b != high {
		t.Error("the same seed gave another interval")
	}
	if a, b := bootstrap(sums, sizes, 4000, 8); a == low && b == high {
		t.Error("another seed gave the same interval to the last digit")
	}
	// One cluster says nothing of how clusters differ.
	if a, b := bootstrap([]float64{3}, []int{4}, 200, 1); a != 0.75 || b != 0.75 {
		t.Errorf("one cluster: [%v, %v]", a, b)
	}
}

// TestCurve holds the curve against counting every pair.
func TestCurve(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 5))
		var lines []Line
		for i := range 40 {
			d := interlock.Supported
			if r.IntN(2) == 0 {
				d = interlock.Unsupported
			}
			lines = append(lines, Line{Case: fmt.Sprint(i), Cluster: fmt.Sprint(i), Gold: Gold{Disposition: d, Tools: nil}, Answers: []Answer{{Arm: "x", Signal: float64(r.IntN(12)) / 12}}})
		}
		wins, pairs := 0.0, 0.0
		for _, a := range lines {
			for _, b := range lines {
				if a.Served() && !b.Served() {
					pairs++
					switch x, y := a.Answers[0].Signal, b.Answers[0].Signal; {
					case x > y:
						wins++
					case x == y:
						wins += 0.5
					}
				}
			}
		}
		c := curve(judgeAll(lines, 5), "x")
		if math.Abs(c.AUROC-wins/pairs) > 1e-4 {
			t.Errorf("seed %d: %v, counted %v", seed, c.AUROC, wins/pairs)
		}
		for _, p := range c.Points {
			refused, accepted := 0, 0
			for _, l := range lines {
				switch x := l.Answers[0].Signal; {
				case l.Served() && round(x) < p.From:
					refused++
				case !l.Served() && round(x) >= p.From:
					accepted++
				}
			}
			if got, want := fmt.Sprint(p.FalseRefusal, p.FalseAccept), fmt.Sprint(round(float64(refused)/float64(c.Served)), round(float64(accepted)/float64(c.None))); got != want {
				t.Fatalf("seed %d, from %v: %s, counted %s", seed, p.From, got, want)
			}
		}
	}
}
