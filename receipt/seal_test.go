package receipt_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// sealed makes one receipt and gives it with its evidence.
func sealed(t testing.TB, p *place, args, result string) (interlock.Receipt, receipt.Evidence) {
	t.Helper()
	blank, err := p.log.Blank()
	must(t, err)
	got, err := p.log.Seal(t.Context(), blank, callBody(), []byte(args), []byte(result), receipt.Written)
	must(t, err)
	entries, err := p.log.List(t.Context(), p.log.Size()-1, 1)
	must(t, err)
	return got, receipt.Evidence{Body: entries[0].Body, Args: []byte(args), Result: []byte(result)}
}

func TestSeal(t *testing.T) {
	p := newPlace(t)
	got, evidence := sealed(t, p, `{"document":"secret words","n":9223372036854775807}`, `{"title":"hidden"}`)
	if len(got.ID) != 32 || len(got.Salt) != 32 || !strings.HasPrefix(got.Key, p.keys.Origin()+"+") || got.Digest == "" {
		t.Errorf("receipt %+v", got)
	}
	var body receipt.CallBody
	must(t, json.Unmarshal(evidence.Body, &body))
	want := callBody()
	want.Receipt, want.At, want.ArgsDigest, want.ResultDigest = got.ID, "2026-05-06T07:08:09.123Z", body.ArgsDigest, body.ResultDigest
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
	for _, secret := range []string{"secret", "hidden", "922337", got.Salt, got.Signature} {
		if strings.Contains(string(evidence.Body), secret) {
			t.Errorf("the log tells %q", secret)
		}
	}
	keys := p.keys.VerifierKeys()
	for _, e := range []receipt.Evidence{evidence, {}, {Body: evidence.Body}, {Body: evidence.Body, Args: evidence.Args}} {
		must(t, receipt.VerifyReceipt(got, keys, e))
	}
	rotated, err := p.keys.Rotated(&counter{n: 31})
	must(t, err)
	must(t, receipt.VerifyReceipt(got, rotated.VerifierKeys(), evidence))
}

// Any character of a receipt, and any byte of what it is for.
func TestVerifyReceiptRefuses(t *testing.T) {
	p := newPlace(t)
	good, evidence := sealed(t, p, `{"a":1}`, `{"b":2}`)
	other, otherEvidence := sealed(t, p, `{"a":1}`, `{"b":2}`)
	keys := p.keys.VerifierKeys()
	check := func(what string, r interlock.Receipt, e receipt.Evidence, keys []string) {
		t.Helper()
		if err := receipt.VerifyReceipt(r, keys, e); err == nil {
			t.Errorf("%s passes as good", what)
		} else if interlock.ReasonOf(err) != interlock.ReasonLogInvalid {
			t.Errorf("%s: %v", what, err)
		}
	}
	for name, member := range map[string]func(*interlock.Receipt) *string{
		"id": func(r *interlock.Receipt) *string { return &r.ID }, "digest": func(r *interlock.Receipt) *string { return &r.Digest },
		"salt": func(r *interlock.Receipt) *string { return &r.Salt }, "key": func(r *interlock.Receipt) *string { return &r.Key },
		"signature": func(r *interlock.Receipt) *string { return &r.Signature },
	} {
		text := *member(&good)
		for i := range text {
			for _, put := range []byte{'0', 'A', 'b', '=', '\n', text[i] ^ 1, text[i] ^ 32} {
				if put == text[i] {
					continue
				}
				changed := good
				*member(&changed) = text[:i] + string(rune(put)) + text[i+1:]
				check(fmt.Sprintf("%s with character %d replaced by %q", name, i, put), changed, evidence, keys)
			}
			changed := good
			*member(&changed) = text[:i] + text[i+1:]
			check(fmt.Sprintf("%s without character %d", name, i), changed, evidence, keys)
		}
	}
	for i := range evidence.Args {
		changed := evidence
		changed.Args = splice(evidence.Args, i, i+1, []byte{evidence.Args[i] ^ 1})
		check(fmt.Sprintf("arguments with byte %d changed", i), good, changed, keys)
	}
	check("another result", good, receipt.Evidence{Body: evidence.Body, Result: []byte(`{"b":3}`)}, keys)
	check("white space in the result", good, receipt.Evidence{Body: evidence.Body, Result: []byte(`{"b": 2}`)}, keys)
	check("another call's body", good, otherEvidence, keys)
	check("another call's receipt", other, evidence, keys)
	check("arguments without the body", good, receipt.Evidence{Args: evidence.Args}, keys)
	check("no key", good, evidence, nil)
	check("a key that is none", good, evidence, []string{"x"})
	strange, err := receipt.NewKeys(&counter{n: 4})
	must(t, err)
	check("another log's key", good, evidence, strange.VerifierKeys())
}

