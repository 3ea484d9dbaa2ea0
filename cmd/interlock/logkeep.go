package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// Run drops the entries before a place.
func (c logPruneCmd) Run(ctx context.Context, a *app) error {
	return a.withLog(ctx, func(s *session) error {
		before, err := c.place(ctx, a, s)
		if err != nil {
			return err
		}
		pruned, err := s.LogPrune(ctx, before, interlock.Local().Name, c.Why)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.print(pruned)
		}
		return tell(a.out, "dropped %d entries, %d in all; %d are kept\n", pruned.Now, pruned.Dropped, pruned.Kept)
	})
}

// place gives the first entry that is kept.
func (c logPruneCmd) place(ctx context.Context, a *app, s *session) (int64, error) {
	switch {
	case c.Before != nil:
		return *c.Before, nil
	case c.Checkpoint != "":
		text, err := a.readFile("log prune", c.Checkpoint)
		if err != nil {
			return 0, err
		}
		// It counts only where this log grew out of it.
		if _, err := s.LogCheck(ctx, receipt.Check{Held: []string{string(text)}}); err != nil {
			return 0, err
		}
		return receipt.SizeOf(string(text))
	case c.Keep != nil && *c.Keep >= 0:
		signed, err := s.LogCheckpoint(ctx)
		if err != nil {
			return 0, err
		}
		size, err := receipt.SizeOf(signed)
		return max(0, size-*c.Keep), err
	case c.OlderThan > 0:
		return c.byTime(ctx, s)
	}
	return 0, usagef("say what is dropped: --before, --keep, --older-than or --checkpoint")
}

// byTime gives the first entry that is not older than the age that is asked
// for. The order of the log counts: behind it nothing is dropped, whatever its
// clock said.
func (c logPruneCmd) byTime(ctx context.Context, s *session) (int64, error) {
	limit := time.Now().Add(-c.OlderThan)
	for from := int64(0); ; {
		entries, err := s.LogList(ctx, from, page)
		if err != nil || len(entries) == 0 {
			return from, err
		}
		for _, e := range entries {
			var body struct {
				At time.Time `json:"at"`
			}
			if json.Unmarshal(e.Body, &body) == nil && !body.At.IsZero() && !body.At.Before(limit) {
				return e.Index, nil
			}
		}
		from = entries[len(entries)-1].Index + 1
	}
}

// Run opens the log in the state that it has and puts that on record.
func (logRestoredCmd) Run(ctx context.Context, a *app) error {
	s, err := a.prepare()
	if err != nil {
		return err
	}
	if client := running(s.path); client != nil {
		client.Close()
		return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonStoreLocked, Stage: "cmd",
			Public: "A server runs on this store, so its log is the one that was seen. Stop it before the store is put back."}
	}
	a.restored = interlock.Local().Name
	return a.withLog(ctx, func(s *session) error {
		report, err := s.LogCheck(ctx, receipt.Check{})
		if err != nil {
			return err
		}
		return a.holds(map[string]any{"verified": true, "entries": report.Size}, "%d entries; the log says that it was put back, and goes on from here", report.Size)
	})
}

// Run prints the verifier keys.
func (keysListCmd) Run(_ context.Context, a *app) error {
	keys, err := a.storeKeys()
	if err != nil {
		return err
	}
	return a.printKeys(keys)
}

// storeKeys reads the keys of the store.
func (a *app) storeKeys() (receipt.Keys, error) {
	s, err := a.prepare()
	if err != nil {
		return receipt.Keys{}, err
	}
	if _, err := os.Stat(s.path + ".keys"); err != nil {
		return receipt.Keys{}, fileError("keys", fmt.Errorf("there are no keys of a store at %s: %w", s.path, err))
	}
	return receipt.LoadKeys(s.path+".keys", rand.Reader)
}

func (a *app) printKeys(keys receipt.Keys) error {
	if a.JSON {
		return a.print(map[string]any{"origin": keys.Origin(), "verifier_keys": keys.VerifierKeys()})
	}
	for _, key := range keys.VerifierKeys() {
		if err := tell(a.out, "%s\n", key); err != nil {
			return err
		}
	}
	return nil
}

// Run makes new keys.
func (keysRotateCmd) Run(_ context.Context, a *app) error {
	if _, err := a.storeKeys(); err != nil {
		return err
	}
	s, err := a.prepare()
	if err != nil {
		return err
	}
	keys, err := receipt.RotateKeys(s.path+".keys", rand.Reader)
	if err != nil {
		return err
	}
	client := running(s.path)
	if client != nil {
		client.Close()
	}
	a.hint(client != nil, "The running server takes the new keys when it starts again.")
	return a.printKeys(keys)
}
