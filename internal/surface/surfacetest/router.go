// Package surfacetest is a small router for the tests of the faces: five tools,
// offers bound to a principal, approvals used once, receipts in a log. It
// behaves as a router does and keeps everything in memory; it is for tests
// alone and promises nothing else.
package surfacetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

// The tools. Each echoes its arguments as {"echo": ARGS} but where its name
// says otherwise.
const (
	Echo   = "docs/echo"   // read
	Store  = "eff/store"   // write: asks for an approval
	Image  = "img/picture" // read: answers with content blocks
	Broken = "docs/broken" // read: its result breaks the schema
	Panics = "docs/panics" // the router panics
)

// Secret is in the cause of every error; no face may show it.
const Secret = "postgres://user:hunter2@db"

// tool is what the router holds of one.
type tool struct {
	interlock.ToolInfo
	tenant, description string
}

// Router is the fake. Its zero value is not usable; see New.
type Router struct {
	mu        sync.Mutex // guards the fields below
	tools     []tool
	offers    map[string]held
	approvals []interlock.Approval
	entries   []interlock.LogEntry
	calls     int
	last      json.RawMessage
	Down      error // what Status gives
	LogBroken error // what LogExport fails with after its first line
}

// held is what an offer was made for.
type held struct{ tool, principal string }

// New makes a router with its five tools.
func New() *Router {
	row := func(name, family string, effect interlock.Effect, tenant, text string) tool {
		return tool{interlock.ToolInfo{Tool: name, Family: family, Version: "1.2.0", Effect: effect, State: interlock.StateActive}, tenant, text}
	}
	return &Router{offers: map[string]held{}, tools: []tool{
		row(Broken, "doc.broken", interlock.EffectRead, "shared", "Break <every> promise & more"),
		row(Echo, "doc.echo", interlock.EffectRead, "shared", "Echo a document"),
		row(Panics, "doc.panics", interlock.EffectRead, "shared", "Panic at once"),
		row(Store, "record.store", interlock.EffectWrite, "a", "Store a record"),
		row(Image, "picture.draw", interlock.EffectRead, "shared", "Draw a picture"),
	}}
}

// Calls is how many calls were sent to a tool.
func (r *Router) Calls() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.calls
}

// LastArgs are the arguments of the last call that was sent.
func (r *Router) LastArgs() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.last)
}

// Resolve finds the visible tools whose description is within the need.
func (r *Router) Resolve(_ context.Context, who interlock.Principal, need interlock.Need) (interlock.Resolution, error) {
	if need.Text == "fail" {
		return interlock.Resolution{}, errors.New(Secret)
	}
	res := interlock.Resolution{
		Disposition: interlock.Unsupported, Candidates: []interlock.Candidate{}, Missing: []interlock.Missing{},
		Events: []interlock.Event{}, Scorer: "fake/1", Snapshot: interlock.View{View: "view-of-" + auth.NewMatcher(who).Class()[:8]},
	}
	for _, c := range need.Constraints {
		if c.Range == "oops" {
			return interlock.Resolution{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRangeInvalid, Stage: "eligible", Pointer: "/constraints/0/range", Public: "oops is no range."}
		}
		if strings.HasPrefix(c.Range, "^2") {
			res.Refusal = &interlock.NoCompatibleContract{Family: c.Family, Constraint: c.Range, Rule: interlock.ReasonNoCompatibleContract, Versions: []string{"1.2.0"}, StoppedBy: []interlock.Stopped{{Version: "1.2.0", By: "range"}}}
			return res, nil
		}
	}
	for _, t := range r.visible(who) {
		if strings.Contains(need.Text, t.description) || need.Text == t.Tool {
			res.Candidates = append(res.Candidates, r.candidate(who, t))
		}
	}
	if len(res.Candidates) == 0 {
		res.Refusal = &interlock.LowConfidenceMatch{Threshold: 0.62, BestScore: 0.1, Advice: []interlock.Contender{}}
		return res, nil
	}
	res.Disposition = interlock.Supported
	return res, nil
}

// visible lists the tools that a principal sees.
func (r *Router) visible(who interlock.Principal) []tool {
	m := auth.NewMatcher(who)
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []tool
	for _, t := range r.tools {
		if m.Sees(t.tenant, t.Tool) {
			out = append(out, t)
		}
	}
	return out
}

// schema is the input schema of every tool, spelled as no encoder would.
const schema = `{"type":"object","properties":{"n":{"maximum":9223372036854775807,"description":"<b>caf\u00e9<\/b>"}}}`

// candidate discloses a tool with a fresh offer.
func (r *Router) candidate(who interlock.Principal, t tool) interlock.Candidate {
	r.mu.Lock()
	defer r.mu.Unlock()
	offer := fmt.Sprintf("offer%027d", len(r.offers))
	r.offers[offer] = held{t.Tool, who.Name}
	return interlock.Candidate{
		Tool: t.Tool, Family: t.Family, Version: t.Version, Effect: t.Effect, State: t.State, Score: 0.91,
		Description: t.description, Offer: offer, InputSchema: json.RawMessage(schema),
	}
}

