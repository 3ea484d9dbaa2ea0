package router_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestDigestIsKeyed: the digest of an approval is a bare hash of the arguments and
// of the whole contract. The operator has it; whoever asked and whoever decides,
// for whom some of either may be masked, have the keyed one that is in the log.
func TestDigestIsKeyed(t *testing.T) {
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
	bare := digest(interlock.Local())
	if bare == "" || digest(eve) != "" {
		t.Errorf("the operator has %q, eve %q", bare, digest(eve))
	}
	if asked, decides := digest(pat), digest(boss); asked == bare || asked == "" || decides != asked {
		t.Errorf("who asked has %q, who decides %q, and the bare digest is %q", asked, decides, bare)
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
