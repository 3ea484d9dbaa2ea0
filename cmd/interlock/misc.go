package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/demo"
	"github.com/seed-ae386458/interlock/policy"
)

// Run prints the version and what it was built from.
func (versionCmd) Run(a *app) error {
	facts := map[string]string{"version": version, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				facts["revision"] = s.Value
			}
		}
	}
	if a.JSON {
		return a.print(facts)
	}
	err := tell(a.out, "interlock %s %s (%s)\n", facts["version"], facts["platform"], facts["go"])
	return err
}

// Run checks everything that can be checked from here and says what to do about
// what is wrong.
func (doctorCmd) Run(ctx context.Context, a *app) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		if err := s.may(who, policy.Audit, "asks for the health of the whole"); err != nil {
			return err
		}
		facts, err := s.Status(ctx)
		if err != nil {
			return err
		}
		facts["store"], facts["running"] = s.path, s.local == nil
		size, err := s.LogVerify(ctx)
		facts["log_entries"], facts["log_verified"] = size, err == nil
		down, refused := []string{}, []string{}
		list, listed := s.Sources(ctx, who)
		for _, src := range list {
			switch src.State {
			case "":
			case interlock.SourceNeedsAuth:
				refused = append(refused, src.Name)
			default:
				down = append(down, src.Name)
			}
		}
		facts["sources_down"], facts["sources_need_auth"] = down, refused
		if a.JSON {
			return errors.Join(a.print(facts), err, listed)
		}
		a.tellFacts(facts)
		for _, name := range down {
			tell(a.out, "%s %s does not answer; its tools are unavailable until it does. Start it, or add it again where it is now.\n", a.style(a.out).yellow("down"), name)
		}
		for _, name := range refused {
			tell(a.out, "%s %s does not accept its credential (401). Renew the secret behind the reference; it is read again by itself.\n", a.style(a.out).yellow("auth"), name)
		}
		return errors.Join(err, listed)
	})
}

func (a *app) tellFacts(facts map[string]any) {
	names := make([]string, 0, len(facts))
	for name := range facts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		tell(a.out, "%-14s %v\n", name, facts[name])
	}
}

// Run shows the rolling upgrade on a store of its own, which ends with it.
func (c demoUpgrade) Run(ctx context.Context, a *app) (err error) {
	dir, err := os.MkdirTemp("", "interlock-demo-")
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder of our own
	own := *a
	own.Store, own.Config = filepath.Join(dir, "demo.db"), ""
	s, err := own.prepare()
	if err != nil {
		return err
	}
	if err := own.openLocal(ctx, s, 0); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	service, err := demo.Start("127.0.0.1:0")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	report, err := c.watch(ctx, &own, s, service)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.print(report)
	}
	return a.tellUpgrade(report)
}

func (c demoUpgrade) watch(ctx context.Context, a *app, s *session, service *demo.Service) (demo.Report, error) {
	var naive *demo.Naive
	if c.Naive {
		embedder, err := a.embedder(s.cfg)
		if err != nil {
			return demo.Report{}, err
		}
		if naive, err = demo.NewNaive(ctx, embedder); err != nil {
			return demo.Report{}, err
		}
	}
	say := func(text string) {
		if !a.JSON {
			tell(a.out, "%s %s\n", a.style(a.out).dim("·"), text)
		}
	}
	return demo.Upgrade(ctx, s.local, service, naive, say)
}

func (a *app) tellUpgrade(r demo.Report) error {
	st := a.style(a.out)
	rows := [][]string{{"interlock", fmt.Sprint(r.Calls), fmt.Sprint(r.Misroutes), fmt.Sprint(r.Refusals), fmt.Sprint(r.ShadowEvents)}}
	if r.Naive != nil {
		rows = append(rows, []string{"filter after truncation", fmt.Sprint(r.Naive.Calls), fmt.Sprintf("%d (%.1f %%)", r.Naive.Misroutes, r.Naive.Share), "-", "-"})
	}
	tell(a.out, "\n%s\n", st.bold("document.extract 2.3.0 to 3.0.0, 90 tenants pinned to ^2.0"))
	if err := table(a.out, []string{"RESOLVER", "CALLS", "MISROUTES", "REFUSALS", "SHADOW EVENTS"}, rows); err != nil {
		return err
	}
	err := tell(a.out, "\nA shadow event says that 3.0.0 reads more like the need than the 2.3.0 that was chosen: the choice stood, the wording wants refreshing.\n")
	return err
}
