package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestNeedsFile: needs follow each other, a full file makes room, both are read
// back in order, and one that cannot be kept is told once and stops nothing.
func TestNeedsFile(t *testing.T) {
	dir := t.TempDir()
	var told bytes.Buffer
	f := &needsFile{path: filepath.Join(dir, "needs.jsonl"), most: 30, logger: slog.New(slog.NewTextHandler(&told, nil))}
	for _, need := range []string{`{"need":"first of all"}`, `{"need":"second"}`, `{"need":"third"}`} {
		f.keep([]byte(need))
	}
	s := &session{cfg: config{dir: dir, Log: configLog{Needs: "needs.jsonl"}}}
	needs, _, err := s.keptNeeds("")
	if err != nil || len(needs) != 3 || needs[0].Text != "first of all" || needs[2].Text != "third" {
		t.Errorf("%v, %+v", err, needs)
	}
	for _, name := range []string{f.path, f.path + olderNeeds} {
		info, err := os.Stat(name)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", name, err, info)
		}
	}
	lost := &needsFile{path: filepath.Join(dir, "none", "needs.jsonl"), most: 30, logger: f.logger}
	lost.keep([]byte(`{}`))
	lost.keep([]byte(`{}`))
	if n := strings.Count(told.String(), "needs are not kept"); n != 1 {
		t.Errorf("told %d times: %s", n, told.String())
	}
}

// TestKeptNeedsUnreadable: a need as long as one may be is read back, and a line
// that a crash tore takes no other with it; who names a file is told of its line.
func TestKeptNeedsUnreadable(t *testing.T) {
	dir := t.TempDir()
	f := &needsFile{path: filepath.Join(dir, "needs.jsonl"), most: mostNeeds, logger: slog.New(slog.DiscardHandler)}
	long, err := interlock.Marshal(interlock.Need{Text: strings.Repeat("x", interlock.MaxNeedBytes)})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`{"need":"first"}`, string(long), `{"need":"to{"need":"n"}`, `{"need":"last"}`} {
		f.keep([]byte(line))
	}
	s := &session{cfg: config{dir: dir, Log: configLog{Needs: "needs.jsonl"}}}
	needs, unread, err := s.keptNeeds("")
	if err != nil || unread != 1 || len(needs) != 3 || len(needs[1].Text) != interlock.MaxNeedBytes || needs[2].Text != "last" {
		t.Errorf("%v, %d lines unread, %d needs", err, unread, len(needs))
	}
	given := filepath.Join(dir, "given.jsonl")
	if err := os.WriteFile(given, []byte("{\"need\":\"first\"}\n{\"need\":\"to\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.keptNeeds(given); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a given file: %v", err)
	}
}

// TestNeedsFileOwn: a file that stood there, open to others, is its owner's alone
// before a need is written to it.
func TestNeedsFileOwn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such modes here")
	}
	path := filepath.Join(t.TempDir(), "needs.jsonl")
	if err := os.WriteFile(path, nil, 0o644); err != nil { //nolint:gosec // what is to be mended
		t.Fatal(err)
	}
	f := &needsFile{path: path, most: mostNeeds, logger: slog.New(slog.DiscardHandler)}
	f.keep([]byte(`{"need":"first"}`))
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
