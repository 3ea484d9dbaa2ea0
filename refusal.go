package interlock

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Refusal is a typed "no": the part of an answer that agents branch on. Each
// type is told by errors.As in Go and by the member "type" on the wire.
type Refusal interface {
	error
	// Type is the name on the wire.
	Type() string
}

// NoCompatibleContract says that no version of a requested family may serve
// the caller. There is no fallback to the nearest match.
type NoCompatibleContract struct {
	Family     string    `json:"family"`
	Constraint string    `json:"constraint"`
	Rule       Reason    `json:"reason"`   // no-compatible-contract; base-unknown where built_against names no version
	Versions   []string  `json:"versions"` // what this principal may see of the family, ascending
	StoppedBy  []Stopped `json:"stopped_by"`
}

// Stopped says what kept one version out.
type Stopped struct {
	Version string `json:"version"`
	By      string `json:"by"` // "range", "edge", "state", "base-unknown"
	From    string `json:"from,omitempty"`
	Compat  string `json:"compat,omitempty"` // of the edge: none, undecided
	State   State  `json:"state,omitempty"`
}

// LowConfidenceMatch says that compatible tools exist and none is near enough.
type LowConfidenceMatch struct {
	Threshold Score       `json:"threshold"`
	BestScore Score       `json:"best_score"`
	Advice    []Contender `json:"advice"` // incompatible candidates: to read, never to call
}

// NoMatch says that what matched in words does not fit in kind.
type NoMatch struct {
	Reasons []string `json:"reasons"` // operation, object, outputs, effect, inputs
}

// ForbiddenNeed says that the tools that fit are denied to this principal, and
// that what may be used does not come near them.
type ForbiddenNeed struct {
	Tools []string `json:"tools"` // visible tools that fit and that policy denies
}

// AmbiguousNeed says that two or more tools serve the need equally.
type AmbiguousNeed struct {
	Tools   []string `json:"tools"`
	Decides []string `json:"decides"` // what would separate them
}

// MissingInput says that required inputs are not in hand.
type MissingInput struct {
	Tool   string   `json:"tool"`
	Inputs []string `json:"inputs"` // pointers into the arguments
}

// DriftRejected says that a tool no longer behaves as it documents, further than
// policy lives with. It comes with a refused call.
type DriftRejected struct {
	Tool  string   `json:"tool"`
	Kinds []string `json:"kinds"` // of drift, ascending; docs/drift.md lists them
}

// InsufficientEvidence stands in the place of a kind of drift where policy wants
// evidence of a tool's behaviour before it lets calls go on.
const InsufficientEvidence = "insufficient_evidence"

// OverBudget says that the complete set does not fit.
type OverBudget struct {
	Budget string `json:"budget"` // k, calls, schema_bytes or tokens
	Limit  int    `json:"limit"`
	Needs  int    `json:"needs"`
}

// The names on the wire.

func (*NoCompatibleContract) Type() string { return "NoCompatibleContract" }
func (*LowConfidenceMatch) Type() string   { return "LowConfidenceMatch" }
func (*NoMatch) Type() string              { return "NoMatch" }
func (*ForbiddenNeed) Type() string        { return "Forbidden" }
func (*AmbiguousNeed) Type() string        { return "Ambiguous" }
func (*MissingInput) Type() string         { return "NeedsInput" }
func (*OverBudget) Type() string           { return "BudgetUnsatisfied" }
func (*DriftRejected) Type() string        { return "DriftRejected" }

func (r *NoCompatibleContract) Error() string {
	if r.Rule == ReasonBaseUnknown {
		return fmt.Sprintf("%s: the version named in built_against is none that you may see; name one of versions, or leave it out", r.Family)
	}
	if r.Family == "*" {
		if r.Constraint == "*" {
			return "no tool that you see may serve you; register a source, or ask for the right to see and use one"
		}
		return fmt.Sprintf("no tool of a version that satisfies %s may serve you; widen the range, or leave it out", r.Constraint)
	}
	return fmt.Sprintf("%s: no version that satisfies %s may serve you; stopped_by says what kept each out", r.Family, r.Constraint)
}

func (r *LowConfidenceMatch) Error() string {
	return fmt.Sprintf("the best compatible tool scores %.4f, under the threshold %.4f; say the need more exactly", float64(r.BestScore), float64(r.Threshold))
}

func (r *NoMatch) Error() string {
	in := make([]string, 0, len(r.Reasons))
	for _, why := range r.Reasons {
		in = append(in, unfit(why))
	}
	return "tools near in words do not fit in kind: " + strings.Join(in, ", or ")
}

// unfit says in words in what a tool does not fit.
func unfit(reason string) string {
	switch reason {
	case "operation":
		return "they do another thing than is asked for"
	case "object":
		return "they do it to something else"
	case "outputs":
		return "no output of theirs is what is wanted, in a unit that converts"
	case "effect":
		return "their effect is none that is allowed"
	case "inputs":
		return "they take other inputs"
	}
	return reason
}

func (r *ForbiddenNeed) Error() string {
	return "the tools that fit may not be used by you; ask whoever sets the policy"
}

func (r *AmbiguousNeed) Error() string {
	return fmt.Sprintf("%d tools fit equally; say the %s of the one that is meant", len(r.Tools), strings.Join(r.Decides, ", or the "))
}

func (r *MissingInput) Error() string {
	if len(r.Inputs) == 1 {
		return r.Tool + " fits and needs one more input; missing names it"
	}
	return fmt.Sprintf("%s fits and needs %d more inputs; missing names them", r.Tool, len(r.Inputs))
}

func (r *OverBudget) Error() string {
	return fmt.Sprintf("the complete set needs %s %d and the limit is %d; missing names what is left out", r.Budget, r.Needs, r.Limit)
}

func (r *DriftRejected) Error() string {
	if slices.Contains(r.Kinds, InsufficientEvidence) {
		return fmt.Sprintf("too little is known of how %s behaves, and policy wants evidence first; have it probed, or use another tool", r.Tool)
	}
	if len(r.Kinds) == 0 {
		return fmt.Sprintf("%s documents nothing of its behaviour, and policy requires it; use another tool", r.Tool)
	}
	return fmt.Sprintf("%s does not behave as it documents (%s); use another tool or version, or have the drift accepted", r.Tool, strings.Join(r.Kinds, ", "))
}

// MarshalRefusal writes a refusal as one JSON object: its type, its message
// and its own members.
func MarshalRefusal(r Refusal) ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	members, err := Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("marshal refusal %s: %w", r.Type(), err)
	}
	if len(members) < 2 || members[0] != '{' {
		return nil, errors.New("marshal refusal: not an object")
	}
	head, err := Marshal(struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}{r.Type(), r.Error()})
	if err != nil {
		return nil, fmt.Errorf("marshal refusal %s: %w", r.Type(), err)
	}
	if string(members) == "{}" {
		return head, nil
	}
	return append(append(head[:len(head)-1], ','), members[1:]...), nil
}

// MarshalJSON writes the resolution with its typed refusal.
func (r Resolution) MarshalJSON() ([]byte, error) {
	type plain Resolution
	refusal, err := MarshalRefusal(r.Refusal)
	if err != nil {
		return nil, err
	}
	return Marshal(struct {
		plain
		Refusal json.RawMessage `json:"refusal"`
	}{plain(r), refusal})
}

// Marshal writes v as JSON on one line and leaves <, > and & as they are: what
// passes through Interlock keeps its spelling.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
