package interlock

import "encoding/json"

// Explanation says how an answer came about: what was read in the need, what
// each stage left, what decided for the first tools, and what would change the
// answer. It is computed from the view alone, and only where it is asked for.
type Explanation struct {
	Heard      Heard         `json:"heard"`
	Stages     Stages        `json:"stages"`
	Candidates []Explained   `json:"candidates"` // the first of all that was scored, whether or not they may be used
	Changes    []WouldChange `json:"changes"`
}

// Heard is what was read in the words of a need.
type Heard struct {
	Language string       `json:"language"`
	Acts     []string     `json:"acts"`    // kinds of operation asked for: read, list, search, create, update, delete, execute
	Objects  []string     `json:"objects"` // words that say on what
	Values   []HeardValue `json:"values"`
	Unknown  []string     `json:"unknown"` // words, or English for them, that no tool in view holds
}

// HeardValue is a value that the words of a need hold.
type HeardValue struct {
	Kind string `json:"kind"` // date, time, quantity, money, number, id, email, url, path, quoted
	Text string `json:"text"`
}

// Stages is what each stage of resolve had before it. All counts are of the
// view.
type Stages struct {
	View     int           `json:"view"` // tools that the principal may see
	Eligible EligibleStage `json:"eligible"`
	Discover DiscoverStage `json:"discover"`
	Rerank   *RerankStage  `json:"rerank,omitempty"` // there where a reranker is configured
	Fit      FitStage      `json:"fit"`
	Dispose  DisposeStage  `json:"dispose"`
	Disclose DiscloseStage `json:"disclose"`
}

// EligibleStage counts the tools of each part.
type EligibleStage struct {
	Compatible   int `json:"compatible"`
	Denied       int `json:"denied"`
	Incompatible int `json:"incompatible"`
}

// DiscoverStage counts what was scored, in all parts.
type DiscoverStage struct {
	Scored    int   `json:"scored"`
	Confident int   `json:"confident"` // at the threshold or over it
	Threshold Score `json:"threshold"`
}

// RerankStage says what a reranker made of the order.
type RerankStage struct {
	Model string `json:"model"`
	// Answered says that it gave each text one number in time, for the need and
	// for each of its requests. Where it did not, no order is changed.
	Answered bool          `json:"answered"`
	Orders   []RerankOrder `json:"orders"` // of the whole need, then of each of its requests
}

// RerankOrder is one order that it was asked for.
type RerankOrder struct {
	Intent string     `json:"intent,omitempty"` // the request; empty for the need as a whole
	Asked  int        `json:"asked"`            // tools that it put in order
	Tools  []Reranked `json:"tools"`            // the first five of them before and after
}

// Reranked is one tool as a reranker sees it. Places are among the tools that
// may be used, from 1.
type Reranked struct {
	Tool   string  `json:"tool"`
	Before int     `json:"before"`
	After  int     `json:"after"`
	Says   float64 `json:"says"` // its number; those of two models have no common scale
}

// FitStage counts the confident slots that may be used.
type FitStage struct {
	Fit   int            `json:"fit"`
	Unfit map[string]int `json:"unfit"` // by reason: effect, outputs
}

// DisposeStage counts what was chosen.
type DisposeStage struct {
	Required int `json:"required"` // the complete set
	Further  int `json:"further"`
}

// DiscloseStage counts what is shown.
type DiscloseStage struct {
	Shown   int `json:"shown"`
	LeftOut int `json:"left_out"`
}

// Explained is one tool and what decided about it.
type Explained struct {
	Tool     string      `json:"tool"`
	Version  string      `json:"version"`
	Part     string      `json:"part"` // compatible, denied, incompatible
	Score    Score       `json:"score"`
	Rank     Score       `json:"rank"` // the weighed sum of the evidence, in units of its spread over the view
	Reasons  []FitReason `json:"reasons"`
	Evidence []Evidence  `json:"evidence"` // by what it adds, the most first
}

// Evidence is one kind of evidence for a tool.
type Evidence struct {
	Kind  string        `json:"kind"`            // meaning, gist, words, own words, vocabulary, implied, source, neighbours, act, other acts, precedents
	Value Score         `json:"value"`           // as it was measured
	Adds  Score         `json:"adds"`            // what it adds to the rank
	Words []WeighedWord `json:"words,omitempty"` // that matched
}

// WeighedWord is a word that need and tool share.
type WeighedWord struct {
	Word  string `json:"word"`
	Share Score  `json:"share"` // its part of all that the need's words could give
}

// WouldChange is one thing that would lead to another answer.
type WouldChange struct {
	Member string          `json:"member,omitempty"` // of the need, by pointer; empty where the need is not what has to change
	Value  json.RawMessage `json:"value,omitempty"`  // what it would be
	Text   string          `json:"text"`
}

// FitReason says in what a tool fits the need or does not. The set is closed.
type FitReason string

// The reasons of fit.
const (
	FitNamed           FitReason = "named"
	FitActMeets        FitReason = "act-meets"
	FitActDiffers      FitReason = "act-differs"
	FitObjectMeets     FitReason = "object-meets"
	FitObjectDiffers   FitReason = "object-differs"
	FitInputsHeld      FitReason = "inputs-held"
	FitInputsMissing   FitReason = "inputs-missing"
	FitOutputsGiven    FitReason = "outputs-given"
	FitOutputsMissing  FitReason = "outputs-missing"
	FitUnitConverts    FitReason = "unit-converts"
	FitEffectAllowed   FitReason = "effect-allowed"
	FitEffectExcluded  FitReason = "effect-excluded"
	FitFindsIdentifier FitReason = "finds-id"
)

// FitReasonRow is one line of the table of reasons of fit.
type FitReasonRow struct {
	Reason FitReason
	Means  string
}

var fitReasons = [...]FitReasonRow{
	{FitNamed, "The need holds the tool's name, or an alias of it."},
	{FitActMeets, "The tool does a kind of thing that the need asks for: reads, lists, searches, creates, updates, deletes or executes."},
	{FitActDiffers, "The need asks for one kind of thing, and the tool does another."},
	{FitObjectMeets, "The tool's name, wording or inputs hold words of the need, or English for them, beside the act."},
	{FitObjectDiffers, "The tool's name, wording and inputs hold no word of the need, nor English for one, beside the act."},
	{FitInputsHeld, "Each required input is in hand, or the words of the need hold a value for it."},
	{FitInputsMissing, "A required input is neither in hand nor in the words of the need."},
	{FitOutputsGiven, "The tool declares every wanted field."},
	{FitOutputsMissing, "The tool does not declare some wanted field, gives it in a unit of another kind, or in one that has to be converted where another tool gives the wanted one."},
	{FitUnitConverts, "The tool gives a wanted field in another unit of the same kind, which has to be converted; `gives` says which."},
	{FitEffectAllowed, "The tool's effect is among those that the need allows."},
	{FitEffectExcluded, "The tool's effect is none of those that the need allows; an unknown effect counts as destructive."},
	{FitFindsIdentifier, "Nobody asks for the tool: it finds an id that a tool before it requires."},
}

// FitReasons gives the whole table, in order.
func FitReasons() []FitReasonRow { return append([]FitReasonRow(nil), fitReasons[:]...) }
