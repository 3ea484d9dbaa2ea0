package main

import (
	"context"
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/policy"
)

type reviewCmd struct{}

type decideCmd struct {
	Tool        string `arg:"" help:"Whole name of the tool."`
	Fingerprint string `required:"" help:"Fingerprint of the definition, as review shows it." placeholder:"HEX"`
}

type acceptCmd struct{ decideCmd }

type rejectCmd struct{ decideCmd }

// Run lists what waits.
func (reviewCmd) Run(ctx context.Context, a *app) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		if err := s.may(who, policy.Audit, "reads what waits for review"); err != nil {
			return err
		}
		items, err := s.Review(ctx)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.print(items)
		}
		return a.tellReview(items)
	})
}

// tellReview prints what waits, with both sides of it and how to decide.
func (a *app) tellReview(items []interlock.ReviewItem) error {
	st := a.style(a.out)
	if len(items) == 0 {
		err := tell(a.out, "nothing waits\n")
		return err
	}
	for _, item := range items {
		tell(a.out, "%s  %s %s  %s\n", st.bold(item.Tool), item.Family, item.Version, st.yellow(item.Kind))
		if item.Why != "" {
			tell(a.out, "  %s\n", item.Why)
		}
		a.tellCompared(st, item)
		tell(a.out, "  interlock accept %s --fingerprint %s\n", item.Tool, item.Fingerprint)
	}
	return nil
}

// tellCompared prints what changes: the contract by rule, then the texts.
func (a *app) tellCompared(st style, item interlock.ReviewItem) {
	if item.Verdict != "" && item.Verdict != string(diff.Identical) {
		tell(a.out, "  contract: %s\n", item.Verdict)
	}
	for _, c := range item.Changes {
		tell(a.out, "  %s %s  %s\n", changeMark(st, c.Breaking, c.Stopped, c.Enforcement), c.Message, st.dim(c.Rule))
		for _, line := range [][2]string{{"old", c.Pointer}, {"new", c.PointerNew}, {"as", enforcementWords(c.Enforcement)}, {"why", c.Harm}, {"hint", renamedWords(c.Renamed)}, {"do", c.Remedy}} {
			if line[1] != "" {
				tell(a.out, "        %s %s\n", st.dim(fmt.Sprintf("%-5s", line[0])), line[1])
			}
		}
	}
	for _, w := range item.Wording {
		tell(a.out, "  wording %s\n", w.Pointer)
		if w.Old != "" {
			tell(a.out, "    %s\n", st.red("- "+w.Old))
		}
		if w.New != "" {
			tell(a.out, "    %s\n", st.green("+ "+w.New))
		}
	}
	if item.More > 0 {
		tell(a.out, "  … and %d more\n", item.More)
	}
}

// Run accepts a definition.
func (c acceptCmd) Run(ctx context.Context, a *app) error { return c.decide(ctx, a, true) }

// Run rejects a definition.
func (c rejectCmd) Run(ctx context.Context, a *app) error { return c.decide(ctx, a, false) }

func (c decideCmd) decide(ctx context.Context, a *app, accept bool) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		if err := s.may(who, policy.Administer, "reviews definitions"); err != nil {
			return err
		}
		item, err := s.DecideReview(ctx, who, c.Tool, c.Fingerprint, accept)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.print(item)
		}
		word := "rejected"
		if accept {
			word = "accepted"
		}
		err = tell(a.out, "%s: %s is %s\n", word, item.Tool, item.State)
		return err
	})
}