// Call checks an offer and its arguments, asks for approvals, and echoes.
func (r *Router) Call(_ context.Context, who interlock.Principal, req interlock.CallRequest) (interlock.CallResult, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := r.recheck(who, req)
	if err != nil {
		return interlock.CallResult{}, err
	}
	if err := r.approved(who, t, req); err != nil {
		return interlock.CallResult{}, err
	}
	r.calls++
	r.last = bytes.Clone(req.Args)
	switch t.Tool {
	case Broken:
		return interlock.CallResult{}, &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonResultInvalid, Stage: "validate", Outcome: interlock.OutcomeFailed, Public: "The answer breaks the output schema.", Err: errors.New(Secret)}
	case Panics:
		panic(Secret)
	}
	return r.result(t, req.Args), nil
}

// refuse makes a refusal of recheck.
func refuse(code interlock.Code, reason interlock.Reason, public string) *interlock.Error {
	return &interlock.Error{Code: code, Reason: reason, Stage: "recheck", Outcome: interlock.OutcomeNotSent, Public: public, Err: errors.New(Secret)}
}

// recheck finds the tool of a genuine offer and looks at the arguments.
func (r *Router) recheck(who interlock.Principal, req interlock.CallRequest) (tool, error) {
	name := req.Tool
	if req.Offer != "" {
		h, ok := r.offers[req.Offer]
		if !ok || h.principal != who.Name {
			return tool{}, refuse(interlock.CodeConflict, interlock.ReasonOfferInvalid, "The offer is not genuine, or not yours.")
		}
		name = h.tool
	}
	i := slices.IndexFunc(r.tools, func(t tool) bool { return t.Tool == name })
	if i < 0 {
		return tool{}, refuse(interlock.CodeNotFound, interlock.ReasonNotFound, "No tool of that name.")
	}
	t := r.tools[i]
	if req.Limit != "" && !t.Effect.Within(req.Limit) {
		return tool{}, refuse(interlock.CodeInvalid, interlock.ReasonEffectTooStrong, "The tool's effect is stronger than this call allows.")
	}
	if err := arguments(req.Args); err != nil {
		return tool{}, err
	}
	return t, nil
}

// arguments asks for an object without a repeated member whose "fields", where
// it has one, is a list.
func arguments(args json.RawMessage) error {
	bad := func(pointer string) error {
		e := refuse(interlock.CodeInvalid, interlock.ReasonArgumentsInvalid, "The arguments break the schema.")
		e.Pointer = pointer
		return e
	}
	dec := json.NewDecoder(bytes.NewReader(args))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return bad("")
	}
	seen := map[string]bool{}
	for dec.More() {
		name, err := dec.Token()
		var raw json.RawMessage
		if err != nil || dec.Decode(&raw) != nil || seen[name.(string)] {
			return bad("/" + fmt.Sprint(name))
		}
		seen[name.(string)] = true
		if name == "fields" && raw[0] != '[' {
			return bad("/fields")
		}
	}
	return nil
}

// approved lets a read through, and a write that is approved; an approval is
// used up.
func (r *Router) approved(who interlock.Principal, t tool, req interlock.CallRequest) error {
	if t.Effect == interlock.EffectRead || req.Approve {
		return nil
	}
	digest := who.Name + "|" + t.Tool + "|" + string(req.Args)
	for i, a := range r.approvals {
		if req.Approval != "" && a.ID == req.Approval && a.State == interlock.ApprovalGranted && a.Digest == digest {
			r.approvals[i].State = interlock.ApprovalUsed
			return nil
		}
	}
	if req.Approval != "" {
		return refuse(interlock.CodeApproval, interlock.ReasonApprovalInvalid, "The approval is not granted for this call.")
	}
	asked := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	a := interlock.Approval{ID: fmt.Sprintf("ap%d", len(r.approvals)), Digest: digest, Principal: who.Name, Tool: t.Tool, Effect: t.Effect, State: interlock.ApprovalAsked, Asked: asked, Expires: asked.Add(10 * time.Minute)}
	r.approvals = append(r.approvals, a)
	e := refuse(interlock.CodeApproval, interlock.ReasonApprovalRequired, "A write asks for an approval.")
	e.Approval = a.ID
	return e
}

