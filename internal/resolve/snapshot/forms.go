package snapshot

import (
	"github.com/seed-ae386458/interlock/internal/parallel"
	"slices"
	"sync"
)

// form is a tool as the principals of one class see it.
type form struct {
	tool   *Tool // nil where they do not
	denied bool  // no call of it could be allowed
}

// maxForms bounds the classes whose forms of a segment are kept.
const maxForms = 64

// forms are the tools of one segment as classes of principals see them, found
// once for each class and carried to the segment that comes after it.
type forms struct {
	mu    sync.Mutex // guards byOne
	byOne map[string]*formed
}

// formed are the forms for one class; those at some places are still to be
// found.
type formed struct {
	mu   sync.Mutex
	all  []form
	todo []int
}

func newForms() *forms { return &forms{byOne: map[string]*formed{}} }

// of gives the form of each tool.
func (f *forms) of(tools []*Tool, r rights) []form {
	f.mu.Lock()
	one := f.byOne[r.class]
	if one == nil {
		if len(f.byOne) >= maxForms {
			clear(f.byOne)
		}
		one = &formed{all: make([]form, len(tools)), todo: places(len(tools))}
		f.byOne[r.class] = one
	}
	f.mu.Unlock()
	one.mu.Lock()
	defer one.mu.Unlock()
	one.find(tools, r)
	return one.all
}

func places(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// find finds what is still to be found, on all processors: masking a tool is
// most of what a first view costs.
func (o *formed) find(tools []*Tool, r rights) {
	const chunk = 64
	parallel.Each(len(o.todo), chunk, func(from, to int) {
		for _, i := range o.todo[from:to] {
			o.all[i] = r.formOf(tools[i])
		}
	})
	o.todo = nil
}

// formOf gives a tool as it is visible; nil is not.
func (r rights) formOf(t *Tool) form {
	if t == nil {
		return form{}
	}
	if t = r.form(t); t == nil {
		return form{}
	}
	return form{t, !r.mayInvoke(t)}
}

// after gives the forms of the segment in which the tools at some places are
// others.
func (f *forms) after(changed []int) *forms {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := &forms{byOne: make(map[string]*formed, len(f.byOne))}
	for class, one := range f.byOne {
		one.mu.Lock()
		next.byOne[class] = &formed{all: slices.Clone(one.all), todo: union(one.todo, changed)}
		one.mu.Unlock()
	}
	return next
}

// union gives the members of two sets, ascending.
func union(a, b []int) []int {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}
