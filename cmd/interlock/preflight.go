package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/lock"
)

type preflightCmd struct{ lockFile }

type outdatedCmd struct{ lockFile }

type whyCmd struct {
	lockFile
	Name         string `arg:"" help:"A family, or the whole name of a tool."`
	Range        string `help:"The versions accepted, in npm's range grammar; without it, those of the lock file, or every one." placeholder:"RANGE"`
	BuiltAgainst string `help:"The version that the caller was written for." placeholder:"VERSION"`
}

// see gives a family in the principal's view; false where there is none.
func (s *session) see(ctx context.Context, who interlock.Principal, c interlock.Constraint) (interlock.FamilyInfo, bool, error) {
	info, err := s.Family(ctx, who, c)
	if e := interlock.AsError(err); e != nil && e.Reason == interlock.ReasonNotFound && e.Stage == interlock.StageFamily {
		return info, false, nil
	}
	return info, err == nil, err
}

// facts gives what the principal sees of every family of a lock file.
func (s *session) facts(ctx context.Context, who interlock.Principal, f lock.File) (lock.Facts, error) {
	facts := lock.Facts{}
	for _, c := range f.Capabilities {
		info, seen, err := s.see(ctx, who, c.Constraint())
		if err != nil {
			return nil, fmt.Errorf("family %s: %w", c.Family, err)
		}
		if seen {
			facts[c.Family] = info
		}
	}
	return facts, nil
}

// Run checks every capability of the lock file, without asking any source.
func (c preflightCmd) Run(ctx context.Context, a *app) error {
	f, err := c.read()
	if err != nil {
		return c.missing(err)
	}
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		facts, err := s.facts(ctx, who, f)
		if err != nil {
			return err
		}
		statuses := lock.Compare(f, facts)
		exit := lock.Exit(statuses)
		if a.JSON {
			err = a.print(map[string]any{"file": c.File, "exit": exit, "capabilities": statuses})
		} else {
			err = a.tellPreflight(statuses, exit)
		}
		if err == nil && exit != lock.ExitReady {
			err = &exitError{exit}
		}
		return err
	})
}

func (a *app) tellPreflight(statuses []lock.Status, exit int) error {
	rows := make([][]string, 0, len(statuses))
	for _, s := range statuses {
		rows = append(rows, []string{s.Family, s.Version, s.Tool, string(s.Reason), or(strings.Join(nonEmpty(s.Detail, s.Remedy), "; "))})
	}
	if err := table(a.out, []string{"FAMILY", "LOCKED", "TOOL", "STANDS", "WHY"}, rows); err != nil {
		return err
	}
	st := a.style(a.out)
	switch exit {
	case lock.ExitReady:
		tell(a.out, "%s\n", st.green("ready"))
	case lock.ExitRetry:
		tell(a.out, "%s\n", st.yellow("retry later"))
	case lock.ExitOperator:
		tell(a.out, "%s\n", st.yellow("ask an operator"))
	default:
		tell(a.out, "%s\n", st.red("broken for good"))
	}
	return nil
}

func nonEmpty(texts ...string) []string {
	var out []string
	for _, text := range texts {
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// or keeps a column from being empty.
func or(text string) string { return cmp.Or(text, "-") }

// Run lists what newer versions there are of what is locked.
func (c outdatedCmd) Run(ctx context.Context, a *app) error {
	f, err := c.read()
	if err != nil {
		return c.missing(err)
	}
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		list := []lock.Outlook{}
		for _, have := range f.Capabilities {
			info, seen, err := s.see(ctx, who, have.Constraint())
			if err != nil {
				return fmt.Errorf("family %s: %w", have.Family, err)
			}
			var wide interlock.FamilyInfo
			if seen {
				if wide, _, err = s.see(ctx, who, have.Wide()); err != nil {
					return fmt.Errorf("family %s: %w", have.Family, err)
				}
			}
			if o := have.Outlook(info, wide); len(o.Newer) > 0 || !seen {
				list = append(list, o)
			}
		}
		if a.JSON {
			return a.print(list)
		}
		return a.tellOutdated(list)
	})
}

func (a *app) tellOutdated(list []lock.Outlook) error {
	if len(list) == 0 {
		err := tell(a.out, "nothing newer\n")
		return err
	}
	var rows [][]string
	for _, o := range list {
		for _, n := range o.Newer {
			word := "stopped"
			if n.Compatible {
				word = "compatible"
			}
			rows = append(rows, []string{o.Family, o.Range, o.Version, n.Version, word, or(n.Why)})
		}
		if o.Latest == "" {
			rows = append(rows, []string{o.Family, o.Range, o.Version, "-", "unknown", "no family of that name is in view"})
		}
	}
	return table(a.out, []string{"FAMILY", "RANGE", "LOCKED", "NEWER", "IS", "WHY"}, rows)
}

