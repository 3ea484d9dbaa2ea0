package diff

import (
	"slices"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
	"github.com/seed-ae386458/interlock/internal/diff/rules/array"
	"github.com/seed-ae386458/interlock/internal/diff/rules/choice"
	"github.com/seed-ae386458/interlock/internal/diff/rules/meaning"
	"github.com/seed-ae386458/interlock/internal/diff/rules/object"
	"github.com/seed-ae386458/interlock/internal/diff/rules/promise"
	"github.com/seed-ae386458/interlock/internal/diff/rules/value"
	"github.com/seed-ae386458/interlock/internal/diff/rules/web"
)

// The rules that the comparison itself applies.
const (
	ruleNotIncluded      = "not-included"
	ruleUndecided        = "undecided"
	ruleUninhabited      = "uninhabited"
	ruleOperationAdded   = "operation-added"
	ruleOperationRemoved = "operation-removed"
	ruleOperationUnread  = "operation-unread"
)

// Rules lists every rule, by subject and id. Ids are never used again.
func Rules() []rule.Rule {
	return slices.Concat(own(), object.Rules(), value.Rules(), array.Rules(), choice.Rules(),
		meaning.Rules(), promise.Rules(), web.Rules())
}

// own lists the rules that no single place of a schema shows.
func own() []rule.Rule {
	return []rule.Rule{
		rule.Replacing(rule.Rule{ID: ruleNotIncluded, Subject: "proof",
			When:   "The proof found a value that was promised to pass and does not, and no other rule explains it.",
			SafeIn: rule.UndeclaredRefused, SafeOut: rule.Projected,
			HarmIn: "A caller that sends the value shown is refused.", HarmOut: "A caller may be given the value shown.",
			Remedy: rule.RemedyMajor}),
		rule.Replacing(rule.Rule{ID: ruleUndecided, Subject: "proof",
			When:   "The proof met something that it cannot decide; the change counts as breaking until somebody declares it.",
			HarmIn: "Nobody knows whether old calls are still accepted.", HarmOut: "Nobody knows whether results are still those promised.",
			Remedy: "Write the schema without the construct named, or declare the edge after looking at it."}),
		rule.Promise(rule.Break, rule.Rule{ID: ruleUninhabited, Subject: "proof",
			When:   "No value fits the output schema: the tool could return nothing.",
			HarmIn: "Every call fails, because no result can be valid.",
			Remedy: "Take out the contradiction in the output schema."}),
		rule.Promise(rule.OK, rule.Rule{ID: ruleOperationAdded, Subject: "contract", When: "An operation or tool was added.", Remedy: rule.RemedyNothing}),
		rule.Promise(rule.Break, rule.Rule{ID: ruleOperationRemoved, Subject: "contract", When: "An operation or tool was removed.",
			HarmIn: "Its callers have nothing to call.", Remedy: "Keep it, marked deprecated, until its callers have moved."}),
		rule.Promise(rule.Break, rule.Rule{ID: ruleOperationUnread, Subject: "contract",
			When:   "An operation of a document can be read no more, so that it is no tool.",
			HarmIn: "Its callers have nothing to call.", Remedy: "Mend the document at the place named."}),
	}
}

// table finds rules by id.
type table struct {
	byID     map[string]*rule.Rule
	schema   []*rule.Rule
	contract []*rule.Rule
}

func newTable() *table {
	t := &table{byID: map[string]*rule.Rule{}}
	for _, r := range Rules() {
		t.byID[r.ID] = &r
		if r.Schema != nil {
			t.schema = append(t.schema, &r)
		}
		if r.Contract != nil {
			t.contract = append(t.contract, &r)
		}
	}
	return t
}
