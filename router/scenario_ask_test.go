package router_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/router"
)

// resolve "NEED" ["context=TEXT"]… [want=ID:UNIT,…] [have=NAME,…] [effects=E,…] [k=N] [calls=N]
// [bytes=N] [tokens=N] [FAMILY=RANGE[@BASE]]… [+score] [+tool] [+why]
// [+explain] [+questions]
func resolve(w *world, args []string) error {
	shown := map[string]bool{}
	var words []string
	for _, word := range args {
		if option, ok := strings.CutPrefix(word, "+"); ok {
			shown[option] = true
			continue
		}
		words = append(words, word)
	}
	need, err := needOf(words)
	if err != nil {
		return err
	}
	if err := w.reg.Settle(context.Background()); err != nil {
		return err
	}
	need.Explain = shown["explain"]
	res, err := w.reg.Resolve(context.Background(), w.who, need)
	if err != nil {
		return err
	}
	w.printResolution(res, shown)
	if res.Explanation != nil {
		w.printExplanation(*res.Explanation)
	}
	return nil
}

func needOf(words []string) (interlock.Need, error) {
	var need interlock.Need
	rest, err := options(words, func(name, value string) (bool, error) {
		n, numeric := strconv.Atoi(value)
		switch name {
		case "want":
			need.Want = wants(value)
		case "context":
			need.Context = append(need.Context, value)
		case "have":
			need.Have = list(value)
		case "effects":
			for _, e := range list(value) {
				need.Effects = append(need.Effects, interlock.Effect(e))
			}
		case "tokenizer":
			need.Budget.Tokenizer = value
		case "k", "calls", "bytes", "tokens":
			*bounds(&need)[name] = n
			return true, numeric
		default:
			need.Constraints = append(need.Constraints, constraint(name, value))
		}
		return true, nil
	})
	need.Text = strings.Join(rest, " ")
	return need, err
}

func bounds(need *interlock.Need) map[string]*int {
	return map[string]*int{"k": &need.K, "calls": &need.Budget.Calls, "bytes": &need.Budget.SchemaBytes, "tokens": &need.Budget.Tokens}
}

// constraint reads RANGE[@BASE]; an underscore stands for a space.
func constraint(family, text string) interlock.Constraint {
	rng, base, _ := strings.Cut(text, "@")
	return interlock.Constraint{Family: family, Range: strings.ReplaceAll(rng, "_", " "), BuiltAgainst: base}
}

func wants(text string) []interlock.Want {
	var out []interlock.Want
	for _, w := range list(text) {
		id, unit, _ := strings.Cut(w, ":")
		out = append(out, interlock.Want{SemanticID: id, Unit: unit})
	}
	return out
}

// printResolution prints an answer: disposition, candidates, then what is
// missing, refused, noted and left out.
func (w *world) printResolution(res interlock.Resolution, shown map[string]bool) {
	kind := string(res.Disposition)
	if res.Disposition == interlock.Unsupported {
		kind += " " + string(reasonOf(res.Refusal))
	}
	if len(res.Candidates) == 0 {
		w.printf("%s", kind)
	}
	for i, c := range res.Candidates {
		if i > 0 {
			kind = "also"
		}
		w.printf("%s %s", kind, w.candidate(c, shown))
	}
	for _, m := range res.Missing {
		found := ""
		if m.FoundBy != "" {
			found = "found by " + m.FoundBy
		}
		w.printf("missing %s", join(m.Pointer, m.Type, m.Unit, m.Family, m.Intent, m.Budget, found))
		if shown["questions"] {
			w.printf("  %s", m.Question)
		}
	}
	for _, in := range res.Intents {
		w.printf("intent %q by %s", in.Text, cmp.Or(in.Tool, "nothing"))
	}
	w.printRefusal(res.Refusal, shown)
	for _, e := range res.Events {
		if e.Tool != "" {
			w.printf("event %s %s %s", e.Type, e.Tool, strings.Join(e.Kinds, " "))
			continue
		}
		w.printf("event %s %s %s < %s", e.Type, e.Family, contender(e.Compatible, shown), contender(e.Incompatible, shown))
	}
	if l := res.LeftOut; l != nil {
		w.printf("left out k=%d bytes=%d tokens=%d", l.K, l.SchemaBytes, l.Tokens)
	}
}

func (w *world) candidate(c interlock.Candidate, shown map[string]bool) string {
	text := c.Family + "@" + c.Version
	if shown["tool"] {
		text += " tool=" + c.Tool
	}
	if c.State != interlock.StateActive {
		text += " " + string(c.State)
	}
	if shown["score"] {
		text += fmt.Sprintf(" score=%.4f", float64(c.Score))
	}
	if shown["gives"] {
		for _, g := range c.Gives {
			text += fmt.Sprintf(" %s at %s in %s", g.SemanticID, g.Pointer, cmp.Or(g.Unit, "no unit"))
		}
	}
	if shown["why"] {
		text += " " + fmt.Sprint(c.Reasons)
	}
	if c.Offer != "" {
		text += " offer=" + w.offers.of(c.Offer)
	}
	return text
}

