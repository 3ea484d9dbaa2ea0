package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/approval"
	"github.com/seed-ae386458/interlock/internal/execute/recheck"
	"github.com/seed-ae386458/interlock/internal/offer"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// The sizes that the targets of policies name.
const (
	policedTools = 10_000
	policies     = 401
)

// policy measures what policies cost: a principal's first and later look at a
// large registry, the check before a call, and answers to needs.
func (b *bench) policy(ctx context.Context) error {
	d, err := b.desk(ctx)
	if err != nil {
		return err
	}
	if err := b.views(d); err != nil {
		return err
	}
	b.noise.sample()
	if err := b.rechecks(ctx, d); err != nil {
		return err
	}
	if err := d.store.Close(); err != nil {
		return err
	}
	b.noise.sample()
	return b.policedNeeds(ctx)
}

// desk is a registry of many tools, and the checker of its calls.
type desk struct {
	store   *sqlite.Store
	reg     *registry.Registry
	keeper  *snapshot.Keeper
	checker *recheck.Checker
	tools   int
	who     interlock.Principal
}

// desk registers tools in 400 groups, each permitted by a policy of its own.
func (b *bench) desk(ctx context.Context) (*desk, error) {
	d := &desk{tools: b.pick(policedTools, policedTools/10), who: reader()}
	b.say("registering %d tools under %d policies", d.tools, policies)
	var err error
	if d.store, err = sqlite.Open(ctx, filepath.Join(b.dir, "policy.db"), sqlite.Options{}); err != nil {
		return nil, err
	}
	if d.reg, err = registry.Open(ctx, d.store); err != nil {
		return nil, err
	}
	if d.keeper, err = snapshot.NewKeeper(ctx, d.reg, snapshot.Options{Logger: slog.New(slog.DiscardHandler)}); err != nil {
		return nil, err
	}
	leave, err := approval.NewDesk(d.store, approval.Options{Clock: time.Now})
	if err != nil {
		return nil, err
	}
	d.checker = &recheck.Checker{Keeper: d.keeper, Offers: offer.Keys{[]byte("the benchmark's own key")}, Desk: leave, Clock: time.Now}
	return d, d.publish(ctx, "1.0.0")
}

// publish puts the tools in, in a version of their own so that nothing that was
// compiled of the ones before is of use.
func (d *desk) publish(ctx context.Context, version string) error {
	var cat interlock.Catalogue
	for i := range d.tools {
		cat.Operations = append(cat.Operations, interlock.Operation{Name: fmt.Sprintf("t%d", i), Version: version, Effect: interlock.EffectRead, Tags: map[string]string{"group": fmt.Sprint(i % (policies - 1))},
			Variants:     []interlock.Variant{{ID: "d", Description: fmt.Sprint("looks up record number ", i)}},
			InputSchema:  json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"id":{"type":"string","title":%q}}}`, version)),
			OutputSchema: json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"},"pay":{"type":"number"}}}`), Binding: json.RawMessage(`"b"`)})
	}
	cfg := interlock.SourceConfig{Name: "s", Kind: interlock.KindManifest}
	_, err := d.reg.Publish(ctx, cfg, cat, registry.ByOperator)
	return err
}

// reader is a principal with 30 of the 40 roles that policies name.
func reader() interlock.Principal {
	p := interlock.Principal{Name: "reader", Tenant: "a"}
	for i := range 30 {
		p.Roles = append(p.Roles, fmt.Sprintf("r%d", i))
	}
	return p
}

// grouped is a set of 401 policies; the mark makes another set of the same.
func grouped(mark int, more string) (*policy.Set, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "// %d\npermit (principal, action == Action::\"readField\", resource);\n", mark)
	for i := range policies - 1 {
		fmt.Fprintf(&text, "permit (principal in Role::\"r%d\", action in [Action::\"discover\", Action::\"invoke\"], resource) when { resource.tags.contains(\"group=%d\") };\n", i%40, i)
	}
	return policy.Load([]policy.File{{Name: "bench.cedar", Text: []byte(text.String() + more)}})
}

// hidesPay masks a field of every tool.
const hidesPay = `forbid (principal, action == Action::"readField", resource) when { resource.at == "output:/pay" };`

// views measures the first look at a registry under new policies beside the
// plain loop, which asks every policy about every tool, and the looks after it.
func (b *bench) views(d *desk) error {
	rounds := b.pick(7, 3)
	b.say("looking at %d tools under new policies, %d times", d.tools, rounds)
	var plain, cold, masked, first, warm times
	for i := range rounds {
		set, err := grouped(i, "")
		if err != nil {
			return err
		}
		plain = append(plain, timed(func() { d.ask(set) }))
		d.keeper.SetPolicies(set)
		cold = append(cold, timed(func() { d.look() }))
		for range 200 {
			warm = append(warm, timed(func() { d.look() }))
		}
		if err := d.publish(context.Background(), fmt.Sprintf("1.0.%d", i+1)); err != nil {
			return err
		}
		for k, into := range []*times{&first, &masked} {
			if set, err = grouped(1000+2*i+k, hidesPay); err != nil {
				return err
			}
			d.keeper.SetPolicies(set)
			*into = append(*into, timed(func() { d.look() }))
		}
	}
	size := fmt.Sprintf(", %d tools", d.tools)
	loop := millis(plain.median())
	b.report.put(figure{Part: "policy", Name: "visible set, new policies" + size, Value: millis(cold.median()), Unit: "ms", Base: loop, BaseName: "the plain loop", Target: b.at(150)})
	b.report.put(figure{Part: "policy", Name: "the same, a field of every tool masked", Value: millis(masked.median()), Unit: "ms", Base: loop, BaseName: "the plain loop", Target: b.at(150)})
	b.report.put(figure{Part: "policy", Name: "the same, tools never masked before", Value: millis(first.median()), Unit: "ms", Base: loop, BaseName: "the plain loop"})
	b.report.put(figure{Part: "policy", Name: "visible set, seen policies" + size, Value: millis(warm.median()), Unit: "ms", Base: loop, BaseName: "the plain loop", Target: b.at(0.1)})
	return nil
}

