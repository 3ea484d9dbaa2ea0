package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock/internal/lock"
)

const lockedTools = `
interlock: 1
source: docs
tools:
  - {name: ping, family: service.ping, version: 1.0.0, effect: read, variants: [{id: d, description: Ping}], input_schema: {type: object}, http: {method: POST, url: "http://127.0.0.1:9/ping"}}
`

// A source that is down is worth a retry, until it answers again.
func TestPreflightOfASourceThatIsDown(t *testing.T) {
	dir := t.TempDir()
	manifest, file := filepath.Join(dir, "docs.yaml"), filepath.Join(dir, "interlock.lock")
	if err := os.WriteFile(manifest, []byte(lockedTools), 0o600); err != nil {
		t.Fatal(err)
	}
	store := filepath.Join(dir, "interlock.db")
	var out, errs bytes.Buffer
	do := func(args ...string) int {
		out.Reset()
		return run(t.Context(), append(args, "--json", "--store", store, "--embedder", "none"), process{in: &bytes.Buffer{}, out: &out, err: &errs, lookup: func(string) (string, bool) { return "", false }})
	}
	preflight := func() (got []string, exit int) {
		exit = do("preflight", "--file", file)
		var answer struct {
			Exit         int
			Capabilities []lock.Status
		}
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil || answer.Exit != exit {
			t.Fatalf("exit code %d: %s %v %s", exit, out.Bytes(), err, errs.Bytes())
		}
		for _, s := range answer.Capabilities {
			got = append(got, s.Family+" "+string(s.Reason))
		}
		return got, exit
	}
	if do("add", "manifest", manifest) != 0 || do("lock", "service.ping=^1", "--file", file) != 0 {
		t.Fatal(out.String(), errs.String())
	}
	a := &app{commands: &programs{}, keyrings: &keyrings{}, process: process{out: &out, err: &errs, lookup: os.LookupEnv}, globals: globals{Store: store, Embedder: "none"}}
	var err error
	if a.logger, err = newLogger(&errs, "error"); err != nil {
		t.Fatal(err)
	}
	s, err := a.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.local.MarkDown(t.Context(), "docs", "it does not answer"); err != nil {
		t.Fatal(err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	got, exit := preflight()
	if diff := cmp.Diff([]string{"service.ping unavailable"}, got); diff != "" || exit != 10 {
		t.Errorf("down: exit code %d %s", exit, diff)
	}
	if do("add", "manifest", manifest) != 0 {
		t.Fatal(out.String(), errs.String())
	}
	if got, exit = preflight(); exit != 0 {
		t.Errorf("up again: exit code %d %v", exit, got)
	}
}

// What cannot be written leaves what was there, and nothing beside it.
func TestLockFileIsReplacedWhole(t *testing.T) {
	dir := t.TempDir()
	l := lockFile{File: filepath.Join(dir, "interlock.lock")}
	c := lock.Capability{Family: "a.b", Range: "^1", BuiltAgainst: "1.0.0", Version: "1.0.0", Tool: "a/b", Effect: "read",
		Contract: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", Pin: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}
	for _, want := range []bool{true, false} {
		if written, err := l.write(lock.New().With(c)); err != nil || written != want {
			t.Fatalf("written %v, want %v: %v", written, want, err)
		}
	}
	f, err := l.read()
	if diff := cmp.Diff(lock.New().With(c), f); err != nil || diff != "" {
		t.Error(err, diff)
	}
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 1 {
		t.Errorf("beside the file there is something else: %v %v", names, err)
	}
	if _, err := (lockFile{File: filepath.Join(dir, "none", "interlock.lock")}).write(f); err == nil {
		t.Error("a file was written into a folder that is not there")
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := (lockFile{File: filepath.Join(dir, "folder")}).read(); err == nil {
		t.Error("a folder was read as a lock file")
	}
}
