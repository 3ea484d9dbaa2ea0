package receipt_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

func newWitness(t testing.TB, name string, seed uint64) receipt.Witness {
	t.Helper()
	secret, err := receipt.NewWitness(name, &counter{n: seed})
	must(t, err)
	w, err := receipt.ParseWitness(secret, fixedTime)
	must(t, err)
	return w
}

// ask goes the whole way to one witness and back, and gives what it remembers.
func (p *place) ask(t testing.TB, w receipt.Witness, old int64, last string, policy receipt.WitnessPolicy) string {
	t.Helper()
	request, err := p.log.WitnessRequest(t.Context(), old)
	must(t, err)
	line, remember, err := w.Cosign(request, last, p.keys.VerifierKeys())
	must(t, err)
	_, err = p.log.AddWitness(t.Context(), remember+line, policy)
	must(t, err)
	return remember
}

func TestWitnessed(t *testing.T) {
	p := newPlace(t)
	first, second := newWitness(t, "one.example", 10), newWitness(t, "two.example", 20)
	policy := receipt.WitnessPolicy{Keys: []string{first.VerifierKey(), second.VerifierKey()}, Need: 2, Within: time.Hour}
	must(t, policy.Validate())
	check := receipt.Check{Trusted: p.keys.VerifierKeys(), Witness: policy, Now: fixedTime().Add(time.Minute)}
	p.append(t, 5)
	_, err := p.log.Verify(t.Context(), check)
	wantReason(t, err, interlock.ReasonLogUnwitnessed, "2 of the 2")

	last := p.ask(t, first, 0, "", policy)
	_, err = p.log.Verify(t.Context(), check)
	wantReason(t, err, interlock.ReasonLogUnwitnessed)
	p.ask(t, second, 0, "", policy)
	p.append(t, 4)
	for name, verify := range map[string]func(receipt.Check) (receipt.Report, error){
		"store":  func(c receipt.Check) (receipt.Report, error) { return p.log.Verify(t.Context(), c) },
		"export": func(c receipt.Check) (receipt.Report, error) { return c.Export(bytes.NewReader(p.export(t))) },
	} {
		report, err := verify(check)
		must(t, err)
		if w := report.Witnessed; w == nil || w.Size != 5 || fmt.Sprint(w.By) != "[one.example two.example]" || !w.At.Equal(fixedTime().Truncate(time.Second)) {
			t.Errorf("%s: witnessed %+v", name, w)
		}
		late := check
		late.Now = fixedTime().Add(2 * time.Hour)
		_, err = verify(late)
		wantReason(t, err, interlock.ReasonLogUnwitnessed, "1h0m0s")
		late.Now = fixedTime().Add(-2 * time.Hour)
		_, err = verify(late)
		wantReason(t, err, interlock.ReasonLogUnwitnessed, "yet to come")
	}

	// The witness goes on from what it has signed, and from nothing else.
	request, err := p.log.WitnessRequest(t.Context(), 3)
	must(t, err)
	_, _, err = first.Cosign(request, last, p.keys.VerifierKeys())
	var stale *receipt.StaleError
	if !errors.As(err, &stale) || stale.Size != 5 {
		t.Errorf("a stale request gives %v", err)
	}
	p.ask(t, first, 5, last, policy)
	p.prune(t, 7)
	p.verify(t)
	list, err := p.log.Witnesses(t.Context(), policy)
	must(t, err)
	if len(list) != 2 || list[0].Size != 9 || len(list[0].By) != 1 || len(list[1].By) != 2 {
		t.Errorf("witnesses %+v", list)
	}
}

