package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/diff/documents"
)

// The members of a SARIF 2.1.0 log that are written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string       `json:"id"`
		Short sarifMessage `json:"shortDescription"`
		Help  sarifMessage `json:"help"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
		// Related is the place in the old file.
		Related    []sarifLocation `json:"relatedLocations,omitempty"`
		Properties *sarifProof     `json:"properties,omitempty"`
	}
	sarifProof struct {
		Witness     json.RawMessage `json:"witness"`
		WitnessAt   string          `json:"witnessAt,omitempty"`
		WitnessPart bool            `json:"witnessPart,omitempty"`
	}
	sarifLocation struct {
		ID       int            `json:"id,omitempty"`
		Message  *sarifMessage  `json:"message,omitempty"`
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
	}
)

// writeSARIF writes a report as SARIF, each change at its place in the new
// file.
func writeSARIF(file string, r documents.Report, old, new text) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "interlock", Version: version}}, Results: []sarifResult{}}
	for _, row := range diff.Rules() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{row.ID, sarifMessage{row.When}, sarifMessage{row.Remedy}})
	}
	was, found := linesOf(old.bytes), linesOf(new.bytes)
	for _, c := range r.Changes {
		one := sarifOf(c, new.name, found)
		if c.Pointer != "" {
			before := placed(old.name, c.Pointer, was)
			before.ID, before.Message = 1, &sarifMessage{"as callers know it"}
			one.Related = []sarifLocation{before}
		}
		run.Results = append(run.Results, one)
	}
	return run.write(file)
}

// write writes a log of one run.
func (run sarifRun) write(file string) error {
	body, err := json.MarshalIndent(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, "", " ")
	if err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	if err := os.WriteFile(file, append(body, '\n'), 0o644); err != nil {
		return usagef("cannot write %s: %v", file, err)
	}
	return nil
}

// placed is the place of a pointer in a file.
func placed(file, pointer string, found *lines) sarifLocation {
	at := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{uriOf(file)}}}
	if pointer != "" {
		at.Logical = []sarifLogical{{pointer}}
	}
	if n := found.at(pointer); n > 0 {
		at.Physical.Region = &sarifRegion{n}
	}
	return at
}

// uriOf writes a file's name as a reference to it.
func uriOf(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}

func sarifOf(c documents.Change, file string, found *lines) sarifResult {
	level := "note"
	switch {
	case c.Breaking:
		level = "error"
	case c.Stopped != "":
		level = "warning"
	}
	words := c.Message + "."
	if c.Operation != "" {
		words = c.Operation + ": " + words
	}
	if c.Breaking && c.Harm != "" {
		words += " " + c.Harm + " " + c.Remedy
	}
	out := sarifResult{RuleID: c.Rule, Level: level, Message: sarifMessage{words}, Locations: []sarifLocation{placed(file, c.PointerNew, found)}}
	if c.Witness != nil {
		out.Properties = &sarifProof{c.Witness, c.WitnessAt, c.WitnessPart}
	}
	return out
}
