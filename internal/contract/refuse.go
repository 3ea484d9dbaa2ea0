package contract

import (
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// The stages that refuse.
const (
	stageArgs   = "recheck"
	stageResult = "validate"
)

// argsText turns a fault of arguments into the sentence for the caller: what
// was expected, what kind of thing was found, where, and what to do.
func (f finder) argsText(x fault) string {
	where := place(x.at)
	switch k := x.kind.(type) {
	case *kind.Required:
		return fmt.Sprintf("The argument %s is missing (required). Add it.", where)
	case *kind.AdditionalProperties, *kind.FalseSchema:
		return fmt.Sprintf("%s is nothing that the tool declares (%s). Leave it out.", where, keyword(k))
	case *kind.Type:
		if text := f.quoted(x, k); text != "" {
			return text
		}
	}
	return fmt.Sprintf("%s: expected %s%s (%s). Correct it and call again.", where, x.wanted(), f.found(x), keyword(x.kind))
}

// found says what stood there instead, where the rule is about the value
// itself.
func (f finder) found(x fault) string {
	is := f.at(x.at).foundKind()
	switch x.kind.(type) {
	case *kind.Type:
		return ", found " + is
	case *kind.Const, *kind.Enum:
		if _, bare, ok := strings.Cut(is, " "); ok {
			is = "another " + bare
		}
		return ", found " + is
	}
	return ""
}

// quoted catches a JSON value that was sent inside quotes: "null", "true",
// "3", or a list written into a string.
func (f finder) quoted(x fault, want *kind.Type) string {
	n := f.at(x.at)
	if !n.is(kindString) || len(n.text) == 0 {
		return ""
	}
	inner, err := parse([]byte(n.text), rawjson.Limits{})
	if err != nil || inner.is(kindString) {
		return ""
	}
	for _, one := range append([]fault{{kind: want}}, x.also...) {
		k, ok := one.kind.(*kind.Type)
		if ok && inner.hasType(k.Want) {
			return fmt.Sprintf("%s: expected %s, found a string that holds one (type). Send it without the quotes.",
				place(x.at), x.wanted())
		}
	}
	return ""
}

// hasType reports whether the value is of one of the JSON Schema types.
func (n *node) hasType(types []string) bool {
	for _, t := range types {
		switch {
		case t == "object" && n.is(kindObject), t == "array" && n.is(kindArray), t == "null" && n.is(kindNull),
			t == "boolean" && (n.is(kindTrue) || n.is(kindFalse)), t == "number" && n.is(kindNumber),
			t == "integer" && n.is(kindNumber) && !strings.ContainsAny(n.text, ".eE"):
			return true
		}
	}
	return false
}

// place names a value for a sentence; long pointers are cut.
func place(at []string) string {
	if len(at) == 0 {
		return "The arguments"
	}
	return clip(rawjson.Join("", at...), 120)
}

// argsFault is the error of arguments that break the schema.
func argsFault(pointer, public string) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonArgumentsInvalid, Stage: stageArgs,
		Pointer: pointer, Public: public, Outcome: interlock.OutcomeNotSent}
}

// argsMalformed is the error of text that is no JSON value, or one outside the limits.
func argsMalformed(err error) error {
	var e *rawjson.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("check arguments: %w", err)
	}
	switch e.Kind {
	case rawjson.FaultSize, rawjson.FaultDepth:
		return &interlock.Error{Code: interlock.CodeTooLarge, Reason: interlock.ReasonTooLarge, Stage: stageArgs,
			Pointer: clip(e.Pointer, maxPointer), Public: "The arguments are over a limit: " + e.Message + ". Send less.",
			Outcome: interlock.OutcomeNotSent}
	case rawjson.FaultDuplicate:
		return argsFault(clip(e.Pointer, maxPointer), "The arguments name a member twice: "+e.Message+". Keep one of them.")
	}
	return argsFault(clip(e.Pointer, maxPointer), fmt.Sprintf("The arguments are not one JSON object: %s (byte %d).", e.Message, e.Offset))
}

// maxPointer bounds a pointer that is shown, in characters.
const maxPointer = 512

// resultText turns a fault of a result into the sentence for the caller. It
// speaks of the schema and of kinds alone: the result is being withheld.
func (f finder) resultText(x fault) string {
	return fmt.Sprintf("The tool's answer breaks its output schema at %q (%s): expected %s%s. It was not released; tell the owner of the tool.",
		clip(fragment(x.schema), 120), keyword(x.kind), x.wanted(), f.found(x))
}

// resultFault is the error of a result that breaks the schema.
func resultFault(pointer, public string) error {
	return &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonResultInvalid, Stage: stageResult,
		Pointer: pointer, Public: public, Outcome: interlock.OutcomeFailed}
}

// resultMalformed is the error of an answer that is no JSON value, or one
// outside the limits. Even the pointer stays inside: it is made of the
// answer's own names.
func resultMalformed(err error) error {
	var e *rawjson.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("check result: %w", err)
	}
	out := &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonResultMalformed, Stage: stageResult,
		Public:  fmt.Sprintf("The tool's answer is not one JSON value within the limits (%s, byte %d). It was not released; tell the owner of the tool.", e.Kind, e.Offset),
		Outcome: interlock.OutcomeFailed, Err: err}
	if e.Kind == rawjson.FaultSize {
		out.Reason = interlock.ReasonResultTooLarge
		out.Public = "The tool's answer is over the size limit and was not released. Ask for less."
	}
	return out
}