// at is a target in milliseconds, at the size that it names.
func (b *bench) at(limit float64) *target {
	if b.opts.quick {
		return nil
	}
	return under(limit, "ms")
}

func timed(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}

func (d *desk) look() int { return len(snapshot.Take(d.keeper, d.who).View().Tools) }

// ask is the plain loop: every policy, about every tool.
func (d *desk) ask(set *policy.Set) (seen int) {
	for i := range d.tools {
		t := policy.NewTool(policy.Facts{ID: fmt.Sprintf("s/t%d", i), Tenant: interlock.SharedTenant, Source: "s", Family: fmt.Sprintf("s.t%d", i), Version: "1.0.0", Effect: interlock.EffectRead,
			State: interlock.StateActive, Tags: map[string]string{"group": fmt.Sprint(i % (policies - 1))}})
		if set.Discover(d.who, t).Allowed {
			seen++
		}
	}
	return seen
}

// rechecks measures everything that stands between a call's arrival and its
// send: the offer, the fingerprints, every policy, the arguments, and the last
// look. The baseline is the same under no policies.
func (b *bench) rechecks(ctx context.Context, d *desk) error {
	n := b.pick(20_000, 2_000)
	b.say("rechecking %d calls under %d policies", n, policies)
	set, err := grouped(0, hidesPay)
	if err != nil {
		return err
	}
	var with, without times
	for _, way := range []struct {
		into *times
		set  *policy.Set
		who  interlock.Principal
	}{{&without, nil, interlock.Principal{Name: "reader", Tenant: "a", Allow: []string{"*"}}}, {&with, set, d.who}} {
		d.keeper.SetPolicies(way.set)
		tools := snapshot.Take(d.keeper, way.who).View().Tools
		for i := range n {
			t := tools[i%len(tools)]
			req := interlock.CallRequest{Offer: d.checker.Seal(way.who, t, time.Now().Add(time.Minute)), Args: []byte(`{"id":"7"}`)}
			start := time.Now()
			c, err := recheck.Allow(ctx, d.checker, way.who, req)
			if err != nil {
				return fmt.Errorf("recheck of %s: %w", t.ID, err)
			}
			release := c.Lease()
			still := c.Still()
			release()
			if !still {
				return fmt.Errorf("recheck of %s: nothing changed, and it says so", t.ID)
			}
			*way.into = append(*way.into, time.Since(start))
		}
	}
	b.report.put(figure{Part: "policy", Name: "recheck of a call, p50", Value: millis(with.median()), Unit: "ms", Base: millis(without.median()), BaseName: "no policies"})
	b.report.put(figure{Part: "policy", Name: "recheck of a call, p99", Value: millis(with.quantile(0.99)), Unit: "ms", Base: millis(without.quantile(0.99)), BaseName: "no policies", Target: b.at(0.5)})
	return nil
}

// policedNeeds measures answers to new needs with policies on, beside the same
// without.
func (b *bench) policedNeeds(ctx context.Context) error {
	c, err := b.catalogue(resolveTools)
	if err != nil {
		return err
	}
	b.report.Catalogue = c.what
	lib, err := b.library(ctx, c)
	if err != nil {
		return err
	}
	set, err := grouped(0, `permit (principal in Role::"r1", action in [Action::"discover", Action::"invoke"], resource); forbid (principal, action == Action::"readField", resource) when { resource.at == "input:/limit" };`)
	if err != nil {
		return err
	}
	n := b.pick(900, 200)
	if len(c.needs) < warmNeeds+2*n {
		n = (len(c.needs) - warmNeeds) / 2
	}
	b.say("resolving %d new needs with policies, and as many without", n)
	lib.router.SetPolicies(set)
	var with, without times // the operator is above policies
	for i, need := range c.needs[:warmNeeds+2*n] {
		who, into := interlock.Local(), &without
		if i%2 == 0 {
			who, into = reader(), &with
		}
		start := time.Now()
		answer, err := lib.router.Resolve(ctx, who, interlock.Need{Text: need})
		took := time.Since(start)
		if err != nil {
			return err
		}
		if answer.Disposition == "" {
			b.report.Wrong++
		}
		if i >= warmNeeds {
			*into = append(*into, took)
		}
	}
	b.report.put(figure{Part: "policy", Name: "resolve a new need with policies, p50", Value: millis(with.median()), Unit: "ms", Base: millis(without.median()), BaseName: "no policies", Target: under(3, "ms")})
	b.report.put(figure{Part: "policy", Name: "resolve a new need with policies, p99", Value: millis(with.quantile(0.99)), Unit: "ms", Base: millis(without.quantile(0.99)), BaseName: "no policies", Target: under(10, "ms")})
	return lib.close()
}
