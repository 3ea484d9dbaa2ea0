package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/router"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

type policyCmd struct {
	Init    policyInit    `cmd:"" help:"Write a commented set to begin with."`
	Check   policyCheck   `cmd:"" help:"Check files of policies: 0 where all are good, 1 where not."`
	Test    policyTest    `cmd:"" help:"Hold policies to cases: who, what, and the answer that is expected."`
	Explain policyExplain `cmd:"" help:"Say what a principal may do with a tool, and by which policies."`
	WhyNot  policyExplain `cmd:"" name:"why-not" help:"The same, for whoever wonders why he does not see a tool; asks for the right to audit."`
	List    policyList    `cmd:"" help:"List the versions of the policies that were in force, the last one last."`
	Show    policyShow    `cmd:"" help:"Print the policies of a version, by its number or digest."`
	Diff    policyDiff    `cmd:"" help:"Print which policies one version has and another has not."`
}

type policyInit struct {
	File string `arg:"" optional:"" help:"File to write." default:"policies.cedar" type:"path"`
}

type policyCheck struct {
	Files []string `arg:"" help:"Files of Cedar text." type:"path"`
}

type policyTest struct {
	Cases string   `arg:"" help:"File of cases, YAML or JSON." type:"path"`
	Files []string `arg:"" optional:"" help:"Files of Cedar text; without them those of the configuration." type:"path"`
}

type policyExplain struct {
	Tool string `arg:"" help:"Whole name of the tool, source/name."`
	For  string `help:"The token whose rights are asked for." placeholder:"NAME"`
	// ForClaims asks for somebody who has no token in the configuration.
	ForClaims string `help:"Or the claims of a token of the issuer: a JSON object in a file." placeholder:"FILE" type:"path"`
	At        int64  `help:"Say as well what held at this entry of the log." placeholder:"INDEX" default:"-1"`
}

// policySet loads the policies that the configuration names. None at all is
// not the same as none named: then everything is denied.
func (c config) policySet() (*policy.Set, error) {
	if c.Policies == nil {
		return nil, nil
	}
	paths := make([]string, len(*c.Policies))
	for i, p := range *c.Policies {
		paths[i] = c.path(p)
	}
	return loadPolicies(paths)
}

// loadPolicies reads files of policies; each is known by its last name.
func loadPolicies(paths []string) (*policy.Set, error) {
	var files []policy.File
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, configError("policies: %v", err)
		}
		files = append(files, policy.File{Name: filepath.Base(path), Text: text})
	}
	return policy.Load(files)
}

// policyEvery is how often a running server looks whether its policies are
// others now.
const policyEvery = time.Second

// watchPolicies swaps the policies of a running server when their files have
// changed, whole or not at all.
func (u *server) watchPolicies(ctx context.Context) {
	ticker := time.NewTicker(policyEvery)
	defer ticker.Stop()
	now, said := digestOf(u.session.policies), ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		u.swapping.Lock()
		set, err := u.conf.Load().policySet()
		switch {
		case err != nil && err.Error() != said:
			said = err.Error()
			u.app.logger.Error("the policies have changed and cannot be read; those before stay in force", "err", err)
			if err := u.session.local.NotePolicyFault(ctx, router.ByReload, err); err != nil {
				u.app.logger.Error("a fault of the policies is not in the log", "err", err)
			}
		case err == nil && digestOf(set) != now:
			now, said = digestOf(set), ""
			u.swapPolicies(ctx, set)
		}
		u.swapping.Unlock()
	}
}

// swapPolicies puts a set in force and on record.
func (u *server) swapPolicies(ctx context.Context, set *policy.Set) {
	u.session.local.SetPolicies(set)
	if err := u.session.local.NotePolicies(ctx, router.ByReload); err != nil {
		u.app.logger.Error("the policies are in force and their version is not in the store", "digest", digestOf(set), "err", err)
	}
	u.app.logger.Info("policies swapped", "digest", digestOf(set))
}

// digestOf names a set; empty where there is none.
func digestOf(set *policy.Set) string {
	if set == nil {
		return ""
	}
	return set.Digest()
}

// Run writes the starter set.
func (c policyInit) Run(a *app) error {
	f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return usagef("%v; name another file", err)
	}
	_, err = f.WriteString(policy.Starter())
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if a.JSON {
		return a.print(map[string]string{"file": c.File})
	}
	err = tell(a.out, "%s is written. Name it in the configuration:\n  policies: [%s]\n", c.File, filepath.Base(c.File))
	return err
}

// Run checks files.
func (c policyCheck) Run(a *app) error {
	set, err := loadPolicies(c.Files)
	if err != nil {
		if a.JSON {
			fmt.Fprintf(a.out, "%s\n", wire.ErrorObject(err))
		} else {
			tell(a.err, "%s\n", plainLines(interlock.AsError(err).Public))
		}
		return &exitError{wire.ExitFailed}
	}
	if a.JSON {
		return a.print(map[string]any{"policies": set.Len(), "digest": set.Digest()})
	}
	err = tell(a.out, "%d policies, digest %s\n", set.Len(), set.Digest())
	return err
}

