package interlock

// Reason is the precise rule that decided, stable for ever and never reused.
// The table below is the whole set; docs/reasons.md is generated from it.
type Reason string

// Reasons of a resolution.
const (
	ReasonSupported            Reason = "supported"
	ReasonNoCompatibleContract Reason = "no-compatible-contract"
	ReasonLowConfidence        Reason = "low-confidence-match"
	ReasonBaseUnknown          Reason = "base-unknown"
	ReasonNoMatch              Reason = "no-match"
	ReasonForbidden            Reason = "forbidden"
	ReasonAmbiguous            Reason = "ambiguous"
	ReasonNeedsInput           Reason = "needs-input"
	ReasonBudget               Reason = "budget-unsatisfied"
)

// Reasons of a refused request or call.
const (
	ReasonRequestInvalid     Reason = "request-invalid"
	ReasonRangeInvalid       Reason = "range-invalid"
	ReasonUnauthenticated    Reason = "unauthenticated"
	ReasonNotFound           Reason = "not-found"
	ReasonOperatorOnly       Reason = "operator-only"
	ReasonOfferInvalid       Reason = "offer-invalid"
	ReasonOfferExpired       Reason = "offer-expired"
	ReasonFingerprintChanged Reason = "fingerprint-changed"
	ReasonDenied             Reason = "policy-denied"
	ReasonEffectTooStrong    Reason = "effect-too-strong"
	ReasonArgumentsInvalid   Reason = "arguments-invalid"
	ReasonApprovalRequired   Reason = "approval-required"
	ReasonApprovalInvalid    Reason = "approval-invalid"
	ReasonUnavailable        Reason = "unavailable"
	ReasonNotCallable        Reason = "not-callable"
	ReasonTooLarge           Reason = "too-large"
	ReasonCancelled          Reason = "cancelled"
	ReasonDriftRejected      Reason = "drift-rejected"
)

// Reasons of a call that was sent, or could not be.
const (
	ReasonSourceUnreachable Reason = "source-unreachable"
	ReasonSourceRefused     Reason = "source-refused"
	ReasonSourceFailed      Reason = "source-failed"
	ReasonToolError         Reason = "tool-error"
	ReasonResultMalformed   Reason = "result-malformed"
	ReasonResultTooLarge    Reason = "result-too-large"
	ReasonResultInvalid     Reason = "result-invalid"
	ReasonWithheld          Reason = "result-withheld"
	ReasonTimeout           Reason = "timeout"
	ReasonIndeterminate     Reason = "indeterminate"
	ReasonCredential        Reason = "credential-missing"
	ReasonNeedsAuth         Reason = "needs-auth"
)

// Reasons of a run over labelled needs.
const (
	ReasonInputChanged     Reason = "input-changed"
	ReasonGoldMissing      Reason = "gold-missing"
	ReasonPlanUnregistered Reason = "plan-unregistered"
	ReasonSplitConsumed    Reason = "split-consumed"
	ReasonRecordInvalid    Reason = "record-invalid"
)

// Reasons of registration and of the store.
const (
	ReasonSourceInvalid  Reason = "source-invalid"
	ReasonConfigInvalid  Reason = "config-invalid"
	ReasonStoreLocked    Reason = "store-locked"
	ReasonStoreFull      Reason = "store-full"
	ReasonStoreNewer     Reason = "store-newer"
	ReasonStoreCorrupt   Reason = "store-corrupt"
	ReasonLogInvalid     Reason = "log-invalid"
	ReasonLogPutBack     Reason = "log-put-back"
	ReasonLogUnwitnessed Reason = "log-unwitnessed"
	ReasonConflict       Reason = "conflict"
	ReasonInternal       Reason = "internal"
)

// ReasonRow is one line of the table of reasons.
type ReasonRow struct {
	Reason Reason
	Stage  string // where it is decided
	Means  string // for the reader of docs/reasons.md
	Remedy string // what to do about it
}

