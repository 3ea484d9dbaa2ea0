package drift

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestPublicRow: whoever holds no right to audit reads of a row what concerns
// his calls, and of a tool that is masked for him nothing of the whole.
func TestPublicRow(t *testing.T) {
	whole := Row{Tool: "s/t", Verdict: DriftRejected, Why: "outside policy: enum_escape", Documented: "WHOLE", Observed: "WHOLE", Baseline: true,
		Divergences: []Divergence{{Kind: EnumEscape, Severity: Major, Pointer: "/WHERE", Evidence: "WHOLE", Digest: "WHOLE", Documented: "WHOLE", Observed: "WHOLE", Seen: 3}},
		Suspected:   []Suspicion{{EnumEscape, "WHOLE", 1}}, Calls: map[Class]int64{"WHOLE": 1}, Outcomes: map[string]int64{"WHOLE": 1},
		Visible: []Sight{{Kind: "WHOLE"}}, ProbeOnly: []Kind{"WHOLE"}}
	text := func(r Row) string {
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	if got := text(whole.Public()); strings.Contains(got, "WHOLE") || !strings.Contains(got, "/WHERE") {
		t.Errorf("public: %s", got)
	}
	if got := text(whole.Masked(nil, Policy{})); strings.Contains(got, "WHOLE") || strings.Contains(got, "/WHERE") || !strings.Contains(got, string(EnumEscape)) {
		t.Errorf("masked: %s", got)
	}
	calm := Row{Tool: "s/t", Verdict: BehaviorAligned, Divergences: []Divergence{}}
	if got := calm.Masked(nil, Policy{}); got.Verdict != NoDocumentedDependency {
		t.Errorf("a tool that documents nothing for him: %+v", got)
	}
	if got := calm.Masked(nil, Policy{RequireDocumentation: true}); got.Verdict != DriftRejected {
		t.Errorf("and where documentation is required: %+v", got)
	}
	if got := calm.Public(); got.Verdict != BehaviorAligned {
		t.Errorf("one that is whole for him: %+v", got)
	}
}
