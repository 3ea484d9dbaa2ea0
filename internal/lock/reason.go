package lock

// Reason says how a capability stands. The set is closed.
type Reason string

// The reasons, mildest first.
const (
	OK       Reason = "ok"
	Outdated Reason = "outdated" // another version that is proved compatible serves now

	Unavailable Reason = "unavailable" // its source is down

	WordingChanged  Reason = "wording-changed"  // what a model reads moved, the contract did not
	ContractChanged Reason = "contract-changed" // one version, another contract than was locked
	Pending         Reason = "pending"
	Changed         Reason = "changed"
	Quarantined     Reason = "quarantined"
	DriftRejected   Reason = "drift-rejected"
	Denied          Reason = "denied"  // policy keeps the principal from calling it
	Unbound         Reason = "unbound" // there is nothing to call

	Retired              Reason = "retired"
	NoCompatibleContract Reason = "no-compatible-contract"
	UnknownFamily        Reason = "unknown-family"
)

// The exit codes of a preflight.
const (
	ExitReady    = 0
	ExitRetry    = 10 // retry later
	ExitOperator = 11 // a person has to look
	ExitBroken   = 12 // broken for good: the agent has to change
)

// reasonRow is one row of the table of reasons.
type reasonRow struct {
	reason Reason
	exit   int
	remedy string
}

var reasons = [...]reasonRow{
	{OK, ExitReady, ""},
	{Outdated, ExitReady, "`interlock lock --update %s` takes it up"},
	{Unavailable, ExitRetry, "try again later"},
	{WordingChanged, ExitOperator, "read the new text with `interlock show`, then run `interlock lock`"},
	{ContractChanged, ExitOperator, "review the change with `interlock show`, then run `interlock lock`"},
	{Pending, ExitOperator, "ask the operator to accept the tool"},
	{Changed, ExitOperator, "ask the operator to review the new definition"},
	{Quarantined, ExitOperator, "ask the operator to review the tool"},
	{DriftRejected, ExitOperator, "ask the operator to accept the drift, or the owner to mend it"},
	{Denied, ExitOperator, "ask whoever sets the policy"},
	{Unbound, ExitOperator, "ask the operator to give the tool a binding"},
	{Retired, ExitBroken, "move to another version; `interlock why %s` lists them"},
	{NoCompatibleContract, ExitBroken, "migrate the agent; `interlock why %s` says what stops each version"},
	{UnknownFamily, ExitBroken, "correct the name, or drop it: `interlock lock --drop %s`"},
}

// Reasons gives the closed set, mildest first.
func Reasons() []Reason {
	out := make([]Reason, len(reasons))
	for i, r := range reasons {
		out[i] = r.reason
	}
	return out
}

func (r Reason) row() reasonRow {
	for _, have := range reasons {
		if have.reason == r {
			return have
		}
	}
	return reasonRow{r, ExitBroken, ""} // unknown: fail closed
}

// Exit is the exit code that a reason asks for.
func (r Reason) Exit() int { return r.row().exit }
