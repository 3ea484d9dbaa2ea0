package httpapi

import (
	"context"
	"net/http"

	"github.com/seed-ae386458/interlock/internal/surface/wire"
	"github.com/seed-ae386458/interlock/receipt"
)

// Auditor proves what is in the log, to holders of the right to audit, and
// keeps it: witnesses and retention are the operator's.
type Auditor interface {
	LogCheck(ctx context.Context, c receipt.Check) (receipt.Report, error)
	LogCheckpoint(ctx context.Context) (string, error)
	LogProve(ctx context.Context, entry string) (receipt.Proof, error)
	LogConsistency(ctx context.Context, older, newer int64) (receipt.Consistency, error)
	LogAttest(ctx context.Context, entry string) (receipt.Envelope, error)
	LogTile(ctx context.Context, path string) ([]byte, error)
	LogWitnessRequest(ctx context.Context, old int64) (string, error)
	LogWitnesses(ctx context.Context) ([]receipt.Witnessed, error)
	LogWitness(ctx context.Context, text string) (receipt.WitnessKept, error)
	LogPrune(ctx context.Context, before int64, principal, why string) (receipt.Pruned, error)
}

// auditRoutes are the operations that prove and keep the log.
func (s *server) auditRoutes() []route {
	reads := func(do func(http.ResponseWriter, *http.Request, Auditor) error) answerer {
		return s.reads(s.audits(do))
	}
	return []route{
		{"POST", "/v1/log/verify", reads(logCheck)},
		{"GET", "/v1/log/checkpoint", reads(logCheckpoint)},
		{"GET", "/v1/log/proof", reads(logProof)},
		{"GET", "/v1/log/consistency", reads(logConsistency)},
		{"GET", "/v1/log/attestation", reads(logAttestation)},
		{"GET", "/v1/log/tile/{path...}", reads(logTile)},
		{"GET", "/v1/log/witnesses", reads(logWitnesses)},
		{"GET", "/v1/log/witnesses/request", reads(logWitnessRequest)},
		{"POST", "/v1/log/witnesses", s.changes(s.audits(logWitness))},
		{"POST", "/v1/log/prune", s.changes(s.logPrune)},
	}
}

// audits hands a request to the auditor, where the door has one.
func (s *server) audits(do func(http.ResponseWriter, *http.Request, Auditor) error) answerer {
	return func(w http.ResponseWriter, r *http.Request, _ caller) error {
		if s.opts.Audit == nil {
			return errNotFound()
		}
		return do(w, r, s.opts.Audit)
	}
}

// against is what a log is held against.
type against struct {
	Held  []string `json:"held,omitempty"`  // signed checkpoints that were kept elsewhere
	Books bool     `json:"books,omitempty"` // read the bodies too
}

func logCheck(w http.ResponseWriter, r *http.Request, a Auditor) error {
	var with against
	if err := decodeBody(w, r, &with); err != nil {
		return err
	}
	report, err := a.LogCheck(r.Context(), receipt.Check{Held: with.Held, Books: with.Books})
	if err != nil {
		return err
	}
	return sendValue(w, report)
}

// decodeBody reads a JSON body whose members are all known.
func decodeBody(w http.ResponseWriter, r *http.Request, into any) error {
	raw, err := body(w, r, wire.MaxEnvelope)
	if err != nil {
		return err
	}
	return strict(raw, into)
}

func sendText(w http.ResponseWriter, text string, err error) error {
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err = w.Write([]byte(text))
	return err
}

func logCheckpoint(w http.ResponseWriter, r *http.Request, a Auditor) error {
	text, err := a.LogCheckpoint(r.Context())
	return sendText(w, text, err)
}

func logProof(w http.ResponseWriter, r *http.Request, a Auditor) error {
	proof, err := a.LogProve(r.Context(), r.URL.Query().Get("entry"))
	if err != nil {
		return err
	}
	return sendValue(w, proof)
}

func logConsistency(w http.ResponseWriter, r *http.Request, a Auditor) error {
	older, err := count(r, "old", 0, 1<<53)
	if err != nil {
		return err
	}
	newer, err := count(r, "new", 0, 1<<53)
	if err != nil {
		return err
	}
	c, err := a.LogConsistency(r.Context(), older, newer)
	if err != nil {
		return err
	}
	return sendValue(w, c)
}

func logAttestation(w http.ResponseWriter, r *http.Request, a Auditor) error {
	envelope, err := a.LogAttest(r.Context(), r.URL.Query().Get("entry"))
	if err != nil {
		return err
	}
	return sendValue(w, envelope)
}

func logTile(w http.ResponseWriter, r *http.Request, a Auditor) error {
	data, err := a.LogTile(r.Context(), "tile/"+r.PathValue("path"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	_, err = w.Write(data)
	return err
}

func logWitnesses(w http.ResponseWriter, r *http.Request, a Auditor) error {
	list, err := a.LogWitnesses(r.Context())
	if err != nil {
		return err
	}
	return sendList(w, list)
}

func logWitnessRequest(w http.ResponseWriter, r *http.Request, a Auditor) error {
	old, err := count(r, "old", 0, 1<<53)
	if err != nil {
		return err
	}
	text, err := a.LogWitnessRequest(r.Context(), old)
	return sendText(w, text, err)
}

// witnessed is a checkpoint with the signatures of witnesses below it.
type witnessed struct {
	Checkpoint string `json:"checkpoint"`
}

func logWitness(w http.ResponseWriter, r *http.Request, a Auditor) error {
	var given witnessed
	if err := decodeBody(w, r, &given); err != nil {
		return err
	}
	kept, err := a.LogWitness(r.Context(), given.Checkpoint)
	if err != nil {
		return err
	}
	return sendValue(w, kept)
}

// prune says what retention drops.
type prune struct {
	Before int64  `json:"before"`        // first entry that is kept
	Why    string `json:"why,omitempty"` // goes into the log
}

func (s *server) logPrune(w http.ResponseWriter, r *http.Request, c caller) error {
	return s.audits(func(w http.ResponseWriter, r *http.Request, a Auditor) error {
		var p prune
		if err := decodeBody(w, r, &p); err != nil {
			return err
		}
		pruned, err := a.LogPrune(r.Context(), p.Before, c.who.Name, p.Why)
		if err != nil {
			return err
		}
		return sendValue(w, pruned)
	})(w, r, c)
}
