package router

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-ae386458/interlock"
)

// unread are the sources that whoever keeps them wants registered as they are
// configured, and could not read so. They are in no registry and no snapshot:
// nothing of them is known.
type unread struct {
	mu sync.Mutex
	of map[string]interlock.SourceInfo // guarded by mu
}

// NoteUnread notes that a source could not be read as it is configured, and why;
// an empty why says that it was, or that it is wanted no longer.
func (r *Router) NoteUnread(cfg interlock.SourceConfig, why string) {
	r.unread.mu.Lock()
	defer r.unread.mu.Unlock()
	name := cmp.Or(cfg.Name, cfg.File)
	if why == "" {
		delete(r.unread.of, name)
		return
	}
	r.unread.of[name] = interlock.SourceInfo{Name: name, Kind: cfg.Kind, State: interlock.SourceUnread, Why: why}
}

// among gives a list of sources with those that could not be read: one that
// serves what an earlier reading gave is marked, the others are put in.
func (u *unread) among(list []interlock.SourceInfo) []interlock.SourceInfo {
	u.mu.Lock()
	defer u.mu.Unlock()
	for name, of := range u.of {
		at := slices.IndexFunc(list, func(s interlock.SourceInfo) bool { return s.Name == name })
		if at < 0 {
			list = append(list, of)
			continue
		}
		list[at].State, list[at].Why = cmp.Or(list[at].State, of.State), of.Why
	}
	slices.SortFunc(list, func(a, b interlock.SourceInfo) int { return strings.Compare(a.Name, b.Name) })
	return list
}
