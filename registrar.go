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
