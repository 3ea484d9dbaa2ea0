package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// add answers POST /v1/sources.
func (s *server) add(w http.ResponseWriter, r *http.Request, c caller) error {
	raw, err := body(w, r, wire.MaxEnvelope)
	if err != nil {
		return err
	}
	var cfg interlock.SourceConfig
	if err := strict(raw, &cfg); err != nil {
		return err
	}
	report, err := s.keeper.Add(r.Context(), c.who, cfg)
	if err != nil {
		return err
	}
	if report.Findings == nil {
		report.Findings = []interlock.Finding{}
	}
	return sendValue(w, report)
}

// probe answers POST /v1/probe. It may take as long as the tools do.
func (s *server) probe(w http.ResponseWriter, r *http.Request, c caller) error {
	raw, err := body(w, r, wire.MaxEnvelope)
	if err != nil {
		return err
	}
	var req interlock.ProbeRequest
	if err := strict(raw, &req); err != nil {
		return err
	}
	report, err := s.keeper.Probe(r.Context(), c.who, req)
	if err != nil {
		return err
	}
	return sendValue(w, report)
}

// remove answers DELETE /v1/sources/{name}.
func (s *server) remove(w http.ResponseWriter, r *http.Request, c caller) error {
	if err := s.keeper.Remove(r.Context(), c.who, r.PathValue("name")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// reread answers POST /v1/sources/{name}/reread: what is stored of a source,
// and what it says now.
func (s *server) reread(w http.ResponseWriter, r *http.Request, _ caller) error {
	found, err := s.keeper.Reread(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	return sendValue(w, found)
}

// verdict is the body of a decision on an approval.
type verdict struct {
	Decision string `json:"decision"` // approve or refuse
}

// decide answers POST /v1/approvals/{id}. The operator decides on his own
// machine; who else may, the router asks policy.
func (s *server) decide(w http.ResponseWriter, r *http.Request, c caller) error {
	if !s.letsDecide(c) {
		return s.operates(s.decided)(w, r, c)
	}
	return s.decided(w, r, c)
}

// letsDecide reports whether a caller decides on approvals at this door, as far
// as that depends on the door: the operator does by what only he can have, his
// socket or a pass from it. Without tokens everyone on the machine is the
// operator, an agent that asks for the approval among them.
func (s *server) letsDecide(c caller) bool {
	return !c.who.Operator || c.passed || s.local || s.opts.Operate
}

func (s *server) decided(w http.ResponseWriter, r *http.Request, c caller) error {
	raw, err := body(w, r, wire.MaxEnvelope)
	if err != nil {
		return err
	}
	var v verdict
	if err := strict(raw, &v); err != nil {
		return err
	}
	if v.Decision != "approve" && v.Decision != "refuse" {
		return wire.Invalid("/decision", "Expected approve or refuse.")
	}
	a, err := s.keeper.Decide(r.Context(), r.PathValue("id"), c.who, v.Decision == "approve")
	if err != nil {
		if interlock.CodeOf(err) == interlock.CodeDenied {
			s.opts.Refused("right-approve", c.who.Name, remoteOf(r))
		}
		return err
	}
	return sendValue(w, a)
}

// strict decodes a body whose members are all known.
func strict(raw []byte, into any) error {
	err := wire.Strict(raw, into)
	var stray *wire.Stray
	switch {
	case err == nil:
		return nil
	case errors.As(err, &stray):
		return wire.Invalid("/"+stray.Name, "The body has an %v.", stray)
	}
	return wire.Invalid("", "The body does not read: %v.", err)
}

// The bounds of a page of the log.
const (
	defaultPage = 100
	maxPage     = 1000
)

// page is one page of the log.
type page struct {
	Entries []interlock.LogEntry `json:"entries"`
	Next    *int64               `json:"next"` // where the next page starts; null at the end
}

// logList answers GET /v1/log.
func (s *server) logList(w http.ResponseWriter, r *http.Request, _ caller) error {
	from, err := count(r, "from", 0, 1<<53)
	if err != nil {
		return err
	}
	limit, err := count(r, "limit", defaultPage, maxPage)
	if err != nil {
		return err
	}
	entries, err := s.keeper.LogList(r.Context(), from, int(limit))
	if err != nil {
		return err
	}
	p := page{Entries: entries}
	if entries == nil {
		p.Entries = []interlock.LogEntry{}
	}
	if n := len(entries); n > 0 && n == int(limit) {
		next := entries[n-1].Index + 1
		p.Next = &next
	}
	return sendValue(w, p)
}

// count reads a whole number of the query.
func count(r *http.Request, name string, absent, most int64) (int64, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return absent, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > most {
		return 0, wire.Invalid("/"+name, "Expected a whole number from 0 to %d.", most)
	}
	return n, nil
}

// logExport answers GET /v1/log/export: the whole log as one text. A failure
// after the first byte cuts the connection, so that a part is not taken for
// the whole.
func (s *server) logExport(w http.ResponseWriter, r *http.Request, _ caller) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	out := &writer{ResponseWriter: w}
	err := s.keeper.LogExport(r.Context(), out)
	if err != nil && out.wrote {
		s.opts.Logger.Error("log export broke off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// verified is the answer to a verified log.
type verified struct {
	Size     int64 `json:"size"`
	Verified bool  `json:"verified"`
}

// logVerify answers GET /v1/log/verify.
func (s *server) logVerify(w http.ResponseWriter, r *http.Request, _ caller) error {
	size, err := s.keeper.LogVerify(r.Context())
	if err != nil {
		return err
	}
	return sendValue(w, verified{size, true})
}

// policyVersions answers GET /v1/policy.
func (s *server) policyVersions(w http.ResponseWriter, r *http.Request, _ caller) error {
	list, err := s.keeper.PolicyVersions(r.Context())
	if err != nil {
		return err
	}
	return sendList(w, list)
}

// policyText is one file of a set, as it is sent.
type policyText struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// policySet answers GET /v1/policy/set/{digest}.
func (s *server) policySet(w http.ResponseWriter, r *http.Request, _ caller) error {
	files, err := s.keeper.PolicySet(r.Context(), r.PathValue("digest"))
	if err != nil {
		return err
	}
	list := make([]policyText, len(files))
	for i, f := range files {
		list[i] = policyText{f.Name, string(f.Text)}
	}
	return sendList(w, list)
}

// Question is what a holder of audit asks: what a principal may do with a tool,
// and what held at an entry of the log, where At is not negative.
type Question struct {
	Of   interlock.Principal
	Tool string
	At   int64
}

// why answers GET /v1/policy/why.
func (s *server) why(w http.ResponseWriter, r *http.Request, c caller) error {
	if s.opts.Why == nil {
		return errNotFound()
	}
	q := r.URL.Query()
	of, err := s.named(q.Get("principal"), q.Get("claims"))
	if err != nil {
		return err
	}
	at, err := count(r, "at", -1, 1<<53)
	if err != nil {
		return err
	}
	told, err := s.opts.Why(r.Context(), c.who, Question{Of: of, Tool: q.Get("tool"), At: at})
	if err != nil {
		return err
	}
	return sendValue(w, told)
}

// status answers GET /v1/status.
func (s *server) status(w http.ResponseWriter, r *http.Request, _ caller) error {
	facts, err := s.keeper.Status(r.Context())
	if err != nil {
		return err
	}
	return sendValue(w, facts)
}

// health answers GET /healthz to anyone: whether requests are served, and
// nothing that tells what is registered.
func (s *server) health(w http.ResponseWriter, r *http.Request, _ caller) error {
	ctx, stop := context.WithTimeout(r.Context(), healthTime)
	defer stop()
	if err := s.keeper.Healthy(ctx); err != nil {
		return &protocolError{http.StatusServiceUnavailable, &interlock.Error{
			Code: interlock.CodeUnavailable, Reason: interlock.ReasonUnavailable, Stage: stageSurface,
			Public: "Interlock does not serve requests now; the operator's log has the cause.", Err: err,
		}}
	}
	w.Header().Set("Cache-Control", "no-store")
	return send(w, []byte(`{"status":"ok"}`))
}
