package drift

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// Documented is what one definition of a tool documents, in the form that
// observations are held against. It is immutable and safe for concurrent use.
// Its schemas are read at the first use.
type Documented struct {
	stated      Stated
	reading     func() *reading
	fingerprint string
	hints       hints
	closing     bool // the definition itself says that the tool is to end
}

// reading is a definition's schemas and what its fields mean.
type reading struct {
	in, out *node // nil: not stated
	loose   bool  // the output schema holds what only the contract checks
	roles   roles
}

// Document reads the documentation of one definition. It fails where the
// operation has no canonical form; registration lets none such through.
func Document(s Stated) (*Documented, error) {
	d := &Documented{stated: s}
	if d.stated.Source == "" {
		d.stated.Source, _, _ = strings.Cut(s.Tool, "/")
	}
	if d.stated.Contract == "" {
		hash, err := contract.Hash(s.Operation)
		if err != nil {
			return nil, fmt.Errorf("document %s: %w", s.Tool, err)
		}
		d.stated.Contract = hash
	}
	d.hints = hintsOf(s.Operation)
	d.closing = s.Operation.State == interlock.StateDeprecated || s.Operation.State == interlock.StateRetired
	d.reading = sync.OnceValue(func() *reading { return read(s.Operation) })
	d.fingerprint = fingerprintOf(d.stated.Contract, s.Operation)
	return d, nil
}

func read(op interlock.Operation) *reading {
	r := &reading{}
	r.in, _ = readSchema(op.InputSchema)
	r.out, r.loose = readSchema(op.OutputSchema)
	r.roles = rolesOf(op, r.in, r.out)
	return r
}

// fingerprintOf hashes what is documented: the contract's own hash covers both
// schemas, the error table and the stated fields; what the words of the schemas
// say of units stands beside it.
func fingerprintOf(hash string, op interlock.Operation) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "interlock/documented/1\x00%s\n", hash)
	for _, side := range []struct {
		name string
		text []byte
	}{{"input", op.InputSchema}, {"output", op.OutputSchema}} {
		root, _ := readSchema(side.text)
		each(root, 0, func(n *node) {
			if u, ok := proseUnit(n.says); ok {
				fmt.Fprintf(sum, "%s:%s %s\n", side.name, n.at, u.code)
			}
		})
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// each visits a schema's places, members in the order of their names.
func each(n *node, depth int, visit func(*node)) {
	if n == nil || depth > maxSchemaDeep {
		return
	}
	visit(n)
	names := slices.Clone(n.order)
	slices.Sort(names)
	for _, name := range names {
		each(n.props[name], depth+1, visit)
	}
	each(n.items, depth+1, visit)
}

// Fingerprint is the documented behaviour fingerprint, 64 hex digits.
func (d *Documented) Fingerprint() string { return d.fingerprint }

// States reports whether the definition documents output, errors or fields:
// where it does not, there is nothing to hold behaviour against.
func (d *Documented) States() bool {
	op := d.stated.Operation
	return len(op.Errors) > 0 || len(op.Fields) > 0 || d.statesOutput()
}

func (d *Documented) statesOutput() bool {
	text := d.stated.Operation.OutputSchema
	if len(text) == 0 || d.stated.Compiled != nil && !d.stated.Compiled.StatesOutput() {
		return false
	}
	if rawjson.KindOf(text) != rawjson.KindObject {
		return rawjson.KindOf(text) == rawjson.KindFalse
	}
	for range rawjson.Members(text) {
		return true
	}
	return false
}

// The limits of what is told of a documentation.
const maxTold = 256

// Body is the body of the documented_behavior_fingerprint entry. Waiting,
// Withdrawn, Gone and At are the caller's to set.
func (d *Documented) Body() DocumentedBody {
	s, r := d.stated, d.reading()
	b := DocumentedBody{Tool: s.Tool, Source: s.Source, Name: s.Operation.Name, Version: s.Version, Effect: s.Effect,
		Contract: s.Contract, Pin: s.Pin, Binding: s.Binding, Hints: d.hints, Fingerprint: d.fingerprint, States: d.States(),
		Output: d.statesOutput(), Errors: s.Operation.Errors, Scopes: s.Operation.Scopes}
	each(r.out, 0, func(n *node) {
		if n.optional && n.at != "" && len(b.Optional) < maxTold {
			b.Optional = append(b.Optional, n.at)
		}
	})
	b.Meanings = r.roles.told()
	return b
}

// DocumentedBody is what a tool documents, as the log keeps it.
type DocumentedBody struct {
	At          string                `json:"at,omitempty"`
	Tool        string                `json:"tool"`
	Source      string                `json:"source"`
	Name        string                `json:"name"` // the source's own
	Version     string                `json:"version"`
	Effect      interlock.Effect      `json:"effect"`
	Contract    string                `json:"contract"`
	Pin         string                `json:"pin"`
	Binding     string                `json:"binding"`
	Hints       hints                 `json:"annotations"`
	Fingerprint string                `json:"documented_behavior_fingerprint"`
	States      bool                  `json:"documents"`
	Output      bool                  `json:"documents_output,omitempty"`
	Errors      []interlock.ErrorCase `json:"errors,omitempty"`
	Scopes      []string              `json:"scopes,omitempty"`
	Optional    []string              `json:"optional,omitempty"` // members of the output that need not come
	Meanings    []string              `json:"meanings,omitempty"` // "input:/timeout in s", "output:/timeout repeats input:/timeout"
	// Waiting says that nobody accepted this definition yet: it is held against
	// the one that is served. Withdrawn says that what waited does so no longer.
	Waiting   bool `json:"waiting,omitempty"`
	Withdrawn bool `json:"withdrawn,omitempty"`
	// Gone says that the tool is registered no longer.
	Gone bool `json:"gone,omitempty"`
}

// hints are a source's own claims about the effect, one letter each: y, n, and
// nothing where it makes none.
type hints struct {
	ReadOnly    string `json:"read_only,omitempty"`
	Destructive string `json:"destructive,omitempty"`
	Idempotent  string `json:"idempotent,omitempty"`
	OpenWorld   string `json:"open_world,omitempty"`
}

func hintsOf(op interlock.Operation) hints {
	claim := func(name string) string {
		switch raw, _ := rawjson.Member(op.Annotations, name); rawjson.KindOf(raw) {
		case rawjson.KindTrue:
			return "y"
		case rawjson.KindFalse:
			return "n"
		}
		return ""
	}
	if len(op.Annotations) == 0 || rawjson.Check(op.Annotations, rawjson.Limits{}) != nil {
		return hints{}
	}
	return hints{claim("readOnlyHint"), claim("destructiveHint"), claim("idempotentHint"), claim("openWorldHint")}
}