// A log that was put back and grew another way gets no signature.
func TestWitnessRefusesAFork(t *testing.T) {
	p, q := newPlace(t), newPlace(t)
	w := newWitness(t, "one.example", 10)
	policy := receipt.WitnessPolicy{Keys: []string{w.VerifierKey()}, Need: 1}
	p.append(t, 4)
	last := p.ask(t, w, 0, "", policy)
	_, err := q.log.Append(t.Context(), interlock.EntryCall, map[string]any{"other": true}, receipt.Written)
	must(t, err)
	q.append(t, 7)
	request, err := q.log.WitnessRequest(t.Context(), 4)
	must(t, err)
	_, _, err = w.Cosign(request, last, p.keys.VerifierKeys())
	wantReason(t, err, interlock.ReasonLogPutBack)
	kept, err := p.log.Witnesses(t.Context(), policy)
	must(t, err)
	if len(kept) != 1 {
		t.Fatalf("kept %v", kept)
	}
	// The signed checkpoint of the other log finds this one out.
	_, err = q.log.AddWitness(t.Context(), last, policy)
	wantReason(t, err, interlock.ReasonLogPutBack)
	for _, text := range []string{"", "nonsense", strings.Repeat("x", 1<<20), "old 0\n\n" + last} {
		_, err := p.log.AddWitness(t.Context(), text, policy)
		wantReason(t, err, interlock.ReasonLogInvalid)
		_, _, err = w.Cosign(text, "", p.keys.VerifierKeys())
		if err == nil && !strings.HasPrefix(text, "old 0") {
			t.Errorf("%.20q is signed", text)
		}
	}
	// A checkpoint without a signature of a witness of the policy is not kept.
	_, err = p.log.AddWitness(t.Context(), last, policy)
	must(t, err) // it has one already, for this size
	stranger := receipt.WitnessPolicy{Keys: []string{newWitness(t, "else.example", 30).VerifierKey()}, Need: 1}
	_, err = p.log.AddWitness(t.Context(), last, stranger)
	wantReason(t, err, interlock.ReasonLogUnwitnessed)
}

// Every byte of a witness's signature counts.
func TestWitnessSignature(t *testing.T) {
	p := newPlace(t)
	w := newWitness(t, "one.example", 10)
	policy := receipt.WitnessPolicy{Keys: []string{w.VerifierKey()}, Need: 1}
	p.append(t, 2)
	request, err := p.log.WitnessRequest(t.Context(), 0)
	must(t, err)
	line, signed, err := w.Cosign(request, "", p.keys.VerifierKeys())
	must(t, err)
	for i := range line {
		changed := []byte(line)
		changed[i] ^= 1
		if _, err := p.log.AddWitness(t.Context(), signed+string(changed), policy); err == nil {
			t.Errorf("a signature with byte %d changed is kept: %q", i, changed)
		}
	}
	for i := range signed {
		changed := []byte(signed)
		changed[i] ^= 1
		if _, err := p.log.AddWitness(t.Context(), string(changed)+line, policy); err == nil {
			t.Errorf("a checkpoint with byte %d changed is kept", i)
		}
	}
}

func TestWitnessKeys(t *testing.T) {
	w := newWitness(t, "one.example", 10)
	for _, policy := range []receipt.WitnessPolicy{
		{Keys: []string{"nonsense"}}, {Keys: []string{w.VerifierKey()}, Need: 2}, {Keys: []string{w.VerifierKey(), w.VerifierKey()}, Need: 1}, {Need: 1},
		{Keys: []string{strings.Replace(w.VerifierKey(), "one", "two", 1)}}, {Keys: testKeys(t).VerifierKeys()},
	} {
		if policy.Validate() == nil {
			t.Errorf("%v passes", policy)
		}
	}
	for _, text := range []string{"", "PRIVATE+KEY+a+00000000+AAAA", w.VerifierKey()} {
		if _, err := receipt.ParseWitness(text, fixedTime); err == nil {
			t.Errorf("%q is a witness's key", text)
		}
	}
	if text := fmt.Sprintf("%v %+v %s", w, w, w); strings.Contains(text, "PRIVATE") || text != "witness one.example witness one.example witness one.example" {
		t.Errorf("printed: %s", text)
	}
}
