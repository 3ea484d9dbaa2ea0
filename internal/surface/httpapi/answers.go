package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// resolve answers POST /v1/resolve. A refused need is an answer like any other.
func (s *server) resolve(w http.ResponseWriter, r *http.Request, c caller) error {
	raw, err := body(w, r, interlock.MaxNeedBytes)
	if err != nil {
		return err
	}
	need, err := wire.ReadNeed(raw)
	if err != nil {
		return err
	}
	res, err := s.router.Resolve(r.Context(), c.who, need)
	if err != nil {
		return err
	}
	return sendValue(w, res)
}

// call answers POST /v1/call. A tool's name in the place of an offer is for
// the operator, on whose machine discovery can be skipped.
func (s *server) call(w http.ResponseWriter, r *http.Request, c caller) error {
	raw, err := body(w, r, wire.MaxCall)
	if err != nil {
		return err
	}
	req, err := wire.ReadCall(raw)
	if err != nil {
		return err
	}
	if req.Tool != "" && !s.local && !c.who.Operator {
		return wire.Invalid("/tool", "A call repeats an offer; resolve a need to get one.")
	}
	if req.Limit, err = limit(r.Header); err != nil {
		return err
	}
	req.Approve = c.approve
	res, err := s.router.Call(r.Context(), c.who, req)
	if err != nil {
		return err
	}
	out, err := wire.EncodeResult(res, c.content)
	if err != nil {
		return err
	}
	return send(w, out)
}

// limit reads the strongest effect that a call may have; none allows any.
func limit(h http.Header) (interlock.Effect, error) {
	text := h.Get(HeaderLimit)
	if text == "" {
		return "", nil
	}
	e, err := interlock.ParseEffect(text)
	if err != nil {
		return "", wire.Invalid("", "The header %s is none of read, write, destructive.", HeaderLimit)
	}
	return e, nil
}

// tools answers GET /v1/tools, with an entity tag over what the principal
// sees.
func (s *server) tools(w http.ResponseWriter, r *http.Request, c caller) error {
	list, err := s.router.Tools(r.Context(), c.who)
	if err != nil {
		return err
	}
	if list == nil {
		list = []interlock.ToolInfo{}
	}
	raw, err := wire.Encode(list)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(raw)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	w.Header().Set("Etag", tag)
	w.Header().Set("Cache-Control", "private, no-cache")
	if held(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return send(w, raw)
}

// held reports whether the caller holds the tagged answer already.
func held(values []string, tag string) bool {
	for _, one := range strings.Split(strings.Join(values, ","), ",") {
		one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
		if one == tag || one == "*" {
			return true
		}
	}
	return false
}

// show answers GET /v1/tools/{name...}.
func (s *server) show(w http.ResponseWriter, r *http.Request, c caller) error {
	tool, err := s.router.Show(r.Context(), c.who, r.PathValue("name"))
	if err != nil {
		return err
	}
	return sendValue(w, tool)
}

// family answers GET /v1/families/{name...}; the constraint is in the query.
func (s *server) family(w http.ResponseWriter, r *http.Request, c caller) error {
	query := r.URL.Query()
	info, err := s.router.Family(r.Context(), c.who, interlock.Constraint{Family: r.PathValue("name"), Range: query.Get("range"), BuiltAgainst: query.Get("built_against")})
	if err != nil {
		return err
	}
	return sendValue(w, info)
}

// sources answers GET /v1/sources.
func (s *server) sources(w http.ResponseWriter, r *http.Request, c caller) error {
	list, err := s.router.Sources(r.Context(), c.who)
	if err != nil {
		return err
	}
	return sendList(w, list)
}

// approvals answers GET /v1/approvals: all of them for the operator, and for
// everyone else his own and those that he may decide on.
func (s *server) approvals(w http.ResponseWriter, r *http.Request, c caller) error {
	list, err := s.approvalsOf(r, c)
	if err != nil {
		return err
	}
	return sendList(w, list)
}

// approvalsOf lists the approvals that a caller is told of, and which of them
// he may decide on at this door.
func (s *server) approvalsOf(r *http.Request, c caller) ([]interlock.Approval, error) {
	list, err := s.keeper.Approvals(r.Context(), c.who)
	if s.letsDecide(c) {
		return list, err
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Decidable = false
	}
	return list, err
}

// approval answers GET /v1/approvals/{id}.
func (s *server) approval(w http.ResponseWriter, r *http.Request, c caller) error {
	list, err := s.approvalsOf(r, c)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(a interlock.Approval) bool { return a.ID == r.PathValue("id") })
	if i < 0 {
		return &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: stageSurface,
			Public: "No approval of that id that you may see."}
	}
	return sendValue(w, list[i])
}
