package router

// KeptViews counts the views and tenants of which answers are kept.
func (r *Router) KeptViews() int {
	r.answers.mu.Lock()
	defer r.answers.mu.Unlock()
	return r.answers.views.len()
}

// MaxKeptViews is the most that KeptViews may be.
const MaxKeptViews = 2 * maxAnswered
