package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/eval"
	"github.com/seed-ae386458/interlock/internal/qualify"
	"github.com/seed-ae386458/interlock/source/toollist"
)

// evalInit begins a case file.
type evalInit struct {
	Out     string `required:"" help:"Folder for cases.jsonl and tools.jsonl." placeholder:"DIR" type:"path"`
	Name    string `help:"Name of the case file." default:"own" placeholder:"NAME"`
	Tools   string `help:"Tools, one JSON object a line; without it, those of the store." placeholder:"FILE" type:"path"`
	Matches string `help:"Accepted matches, as calibrate takes them: query, tools (a list of ids)." placeholder:"FILE" type:"path"`
	Needs   string `help:"Needs as they were asked, one JSON object a line ({\"need\": …}): the log says which tools were called after them. Without it, those that log.needs has kept." placeholder:"FILE" type:"path"`
}

// needsHint says how the log becomes readable for who learns from it.
const needsHint = "The log holds needs as digests. Let the configuration keep them from now on (log: {needs: FILE}), or give those that you kept with --needs."

// begun is what a case file was begun from.
type begun struct {
	Cases    string `json:"cases"`
	Tools    int    `json:"tools"`
	Drafted  int    `json:"drafted"`
	Gold     int    `json:"with_gold"`
	Answered int    `json:"log_needs"`    // needs in the log that were answered with an offer
	Followed int    `json:"log_followed"` // followed by a call of an offered tool
	Kept     int    `json:"needs_kept"`   // needs that were given, or that log.needs has kept
	Unread   int    `json:"needs_unread"` // kept lines that are no needs
	Found    int    `json:"log_found"`    // of those
}

// Run begins the file.
func (c evalInit) Run(ctx context.Context, a *app) error {
	draft := eval.Draft{Header: qualify.Header{Form: qualify.CasesForm, Name: c.Name, Catalogue: "tools.jsonl",
		Note: "Fill in author, authored, stratum, split and gold; a case without gold is not scored."}}
	sum := begun{Cases: filepath.Join(c.Out, "cases.jsonl")}
	var text []byte
	var err error
	if c.Tools != "" {
		if text, err = os.ReadFile(c.Tools); err != nil {
			return usagef("cannot read the tools: %v", err)
		}
	}
	if c.Tools == "" || c.Needs != "" {
		if text, err = c.fromStore(ctx, a, &draft, &sum, text); err != nil {
			return err
		}
	}
	sources := sourcesOf(text)
	if err := c.matches(&draft, sources); err != nil {
		return err
	}
	sum.Tools, sum.Drafted, sum.Gold = len(sources), len(draft.Cases), draft.Gold
	if err := c.write(draft, text); err != nil {
		return err
	}
	if a.JSON {
		return a.print(sum)
	}
	tell(a.out, "%s: %d cases over %d tools, %d with gold\n", sum.Cases, sum.Drafted, sum.Tools, sum.Gold)
	if c.Tools == "" || c.Needs != "" {
		tell(a.out, "the log: %d needs were answered with offers, %d calls followed one; %d of the needs kept are among those\n", sum.Answered, sum.Followed, sum.Found)
		a.tellUnread(sum.Unread)
		a.hint(sum.Kept == 0 && sum.Followed > 0, needsHint)
	}
	a.hint(sum.Gold < sum.Drafted, "The rest is open: a person says what the right answer is, and who wrote the need.")
	return nil
}

func (c evalInit) matches(draft *eval.Draft, sources map[string]string) error {
	if c.Matches == "" {
		return nil
	}
	rows, err := readLines[eval.Match](c.Matches)
	for _, m := range rows {
		draft.Match(m, filepath.Base(c.Matches), sources)
	}
	return err
}

func (c evalInit) write(draft eval.Draft, tools []byte) error {
	if err := os.MkdirAll(c.Out, 0o700); err != nil {
		return usagef("cannot make the folder: %v", err)
	}
	text, err := draft.Text()
	if err != nil {
		return err
	}
	if err := writeNew(filepath.Join(c.Out, "cases.jsonl"), text); err != nil {
		return err
	}
	return writeNew(filepath.Join(c.Out, "tools.jsonl"), tools)
}

// fromStore takes the tools of the store where none are given, and from its log
// what was called after the needs.
func (c evalInit) fromStore(ctx context.Context, a *app, draft *eval.Draft, sum *begun, tools []byte) (text []byte, err error) {
	text = tools
	err = a.withLog(ctx, func(s *session) error {
		who, err := s.who(a.Principal, a.Claims)
		if err != nil {
			return err
		}
		if len(text) == 0 {
			if text, err = toolLines(ctx, s, who); err != nil {
				return err
			}
		}
		needs, unread, err := s.keptNeeds(c.Needs)
		if err != nil {
			return err
		}
		accepted, err := readAccepted(ctx, s, eval.Asked{})
		if err != nil {
			return err
		}
		sum.Answered, sum.Followed, sum.Kept, sum.Unread = accepted.Needs, accepted.Followed, len(needs), unread
		return c.needs(a, needs, draft, sum, accepted, sourcesOf(text))
	})
	return text, err
}

// needs drafts a case for each need, with what was called after it.
func (c evalInit) needs(a *app, needs []interlock.Need, draft *eval.Draft, sum *begun, accepted eval.Accepted, sources map[string]string) error {
	if len(needs) == 0 {
		return nil
	}
	names, err := a.needNames()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, need := range needs {
		known, err := names(need)
		if err != nil {
			return err
		}
		if seen[known[0]] {
			continue
		}
		seen[known[0]] = true
		called := accepted.Called(known)
		if len(called) > 0 {
			sum.Found++
		}
		draft.Need(need, called, sources)
	}
	return nil
}

// toolLines writes the tools of a view as a list that eval reads.
func toolLines(ctx context.Context, s *session, who interlock.Principal) ([]byte, error) {
	list, err := s.Tools(ctx, who)
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, info := range list {
		tool, err := s.Show(ctx, who, info.Tool)
		if err != nil {
			return nil, err
		}
		line, err := interlock.Marshal(listedTool(tool))
		if err != nil {
			return nil, err
		}
		out = append(append(out, line...), '\n')
	}
	return out, nil
}

// sourcesOf gives the source of each tool of a list.
func sourcesOf(text []byte) map[string]string {
	out := map[string]string{}
	for _, op := range toollist.Read(text).Operations {
		out[op.ID] = op.ID
	}
	rows, err := eval.ReadLines[struct{ ID, Provider string }](bytes.NewReader(text))
	if err != nil {
		return out
	}
	for _, row := range rows {
		if out[row.ID] != "" && row.Provider != "" {
			out[row.ID] = row.Provider
		}
	}
	return out
}

// listedTool is a tool as a line of a list.
func listedTool(t interlock.ToolDetail) any {
	source, name, ok := strings.Cut(t.Tool, "/")
	if !ok {
		source, name = "tools", t.Tool
	}
	return struct {
		ID       string                   `json:"id"`
		Provider string                   `json:"provider"`
		Name     string                   `json:"name"`
		Title    string                   `json:"title,omitempty"`
		Text     string                   `json:"description"`
		Input    json.RawMessage          `json:"inputSchema,omitempty"`
		Output   json.RawMessage          `json:"outputSchema,omitempty"`
		Effect   interlock.Effect         `json:"effect"`
		Fields   []interlock.FieldMeaning `json:"fields,omitempty"`
	}{t.Tool, source, name, t.Title, t.Description, t.InputSchema, present(t.OutputSchema), t.Effect, t.Fields}
}

// present is a schema that is there.
func present(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}
