package drift

import "strings"

// The limits of the state of one tool.
const (
	maxKnown   = 128 // arguments that are remembered
	maxHints   = 64  // contradictions that are not confirmed yet
	maxFound   = 66  // divergences, a third for each severity
	maxKin     = 12  // of one kind
	maxSaw     = 4   // different things seen of one kind in one place
	maxStreams = 40
	maxAccepts = 128
	maxMarks   = 8
	maxForms   = 4
)

// tool is the state of one tool: a fold over the entries of the log that speak
// of it. Its exported members are what is kept in a store.
type tool struct {
	Doc     DocumentedBody
	Waiting *DocumentedBody `json:",omitempty"`
	Served  bool            // Doc was accepted, not just seen waiting
	Applied int64           // index after the last entry of the whole log

	First, Last int64  // Unix seconds of contract-relevant calls
	LastWrite   int64  // index after the last call, where the tool may change something
	Print       string // observed behaviour fingerprint
	Profile     *Profile

	Found   []*found
	Hints   map[string]*hint `json:",omitempty"`
	Accepts []Acceptance

	Known   map[string]*known `json:",omitempty"` // by tag of the arguments
	Refused tally             // arguments inside the documentation that are refused as invalid
	Made    tally             // what did not exist and does
	Read    repeat
	Echoes  map[string]*run     `json:",omitempty"`
	Lists   map[string]*run     `json:",omitempty"`
	Waits   map[string]*holding `json:",omitempty"`
	Units   map[string]*scale   `json:",omitempty"`
	Forms   map[string]*forms   `json:",omitempty"`
	Streams map[string]*stream  `json:",omitempty"`
	Order   int                 // streams that were begun
	Pace    pace
	Size    pace
	Absent  int64 // negative controls, and how many were told as documented
	Denied  int64
}

func newTool(doc DocumentedBody) *tool {
	return &tool{Doc: doc, Profile: &Profile{}}
}

// put sets an entry of a map that is made with its first: most tools of a large
// catalogue are never called.
func put[V any](m *map[string]V, key string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = v
}

// spared takes away a map that holds nothing.
func spared[V any](m *map[string]V) {
	if len(*m) == 0 {
		*m = nil
	}
}

// share lets what is part of the tool's whole name be one text with it.
func (b *DocumentedBody) share() {
	if source, name, ok := strings.Cut(b.Tool, "/"); ok && source == b.Source && name == b.Name {
		b.Source, b.Name = source, name
	}
}

// moment is the entry that is applied.
type moment struct {
	index int64
	at    string
	unix  int64
	// disturbed is the index after the last call of the source that may have
	// changed something.
	disturbed int64
}
