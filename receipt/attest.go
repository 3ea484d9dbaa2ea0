package receipt

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// The names of the formats that an attestation is made of.
const (
	StatementType = "https://in-toto.io/Statement/v1"
	PredicateType = "https://github.com/seed-ae386458/interlock/receipt/v1"
	PayloadType   = "application/vnd.in-toto+json"
)

// Statement is an in-toto Statement v1 about one entry of the log. Its subject
// is the body of the entry; the predicate is the proof that it is in the log.
type Statement struct {
	Type          string    `json:"_type"`
	Subject       []Subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     Proof     `json:"predicate"`
}

// Subject names what a statement is about.
type Subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// Envelope is a DSSE envelope, version 1.
type Envelope struct {
	Payload     []byte      `json:"payload"` // base64 in JSON
	PayloadType string      `json:"payloadType"`
	Signatures  []Signature `json:"signatures"`
}

// Signature is one signature of an envelope.
type Signature struct {
	KeyID string `json:"keyid"` // as receipts name keys
	Sig   []byte `json:"sig"`
}

// preAuth is what a signature of an envelope stands under. Its first word keeps
// it apart from checkpoints and receipts, which the same key signs.
func preAuth(typ string, payload []byte) []byte {
	return append(fmt.Appendf(nil, "DSSEv1 %d %s %d ", len(typ), typ, len(payload)), payload...)
}

// Attest states of one entry that it is in the log, signed by the newest key.
func (l *Log) Attest(ctx context.Context, index int64) (Envelope, error) {
	proof, err := l.Prove(ctx, index)
	if err != nil {
		return Envelope{}, err
	}
	if proof.Dropped {
		return Envelope{}, notFound(fmt.Sprintf("Retention has dropped entry %d; what is left of it is its place in the tree.", index))
	}
	payload, err := json.Marshal(Statement{
		Type: StatementType, PredicateType: PredicateType, Predicate: proof,
		Subject: []Subject{{Name: fmt.Sprintf("%s/%d", l.keys.origin, index), Digest: map[string]string{"sha256": proof.Entry.Digest}}},
	})
	if err != nil {
		return Envelope{}, fmt.Errorf("attest entry %d: %w", index, err)
	}
	key := l.keys.signers[0]
	sig, err := key.Sign(preAuth(PayloadType, payload))
	if err != nil {
		return Envelope{}, fmt.Errorf("attest entry %d: %w", index, err)
	}
	return Envelope{Payload: payload, PayloadType: PayloadType, Signatures: []Signature{{KeyID: key.id(), Sig: sig}}}, nil
}

// VerifyEnvelope checks an attestation offline: the signature, by one of the
// trusted verifier keys, the form of the statement, and the proof in it.
func VerifyEnvelope(envelope Envelope, trusted []string) (Statement, error) {
	var s Statement
	verifiers, err := parseVerifiers(trusted)
	if err != nil {
		return s, unproved(err.Error())
	}
	if envelope.PayloadType != PayloadType || !envelope.signedBy(verifiers) {
		return s, unproved("the envelope is not signed by a trusted key")
	}
	if json.Unmarshal(envelope.Payload, &s) != nil || s.Type != StatementType || s.PredicateType != PredicateType {
		return s, unproved("the envelope holds no statement of this kind")
	}
	if err := VerifyProof(s.Predicate, trusted); err != nil {
		return s, err
	}
	if len(s.Subject) != 1 || s.Subject[0].Digest["sha256"] != s.Predicate.Entry.Digest || !strings.HasSuffix(s.Subject[0].Name, fmt.Sprintf("/%d", s.Predicate.Entry.Index)) {
		return s, unproved("the statement's subject is not the entry that is proved")
	}
	return s, nil
}

func (e Envelope) signedBy(verifiers []note.Verifier) bool {
	text := preAuth(e.PayloadType, e.Payload)
	for _, sig := range e.Signatures {
		for _, v := range verifiers {
			if sig.KeyID == keyID(v) && v.Verify(text, sig.Sig) {
				return true
			}
		}
	}
	return false
}
