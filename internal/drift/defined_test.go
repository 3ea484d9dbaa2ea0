package drift

import (
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestDefinitions: what a source states anew and nobody accepted is told by its
// kind; the same again is nothing; what an operator accepts, or the source takes
// back, ends it.
func TestDefinitions(t *testing.T) {
	for _, tc := range []struct {
		name     string
		change   func(*Stated)
		effect   string
		want     Kind
		severity Severity
	}{
		{"schema", func(s *Stated) { s.Operation.OutputSchema = []byte(object(`"id":{"type":"string"}`)) }, "read", SchemaChangedWithoutVersion, Major},
		{"schema of a write", func(s *Stated) { s.Operation.OutputSchema = []byte(object(`"id":{"type":"string"}`)) }, "write", SchemaChangedWithoutVersion, Critical},
		{"version", func(s *Stated) { s.Version = "2.0.0" }, "read", VersionChangedWithoutSchema, Minor},
		{"wording", func(s *Stated) { s.Operation.Variants[0].Description = "another" }, "read", DescriptionChangedSameContract, Major},
		{"annotations", func(s *Stated) { s.Operation.Annotations = []byte(`{"readOnlyHint":false,"destructiveHint":true}`) }, "read", AnnotationFlip, Critical},
		{"binding", func(s *Stated) { s.Binding = "b2" }, "write", BindingChanged, Critical},
		{"name", func(s *Stated) { s.Operation.Name = "parcel2" }, "read", ToolRenamedOrShadowed, Major},
		{"source", func(s *Stated) { s.Source = "elsewhere" }, "write", ToolRenamedOrShadowed, Critical},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			op := enumTool(tc.effect)
			op.Annotations = []byte(`{"readOnlyHint":true}`)
			was := stated(t, op)
			l.define(was, false)
			l.define(was, false)
			if r := l.row(parcel); len(r.Divergences) > 0 {
				t.Fatalf("the same again: %s", r.brief())
			}
			op.Variants = []interlock.Variant{{ID: "default", Description: "parcel"}}
			next := stated(t, op)
			tc.change(&next)
			changed := stated(t, next.Operation)
			next.Contract, next.Pin, next.Compiled = changed.Contract, changed.Pin, changed.Compiled
			l.define(next, true)
			l.define(next, true)
			r := l.row(parcel)
			if len(r.Divergences) != 1 || r.Divergences[0].Kind != tc.want || r.Divergences[0].Severity != tc.severity {
				t.Fatalf("waiting: %s, want %s %s", r.brief(), tc.want, tc.severity)
			}
			gone := newLab(t)
			gone.log = nil
			withdrawn := l.docs[parcel].Body()
			withdrawn.Waiting, withdrawn.Withdrawn = true, true
			before := len(l.log)
			l.enter(interlock.EntryDocumented, withdrawn)
			if r := l.row(parcel); len(r.Divergences) != 0 {
				t.Errorf("withdrawn: %s", r.brief())
			}
			l.log = l.log[:before]
			l.ledger = l.replayed()
			l.define(next, false)
			if r := l.row(parcel); len(r.Divergences) != 0 {
				t.Errorf("accepted: %s", r.brief())
			}
		})
	}
}
