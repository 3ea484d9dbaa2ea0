package wire

import "github.com/seed-ae386458/interlock"

// Row says how one code is told on each face. A refused call is a 4xx problem
// and exit code 3; what failed after the send is a 5xx problem and exit code 1.
// Over MCP every failed call is a tool result with isError, so that the model
// reads it; RPC is the code of a JSON-RPC error where there is no call to
// answer.
type Row struct {
	Code   interlock.Code
	Title  string // the same for every problem of the code
	Status int    // before anything was sent
	Sent   int    // after it
	Exit   int    // before anything was sent
	RPC    int
}

// The exit codes that the table gives.
const (
	ExitDone    = 0
	ExitFailed  = 1
	ExitUsage   = 2
	ExitRefused = 3
)

// rows is the one table from codes to faces, in the order of the codes.
var rows = [...]Row{
	{interlock.CodeInvalid, "Invalid request", 400, 502, ExitRefused, -32602},
	{interlock.CodeUnauthenticated, "Not authenticated", 401, 502, ExitRefused, -32600},
	{interlock.CodeDenied, "Not allowed", 403, 502, ExitRefused, -32600},
	{interlock.CodeNotFound, "Not found", 404, 502, ExitRefused, -32602},
	{interlock.CodeConflict, "State has moved", 409, 502, ExitRefused, -32600},
	{interlock.CodeApproval, "Approval required", 403, 502, ExitRefused, -32600},
	{interlock.CodeUnavailable, "Unavailable", 424, 503, ExitRefused, -32603},
	{interlock.CodeTooLarge, "Too large", 413, 502, ExitRefused, -32600},
	{interlock.CodeUpstream, "Source failed", 502, 502, ExitFailed, -32603},
	{interlock.CodeTimeout, "No answer in time", 504, 504, ExitFailed, -32603},
	{interlock.CodeIndeterminate, "Outcome unknown", 502, 502, ExitFailed, -32603},
	{interlock.CodeExhausted, "Out of space", 507, 507, ExitFailed, -32603},
	{interlock.CodeInternal, "Internal failure", 500, 500, ExitFailed, -32603},
}

// RowOf gives the row of a code; an unknown code is told as an internal one.
func RowOf(code interlock.Code) Row {
	for _, r := range rows {
		if r.Code == code {
			return r
		}
	}
	return rows[len(rows)-1]
}

// Status is the HTTP status of an error.
func Status(err error) int {
	e := interlock.AsError(err)
	row := RowOf(e.Code)
	if sent(e) {
		return row.Sent
	}
	return row.Status
}

// Exit is the exit code of an error: 1 for what failed on the way, 2 for a
// request that does not parse, 3 for a refusal.
func Exit(err error) int {
	if err == nil {
		return ExitDone
	}
	e := interlock.AsError(err)
	switch {
	case sent(e), worked(e.Stage) && e.Code != interlock.CodeNotFound:
		return ExitFailed
	case usage(e.Reason):
		return ExitUsage
	}
	return RowOf(e.Code).Exit
}

// ExitNeed is the exit code of an answered need.
func ExitNeed(r interlock.Resolution) int {
	if r.Disposition == interlock.Supported {
		return ExitDone
	}
	return ExitRefused
}

// Levels of log/slog, which pure code does not import.
const (
	levelDebug = -4
	levelInfo  = 0
	levelWarn  = 4
	levelError = 8
)

// Level says how loudly an operator's log tells of an error, as a level of
// log/slog: our own faults are errors, those of a source warnings, and refusals
// are for whoever debugs. A tool that did its work and said no to its caller is no
// trouble of its source.
func Level(err error) int {
	switch e := interlock.AsError(err); {
	case e.Code == interlock.CodeInternal, e.Code == interlock.CodeExhausted:
		return levelError
	case e.Reason == interlock.ReasonCancelled: // by the caller
		return levelDebug
	case e.Reason == interlock.ReasonToolError, e.Reason == interlock.ReasonSourceRefused:
		return levelInfo
	case Status(err) >= 500:
		return levelWarn
	}
	return levelDebug
}

// RPC is the JSON-RPC code of an error where there is no tool call to answer.
func RPC(err error) int { return RowOf(interlock.CodeOf(err)).RPC }

// sent reports whether the error arose past clearance, where a call is no
// longer refused but failed.
func sent(e *interlock.Error) bool {
	switch e.Stage {
	case "invoke", "validate", "project", "receipt":
		return true
	}
	return e.Outcome == interlock.OutcomeFailed || e.Outcome == interlock.OutcomeUnknown
}

// worked reports whether a stage fails at work that was allowed, as against
// refusing to start it. What is not there was refused, at any stage.
func worked(stage string) bool {
	switch stage {
	case "ingest", "registry", "store", "log":
		return true
	}
	return false
}

// usage reports whether the reason is a request that could not be read.
func usage(r interlock.Reason) bool {
	switch r {
	case interlock.ReasonRequestInvalid, interlock.ReasonRangeInvalid, interlock.ReasonConfigInvalid:
		return true
	}
	return false
}