// The same arguments have another digest in every receipt.
func TestSalted(t *testing.T) {
	p := newPlace(t)
	seen := map[string]bool{}
	for range 20 {
		blank, err := p.log.Blank()
		must(t, err)
		for _, text := range []string{blank.ID, blank.Digest([]byte("yes"))} {
			if seen[text] {
				t.Fatalf("%s came twice", text)
			}
			seen[text] = true
		}
	}
	if a, b := p.log.KeyedDigest([]byte("need")), p.log.KeyedDigest([]byte("need")); a != b || a == p.log.KeyedDigest([]byte("Need")) || len(a) != 64 {
		t.Errorf("keyed digests %s and %s", a, b)
	}
	random := &counter{n: 9}
	keys, err := receipt.NewKeys(random)
	must(t, err)
	newer, err := keys.Rotated(random)
	must(t, err)
	old, all := keys.KeyedDigests([]byte("need")), newer.KeyedDigests([]byte("need"))
	if len(old) != 1 || len(all) != 2 || all[1] != old[0] || all[0] == old[0] {
		t.Errorf("digests %v of the keys before, %v after they were rotated", old, all)
	}
}

func TestFailedCallHasNoResultDigest(t *testing.T) {
	p := newPlace(t)
	blank, err := p.log.Blank()
	must(t, err)
	body := callBody()
	body.Outcome, body.Reason, body.Stage = interlock.OutcomeFailed, interlock.ReasonToolError, "invoke"
	_, err = p.log.Seal(t.Context(), blank, body, []byte("{}"), nil, receipt.Written)
	must(t, err)
	entries, err := p.log.List(t.Context(), 0, 1)
	must(t, err)
	if text := string(entries[0].Body); strings.Contains(text, "result_digest") || !strings.Contains(text, `"outcome":"failed"`) {
		t.Errorf("body %s", text)
	}
}

// Every body has one spelling and only members of the known kinds.
func TestBodies(t *testing.T) {
	p := newPlace(t)
	for typ, body := range map[string]any{
		interlock.EntryResolve:       receipt.ResolveBody{At: p.log.Now(), Asker: callBody().Asker, NeedDigest: p.log.KeyedDigest(nil), Disposition: interlock.Supported, Offered: []receipt.Offered{{Tool: "a/b", Version: "1.0.0"}}, Shadowed: []receipt.Shadowed{{Family: "f", Compatible: "a/b", Incompatible: "a/c"}}},
		interlock.EntryIntent:        receipt.IntentBody{Receipt: "00", At: p.log.Now()},
		interlock.EntryCall:          callBody(),
		interlock.EntryRefused:       receipt.RefusedBody{Receipt: "01", Reason: interlock.ReasonDenied, Stage: "recheck", Pointer: "/a~1b"},
		interlock.EntryIndeterminate: receipt.IndeterminateBody{Receipt: "00", Intent: "00", Reason: interlock.ReasonIndeterminate},
		interlock.EntryRegistry:      receipt.RegistryBody{Principal: "local", Action: "add", Source: "docs"},
		interlock.EntryAccess:        receipt.AccessBody{Rule: "credential-expired", Count: 2},
		interlock.EntryPolicy:        receipt.PolicyBody{State: "in_force", By: "start", Digest: "x"},
		interlock.EntryApproval:      receipt.ApprovalBody{Approval: "x", State: interlock.ApprovalUsed},
	} {
		entry, err := p.log.Append(t.Context(), typ, body, receipt.Written)
		must(t, err)
		again, err := receipt.Canonical(entry.Body)
		if err != nil || string(again) != string(entry.Body) {
			t.Errorf("%s is not canonical: %s, %v", typ, entry.Body, err)
		}
	}
	if report := p.verify(t); len(report.Types) != 9 {
		t.Errorf("types %v", report.Types)
	}
}
