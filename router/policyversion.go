package router

import (
	"context"
	"errors"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/receipt"
)

// What brings policies into force.
const (
	ByStart   = "start"
	ByReload  = "reload"
	ByCommand = "command"
)

// The states of a receipt.PolicyBody.
const (
	policyInForce = "in_force"
	policyRefused = "refused"
)

// NotePolicies keeps the policies that are in force in the store, under their
// digest and with a number of their own, on record. Where the last version is
// the same one nothing is written.
func (r *Router) NotePolicies(ctx context.Context, by string) error {
	v := interlock.PolicyVersion{By: by, At: r.opts.Clock()}
	var files []interlock.PolicyFile
	if set := r.keeper.Policies(); set != nil {
		v.Digest, v.Policies = set.Digest(), set.Len()
		for _, f := range set.Files() {
			v.Files = append(v.Files, f.Name)
			files = append(files, interlock.PolicyFile{Name: f.Name, Text: f.Text})
		}
	} else if before, err := r.opts.Store.PolicyVersions(ctx); err != nil || len(before) == 0 {
		return err // there never were any
	}
	v, changed, err := r.opts.Store.PutPolicies(ctx, v, files)
	if err != nil || !changed {
		return err
	}
	_, err = r.log.Append(ctx, interlock.EntryPolicy, receipt.PolicyBody{At: r.log.Now(), State: policyInForce, By: by, Number: v.Number,
		Digest: v.Digest, Policies: v.Policies, Files: v.Files}, receipt.Flushed)
	return err
}

// NotePolicyFault records policies that could not be taken, and why.
func (r *Router) NotePolicyFault(ctx context.Context, by string, fault error) error {
	_, err := r.log.Append(ctx, interlock.EntryPolicy, receipt.PolicyBody{At: r.log.Now(), State: policyRefused, By: by,
		Fault: clip(interlock.AsError(fault).Public, 1000)}, receipt.Flushed)
	return err
}

// PolicyVersions gives the versions of the policies, the first one first.
func (r *Router) PolicyVersions(ctx context.Context) ([]interlock.PolicyVersion, error) {
	return r.opts.Store.PolicyVersions(ctx)
}

// PolicySet gives the files of a set that was in force, by its digest.
func (r *Router) PolicySet(ctx context.Context, digest string) ([]interlock.PolicyFile, error) {
	return r.opts.Store.PolicySet(ctx, digest)
}

// policiesAt loads a set that was in force. Its text is held against its digest.
func (r *Router) policiesAt(ctx context.Context, digest string) (*policy.Set, error) {
	files, err := r.opts.Store.PolicySet(ctx, digest)
	if err != nil {
		return nil, err
	}
	list := make([]policy.File, len(files))
	for i, f := range files {
		list[i] = policy.File{Name: f.Name, Text: f.Text}
	}
	set, err := policy.Load(list)
	if err == nil && set.Digest() != digest {
		err = errors.New("the text that the store has under the digest " + digest + " is another one")
	}
	return set, err
}
