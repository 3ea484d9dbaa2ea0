package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// with opens a session, does the work and closes it. A store that is opened for
// one command is one in which every tool that can have a vector has it.
func (a *app) with(ctx context.Context, work func(s *session, who interlock.Principal) error) (err error) {
	s, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.close(); err == nil {
			err = closed
		}
	}()
	who, err := s.who(a.Principal, a.Claims)
	if err != nil {
		return err
	}
	if s.local == nil {
		return work(s, who)
	}
	if err := s.local.Settle(ctx); err != nil {
		return err
	}
	if err := work(s, who); err != nil {
		return err
	}
	return s.local.Settle(ctx)
}

// print writes a value as one line of JSON.
func (a *app) print(v any) error {
	text, err := wire.Encode(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s\n", text)
	return err
}

// hint tells a person at the error stream what an empty answer means.
func (a *app) hint(when bool, text string) {
	if when {
		tell(a.err, "%s\n", a.style(a.err).dim(text))
	}
}

// note tells a person below an answer how it is to be read.
func (a *app) note(when bool, text string) {
	if when {
		tell(a.out, "%s\n", a.style(a.out).dim(text))
	}
}

// Run lists the sources.
func (sourcesCmd) Run(ctx context.Context, a *app) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		list, err := s.Sources(ctx, who)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.print(list)
		}
		rows := make([][]string, 0, len(list))
		for _, src := range list {
			state := cmp.Or(src.State, "ready")
			if src.Why != "" {
				state += ": " + src.Why
			}
			rows = append(rows, []string{src.Name, src.Kind, fmt.Sprint(src.Tools), state})
		}
		a.hint(len(rows) == 0, "no source is registered; `interlock add --help` says how")
		return table(a.out, []string{"SOURCE", "KIND", "TOOLS", "STATE"}, rows)
	})
}

// Run lists the tools.
func (c toolsCmd) Run(ctx context.Context, a *app) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		all, err := s.Tools(ctx, who)
		if err != nil {
			return err
		}
		list := []interlock.ToolInfo{}
		for _, t := range all {
			if strings.Contains(t.Tool, c.Match) {
				list = append(list, t)
			}
		}
		if a.JSON {
			return a.print(list)
		}
		rows := make([][]string, 0, len(list))
		for _, t := range list {
			rows = append(rows, []string{t.Tool, t.Family, t.Version, string(t.Effect), string(t.State)})
		}
		a.hint(len(all) == 0, "no tool is there; `interlock sources` lists where tools come from")
		a.hint(len(all) > 0 && len(list) == 0, fmt.Sprintf("none of %s has %q in its name", count(len(all), "tool"), c.Match))
		return table(a.out, []string{"TOOL", "FAMILY", "VERSION", "EFFECT", "STATE"}, rows)
	})
}

// Run shows one tool.
func (c showCmd) Run(ctx context.Context, a *app) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		t, err := s.Show(ctx, who, c.Name)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.print(t)
		}
		st := a.style(a.out)
		tell(a.out, "%s  %s %s  %s  %s\n", st.bold(t.Tool), t.Family, t.Version, t.Effect, t.State)
		a.tellUnstated(t.Effect)
		for _, line := range []string{t.Why, t.Description} {
			if line != "" {
				tell(a.out, "  %s\n", line)
			}
		}
		for _, f := range t.Fields {
			tell(a.out, "  %s  %s %s\n", f.At, f.SemanticID, f.Unit)
		}
		tell(a.out, "contract %s\ninput %s\n", st.dim(t.Contract), indent(t.InputSchema))
		if len(t.OutputSchema) > 0 && string(t.OutputSchema) != "null" {
			tell(a.out, "output %s\n", indent(t.OutputSchema))
		}
		return nil
	})
}

