package fit

import (
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/words"
)

// glossed counts the words of the need that the tool says in English.
func (f Fit) glossed() float64 { return float64(f.Evidence.Gloss) * f.query.Glossed() }

// said reports whether the tool says a word of the need in another language.
func (f Fit) said() bool { return f.Evidence.Gloss > 0 || f.Evidence.Foreign && f.Evidence.Lexical > 0 }

// Why says in what the slot fits the need and in what it does not. What the
// need says nothing about has no reason.
func (f Fit) Why() []interlock.FitReason {
	out := []interlock.FitReason{}
	put := func(when bool, yes, no interlock.FitReason) {
		if when {
			out = append(out, yes)
		} else if no != "" {
			out = append(out, no)
		}
	}
	put(f.named(), interlock.FitNamed, "")
	put(f.Joins, interlock.FitFindsIdentifier, "")
	if asked, does := f.reading().Asks(), f.kinds(); !f.Joins && len(asked) > 0 && len(does) > 0 {
		meets := slices.ContainsFunc(asked, func(kind string) bool { return slices.Contains(does, kind) })
		put(meets, interlock.FitActMeets, interlock.FitActDiffers)
	}
	if object := f.reading().Words(); !f.Joins && len(object) > 0 {
		put(f.said() || len(beyond(f.reading(), f, false)) < len(object), interlock.FitObjectMeets, interlock.FitObjectDiffers)
	}
	if hasRequired(f) {
		put(len(f.Missing()) == 0, interlock.FitInputsHeld, interlock.FitInputsMissing)
	}
	if len(f.need.Want) > 0 {
		put(!f.lacks("outputs"), interlock.FitOutputsGiven, interlock.FitOutputsMissing)
		put(f.converts(), interlock.FitUnitConverts, "")
	}
	if len(f.need.Effects) > 0 {
		put(!f.lacks("effect"), interlock.FitEffectAllowed, interlock.FitEffectExcluded)
	}
	return out
}

// Gives says where in the tool's result the wanted fields are, and in which unit.
func (f Fit) Gives() []interlock.Given {
	var out []interlock.Given
	for _, w := range f.need.Want {
		if field, ok := discover.Given(f.Tool, w); ok {
			out = append(out, interlock.Given{SemanticID: w.SemanticID, Pointer: strings.TrimPrefix(field.At, "output:"), Unit: field.Unit})
		}
	}
	return out
}

// converts reports whether a wanted field has another unit than the wanted one.
func (f Fit) converts() bool {
	return slices.ContainsFunc(f.need.Want, func(w interlock.Want) bool {
		field, ok := discover.Given(f.Tool, w)
		return ok && w.Unit != "" && field.Unit != w.Unit
	})
}

// named reports whether the need holds the name of something in the slot.
func (f Fit) named() bool {
	return slices.ContainsFunc(f.Members, func(e discover.Entry) bool { return e.Evidence.Exact })
}

// kinds are the kinds of operation that a tool says it does, less those that its
// effect rules out: what only reads creates nothing, whatever its name is.
func (f Fit) kinds() []string {
	kinds := f.Tool.Said().Acts.General()
	if f.Tool.Effect == interlock.EffectRead {
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind == "create" || kind == "update" || kind == "delete" })
	}
	return kinds
}

// onlyReads reports whether a tool reads, by its effect and by what it says,
// where a change is ordered. A tool or family that the need names is what it is.
func (f Fit) onlyReads(orders []string) bool {
	named := slices.ContainsFunc(f.need.Constraints, func(c interlock.Constraint) bool { return c.Family == f.Tool.Family })
	if f.Tool.Effect != interlock.EffectRead || f.Exact || named {
		return false
	}
	says := (f.Tool.Said().Acts | words.ToolOperations(f.Tool.Family, "")).General()
	return !slices.ContainsFunc(orders, func(kind string) bool { return slices.Contains(says, kind) })
}

func hasRequired(f Fit) bool {
	return slices.ContainsFunc(f.Tool.Contract.Inputs(), func(in contract.Input) bool { return in.Required && !in.HasDefault })
}

func (f Fit) lacks(what string) bool { return slices.Contains(f.Reasons, what) }
