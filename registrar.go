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
	// Quarantined names the tools whose definition is kept away, and the rules
	// that it breaks: the first MaxQuarantined.
	Quarantined []Quarantined `json:"quarantined,omitempty"`
	// Lacking names the credentials that tools cannot be called without and that
	// nobody has given.
	Lacking    []string `json:"credentials_missing,omitempty"`
	Generation uint64   `json:"-"`
}

// MaxQuarantined bounds AddReport.Quarantined.
const MaxQuarantined = 100

// Quarantined is a tool whose definition is kept away for what it says.
type Quarantined struct {
	Tool  string   `json:"tool"` // what nobody would see in its name is spelled out
	Rules []string `json:"rules"`
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
	// Verdict and Changes say what the contract that waits does to callers of the
	// accepted one, Wording what a model would read otherwise: at most
	// MaxReviewChanges of each. More counts the rest.
	Verdict string          `json:"verdict,omitempty"`
	Changes []ReviewChange  `json:"changes,omitempty"`
	Wording []WordingChange `json:"wording,omitempty"`
	More    int             `json:"more,omitempty"`
}

// MaxReviewChanges bounds the changes that one item of a review lists.
const MaxReviewChanges = 200

// ReviewChange is one difference of two contracts, by its rule.
type ReviewChange struct {
	Rule        string `json:"rule"`
	Pointer     string `json:"pointer"`     // in the accepted definition
	PointerNew  string `json:"pointer_new"` // in the one that waits
	Verdict     string `json:"verdict"`     // ok, break or undecided
	Breaking    bool   `json:"breaking"`
	Enforcement string `json:"enforcement,omitempty"` // what makes it safe
	Message     string `json:"message"`
	Harm        string `json:"harm,omitempty"`
	Remedy      string `json:"remedy,omitempty"`
	Renamed     string `json:"renamed,omitempty"`
	Stopped     string `json:"stopped,omitempty"` // what kept the proof from an answer
}

// WordingChange is one text that a model reads, before and after. Characters
// that nobody sees are spelled by their code points.
type WordingChange struct {
	Pointer string `json:"pointer"`
	Old     string `json:"old,omitempty"`
	New     string `json:"new,omitempty"`
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
