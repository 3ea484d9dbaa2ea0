package sqlite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

const stepNext = `CREATE TABLE later (x TEXT NOT NULL); INSERT INTO later VALUES ('made by the next step');`

func TestMigrate(t *testing.T) {
	ctx, now := context.Background(), len(steps())
	path := filepath.Join(t.TempDir(), "store.db")
	first := mustOpen(t, path, steps())
	if _, err := first.Commit(ctx, 0, interlock.Change{PutTools: []interlock.ToolRecord{{ID: "a/b"}}}); err != nil {
		t.Fatal(err)
	}
	mustClose(t, first)

	// A step that fails leaves the store as the step before it did.
	broken := append(steps(), stepNext, `CREATE TABLE later (x)`)
	if _, err := open(ctx, path, Options{}, broken); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("from version %d to %d", now+1, now+2)) {
		t.Fatalf("a broken step gave %v", err)
	}
	checkVersion(t, path, now+1)

	// The way up, with a step in place of the broken one.
	mustClose(t, mustOpen(t, path, append(steps(), stepNext)))
	third := mustOpen(t, path, append(steps(), stepNext, `INSERT INTO later VALUES ('made by the one after')`))
	state, err := third.Load(ctx)
	if err != nil || state.Generation != 1 || len(state.Tools) != 1 {
		t.Errorf("generation %d with %d tools, %v", state.Generation, len(state.Tools), err)
	}
	mustClose(t, third)
	checkVersion(t, path, now+2)
	if got, want := copies(t, path), []string{fmt.Sprintf("store.db.version-%d", now), fmt.Sprintf("store.db.version-%d", now+1)}; !cmp.Equal(got, want) {
		t.Errorf("copies %v, want %v", got, want)
	}
	for _, name := range copies(t, path) {
		checkCopy(t, filepath.Join(filepath.Dir(path), name))
	}
	if _, err := Open(ctx, path, Options{}); interlock.ReasonOf(err) != interlock.ReasonStoreNewer {
		t.Errorf("a newer store: %v", err)
	}
}

// A copy is a store of the old version, and is not written over.
func TestCopyIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	saved := fmt.Sprintf("%s.version-%d", path, len(steps()))
	mustClose(t, mustOpen(t, path, steps()))
	if err := os.WriteFile(saved, []byte("somebody's"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustClose(t, mustOpen(t, path, append(steps(), stepNext)))
	if kept, err := os.ReadFile(saved); err != nil || string(kept) != "somebody's" {
		t.Errorf("the earlier copy reads %q, %v", kept, err)
	}
	checkVersion(t, saved+".1", len(steps()))
}

func mustOpen(t *testing.T, path string, steps []string) *Store {
	t.Helper()
	s, err := open(context.Background(), path, Options{}, steps)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func mustClose(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func copies(t *testing.T, path string) []string {
	t.Helper()
	found, err := filepath.Glob(path + ".version-*")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range found {
		names = append(names, filepath.Base(name))
	}
	return names
}

func checkCopy(t *testing.T, path string) {
	t.Helper()
	db, err := openDB(path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var tools int
	var check string
	if err := db.QueryRow(`SELECT count(*) FROM tools`).Scan(&tools); err != nil || tools != 1 {
		t.Errorf("%s holds %d tools, %v", filepath.Base(path), tools, err)
	}
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&check); err != nil || check != "ok" {
		t.Errorf("%s: %s, %v", filepath.Base(path), check, err)
	}
}

func checkVersion(t *testing.T, path string, want int) {
	t.Helper()
	db, err := openDB(path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var got int
	if err := db.QueryRow(`PRAGMA user_version`).Scan(&got); err != nil || got != want {
		t.Errorf("version %d, want %d, %v", got, want, err)
	}
}

// After a failed flush nothing is acknowledged as safe, though later syncs
// would succeed.
func TestFailedFlushIsRemembered(t *testing.T) {
	ctx := context.Background()
	s := mustOpen(t, filepath.Join(t.TempDir(), "store.db"), steps())
	wal := s.wal
	closed, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	s.wal = closed
	if err := s.FlushLog(ctx); err == nil {
		t.Fatal("a sync that fails is reported as good")
	}
	s.wal = wal
	for name, call := range map[string]func() error{
		"flush":    func() error { return s.FlushLog(ctx) },
		"commit":   func() error { _, err := s.Commit(ctx, 0, interlock.Change{}); return err },
		"approval": func() error { return s.PutApproval(ctx, interlock.Approval{ID: "a"}) },
	} {
		if call() == nil {
			t.Errorf("%s after a failed flush is acknowledged", name)
		}
	}
}

func TestReasons(t *testing.T) {
	s := &Store{path: "/secret/place"}
	for _, each := range []struct {
		err  error
		want interlock.Reason
	}{
		{context.DeadlineExceeded, interlock.ReasonTimeout},
		{errors.New("anything"), interlock.ReasonInternal},
		{&os.PathError{Op: "write", Path: "x", Err: fullError()}, interlock.ReasonStoreFull},
	} {
		got := s.failed("op", each.err)
		if interlock.ReasonOf(got) != each.want || !errors.Is(got, each.err) {
			t.Errorf("%v became %v", each.err, got)
		}
		if strings.Contains(interlock.AsError(got).Public, s.path) {
			t.Errorf("the public text names the path: %s", interlock.AsError(got).Public)
		}
	}
	if s.failed("op", nil) != nil {
		t.Error("no error became one")
	}
}

func FuzzDecodeTool(f *testing.F) {
	for _, tool := range []interlock.ToolRecord{{}, {ID: "a/b", Waiting: &interlock.Operation{Name: "w", Binding: json.RawMessage(`{}`)}}, {Operation: interlock.Operation{InputSchema: json.RawMessage(` { "x" : 1 } `), Annotations: json.RawMessage{}}}} {
		blob, err := encodeTool(tool)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(blob)
		f.Add(blob[:len(blob)-1])
	}
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, 12))
	f.Fuzz(func(t *testing.T, blob []byte) {
		tool, err := decodeTool(blob)
		if err != nil {
			return
		}
		again, err := encodeTool(tool)
		if err != nil {
			t.Skip("a record with raw members inside the text, as no encoder writes")
		}
		back, err := decodeTool(again)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if diff := cmp.Diff(tool, back); diff != "" {
			t.Fatal(diff)
		}
	})
}
