package receipt_test

import (
	"encoding/json"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

func TestAttest(t *testing.T) {
	p := newPlace(t)
	p.append(t, 9)
	envelope, err := p.log.Attest(t.Context(), 6)
	must(t, err)
	statement, err := receipt.VerifyEnvelope(envelope, p.keys.VerifierKeys())
	must(t, err)
	if statement.Type != "https://in-toto.io/Statement/v1" || statement.Predicate.Entry.Index != 6 || statement.Subject[0].Digest["sha256"] != statement.Predicate.Entry.Digest {
		t.Errorf("statement %+v", statement)
	}
	for i := range envelope.Payload {
		changed := envelope
		changed.Payload = append([]byte(nil), envelope.Payload...)
		changed.Payload[i] ^= 1
		if _, err := receipt.VerifyEnvelope(changed, p.keys.VerifierKeys()); err == nil {
			t.Errorf("byte %d changed passes", i)
		}
	}
	other, err := receipt.NewKeys(&counter{n: 99})
	must(t, err)
	_, err = receipt.VerifyEnvelope(envelope, other.VerifierKeys())
	wantReason(t, err, interlock.ReasonLogInvalid)
	_, err = receipt.VerifyEnvelope(receipt.Envelope{}, p.keys.VerifierKeys())
	wantReason(t, err, interlock.ReasonLogInvalid)
	var shape map[string]any
	text, err := json.Marshal(envelope)
	must(t, err)
	must(t, json.Unmarshal(text, &shape))
	if shape["payloadType"] != "application/vnd.in-toto+json" || len(shape) != 3 {
		t.Errorf("envelope %s", text)
	}
}

func TestFind(t *testing.T) {
	p := newPlace(t)
	p.append(t, 3)
	blank, err := p.log.Blank()
	must(t, err)
	must(t, p.log.Intend(t.Context(), blank, receipt.IntentBody{}, []byte("{}")))
	find := func(name string, want int64) {
		t.Helper()
		if got, err := p.log.Find(t.Context(), name); err != nil || got != want {
			t.Errorf("%s is %d, want %d: %v", name, got, want, err)
		}
	}
	find(blank.ID, 3)
	rcpt, err := p.log.Seal(t.Context(), blank, receipt.CallBody{Outcome: receipt.OutcomeOK}, []byte("{}"), []byte("1"), receipt.Written)
	must(t, err)
	p.append(t, 1200)
	find(blank.ID, 4)
	find(rcpt.Digest, 4)
	find("7", 7)
	for _, name := range []string{"", "-1", "x", rcpt.ID[1:]} {
		_, err := p.log.Find(t.Context(), name)
		wantReason(t, err, interlock.ReasonRequestInvalid)
	}
	p.prune(t, 5)
	_, err = p.log.Find(t.Context(), rcpt.ID)
	wantReason(t, err, interlock.ReasonNotFound)
}

// The books find what the tree cannot: an oldest open intent that is not the
// one that is signed, and bodies that are no record of a call.
func TestBooks(t *testing.T) {
	p := newPlace(t)
	blank, err := p.log.Blank()
	must(t, err)
	must(t, p.log.Intend(t.Context(), blank, receipt.IntentBody{}, []byte("{}")))
	_, err = p.log.Seal(t.Context(), blank, receipt.CallBody{Outcome: receipt.OutcomeOK}, []byte("{}"), []byte("1"), receipt.Written)
	must(t, err)
	left, err := p.log.Blank()
	must(t, err)
	must(t, p.log.Intend(t.Context(), left, receipt.IntentBody{}, []byte("{}")))
	report, err := p.log.Verify(t.Context(), receipt.Check{Books: true})
	must(t, err)
	if b := report.Books; b.Intents != 2 || b.Open != 1 || b.Receipts != 3 || b.Odd != 0 {
		t.Errorf("books %+v", b)
	}
	for _, at := range []string{"2026-05-06T07:08:09Z", "2020-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-05-06T07:08:08Z", "2026-05-06T07:08:07Z"} {
		_, err = p.log.Append(t.Context(), interlock.EntryRegistry, receipt.RegistryBody{At: at}, receipt.Written)
		must(t, err)
	}
	report, err = p.log.Verify(t.Context(), receipt.Check{Books: true})
	must(t, err)
	if report.Books.Back != 2 || report.Books.MaxBack == "" {
		t.Errorf("a clock that jumps is not told: %+v", report.Books)
	}
	_, err = p.log.Append(t.Context(), interlock.EntryCall, map[string]any{"receipt": blank.ID, "args_digest": "yes", "outcome": "ok"}, receipt.Written)
	must(t, err)
	_, err = p.log.Verify(t.Context(), receipt.Check{Books: true})
	wantReason(t, err, interlock.ReasonLogInvalid, "digest")
	_, err = p.log.Verify(t.Context(), receipt.Check{})
	must(t, err)
}
