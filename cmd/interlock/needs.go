package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/eval"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// needsFile keeps needs as they were asked, one JSON object a line, for who
// wants to learn from them. It is no part of the log, and may be deleted.
type needsFile struct {
	path   string
	most   int64 // bytes; a file that has more becomes the old one
	logger *slog.Logger

	mu     sync.Mutex
	failed bool // the last need was not kept
}

// mostNeeds is how many bytes of needs are kept in each of two files.
const mostNeeds = 64 << 20

// olderNeeds is added to the name of the file that was full before.
const olderNeeds = ".1"

// keep adds a need. One that cannot be kept costs no answer; the first of them
// is told.
func (f *needsFile) keep(need []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.add(need)
	if err != nil && !f.failed {
		f.logger.Error("needs are not kept", "file", f.path, "err", err)
	}
	f.failed = err != nil
}

func (f *needsFile) add(need []byte) error {
	if info, err := os.Stat(f.path); err == nil && info.Size() > f.most {
		if err := os.Rename(f.path, f.path+olderNeeds); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(f.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(bytes.Clone(need), '\n'))
	return errors.Join(err, file.Close())
}

// asked gives what keeps the needs of a configuration; nil where none are kept.
func (s *session) asked(logger *slog.Logger) func([]byte) {
	if s.cfg.Log.Needs == "" {
		return nil
	}
	return (&needsFile{path: s.cfg.path(s.cfg.Log.Needs), most: mostNeeds, logger: logger}).keep
}

// keptNeeds reads the needs of a file, or those that the configuration has
// kept; none where neither is there.
func (s *session) keptNeeds(file string) ([]interlock.Need, error) {
	if file != "" {
		return readNeeds(file)
	}
	if s.cfg.Log.Needs == "" {
		return nil, nil
	}
	path := s.cfg.path(s.cfg.Log.Needs)
	var out []interlock.Need
	for _, name := range []string{path + olderNeeds, path} {
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		needs, err := readNeeds(name)
		if err != nil {
			return nil, err
		}
		out = append(out, needs...)
	}
	return out, nil
}

func readNeeds(file string) ([]interlock.Need, error) {
	rows, err := os.ReadFile(file)
	if err != nil {
		return nil, usagef("cannot read the needs: %v", err)
	}
	var out []interlock.Need
	for number, line := range bytes.Split(rows, []byte{'\n'}) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		need, err := wire.ReadNeed(line)
		if err != nil {
			return nil, usagef("%s, line %d: %v", file, number+1, interlock.AsError(err).Public)
		}
		out = append(out, need)
	}
	return out, nil
}

// needNames gives what names needs in the log of the store: it takes its keys.
func (a *app) needNames() (func(interlock.Need) ([]string, error), error) {
	keys, err := a.storeKeys()
	if err != nil {
		return nil, err
	}
	return func(n interlock.Need) ([]string, error) {
		text, err := interlock.Marshal(n)
		if err != nil {
			return nil, err
		}
		return keys.KeyedDigests(text), nil
	}, nil
}

// readAccepted reads the whole log for what was called after needs.
func readAccepted(ctx context.Context, s *session, which eval.Asked) (eval.Accepted, error) {
	var all []interlock.LogEntry
	for from := int64(0); ; {
		entries, err := s.LogList(ctx, from, page)
		if err != nil || len(entries) == 0 {
			accepted, bad := eval.ReadAccepted(all, which)
			return accepted, errors.Join(err, bad)
		}
		for _, e := range entries {
			switch e.Type {
			case interlock.EntryResolve, interlock.EntryCall, interlock.EntryIndeterminate:
				all = append(all, e)
			}
		}
		from = entries[len(entries)-1].Index + 1
	}
}
