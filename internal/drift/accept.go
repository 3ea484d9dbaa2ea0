package drift

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/seed-ae386458/interlock"
)

const stage = "drift"

func refused(code interlock.Code, reason interlock.Reason, public string) error {
	return &interlock.Error{Code: code, Reason: reason, Stage: stage, Public: public}
}

// Accept makes the record of somebody's leave for a divergence that stands. Of
// the acceptance it reads the principal, the approver and the expiry; the rest
// is the divergence's. What is CRITICAL needs an approver and an expiry.
func (l *Ledger) Accept(name, digest string, a Acceptance, now time.Time) (Record, error) {
	f, t, err := l.find(name, digest)
	if err != nil {
		return Record{}, err
	}
	if f.Body.Severity.rank() >= Critical.rank() && (a.Approver == "" || a.Expires == "") {
		return Record{}, refused(interlock.CodeInvalid, interlock.ReasonRequestInvalid, "The divergence is CRITICAL: it is accepted by a named approver and for a stated time alone.")
	}
	if a.Expires != "" {
		end, err := time.Parse(time.RFC3339, a.Expires)
		if err != nil {
			return Record{}, refused(interlock.CodeInvalid, interlock.ReasonRequestInvalid, fmt.Sprintf("The expiry %q is no RFC 3339 time.", clip(a.Expires, 40)))
		}
		if !now.Before(end) {
			return Record{}, refused(interlock.CodeInvalid, interlock.ReasonRequestInvalid, "The expiry has passed already.")
		}
		a.Expires = end.UTC().Format(time.RFC3339)
		if end.Nanosecond() > 0 {
			a.Expires = end.UTC().Format(time.RFC3339Nano)
		}
	}
	return l.record(f, t, a, now), nil
}

// Revoke makes the record that takes an acceptance back, and that refuses the
// divergence also where the defaults would let it pass.
func (l *Ledger) Revoke(name, digest, by string, now time.Time) (Record, error) {
	f, t, err := l.find(name, digest)
	if err != nil {
		return Record{}, err
	}
	return l.record(f, t, Acceptance{Approver: by, Revoked: true}, now), nil
}

func (l *Ledger) find(name, digest string) (*found, *tool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.look(name)
	if t == nil {
		return nil, nil, refused(interlock.CodeNotFound, interlock.ReasonNotFound, "There is no such tool.")
	}
	for _, f := range t.Found {
		if f.Digest == digest && !f.Mended {
			return f, t, nil
		}
	}
	return nil, nil, refused(interlock.CodeNotFound, interlock.ReasonNotFound, "The tool has no standing divergence with that digest; `interlock drift` lists those it has.")
}

func (l *Ledger) record(f *found, t *tool, a Acceptance, now time.Time) Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := &f.Body
	return Record{interlock.EntryAcceptance, Acceptance{Tool: b.Tool, Digest: f.Digest, Kind: b.Kind, Pointer: b.Pointer, Severity: b.Severity, Effect: b.Effect,
		Principal: a.Principal, Documented: t.Doc.Fingerprint, Observed: t.Print, Approver: a.Approver, Expires: a.Expires,
		At: now.UTC().Format(time.RFC3339Nano), Revoked: a.Revoked}}
}

// accepted takes the record of an acceptance or of its end. The last for one
// digest and principal counts.
func (l *Ledger) accepted(e interlock.LogEntry) error {
	var a Acceptance
	if err := json.Unmarshal(e.Body, &a); err != nil {
		return err
	}
	t := l.heed(a.Tool)
	if t == nil {
		return nil
	}
	l.touch(a.Tool)
	t.Accepts = slices.DeleteFunc(t.Accepts, func(had Acceptance) bool {
		return had.Digest == a.Digest && (had.Principal == a.Principal || a.Principal == "")
	})
	if len(t.Accepts) >= maxAccepts {
		t.Accepts = t.Accepts[1:]
	}
	t.Accepts = append(t.Accepts, a)
	return nil
}
