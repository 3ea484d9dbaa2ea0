package interlock

// ProbeRequest asks to find out how tools behave.
type ProbeRequest struct {
	// What is a source's name or a tool's whole name.
	What string `json:"what"`
	// Budget is how many requests one tool gets at most; 0 means 30.
	Budget int `json:"budget,omitempty"`
	// Seed makes the same requests again; empty draws one.
	Seed string `json:"seed,omitempty"`
}

// MaxProbeBudget is the largest budget of one tool.
const MaxProbeBudget = 1000

// ProbeReport says what was asked of which tool, and what was not.
type ProbeReport struct {
	Seed  string       `json:"seed"`
	Tools []ProbedTool `json:"tools"` // by name, those that were not probed included
}

// ProbedTool is one tool of a probe.
type ProbedTool struct {
	Tool      string      `json:"tool"`
	Sent      int         `json:"sent"` // requests that went out
	Probes    []Probed    `json:"probes,omitempty"`
	Checks    []Check     `json:"checks,omitempty"`
	NotProbed []NotProbed `json:"not_probed"`
}

// Probed is one probe that was made.
type Probed struct {
	Probe string `json:"probe"`
	Sent  int    `json:"sent"`
}

// Check is one thing that the answers of a probe showed.
type Check struct {
	Probe   string `json:"probe"`
	Kind    string `json:"kind"` // of drift that was looked for
	Pointer string `json:"pointer"`
	Holds   bool   `json:"holds"` // the tool does as it documents
	Says    string `json:"says"`
}

// NotProbed is a probe that was not made, and why.
type NotProbed struct {
	Probe  string `json:"probe"`
	Reason string `json:"reason"`
}
