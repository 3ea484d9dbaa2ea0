package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// report is everything that one run found.
type report struct {
	Quick     bool        `json:"quick"`
	Noise     noiseReport `json:"machine"`
	Catalogue string      `json:"catalogue"`
	Figures   []figure    `json:"figures"`
	Wrong     int         `json:"wrong_answers"`
	Notes     []string    `json:"notes,omitempty"`
}

// figure is one measured number, beside its baseline and its target.
type figure struct {
	Part     string  `json:"part"`
	Name     string  `json:"name"`
	Value    float64 `json:"value"`
	Unit     string  `json:"unit"`
	Base     float64 `json:"baseline,omitempty"`
	BaseName string  `json:"baseline_is,omitempty"`
	Ratio    float64 `json:"ratio,omitempty"` // value over baseline
	Target   *target `json:"target,omitempty"`
}

// target is what the figure, or its ratio, is held against.
type target struct {
	Text  string  `json:"text"`
	Limit float64 `json:"limit"`
	Of    string  `json:"of"` // value or ratio
	Least bool    `json:"at_least,omitempty"`
	Met   bool    `json:"met"`
}

func newReport(quick bool) *report { return &report{Quick: quick, Figures: []figure{}} }

// put adds a figure and judges it.
func (r *report) put(f figure) {
	f.Value, f.Base = rounded(f.Value), rounded(f.Base)
	f.Ratio = rounded(ratio(f.Value, f.Base))
	if f.Target != nil {
		x := f.Value
		if f.Target.Of == "ratio" {
			x = f.Ratio
		}
		f.Target.Met = x < f.Target.Limit
		if f.Target.Least {
			f.Target.Met = x >= f.Target.Limit
		}
	}
	r.Figures = append(r.Figures, f)
}

// under is a target for a value.
func under(limit float64, unit string) *target {
	return &target{Text: fmt.Sprintf("< %g %s", limit, unit), Limit: limit, Of: "value"}
}

func (r *report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// rounded keeps four significant digits: no figure here has more.
func rounded(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}

func (r *report) writeJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

func (r *report) writeTable(w io.Writer) error {
	n := r.Noise
	fmt.Fprintf(w, "%s, %d cores, %s, %s; load %s\n", n.Processor, n.Cores, n.Platform, n.Go, n.Load)
	fmt.Fprintf(w, "noise: %.3g %% of the processor went to others; the same fixed work took %.3g ms in the median, its p90 %.3g times its p10; one sleeper in ten woke over %.3g µs late\n",
		n.Others, n.WorkMS, n.Spread, n.LateUS)
	if r.Catalogue != "" {
		fmt.Fprintf(w, "catalogue: %s\n", r.Catalogue)
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "PART\tFIGURE\tVALUE\tBASELINE\tRATIO\tTARGET\t")
	for _, f := range r.Figures {
		fmt.Fprintln(t, strings.Join(f.row(), "\t")+"\t")
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nwrong answers: %d\n", r.Wrong)
	for _, note := range r.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	return nil
}

func (f figure) row() []string {
	row := []string{f.Part, f.Name, fmt.Sprintf("%g %s", f.Value, f.Unit), "", "", ""}
	if f.Base != 0 {
		row[3] = fmt.Sprintf("%g %s (%s)", f.Base, f.Unit, f.BaseName)
		row[4] = fmt.Sprintf("%.2f", f.Ratio)
	}
	if f.Target != nil {
		row[5] = f.Target.Text + ": missed"
		if f.Target.Met {
			row[5] = f.Target.Text + ": met"
		}
	}
	return row
}
