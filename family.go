package interlock

// StageFamily is the stage of an error about a family as a whole; with
// ReasonNotFound it says that none of that name is in the view.
const StageFamily = "family"

// FamilyInfo is one capability family as a principal sees it, judged under one
// constraint: what stands in it that he may not see leaves no trace.
type FamilyInfo struct {
	Family       string `json:"family"`
	Range        string `json:"range,omitempty"` // as asked; empty constrains nothing
	BuiltAgainst string `json:"built_against,omitempty"`
	// Base is the version that compatibility is reckoned from: built_against,
	// or the lowest inside the range. Empty where there is none.
	Base     string          `json:"base,omitempty"`
	Versions []FamilyVersion `json:"versions"` // ascending, retired ones included
	Edges    []Edge          `json:"edges"`    // declared between these versions
	// Proved is what the comparison of two contracts says of the callers of the
	// one: for the base and every version, and for each version and its
	// neighbours. What is declared stands beside it in Edges.
	Proved []ProvedEdge `json:"proved"`
}

// ProvedEdge is the outcome of comparing two versions of a family.
type ProvedEdge struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Compat string `json:"compat"` // backward, none or undecided
	// Mode is strict or tool, where Compat is backward: an edge proved in tool
	// mode holds for its own pair alone, and no longer way goes over it.
	Mode   string `json:"mode,omitempty"`
	Digest string `json:"digest"` // of both versions, their contracts and the outcome, hex
	// Rule and Pointer name what broke the callers, stopped the proof, or keeps
	// it from strict mode.
	Rule    string `json:"rule,omitempty"`
	Pointer string `json:"pointer,omitempty"`
}

// FamilyVersion is one version of a family.
type FamilyVersion struct {
	Version  string       `json:"version"`
	Contract string       `json:"contract"`          // contract hash, hex
	Stopped  *Stopped     `json:"stopped,omitempty"` // what keeps it from the caller; absent where it may serve him
	Tools    []FamilyTool `json:"tools"`             // by name; none for a version that only the past has
}

// FamilyTool is one tool of a version.
type FamilyTool struct {
	Tool     string `json:"tool"`
	Effect   Effect `json:"effect"`
	State    State  `json:"state"`
	Why      string `json:"why,omitempty"`
	Contract string `json:"contract"`
	Pin      string `json:"pin"`
	Bound    bool   `json:"bound"`   // false: there is nothing to call, whatever the source does
	Allowed  bool   `json:"allowed"` // false: policy keeps this principal from calling it
}
