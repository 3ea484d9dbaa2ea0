package validate

import (
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/execute/invoke"
)

func TestResultRefusesNothing(t *testing.T) {
	if c, err := Result(invoke.Sent{}); err == nil || c.Valid() {
		t.Error("an answer to no call was checked")
	}
}

// TestWarning: what is let through with a warning was released, so the warning
// does not say that it was not.
func TestWarning(t *testing.T) {
	c, err := contract.Compile(interlock.Operation{Name: "t", OutputSchema: []byte(`{"type":"object","properties":{"ok":{"type":"boolean"}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	said := warning(c.ValidateResult([]byte(`{"ok":"yes"}`)))
	if !strings.Contains(said, "breaks its output schema") || strings.Contains(said, "released") {
		t.Errorf("the warning says: %s", said)
	}
}
