package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/policy"
)

type policyList struct{}

type policyShow struct {
	Version string `arg:"" help:"Number of the version, or the first digits of its digest."`
}

type policyDiff struct {
	Old string `arg:"" help:"Number or digest of a version."`
	New string `arg:"" optional:"" help:"Number or digest of another; without it the policies of the configuration."`
}

// versions opens a session for who may audit, with the versions of the store.
func (a *app) versions(ctx context.Context, work func(s *session, list []interlock.PolicyVersion) error) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		if err := s.may(who, policy.Audit, "reads the versions of the policies"); err != nil {
			return err
		}
		list, err := s.PolicyVersions(ctx)
		if err != nil {
			return err
		}
		return work(s, list)
	})
}

// Run lists the versions.
func (policyList) Run(ctx context.Context, a *app) error {
	return a.versions(ctx, func(_ *session, list []interlock.PolicyVersion) error {
		if a.JSON {
			if list == nil {
				list = []interlock.PolicyVersion{}
			}
			return a.print(list)
		}
		a.hint(len(list) == 0, "no policies were in force yet; the configuration names them as policies")
		for _, v := range list {
			name := v.Digest
			if name == "" {
				name = "none: the lists of the principals decide"
			}
			tell(a.out, "%4d  %s  %s  %d policies in %s, by %s\n", v.Number, v.At.UTC().Format("2006-01-02 15:04:05Z"), name, v.Policies, strings.Join(v.Files, " "), v.By)
		}
		return nil
	})
}

// policyVersionOf finds a version by its number or the first digits of its digest.
func policyVersionOf(list []interlock.PolicyVersion, text string) (interlock.PolicyVersion, error) {
	n, err := strconv.Atoi(text)
	found := map[string]interlock.PolicyVersion{}
	for _, v := range list {
		if err == nil && v.Number == n && len(text) < 8 {
			return v, nil
		}
		if len(text) >= 8 && strings.HasPrefix(v.Digest, text) {
			found[v.Digest] = v
		}
	}
	if len(found) == 1 {
		for _, v := range found {
			return v, nil
		}
	}
	return interlock.PolicyVersion{}, usagef("%q is the number of no version and no eight or more first digits of one digest; `interlock policy list` shows them", text)
}

// filesOf reads the text of a version; a version without policies has none.
func filesOf(ctx context.Context, s *session, v interlock.PolicyVersion) ([]policy.File, error) {
	if v.Digest == "" {
		return nil, nil
	}
	kept, err := s.PolicySet(ctx, v.Digest)
	files := make([]policy.File, len(kept))
	for i, f := range kept {
		files[i] = policy.File{Name: filepath.Base(f.Name), Text: f.Text}
	}
	return files, err
}

// Run prints the text of a version.
func (c policyShow) Run(ctx context.Context, a *app) error {
	return a.versions(ctx, func(s *session, list []interlock.PolicyVersion) error {
		v, err := policyVersionOf(list, c.Version)
		if err != nil {
			return err
		}
		files, err := filesOf(ctx, s, v)
		if err != nil {
			return err
		}
		if a.JSON {
			texts := map[string]string{}
			for _, f := range files {
				texts[f.Name] = string(f.Text)
			}
			return a.print(map[string]any{"version": v, "files": texts})
		}
		for _, f := range files {
			tell(a.out, "// %s\n%s\n", f.Name, plainLines(strings.TrimSuffix(string(f.Text), "\n")))
		}
		return nil
	})
}

// Run prints what differs. The order of policies, and the files that they stand
// in, decide nothing, so they are no difference.
func (c policyDiff) Run(ctx context.Context, a *app) error {
	return a.versions(ctx, func(s *session, list []interlock.PolicyVersion) error {
		var sides [2]*policy.Set
		for i, text := range []string{c.Old, c.New} {
			set, err := c.side(ctx, s, list, text)
			if err != nil {
				return err
			}
			sides[i] = set
		}
		gone, came := policy.Diff(sides[0], sides[1])
		if a.JSON {
			return a.print(map[string][]string{"gone": gone, "came": came})
		}
		st := a.style(a.out)
		for _, text := range gone {
			for line := range strings.Lines(text) {
				tell(a.out, "%s\n", st.red("- "+strings.TrimSuffix(line, "\n")))
			}
		}
		for _, text := range came {
			for line := range strings.Lines(text) {
				tell(a.out, "%s\n", st.green("+ "+strings.TrimSuffix(line, "\n")))
			}
		}
		return nil
	})
}

// side loads one side of a comparison.
func (c policyDiff) side(ctx context.Context, s *session, list []interlock.PolicyVersion, text string) (*policy.Set, error) {
	if text == "" {
		if s.policies == nil {
			return nil, usagef("name a second version, or a configuration that has policies")
		}
		return s.policies, nil
	}
	v, err := policyVersionOf(list, text)
	if err != nil {
		return nil, err
	}
	files, err := filesOf(ctx, s, v)
	if err != nil {
		return nil, err
	}
	set, err := policy.Load(files)
	if err == nil && v.Digest != "" && set.Digest() != v.Digest {
		err = fmt.Errorf("policies of version %d: the text is not the one of the digest", v.Number)
	}
	return set, err
}