func contender(c interlock.Contender, shown map[string]bool) string {
	if shown["score"] {
		return fmt.Sprintf("%s (%.4f)", c.Version, float64(c.Score))
	}
	return c.Version
}

func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// reasonOf is the reason that a typed refusal stands for.
func reasonOf(r interlock.Refusal) interlock.Reason {
	switch r := r.(type) {
	case *interlock.NoCompatibleContract:
		return r.Rule
	case *interlock.LowConfidenceMatch:
		return interlock.ReasonLowConfidence
	case *interlock.NoMatch:
		return interlock.ReasonNoMatch
	case *interlock.ForbiddenNeed:
		return interlock.ReasonForbidden
	case *interlock.AmbiguousNeed:
		return interlock.ReasonAmbiguous
	case *interlock.MissingInput:
		return interlock.ReasonNeedsInput
	case *interlock.OverBudget:
		return interlock.ReasonBudget
	}
	return interlock.ReasonSupported
}

// printRefusal prints the members of a typed refusal.
func (w *world) printRefusal(r interlock.Refusal, shown map[string]bool) {
	switch r := r.(type) {
	case *interlock.NoCompatibleContract:
		w.printf("%s %s of [%s]", r.Family, r.Constraint, strings.Join(r.Versions, " "))
		for _, s := range r.StoppedBy {
			w.printf("  %s stopped by %s", s.Version, join(s.By, s.Compat, s.From, string(s.State)))
		}
	case *interlock.LowConfidenceMatch:
		w.printf("threshold %.2f, best under it: %t", float64(r.Threshold), r.BestScore < r.Threshold)
		for _, a := range r.Advice {
			w.printf("  advice %s %s", a.Tool, contender(a, shown))
		}
	case *interlock.NoMatch:
		w.printf("does not fit in %s", strings.Join(r.Reasons, ", "))
	case *interlock.ForbiddenNeed:
		w.printf("denied %s", strings.Join(r.Tools, ", "))
	case *interlock.AmbiguousNeed:
		w.printf("would decide: %s", strings.Join(r.Decides, " "))
	case *interlock.OverBudget:
		w.printf("over %s: limit %d, needs %d", r.Budget, r.Limit, r.Needs)
	}
}

// call OFFER|TOOL [approval=A] [approve=operator] [limit=EFFECT] [leave=sent]
// ARGS, where ARGS is JSON, or name=text and name:=JSON, and the caller goes
// away once the request was sent.
func call(w *world, args []string) error {
	ctx, args, end := w.leaving(args)
	defer end()
	req, err := w.request(args)
	if err != nil {
		return err
	}
	before := w.upstream.count()
	res, err := w.reg.Call(ctx, w.who, req)
	if err != nil {
		w.printError(err)
		w.printf("upstream calls: %d", w.upstream.count()-before)
		return nil
	}
	w.printResult(res)
	return nil
}

// exhaust …: the same call again and again, until it goes wrong.
func exhaust(w *world, args []string) error {
	req, err := w.request(args)
	for i := 0; err == nil && i < 10_000; i++ {
		_, err = w.reg.Call(context.Background(), w.who, req)
	}
	return err
}

// leaving takes leave=sent out of the words of a call: the caller goes away as
// soon as the request has arrived.
func (w *world) leaving(args []string) (context.Context, []string, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	i := slices.Index(args, "leave=sent")
	if i < 0 {
		return ctx, args, cancel
	}
	go func() {
		<-w.upstream.arrived
		cancel()
	}()
	return ctx, slices.Delete(slices.Clone(args), i, i+1), cancel
}

// begin …: a call that is under way when the next command runs.
func begin(w *world, args []string) error {
	req, err := w.request(args)
	if err != nil {
		return err
	}
	w.upstream.arm()
	reg, who := w.reg, w.who
	w.pending = make(chan string, 1)
	go func() {
		_, err := reg.Call(context.Background(), who, req)
		w.pending <- cmp.Or(string(interlock.ReasonOf(err)), "ok")
	}()
	select {
	case <-w.upstream.arrived:
	case reason := <-w.pending:
		w.pending <- reason // it never got there, as its end will say
	}
	return nil
}

// end: the held requests are let go, and the call that was begun ends.
func end(w *world, _ []string) error {
	w.upstream.release()
	w.printf("ended %s", <-w.pending)
	w.pending = nil
	return nil
}

func (w *world) request(args []string) (interlock.CallRequest, error) {
	var req interlock.CallRequest
	if name := args[0]; strings.Contains(name, "/") {
		req.Tool = name
	} else {
		req.Offer = w.offers.get(name)
	}
	rest, err := options(args[1:], func(name, value string) (bool, error) {
		switch name {
		case "approval":
			req.Approval = w.approvals.get(value)
		case "approve":
			req.Approve = true
		case "insensitive":
			req.Insensitive = value == "true"
		case "limit":
			req.Limit = interlock.Effect(value)
		default:
			return false, nil
		}
		return true, nil
	})
	req.Args = w.arguments(rest)
	return req, err
}

