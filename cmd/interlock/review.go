package main

import (
	"context"
	"strings"

	"github.com/seed-ae386458/interlock"
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
		if item.Accepted != nil {
			a.tellChange("input", item.Accepted.InputSchema, item.Waiting.InputSchema)
			a.tellChange("output", item.Accepted.OutputSchema, item.Waiting.OutputSchema)
			a.tellChange("wording", []byte(wordingOf(item.Accepted)), []byte(wordingOf(item.Waiting)))
		}
		tell(a.out, "  interlock accept %s --fingerprint %s\n", item.Tool, item.Fingerprint)
	}
	return nil
}

// tellChange prints both sides of what differs.
func (a *app) tellChange(what string, was, is []byte) {
	if string(was) == string(is) {
		return
	}
	st := a.style(a.out)
	tell(a.out, "  %s\n    %s\n    %s\n", what, st.red("- "+string(was)), st.green("+ "+string(is)))
}

// wordingOf is what a model reads of a definition.
func wordingOf(op *interlock.Operation) string {
	texts := []string{op.Title}
	for _, v := range op.Variants {
		texts = append(texts, v.Description)
	}
	return strings.Join(nonEmpty(texts...), " | ")
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
		item, err := s.DecideReview(ctx, c.Tool, c.Fingerprint, accept)
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