var reasons = [...]ReasonRow{
	{ReasonSupported, "dispose", "A compatible tool fits, its inputs are in hand, the answer is inside the budget.", "Call it with the offer."},
	{ReasonNoCompatibleContract, "dispose", "No resolvable version of a requested family satisfies the constraint and is reached over compatible edges.", "Widen the constraint, migrate to a listed version, or ask for another family."},
	{ReasonLowConfidence, "dispose", "Compatible tools exist, and the best scores under the threshold.", "Say the need in the words of the task, or name the tool."},
	{ReasonBaseUnknown, "dispose", "The version named in built_against is none of the family that the caller may see.", "Name one of the listed versions, or leave built_against out."},
	{ReasonNoMatch, "dispose", "A confident match whose operation, outputs or effect do not fit the need.", "Allow the effect, or drop the wanted output that no tool gives."},
	{ReasonForbidden, "dispose", "What fits is a tool that this principal may see but not use, and nothing that may be used comes near it.", "Ask whoever sets the policy."},
	{ReasonAmbiguous, "dispose", "Two or more tools fit and the evidence cannot separate them.", "Name the family or the tool, or add what would decide."},
	{ReasonNeedsInput, "dispose", "A tool fits and lacks required inputs.", "Supply the inputs listed in missing."},
	{ReasonBudget, "dispose", "The complete set does not fit K, calls, bytes or tokens.", "Raise the budget that is named, or ask for less at once."},
	{ReasonRequestInvalid, "surface", "The request is malformed.", "Correct the member at the pointer."},
	{ReasonRangeInvalid, "eligible", "A version range or version of the request does not parse.", "Write it in npm's strict grammar."},
	{ReasonUnauthenticated, "surface", "No known credential came with the request.", "Send a bearer token that the configuration knows."},
	{ReasonNotFound, "surface", "Nothing of that name in what the caller may see.", "List what is there."},
	{ReasonOperatorOnly, "surface", "Only the operator of the store may do this.", "Run the command on the machine of the store."},
	{ReasonOfferInvalid, "recheck", "The offer was altered, made for another principal or by another registry, or its tool is gone.", "Resolve the need again."},
	{ReasonOfferExpired, "recheck", "The offer is genuine and past its time.", "Resolve the need again."},
	{ReasonFingerprintChanged, "recheck", "The tool's contract or binding changed after the offer was made.", "Resolve the need again and read the new schema."},
	{ReasonDenied, "recheck", "Policy does not let this principal call the tool.", "Ask whoever sets the policy."},
	{ReasonEffectTooStrong, "recheck", "This way of calling takes no tool with an effect as strong; policy has no part in it.", "Call the tool by the way for its effect, which the message names."},
	{ReasonArgumentsInvalid, "recheck", "The arguments break the tool's input schema.", "Correct the value at the pointer."},
	{ReasonApprovalRequired, "recheck", "A call with this effect needs a person's approval.", "Have the named approval granted, then repeat the call with it."},
	{ReasonApprovalInvalid, "recheck", "The approval is unknown, used, expired, or for another call.", "Ask for a new approval."},
	{ReasonUnavailable, "recheck", "The tool has no binding, or its source is down.", "Try later, or choose another tool."},
	{ReasonNotCallable, "recheck", "The tool is in a state in which it is not called; the message names it.", "Wait for the review, or choose another version."},
	{ReasonTooLarge, "recheck", "The arguments are over a stated limit.", "Send less."},
	{ReasonDriftRejected, "recheck", "The tool no longer behaves as it documents, further than policy lives with; kinds says in what.", "Use another tool or version, or have the drift accepted."},
	{ReasonCancelled, "invoke", "The caller went away before the answer came.", "Repeat the call if it is still wanted."},
	{ReasonSourceUnreachable, "invoke", "The source could not be reached; nothing was sent.", "Try later; the operator sees the cause."},
	{ReasonSourceRefused, "invoke", "The source refused the request (a 4xx answer, or an unknown operation).", "Check the arguments; the message gives the status."},
	{ReasonSourceFailed, "invoke", "The source answered with a failure of its own.", "Try later."},
	{ReasonToolError, "invoke", "The tool ran and reported an error in its own words.", "Read the detail; it is untrusted text."},
	{ReasonResultMalformed, "validate", "The answer is not one JSON value within the stated limits.", "Tell the owner of the tool."},
	{ReasonResultTooLarge, "invoke", "The answer is over the size limit and was not released.", "Ask for less, or raise the limit."},
	{ReasonResultInvalid, "validate", "The answer breaks the tool's output schema and was not released.", "Tell the owner of the tool."},
	{ReasonWithheld, "validate", "The call was sent, and while it ran its tool was taken from the caller; nothing of what came of it is released.", "Do not repeat a call that changes something; resolve the need again."},
	{ReasonTimeout, "invoke", "No answer within the time allowed.", "Try later, or raise the tool's timeout."},
	{ReasonIndeterminate, "invoke", "A call that may change the world was sent and its outcome is unknown. It is never repeated.", "Find out at the source before calling again."},
	{ReasonCredential, "invoke", "A credential that the source needs could not be read from its reference.", "Set the variable or file that the operator configured."},
	{ReasonNeedsAuth, "invoke", "The source does not accept the credential that Interlock has for it (401). Nothing more is sent to it until the secret changes or a rest is over.", "Renew the secret behind the reference; it is read again by itself."},
	{ReasonSourceInvalid, "ingest", "The source or its document cannot be read.", "Correct the document; the message names the place."},
	{ReasonConfigInvalid, "cmd", "The configuration is not valid.", "Correct the key that is named."},
	{ReasonStoreLocked, "store", "Another process holds the store.", "Speak to the running server, or stop it."},
	{ReasonStoreFull, "store", "The disk is full; nothing was changed.", "Free space; the store is intact."},
	{ReasonStoreNewer, "store", "The store was written by a newer version.", "Use that version, or restore a backup."},
	{ReasonStoreCorrupt, "store", "The store cannot be read.", "Restore a backup; run doctor."},
	{ReasonLogInvalid, "log", "The log does not verify.", "Compare with a copy; treat the machine as suspect."},
	{ReasonLogUnwitnessed, "log", "The log has not enough signatures of witnesses, or no fresh ones.", "Ask the witnesses with interlock log witness ask, or bring their signatures with interlock log witness add."},
	{ReasonLogPutBack, "log", "The log is not the one that an earlier checkpoint of it signs: it was put back, cut short or replaced.", "Bring back the newest copy. After a restore on purpose, interlock log restored puts it on record."},
	{ReasonInputChanged, "eval", "A file, model or program that goes into a run is not the one that its plan registered.", "Bring back what was registered, or register a new plan."},
	{ReasonGoldMissing, "eval", "A case to be scored has no right answer, or one that is not in its view.", "Fill in its gold; a case without is never scored."},
	{ReasonPlanUnregistered, "eval", "The plan was not registered before the run, or was changed since.", "Register it with interlock eval plan, before anything is scored."},
	{ReasonSplitConsumed, "eval", "A run has scored a confirmation case before; one may.", "Collect new cases for a confirmation."},
	{ReasonRecordInvalid, "eval", "A record does not follow from its lines.", "Trust nothing in it; run the plan's inputs again on another split."},
	{ReasonConflict, "registry", "The registry moved while the change was prepared.", "Repeat the change."},
	{ReasonInternal, "any", "A fault of Interlock itself.", "Read the operator's log and report it."},
}

// Reasons gives the whole table, in order.
func Reasons() []ReasonRow { return append([]ReasonRow(nil), reasons[:]...) }
