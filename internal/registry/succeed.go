package registry

import (
	"reflect"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/version"
)

// succeed decides what a new definition of a known tool means.
//
//	same contract, same binding     the record stays, offers with it
//	new wording only                counts at once by the operator, else waits
//	other contract, same version    contract drift: the tool is `changed` and waits
//	other contract, no versions     the next version that the change asks for
//	a version too small for what    contract drift as well
//	  the change does to callers
//	other version, other binding    the new definition; offers for the old end
//	after a quarantine              held against what was accepted before it
func (p *plan) succeed(had, now interlock.ToolRecord) interlock.ToolRecord {
	now.Earlier, now.Past, now.Reviewed, now.Rejected = had.Earlier, had.Past, had.Reviewed, had.Rejected
	if had.Source != now.Source {
		return now
	}
	if had.Contract == now.Contract && had.Binding == now.Binding {
		now.Drift = had.Drift // behaviour is judged under one definition
	}
	if !accepted(had) {
		return moved(had, now) // there is nothing that it could contradict
	}
	if p.manual() && (!reflect.DeepEqual(had.Operation, now.Operation) || had.Binding != now.Binding) && !p.reviewed(had.ID, now.Operation) {
		return p.waits(had, now)
	}
	now = counted(had, now)
	sameContract := had.Contract == now.Contract && had.Version == now.Version
	if sameContract && had.Binding == now.Binding {
		switch {
		case !held(had.State):
			return p.sameCall(had, now)
		case had.Pin != now.Pin && p.manner != ByOperator:
			return resumed(had, now)
		}
	}
	if had.Version != now.Version || had.Contract != now.Contract {
		return p.renewed(had, now)
	}
	return moved(had, now)
}

// sameCall keeps a record whose call is unchanged. The generation of the last
// change stays, so offers hold; wording and state may still differ.
func (p *plan) sameCall(had, now interlock.ToolRecord) interlock.ToolRecord {
	now.Changed = had.Changed
	if had.Pin == now.Pin || p.manner == ByOperator {
		return now
	}
	if p.rejected(had, now.Operation) {
		had.Waiting = nil
		return had
	}
	waiting := now.Operation
	had.Waiting = &waiting
	return had
}

// drifted keeps the accepted definition and lets the new one wait. Nothing is
// sent to a tool in that state.
func (p *plan) drifted(had, now interlock.ToolRecord, why string) interlock.ToolRecord {
	if had.State == interlock.StateChanged && p.rejected(had, now.Operation) {
		return had
	}
	waiting := now.Operation
	if had.State == interlock.StateChanged && had.Waiting != nil && reflect.DeepEqual(*had.Waiting, waiting) {
		return had
	}
	out := moved(had, had)
	out.Changed = now.Changed
	out.State = interlock.StateChanged
	out.Waiting = &waiting
	out.Why = why
	return out
}

// moved notes the old definition beside the new one, so that an offer made for
// it is told as changed.
func moved(had, now interlock.ToolRecord) interlock.ToolRecord {
	earlier := append([]interlock.Definition{{Changed: had.Changed, Contract: had.Contract, Binding: had.Binding}}, had.Earlier...)
	now.Earlier = earlier[:min(len(earlier), maxEarlier)]
	return now
}

// following gives the version that a change asks for after one.
func following(text string, bump diff.Bump) (string, error) {
	v, err := version.Parse(text)
	if err != nil {
		return "", err
	}
	part := version.Major
	switch bump {
	case diff.Minor:
		part = version.Minor
	case diff.Patch:
		part = version.Patch
	}
	after, err := version.Bump(v, part)
	if err != nil {
		return "", err
	}
	return after.String(), nil
}

// rederive gives the records of other sources that new or withdrawn overlays
// touch.
func rederive(before, after *State, source string) []interlock.ToolRecord {
	var out []interlock.ToolRecord
	was, is := before.Overlays(), after.Overlays()
	for _, had := range after.Tools {
		if had.Source == source || !accepted(*had) || !touched(had.ID, was, is) {
			continue
		}
		rec, next := *had, *had
		if err := describe(&next, is); err != nil {
			continue // an overlay that breaks a tool leaves it as it was
		}
		next = counted(rec, next)
		if held(rec.State) {
			next.State = rec.State // meaning accepts no definition
		} else {
			next.Why = ""
			next = agree(next, after.except(rec.ID))
		}
		if next.Contract != rec.Contract || next.Version != rec.Version {
			next.Changed = before.Generation + 1
			next = moved(rec, next)
		}
		if !reflect.DeepEqual(next, rec) {
			out = append(out, next)
		}
	}
	return out
}

// counted gives a tool that states no version the one that Interlock has
// counted so far; of a version that an overlay stated nothing is left.
func counted(had, now interlock.ToolRecord) interlock.ToolRecord {
	switch {
	case now.NoVersions && had.NoVersions:
		now.Version = had.Version
	case now.NoVersions && len(had.Past) > 0:
		if next, err := following(had.Past[len(had.Past)-1].Version, diff.Major); err == nil {
			now.Version = next
		}
	}
	return now
}

func touched(id string, was, is []interlock.Overlay) bool {
	pick := func(all []interlock.Overlay) (out []interlock.Overlay) {
		for _, o := range all {
			if o.Tool == id {
				out = append(out, o)
			}
		}
		return out
	}
	return !reflect.DeepEqual(pick(was), pick(is))
}
