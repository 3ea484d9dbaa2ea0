package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
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
	needs, err := s.keptNeeds("")
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