// arguments makes JSON of name=text and name:=JSON; $NAME is a file's text.
func (w *world) arguments(words []string) json.RawMessage {
	if len(words) == 1 && strings.ContainsAny(words[0][:1], "{[$") {
		if file, ok := strings.CutPrefix(words[0], "$"); ok {
			return json.RawMessage(strings.TrimSpace(w.files[file]))
		}
		return json.RawMessage(words[0])
	}
	var members []string
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		if raw, ok := strings.CutSuffix(name, ":"); ok {
			name = raw
		} else {
			value = strconv.Quote(value)
		}
		members = append(members, strconv.Quote(name)+":"+value)
	}
	return json.RawMessage("{" + strings.Join(members, ",") + "}")
}

func (w *world) printResult(res interlock.CallResult) {
	w.printf("result %s", res.Result)
	p := res.Provenance
	if p.Validated != "strict" {
		w.printf("validated %s", p.Validated)
	}
	for _, text := range p.Warnings {
		w.printf("warning %s", text)
	}
	for _, r := range p.Removed {
		w.printf("removed %s", join(r.In, r.Pointer, r.Characters))
	}
	if p.RemovedPlaces > 0 {
		w.printf("removed at %d places", p.RemovedPlaces)
	}
	if len(p.Projected) > 0 {
		w.printf("projected away %s", strings.Join(p.Projected, " "))
	}
}

// printError prints a refusal or failure: whether anything was sent is the
// first word.
func (w *world) printError(err error) {
	var e *interlock.Error
	if !errors.As(err, &e) {
		w.printf("error %v", err)
		return
	}
	word := "refused"
	if e.Outcome != "" && e.Outcome != interlock.OutcomeNotSent {
		word = "failed"
	}
	line := fmt.Sprintf("%s %s", word, e.Reason)
	if word == "failed" || e.Stage != "recheck" {
		line += " stage=" + e.Stage
	}
	if e.Pointer != "" {
		line += " pointer=" + e.Pointer
	}
	if e.Approval != "" {
		line += " approval=" + w.approvals.of(e.Approval)
	}
	w.printf("%s", line)
}

// printReport prints what was not simply taken.
func (w *world) printReport(r interlock.AddReport) {
	for _, f := range r.Findings {
		what := "noted"
		if f.Dropped {
			what = "dropped"
		}
		w.printf("%s %s: %s", what, f.Pointer, f.Reason)
	}
	if r.Waiting > 0 {
		w.printf("%d waiting for review", r.Waiting)
	}
}

// printEntry prints an entry of the log by what an operator looks for.
func (w *world) printEntry(e interlock.LogEntry) {
	var body struct {
		Tool, Reason, Outcome, Disposition, State, Action, Source string
		Rows                                                      int `json:"rows_withheld"`
	}
	if err := json.Unmarshal(e.Body, &body); err != nil {
		w.t.Fatal(err)
	}
	rows := ""
	if body.Rows > 0 {
		rows = fmt.Sprintf("rows_withheld=%d", body.Rows)
	}
	w.printf("%s", join(e.Type, body.Tool, body.Action, body.Source, body.Outcome, body.Reason, body.Disposition, body.State, rows))
}

// everything is all that a principal receives: one answer and every list.
func everything(r *router.Router, who interlock.Principal, need interlock.Need) ([]byte, error) {
	a, err := answered(r, who, need)
	if err != nil {
		return nil, err
	}
	b, err := listed(r, who)
	return slices.Concat(a, []byte("\n"), b), err
}

// answered is the answer to a need, offers by their length.
func answered(r *router.Router, who interlock.Principal, need interlock.Need) ([]byte, error) {
	if err := r.Settle(context.Background()); err != nil {
		return nil, err
	}
	res, err := r.Resolve(context.Background(), who, need)
	if err != nil {
		return nil, err
	}
	for i, c := range res.Candidates {
		res.Candidates[i].Offer = fmt.Sprintf("%d characters", len(c.Offer))
	}
	return interlock.Marshal(res)
}

// listed is what a principal reads without a need: tools, details, families,
// sources, and the name of his view.
func listed(r *router.Router, who interlock.Principal) ([]byte, error) {
	ctx := context.Background()
	list, err := r.Tools(ctx, who)
	if err != nil {
		return nil, err
	}
	details := []any{}
	for _, t := range list {
		d, err := r.Show(ctx, who, t.Tool)
		info, infoErr := r.Family(ctx, who, interlock.Constraint{Family: t.Family})
		judged, judgeErr := r.Family(ctx, who, interlock.Constraint{Family: t.Family, Range: "^1 || ^2", BuiltAgainst: t.Version})
		details = append(details, d, info, judged, fmt.Sprint(err, infoErr, judgeErr))
	}
	from, err := r.Sources(ctx, who)
	if err != nil {
		return nil, err
	}
	return interlock.Marshal([]any{list, details, from, r.ViewFingerprint(who)})
}
