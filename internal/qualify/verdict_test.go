package qualify

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// scored makes lines over every cell of a small population: the pipeline is
// right but for what wrong says, the hybrid is right in every other case and
// refuses nothing.
func scored(wrong func(i int, stratum string) bool) []Line {
	var lines []Line
	for s, stratum := range Strata() {
		for i := range 40 {
			l := Line{Case: fmt.Sprint(stratum, i), Cluster: fmt.Sprint(stratum, i), Language: "en", Tools: "en", Stratum: stratum, Authored: Native,
				Effect: []string{"read", "mutation"}[i%2], Sources: []string{"s"}, Equal: [][]string{}}
			l.Gold.Disposition = []interlock.Disposition{interlock.Supported, interlock.Ambiguous, interlock.NeedsInput, interlock.Unsupported, interlock.Unsupported, interlock.Forbidden}[s]
			if l.Gold.Disposition != interlock.Unsupported {
				for range i%3 + 1 {
					l.Gold.Tools = append(l.Gold.Tools, []string{fmt.Sprint("s/", len(l.Gold.Tools))})
				}
				l.Equal = l.Gold.Tools
			}
			right := Answer{Arm: Pipeline, Disposition: l.Gold.Disposition, Signal: 0.1, Disclosed: []string{}, Ranked: []string{}, Source: "s"}
			if l.Served() {
				right.Signal = 0.9
				for _, any := range l.Gold.Tools {
					right.Disclosed = append(right.Disclosed, any[0])
				}
			}
			hybrid := right
			hybrid.Arm, hybrid.Disposition = Hybrid, interlock.Supported
			if i%2 == 0 {
				hybrid.Disclosed = []string{"u/x"}
			}
			pipeline := right
			if wrong != nil && wrong(i, stratum) {
				pipeline.Disclosed, pipeline.Source = []string{"s/other"}, "s"
			}
			l.Answers = []Answer{pipeline, hybrid}
			lines = append(lines, l)
		}
	}
	return lines
}

func small(t *testing.T, change func(p *Plan)) Plan {
	return plan(t, func(p *Plan) {
		p.Arms, p.Split, p.Precision = []string{Hybrid, Pipeline}, Confirmation, 0.2
		p.Population = Population{Languages: []string{"en"}, Strata: Strata(), Least: 20}
		if change != nil {
			change(p)
		}
	})
}

func TestVerdicts(t *testing.T) {
	for _, tc := range []struct {
		name    string
		plan    func(p *Plan)
		lines   func() []Line
		run     Run
		verdict string
		stage   Stage
		says    string
	}{
		{"everything holds", nil, func() []Line { return scored(nil) }, Run{}, Promote, "", "pipeline holds against hybrid"},
		{"one disclosure ends it", nil, func() []Line {
			l := scored(nil)
			l[3].Answers[0].Barred = []string{"s/0"}
			return l
		}, Run{}, Reject, AtDisclosure, "may not be offered"},
		{"it falls behind", nil, func() []Line { return scored(func(int, string) bool { return true }) }, Run{}, Reject, AtOperation, "falls behind"},
		{"a tie is no win at a margin", func(p *Plan) { p.Margin = 0.4 }, func() []Line { return scored(func(i int, _ string) bool { return i%4 == 1 }) }, Run{}, Reject, AtOperation, "falls behind"},
		{"refusing everything is no success", nil, func() []Line {
			l := scored(nil)
			for i := range l {
				l[i].Answers[0].Disposition, l[i].Answers[0].Disclosed = interlock.Unsupported, nil
			}
			return l
		}, Run{}, Reject, AtDisposition, "refusing everything"},
		{"the operating point", func(p *Plan) { p.Point.FalseAccept = 0.01 }, func() []Line {
			l := scored(nil)
			for i := range l {
				if l[i].Stratum == "near_domain" {
					l[i].Answers[0].Disposition = interlock.Supported
				}
			}
			return l
		}, Run{}, Reject, AtDisposition, "operating point"},
		{"dev promotes nothing", func(p *Plan) { p.Split = "dev" }, func() []Line { return scored(nil) }, Run{}, Blocked, "", "split is dev"},
		{"authors on both sides", nil, func() []Line { return scored(nil) }, Run{Overlaps: []string{"author x"}}, Blocked, "", "author x"},
		{"translated needs do not count", nil, func() []Line {
			l := scored(nil)
			for i := range l {
				if l[i].Stratum == "ambiguous" {
					l[i].Authored = "translated"
				}
			}
			return l
		}, Run{}, Blocked, "", "1 cells of the population"},
		{"too wide to say", func(p *Plan) { p.Precision = 0.001 }, func() []Line { return scored(nil) }, Run{}, Blocked, "", "half width"},
		{"nothing to refuse", nil, func() []Line {
			var out []Line
			for _, l := range scored(nil) {
				if l.Served() {
					out = append(out, l)
				}
			}
			return out
		}, Run{}, Blocked, "", "one kind is not there"},
	} {
		d := Compute(small(t, tc.plan), tc.lines(), Input{}, tc.run).Decision
		if d.Verdict != tc.verdict || d.Stage != tc.stage || !strings.Contains(strings.Join(d.Why, "\n"), tc.says) {
			t.Errorf("%s: %s at %q, want %s at %q with %q:\n%s", tc.name, d.Verdict, d.Stage, tc.verdict, tc.stage, tc.says, strings.Join(d.Why, "\n"))
		}
		if len(d.External) == 0 {
			t.Errorf("%s: what takes an agent is not named", tc.name)
		}
	}
}