// result echoes the arguments and leaves a receipt.
func (r *Router) result(t tool, args json.RawMessage) interlock.CallResult {
	id := fmt.Sprintf("r%d", len(r.entries))
	r.entries = append(r.entries, interlock.LogEntry{Index: int64(len(r.entries)), Type: interlock.EntryCall, Digest: "d", Body: json.RawMessage(`{"id":"` + id + `"}`)})
	res := interlock.CallResult{
		Result:     append(append(json.RawMessage(`{ "echo":`), args...), " }"...),
		Receipt:    interlock.Receipt{ID: id, Digest: "d", Salt: "s", Signature: "g", Key: "k"},
		Provenance: interlock.Provenance{Tool: t.Tool, Family: t.Family, Version: t.Version, Source: "fake", Contract: "c", Validated: "strict", Trust: "untrusted"},
	}
	if t.Tool == Image {
		res.Content = json.RawMessage(`[{"type":"text","text":"a <b>cat<\/b> & caf\u00e9"},{"type":"image","data":"aGk=","mimeType":"image/png","_meta":{"n":1.10}}]`)
		res.Provenance.Validated = "unstated"
	}
	return res
}

// Tools lists what a principal sees.
func (r *Router) Tools(_ context.Context, who interlock.Principal) ([]interlock.ToolInfo, error) {
	var out []interlock.ToolInfo
	for _, t := range r.visible(who) {
		out = append(out, t.ToolInfo)
	}
	return out, nil
}

// Show gives one tool.
func (r *Router) Show(_ context.Context, who interlock.Principal, name string) (interlock.ToolDetail, error) {
	for _, t := range r.visible(who) {
		if t.Tool == name {
			return interlock.ToolDetail{ToolInfo: t.ToolInfo, Description: t.description, Contract: "c", Pin: "p", InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage("null")}, nil
		}
	}
	return interlock.ToolDetail{}, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "surface", Public: "No tool of that name."}
}

// Family gives one family, whose one version every range but "^2…" admits.
func (r *Router) Family(_ context.Context, who interlock.Principal, c interlock.Constraint) (interlock.FamilyInfo, error) {
	if c.Range == "oops" {
		return interlock.FamilyInfo{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRangeInvalid, Stage: "eligible", Pointer: "/range", Public: "oops is no range."}
	}
	info := interlock.FamilyInfo{Family: c.Family, Range: c.Range, BuiltAgainst: c.BuiltAgainst, Versions: []interlock.FamilyVersion{}, Edges: []interlock.Edge{}, Proved: []interlock.ProvedEdge{}}
	for _, t := range r.visible(who) {
		if t.Family != c.Family {
			continue
		}
		row := interlock.FamilyVersion{Version: t.Version, Contract: "c", Tools: []interlock.FamilyTool{{Tool: t.Tool, Effect: t.Effect, State: t.State, Contract: "c", Pin: "p", Bound: true, Allowed: true}}}
		if strings.HasPrefix(c.Range, "^2") {
			row.Stopped = &interlock.Stopped{Version: t.Version, By: "range"}
		}
		info.Versions = append(info.Versions, row)
	}
	if len(info.Versions) == 0 {
		return interlock.FamilyInfo{}, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: interlock.StageFamily, Public: "No family of that name."}
	}
	return info, nil
}

// Sources counts the tools that a principal sees.
func (r *Router) Sources(_ context.Context, who interlock.Principal) ([]interlock.SourceInfo, error) {
	var out []interlock.SourceInfo
	for _, t := range r.visible(who) {
		name, _, _ := strings.Cut(t.Tool, "/")
		if n := len(out); n > 0 && out[n-1].Name == name {
			out[n-1].Tools++
			continue
		}
		out = append(out, interlock.SourceInfo{Name: name, Kind: interlock.KindManifest, Tools: 1})
	}
	return out, nil
}

// Add takes any source with a name.
func (r *Router) Add(_ context.Context, _ interlock.Principal, cfg interlock.SourceConfig) (interlock.AddReport, error) {
	if cfg.Name == "" {
		return interlock.AddReport{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest", Public: "The source has no name."}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tools = append(r.tools, tool{interlock.ToolInfo{Tool: cfg.Name + "/new", Family: cfg.Name + ".new", Version: "1.0.0", Effect: interlock.EffectUnknown, State: interlock.StateActive}, "shared", "Something new"})
	return interlock.AddReport{Source: cfg.Name, Kind: cfg.Kind, Operations: 2, Tools: 1, Unstated: 1, Findings: []interlock.Finding{{Pointer: "/1", Reason: "odd", Dropped: true}}}, nil
}

// Remove takes a source's tools out.
func (r *Router) Remove(_ context.Context, _ interlock.Principal, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.tools)
	r.tools = slices.DeleteFunc(r.tools, func(t tool) bool { return strings.HasPrefix(t.Tool, name+"/") })
	if len(r.tools) == n {
		return &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "surface", Public: "No source of that name."}
	}
	return nil
}

