// Package qualify says what a run over labelled needs promised and what it
// found: cases, the plan that was registered before anything was scored, the
// ledger of what was scored, judgements, figures with their intervals, paired
// differences, and the decision. It promises that a record can be computed
// again from its lines, to the byte; it refuses a case without gold, an input
// that has changed, a plan that nobody registered, and a confirmation case that
// was scored before. It reads no file and no clock.
//
//	set, err := qualify.ReadCases(text)
//	record := qualify.Decide(plan, lines, run)
package qualify

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// The forms of what is written.
const (
	CasesForm  = "interlock/cases/1"
	PlanForm   = "interlock/plan/1"
	RecordForm = "interlock/record/1"
)

// Digest is the SHA-256 of some bytes, in hexadecimal.
func Digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// digestOf is the digest of a value's JSON, whose members stand in the order of
// its type.
func digestOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "" // nothing that is digested here holds what JSON cannot say
	}
	return Digest(text)
}

func refuse(code interlock.Code, reason interlock.Reason, pointer, format string, args ...any) error {
	return &interlock.Error{Code: code, Reason: reason, Stage: "eval", Pointer: pointer, Public: fmt.Sprintf(format, args...)}
}

func invalid(format string, args ...any) error {
	return refuse(interlock.CodeInvalid, interlock.ReasonRequestInvalid, "", format, args...)
}

// some gives the first few of a list, for a sentence.
func some(ids []string) string {
	const few = 5
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}

// unique gives a list sorted, each member once.
func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
