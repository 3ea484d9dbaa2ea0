package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/eval"
	"github.com/seed-ae386458/interlock/internal/qualify"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
	"github.com/seed-ae386458/interlock/source/toollist"
)

// evalInit begins a case file.
type evalInit struct {
	Out     string `required:"" help:"Folder for cases.jsonl and tools.jsonl." placeholder:"DIR" type:"path"`
	Name    string `help:"Name of the case file." default:"own" placeholder:"NAME"`
	Tools   string `help:"Tools, one JSON object a line; without it, those of the store." placeholder:"FILE" type:"path"`
	Matches string `help:"Accepted matches, as calibrate takes them: query, tools (a list of ids)." placeholder:"FILE" type:"path"`
	Needs   string `help:"Needs as they were asked, one JSON object a line ({\"need\": …}): the log says which tools were called after them." placeholder:"FILE" type:"path"`
}

// begun is what a case file was begun from.
type begun struct {
	Cases    string `json:"cases"`
	Tools    int    `json:"tools"`
	Drafted  int    `json:"drafted"`
	Gold     int    `json:"with_gold"`
	Answered int    `json:"log_needs"`    // needs in the log that were answered with an offer
	Followed int    `json:"log_followed"` // followed by a call of an offered tool
	Found    int    `json:"log_found"`    // of the needs given
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
		tell(a.out, "the log: %d needs were answered with offers, %d calls followed one; %d of the needs given are among those\n", sum.Answered, sum.Followed, sum.Found)
		a.hint(c.Needs == "" && sum.Followed > 0, "The log holds needs as digests. Give the needs themselves with --needs to find them in it.")
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
		accepted, err := readAccepted(ctx, s)
		if err != nil {
			return err
		}
		sum.Answered, sum.Followed = accepted.Needs, accepted.Followed
		return c.needs(s, draft, sum, accepted, sourcesOf(text))
	})
	return text, err
}

// needs drafts a case for each need, with what was called after it.
func (c evalInit) needs(s *session, draft *eval.Draft, sum *begun, accepted eval.Accepted, sources map[string]string) error {
	if c.Needs == "" {
		return nil
	}
	if s.local == nil {
		return usagef("needs are found in the log by who holds its keys; stop the server that runs on this store, or leave --needs out")
	}
	rows, err := os.ReadFile(c.Needs)
	if err != nil {
		return usagef("cannot read the needs: %v", err)
	}
	for number, line := range bytes.Split(rows, []byte{'\n'}) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		need, err := wire.ReadNeed(line)
		if err != nil {
			return usagef("%s, line %d: %v", c.Needs, number+1, interlock.AsError(err).Public)
		}
		digest, err := s.local.NeedDigest(need)
		if err != nil {
			return err
		}
		if len(accepted.By[digest]) > 0 {
			sum.Found++
		}
		draft.Need(need, accepted.By[digest], sources)
	}
	return nil
}

func readAccepted(ctx context.Context, s *session) (eval.Accepted, error) {
	var all []interlock.LogEntry
	for from := int64(0); ; {
		entries, err := s.LogList(ctx, from, page)
		if err != nil || len(entries) == 0 {
			accepted, bad := eval.ReadAccepted(all)
			return accepted, errors.Join(err, bad)
		}
		for _, e := range entries {
			if e.Type == interlock.EntryResolve || e.Type == interlock.EntryCall {
				all = append(all, e)
			}
		}
		from = entries[len(entries)-1].Index + 1
	}
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
