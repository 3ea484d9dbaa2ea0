// Package vet judges what a definition says to a model: instructions in the
// place of a description, text that people do not see, names that pass for
// other names.
//
// It promises that harmless text in any language passes, that the same
// definition always gets the same flags, and that a comparison with other
// tools ends in a review at most: no tool can take another away by being near
// it. It refuses to mend: a text is kept as it is or its tool is kept away. A
// reason says what was found and never repeats it.
//
//	for _, f := range vet.Check(op) {
//		if f.Severity == vet.Quarantine { … }
//	}
package vet

import (
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// Severity says what a flag asks for.
type Severity string

// The severities.
const (
	Quarantine Severity = "quarantine" // the tool is kept away from every principal
	Review     Severity = "review"     // the tool stays; a person should look
)

// Flag is one thing found in a definition.
type Flag struct {
	Rule     string   // kebab-case, of the table below
	Pointer  string   // into the operation: "/variants/0/description"
	Reason   string   // what it does, for anyone to read: nothing of the text is in it
	Evidence string   // code points, or a short quote without hidden characters; for the operator
	Severity Severity // of the rule, or Review where the text only speaks of such a thing
}

// The rules.
const (
	ruleOverride   = "instruction-override"
	ruleConceal    = "conceals-from-user"
	ruleExfiltrate = "exfiltrates-data"
	ruleTamper     = "tampers-with-calls"
	rulePersona    = "changes-the-model"
	ruleChat       = "chat-markup"
	ruleAddress    = "addresses-the-model"
	ruleObfuscated = "obfuscated-instruction"
	ruleEncoded    = "encoded-instruction"
	ruleSplit      = "split-instruction"
	ruleTags       = "hidden-tag-characters"
	ruleInvisible  = "hidden-characters"
	ruleBidi       = "bidi-controls"
	ruleControl    = "control-characters"
	ruleSelectors  = "variation-selectors"
	ruleComment    = "hidden-comment"
	ruleBlob       = "encoded-blob"
	ruleDataURL    = "data-url"
	ruleMixed      = "mixed-script-name"
	ruleLookAlike  = "look-alike-name"
	ruleSteer      = "steers-selection"
	ruleSteerFrom  = "steers-from-another-tool"
	ruleRenamed    = "renamed-duplicate"
)

// reasons gives each rule its sentence. None of them holds words that would
// themselves instruct.
var reasons = map[string]string{
	ruleOverride:   "the text asks the model to set its own instructions aside",
	ruleConceal:    "the text asks that something be kept from the person who uses the model",
	ruleExfiltrate: "the text asks for private data to be read and handed on",
	ruleTamper:     "the text asks for the arguments of other calls to be changed",
	rulePersona:    "the text gives the model another role",
	ruleChat:       "the text holds the turn markers of a chat, as if somebody else spoke",
	ruleAddress:    "the text presses the model to act, in several ways at once",
	ruleObfuscated: "the text holds an instruction to the model in a spelling that hides it",
	ruleEncoded:    "the text holds an instruction to the model in an encoding",
	ruleSplit:      "texts that are read one after the other join into an instruction to the model",
	ruleTags:       "the text holds tag characters, which nobody sees and a model reads",
	ruleInvisible:  "the text holds characters that nobody sees",
	ruleBidi:       "the text holds controls that show it in another order than it is read",
	ruleControl:    "the text holds control characters",
	ruleSelectors:  "the text holds variation selectors where nothing varies",
	ruleComment:    "the text holds an instruction where a viewer hides it and a model reads it",
	ruleBlob:       "the text holds a long encoded block",
	ruleDataURL:    "the text holds a whole document inside an address",
	ruleMixed:      "the name mixes scripts whose letters look the same",
	ruleLookAlike:  "the name looks like that of another tool",
	ruleSteer:      "the text asks to be chosen before all other tools",
	ruleSteerFrom:  "the text speaks against a tool of another source",
	ruleRenamed:    "the tool says what another of this source said, which is gone or has changed",
}

func flag(rule, pointer, evidence string, severity Severity) Flag {
	return Flag{Rule: rule, Pointer: pointer, Reason: reasons[rule], Evidence: evidence, Severity: severity}
}

// maxFlags bounds the flags of one definition, each severity for itself, so
// that no crowd of reviews hides a quarantine.
const maxFlags = 16

// Check judges a definition by its own text alone. What quarantines comes
// first, then in the order of the text, each rule at most once for each place.
func Check(op interlock.Operation) []Flag {
	var grave, light []Flag
	for _, t := range textsOf(op) {
		for _, f := range checkText(t) {
			if f.quarantines() {
				grave = append(grave, f)
			} else if len(light) < maxFlags {
				light = append(light, f)
			}
		}
		if len(grave) >= maxFlags {
			return grave
		}
	}
	if len(grave) == 0 {
		grave = checkJoined(op)
	}
	return append(grave, light...)
}

// Sentence says for the operator what was found: with the evidence where that
// is code points or another tool's name, and never with a piece of the text.
func (f Flag) Sentence() string {
	asks := "quarantined"
	if f.Severity == Review {
		asks = "for review"
	}
	text := asks + ", " + f.Rule + ": " + f.Reason
	switch f.Rule {
	case ruleTags, ruleInvisible, ruleBidi, ruleControl, ruleSelectors, ruleBlob, ruleLookAlike, ruleSteerFrom, ruleRenamed:
		text += ": " + f.Evidence
	}
	return text
}

// Renames reports that the tool says what one of its source said that is gone
// or says something else now.
func (f Flag) Renames() bool { return f.Rule == ruleRenamed }

func (f Flag) quarantines() bool { return f.Severity == Quarantine }

// checkText judges one text: what is in it unseen, what it says, and what it
// would say decoded.
func checkText(t text) []Flag {
	flags := checkHidden(t)
	if t.kind == kindPattern {
		return dedupe(append(flags, instructions(t.pointer, fold(spelt(t.value)))...))
	}
	folded := fold(t.value)
	said := instructions(t.pointer, folded)
	flags = append(flags, said...)
	if len(said) == 0 {
		flags = append(flags, obfuscated(t.pointer, t.value, folded)...)
	}
	flags = append(flags, encoded(t.pointer, t.value)...)
	flags = append(flags, markup(t.pointer, t.value)...)
	if t.kind == kindName && mixesScripts(t.value) {
		flags = append(flags, flag(ruleMixed, t.pointer, quote(t.value), Review))
	}
	return dedupe(flags)
}

// dedupe keeps the first flag of each rule; one that quarantines is preferred.
func dedupe(flags []Flag) []Flag {
	var out []Flag
	for _, f := range flags {
		i := slices.IndexFunc(out, func(had Flag) bool { return had.Rule == f.Rule })
		switch {
		case i < 0:
			out = append(out, f)
		case f.quarantines() && !out[i].quarantines():
			out[i] = f
		}
	}
	return out
}

const maxQuote = 48

// quote is a short piece of a text with everything unseen taken out.
func quote(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == maxQuote {
			b.WriteString("…")
			break
		}
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case unseen(r):
			continue
		default:
			b.WriteRune(r)
		}
		n++
	}
	return b.String()
}

// Text judges one text that stands in no definition: what a tool answers with.
func Text(value string) []Flag { return checkText(text{value: value}) }
