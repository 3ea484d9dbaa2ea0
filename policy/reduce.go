package policy

import (
	cedar "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/x/exp/ast"
	"github.com/cedar-policy/cedar-go/x/exp/eval"
)

// reducer takes out of policies what is known once principal and action are.
// What is left says of every resource what the whole policy says, errors
// included; only what depends on the context is decided in favour of the
// principal.
type reducer struct {
	env    eval.Env
	who    cedar.Entity
	action cedar.Entity
	kind   cedar.EntityType // of the resources that will be asked about
	// keepContext keeps what depends on the context, instead of deciding it in
	// favour of the principal.
	keepContext bool
}

// policy gives what is left of a policy; nil where it says nothing of any
// resource.
func (r *reducer) policy(p *ast.Policy) *ast.Policy {
	if !inScope(p.Action, r.action) || !inScope(p.Principal, r.who) {
		return nil
	}
	left := &ast.Policy{Effect: p.Effect, Principal: ast.ScopeTypeAll{}, Action: ast.ScopeTypeAll{}, Resource: p.Resource, Position: p.Position}
	if is, ok := p.Resource.(ast.ScopeTypeIs); ok {
		if is.Type != r.kind {
			return nil
		}
		left.Resource = ast.ScopeTypeAll{}
	}
	for _, part := range conjuncts(p) {
		reads := mentions(part)
		switch {
		case reads.context && !r.keepContext:
			if p.Effect == ast.EffectForbid {
				return nil
			}
		case reads.resource || reads.context:
			left.Conditions = append(left.Conditions, ast.ConditionType{Condition: ast.ConditionWhen, Body: part})
		default:
			value, err := eval.Eval(part, r.env)
			if err == nil && value == cedar.True {
				continue
			}
			return r.stop(left, part, err != nil)
		}
	}
	return left
}

// stop ends a policy whose next part holds for no resource. It stays only where
// it can still err.
func (r *reducer) stop(left *ast.Policy, part ast.IsNode, errs bool) *ast.Policy {
	for _, c := range left.Conditions {
		errs = errs || mentions(c.Body).failing
	}
	if !errs {
		return nil
	}
	left.Conditions = append(left.Conditions, ast.ConditionType{Condition: ast.ConditionWhen, Body: part})
	return left
}

// conjuncts gives the parts that must all hold, in the order in which they are
// evaluated.
func conjuncts(p *ast.Policy) []ast.IsNode {
	var out []ast.IsNode
	var split func(ast.IsNode)
	split = func(n ast.IsNode) {
		if and, ok := n.(ast.NodeTypeAnd); ok {
			split(and.Left)
			split(and.Right)
			return
		}
		out = append(out, n)
	}
	for _, c := range p.Conditions {
		if c.Condition == ast.ConditionWhen {
			split(c.Body)
		} else {
			out = append(out, ast.NodeTypeNot{UnaryNode: ast.UnaryNode{Arg: c.Body}})
		}
	}
	return out
}

// mention is what a part of a policy depends on, and whether it can err.
type mention struct{ resource, context, failing bool }

func mentions(n ast.IsNode) mention {
	var m mention
	ast.Inspect(ast.NewNode(n), func(n ast.IsNode) bool {
		switch n := n.(type) {
		case ast.NodeTypeVariable:
			m.resource = m.resource || n.Name == "resource"
			m.context = m.context || n.Name == "context"
		case ast.NodeTypeAdd, ast.NodeTypeSub, ast.NodeTypeMult, ast.NodeTypeNegate, ast.NodeTypeExtensionCall:
			m.failing = true
		}
		return true
	})
	return m
}