// whyAnswer is the answer to `why`.
type whyAnswer struct {
	Family       string                 `json:"family"`
	Tool         string                 `json:"tool,omitempty"` // that was asked about
	Range        string                 `json:"range,omitempty"`
	BuiltAgainst string                 `json:"built_against,omitempty"`
	Base         string                 `json:"base,omitempty"`
	Chosen       *lock.Served           `json:"chosen"`
	Versions     []lock.Explained       `json:"versions"`
	Edges        []interlock.Edge       `json:"edges"`
	Proved       []interlock.ProvedEdge `json:"proved"`
	Locked       *lock.Status           `json:"locked,omitempty"`
}

// Run explains the choice of a version.
func (c whyCmd) Run(ctx context.Context, a *app) error {
	f, err := c.read()
	if errors.Is(err, fs.ErrNotExist) && c.File == "interlock.lock" {
		f, err = lock.New(), nil
	}
	if err != nil {
		return c.missing(err)
	}
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		family, tool := c.Name, ""
		if _, seen, err := s.see(ctx, who, interlock.Constraint{Family: family}); err != nil {
			return err
		} else if !seen {
			t, err := s.Show(ctx, who, c.Name)
			if interlock.ReasonOf(err) == interlock.ReasonNotFound {
				err = &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "why", Public: fmt.Sprintf("No family and no tool is named %q; `interlock tools` lists them.", c.Name)}
			}
			if err != nil {
				return err
			}
			family, tool = t.Family, t.Tool
		}
		answer, err := c.answer(ctx, s, who, f, family)
		if err != nil {
			return err
		}
		if answer.Tool = tool; a.JSON {
			return a.print(answer)
		}
		return a.tellWhy(answer)
	})
}

// answer judges a family under the flags, or else under the lock file.
func (c whyCmd) answer(ctx context.Context, s *session, who interlock.Principal, f lock.File, family string) (whyAnswer, error) {
	of := interlock.Constraint{Family: family, Range: c.Range, BuiltAgainst: c.BuiltAgainst}
	have, locked := f.Get(family)
	locked = locked && c.Range == "" && c.BuiltAgainst == ""
	if locked {
		of = have.Constraint()
	}
	info, err := s.Family(ctx, who, of)
	if err != nil {
		return whyAnswer{}, err
	}
	answer := whyAnswer{Family: info.Family, Range: info.Range, BuiltAgainst: info.BuiltAgainst, Base: info.Base, Edges: info.Edges, Proved: info.Proved}
	choice, versions := lock.Explain(info, have.Tool)
	answer.Versions = versions
	if choice.Version != "" {
		answer.Chosen = &lock.Served{Version: choice.Version, Tool: choice.Tool.Tool}
	}
	if locked {
		answer.Locked = &lock.Compare(lock.New().With(have), lock.Facts{family: info})[0]
	}
	return answer, nil
}

func (a *app) tellWhy(w whyAnswer) error {
	st := a.style(a.out)
	tell(a.out, "%s  range %s  base %s\n", st.bold(w.Family), cmp.Or(w.Range, "none: every version"), or(w.Base))
	if w.Locked != nil {
		tell(a.out, "locked at %s %s: %s\n", w.Locked.Version, w.Locked.Tool, strings.Join(nonEmpty(string(w.Locked.Reason), w.Locked.Detail), ", "))
	}
	if w.Chosen != nil {
		tell(a.out, "serves %s %s\n", st.green(w.Chosen.Version), w.Chosen.Tool)
	} else {
		tell(a.out, "serves %s\n", st.red("nothing"))
	}
	rows := make([][]string, 0, len(w.Versions))
	for _, v := range w.Versions {
		names := make([]string, 0, len(v.Tools))
		for _, t := range v.Tools {
			names = append(names, t.Tool)
			if t.Tool == w.Tool {
				names[len(names)-1] = "*" + t.Tool
			}
		}
		rows = append(rows, []string{v.Version, string(v.Verdict), or(strings.Join(names, " ")), v.Because})
	}
	if err := table(a.out, []string{"VERSION", "IS", "TOOLS", "BECAUSE"}, rows); err != nil {
		return err
	}
	for _, e := range w.Edges {
		tell(a.out, "edge %s → %s %s\n", e.From, e.To, e.Compat)
	}
	for _, e := range w.Proved {
		tell(a.out, "proof %s → %s %s  %s\n", e.From, e.To, strings.Join(nonEmpty(e.Compat, e.Mode, e.Rule, e.Pointer), " "), st.dim(e.Digest[:12]))
	}
	return nil
}
