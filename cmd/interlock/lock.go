package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/lock"
)

// lockFile is where a command finds the lock file.
type lockFile struct {
	File string `help:"The lock file." default:"interlock.lock" placeholder:"FILE"`
}

type lockCmd struct {
	lockFile
	Want         []string `arg:"" optional:"" name:"capability" help:"FAMILY=RANGE: a family that the agent uses and the versions it accepts." sep:"none"`
	Update       []string `help:"Take the newest version of this family that is proved to serve the agent; * for every one." sep:"none" placeholder:"FAMILY"`
	BuiltAgainst []string `help:"The version that the agent was written for; without it, the one that is locked first." sep:"none" placeholder:"FAMILY=VERSION"`
	Drop         []string `help:"Take this family out." sep:"none" placeholder:"FAMILY"`
}

// Run writes the lock file, or refreshes it.
func (c lockCmd) Run(ctx context.Context, a *app) error {
	before, err := c.read()
	if errors.Is(err, fs.ErrNotExist) && len(c.Want) > 0 {
		before, err = lock.New(), nil
	}
	if err != nil {
		return c.missing(err)
	}
	base := before
	for _, family := range c.Drop {
		if _, ok := before.Get(family); !ok {
			return usagef("--drop: %s is not in %s", family, c.File)
		}
		base = base.Without(family)
	}
	wishes, err := c.wishes(base)
	if err != nil {
		return err
	}
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		after, err := s.take(ctx, who, base, wishes)
		if err != nil {
			return err
		}
		written, err := c.write(after)
		if err != nil {
			return err
		}
		return c.tell(a, after, lock.Changes(before, after), written)
	})
}

// wishes gives what is asked of every family: those of the command line and
// those of the file.
func (c lockCmd) wishes(f lock.File) ([]lock.Wish, error) {
	byName := map[string]*lock.Wish{}
	var order []string
	add := func(family string) *lock.Wish {
		if byName[family] == nil {
			byName[family] = &lock.Wish{Constraint: interlock.Constraint{Family: family}}
			order = append(order, family)
		}
		return byName[family]
	}
	for _, have := range f.Capabilities {
		add(have.Family)
	}
	for _, text := range c.Want {
		family, rng, ok := strings.Cut(text, "=")
		if !ok || family == "" || strings.TrimSpace(rng) == "" {
			return nil, usagef("%q is not FAMILY=RANGE, such as 'document.extract=^2.0'", text)
		}
		add(family).Range = rng
	}
	for _, text := range c.BuiltAgainst {
		family, v, ok := strings.Cut(text, "=")
		if !ok || v == "" || byName[family] == nil {
			return nil, usagef("--built-against %q is not FAMILY=VERSION of a family that is locked", text)
		}
		byName[family].BuiltAgainst = v
	}
	for _, family := range c.Update {
		if family != "*" && byName[family] == nil {
			return nil, usagef("--update: %s is not in %s", family, c.File)
		}
	}
	wishes := make([]lock.Wish, 0, len(order))
	for _, family := range order {
		byName[family].Update = slices.Contains(c.Update, family) || slices.Contains(c.Update, "*")
		wishes = append(wishes, *byName[family])
	}
	return wishes, nil
}

// take locks every family, or none: what stops any is told of all.
func (s *session) take(ctx context.Context, who interlock.Principal, f lock.File, wishes []lock.Wish) (lock.File, error) {
	var failed []*interlock.Error
	for _, w := range wishes {
		var have *lock.Capability
		if c, ok := f.Get(w.Family); ok {
			have = &c
		}
		info, err := s.Family(ctx, who, w.Under(have))
		var taken lock.Capability
		if err == nil {
			taken, err = lock.Take(w, have, info)
		}
		if err != nil {
			failed = append(failed, interlock.AsError(err))
			continue
		}
		f = f.With(taken)
	}
	if len(failed) == 0 {
		return f, nil
	}
	all := *failed[0]
	for _, e := range failed[1:] {
		all.Public += " " + e.Public
	}
	all.Public += " The lock file is as it was."
	return f, &all
}

// tell says what is locked and what moved.
func (c lockCmd) tell(a *app, f lock.File, changes []lock.Change, written bool) error {
	if a.JSON {
		return a.print(map[string]any{"file": c.File, "written": written, "lock": f, "changes": changes})
	}
	rows := make([][]string, 0, len(f.Capabilities))
	for _, have := range f.Capabilities {
		rows = append(rows, []string{have.Family, have.Range, have.Version, have.Tool, string(have.Effect), changed(changes, have.Family)})
	}
	if err := table(a.out, []string{"FAMILY", "RANGE", "VERSION", "TOOL", "EFFECT", "CHANGED"}, rows); err != nil {
		return err
	}
	for _, ch := range changes {
		if ch.What == "dropped" {
			tell(a.out, "dropped %s %s\n", ch.Family, ch.From)
		}
	}
	word := "unchanged"
	if written {
		word = "written"
	}
	err := tell(a.out, "%s %s\n", c.File, word)
	return err
}

// changed lists what moved of one family.
func changed(changes []lock.Change, family string) string {
	var out []string
	for _, ch := range changes {
		switch {
		case ch.Family != family:
		case ch.What == "added":
			out = append(out, "added")
		case len(ch.From) == 64: // a hash says nothing to people
			out = append(out, ch.What)
		default:
			out = append(out, fmt.Sprintf("%s %s → %s", ch.What, ch.From, ch.To))
		}
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, ", ")
}

// read reads the lock file.
func (l lockFile) read() (lock.File, error) {
	in, err := os.Open(l.File)
	if err != nil {
		return lock.File{}, err
	}
	defer in.Close() //nolint:errcheck // read only
	text, err := io.ReadAll(io.LimitReader(in, lock.MaxBytes+1))
	if err != nil {
		return lock.File{}, usagef("cannot read %s: %v", l.File, err)
	}
	f, err := lock.Read(text)
	var bad *interlock.Error
	if errors.As(err, &bad) {
		named := *bad
		named.Public = l.File + ": " + bad.Public
		return lock.File{}, &named
	}
	return f, err
}

// missing says how to make a lock file where there is none.
func (l lockFile) missing(err error) error {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usagef("there is no %s; `interlock lock 'FAMILY=RANGE'` makes one", l.File)
	case errors.As(err, &path):
		return usagef("cannot read %s: %v", l.File, path.Err)
	}
	return err
}

// write replaces the lock file as a whole, where it says anything new.
func (l lockFile) write(f lock.File) (bool, error) {
	text, err := f.Bytes()
	if err != nil {
		return false, err
	}
	if old, err := os.ReadFile(l.File); err == nil && bytes.Equal(old, text) {
		return false, nil
	}
	tmp, err := os.CreateTemp(filepath.Dir(l.File), ".interlock.lock-*")
	if err != nil {
		return false, usagef("cannot write %s: %v", l.File, err)
	}
	_, err = tmp.Write(text)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), l.File)
	}
	if err != nil {
		return false, errors.Join(fmt.Errorf("write %s: %w", l.File, err), os.Remove(tmp.Name()))
	}
	return true, nil
}