// Run resolves a need.
func (c resolveCmd) Run(ctx context.Context, a *app) error {
	if c.Need == "-" {
		text, err := io.ReadAll(io.LimitReader(a.in, interlock.MaxNeedBytes+1)) // more is refused as what it is
		if err != nil {
			return usagef("the need on standard input: %v", err)
		}
		if !utf8.Valid(text) && len(text) <= interlock.MaxNeedBytes {
			return usagef("the need on standard input is not UTF-8")
		}
		c.Need = strings.TrimRight(string(text), "\r\n")
	}
	need, err := c.need()
	if err != nil {
		return err
	}
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		res, err := s.Resolve(ctx, who, need)
		if err != nil {
			return err
		}
		if a.JSON {
			err = a.print(res)
		} else {
			err = a.tell(res)
			a.tellUnmet(need, res.Refusal)
		}
		if code := wire.ExitNeed(res); err == nil && code != wire.ExitDone {
			err = &exitError{code}
		}
		return err
	})
}

// evenOdds is the confidence under which an answer is more likely wrong.
const evenOdds interlock.Probability = 0.5

// tell prints a resolution for people.
func (a *app) tell(res interlock.Resolution) error {
	st := a.style(a.out)
	paint := st.yellow
	switch res.Disposition {
	case interlock.Supported:
		paint = st.green
	case interlock.Unsupported, interlock.Forbidden, interlock.BudgetUnsatisfied:
		paint = st.red
	}
	tell(a.out, "%s  %s\n", paint(string(res.Disposition)), st.dim(fmt.Sprintf("confidence %.2f", float64(res.Confidence))))
	if res.Refusal != nil {
		tell(a.out, "  %s: %s\n", st.bold(res.Refusal.Type()), res.Refusal.Error())
	}
	a.tellRefusal(res)
	a.note(res.Disposition.Offers() && res.Confidence < evenOdds, "more likely than not nothing here serves this: read the tool before you call it")
	for _, m := range res.Missing {
		switch {
		case m.Intent != "":
			tell(a.out, "  nothing covers: %s\n", m.Intent)
		case m.Question != "":
			tell(a.out, "  missing %s: %s\n", m.Pointer, m.Question)
			if m.FoundBy != "" {
				tell(a.out, "    %s finds it\n", m.FoundBy)
			}
		default:
			tell(a.out, "  does not fit %s: %s\n", m.Budget, m.Tool)
		}
	}
	for _, in := range res.Intents {
		if in.Tool != "" {
			tell(a.out, "  %s covers: %s\n", in.Tool, in.Text)
		}
	}
	if len(res.Candidates) > 0 {
		tell(a.out, "\n")
		rows := make([][]string, 0, len(res.Candidates))
		for _, c := range res.Candidates {
			rows = append(rows, []string{fmt.Sprintf("%.4f", float64(c.Score)), c.Tool, c.Version, string(c.Effect), c.Offer})
		}
		if err := table(a.out, []string{"SCORE", "TOOL", "VERSION", "EFFECT", "OFFER"}, rows); err != nil {
			return err
		}
		byScore := slices.IsSortedFunc(res.Candidates, func(x, y interlock.Candidate) int { return cmp.Compare(y.Score, x.Score) })
		a.note(!byScore, "in the order to try: families by their best tool, of one the highest major first; what is deprecated comes last")
	}
	for _, e := range res.Events {
		tell(a.out, "\n%s %s %s (%.4f) reads more like the need than %s %s (%.4f)\n  %s\n", st.yellow(e.Type),
			e.Incompatible.Tool, e.Incompatible.Version, float64(e.Incompatible.Score), e.Compatible.Tool, e.Compatible.Version, float64(e.Compatible.Score), e.Advice)
	}
	if res.Explanation != nil {
		a.explain(*res.Explanation)
	}
	return nil
}

