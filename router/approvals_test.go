package router_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestDigestOfAnothersCall: the digest of an approval is a bare hash of the
// arguments. Who wrote them, and the operator, has it; who decides on another's
// call has the keyed one that stands in the log.
func TestDigestOfAnothersCall(t *testing.T) {
	s, ctx := &shelf{stock: map[string]interlock.Catalogue{}}, context.Background()
	r := newRouter(t, s, nil)
	stock(t, r, s, map[string]interlock.Catalogue{"s": {Operations: []interlock.Operation{{Name: "t", Version: "1.0.0", Effect: interlock.EffectWrite, InputSchema: json.RawMessage(`{"type":"object"}`),
		OutputSchema: json.RawMessage(`{"type":"object"}`), Binding: json.RawMessage(`"b"`), Variants: []interlock.Variant{{ID: "d", Description: "write"}}}}}}, []string{"s"})
	r.SetPolicies(policies(t, permitAll+`permit (principal == Principal::"boss", action == Action::"approve", resource);`))
	pat, boss, eve := interlock.Principal{Name: "pat"}, interlock.Principal{Name: "boss"}, interlock.Principal{Name: "eve"}
	_, err := r.Call(ctx, pat, interlock.CallRequest{Tool: "s/t", Args: []byte(`{"pin":"1234"}`)})
	id := interlock.AsError(err).Approval
	if id == "" {
		t.Fatal(err)
	}
	digest := func(who interlock.Principal) string {
		list, err := r.Approvals(ctx, who)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			return ""
		}
		return list[0].Digest
	}
	own := digest(pat)
	if own == "" || digest(interlock.Local()) != own || digest(eve) != "" {
		t.Errorf("pat has %q, the operator %q, eve %q", own, digest(interlock.Local()), digest(eve))
	}
	if got := digest(boss); got == own || got == "" {
		t.Errorf("who decides has %q, and the bare digest is %q", got, own)
	}
	decided, err := r.Decide(ctx, id, boss, true)
	if err != nil || decided.Digest != digest(boss) {
		t.Errorf("decided: %+v %v", decided, err)
	}
	entries, err := r.LogList(ctx, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	logged := false
	for _, e := range entries {
		logged = logged || e.Type == interlock.EntryApproval && strings.Contains(string(e.Body), decided.Digest)
	}
	if !logged {
		t.Error("the digest that was shown is not the one in the log")
	}
}
