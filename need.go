package interlock

// Need is what a caller wants. Every member but Text may be left out, and Text
// too where Want stands.
type Need struct {
	Text        string       `json:"need,omitempty"`
	Context     []string     `json:"context,omitempty"`     // what the user said earlier, the oldest first
	Have        []string     `json:"have,omitempty"`        // inputs in hand, by name or pointer
	Want        []Want       `json:"want,omitempty"`        // output fields wanted
	Constraints []Constraint `json:"constraints,omitempty"` // families and the versions accepted
	Effects     []Effect     `json:"effects,omitempty"`     // effects allowed; empty allows every one
	K           int          `json:"k,omitempty"`           // candidates at most; 0 means the default, 5
	Budget      Budget       `json:"budget,omitzero"`
	Explain     bool         `json:"explain,omitempty"` // say how the answer came about
}

// Want is one wanted output field.
type Want struct {
	SemanticID string            `json:"semantic_id"`
	Unit       string            `json:"unit,omitempty"` // UCUM
	Qualifiers map[string]string `json:"qualifiers,omitempty"`
}

// Constraint is a caller's version range for a family.
type Constraint struct {
	Family       string `json:"family"` // "*" for every family not named
	Range        string `json:"range"`  // npm's strict range grammar
	BuiltAgainst string `json:"built_against,omitempty"`
}

// Budget bounds what is disclosed; a zero member means its default.
type Budget struct {
	Calls       int `json:"calls,omitempty"`        // calls the complete set may take; default 8
	SchemaBytes int `json:"schema_bytes,omitempty"` // bytes of schema disclosed; default 32768
	Tokens      int `json:"tokens,omitempty"`       // tokens of the candidates; default unbounded
	// Tokenizer counts them as the consumer does; default o200k.
	Tokenizer string `json:"tokenizer,omitempty"`
}

// The defaults of a need.
const (
	DefaultK           = 5
	DefaultCalls       = 8
	DefaultSchemaBytes = 32 << 10
	MaxK               = 100
	MaxNeedBytes       = 64 << 10
	MaxContext         = 32 // earlier turns
	DefaultTokenizer   = "o200k"
)
