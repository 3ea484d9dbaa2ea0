package interlock

import (
	"encoding/json"
	"time"
)

// Operation is one callable thing of a source, read into the neutral form that
// the registry compiles. What the source does not state stays empty: nothing
// here is inferred.
type Operation struct {
	Name         string            `json:"name"`            // the source's own name, unchanged; what a call repeats
	ID           string            `json:"id,omitempty"`    // the tool's whole name where it is not source/name
	Title        string            `json:"title,omitempty"` // for people
	Variants     []Variant         `json:"variants,omitempty"`
	Family       string            `json:"family,omitempty"`  // empty: the tool is its own family, source.name
	Version      string            `json:"version,omitempty"` // strict semantic version; empty: Interlock counts
	Effect       Effect            `json:"effect,omitempty"`  // as stated by one with the right to; empty is unknown
	State        State             `json:"state,omitempty"`   // active, deprecated or retired; empty is active
	Aliases      []string          `json:"aliases,omitempty"`
	Tags         map[string]string `json:"tags,omitempty"`
	InputSchema  json.RawMessage   `json:"input_schema,omitempty"` // bytes as the source wrote them, white space apart
	OutputSchema json.RawMessage   `json:"output_schema,omitempty"`
	Errors       []ErrorCase       `json:"errors,omitempty"`
	Fields       []FieldMeaning    `json:"fields,omitempty"`
	Scopes       []string          `json:"scopes,omitempty"`
	Idempotent   *bool             `json:"idempotent,omitempty"`
	Annotations  json.RawMessage   `json:"annotations,omitempty"` // the source's own claims; they grant nothing
	// Binding tells the source how to send the call, in a form of its own
	// kind's. Empty: there is nothing to call.
	Binding json.RawMessage `json:"binding,omitempty"`
	// Timeout bounds one call, as a Go duration ("5s"); empty means the default.
	Timeout string `json:"timeout,omitempty"`
	// Results says how answers are held against the output schema: strict
	// (default), warn or off.
	Results string `json:"results,omitempty"`
	// Probing is the owner's word on probes; nil leaves the rule: reads are
	// probed, everything else is not.
	Probing *Probing `json:"probing,omitempty"`
	// Canaries are calls whose outcome the owner vouches for.
	Canaries []Canary `json:"canaries,omitempty"`
}

// Probing says how a tool may be called to find out how it behaves.
type Probing struct {
	// Never forbids it.
	Never bool `json:"never,omitempty"`
	// Sandbox says that a call with Args changes nothing that matters, so that
	// a tool may be probed although it writes.
	Sandbox bool `json:"sandbox,omitempty"`
	// Args go with every probe, as {"dry_run":true} does.
	Args json.RawMessage `json:"args,omitempty"`
}

// Canary is one call and what has to come of it.
type Canary struct {
	Args   json.RawMessage `json:"args"`
	Expect Expectation     `json:"expect"`
	// Shows is the kind of drift that it is when the answer is otherwise; empty:
	// what the answer itself looks like.
	Shows string `json:"shows,omitempty"`
	// Then reads back what the call wrote.
	Then *ReadBack `json:"then,omitempty"`
}

// ReadBack is a read, by another tool of the same source, of what a call wrote.
type ReadBack struct {
	Tool   string          `json:"tool"` // the source's own name
	Args   json.RawMessage `json:"args"`
	Expect Expectation     `json:"expect"`
}

// Expectation is what a canary's answer is held against; at least one member
// is given.
type Expectation struct {
	// Error names a documented failure by its `when`.
	Error string `json:"error,omitempty"`
	// Result holds members that the answer has to have, and their values; what
	// else is in the answer does not matter.
	Result json.RawMessage `json:"result,omitempty"`
}

// Variant is one wording of a tool. Variants share one slot in every answer.
type Variant struct {
	ID          string `json:"id"`
	Description string `json:"description"`
}

// ErrorCase is one documented failure.
type ErrorCase struct {
	When   string `json:"when"`
	Status int    `json:"status,omitempty"`
	Code   string `json:"code,omitempty"`
}

// FieldMeaning says what a field is, by pointer into input or output:
// "output:/temperature".
type FieldMeaning struct {
	At         string            `json:"at"`
	SemanticID string            `json:"semantic_id,omitempty"`
	Unit       string            `json:"unit,omitempty"` // UCUM
	Qualifiers map[string]string `json:"qualifiers,omitempty"`
	Format     string            `json:"format,omitempty"`
}

// Compat labels a compatibility edge.
type Compat string

// The labels.
const (
	Backward Compat = "backward" // the newer serves callers of the older
	Full     Compat = "full"     // both ways
	None     Compat = "none"     // neither; never crossed
)

// Edge is a declared compatibility edge between two versions of a family.
type Edge struct {
	Family string `json:"family"`
	From   string `json:"from"`
	To     string `json:"to"`
	Compat Compat `json:"compat"`
	// Force lets a declared backward or full stand against a proof that the
	// newer contract breaks callers; it is on record.
	Force bool `json:"force,omitempty"`
}

