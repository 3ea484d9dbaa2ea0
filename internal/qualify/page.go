package qualify

import (
	"bytes"
	_ "embed" // carries the page
	"fmt"
	"html/template"
	"slices"
)

//go:embed page.html
var pageText string

// view is what the page shows.
type view struct {
	Record
	Inputs  []namedInput
	Table   []measured // a measure a row, an arm a column
	Without []string   // measures for which no case counts
	Arms    []row
	Parts   []part
	Stages  []stageRow
	Plots   map[string]template.HTML
}

type namedInput struct {
	What string
	Input
}

// row is what one arm costs.
type row struct {
	Arm  string
	Cost Cost
}

// measured is what each arm attains in one measure.
type measured struct {
	Measure
	Cells []string
}

// part is one way of counting cases together.
type part struct {
	Title string
	Rows  []partRow
}

type partRow struct {
	Name          string
	Cases, Native int
	Cells         []string
	Cost          Cost
}

type stageRow struct {
	Arm    string
	Counts []string
}

// stagesShown are the stages of failures in the order of the road.
var stagesShown = []Stage{AtRetrieval, AtOperation, AtParameter, AtField, AtBudget, AtDisposition, AtPolicy, AtDisclosure}

// shownMeasures stand in the table of arms, in its order.
var shownMeasures = []string{"complete", "recall", "ranked", "first", "recall_equal", "operation", "sibling", "false_refusal", "false_accept", "forbidden_accept", "disposition", "ambiguous_right", "ambiguous_found", "missing_named", "outputs", "right"}

// partMeasures stand in the tables of parts, for the candidate.
var partMeasures = []string{"complete", "recall", "ranked", "first", "false_refusal", "false_accept", "right"}

// Page gives the record as one page that needs nothing beside it.
func (r Record) Page() ([]byte, error) {
	page, err := template.New("record").Funcs(template.FuncMap{
		"title": func(id string) string { return measureOf(id).Title },
		"short": short,
		"stage": func() []Stage { return stagesShown },
		"parts": func() []string { return partMeasures },
		"ms":    func(us float64) string { return fmt.Sprintf("%.2f", us/1000) },
		"kib":   func(n float64) string { return fmt.Sprintf("%.1f", n/1024) },
		"mib":   func(n uint64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) },
		"pct":   func(x float64) string { return fmt.Sprintf("%.1f", 100*x) },
		"arms":  func() []Paired { return r.Overall() },
	}).Parse(pageText)
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	var out bytes.Buffer
	if err := page.Execute(&out, r.shown()); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return out.Bytes(), nil
}

func (r Record) shown() view {
	in := r.Plan.Inputs
	v := view{Record: r, Inputs: []namedInput{{"cases", in.Cases}, {"catalogue", in.Catalogue}, {"equal tools", in.Equivalents}, {"model", in.Model}, {"scorer", in.Scorer}, {"calibration", in.Calibration}, {"program", in.Program}, {"lines", r.Lines}}}
	for _, c := range r.Cells {
		if c.By == "all" {
			v.Arms = append(v.Arms, row{c.Arm, c.Cost})
			s := stageRow{Arm: c.Arm}
			for _, stage := range stagesShown {
				s.Counts = append(s.Counts, fmt.Sprint(c.Stages[stage]))
			}
			v.Stages = append(v.Stages, s)
		}
	}
	for _, id := range shownMeasures {
		m := measured{*measureOf(id), r.across(id)}
		if !slices.ContainsFunc(m.Cells, func(cell string) bool { return cell != nothing }) {
			v.Without = append(v.Without, m.Title)
			continue
		}
		v.Table = append(v.Table, m)
	}
	titles := map[string]string{"native": "By authorship", "pair": "By language of need and tools", "stratum": "By stratum", "calls": "By calls", "effect": "By effect", "source": "By source"}
	for _, g := range groups[1:] {
		p := part{Title: titles[g.by]}
		for _, c := range r.Cells {
			if c.By == g.by && c.Arm == r.Plan.Candidate {
				p.Rows = append(p.Rows, partRow{c.Name, c.Cases, c.Native, figuresOf(c, partMeasures), c.Cost})
			}
		}
		v.Parts = append(v.Parts, p)
	}
	v.Plots = map[string]template.HTML{"reliability": r.reliabilityPlot(), "curve": r.curvePlot(), "forest": r.forestPlot(), "language": r.languagePlot()}
	return v
}

// nothing stands where no case counts.
const nothing = "–"

// across gives one measure of every arm.
func (r Record) across(id string) []string {
	var out []string
	for _, c := range r.Cells {
		if c.By == "all" {
			out = append(out, figuresOf(c, []string{id})...)
		}
	}
	return out
}

func figuresOf(c Cell, ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = nothing
		if f := c.Figures[id]; f.N > 0 {
			out[i] = fmt.Sprintf("%.1f (%.1f–%.1f) n %d", 100*f.Value, 100*f.Low, 100*f.High, f.N)
		}
	}
	return out
}

// Diagnostic reports whether an arm is one that nothing offers at run time.
func (v view) Diagnostic(arm string) bool { return !slices.Contains(v.Plan.Arms, arm) }
