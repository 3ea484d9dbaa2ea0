package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"runtime"
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
	if err := file.Chmod(0o600); err != nil && runtime.GOOS != "windows" { // one that stood there may be open to others
		return errors.Join(err, file.Close())
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
// kept; none where neither is there. A kept line that is no need, as a crash or
// a full disk leaves one, is counted and takes no other with it.
func (s *session) keptNeeds(file string) (needs []interlock.Need, unread int, err error) {
	if file != "" {
		needs, err = readNeeds(file)
		return needs, 0, err
	}
	if s.cfg.Log.Needs == "" {
		return nil, 0, nil
	}
	path := s.cfg.path(s.cfg.Log.Needs)
	for _, name := range []string{path + olderNeeds, path} {
		rows, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, 0, usagef("cannot read the needs: %v", err)
		}
		for line := range eachNeed(rows) {
			var need interlock.Need // it was held to its bounds before it was kept
			if json.Unmarshal(line, &need) != nil {
				unread++
				continue
			}
			needs = append(needs, need)
		}
	}
	return needs, unread, nil
}

// eachNeed gives the lines that are not empty, with their numbers.
func eachNeed(rows []byte) iter.Seq2[[]byte, int] {
	return func(yield func([]byte, int) bool) {
		for i, line := range bytes.Split(rows, []byte{'\n'}) {
			if len(bytes.TrimSpace(line)) > 0 && !yield(line, i+1) {
				return
			}
		}
	}
}

func readNeeds(file string) ([]interlock.Need, error) {
	rows, err := os.ReadFile(file)
	if err != nil {
		return nil, usagef("cannot read the needs: %v", err)
	}
	var out []interlock.Need
	for line, number := range eachNeed(rows) {
		need, err := wire.ReadNeed(line)
		if err != nil {
			return nil, usagef("%s, line %d: %v", file, number, interlock.AsError(err).Public)
		}
		out = append(out, need)
	}
	return out, nil
}

// tellUnread says how many kept lines are no needs.
func (a *app) tellUnread(n int) {
	if n > 0 && !a.JSON {
		tell(a.err, "%d lines of the needs kept cannot be read and are left out\n", n)
	}
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
