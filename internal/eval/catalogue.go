package eval

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/source/toollist"
)

// Options of a catalogue.
type Options struct {
	Embedder interlock.Embedder // nil: discovery is lexical alone
	Glosser  interlock.Glosser  // may be nil
	// Reranker orders the first RerankFirst tools of each request; nil leaves
	// their order to the scorer. One that fails ends the measurement.
	Reranker    interlock.Reranker
	RerankFirst int
	Logger      *slog.Logger // required
	Signals     bool         // lines give what served needs are told by
	// Progress hears how many tools of how many have their vector; may be nil.
	Progress func(done, total int)
}

// Catalogue is a list of tools, compiled as a registry is, each accepted as it
// stands: what is measured is discovery, not review.
type Catalogue struct {
	keeper *snapshot.Keeper
	ids    []string
	opts   Options
	scorer discover.Scorer
}

// Open compiles a list of tools, one JSON object a line, whose member
// "provider" names the source; "effect" and "fields" are its owner's word on
// what it does and what its fields mean, as a manifest's are.
func Open(ctx context.Context, lines []byte, opts Options) (*Catalogue, error) {
	if opts.Logger == nil {
		return nil, errors.New("eval: a logger is required")
	}
	c := &Catalogue{opts: opts, scorer: discover.NewScorer(opts.Embedder, opts.Glosser)}
	state, err := c.state(lines)
	if err != nil {
		return nil, err
	}
	c.keeper, err = snapshot.NewStill(ctx, state, snapshot.Options{Embedder: opts.Embedder, Glosser: opts.Glosser, Vectors: forgetful{}, Logger: opts.Logger, Progress: opts.Progress})
	if a, ok := opts.Embedder.(interlock.Aligner); ok && err == nil {
		if scale, shift, known := a.Alignment(); known {
			c.scorer = c.scorer.Aligned(scale, shift)
		}
	}
	return c, err
}

// IDs gives the tools that can be found, in order.
func (c *Catalogue) IDs() []string { return c.ids }

// forgetful is a store of vectors that keeps none: a measurement embeds each
// text once.
type forgetful struct{}

func (forgetful) Vectors(context.Context, string, []string) (map[string][]byte, error) {
	return nil, nil
}

func (forgetful) PutVectors(context.Context, string, map[string][]byte) error { return nil }

// stated is what a line says beside the tool itself: whose it is, and what its
// owner vouches for.
type stated struct {
	ID       string                   `json:"id"`
	Provider string                   `json:"provider"`
	Effect   string                   `json:"effect"`
	Fields   []interlock.FieldMeaning `json:"fields"`
}

// state turns the lines into the registry that would hold them.
func (c *Catalogue) state(lines []byte) (*registry.State, error) {
	byProvider, said := map[string][]byte{}, map[string]stated{}
	for number, line := range bytes.Split(lines, []byte{'\n'}) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var row stated
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, fmt.Errorf("tools, line %d: %w", number+1, err)
		}
		name := cmp.Or(row.Provider, "tools")
		said[row.ID] = row
		byProvider[name] = append(append(byProvider[name], line...), '\n')
	}
	state := &registry.State{Generation: 1}
	seen := map[string]bool{}
	for name, text := range byProvider {
		cat := toollist.Read(text)
		for _, f := range cat.Findings {
			c.opts.Logger.Warn("tool", "source", name, "at", f.Pointer, "finding", f.Reason)
		}
		for _, op := range cat.Operations {
			if seen[op.ID] {
				c.opts.Logger.Warn("the id stands twice; only one of them counts", "tool", op.ID)
				continue
			}
			seen[op.ID] = true
			rec, err := record(name, op, said[op.ID])
			if err != nil {
				return nil, fmt.Errorf("tool %s: %w", op.ID, err)
			}
			state.Tools = append(state.Tools, &rec)
			c.ids = append(c.ids, op.ID)
		}
		state.Sources = append(state.Sources, interlock.SourceRecord{Config: interlock.SourceConfig{Name: name, Kind: interlock.KindTools}, Tenant: interlock.SharedTenant})
	}
	slices.SortFunc(state.Tools, func(a, b *interlock.ToolRecord) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(state.Sources, func(a, b interlock.SourceRecord) int { return strings.Compare(a.Config.Name, b.Config.Name) })
	slices.Sort(c.ids)
	return state, nil
}

// record is a tool as the registry would hold it, a family of its own. A schema
// that no registry takes becomes one that allows everything, so that the tool
// can still be looked for.
func record(source string, op interlock.Operation, said stated) (interlock.ToolRecord, error) {
	if slices.ContainsFunc(contract.Check(op), func(f interlock.Finding) bool { return f.Dropped }) {
		op.InputSchema, op.OutputSchema = json.RawMessage(`{"type":"object"}`), nil
	}
	op.Fields = said.Fields
	rec := interlock.ToolRecord{ID: op.ID, Source: source, Tenant: interlock.SharedTenant, Family: op.ID, Version: "1.0.0",
		Effect: interlock.EffectUnknown, State: interlock.StateActive, Operation: op, Changed: 1, NoVersions: true}
	if effect, err := interlock.ParseEffect(said.Effect); err == nil && said.Effect != "" {
		rec.Effect = effect
	}
	var err error
	if rec.Contract, err = contract.Hash(op); err != nil {
		return rec, err
	}
	rec.Pin, err = contract.Pin(op)
	return rec, err
}
