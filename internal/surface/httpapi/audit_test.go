package httpapi

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
	"github.com/seed-ae386458/interlock/receipt"
)

// audited is an auditor that gives back what it was asked.
type audited struct{}

var someTime = time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)

func (audited) LogCheck(_ context.Context, c receipt.Check) (receipt.Report, error) {
	return receipt.Report{Origin: "o", Size: int64(len(c.Held)), Types: map[string]int64{"call": 1}, Held: []int64{2}, Books: &receipt.Books{Receipts: 1},
		Witnessed: &receipt.Witnessed{Size: 2, By: []string{"w"}, At: someTime}}, nil
}

func (audited) LogCheckpoint(context.Context) (string, error) {
	return "o\n2\nroot\n\n— o sig\n", nil
}

func (audited) LogProve(_ context.Context, entry string) (receipt.Proof, error) {
	if entry == "none" {
		return receipt.Proof{}, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "log", Public: "No."}
	}
	return receipt.Proof{Entry: interlock.LogEntry{Index: 3, Type: "call", Digest: entry, Body: []byte(`{"a":"<&>"}`)}, Hashes: []string{"h"}, Checkpoint: "c"}, nil
}

func (audited) LogConsistency(_ context.Context, older, newer int64) (receipt.Consistency, error) {
	return receipt.Consistency{Old: older, New: newer, Hashes: []string{"h"}, Rest: []string{}}, nil
}

func (audited) LogAttest(_ context.Context, entry string) (receipt.Envelope, error) {
	return receipt.Envelope{Payload: []byte(entry), PayloadType: receipt.PayloadType, Signatures: []receipt.Signature{{KeyID: "k", Sig: []byte{1}}}}, nil
}

func (audited) LogTile(_ context.Context, path string) ([]byte, error) {
	return append([]byte(path), 0, 255), nil
}

func (audited) LogWitnessRequest(_ context.Context, old int64) (string, error) {
	return fmt.Sprintf("old %d\n\nsigned\n", old), nil
}

func (audited) LogWitnesses(context.Context) ([]receipt.Witnessed, error) {
	return []receipt.Witnessed{{Size: 2, By: []string{"w"}, At: someTime}}, nil
}

func (audited) LogWitness(_ context.Context, text string) (receipt.WitnessKept, error) {
	return receipt.WitnessKept{Size: 2, Signatures: []string{text}, Enough: true}, nil
}

func (audited) LogPrune(_ context.Context, before int64, principal, why string) (receipt.Pruned, error) {
	return receipt.Pruned{Dropped: before, Kept: int64(len(principal)), Now: int64(len(why))}, nil
}

// A client gives what the auditor behind the door gives.
func TestAuditClient(t *testing.T) {
	r := surfacetest.New()
	guard, err := auth.New(auth.Config{}, auth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	door, err := Operator(r, r, guard, Options{Audit: audited{}})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(door)
	defer srv.Close()
	c := NewClient(srv.Client().Transport, srv.URL)
	ctx := t.Context()
	for name, ask := range map[string]func(a Auditor) (any, error){
		"check": func(a Auditor) (any, error) {
			return a.LogCheck(ctx, receipt.Check{Held: []string{"a", "b"}, Books: true})
		},
		"checkpoint":  func(a Auditor) (any, error) { return a.LogCheckpoint(ctx) },
		"proof":       func(a Auditor) (any, error) { return a.LogProve(ctx, "3") },
		"consistency": func(a Auditor) (any, error) { return a.LogConsistency(ctx, 3, 5) },
		"attestation": func(a Auditor) (any, error) { return a.LogAttest(ctx, "3") },
		"tile":        func(a Auditor) (any, error) { return a.LogTile(ctx, "tile/8/0/x001/234.p/5") },
		"request":     func(a Auditor) (any, error) { return a.LogWitnessRequest(ctx, 7) },
		"witnesses":   func(a Auditor) (any, error) { return a.LogWitnesses(ctx) },
		"witness":     func(a Auditor) (any, error) { return a.LogWitness(ctx, "— w sig\n") },
		"prune":       func(a Auditor) (any, error) { return a.LogPrune(ctx, 4, "local", "old") },
	} {
		want, err := ask(audited{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := ask(c)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-auditor +client):\n%s", name, err, diff)
		}
	}
	if _, err := c.LogProve(ctx, "none"); interlock.ReasonOf(err) != interlock.ReasonNotFound {
		t.Errorf("what is not there: %v", err)
	}
}
