package registry

import (
	"reflect"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/vet"
)

// manual reports that every change of the source waits for somebody's decision.
func (p *plan) manual() bool { return p.cfg.Review == "manual" }

// unread says why a tool that nobody has accepted waits; empty where it does
// not. The first sight of a source is no change: what its operator registers is
// there. A new name afterwards waits where every change does, and where it comes
// from the source itself and says what a tool said that the source no longer
// has: a pin holds on to a name, and another name must not be the way around it.
func (p *plan) unread(had *interlock.ToolRecord, likeness []vet.Flag) string {
	switch {
	case had != nil && had.Unread:
		return had.Why
	case had != nil || p.before.Source(p.cfg.Name) == nil:
		return ""
	case p.manual():
		return "it is new, and every change of this source waits; accept it (`interlock review`)"
	case p.manner == ByRefresh && slices.ContainsFunc(likeness, vet.Flag.Renames):
		return "it is new and says what a tool said that is gone or has changed; accept it (`interlock review`)"
	}
	return ""
}

// unreadOf gives the record of a tool that waits to be read. It takes no place
// in its family.
func (p *plan) unreadOf(had *interlock.ToolRecord, now interlock.ToolRecord, why string) interlock.ToolRecord {
	now.State, now.Why, now.Unread = interlock.StatePending, why, true
	if had == nil {
		return now
	}
	now.Rejected = had.Rejected
	if reflect.DeepEqual(had.Operation, now.Operation) && had.Binding == now.Binding {
		now.Changed, now.Earlier = had.Changed, had.Earlier
		return now
	}
	return moved(*had, now)
}

// waits keeps what was accepted of a tool whose every change waits. What leaves
// the call as it was leaves the tool callable.
func (p *plan) waits(had, now interlock.ToolRecord) interlock.ToolRecord {
	if had.Contract != now.Contract || had.Binding != now.Binding {
		return p.drifted(had, now, "its definition changed, and every change of this source waits; accept it (`interlock review`)")
	}
	if held(had.State) {
		return resumed(had, now)
	}
	if p.rejected(had, now.Operation) {
		had.Waiting = nil
		return had
	}
	waiting := now.Operation
	had.Waiting = &waiting
	return had
}
