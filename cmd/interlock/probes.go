package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-ae386458/interlock"
)

// configProbes says when a server probes by itself. Without it, it never does:
// probes are requests that nobody else asked for.
type configProbes struct {
	Every  string `json:"every"`  // as a duration; without it only new and changed tools are probed
	Budget int    `json:"budget"` // requests a tool at most
}

// defaultProbes is the budget of probes that nobody waits for: they come again.
const defaultProbes = 10

// leastEvery bounds how often everything is probed.
const leastEvery = time.Minute

func (c configProbes) check() error {
	every, err := time.ParseDuration(cmp.Or(c.Every, "0s"))
	if err != nil || every != 0 && every < leastEvery {
		return fmt.Errorf("probes.every: %q is no duration of a minute or more, such as 6h", c.Every)
	}
	if c.Budget < 0 || c.Budget > interlock.MaxProbeBudget {
		return fmt.Errorf("probes.budget lies between 1 and %d", interlock.MaxProbeBudget)
	}
	return nil
}

// settleTime is how long a tool that was published rests before it is probed,
// so that a source that is read in pieces is probed once.
const settleTime = 2 * time.Second

// probes probes tools when they are registered, after any change of their
// fingerprints, and from time to time, for as long as the configuration says so.
func (u *server) probes(ctx context.Context) {
	var known map[string]string
	look := time.NewTicker(settleTime)
	defer look.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		c := u.conf.Load().Probes
		if c == nil {
			known, last = nil, time.Now()
			continue
		}
		every, _ := time.ParseDuration(cmp.Or(c.Every, "0s")) // checked when it was read
		due := every > 0 && time.Since(last) >= every
		if due {
			last = time.Now()
		}
		now := u.session.local.Fingerprints()
		for tool, print := range now {
			if (due || known[tool] != print) && ctx.Err() == nil {
				u.probeOne(ctx, tool, cmp.Or(c.Budget, defaultProbes))
			}
		}
		known = now
	}
}

// probeOne probes one tool and logs what does not hold.
func (u *server) probeOne(ctx context.Context, tool string, budget int) {
	report, err := u.session.local.Probe(ctx, interlock.Local(), interlock.ProbeRequest{What: tool, Budget: budget})
	if err != nil && !errors.Is(err, context.Canceled) {
		u.app.logger.Warn("a tool could not be probed", "tool", tool, "err", err)
	}
	for _, t := range report.Tools {
		for _, c := range t.Checks {
			if !c.Holds {
				u.app.logger.Warn("a tool does not do what it documents", "tool", tool, "kind", c.Kind, "at", c.Pointer)
			}
		}
	}
}
