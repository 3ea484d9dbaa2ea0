package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/seed-ae386458/interlock/internal/demo"
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
