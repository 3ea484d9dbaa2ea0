package interlock

import (
	"slices"
	"time"
)

// Principal is who asks. It travels with each request as an explicit value.
type Principal struct {
	Name   string   // unique; receipts, offers and approvals are bound to it
	Tenant string   // reaches the tools of this tenant and the shared ones
	Roles  []string // sorted
	// Attributes are facts about the principal that policies may read, by name.
	// They are never changed.
	Attributes map[string]string
	// Scopes narrow what this credential may be used for, whatever else
	// permits it; nil narrows nothing.
	Scopes []string
	// Until is when the credential ends; zero: it does not, or is not known to.
	Until time.Time
	// Operator marks the one who owns the store: everything is visible to him,
	// whatever the tenant. He alone registers and removes sources.
	Operator bool
	// Allow and Deny are globs over "source/name" ("*" also matches a slash);
	// deny wins, and an empty Allow of a principal who is no operator allows
	// nothing.
	Allow, Deny []string
	// Invoke are globs over what is visible that may be called; nil allows all.
	Invoke []string
}

// Within reports whether the scopes of the principal's credential reach a use.
func (p Principal) Within(scope string) bool {
	return p.Scopes == nil || slices.Contains(p.Scopes, scope)
}

// SharedTenant owns the tools that principals of every tenant may reach.
const SharedTenant = "shared"

// Local is the principal of the single-user mode: everything is visible.
func Local() Principal { return Principal{Name: "local", Tenant: SharedTenant, Operator: true} }
