package interlock

import (
	"context"
	"encoding/json"
	"time"
)

// Store keeps a registry, its vectors, its approvals and its log. Everything it
// acknowledges survives the end of the process; package store/storetest is the
// suite that every implementation passes.
type Store interface {
	// Load reads the whole registry at one generation.
	Load(ctx context.Context) (RegistryState, error)
	// Generation reads the current generation alone.
	Generation(ctx context.Context) (uint64, error)
	// Commit applies a change as a whole and gives the new generation, expect+1.
	// Where the registry has moved from expect it changes nothing and gives
	// ReasonConflict; on a full disk it changes nothing and gives
	// ReasonStoreFull.
	Commit(ctx context.Context, expect uint64, change Change) (uint64, error)

	// Vectors gives the stored vectors of the named embedder by content hash;
	// absent ones are left out.
	Vectors(ctx context.Context, embedder string, keys []string) (map[string][]byte, error)
	PutVectors(ctx context.Context, embedder string, vectors map[string][]byte) error

	// PutApproval stores an approval under its id; asking again for a call that
	// is already asked for changes nothing.
	PutApproval(ctx context.Context, a Approval) error
	// Approval reads one; ReasonNotFound where there is none.
	Approval(ctx context.Context, id string) (Approval, error)
	Approvals(ctx context.Context) ([]Approval, error)
	// OpenApprovals reads those of a principal that are asked for or granted and
	// not over at a time.
	OpenApprovals(ctx context.Context, principal string, at time.Time) ([]Approval, error)
	// PruneApprovals drops those that were over before a time, in whatever state,
	// and gives their number.
	PruneApprovals(ctx context.Context, before time.Time) (int, error)
	// Move changes an approval's state from one to another, once: of racing
	// callers one gets true.
	MoveApproval(ctx context.Context, id string, from, to ApprovalState, by string) (bool, error)

	// Behavior reads what is kept of tools' behaviour, whole.
	Behavior(ctx context.Context) (BehaviorState, error)
	// PutBehavior keeps the state of some tools, nil dropping one, and the index
	// of the log that all of it now stands for, as one. The log can give it
	// again, so it does not wait for the disk.
	PutBehavior(ctx context.Context, change BehaviorState) error

	PolicyStore
	LogStore
	Close() error
}

// BehaviorState is what the log has shown of tools' behaviour, folded.
type BehaviorState struct {
	Applied int64             // every entry of the log below this index is in it
	Tools   map[string][]byte // by whole name, in a form of package drift's own
}

// PolicyStore keeps every set of policies that was ever in force.
type PolicyStore interface {
	// PutPolicies records that a set came into force, as a whole, and gives it
	// with its number, one more than the last. Where it is the last one already
	// it changes nothing and gives that.
	PutPolicies(ctx context.Context, v PolicyVersion, files []PolicyFile) (last PolicyVersion, changed bool, err error)
	// PolicyVersions reads the versions, the first one first.
	PolicyVersions(ctx context.Context) ([]PolicyVersion, error)
	// PolicySet reads the files of a set by its digest; ReasonNotFound where
	// none of that digest was ever in force.
	PolicySet(ctx context.Context, digest string) ([]PolicyFile, error)
}

// PolicyVersion is one change of the policies in force.
type PolicyVersion struct {
	Number   int       `json:"number"` // from 1
	Digest   string    `json:"digest"` // of the set; empty where there were none from then on
	By       string    `json:"by"`     // what brought it: start, reload, command
	At       time.Time `json:"at"`
	Policies int       `json:"policies"` // how many the set has
	Files    []string  `json:"files"`    // the names of its files
}

// PolicyFile is one text of policies.
type PolicyFile struct {
	Name string `json:"name"`
	Text []byte `json:"text"`
}

// RegistryState is a registry at one generation.
type RegistryState struct {
	Generation uint64
	Sources    []SourceRecord // by name
	Tools      []ToolRecord   // by id
}

// SourceRecord is what the registry holds of one source.
type SourceRecord struct {
	Config   SourceConfig `json:"config"`
	Tenant   string       `json:"tenant"`
	Identity string       `json:"identity"`
	Total    int          `json:"total"`
	Findings []Finding    `json:"findings,omitempty"`
	Edges    []Edge       `json:"edges,omitempty"`
	Overlays []Overlay    `json:"overlays,omitempty"`
	Down     string       `json:"down,omitempty"` // why the source is unavailable; empty while it answers
}

// Change is one step of a registry. Puts replace whole records.
type Change struct {
	PutSources  []SourceRecord
	DropSources []string
	PutTools    []ToolRecord
	DropTools   []string
}

// ApprovalState is where an approval stands.
type ApprovalState string

