package interlock

import "time"

// DriftQuery asks how tools behave.
type DriftQuery struct {
	Tool string // whole name; empty: every tool that the asker sees
	// RequireDocumentation judges as if tools that document nothing were
	// rejected.
	RequireDocumentation bool
}

// DriftDecision accepts one divergence of one tool, or refuses it and takes back
// what was accepted.
type DriftDecision struct {
	Tool      string        `json:"tool"`
	Digest    string        `json:"digest"` // of the divergence, as the list shows it
	Accept    bool          `json:"accept"`
	Approver  string        `json:"approver,omitempty"`  // who answers for it; required for CRITICAL
	For       time.Duration `json:"for,omitempty"`       // how long, in nanoseconds; zero: until a fingerprint changes
	Principal string        `json:"principal,omitempty"` // whose calls it covers; empty: everybody's
}
