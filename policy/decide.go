package policy

import (
	"iter"
	"slices"
	"time"

	cedar "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/x/exp/ast"

	"github.com/seed-ae386458/interlock"
)

// Action is what a principal may be permitted.
type Action string

// The actions.
const (
	Discover   Action = "discover"
	ReadField  Action = "readField"
	Invoke     Action = "invoke"
	Approve    Action = "approve"
	Audit      Action = "audit"
	Administer Action = "administer"
)

// Actions gives every action.
func Actions() []Action { return []Action{Discover, ReadField, Invoke, Approve, Audit, Administer} }

// Call is what policies may know of one call.
type Call struct {
	Now       time.Time
	ArgsBytes int
}

// Request is what policies may know of one decision on an approval.
type Request struct {
	Now       time.Time
	Requester string
}

// Decision is an answer with its reasons, which are for holders of audit alone.
// The zero value denies.
type Decision struct {
	Allowed bool     `json:"allowed"`
	Waived  bool     `json:"waived,omitempty"` // of an allowed invoke: no approval is needed
	Own     bool     `json:"own,omitempty"`    // of an allowed approve: of one's own request too
	Cleans  bool     `json:"cleans,omitempty"` // of an allowed invoke: hidden characters leave the result
	Permits []string `json:"permits"`          // ids of the policies that permit
	Forbids []string `json:"forbids"`          // and of those that forbid
	Errors  []string `json:"errors,omitempty"` // policies that erred: any denies
	// Beside is what denies beside policies, whatever they say: scopes, lists.
	Beside string `json:"beside,omitempty"`
	// Narrows are, of an allowed readField, what leaves only a part of the field.
	Narrows []Narrowing `json:"narrows,omitempty"`
}

// Discover decides whether a principal may know of a tool.
func (s *Set) Discover(who interlock.Principal, t *Tool) Decision {
	return s.decide(who, Discover, t.entity, cedar.Entity{}, cedar.Record{})
}

// ReadField decides whether a principal may know of a field, give it where it
// is an input, and read it where it is an output.
func (s *Set) ReadField(who interlock.Principal, f Field) Decision {
	d := s.decide(who, ReadField, f.entity(), f.Tool.entity, cedar.Record{})
	if len(s.narrow) == 0 || !within(who, ReadField) {
		return d
	}
	n := s.of(s.narrow, who, ReadField, f.entity(), f.Tool.entity, cedar.Record{})
	if d.Errors = append(d.Errors, n.Errors...); len(d.Errors) > 0 {
		d.Allowed = false
	}
	for _, id := range n.Forbids {
		if d.Allowed {
			d.Narrows = append(d.Narrows, *s.byID[cedar.PolicyID(id)].leaves)
		}
	}
	return d
}

// Invoke decides whether a principal may make one call.
func (s *Set) Invoke(who interlock.Principal, t *Tool, c Call) Decision {
	return s.decide(who, Invoke, t.entity, cedar.Entity{}, c.record())
}

func (c Call) record() cedar.Record {
	return cedar.NewRecord(cedar.RecordMap{"now": cedar.NewDatetime(c.Now), "args_bytes": cedar.Long(c.ArgsBytes)})
}

// Approve decides whether a principal may grant or refuse an approval for a
// call of a tool; of his own request only where a permit that applies says so.
func (s *Set) Approve(who interlock.Principal, t *Tool, r Request) Decision {
	d := s.decide(who, Approve, t.entity, cedar.Entity{}, cedar.NewRecord(cedar.RecordMap{
		"now": cedar.NewDatetime(r.Now), "requester": cedar.String(r.Requester)}))
	if r.Requester == who.Name && !d.Own {
		d.Allowed = false
	}
	return d
}

// But gives a decision with what denies beside policies. What was said first
// stays; an empty text denies nothing.
func (d Decision) But(beside string) Decision {
	if beside == "" || d.Beside != "" {
		return d
	}
	d.Allowed, d.Waived, d.Own, d.Cleans, d.Beside = false, false, false, false, beside
	return d
}

// Holds decides whether a principal has the right to audit or to administer.
func (s *Set) Holds(who interlock.Principal, a Action) Decision {
	return s.decide(who, a, registry(), cedar.Entity{}, cedar.Record{})
}

// decide asks every policy, once the scopes of the credential reach the action.
func (s *Set) decide(who interlock.Principal, a Action, resource, tool cedar.Entity, context cedar.Record) Decision {
	if !within(who, a) {
		return Decision{Permits: []string{}, Forbids: []string{}}
	}
	return s.of(s.rules, who, a, resource, tool, context)
}