// Probe gives a row for every tool and sends nothing.
func (r *Router) Probe(_ context.Context, _ interlock.Principal, req interlock.ProbeRequest) (interlock.ProbeReport, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	report := interlock.ProbeReport{Seed: "seed", Tools: []interlock.ProbedTool{}}
	for _, t := range r.tools {
		if strings.HasPrefix(t.Tool, req.What) {
			report.Tools = append(report.Tools, interlock.ProbedTool{Tool: t.Tool, NotProbed: []interlock.NotProbed{{Probe: "levels", Reason: "it is a stand-in"}}})
		}
	}
	return report, nil
}

// Approver is the role of those who may decide on any approval.
const Approver = "approver"

func mayDecide(who interlock.Principal) bool {
	return who.Operator || slices.Contains(who.Roles, Approver)
}

// Approvals lists one's own, and all to those who may decide.
func (r *Router) Approvals(_ context.Context, who interlock.Principal) ([]interlock.Approval, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := slices.DeleteFunc(slices.Clone(r.approvals), func(a interlock.Approval) bool { return a.Principal != who.Name && !mayDecide(who) })
	for i, a := range list {
		list[i].Decidable, list[i].Args = mayDecide(who) && a.State == interlock.ApprovalAsked, a.Digest[strings.LastIndex(a.Digest, "|")+1:]
	}
	return list, nil
}

// Decide moves an asked approval.
func (r *Router) Decide(_ context.Context, id string, by interlock.Principal, grant bool) (interlock.Approval, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !mayDecide(by) {
		return interlock.Approval{}, &interlock.Error{Code: interlock.CodeDenied, Reason: interlock.ReasonOperatorOnly, Stage: "approve", Public: "You may not decide."}
	}
	for i, a := range r.approvals {
		if a.ID != id || a.State != interlock.ApprovalAsked {
			continue
		}
		a.State, a.By = interlock.ApprovalRefused, by.Name
		if grant {
			a.State = interlock.ApprovalGranted
		}
		r.approvals[i] = a
		return a, nil
	}
	return interlock.Approval{}, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "approve", Public: "No approval of that id waits."}
}

// LogList pages through the entries.
func (r *Router) LogList(_ context.Context, from int64, limit int) ([]interlock.LogEntry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lo := min(int(from), len(r.entries))
	return slices.Clone(r.entries[lo:min(lo+limit, len(r.entries))]), nil
}

// LogExport writes a line an entry.
func (r *Router) LogExport(_ context.Context, w io.Writer) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.entries {
		if _, err := fmt.Fprintf(w, "%d %s\n", e.Index, e.Body); err != nil {
			return err
		}
	}
	return r.LogBroken
}

// LogVerify gives the number of entries.
func (r *Router) LogVerify(context.Context) (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(len(r.entries)), r.LogBroken
}

// PolicyVersions gives one version.
func (r *Router) PolicyVersions(context.Context) ([]interlock.PolicyVersion, error) {
	return []interlock.PolicyVersion{{Number: 1, Digest: "d1", By: "start", At: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Policies: 1, Files: []string{"main.cedar"}}}, nil
}

// PolicySet gives the text of that version.
func (r *Router) PolicySet(_ context.Context, digest string) ([]interlock.PolicyFile, error) {
	if digest != "d1" {
		return nil, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "store", Public: "No policies of that digest."}
	}
	return []interlock.PolicyFile{{Name: "main.cedar", Text: []byte("permit (principal, action, resource);")}}, nil
}

// Healthy gives what the test set.
func (r *Router) Healthy(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.Down
}

// Status gives the number of tools.
func (r *Router) Status(context.Context) (map[string]any, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return map[string]any{"tools": len(r.tools)}, r.Down
}

// Review lists what waits: of this router's tools, the broken one.
func (r *Router) Review(context.Context) ([]interlock.ReviewItem, error) {
	op := interlock.Operation{Name: "broken"}
	return []interlock.ReviewItem{{Tool: Broken, Family: "docs.broken", Version: "1.0.0", State: interlock.StateChanged,
		Kind: interlock.ReviewContract, Fingerprint: "f1", Accepted: &op, Waiting: &op}}, nil
}

// Reread gives a source as it is stored and as it is now.
func (r *Router) Reread(context.Context, string) (interlock.Reread, error) {
	return interlock.Reread{Stored: []interlock.Operation{}, Now: []interlock.Operation{}}, nil
}

// DecideReview takes the fingerprint that Review gives.
func (r *Router) DecideReview(ctx context.Context, _ interlock.Principal, tool, fingerprint string, _ bool) (interlock.ReviewItem, error) {
	items, err := r.Review(ctx)
	if err != nil {
		return interlock.ReviewItem{}, err
	}
	if tool != items[0].Tool || fingerprint != items[0].Fingerprint {
		return interlock.ReviewItem{}, &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonConflict, Stage: "registry", Public: "No definition with that fingerprint waits."}
	}
	return items[0], nil
}
