package interlock

import (
	"context"
	"encoding/json"
	"time"
)

// Source reads one place that tools come from and sends cleared calls to it.
// It is opened from a SourceConfig by the Opener of its kind and is safe for
// concurrent use. Opening reads nothing: a source that is down opens.
type Source interface {
	// Catalogue reads everything the source offers now. One bad operation is a
	// Finding, never an error; an error means that nothing could be read.
	Catalogue(ctx context.Context) (Catalogue, error)
	// Call sends one call and gives the answer unchanged. Only the invoke stage
	// calls it. A failure is an *Error whose Outcome is set; what came with it is
	// in the Reply, for whoever judges the source, and is released to nobody.
	Call(ctx context.Context, call Outbound) (Reply, error)
	// Close ends connections and reaps children.
	Close() error
}

// Readier is a Source that can find out what keeps a call from being sent, such
// as a credential that cannot be read or a server that cannot be reached, and
// sends nothing of it. It is asked before an approval is spent on the call.
type Readier interface {
	Source
	// Ready gives the failure that Call would give before anything is sent.
	Ready(ctx context.Context, call Outbound) error
}

// Opener opens sources of one kind.
type Opener interface {
	Open(cfg SourceConfig) (Source, error)
}

// Secrets resolves a reference (see IsReference) to a secret at the moment it is
// needed; only sources call it, and only to fill a request.
type Secrets interface {
	Secret(ref string) (Secret, error)
}

// The kinds of source.
const (
	KindMCP      = "mcp"
	KindOpenAPI  = "openapi"
	KindManifest = "manifest"
	KindTools    = "tools"
)

// SourceConfig says where a source is and what the operator granted it. Its
// JSON form is what the store keeps; secrets are references in it, never
// values.
type SourceConfig struct {
	Name    string            `json:"name"`
	Kind    string            `json:"kind"`
	Command []string          `json:"command,omitempty"`  // mcp over stdio
	Dir     string            `json:"dir,omitempty"`      // where the command runs; file paths are absolute
	Env     map[string]string `json:"env,omitempty"`      // for the command; values may be references
	URL     string            `json:"url,omitempty"`      // mcp over streamable HTTP, or a document's address
	File    string            `json:"file,omitempty"`     // a document's path
	BaseURL string            `json:"base_url,omitempty"` // the operator's own word on where an OpenAPI service is
	Headers map[string]string `json:"headers,omitempty"`  // sent with each request; values may be references
	// Credentials gives a reference for each security scheme of the document,
	// by the scheme's name.
	Credentials map[string]string `json:"credentials,omitempty"`
	Tenant      string            `json:"tenant,omitempty"` // empty means shared, or what a manifest says
	Trust       string            `json:"trust,omitempty"`  // "annotations": the source's word on effects counts
	Review      string            `json:"review,omitempty"` // "manual": every change waits
	// Sessions says who shares a connection to the source: "" all callers,
	// "principal" each has his own, for a server that keeps something of a
	// caller in its session.
	Sessions string `json:"sessions,omitempty"`
	// Results says what is done to answers before they are released.
	Results SourceResults `json:"results,omitzero"`
}

// SourceResults says what is done to the answers of a source.
type SourceResults struct {
	// Hidden says what becomes of characters that nobody sees: "" or "report",
	// the answer names them; "remove", they are taken out, and the answer says
	// where.
	Hidden string `json:"hidden,omitempty"`
}

// The values of SourceResults.Hidden.
const (
	HiddenReport = "report"
	HiddenRemove = "remove"
)

// SessionsPrincipal is the value of SourceConfig.Sessions that gives each
// principal a connection of his own.
const SessionsPrincipal = "principal"

// TrustAnnotations is the value of SourceConfig.Trust that lets a source state
// the effect of its own tools.
const TrustAnnotations = "annotations"

// Catalogue is what a source offers at one moment.
type Catalogue struct {
	Source     string      `json:"source,omitempty"` // the name a manifest gives itself; empty otherwise
	Tenant     string      `json:"tenant,omitempty"` // what a manifest states
	Identity   string      `json:"identity"`         // who answered, as the source states it; part of every binding fingerprint
	Total      int         `json:"total"`            // operations met, good or bad
	Operations []Operation `json:"operations"`
	// Places says where each operation stands, as findings point; nil: at its
	// own position under /tools.
	Places   []string  `json:"places,omitempty"`
	Findings []Finding `json:"findings"`
	Edges    []Edge    `json:"edges,omitempty"`
	Overlays []Overlay `json:"overlays,omitempty"`
	// Lacking names the credentials that operations cannot be called without and
	// that the source's configuration does not give.
	Lacking []string `json:"lacking,omitempty"`
}

// Finding says why one thing of a document did not become a tool, or became a
// lesser one.
type Finding struct {
	Pointer string `json:"pointer"` // into the document, the list of tools, or the line of a file ("/17")
	Reason  string `json:"reason"`
	Dropped bool   `json:"dropped"` // true: no tool came of it
}

