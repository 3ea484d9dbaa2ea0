package qualify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-ae386458/interlock"
)

// Run is what a run says of itself beside its answers.
type Run struct {
	ID       string   `json:"id"`
	Began    string   `json:"began"`
	Took     float64  `json:"took_seconds"`
	Machine  string   `json:"machine"`
	Tools    int      `json:"tools"`    // in the catalogue
	Overlaps []string `json:"overlaps"` // providers and authors that the split shares with others
	Start    Start    `json:"start"`
	Memory   Memory   `json:"memory"`
}

// Start is what a cold start takes.
type Start struct {
	Compile float64 `json:"compile_ms"` // the catalogue, read, checked and indexed with its vectors
	First   float64 `json:"first_ms"`   // the first answer after it
}

// Memory is what the process holds; arms share it, so it is not told apart by
// arm.
type Memory struct {
	Heap  uint64 `json:"heap_bytes"`  // in use after all answers
	Total uint64 `json:"total_bytes"` // held from the system
}

// Record is all that came of a run. Its figures follow from the plan and the
// lines; Compute makes them again.
type Record struct {
	Form        string      `json:"form"`
	Plan        Plan        `json:"plan"`
	Lines       Input       `json:"lines"` // the file of lines
	Run         Run         `json:"run"`
	Decision    Decision    `json:"decision"`
	Cells       []Cell      `json:"cells"`
	Paired      []Paired    `json:"paired"`
	Curves      []Curve     `json:"curves"`
	Reliability Reliability `json:"reliability"`
}

// Compute makes the record of a run from its plan and its lines alone.
func Compute(p Plan, lines []Line, linesFile Input, run Run) Record {
	r := Record{Form: RecordForm, Plan: p, Lines: linesFile, Run: run, Curves: []Curve{}}
	all := judgeAll(lines, p.K)
	armNames := append(slices.Clone(p.Arms), Oracle)
	r.Cells = cells(all, p, armNames)
	r.Paired = comparisons(all, p)
	for _, arm := range p.Arms {
		if c := curve(all, arm); arm != Full && len(c.Points) > 0 {
			r.Curves = append(r.Curves, c)
		}
	}
	r.Reliability = reliability(all, p.Candidate)
	r.Decision = decide(r, all)
	return r
}

// Text gives the record as it is written to a file.
func (r Record) Text() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return append(text, '\n'), nil
}

// LinesText gives lines as they are written to a file.
func LinesText(lines []Line) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, l := range lines {
		if err := enc.Encode(l); err != nil {
			return nil, fmt.Errorf("line of %s: %w", l.Case, err)
		}
	}
	return out.Bytes(), nil
}

// ReadLines reads what LinesText wrote.
func ReadLines(text []byte) ([]Line, error) {
	var out []Line
	for number, line := range bytes.Split(text, []byte{'\n'}) {
		if len(line) == 0 {
			continue
		}
		var l Line
		if err := strict(line, &l); err != nil {
			return nil, invalid("Line %d of the lines of the record: %v.", number+1, err)
		}
		out = append(out, l)
	}
	return out, nil
}

// Check holds a record against its lines: their digest, the plan's, what each
// disclosed against its principal, and every figure, made again. It gives the
// record as it was read.
func Check(text, linesText []byte) (Record, error) {
	bad := func(pointer, format string, args ...any) error {
		return refuse(interlock.CodeConflict, interlock.ReasonRecordInvalid, pointer, format, args...)
	}
	var r Record
	if err := strict(text, &r); err != nil || r.Form != RecordForm {
		return r, invalid("The record is not one of the form %q: %v.", RecordForm, err)
	}
	sealed, err := r.Plan.Sealed()
	if err != nil {
		return r, err
	}
	if sealed.Digest != r.Plan.Digest {
		return r, bad("/plan", "The plan in the record is not the one that was registered: its digest is %s and it says %s.", short(sealed.Digest), short(r.Plan.Digest))
	}
	if got := Digest(linesText); got != r.Lines.Digest {
		return r, bad("/lines", "The lines are not those of the record: their digest is %s and it says %s.", short(got), short(r.Lines.Digest))
	}
	lines, err := ReadLines(linesText)
	if err != nil {
		return r, err
	}
	for _, l := range lines {
		for _, a := range l.Answers {
			for _, id := range a.Disclosed {
				if !l.Asker.May(id) && !slices.Contains(a.Barred, id) {
					return r, bad("/lines", "The line of %s hides that %s disclosed %s.", l.Case, a.Arm, id)
				}
			}
		}
	}
	again, err := Compute(r.Plan, lines, r.Lines, r.Run).Text()
	if err != nil {
		return r, err
	}
	if where := differ(text, again); where != "" {
		return r, bad(where, "A figure of the record does not follow from its lines: %s.", where)
	}
	return r, nil
}

// differ names the first member in which two records differ; empty where they
// are one.
func differ(a, b []byte) string {
	if bytes.Equal(a, b) {
		return ""
	}
	var x, y map[string]json.RawMessage
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return "/"
	}
	for _, name := range sortedKeys(y) {
		if !bytes.Equal(compact(x[name]), compact(y[name])) {
			return "/" + name
		}
	}
	return "/"
}

func compact(raw json.RawMessage) []byte {
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return raw
	}
	return out.Bytes()
}
