package interlock

// AddReport says what became of a source that was added.
type AddReport struct {
	Source     string    `json:"source"`
	Kind       string    `json:"kind"`
	Operations int       `json:"operations"`        // met in the source
	Tools      int       `json:"tools"`             // that are tools now
	Unstated   int       `json:"unstated_effects"`  // tools whose effect nobody stated: they count as destructive
	Waiting    int       `json:"waiting,omitempty"` // tools whose new definition waits for review
	Findings   []Finding `json:"findings"`
	Generation uint64    `json:"-"`
}

// ReviewItem is one definition that waits for somebody's decision.
type ReviewItem struct {
	Tool        string `json:"tool"`
	Family      string `json:"family"`
	Version     string `json:"version"`
	State       State  `json:"state"`
	Kind        string `json:"kind"`        // contract, wording, new or quarantined
	Fingerprint string `json:"fingerprint"` // of exactly this definition; what accept and reject name
	Why         string `json:"why,omitempty"`
	// Accepted and Waiting are the two definitions, for whoever compares them;
	// Accepted is nil for a new tool.
	Accepted *Operation `json:"accepted,omitempty"`
	Waiting  *Operation `json:"waiting"`
}

// The kinds of review.
const (
	ReviewContract    = "contract"
	ReviewWording     = "wording"
	ReviewNew         = "new"
	ReviewQuarantined = "quarantined"
)

// Reread is one source as it is stored and as it is now.
type Reread struct {
	Stored []Operation `json:"stored"` // retired ones left out
	Now    []Operation `json:"now"`
}
