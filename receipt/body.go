package receipt

import (
	"encoding/json"

	"github.com/seed-ae386458/interlock"
)

// The bodies of the entries. Members are stable: one is added and never
// renamed. Times are RFC 3339 in UTC. Digests are lower-case hex. None holds an
// argument, a result or a credential in the clear.

// Asker says who asked and what he could see.
type Asker struct {
	Principal string `json:"principal"`
	Tenant    string `json:"tenant,omitempty"`
	View      string `json:"view,omitempty"`     // fingerprint of the view
	Policies  string `json:"policies,omitempty"` // digest of the policies in force; empty where none apply
}

// Target says what a call was for, as it stood at the time.
type Target struct {
	Tool     string           `json:"tool"`
	Family   string           `json:"family,omitempty"`
	Version  string           `json:"version,omitempty"`
	Source   string           `json:"source,omitempty"`
	Contract string           `json:"contract,omitempty"` // contract hash
	Binding  string           `json:"binding,omitempty"`  // binding fingerprint
	Effect   interlock.Effect `json:"effect,omitempty"`
}

// Outcomes of a CallBody beside those of interlock.Outcome.
const (
	OutcomeOK interlock.Outcome = "ok"
	// OutcomeWithheld: the source answered, and nothing of it was released,
	// because the tool had been taken from its caller meanwhile.
	OutcomeWithheld interlock.Outcome = "withheld"
)

// CallBody is the record of a call that was sent, whatever came of it
// (interlock.EntryCall).
type CallBody struct {
	Receipt string `json:"receipt"` // id; 32 hex digits
	At      string `json:"at"`
	Asker
	Target
	ArgsDigest   string            `json:"args_digest"`
	ResultDigest string            `json:"result_digest,omitempty"`
	Outcome      interlock.Outcome `json:"outcome"`
	Reason       interlock.Reason  `json:"reason,omitempty"` // of a call that failed
	Stage        string            `json:"stage,omitempty"`
	Validated    string            `json:"validated,omitempty"`
	Intent       string            `json:"intent,omitempty"`   // id of the intent that this closes
	Approval     string            `json:"approval,omitempty"` // id of the approval that this used
	Attempts     int               `json:"attempts,omitempty"`
	TookMicros   int64             `json:"took_us,omitempty"`
	// Rows counts items of lists that policy kept from the caller. Blind is
	// there with it, and with Observed, so that the digest, which he has, gives
	// neither away.
	Rows  int    `json:"rows_withheld,omitempty"`
	Blind string `json:"blind,omitempty"`
	// Insensitive says that the call went to a tool that was rejected for drift,
	// because its caller did not depend on how it behaves.
	Insensitive bool `json:"insensitive,omitempty"`
	// Observed is what the call showed of the tool's behaviour, as package drift
	// writes it; nil where nothing was seen.
	Observed json.RawMessage `json:"observed,omitempty"`
}

// IntentBody says that a call which may change the world is about to be sent
// (interlock.EntryIntent). It stays open until an entry with its id as `intent`
// closes it.
type IntentBody struct {
	Receipt string `json:"receipt"` // id that the receipt of the call will have
	At      string `json:"at"`
	Asker
	Target
	ArgsDigest string `json:"args_digest"`
	Approval   string `json:"approval,omitempty"`
}

// RefusedBody is the record of a call that was refused before anything was sent
// (interlock.EntryRefused).
type RefusedBody struct {
	Receipt string `json:"receipt"`
	At      string `json:"at"`
	Asker
	Target
	ArgsDigest string           `json:"args_digest,omitempty"`
	Reason     interlock.Reason `json:"reason"`
	Stage      string           `json:"stage,omitempty"`
	Pointer    string           `json:"pointer,omitempty"`
	Approval   string           `json:"approval,omitempty"`
	Intent     string           `json:"intent,omitempty"`
}

// IndeterminateBody closes an intent of which nobody knows what came of it
// (interlock.EntryIndeterminate). The call is never repeated.
type IndeterminateBody struct {
	Receipt string `json:"receipt"` // id of the intent
	Intent  string `json:"intent"`  // the same
	At      string `json:"at"`
	Asker
	Target
	ArgsDigest string           `json:"args_digest,omitempty"`
	Reason     interlock.Reason `json:"reason"`
	Approval   string           `json:"approval,omitempty"`
}

