// Package drift holds what a tool documents against what it does. It promises
// that a verdict rests on evidence alone: every call is first attributed, and
// only what is the tool's own doing is compared; severities are computed, never
// supplied; what has not been seen often enough reads InsufficientEvidence and
// never aligned. It refuses to call two hashes unequal drift: what was observed
// is held against what is documented by inclusion.
//
// It is pure. Time is an argument, and the state of everything is a fold over
// the entries of the receipt log, so that a running node, a replayed log and
// several nodes merged come to the same rows.
//
//	doc, err := drift.Document(stated)        // at registration
//	seen := doc.Observe(exchange)              // at each call; it goes into the receipt
//	news, err := ledger.Apply(entry)           // the log's entries, in order
//	rows := ledger.Rows(policy, now)           // verdicts
package drift

import (
	"encoding/json"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
)

// Severity says how far a divergence is from the documentation. The zero value
// is none.
type Severity string

// The severities.
const (
	None     Severity = ""
	Minor    Severity = "MINOR"
	Major    Severity = "MAJOR"
	Critical Severity = "CRITICAL"
)

// Verdict is what the gates say of a tool, in their order.
type Verdict string

// The verdicts.
const (
	NoDocumentedDependency Verdict = "NO_DOCUMENTED_DEPENDENCY"
	BehaviorAligned        Verdict = "BEHAVIOR_ALIGNED"
	InsufficientEvidence   Verdict = "INSUFFICIENT_EVIDENCE"
	DriftWithinPolicy      Verdict = "DRIFT_WITHIN_POLICY"
	DriftRejected          Verdict = "DRIFT_REJECTED"
)

// Stated is a tool as it stands in the registry: what its documentation is read
// from.
type Stated struct {
	Tool      string // whole name
	Source    string // where it comes from; empty: the part of Tool before the slash
	Version   string
	Effect    interlock.Effect
	Operation interlock.Operation // effective: overlays applied
	Contract  string              // contract hash, hex
	Pin       string              // presentation pin, hex
	Binding   string              // binding fingerprint, hex
	Compiled  *contract.Compiled
}

// Exchange is one call that was sent, and everything that came of it.
type Exchange struct {
	Args    json.RawMessage
	Reply   interlock.Reply // what came, of a failure too, as far as there was an answer
	Failure error           // nil where the source answered with a success
	Took    time.Duration
	// At is when the answer came: what an answer says of an instant ("expires_at")
	// is held against it. Zero: instants are not judged.
	At time.Time
	// Probe names the probe that made the call; empty for traffic.
	Probe string
	// Shown is what the probe showed with this exchange.
	Shown []Shown
	// Key turns a text into a short tag, the same for the same text, that nobody
	// without the log's key can guess back.
	Key func(text []byte) string
}

// Policy says which drift may be lived with when nobody accepted it by name.
type Policy struct {
	// RequireDocumentation rejects tools that document nothing.
	RequireDocumentation bool `json:"require_documentation,omitempty"`
	// Read and Write are the highest severity that is accepted of tools that
	// read, and of all others; empty is Minor. What is unknown counts as Minor
	// here and as Critical in a divergence. Kinds that change what an error or
	// an argument means are never within the default of a tool that writes.
	Read  Severity `json:"read,omitempty"`
	Write Severity `json:"write,omitempty"`
	// RefuseInsufficient keeps calls from a tool of which too little is known;
	// probes find out. Without it they go on.
	RefuseInsufficient bool `json:"refuse_insufficient,omitempty"`
	// For is the principal whose calls the verdict is for; empty: anybody's. An
	// acceptance for one principal covers nobody else.
	For string `json:"for,omitempty"`
}

// Acceptance is somebody's leave for one divergence of one tool. It ends when it
// expires, when it is revoked, and when either fingerprint of the tool changes.
type Acceptance struct {
	Tool       string           `json:"tool"`
	Digest     string           `json:"digest"` // of the divergence
	Kind       Kind             `json:"kind"`
	Pointer    string           `json:"pointer"`
	Severity   Severity         `json:"severity"`
	Effect     interlock.Effect `json:"effect"`
	Principal  string           `json:"principal,omitempty"` // whose calls it covers; empty: all
	Documented string           `json:"documented"`          // fingerprints that it was given under
	Observed   string           `json:"observed"`
	Approver   string           `json:"approver,omitempty"`
	Expires    string           `json:"expires,omitempty"` // RFC 3339; empty: until a fingerprint changes
	At         string           `json:"at,omitempty"`      // RFC 3339
	// Revoked takes back what was accepted, and refuses the divergence also where
	// the defaults would let it pass. Of several for one digest and principal the
	// last in the log counts.
	Revoked bool `json:"revoked,omitempty"`
}
