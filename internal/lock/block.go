package lock

import (
	"fmt"

	"github.com/seed-ae386458/interlock"
)

// block is what keeps a version from serving.
type block struct {
	reason Reason
	detail string
}

// blocked gives what stands between the capability and any version at all: of
// everything that blocks, what is easiest to lift, because lifting one is
// enough. Of equals the locked version's speaks, then the highest version's.
func (c Capability) blocked(info interlock.FamilyInfo) block {
	best := block{NoCompatibleContract, "no version is in view"}
	if v := row(info, c.Version); v != nil {
		best = blockOf(*v)
	} else if len(info.Versions) > 0 {
		best.detail = c.Version + " is not in view, and nothing there may serve in its place"
	}
	for i := len(info.Versions) - 1; i >= 0; i-- {
		if b := blockOf(info.Versions[i]); b.reason.Exit() < best.reason.Exit() {
			best = b
		}
	}
	return best
}

// blockOf gives what keeps one version from serving: of its tools, what is
// easiest to lift.
func blockOf(v interlock.FamilyVersion) block {
	if s := v.Stopped; s != nil && s.By != "state" {
		return block{NoCompatibleContract, StopText(*s)}
	}
	best := block{Retired, v.Version + " is retired"}
	for i, t := range v.Tools {
		if b := blockOfTool(v.Version, t); i == 0 || b.reason.Exit() < best.reason.Exit() {
			best = b
		}
	}
	return best
}

func blockOfTool(version string, t interlock.FamilyTool) block {
	reason := Reason("")
	switch t.State {
	case interlock.StatePending:
		reason = Pending
	case interlock.StateChanged:
		reason = Changed
	case interlock.StateQuarantined:
		reason = Quarantined
	case interlock.StateDriftRejected:
		reason = DriftRejected
	case interlock.StateRetired:
		reason = Retired
	}
	switch {
	case reason != "":
	case !t.Allowed:
		return block{Denied, fmt.Sprintf("policy keeps you from calling %s %s", t.Tool, version)}
	case !t.Bound:
		reason = Unbound
	default:
		reason = Unavailable
	}
	text := fmt.Sprintf("%s %s is %s", t.Tool, version, t.State)
	if t.Why != "" {
		text += ": " + t.Why
	}
	return block{reason, text}
}

// StopText says in words what keeps a version from a caller.
func StopText(s interlock.Stopped) string {
	switch s.By {
	case "range":
		return s.Version + " is outside the range"
	case "edge":
		if s.Compat == string(interlock.None) {
			return fmt.Sprintf("%s breaks the callers of %s", s.Version, s.From)
		}
		return fmt.Sprintf("nothing proves that %s serves the callers of %s", s.Version, s.From)
	case string(interlock.ReasonBaseUnknown):
		return "the version that built_against names is not in view"
	}
	return fmt.Sprintf("%s is %s", s.Version, s.State)
}
