package drift

import (
	"encoding/json"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestContradictions: what disagrees with itself is found, and words that agree
// are let be.
func TestContradictions(t *testing.T) {
	for _, tc := range []struct {
		name, prop string
		unit       string
		want       bool
	}{
		{"timeoutMs", `{"type":"integer","description":"Timeout in seconds"}`, "", true},
		{"timeout_ms", `{"type":"integer","description":"How long to wait (seconds)"}`, "", true},
		{"delaySeconds", `{"type":"number","description":"Delay in milliseconds."}`, "", true},
		{"timeout", `{"type":"integer","description":"Timeout in seconds","default":30000}`, "", true},
		{"timeout", `{"type":"integer","description":"Timeout in seconds"}`, "ms", true},
		{"size_kb", `{"type":"integer","description":"Size in bytes"}`, "", true},
		{"distance", `{"type":"number","description":"Length in metres"}`, "km", true},
		{"limit", `{"type":"integer","maximum":50,"default":100}`, "", true},
		{"sort", `{"type":"string","enum":["up","down"],"default":"none"}`, "", true},
		{"count", `{"type":"integer","default":"ten"}`, "", true},
		{"n", `{"type":"integer","minimum":1,"examples":[0]}`, "", true},

		{"timeout", `{"type":"number","description":"Timeout in seconds"}`, "s", false},
		{"timeout", `{"type":"number","description":"Timeout in seconds, at most 5 minutes","default":30}`, "", false},
		{"timeoutMs", `{"type":"integer","description":"Timeout in milliseconds","default":30000}`, "ms", false},
		{"ttl", `{"type":"integer","description":"Life of the token in seconds","default":86400}`, "s", false},
		{"distance", `{"type":"number","description":"Length in metres"}`, "m", false},
		{"updated_at", `{"type":"integer","description":"Unix time in seconds"}`, "s", false},
		{"days", `{"type":"integer","description":"How many days back, 1 to 30"}`, "", false},
		{"price", `{"type":"number","description":"Price, refreshed every 5 minutes"}`, "", false},
		{"items", `{"type":"string","description":"Kept for seconds"}`, "", false},
		{"sort", `{"type":"string","enum":["up","down"],"default":"up"}`, "", false},
		{"ms", `{"type":"string","description":"A manuscript"}`, "", false},
		{"minutes", `{"type":"string","description":"What was said in the meeting, in seconds and minutes"}`, "", false},
	} {
		schema := json.RawMessage(`{"type":"object","properties":{"` + tc.name + `":` + tc.prop + `}}`)
		for side, op := range map[string]interlock.Operation{
			"input":  {Name: "x", InputSchema: schema},
			"output": {Name: "x", InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: schema},
		} {
			if tc.unit != "" {
				op.Fields = []interlock.FieldMeaning{{At: side + ":/" + tc.name, Unit: tc.unit}}
			}
			found := Contradictions(op)
			if len(found) > 0 != tc.want {
				t.Errorf("%s %s %s: %v, want a finding: %v", side, tc.name, tc.prop, found, tc.want)
			}
			for _, f := range found {
				if want := "/" + side + "_schema/properties/" + tc.name; f.Pointer != want || f.Dropped {
					t.Errorf("%s: pointer %s, want %s", tc.name, f.Pointer, want)
				}
			}
		}
	}
}
