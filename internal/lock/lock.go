// Package lock is the file that makes an agent's tools a dependency like any
// other: interlock.lock lists the capabilities that the agent uses, each with
// the range it accepts, the version it was built against, and the hashes of
// what was seen when it was locked.
//
// It promises that the file is the same bytes whenever it says the same, that
// a capability is held against what one principal sees and nothing else, and
// that everything that can stand between the two has one [Reason] with one exit
// code. It refuses a file with an unknown key, a key twice, two capabilities of
// one family, or a version outside its own range, and names the place.
//
// It is pure: whoever asks brings the facts.
//
//	file, err := lock.Read(text)
//	for _, status := range lock.Compare(file, facts) { … }
//	exit := lock.Exit(statuses) // 0, 10, 11 or 12
package lock

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-ae386458/interlock"
)

// Format is the version of the file's format.
const Format = 1

// The limits of a file.
const (
	MaxBytes        = 8 << 20
	MaxCapabilities = 10_000
	maxText         = 512 // bytes of one name
)

// File is a lock file. Its capabilities are sorted by family, one a family.
type File struct {
	Lockfile     int          `json:"lockfile"`
	Capabilities []Capability `json:"capabilities"`
}

// Capability is one family as an agent depends on it.
type Capability struct {
	Family string `json:"family"`
	Range  string `json:"range"`
	// BuiltAgainst is the version that the agent was written for. Updates move
	// Version and leave it, because compatibility is proved from here.
	BuiltAgainst string `json:"built_against"`
	// BuiltContract is the contract hash of BuiltAgainst; empty where that is
	// Version, whose hash is Contract.
	BuiltContract string           `json:"built_contract,omitempty"`
	Version       string           `json:"version"`
	Tool          string           `json:"tool"`
	Effect        interlock.Effect `json:"effect"`
	Contract      string           `json:"contract"`
	Pin           string           `json:"pin"`
}

// Constraint is what the capability asks of its family.
func (c Capability) Constraint() interlock.Constraint {
	return interlock.Constraint{Family: c.Family, Range: c.Range, BuiltAgainst: c.BuiltAgainst}
}

// base is the contract hash that the agent was written for.
func (c Capability) base() string {
	if c.BuiltAgainst == c.Version {
		return c.Contract
	}
	return c.BuiltContract
}

// New gives an empty file.
func New() File { return File{Lockfile: Format, Capabilities: []Capability{}} }

// Get finds the capability of a family.
func (f File) Get(family string) (Capability, bool) {
	i, ok := f.find(family)
	if !ok {
		return Capability{}, false
	}
	return f.Capabilities[i], true
}

// With gives the file with a capability in the place of its family's.
func (f File) With(c Capability) File {
	i, ok := f.find(c.Family)
	f.Capabilities = slices.Clone(f.Capabilities)
	if ok {
		f.Capabilities[i] = c
	} else {
		f.Capabilities = slices.Insert(f.Capabilities, i, c)
	}
	return f
}

// Without gives the file without a family.
func (f File) Without(family string) File {
	f.Capabilities = slices.DeleteFunc(slices.Clone(f.Capabilities), func(c Capability) bool { return c.Family == family })
	return f
}

func (f File) find(family string) (int, bool) {
	return slices.BinarySearchFunc(f.Capabilities, family, func(c Capability, name string) int { return cmp.Compare(c.Family, name) })
}

// Bytes writes the file: indented JSON, members in the order of their
// declaration, capabilities by family, one line feed at the end. Read gives the
// same file back.
func (f File) Bytes() ([]byte, error) {
	if f.Capabilities == nil {
		f.Capabilities = []Capability{}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // ranges hold < and >
	enc.SetIndent("", "  ")
	if err := enc.Encode(f); err != nil {
		return nil, fmt.Errorf("write a lock file: %w", err)
	}
	return out.Bytes(), nil
}
