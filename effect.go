package interlock

import "fmt"

// Effect says what a call may do to the world.
type Effect string

// The effects, weakest first. A tool whose effect nobody with the right to
// state it has stated is EffectUnknown and is treated as EffectDestructive.
const (
	EffectRead        Effect = "read"
	EffectWrite       Effect = "write"
	EffectDestructive Effect = "destructive"
	EffectUnknown     Effect = "unknown"
)

// ParseEffect reads a stated effect; the empty text is EffectUnknown.
func ParseEffect(text string) (Effect, error) {
	switch e := Effect(text); e {
	case EffectRead, EffectWrite, EffectDestructive, EffectUnknown:
		return e, nil
	case "":
		return EffectUnknown, nil
	}
	return "", fmt.Errorf("effect %q is none of read, write, destructive", text)
}

// Enforced is the effect that policy and approval go by: unknown counts as
// destructive.
func (e Effect) Enforced() Effect {
	switch e {
	case EffectRead, EffectWrite:
		return e
	}
	return EffectDestructive
}

// Phrase says after "has" what effect is enforced, and of one that nobody has
// stated that it only counts as that.
func (e Effect) Phrase() string {
	switch e {
	case EffectRead, EffectWrite, EffectDestructive:
		return "the effect " + string(e)
	}
	return "no stated effect, which counts as " + string(e.Enforced())
}

// Within reports whether e is no stronger than limit.
func (e Effect) Within(limit Effect) bool { return e.rank() <= limit.rank() }

// rank orders the enforced effects: read 0, write 1, destructive 2.
func (e Effect) rank() int {
	switch e.Enforced() {
	case EffectRead:
		return 0
	case EffectWrite:
		return 1
	}
	return 2
}

// State is where a tool stands in its life. Events change it, never a score.
type State string

// The states of a tool.
const (
	StateActive        State = "active"
	StateDeprecated    State = "deprecated"
	StateUnavailable   State = "unavailable"
	StatePending       State = "pending"
	StateChanged       State = "changed"
	StateQuarantined   State = "quarantined"
	StateDriftRejected State = "drift_rejected"
	StateRetired       State = "retired"
)

// Resolvable reports whether a tool in this state may be a candidate.
func (s State) Resolvable() bool { return s.Callable() || s == StateUnavailable }

// Callable reports whether a tool in this state may be invoked.
func (s State) Callable() bool { return s == StateActive || s == StateDeprecated }
