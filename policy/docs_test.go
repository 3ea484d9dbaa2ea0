package policy_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/seed-ae386458/interlock/policy"
)

// TestDocumentedPoliciesLoad loads every policy that the page shows.
func TestDocumentedPoliciesLoad(t *testing.T) {
	page, err := os.ReadFile("../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```cedar\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) < 2 {
		t.Fatalf("the page has %d blocks of policies", len(blocks))
	}
	for _, b := range blocks {
		set, err := policy.Load([]policy.File{{Name: "policy.md", Text: b[1]}})
		if err != nil || set.Len() == 0 {
			t.Errorf("%s\n%v", b[1], err)
		}
	}
}
