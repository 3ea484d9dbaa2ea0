package interlock

import "encoding/json"

// Disposition is the kind of answer to a need.
type Disposition string

// The dispositions.
const (
	Supported         Disposition = "supported"
	Ambiguous         Disposition = "ambiguous"
	NeedsInput        Disposition = "needs_input"
	Unsupported       Disposition = "unsupported"
	Forbidden         Disposition = "forbidden"
	BudgetUnsatisfied Disposition = "budget_unsatisfied"
)

// Offers reports whether candidates of this disposition carry offers.
func (d Disposition) Offers() bool { return d == Supported || d == Ambiguous || d == NeedsInput }

// Score orders candidates and is held against τ and Δ; it lies in [0,1] on the
// anchored scale, rounded to four decimals before anything reads it.
type Score float64

// Probability lies in [0,1] and is calibrated: of the answers that bear one of
// 0.9, nine in ten are right. It is rounded to four decimals. A score orders; a
// probability promises.
type Probability float64

// Resolution is the answer to a need.
type Resolution struct {
	Disposition Disposition `json:"disposition"`
	Confidence  Probability `json:"confidence"` // that the disposition is right
	Servable    Probability `json:"servable"`   // that the tools in view serve the need, whatever the disposition
	Candidates  []Candidate `json:"candidates"`
	Missing     []Missing   `json:"missing"`
	Refusal     Refusal     `json:"refusal"`
	Events      []Event     `json:"events"`
	LeftOut     *LeftOut    `json:"left_out,omitempty"`
	Intents     []Intent    `json:"intents,omitempty"` // where the need consists of several
	Scorer      string      `json:"scorer"`
	Snapshot    View        `json:"snapshot"`
	// Explanation is there where the need asks for it.
	Explanation *Explanation `json:"explanation,omitempty"`
}

// Err gives the refusal for errors.As, or nil where the need is supported.
func (r *Resolution) Err() error {
	if r.Refusal == nil {
		return nil
	}
	return r.Refusal
}

// View names what the answer was computed from. Equal fingerprints mean that
// the principal saw the same tools in the same states.
type View struct {
	View string `json:"view"`
}

// Candidate is one disclosed tool.
type Candidate struct {
	Tool         string          `json:"tool"`
	Family       string          `json:"family"`
	Version      string          `json:"version"`
	Effect       Effect          `json:"effect"`
	State        State           `json:"state"`
	Score        Score           `json:"score"`
	Reasons      []FitReason     `json:"reasons,omitempty"` // in what it fits, or does not
	Description  string          `json:"description,omitempty"`
	Offer        string          `json:"offer,omitempty"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`
	OutputSchema json.RawMessage `json:"output_schema,omitempty"`
	Gives        []Given         `json:"gives,omitempty"` // where the wanted fields are in the result
}

// Given is a wanted field in the result of a tool.
type Given struct {
	SemanticID string `json:"semantic_id"`
	Pointer    string `json:"pointer"`        // into the result
	Unit       string `json:"unit,omitempty"` // UCUM: what the tool gives it in, whatever was wanted
}

// Missing is one thing that stands between the need and a call: an input by
// pointer into the arguments of a tool, a family, or a wanted field.
type Missing struct {
	Tool       string `json:"tool,omitempty"`
	Pointer    string `json:"pointer,omitempty"`
	Name       string `json:"name,omitempty"`
	Type       string `json:"type,omitempty"`
	Unit       string `json:"unit,omitempty"`
	Question   string `json:"question,omitempty"`
	FoundBy    string `json:"found_by,omitempty"` // the tool that finds it, where it is an id
	Family     string `json:"family,omitempty"`
	SemanticID string `json:"semantic_id,omitempty"`
	Intent     string `json:"intent,omitempty"` // one request of the need, in its own words
	Budget     string `json:"budget,omitempty"` // the budget that it does not fit: k, calls, schema_bytes, tokens
}

// Intent is one request of a need that consists of several.
type Intent struct {
	Text string `json:"text"`
	Tool string `json:"tool,omitempty"` // what covers it; empty where nothing does
}

// LeftOut counts what would have matched and is not shown.
type LeftOut struct {
	K           int `json:"k,omitempty"`            // further matches beyond K
	SchemaBytes int `json:"schema_bytes,omitempty"` // matches whose schema did not fit
	Tokens      int `json:"tokens,omitempty"`
}

// Event is something about an answer that others should learn of; the choice
// stands.
type Event struct {
	Type         string    `json:"type"`
	Family       string    `json:"family"`
	Compatible   Contender `json:"compatible,omitzero"`   // of EventShadowed
	Incompatible Contender `json:"incompatible,omitzero"` // of EventShadowed
	Tool         string    `json:"tool,omitempty"`        // of EventDriftWithinPolicy
	Kinds        []string  `json:"kinds,omitempty"`       // of EventDriftWithinPolicy, ascending
	Advice       string    `json:"advice,omitempty"`
}

// EventDriftWithinPolicy is the event of a disclosed tool that does not behave
// as it documents, as far as policy lives with it.
const EventDriftWithinPolicy = "DriftWithinPolicy"

// EventShadowed is the event of an incompatible tool that outscores the choice
// by more than Δ.
const EventShadowed = "ShadowedCompatibleMatch"

// Contender is one side of a comparison of scores. It never holds an offer.
type Contender struct {
	Tool    string `json:"tool"`
	Family  string `json:"family,omitempty"`
	Version string `json:"version"`
	Score   Score  `json:"score"`
}
