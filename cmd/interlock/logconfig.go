package main

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/seed-ae386458/interlock/receipt"
)

// configLog is what a configuration says of logs: the operator's, and the
// append-only one.
type configLog struct {
	Level   string        `json:"level"`
	Seen    string        `json:"seen"`  // file that keeps the last checkpoint outside the store
	Needs   string        `json:"needs"` // file that keeps needs as they were asked; empty keeps none
	Witness configWitness `json:"witness"`
}

// configWitness says who else must sign checkpoints.
type configWitness struct {
	Need   int    `json:"need"`   // how many of the witnesses
	Within string `json:"within"` // how old their newest signatures may be, as a duration
	By     []struct {
		Key string `json:"key"` // verifier key
		URL string `json:"url"` // where it is asked; empty for one that is asked by file
	} `json:"by"`
}

func (c configLog) check() error {
	if c.Level != "" && new(slog.Level).UnmarshalText([]byte(c.Level)) != nil {
		return fmt.Errorf("level: %q is none of debug, info, warn, error", c.Level)
	}
	if c.Witness.Within != "" {
		if d, err := time.ParseDuration(c.Witness.Within); err != nil || d <= 0 {
			return fmt.Errorf("witness.within: %q is no duration such as 24h", c.Witness.Within)
		}
	}
	if err := c.Witness.policy().Validate(); err != nil {
		return fmt.Errorf("witness: %w", err)
	}
	return nil
}

// policy is what the log is held to.
func (c configWitness) policy() receipt.WitnessPolicy {
	p := receipt.WitnessPolicy{Need: c.Need}
	p.Within, _ = time.ParseDuration(c.Within) // checked when it was read
	for _, w := range c.By {
		p.Keys = append(p.Keys, w.Key)
	}
	return p
}

// seenPath is where the last checkpoint is kept outside the store.
func (s *session) seenPath() string {
	if s.cfg.Log.Seen != "" {
		return s.cfg.path(s.cfg.Log.Seen)
	}
	return s.path + ".seen"
}
