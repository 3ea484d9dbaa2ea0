package policy

import (
	"slices"
	"strconv"
	"strings"

	cedar "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/x/exp/ast"

	"github.com/seed-ae386458/interlock"
)

// readings is what some policies can tell principals and resources apart by.
type readings struct {
	names  map[string]bool     // principals that are named
	roles  map[string]bool     // roles that are named
	who    map[string]bool     // attributes of a principal that are read
	what   map[string]bool     // attributes of a resource that are read
	itself bool                // a resource is told by its own id
	fields map[string][]string // places that are named, by tool
}

// Class is the key of a principal's policy-equivalence class: principals of one
// class are alike in everything that any policy of the set reads, so every
// policy answers all of them the same.
func (s *Set) Class(who interlock.Principal) string {
	var b strings.Builder
	put := func(parts ...string) {
		for _, p := range parts {
			b.WriteString(strconv.Quote(p))
		}
		b.WriteByte(';')
	}
	if s.reads.names[who.Name] {
		put(who.Name)
	}
	b.WriteByte('|')
	if s.reads.who["tenant"] {
		put(who.Tenant)
	}
	b.WriteByte('|')
	roles := slices.Compact(slices.Sorted(slices.Values(who.Roles)))
	if !s.reads.who["roles"] {
		roles = slices.DeleteFunc(roles, func(r string) bool { return !s.reads.roles[r] })
	}
	put(roles...)
	if s.reads.who["attributes"] {
		b.WriteByte('|')
		put(pairs(who.Attributes)...)
	}
	if who.Scopes != nil {
		b.WriteByte('!')
		put(slices.Compact(slices.Sorted(slices.Values(who.Scopes)))...)
	}
	return b.String()
}

// add notes what a policy reads.
func (r *readings) add(p *ast.Policy) {
	if r.names == nil {
		r.names, r.roles, r.who, r.what, r.fields = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string][]string{}
	}
	r.scope(p.Principal)
	switch s := p.Resource.(type) {
	case ast.ScopeTypeEq, ast.ScopeTypeIn, ast.ScopeTypeIsIn:
		r.itself = true
		r.scope(s)
	}
	for _, c := range p.Conditions {
		ast.Inspect(ast.NewNode(c.Body), r.node)
	}
}

func (r *readings) scope(s ast.IsScopeNode) {
	switch s := s.(type) {
	case ast.ScopeTypeEq:
		r.value(s.Entity)
	case ast.ScopeTypeIn:
		r.value(s.Entity)
	case ast.ScopeTypeIsIn:
		r.value(s.Entity)
	}
}

// node notes one node of a condition. An attribute that is not plainly a
// resource's counts as a principal's as well.
func (r *readings) node(n ast.IsNode) bool {
	switch n := n.(type) {
	case ast.NodeValue:
		r.value(n.Value)
	case ast.NodeTypeAccess:
		switch variable(n.Arg) {
		case "resource":
			r.what[string(n.Value)] = true
			return false
		case "principal":
			r.who[string(n.Value)] = true
			return false
		case "context", "action":
			return false
		}
		r.what[string(n.Value)], r.who[string(n.Value)] = true, true
	case ast.NodeTypeHas:
		return variable(n.Arg) == "" // every entity has all of its attributes
	case ast.NodeTypeIs:
		return variable(n.Left) == ""
	case ast.NodeTypeVariable:
		r.itself = r.itself || n.Name == "resource"
	}
	return true
}

// readsContext reports whether a policy reads what is known of a request.
func readsContext(p *ast.Policy) bool {
	found := false
	for _, c := range p.Conditions {
		ast.Inspect(ast.NewNode(c.Body), func(n ast.IsNode) bool {
			found = found || variable(n) == "context"
			return !found
		})
	}
	return found
}

func variable(n ast.IsNode) string {
	if v, ok := n.(ast.NodeTypeVariable); ok {
		return string(v.Name)
	}
	return ""
}

// value notes the entities that a value names.
func (r *readings) value(v cedar.Value) {
	switch v := v.(type) {
	case cedar.EntityUID:
		switch v.Type {
		case typePrincipal:
			r.names[string(v.ID)] = true
		case typeRole:
			r.roles[string(v.ID)] = true
		case typeField:
			for _, tool := range toolsOf(string(v.ID)) {
				if at := string(v.ID)[len(tool)+1:]; !slices.Contains(r.fields[tool], at) {
					r.fields[tool] = append(r.fields[tool], at)
				}
			}
		}
	case cedar.Set:
		for inner := range v.All() {
			r.value(inner)
		}
	case cedar.Record:
		for _, inner := range v.All() {
			r.value(inner)
		}
	}
}