// policyCase is one expectation.
type policyCase struct {
	Principal struct {
		Name       string            `json:"name"`
		Tenant     string            `json:"tenant"`
		Roles      []string          `json:"roles"`
		Attributes map[string]string `json:"attributes"`
	} `json:"principal"`
	Action policy.Action `json:"action"`
	Tool   struct {
		ID      string            `json:"id"`
		Tenant  string            `json:"tenant"`
		Source  string            `json:"source"`
		Family  string            `json:"family"`
		Version string            `json:"version"`
		Effect  interlock.Effect  `json:"effect"`
		State   interlock.State   `json:"state"`
		Tags    map[string]string `json:"tags"`
	} `json:"tool"`
	Field      string `json:"field"` // of readField: "output:/salary"
	SemanticID string `json:"semantic_id"`
	Requester  string `json:"requester"` // of approve
	Expect     string `json:"expect"`    // allow, deny, or waived
}

// Run holds policies to cases.
func (c policyTest) Run(a *app) error {
	set, err := c.set(a)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(c.Cases)
	if err != nil {
		return usagef("%v", err)
	}
	doc, err := yamljson.Parse(text, yamljson.Limits{Bytes: 4 << 20})
	if err != nil {
		return usagef("%s: %v", filepath.Base(c.Cases), err)
	}
	var cases []policyCase
	if err := wire.Strict(doc.Root.JSON(), &cases); err != nil {
		return usagef("%s: %v", filepath.Base(c.Cases), err)
	}
	failed := []policyFailure{}
	for i, one := range cases {
		d, err := one.ask(set)
		if err != nil {
			return usagef("%s: case %d: %v", filepath.Base(c.Cases), i+1, err)
		}
		if got := answerOf(d); got != one.Expect && (one.Expect != "allow" || !d.Allowed) {
			failed = append(failed, policyFailure{i + 1, one.Principal.Name, one.Action, one.Tool.ID + one.Field, one.Expect, got, set.Explain(d)})
		}
	}
	if err := a.tellTested(len(cases), failed); err != nil || len(failed) == 0 {
		return err
	}
	return &exitError{wire.ExitFailed}
}

// policyFailure is a case that policies answer otherwise than is expected.
type policyFailure struct {
	Case        int           `json:"case"` // the first is 1
	Principal   string        `json:"principal"`
	Action      policy.Action `json:"action"`
	Of          string        `json:"of"` // the tool, or the field
	Expected    string        `json:"expected"`
	Got         string        `json:"got"`
	Explanation string        `json:"explanation"`
}

func (a *app) tellTested(cases int, failed []policyFailure) error {
	if a.JSON {
		return a.print(map[string]any{"cases": cases, "failed": failed})
	}
	for _, f := range failed {
		tell(a.out, "case %d: %s %s %s: expected %s, got %s\n%s", f.Case, f.Principal, f.Action, f.Of, f.Expected, f.Got, plainLines(f.Explanation))
	}
	return tell(a.out, "%d cases, %d failed\n", cases, len(failed))
}

func (c policyTest) set(a *app) (*policy.Set, error) {
	if len(c.Files) > 0 {
		return loadPolicies(c.Files)
	}
	s, err := a.prepare()
	if err != nil {
		return nil, err
	}
	if s.policies == nil {
		return nil, usagef("name files of policies, or a configuration that has some")
	}
	return s.policies, nil
}

// ask puts the question of a case.
func (c policyCase) ask(set *policy.Set) (policy.Decision, error) {
	if !slices.Contains([]string{"allow", "deny", "waived"}, c.Expect) {
		return policy.Decision{}, fmt.Errorf("expect: %q is none of allow, deny, waived", c.Expect)
	}
	who := interlock.Principal{Name: c.Principal.Name, Tenant: c.Principal.Tenant, Roles: c.Principal.Roles, Attributes: c.Principal.Attributes}
	tool := policy.NewTool(policy.Facts(c.Tool))
	switch c.Action {
	case policy.Discover:
		return set.Discover(who, tool), nil
	case policy.ReadField:
		return set.ReadField(who, policy.Field{Tool: tool, At: c.Field, SemanticID: c.SemanticID}), nil
	case policy.Invoke:
		return set.Invoke(who, tool, policy.Call{}), nil
	case policy.Approve:
		return set.Approve(who, tool, policy.Request{Requester: c.Requester}), nil
	case policy.Audit, policy.Administer:
		return set.Holds(who, c.Action), nil
	}
	return policy.Decision{}, fmt.Errorf("action: %q is none of %v", c.Action, policy.Actions())
}

func answerOf(d policy.Decision) string {
	switch {
	case d.Waived:
		return "waived"
	case d.Allowed:
		return "allow"
	}
	return "deny"
}

// Run explains.
func (c policyExplain) Run(ctx context.Context, a *app) error {
	if c.For == "" && c.ForClaims == "" {
		return usagef("say whose rights are asked for: --for NAME, or --for-claims FILE")
	}
	claims, err := readClaims(c.For, c.ForClaims)
	if err != nil {
		return err
	}
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		why, err := s.why(ctx, who, c.For, claims, c.Tool, c.At)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.print(why)
		}
		err = tell(a.out, "%s", plainLines(why.Text))
		return err
	})
}
