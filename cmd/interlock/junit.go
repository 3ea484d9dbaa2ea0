package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
)

// The members of a JUnit report that are written.
type (
	junitReport struct {
		XMLName xml.Name     `xml:"testsuites"`
		Name    string       `xml:"name,attr"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name     string         `xml:"name,attr"`
		Class    string         `xml:"classname,attr"`
		Skipped  *junitMessage  `xml:"skipped,omitempty"`
		Failures []junitMessage `xml:"failure"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a suite for each tool with a case for each probe. A
// divergence fails the probe that showed it, and the case "answers" where
// several probes did or none by itself.
func writeJUnit(file string, found ciFindings) error {
	report := junitReport{Name: "interlock drift"}
	for _, t := range found.probed.Tools {
		i := slices.IndexFunc(found.rows, func(r drift.Row) bool { return r.Tool == t.Tool })
		var drifted []drift.Divergence
		if i >= 0 {
			drifted = found.rows[i].Divergences
		}
		report.Suites = append(report.Suites, suiteOf(t, drifted))
	}
	body, err := xml.MarshalIndent(report, "", " ")
	if err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	if err := os.WriteFile(file, append([]byte(xml.Header), append(body, '\n')...), 0o644); err != nil {
		return usagef("cannot write %s: %v", file, err)
	}
	return nil
}

func suiteOf(t interlock.ProbedTool, drifted []drift.Divergence) junitSuite {
	s := junitSuite{Name: t.Tool}
	failures := map[string][]junitMessage{}
	for _, d := range drifted {
		probe := "answers"
		for _, c := range t.Checks {
			if !c.Holds && c.Kind == string(d.Kind) && c.Pointer == d.Pointer {
				probe = c.Probe
			}
		}
		failures[probe] = append(failures[probe], junitMessage{fmt.Sprintf("%s %s at %s", d.Severity, d.Kind, d.Pointer), string(d.Kind), d.Evidence})
	}
	put := func(c junitCase) {
		c.Class = t.Tool
		s.Tests, s.Failures = s.Tests+1, s.Failures+len(c.Failures)
		s.Cases = append(s.Cases, c)
	}
	for _, p := range t.Probes {
		put(junitCase{Name: p.Probe, Failures: failures[p.Probe]})
	}
	if t.Sent > 0 || len(failures["answers"]) > 0 {
		put(junitCase{Name: "answers", Failures: failures["answers"]})
	}
	for _, n := range t.NotProbed {
		s.Skipped++
		put(junitCase{Name: n.Probe, Skipped: &junitMessage{Message: n.Reason}})
	}
	return s
}
