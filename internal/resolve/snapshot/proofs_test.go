package snapshot

import (
	"encoding/json"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
)

// An edge claims no more than what is enforced: names that the old contract
// does not declare are refused at the root of the arguments alone, results are
// cut to what it declares, and nothing fills defaults in.
func TestProofsClaimWhatIsEnforced(t *testing.T) {
	const object = `"type":"object","properties":`
	op := func(in, out string) interlock.Operation {
		return interlock.Operation{InputSchema: json.RawMessage(in), OutputSchema: json.RawMessage(out)}
	}
	result := `{` + object + `{"r":{"type":"integer"}}}`
	old := `{` + object + `{"o":{` + object + `{"a":{"type":"string"}}}}}`
	for _, tc := range []struct {
		name     string
		old, new interlock.Operation
		want     contract.Proof
		rule     string
	}{
		{"the same", op(old, result), op(old, result), contract.ProofStrict, ""},
		{"a new typed argument: its name was refused before", op(old, result),
			op(`{`+object+`{"n":{"type":"integer"},"o":{`+object+`{"a":{"type":"string"}}}}}`, result), contract.ProofTool, "*"},
		{"a new typed member below the root: its name never was refused", op(old, result),
			op(`{`+object+`{"o":{`+object+`{"a":{"type":"string"},"n":{"type":"integer"}}}}}`, result), contract.ProofNone, "*"},
		{"both at once", op(old, result),
			op(`{`+object+`{"n":{"type":"integer"},"o":{`+object+`{"a":{"type":"string"},"n":{"type":"integer"}}}}}`, result), contract.ProofNone, "*"},
		{"a nested object that closes", op(old, result),
			op(`{`+object+`{"o":{`+object+`{"a":{"type":"string"}},"additionalProperties":false}}}`, result), contract.ProofNone, "*"},
		{"an argument required, with a default", op(old, result),
			op(`{"required":["n"],`+object+`{"n":{"type":"integer","default":1},"o":{`+object+`{"a":{"type":"string"}}}}}`, result), contract.ProofUndecided, "*"},
		{"a known argument required, with a default", op(old, result),
			op(`{"required":["o"],`+object+`{"o":{"default":{},`+object+`{"a":{"type":"string"}}}}}`, result), contract.ProofUndecided, "*"},
		{"a result that the caller knows closed gains a member", op(old, `{`+object+`{"r":{"type":"integer"}},"additionalProperties":false}`),
			op(old, `{`+object+`{"r":{"type":"integer"},"s":{"type":"string"}},"additionalProperties":false}`), contract.ProofTool, "*"},
	} {
		got := prove(tc.old, tc.new)
		if got.proof != tc.want || (tc.rule == "") != (got.rule == "") {
			t.Errorf("%s: proof %d by rule %q at %q, want %d", tc.name, got.proof, got.rule, got.pointer, tc.want)
		}
	}
}
