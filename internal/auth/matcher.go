package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/seed-ae386458/interlock"
)

// Matcher is what one principal may see and use, compiled. It is safe for
// concurrent use.
type Matcher struct {
	operator    bool
	tenant      string
	allow, deny globs
	invoke      globs
	all         bool // invoke is not given: all that is visible may be used
	unlisted    bool // allow is not given
	class       string
}

// NewMatcher compiles a principal's lists.
func NewMatcher(p interlock.Principal) *Matcher {
	return &Matcher{
		operator: p.Operator, tenant: p.Tenant, allow: compileAll(p.Allow), deny: compileAll(p.Deny),
		invoke: compileAll(p.Invoke), all: p.Invoke == nil, unlisted: p.Allow == nil && !p.Operator, class: class(p),
	}
}

// Sees reports whether a tool of that tenant and whole name is visible: the
// operator sees all; everyone else what is his tenant's or shared, and allowed,
// and not denied.
func (m *Matcher) Sees(tenant, toolID string) bool {
	if m.operator {
		return true
	}
	reached := tenant == interlock.SharedTenant || tenant != "" && tenant == m.tenant
	return reached && m.allow.match(toolID) && !m.deny.match(toolID)
}

// Operator reports whether the principal is the operator, to whom everything is
// shown.
func (m *Matcher) Operator() bool { return m.operator }

// Leaves reports whether the lists leave a tool to policies: a missing allow
// leaves all of them, a given one what it reaches of his tenant's and the shared
// tools, and what is denied stays so.
func (m *Matcher) Leaves(tenant, toolID string) bool {
	if m.unlisted {
		return !m.deny.match(toolID)
	}
	return m.Sees(tenant, toolID)
}

// MayInvoke reports whether a visible tool may be called.
func (m *Matcher) MayInvoke(toolID string) bool {
	return m.operator || m.all || m.invoke.match(toolID)
}

// Barred says why the lists keep a tool from being visible, and from being
// called; empty where they do not. Policed says that policies take part.
func (m *Matcher) Barred(tenant, toolID string, policed bool) (hidden, uncallable string) {
	sees := m.Sees(tenant, toolID)
	if policed {
		sees = m.Leaves(tenant, toolID)
	}
	switch {
	case sees:
	case m.deny.match(toolID):
		hidden = "the principal's deny list has it"
	case !m.allow.match(toolID):
		hidden = "the principal's allow list leaves it out"
	default:
		hidden = "it is of another tenant"
	}
	if !m.MayInvoke(toolID) {
		uncallable = "the principal's invoke list leaves it out"
	}
	return hidden, uncallable
}

// Class is the key of the policy-equivalence class: principals of one class
// see and use the same, whatever their names, so a view is kept once for all
// of them.
func (m *Matcher) Class() string { return m.class }

// Visible is NewMatcher(p).Sees for one tool.
func Visible(p interlock.Principal, tool interlock.ToolRecord) bool {
	return NewMatcher(p).Sees(tool.Tenant, tool.ID)
}

// class hashes everything that Sees, Leaves and MayInvoke read, and nothing else.
func class(p interlock.Principal) string {
	if p.Operator {
		return "operator"
	}
	key := struct {
		Tenant              string
		Allow, Deny, Invoke []string
		All, Unlisted       bool
	}{p.Tenant, set(p.Allow), set(p.Deny), set(p.Invoke), p.Invoke == nil, p.Allow == nil}
	text, err := json.Marshal(key)
	if err != nil { // strings alone always marshal
		text = []byte(p.Name)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// set sorts a list and leaves out what is there twice.
func set(list []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}
