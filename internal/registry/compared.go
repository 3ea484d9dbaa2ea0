package registry

import (
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/vet"
)

// compared says what a definition that waits changes: its contract rule by rule,
// as callers meet it, and its wording text by text. Of a new tool, everything it
// says is new.
func compared(item *interlock.ReviewItem) {
	var was interlock.Operation
	if item.Accepted != nil {
		was = *item.Accepted
		item.Verdict, item.Changes = changes(was, *item.Waiting)
	}
	item.Wording = wording(was, *item.Waiting)
	if n := len(item.Changes) - interlock.MaxReviewChanges; n > 0 {
		item.Changes, item.More = item.Changes[:interlock.MaxReviewChanges], n
	}
	if n := len(item.Wording) - interlock.MaxReviewChanges; n > 0 {
		item.Wording, item.More = item.Wording[:interlock.MaxReviewChanges], item.More+n
	}
}

// changes compares two contracts; what cannot be compared is undecided.
func changes(was, is interlock.Operation) (string, []interlock.ReviewChange) {
	c := diff.New(diff.Options{Mode: diff.Tool})
	report, err := c.Compare(diff.Of(was), diff.Of(is))
	if err != nil {
		report = c.Unknown("", "", err.Error())
	}
	out := []interlock.ReviewChange{}
	for _, d := range report.Changes {
		out = append(out, interlock.ReviewChange{Rule: d.Rule, Pointer: d.Pointer, PointerNew: d.PointerNew, Verdict: string(d.Tool), Breaking: d.Breaking,
			Enforcement: d.Enforcement, Message: vet.Spelled(d.Message), Harm: d.Harm, Remedy: d.Remedy, Renamed: vet.Spelled(d.Renamed), Stopped: d.Stopped})
	}
	return string(report.Verdict), out
}

// wording compares what a model reads of two definitions, place by place.
func wording(was, is interlock.Operation) []interlock.WordingChange {
	out := []interlock.WordingChange{}
	before, after := vet.Wording(was), vet.Wording(is)
	now := map[string]string{}
	for _, t := range after {
		now[t.Pointer] = t.Text
	}
	then := map[string]bool{}
	for _, t := range before {
		then[t.Pointer] = true
		if text := now[t.Pointer]; text != t.Text {
			out = append(out, interlock.WordingChange{Pointer: t.Pointer, Old: vet.Spelled(t.Text), New: vet.Spelled(text)})
		}
	}
	for _, t := range after {
		if !then[t.Pointer] {
			out = append(out, interlock.WordingChange{Pointer: t.Pointer, New: vet.Spelled(t.Text)})
		}
	}
	return out
}
