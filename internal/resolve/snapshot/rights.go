package snapshot

import (
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/policy"
)

// rights are what the principals of one class may do: by their lists, and by
// policies where there are any. Where both speak, both must allow.
type rights struct {
	matcher *auth.Matcher
	set     *policy.Set   // nil: the lists decide alone
	judge   *policy.Judge // of set
	class   string
}

// newRights reads a principal's rights. The operator is above policies: the
// store is his.
func newRights(who interlock.Principal, set *policy.Set) rights {
	r := rights{matcher: auth.NewMatcher(who)}
	r.class = r.matcher.Class()
	if set == nil || who.Operator {
		return r
	}
	r.set, r.judge = set, set.Judge(who)
	r.class += " " + set.Digest() + " " + r.judge.Class()
	return r
}

// sees reports whether a tool is visible, its fields apart.
func (r rights) sees(t *Tool) bool {
	if r.set == nil {
		return r.matcher.Sees(t.Tenant, t.ID)
	}
	return r.matcher.Leaves(t.Tenant, t.ID) && r.judge.Sees(t.Facts())
}

// form gives a tool as it is visible, nil where it is not.
func (r rights) form(t *Tool) *Tool {
	if !r.sees(t) {
		return nil
	}
	if c := r.cut(t); !c.empty() {
		return t.without(c)
	}
	return t
}

// mayInvoke reports whether a call of a visible tool could be allowed.
func (r rights) mayInvoke(t *Tool) bool {
	return r.matcher.MayInvoke(t.ID) && (r.set == nil || r.judge.MayInvoke(t.Facts()))
}

// cut gives what of a tool is left out.
func (r rights) cut(t *Tool) (c cut) {
	if r.set == nil {
		return c
	}
	fields := t.named(r.set)
	if r.judge.ReadsAll(t.Facts()) && len(fields) == 0 {
		return c
	}
	for _, f := range append(slices.Clip(t.fields()), fields...) {
		if !r.judge.Reads(f) {
			c.masked = append(c.masked, f.At)
		} else if by := r.judge.Narrows(f); len(by) > 0 {
			c.narrow(*t.Op, f, by)
		}
	}
	slices.Sort(c.masked)
	c.masked = slices.Compact(c.masked)
	return c
}

// may asks every policy about one call.
func (r rights) may(who interlock.Principal, t *Tool, call policy.Call) policy.Decision {
	if r.set == nil {
		return policy.Decision{Allowed: true}
	}
	if !r.judge.Sees(t.Facts()) {
		return policy.Decision{}
	}
	return r.judge.Invoke(who, t.Facts(), call)
}