// ResolveBody is the record of an answer to a need (interlock.EntryResolve).
type ResolveBody struct {
	At string `json:"at"`
	Asker
	NeedDigest  string                `json:"need_digest"` // Log.KeyedDigest of the need
	Disposition interlock.Disposition `json:"disposition"`
	Reason      interlock.Reason      `json:"reason,omitempty"`
	Scorer      string                `json:"scorer,omitempty"`
	Offered     []Offered             `json:"offered,omitempty"`
	Shadowed    []Shadowed            `json:"shadowed,omitempty"`
	TookMicros  int64                 `json:"took_us,omitempty"`
}

// Offered is one tool that an answer carried an offer for.
type Offered struct {
	Tool     string `json:"tool"`
	Version  string `json:"version"`
	Contract string `json:"contract,omitempty"`
}

// Shadowed is a choice that an incompatible tool outscored.
type Shadowed struct {
	Family       string `json:"family"`
	Compatible   string `json:"compatible"`   // tool that was chosen
	Incompatible string `json:"incompatible"` // tool that outscored it
}

// The actions of a RegistryBody.
const (
	Published = "published"
	Refreshed = "refreshed" // its source was read again, and had changed
	Withdrawn = "withdrawn"
	Accepted  = "accepted" // a definition that waited
	Rejected  = "rejected"
)

// RegistryBody is the record of a change of the registry
// (interlock.EntryRegistry).
type RegistryBody struct {
	At          string `json:"at"`
	Principal   string `json:"principal"` // who did it; local for the operator, and for what a server does by itself
	Action      string `json:"action"`
	Source      string `json:"source"`
	Tool        string `json:"tool,omitempty"`        // of a decision
	Fingerprint string `json:"fingerprint,omitempty"` // of the definition that was decided on
	Kind        string `json:"kind,omitempty"`
	Tenant      string `json:"tenant,omitempty"`
	Generation  int64  `json:"generation"`
	Operations  int    `json:"operations,omitempty"`
	Tools       int    `json:"tools,omitempty"`
	Findings    int    `json:"findings,omitempty"`
	Waiting     int    `json:"waiting,omitempty"`
	// Quarantined names the tools of the publication whose definition is kept
	// away, and by which rules: the first interlock.MaxQuarantined.
	Quarantined []interlock.Quarantined `json:"quarantined,omitempty"`
}

// ApprovalBody is the record of a move of an approval
// (interlock.EntryApproval).
type ApprovalBody struct {
	At        string                  `json:"at"`
	Approval  string                  `json:"approval"`
	Digest    string                  `json:"digest"` // Log.KeyedDigest of the approval's, which is a bare hash of the arguments
	Principal string                  `json:"principal"`
	Tool      string                  `json:"tool"`
	Effect    interlock.Effect        `json:"effect"`
	State     interlock.ApprovalState `json:"state"`
	By        string                  `json:"by,omitempty"`
}

// PolicyBody is the record of a change of the policies in force, or of one that
// was not taken (interlock.EntryPolicy).
type PolicyBody struct {
	At       string   `json:"at"`
	State    string   `json:"state"`              // in_force or refused
	By       string   `json:"by"`                 // what brought it: start, reload, command
	Number   int      `json:"number,omitempty"`   // of the version that came into force
	Digest   string   `json:"digest,omitempty"`   // empty where there are none from then on
	Policies int      `json:"policies,omitempty"` // how many the set has
	Files    []string `json:"files,omitempty"`
	Fault    string   `json:"fault,omitempty"` // why it was refused; the ones before stay in force
}

// AccessBody is the record of requests that were refused at the door, for what
// they brought as a credential or for a right that their principal lacks
// (interlock.EntryAccess). One stands for all of its kind since the last.
type AccessBody struct {
	At        string `json:"at"`
	Rule      string `json:"rule"`                // credential-expired, right-audit, …
	Principal string `json:"principal,omitempty"` // where it is known
	Count     int    `json:"count"`
	Since     string `json:"since"`          // time of the first of them
	From      string `json:"from,omitempty"` // address of the first of them
}