// of asks some of the policies.
func (s *Set) of(rules []rule, who interlock.Principal, a Action, resource, tool cedar.Entity, context cedar.Record) Decision {
	return s.found(rules, who, a, resource, tool, context).decision()
}

// findings is what some policies say, before they are weighed together.
type findings struct {
	permits, forbids, errors []string // ids; of errors with the text
	waives, self, cleans     bool     // of the permits
}

// found asks some of the policies. Of permits nothing is found where one of
// them forbids.
func (s *Set) found(rules []rule, who interlock.Principal, a Action, resource, tool cedar.Entity, context cedar.Record) (f findings) {
	w := world{who: principalOf(who), resource: resource, tool: tool}
	_, diag := cedar.Authorize(asked{rules, w.who, cedar.Entity{UID: uidOf(a)}}, &w, cedar.Request{
		Principal: w.who.UID, Action: uidOf(a), Resource: resource.UID, Context: context})
	for _, e := range diag.Errors {
		f.errors = append(f.errors, string(e.PolicyID)+": "+e.Message)
	}
	for _, reason := range diag.Reasons {
		r := s.byID[reason.PolicyID]
		if r.policy.Effect() == cedar.Forbid {
			f.forbids = append(f.forbids, string(r.id))
			continue
		}
		f.permits = append(f.permits, string(r.id))
		f.waives, f.self, f.cleans = f.waives || r.waives, f.self || r.self, f.cleans || r.cleans
	}
	return f
}

// and joins what the one half of the policies and the other say.
func (f findings) and(o findings) findings {
	return findings{slices.Concat(f.permits, o.permits), slices.Concat(f.forbids, o.forbids), slices.Concat(f.errors, o.errors), f.waives || o.waives, f.self || o.self, f.cleans || o.cleans}
}

// decision weighs: a forbid, or an error, denies whatever permits.
func (f findings) decision() Decision {
	if len(f.forbids) > 0 {
		f.permits, f.waives, f.self, f.cleans = nil, false, false, false
	}
	d := Decision{Permits: append([]string{}, f.permits...), Forbids: append([]string{}, f.forbids...), Errors: slices.Clone(f.errors)}
	slices.Sort(d.Permits)
	slices.Sort(d.Forbids)
	slices.Sort(d.Errors)
	d.Allowed = len(d.Permits) > 0 && len(d.Errors) == 0
	d.Waived, d.Own, d.Cleans = f.waives && d.Allowed, f.self && d.Allowed, f.cleans && d.Allowed
	return d
}

// within reports whether the scopes of a credential reach an action. Fields go
// with the tools that they are of.
func within(who interlock.Principal, a Action) bool {
	if a == ReadField {
		a = Discover
	}
	return who.Within(string(a))
}

func uidOf(a Action) cedar.EntityUID { return cedar.NewEntityUID(typeAction, cedar.String(a)) }

// asked gives the rules of a set whose scope holds the principal and the
// action: the others say nothing, and need not be evaluated for it.
type asked struct {
	rules  []rule
	who    cedar.Entity
	action cedar.Entity
}

// All goes through the rules.
func (l asked) All() iter.Seq2[cedar.PolicyID, *cedar.Policy] {
	return func(yield func(cedar.PolicyID, *cedar.Policy) bool) {
		for i := range l.rules {
			r := &l.rules[i]
			p := r.ast()
			if inScope(p.Action, l.action) && inScope(p.Principal, l.who) && !yield(r.id, r.policy) {
				return
			}
		}
	}
}

// inScope reports whether an entity, whose parents are all that it is in, is in
// a scope; one of a form that is not
// known holds everything, so that its policy is evaluated.
func inScope(scope ast.IsScopeNode, e cedar.Entity) bool {
	in := func(of cedar.EntityUID) bool { return e.UID == of || e.Parents.Contains(of) }
	switch s := scope.(type) {
	case ast.ScopeTypeEq:
		return e.UID == s.Entity
	case ast.ScopeTypeIn:
		return in(s.Entity)
	case ast.ScopeTypeInSet:
		return slices.ContainsFunc(s.Entities, in)
	case ast.ScopeTypeIs:
		return e.UID.Type == s.Type
	case ast.ScopeTypeIsIn:
		return e.UID.Type == s.Type && in(s.Entity)
	}
	return true
}
