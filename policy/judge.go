package policy

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	cedar "github.com/cedar-policy/cedar-go"
	publicast "github.com/cedar-policy/cedar-go/ast"
	"github.com/cedar-policy/cedar-go/x/exp/ast"
	"github.com/cedar-policy/cedar-go/x/exp/eval"

	"github.com/seed-ae386458/interlock"
)

// Judge decides many questions for the principals of one class. It holds what
// the policies come to once principal and action are known, asks a policy that
// names one resource about that one alone, and remembers what the others say
// by the attributes they read. Its answers are those of the set asked one by
// one. It is safe for concurrent use.
type Judge struct {
	set                    *Set
	class                  string
	discover, read, invoke residue
	narrows                []*narrowed
	calls                  sync.Map // *Tool → findings: what the policies that read no request say of its calls
	kept                   atomic.Int64
}

// maxJudges bounds the classes that are kept, maxMemory the answers of one,
// maxCalls those about calls.
const (
	maxJudges = 256
	maxMemory = 200_000
	maxCalls  = 20_000
)

// Judge gives the judge of a principal's class, made once.
func (s *Set) Judge(who interlock.Principal) *Judge {
	class := s.Class(who)
	if j, ok := s.judges.Load(class); ok {
		return j.(*Judge)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if j, ok := s.judges.Load(class); ok {
		return j.(*Judge)
	}
	if s.kept >= maxJudges {
		s.judges.Clear()
		s.kept = 0
	}
	j := &Judge{set: s, class: class}
	w := &world{who: principalOf(who)}
	j.discover.prepare(s.rulesFor(who, Discover), w, w.who, Discover, typeTool)
	j.read.prepare(s.rulesFor(who, ReadField), w, w.who, ReadField, typeField)
	j.invoke.prepare(s.rulesFor(who, Invoke), w, w.who, Invoke, typeTool)
	for i := range s.narrow {
		if !within(who, ReadField) {
			break
		}
		n := &narrowed{by: *s.narrow[i].leaves}
		n.residue.prepare(s.narrow[i:i+1], w, w.who, ReadField, typeField)
		j.narrows = append(j.narrows, n)
	}
	s.judges.Store(class, j)
	s.kept++
	return j
}

// rulesFor gives the rules, or none, which permit nothing, for an action that
// the scopes of the credential do not reach.
func (s *Set) rulesFor(who interlock.Principal, a Action) []rule {
	if !within(who, a) {
		return nil
	}
	return s.rules
}

// Sees is Discover.
func (j *Judge) Sees(t *Tool) bool { return j.discover.tool(t).allows() }

// MayInvoke reports whether a call of the tool could be allowed: what depends
// on the call itself is left for Invoke.
func (j *Judge) MayInvoke(t *Tool) bool { return j.invoke.tool(t).allows() }

// Class is the class of principals that the judge is for, as Set.Class gives it.
func (j *Judge) Class() string { return j.class }

// Invoke is Set.Invoke for a principal of the class. Policies that read nothing
// of the request say the same of every call of a tool, and are asked once.
func (j *Judge) Invoke(who interlock.Principal, t *Tool, c Call) Decision {
	if !within(who, Invoke) {
		return findings{}.decision()
	}
	said := j.always(who, t)
	if len(j.set.moving) > 0 {
		said = said.and(j.set.found(j.set.moving, who, Invoke, t.entity, cedar.Entity{}, c.record()))
	}
	return said.decision()
}

// always gives what is said of every call of a tool. Errors are not kept: their
// text may name the principal.
func (j *Judge) always(who interlock.Principal, t *Tool) findings {
	if said, ok := j.calls.Load(t); ok {
		return said.(findings)
	}
	said := j.set.found(j.set.still, who, Invoke, t.entity, cedar.Entity{}, cedar.Record{})
	if len(said.errors) > 0 {
		return said
	}
	if j.kept.Add(1) > maxCalls {
		j.calls.Clear()
		j.kept.Store(1)
	}
	j.calls.Store(t, said)
	return said
}

// ReadsAll reports that every field of a tool can be read, without being asked
// field by field; false says nothing.
func (j *Judge) ReadsAll(t *Tool) bool {
	if slices.ContainsFunc(j.narrows, func(n *narrowed) bool { return !n.silent(t.facts.ID) }) {
		return false
	}
	return j.read.constant && j.read.general.allows() && len(j.read.within[t.facts.ID]) == 0 && !j.read.fields[t.facts.ID]
}

// Reads is ReadField.
func (j *Judge) Reads(f Field) bool {
	if !j.read.field(f).allows() {
		return false
	}
	return !slices.ContainsFunc(j.narrows, func(n *narrowed) bool { return n.residue.field(f).failed })
}

// verdict is what some policies say together.
type verdict struct{ permit, forbid, failed bool }

func (v verdict) allows() bool { return v.permit && !v.forbid && !v.failed }

func (v verdict) and(o verdict) verdict {
	return verdict{v.permit || o.permit, v.forbid || o.forbid, v.failed || o.failed}
}

// residue is what the policies of a set come to for one principal and action.
type residue struct {
	who     cedar.Entity
	action  cedar.EntityUID
	exact   map[cedar.EntityUID][]*cedar.Policy // resource == that
	within  map[string][]*cedar.Policy          // resource in Tool::"that"
	fields  map[string]bool                     // tools of which exact names a field
	rest    []*cedar.Policy
	reads   []string // attributes that rest reads
	itself  bool     // rest tells resources by their ids
	context cedar.Record

	constant bool    // rest says general of every resource
	general  verdict // what rest says of every resource
	mu       sync.Mutex
	memory   map[string]verdict // guarded by mu
}

// prepare reduces rules to what they come to for one principal and action.
func (r *residue) prepare(rules []rule, w cedar.EntityGetter, who cedar.Entity, a Action, kind cedar.EntityType) {
	r.who, r.action = who, uidOf(a)
	r.exact, r.within, r.fields = map[cedar.EntityUID][]*cedar.Policy{}, map[string][]*cedar.Policy{}, map[string]bool{}
	r.memory = map[string]verdict{}
	reduce := reducer{env: eval.Env{Entities: w, Principal: who.UID, Action: r.action}, who: who, action: cedar.Entity{UID: r.action}, kind: kind}
	var read readings
	r.constant = true
	for i := range rules {
		if p := reduce.policy(rules[i].ast()); p != nil {
			r.put(p, &read)
		}
	}
	for name := range read.what {
		r.reads = append(r.reads, name)
	}
	r.itself = read.itself
}

// put keeps one policy where it is looked for.
func (r *residue) put(p *ast.Policy, read *readings) {
	compiled := cedar.NewPolicyFromAST((*publicast.Policy)(p))
	switch scope := p.Resource.(type) {
	case ast.ScopeTypeEq:
		r.exact[scope.Entity] = append(r.exact[scope.Entity], compiled)
		if scope.Entity.Type == typeField {
			for _, tool := range toolsOf(string(scope.Entity.ID)) {
				r.fields[tool] = true
			}
		}
		return
	case ast.ScopeTypeIn:
		if scope.Entity.Type == typeTool {
			r.within[string(scope.Entity.ID)] = append(r.within[string(scope.Entity.ID)], compiled)
			return
		}
	}
	if _, all := p.Resource.(ast.ScopeTypeAll); all && len(p.Conditions) == 0 {
		r.general = r.general.and(verdict{permit: bool(p.Effect), forbid: !bool(p.Effect)})
		return
	}
	r.constant = false
	r.rest = append(r.rest, compiled)
	read.add(p)
}

// toolsOf gives the tools that a field's id may be of: a name and a pointer may
// both hold what parts them.
func toolsOf(id string) []string {
	var all []string
	for i := range id {
		if id[i] == '#' && (strings.HasPrefix(id[i+1:], "output:") || strings.HasPrefix(id[i+1:], "input:")) {
			all = append(all, id[:i])
		}
	}
	return all
}

func (r *residue) tool(t *Tool) verdict {
	v := r.remembered(t.text, t.facts.ID, func() *world { return &world{who: r.who, resource: t.entity} })
	return v.and(r.named(t.entity.UID, t.facts.ID, func() *world { return &world{who: r.who, resource: t.entity} }))
}

func (r *residue) field(f Field) verdict {
	w := func() *world { return &world{who: r.who, resource: f.entity(), tool: f.Tool.entity} }
	id := ""
	if r.itself {
		id = f.Tool.facts.ID + "#" + f.At
	}
	v := r.remembered(f.text, id, w)
	if len(r.exact) == 0 && len(r.within) == 0 {
		return v
	}
	return v.and(r.named(f.uid(), f.Tool.facts.ID, w))
}

// named asks the policies that name the resource, or its tool.
func (r *residue) named(uid cedar.EntityUID, tool string, w func() *world) verdict {
	exact, within := r.exact[uid], r.within[tool]
	if len(exact)+len(within) == 0 {
		return verdict{}
	}
	at := w()
	return r.ask(exact, at).and(r.ask(within, at))
}

// remembered asks the rest, once for all resources alike.
func (r *residue) remembered(text func(string) string, id string, w func() *world) verdict {
	if r.constant {
		return r.general
	}
	key := make([]byte, 0, 128)
	for _, name := range r.reads {
		value := text(name)
		key = append(strconv.AppendInt(key, int64(len(value)), 10), ':')
		key = append(key, value...)
	}
	if r.itself {
		key = append(key, id...)
	}
	r.mu.Lock()
	v, ok := r.memory[string(key)]
	r.mu.Unlock()
	if ok {
		return v
	}
	v = r.general.and(r.ask(r.rest, w()))
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.memory) >= maxMemory {
		clear(r.memory)
	}
	r.memory[string(key)] = v
	return v
}

// ask evaluates policies.
func (r *residue) ask(list []*cedar.Policy, w *world) verdict {
	var v verdict
	if len(list) == 0 {
		return v
	}
	_, diag := cedar.Authorize(numbered(list), w, cedar.Request{Principal: r.who.UID, Action: r.action, Resource: w.resource.UID, Context: r.context})
	v.failed = len(diag.Errors) > 0
	for _, p := range diag.Reasons {
		i, err := strconv.Atoi(string(p.PolicyID))
		if err != nil || list[i].Effect() == cedar.Forbid {
			v.forbid = true
		} else {
			v.permit = true
		}
	}
	return v
}

// numbered gives policies ids by their position.
type numbered []*cedar.Policy

// All goes through the policies.
func (l numbered) All() iter.Seq2[cedar.PolicyID, *cedar.Policy] {
	return func(yield func(cedar.PolicyID, *cedar.Policy) bool) {
		for i, p := range l {
			if !yield(cedar.PolicyID(strconv.Itoa(i)), p) {
				return
			}
		}
	}
}