// The states of an approval; each is left at most once, and used, refused and
// expired are ends.
const (
	ApprovalAsked   ApprovalState = "asked"
	ApprovalGranted ApprovalState = "granted"
	ApprovalRefused ApprovalState = "refused"
	ApprovalUsed    ApprovalState = "used"
)

// Approval is one principal's leave for one call, bound to the call's digest
// and used once.
type Approval struct {
	ID        string        `json:"id"`
	Digest    string        `json:"digest"` // of principal, tool, contract, binding and arguments
	Principal string        `json:"principal"`
	Tool      string        `json:"tool"`
	Effect    Effect        `json:"effect"`
	State     ApprovalState `json:"state"`
	By        string        `json:"by,omitempty"`
	Asked     time.Time     `json:"asked"`
	Expires   time.Time     `json:"expires"`

	// What follows is said to whoever lists approvals; no store keeps it.

	// Expired says that it was neither used nor refused in time.
	Expired bool `json:"expired,omitempty"`
	// Decidable says that whoever lists it may decide on it now.
	Decidable bool `json:"decidable,omitempty"`
	// Args are the arguments of the call, byte for byte as far as whoever
	// lists them may read; empty where they are not at hand.
	Args string `json:"args,omitempty"`
}

// LogStore keeps the append-only log. Only package receipt writes it.
type LogStore interface {
	// AppendLog writes a batch as a whole: entries with the indexes that follow
	// the last one, the new hashes of the tree, and the checkpoint over them.
	// With flush it returns after the disk has confirmed.
	AppendLog(ctx context.Context, batch LogBatch, flush bool) error
	// FlushLog makes everything appended so far safe against loss of power.
	FlushLog(ctx context.Context) error
	// LogEntries reads up to limit entries from index on, in order.
	LogEntries(ctx context.Context, index int64, limit int) ([]LogEntry, error)
	// LogHashes reads stored hashes of the tree by their storage index.
	LogHashes(ctx context.Context, indexes []int64) ([][32]byte, error)
	// LogCheckpoint reads the last checkpoint; empty where the log is.
	LogCheckpoint(ctx context.Context) (text string, size int64, err error)

	// LogFloor is the index of the first entry that is kept.
	LogFloor(ctx context.Context) (int64, error)
	// PruneLog drops the entries below a floor, with their hashes, and keeps
	// tiles in their place; one that is there already is replaced. It is done as
	// a whole. A floor that is not above the present one, or above the number of
	// entries, is ReasonConflict.
	PruneLog(ctx context.Context, prune LogPrune) error
	// LogTile reads a tile that PruneLog kept; ReasonLogInvalid where there is
	// none.
	LogTile(ctx context.Context, level int, n int64) ([]byte, error)

	// PutLogWitness keeps a checkpoint with the signatures of witnesses under
	// its size, in place of an earlier one.
	PutLogWitness(ctx context.Context, size int64, text string) error
	// LogWitnesses reads up to limit of them, the largest first.
	LogWitnesses(ctx context.Context, limit int) ([]LogWitness, error)
}

// LogEntry is one entry of the log.
type LogEntry struct {
	Index  int64           `json:"index"`
	Type   string          `json:"type"`
	Digest string          `json:"digest"` // SHA-256 of Body, hex
	Body   json.RawMessage `json:"body"`   // RFC 8785 canonical JSON
}

// LogBatch is what one append adds.
type LogBatch struct {
	Entries    []LogEntry
	Hashes     [][32]byte // the tree's stored hashes that the entries add, in storage order
	Checkpoint string     // signed note over the tree of all entries so far
}

// LogPrune is what one step of retention drops and keeps.
type LogPrune struct {
	Floor int64     // first entry that is kept
	Tiles []LogTile // of the tree of the entries below it
}

// LogTile is a tile of the tree in the format of the Go checksum database,
// height 8: up to 256 hashes of one level, side by side.
type LogTile struct {
	Level  int // of the tile: its hashes are of level 8*Level of the tree
	N      int64
	Hashes []byte
}

// LogWitness is a checkpoint that witnesses have signed too.
type LogWitness struct {
	Size int64
	Text string // signed note with every signature
}

// The types of log entries.
const (
	EntryResolve       = "resolve"
	EntryIntent        = "intent"
	EntryCall          = "call"
	EntryRefused       = "refused"
	EntryIndeterminate = "indeterminate"
	EntryRegistry      = "registry"
	EntryApproval      = "approval"
	EntryPolicy        = "policy"
	EntryAccess        = "access"
	EntryDocumented    = "documented_behavior_fingerprint"
	EntryObserved      = "observed_behavior_fingerprint"
	EntryDivergence    = "behavior_divergence_receipt"
	EntryAcceptance    = "drift_acceptance_policy_receipt"
	EntryRetention     = "retention"
	EntryRestored      = "restored"
)
