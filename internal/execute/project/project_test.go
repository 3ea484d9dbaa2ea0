package project

import (
	"testing"

	"github.com/seed-ae386458/interlock/internal/execute/validate"
)

func TestFieldsRefusesNothing(t *testing.T) {
	if p, err := Fields(validate.Checked{}); err == nil || p.Valid() {
		t.Error("an answer that nobody checked was projected")
	}
}