func TestMissingCellsAreNamed(t *testing.T) {
	lines := scored(nil)
	d := Compute(small(t, func(p *Plan) { p.Population.Languages = []string{"en", "ko"} }), lines, Input{}, Run{}).Decision
	var cells []string
	for _, m := range d.Missing {
		cells = append(cells, m.Cell)
	}
	if got := strings.Join(cells, ", "); got != "ko supported, ko ambiguous, ko missing_input, ko near_domain, ko out_of_domain, ko forbidden" {
		t.Errorf("missing: %s", got)
	}
	d = Compute(small(t, func(p *Plan) { p.Population.Tools = []string{"en", "ja"} }), lines, Input{}, Run{}).Decision
	if len(d.Missing) != 1 || d.Missing[0].Cell != "en over ja tools" {
		t.Errorf("missing pairs of languages: %+v", d.Missing)
	}
}

// TestCheckFindsEveryChange changes each number of a record and each line of
// its answers, and expects to hear of it.
func TestCheckFindsEveryChange(t *testing.T) {
	lines := scored(func(i int, _ string) bool { return i%7 == 0 })
	text, err := LinesText(lines)
	if err != nil {
		t.Fatal(err)
	}
	record, err := Compute(small(t, nil), lines, Input{"lines.jsonl", Digest(text)}, Run{ID: "r", Overlaps: []string{}}).Text()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Check(record, text); err != nil {
		t.Fatal(err)
	}
	numbers := regexp.MustCompile(`"(value|low|high|effect|n|auroc|brier|false_accept|p50|retrieval|operation)": [0-9.]+`).FindAllIndex(record, -1)
	if len(numbers) < 500 {
		t.Fatalf("only %d numbers to change", len(numbers))
	}
	for i := 0; i < len(numbers); i += 1 + len(numbers)/60 {
		at := numbers[i]
		changed := append(append(append([]byte(nil), record[:at[1]-1]...), '0'+(record[at[1]-1]-'0'+1)%10), record[at[1]:]...)
		if _, err := Check(changed, text); err == nil {
			t.Errorf("%s was changed and nobody noticed", record[at[0]:at[1]])
		}
	}
	for _, change := range []string{`"disclosed":["s/other"]` + "\x00" + `"disclosed":["s/0"]`, `"disposition":"unsupported"` + "\x00" + `"disposition":"supported"`} {
		was, is, _ := strings.Cut(change, "\x00")
		if _, err := Check(record, []byte(strings.Replace(string(text), was, is, 1))); interlock.ReasonOf(err) != interlock.ReasonRecordInvalid {
			t.Errorf("%s became %s: %v", was, is, err)
		}
	}
}

// TestCheckFindsWhatIsHidden: a record whose lines leave out that a tool was
// barred does not verify, although its digests hold.
func TestCheckFindsWhatIsHidden(t *testing.T) {
	lines := scored(nil)
	lines[0].Asker = &Asker{Allow: []string{"other/*"}}
	text, err := LinesText(lines)
	if err != nil {
		t.Fatal(err)
	}
	record, err := Compute(small(t, nil), lines, Input{"lines.jsonl", Digest(text)}, Run{Overlaps: []string{}}).Text()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Check(record, text); err == nil || !strings.Contains(err.Error(), "hides") {
		t.Errorf("an unauthorised disclosure that is not counted: %v", err)
	}
}

func TestPageStandsAlone(t *testing.T) {
	r := Compute(small(t, func(p *Plan) { p.Name = `<script>alert("x")</script>` }), scored(nil), Input{}, Run{})
	page, err := r.Page()
	if err != nil {
		t.Fatal(err)
	}
	for _, never := range []string{"<script", "http://", "https://", "src=", "@import", "ZgotmplZ"} {
		if strings.Contains(string(page), never) {
			t.Errorf("the page holds %s", never)
		}
	}
	for _, wanted := range []string{"prefers-color-scheme:dark", "BLOCKED_EXTERNAL", "&lt;script&gt;", "Paired differences", "Reliability", "promote", "(diagnostic)"} {
		if !strings.Contains(string(page), wanted) {
			t.Errorf("the page lacks %s", wanted)
		}
	}
	if n := strings.Count(string(page), "<svg"); n != 4 {
		t.Errorf("%d plots, want 4", n)
	}
}