// Outbound is a call on its way to a source. Args is one JSON object, spelled
// as the caller spelled it.
type Outbound struct {
	Operation string          // the source's own name
	Binding   json.RawMessage // as the source stated it
	Args      json.RawMessage
	Effect    Effect
	Timeout   time.Duration // for the whole call, retries included
	MaxResult int64         // bytes of answer at most
	Once      bool          // it is not sent again, even where it may be
	Anonymous bool          // it is sent without any credential, by sources that can leave it out
	Caller    string        // the name of who it is for; it is sent nowhere
	// Dispatched, where it is set, is asked each time that the call is about to
	// be written: the first time, and any further one. An error says that what
	// the call was checked against holds no longer; then it is not written, and
	// the error is given back as it is.
	Dispatched func() error
}

// Reply is a source's answer, unchanged. Beside a failure it holds what came,
// and Result is empty where that was no JSON.
type Reply struct {
	// Result is the JSON text that the output schema describes, spelled as the
	// source spelled it; for a tool that states no output schema, whatever the
	// source gave, as JSON. An answer with no body is "null".
	Result json.RawMessage
	// Content is the MCP content blocks, a JSON array, where the source gave
	// them; nil otherwise.
	Content json.RawMessage
	// Status is the source's own status (HTTP), 0 where it has none.
	Status int
	// Said is what the answer says beside its body, by lower-case name:
	// content-type, retry-after, deprecation, sunset; rpc-code, the code of a
	// JSON-RPC error. Nil where it says nothing.
	Said map[string]string
}

// The limits of a call.
const (
	DefaultTimeout   = 30 * time.Second
	DefaultMaxArgs   = 1 << 20
	DefaultMaxResult = 10 << 20
	MaxJSONDepth     = 64
)

// CallRequest asks for one call. Tool may stand in the place of Offer: the
// offer is then made at the call.
type CallRequest struct {
	Offer    string          `json:"offer,omitempty"`
	Tool     string          `json:"tool,omitempty"`
	Args     json.RawMessage `json:"args"`
	Approval string          `json:"approval,omitempty"`
	// Insensitive says that the caller does not depend on how the tool behaves:
	// where the operator allows it, a read goes out although the tool is rejected
	// for drift. Nothing else skips that comparison.
	Insensitive bool `json:"insensitive,omitempty"`
	// Approve is the operator's own leave for this one call; surfaces set it
	// only for the operator.
	Approve bool `json:"-"`
	// Limit is the strongest effect the surface lets through; empty is any.
	Limit Effect `json:"-"`
}

// CallResult is the answer to a call that went through.
type CallResult struct {
	Result     json.RawMessage `json:"result"`
	Receipt    Receipt         `json:"receipt"`
	Provenance Provenance      `json:"provenance"`
	// Content is the tool's own content blocks, for surfaces that can show
	// them; only where the tool states no output schema.
	Content json.RawMessage `json:"-"`
}

// Provenance says where a result came from and what was checked.
type Provenance struct {
	Tool      string   `json:"tool"`
	Family    string   `json:"family"`
	Version   string   `json:"version"`
	Source    string   `json:"source"`
	Contract  string   `json:"contract"`            // contract hash at the time of the call
	Validated string   `json:"validated"`           // strict, warn, off, or unstated where the tool states no output schema
	Warnings  []string `json:"warnings,omitempty"`  // what warn let through
	Projected []string `json:"projected,omitempty"` // pointers of members left out, the first 20
	Drift     []string `json:"drift,omitempty"`     // kinds of drift that policy lives with
	// Removed says which hidden characters were taken out of the answer, where the
	// operator asked for that: the first MaxRemoved places. RemovedPlaces counts
	// them all where there are more.
	Removed       []Removed `json:"removed,omitempty"`
	RemovedPlaces int       `json:"removed_places,omitempty"`
	Trust         string    `json:"trust"` // always "untrusted": the content is the source's, not Interlock's
}

// MaxRemoved bounds the places that Provenance.Removed names.
const MaxRemoved = 20

// Removed is one string of an answer that hidden characters were taken out of.
type Removed struct {
	In         string `json:"in,omitempty"` // "content" for the tool's own content blocks; empty for the result
	Pointer    string `json:"pointer"`
	Characters string `json:"characters"` // "U+200B ×2, U+202E"
}

// Receipt is the caller's copy of the sealed record of a call.
type Receipt struct {
	ID        string `json:"id"`
	Digest    string `json:"digest"` // SHA-256 of the logged body's canonical JSON, hex
	Salt      string `json:"salt"`   // with it the caller can prove arguments and result to the log
	Signature string `json:"signature"`
	Key       string `json:"key"` // name of the log's verifier key
}