// tellRefusal prints the members of the refusals that people act on.
func (a *app) tellRefusal(res interlock.Resolution) {
	switch r := res.Refusal.(type) {
	case *interlock.NoCompatibleContract:
		if len(r.Versions) > 0 {
			tell(a.out, "  versions there are: %s\n", strings.Join(r.Versions, ", "))
		}
		a.hint(len(r.Versions) == 0 && r.Family != "*", "  nothing of it is registered, or to be seen; `interlock tools` lists what there is")
		for _, s := range r.StoppedBy {
			tell(a.out, "  %s\n", stopText(s))
		}
	case *interlock.LowConfidenceMatch:
		for _, c := range r.Advice {
			tell(a.out, "  advice only: %s %s (%.4f)\n", c.Tool, c.Version, float64(c.Score))
		}
	case *interlock.AmbiguousNeed:
		for _, by := range r.Decides {
			if choice := choices(res.Candidates, r.Tools, by); len(choice) > 1 {
				tell(a.out, "  the %s: %s\n", by, strings.Join(choice, ", or "))
			}
		}
	}
}

// tellUnmet repeats what was asked for and no tool near fits.
func (a *app) tellUnmet(need interlock.Need, r interlock.Refusal) {
	no, is := r.(*interlock.NoMatch)
	if !is {
		return
	}
	if slices.Contains(no.Reasons, "effect") && len(need.Effects) > 0 {
		tell(a.out, "  allowed: %v\n", need.Effects)
	}
	for _, w := range need.Want {
		if slices.Contains(no.Reasons, "outputs") {
			tell(a.out, "  wanted: %s %s\n", w.SemanticID, w.Unit)
		}
	}
}

// choices lists what of one kind tells tools that fit equally apart.
func choices(candidates []interlock.Candidate, tools []string, by string) []string {
	var out []string
	for _, c := range candidates {
		if !slices.Contains(tools, c.Tool) {
			continue
		}
		source, _, _ := strings.Cut(c.Tool, "/")
		if is := map[string]string{"family": c.Family, "source": source, "effect": string(c.Effect)}[by]; is != "" && !slices.Contains(out, is) {
			out = append(out, is)
		}
	}
	return out
}

// stopText says what kept a version out.
func stopText(s interlock.Stopped) string {
	switch {
	case s.From != "":
		return fmt.Sprintf("%s stopped by %s: %s from %s", s.Version, s.By, s.Compat, s.From)
	case s.State != "":
		return fmt.Sprintf("%s stopped by %s: %s", s.Version, s.By, s.State)
	}
	return fmt.Sprintf("%s stopped by %s", s.Version, s.By)
}

// Run makes one call, or those of a batch.
func (c callCmd) Run(ctx context.Context, a *app) error {
	if (c.What == "") == (c.Batch == "") {
		return usagef("call takes an offer, the whole name of a tool, or --batch FILE")
	}
	if c.Batch != "" {
		return c.batch(ctx, a)
	}
	args, err := a.arguments(c.Args)
	if err != nil {
		return err
	}
	req := interlock.CallRequest{Args: args, Approval: c.Approval, Approve: c.Approve, Insensitive: c.Insensitive}
	if strings.Contains(c.What, "/") {
		req.Tool = c.What
	} else {
		req.Offer = c.What
	}
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		res, err := s.Call(ctx, who, req)
		if interlock.ReasonOf(err) == interlock.ReasonApprovalRequired && a.confirm(err) {
			req.Approve = true
			res, err = s.Call(ctx, who, req)
		}
		if err != nil {
			return err
		}
		if a.JSON {
			text, err := wire.EncodeResult(res, false)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.out, "%s\n", text)
			return err
		}
		st := a.style(a.err)
		tell(a.out, "%s\n", indent(res.Result))
		tell(a.err, "%s\n", st.dim(fmt.Sprintf("receipt %s  %s %s  validated %s", res.Receipt.ID, res.Provenance.Tool, res.Provenance.Version, res.Provenance.Validated)))
		return nil
	})
}

// confirm asks the operator at his terminal for leave; anything but yes is no.
func (a *app) confirm(err error) bool {
	if a.JSON || a.Principal != "" || !terminal(a.in) || !terminal(a.err) {
		return false
	}
	tell(a.err, "%s\nLet this one call through? [y/N] ", interlock.AsError(err).Public)
	var word string
	if _, err := fmt.Fscanln(a.in, &word); err != nil {
		return false
	}
	return strings.EqualFold(word, "y") || strings.EqualFold(word, "yes")
}

