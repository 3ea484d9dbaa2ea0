package router

// KeptViews counts the views and tenants of which answers are kept.
func (r *Router) KeptViews() int {
	r.answers.mu.Lock()
	defer r.answers.mu.Unlock()
	return r.answers.views.len()
}

// MaxKeptViews is the most that KeptViews may be.
const MaxKeptViews = 2 * maxAnswered

// Undocumented counts the records that looking at every tool would still write.
func (r *Router) Undocumented() int {
	return len(r.judge.documented(r.judge.moved(changes{all: true})))
}

// Stretch is how many definitions are written at a time.
const Stretch = stretch