// Overlay is meaning that a manifest gives to a tool of another source, by its
// whole name. Empty members leave what the source says.
type Overlay struct {
	Tool    string            `json:"tool"`
	Family  string            `json:"family,omitempty"`
	Version string            `json:"version,omitempty"`
	Effect  Effect            `json:"effect,omitempty"`
	State   State             `json:"state,omitempty"`
	Aliases []string          `json:"aliases,omitempty"`
	Tags    map[string]string `json:"tags,omitempty"`
	Fields  []FieldMeaning    `json:"fields,omitempty"`
}

// ToolRecord is what the registry holds of one tool: the accepted definition
// and what recheck compares.
type ToolRecord struct {
	ID string `json:"id"` // source/name, or the row's own id
	// Unread says that the tool is new to a source that was there before, and
	// pending until somebody decides on it.
	Unread     bool         `json:"unread,omitempty"`
	Source     string       `json:"source"`
	Tenant     string       `json:"tenant"`
	Family     string       `json:"family"`
	Version    string       `json:"version"`
	Effect     Effect       `json:"effect"`
	State      State        `json:"state"`
	Why        string       `json:"why,omitempty"` // what put it into a state that is not active
	Operation  Operation    `json:"operation"`
	Contract   string       `json:"contract"` // contract hash, hex
	Pin        string       `json:"pin"`      // presentation pin, hex
	Binding    string       `json:"binding"`  // binding fingerprint, hex
	Changed    uint64       `json:"changed"`  // generation of the tool's last change
	Earlier    []Definition `json:"earlier,omitempty"`
	Past       []Contracted `json:"past,omitempty"` // retired versions: base versions still
	Waiting    *Operation   `json:"waiting,omitempty"`
	NoVersions bool         `json:"no_versions,omitempty"` // the source states none; Interlock counts them
	Reviewed   string       `json:"reviewed,omitempty"`    // fingerprint of the definition that somebody accepted
	Rejected   string       `json:"rejected,omitempty"`    // fingerprint of the definition that somebody rejected
	// Drift says that the tool's behaviour left its documentation; nil while
	// nothing is known against it.
	Drift *DriftStanding `json:"drift,omitempty"`
}

// DriftStanding is what policy says of a tool whose behaviour left its
// documentation. It ends with the definition that it was found under.
type DriftStanding struct {
	Rejected bool     `json:"rejected"` // false: within policy, and answers say so
	Kinds    []string `json:"kinds"`    // those that reject it, or those that are lived with; ascending
	// Places are where in a result the drift that is lived with shows:
	// "output:/state". What breaks the output schema there alone is let through,
	// and marked.
	Places []string `json:"places,omitempty"`
	// Until is when an acceptance that the standing rests on expires; zero where
	// none does. From then on the tool is rejected.
	Until time.Time `json:"until,omitzero"`
}

// RejectedAt reports whether the tool is rejected at a time.
func (d *DriftStanding) RejectedAt(now time.Time) bool {
	return d != nil && (d.Rejected || !d.Until.IsZero() && !now.Before(d.Until))
}

// Definition is an earlier definition of a tool: enough to tell an offer made
// for it from a forged one.
type Definition struct {
	Changed  uint64 `json:"changed"`
	Contract string `json:"contract"`
	Binding  string `json:"binding"`
}

// Contracted is a version whose contract is kept and whose binding is gone.
type Contracted struct {
	Version  string     `json:"version"`
	Contract string     `json:"contract"`
	Stated   *Operation `json:"stated,omitempty"` // what was promised, without binding and wording
}

// ToolInfo is a row of the list of tools, as a principal sees it.
type ToolInfo struct {
	Tool    string `json:"tool"`
	Family  string `json:"family"`
	Version string `json:"version"`
	Effect  Effect `json:"effect"`
	State   State  `json:"state"`
}

// ToolDetail is one tool in full, as a principal sees it.
type ToolDetail struct {
	ToolInfo
	Title        string            `json:"title,omitempty"`
	Description  string            `json:"description,omitempty"`
	Why          string            `json:"why,omitempty"`
	Aliases      []string          `json:"aliases,omitempty"`
	Tags         map[string]string `json:"tags,omitempty"`
	Contract     string            `json:"contract"`
	Pin          string            `json:"pin"`
	InputSchema  json.RawMessage   `json:"input_schema"`
	OutputSchema json.RawMessage   `json:"output_schema"`
	Errors       []ErrorCase       `json:"errors,omitempty"`
	Fields       []FieldMeaning    `json:"fields,omitempty"`
}

// SourceInfo is a row of the list of sources, as a principal sees it: Tools
// counts what is in its view.
type SourceInfo struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Tools int    `json:"tools"`
	State string `json:"state,omitempty"` // "unavailable" while the source is down, SourceNeedsAuth or SourceUnread
	// Why says to the operator alone what keeps a source from being read.
	Why string `json:"why,omitempty"`
}

// SourceNeedsAuth is the state of a source that refuses the credential which
// Interlock has for it.
const SourceNeedsAuth = "needs_auth"

// SourceUnread is the state of a source that is configured and could not be read
// as it is: its tools, if it has any, are those of an earlier reading. The
// operator alone is told.
const SourceUnread = "unread"