// arguments reads the text of --args, from where it says.
func (a *app) arguments(text string) ([]byte, error) {
	raw := []byte(text)
	var err error
	switch {
	case text == "-":
		raw, err = io.ReadAll(io.LimitReader(a.in, wire.MaxCall+1))
	case strings.HasPrefix(text, "@"):
		raw, err = os.ReadFile(text[1:])
	}
	if err != nil {
		return nil, usagef("--args: %v", err)
	}
	if !json.Valid(raw) {
		return nil, usagef("--args is not JSON; write one object, such as '{\"city\":\"Seoul\"}'")
	}
	return raw, nil
}

// Run decides an approval, or lists them.
func (c approveCmd) Run(ctx context.Context, a *app) error {
	if c.Refuse && c.ID == "" {
		return usagef("--refuse wants the id of what is refused; `interlock approve` lists what waits")
	}
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		if c.ID == "" {
			return a.listApprovals(ctx, s, who)
		}
		unread := !c.Refuse && !argsAtHand(ctx, s, who, c.ID)
		done, err := s.Decide(ctx, c.ID, who, !c.Refuse)
		if err != nil {
			return err
		}
		a.hint(unread, "granted unread: the arguments of the call are not at hand here, so nobody is shown what it does")
		if a.JSON {
			return a.print(done)
		}
		err = tell(a.out, "%s %s: %s for %s\n", done.ID, done.State, done.Tool, done.Principal)
		return err
	})
}

// argsAtHand reports whether who can read the arguments of what he decides on.
func argsAtHand(ctx context.Context, s *session, who interlock.Principal, id string) bool {
	list, err := s.Approvals(ctx, who)
	return err == nil && slices.ContainsFunc(list, func(x interlock.Approval) bool { return x.ID == id && x.Args != "" })
}

func (a *app) listApprovals(ctx context.Context, s *session, who interlock.Principal) error {
	list, err := s.Approvals(ctx, who)
	if err != nil {
		return err
	}
	if a.JSON {
		if list == nil {
			list = []interlock.Approval{}
		}
		return a.print(list)
	}
	rows := make([][]string, 0, len(list))
	for _, x := range list {
		state := string(x.State)
		if x.Expired {
			state = "expired"
		}
		rows = append(rows, []string{x.ID, state, x.Tool, x.Principal, string(x.Effect), x.Expires.Format("15:04:05")})
	}
	a.hint(len(rows) == 0, "no call has asked for an approval")
	if err := table(a.out, []string{"APPROVAL", "STATE", "TOOL", "FOR", "EFFECT", "UNTIL"}, rows); err != nil {
		return err
	}
	a.tellAsked(list)
	return nil
}

// tellUnstated says what an effect that nobody stated costs, and where one is
// stated.
func (a *app) tellUnstated(e interlock.Effect) {
	if e != e.Enforced() {
		tell(a.out, "  the tool has %s; state one with effect: of the tool in a manifest, or of an overlay for another source's tool\n", e.Phrase())
	}
}

// tellAsked prints what the reader may decide on: nobody should grant a call
// whose arguments he has not read.
func (a *app) tellAsked(list []interlock.Approval) {
	for _, x := range list {
		if !x.Decidable {
			continue
		}
		tell(a.out, "\n%s asks to call %s with\n", x.Principal, a.style(a.out).bold(x.Tool))
		next := "next: interlock approve " + x.ID + "   or, to refuse, with --refuse"
		if x.Args == "" {
			tell(a.out, "  arguments that are not at hand here; the caller brings them back by repeating the call\n")
			next = "next: have it repeated; interlock approve " + x.ID + " grants it unread, and with --refuse refuses it"
		} else {
			tell(a.out, "%s\n", indent([]byte(x.Args)))
		}
		a.tellUnstated(x.Effect)
		tell(a.out, "%s\n", a.style(a.out).dim(next))
	}
}
