package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/store/sqlite"
	"github.com/seed-ae386458/interlock/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, place string) interlock.Store {
		return open(t, filepath.Join(place, "store.db"), sqlite.Options{})
	})
}

// open opens a store that the test closes.
func open(t testing.TB, path string, opts sqlite.Options) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(context.Background(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// wantReason checks the reason of an error and that its public text names each
// of the given words.
func wantReason(t *testing.T, err error, want interlock.Reason, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s", want)
	}
	if got := interlock.ReasonOf(err); got != want {
		t.Fatalf("reason %s, want %s: %v", got, want, err)
	}
	for _, word := range words {
		if public := interlock.AsError(err).Public; !strings.Contains(public, word) {
			t.Errorf("the message does not name %q: %s", word, public)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, each := range []struct {
		name   string
		make   func(t *testing.T, path string)
		reason interlock.Reason
		words  []string
	}{
		{"a text file", fileWith("this is no database, and long enough to be looked at as one by its first hundred bytes, in which the magic is"), interlock.ReasonStoreCorrupt, []string{"store.db", "backup"}},
		{"a cut database", cutStore, interlock.ReasonStoreCorrupt, []string{"store.db"}},
		{"another program's database", database(`CREATE TABLE theirs (x)`), interlock.ReasonStoreCorrupt, []string{"another program"}},
		{"another application's id", database(`PRAGMA application_id = 77`, `PRAGMA user_version = 1`), interlock.ReasonStoreCorrupt, []string{"another program"}},
		{"a newer store", newerStore, interlock.ReasonStoreNewer, []string{"version 99", "versions up to"}},
		{"a directory", func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o700)) }, interlock.ReasonConfigInvalid, []string{"store.db", "Name a file"}},
		{"a missing directory", func(t *testing.T, path string) { must(t, os.Remove(filepath.Dir(path))) }, interlock.ReasonConfigInvalid, []string{"directory"}},
	} {
		t.Run(each.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "in", "store.db")
			must(t, os.Mkdir(filepath.Dir(path), 0o700))
			each.make(t, path)
			before, _ := os.ReadFile(path)
			store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err == nil {
				_ = store.Close()
			}
			wantReason(t, err, each.reason, each.words...)
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the refused file was changed")
			}
		})
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func fileWith(text string) func(*testing.T, string) {
	return func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte(text), 0o600)) }
}

// database makes a database by statements of its own.
func database(statements ...string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		db, err := sql.Open("sqlite", path)
		must(t, err)
		defer db.Close()
		for _, text := range statements {
			if _, err := db.Exec(text); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func newerStore(t *testing.T, path string) {
	must(t, open(t, path, sqlite.Options{}).Close())
	database(`PRAGMA user_version = 99`)(t, path)
}

// cutStore leaves the head of a store and not its tables.
func cutStore(t *testing.T, path string) {
	store := open(t, path, sqlite.Options{})
	_, err := store.Commit(t.Context(), 0, interlock.Change{PutTools: bigRegistry(50)})
	must(t, err)
	must(t, store.Close())
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, append(data[:100], bytes.Repeat([]byte{0xa5}, len(data)-100)...), 0o600))
}

// A page that goes bad after the store was opened is reported as such.
func TestCorruptPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	store := open(t, path, sqlite.Options{})
	_, err := store.Commit(t.Context(), 0, interlock.Change{PutTools: bigRegistry(200)})
	must(t, err)
	must(t, store.Close())
	data, err := os.ReadFile(path)
	must(t, err)
	for page := 20; page*4096 < len(data); page++ {
		copy(data[page*4096:], bytes.Repeat([]byte{0xff}, 64))
	}
	must(t, os.WriteFile(path, data, 0o600))
	store, err = sqlite.Open(t.Context(), path, sqlite.Options{})
	if err == nil {
		defer store.Close()
		_, err = store.Load(t.Context())
	}
	wantReason(t, err, interlock.ReasonStoreCorrupt, "backup")
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	path := filepath.Join(t.TempDir(), "store.db")
	must(t, os.WriteFile(path, nil, 0o644))
	store := open(t, path, sqlite.Options{})
	must(t, store.Copy(t.Context(), path+".copy"))
	for _, name := range []string{path, path + "-wal", path + "-shm", path + ".lock", path + ".copy"} {
		info, err := os.Stat(name)
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", filepath.Base(name), info.Mode().Perm())
		}
	}
}

func TestCopy(t *testing.T) {
	dir := t.TempDir()
	store := open(t, filepath.Join(dir, "store.db"), sqlite.Options{})
	_, err := store.Commit(t.Context(), 0, interlock.Change{PutTools: bigRegistry(10)})
	must(t, err)
	must(t, store.AppendLog(t.Context(), logBatch(0, 3), false))
	name := filepath.Join(dir, "copy.db")
	must(t, store.Copy(t.Context(), name))
	if err := store.Copy(t.Context(), name); !errors.Is(err, os.ErrExist) {
		t.Errorf("copying over a file: %v", err)
	}
	copied := open(t, name, sqlite.Options{})
	state, err := copied.Load(t.Context())
	must(t, err)
	if _, size, err := copied.LogCheckpoint(t.Context()); err != nil || size != 3 || state.Generation != 1 || len(state.Tools) != 10 {
		t.Errorf("the copy has generation %d, %d tools, %d entries, %v", state.Generation, len(state.Tools), size, err)
	}
}

// Odd names are names, not queries or escapes.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b.db", "q?mode=memory.db", "per%41cent.db", "hash#tag.db", "file:x.db", "é🚦.db"} {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, "?:") {
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		store := open(t, path, sqlite.Options{})
		_, err := store.Commit(t.Context(), 0, interlock.Change{})
		must(t, err)
		must(t, store.Close())
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestQuota(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	store := open(t, path, sqlite.Options{MaxBytes: 400 << 10})
	acknowledged := fillLog(t, store, 0)
	_, err := store.Commit(t.Context(), 0, interlock.Change{PutTools: bigRegistry(300)})
	wantReason(t, err, interlock.ReasonStoreFull)
	if generation, err := store.Generation(t.Context()); err != nil || generation != 0 {
		t.Errorf("generation %d after a refused commit, %v", generation, err)
	}
	must(t, store.Close())
	store = open(t, path, sqlite.Options{})
	if _, size, err := store.LogCheckpoint(t.Context()); err != nil || size != acknowledged {
		t.Fatalf("%d entries, want the %d that were acknowledged, %v", size, acknowledged, err)
	}
	must(t, store.AppendLog(t.Context(), logBatch(acknowledged, 20), true))
}

// fillLog appends until the store is full and gives how many entries it took.
func fillLog(t *testing.T, store *sqlite.Store, from int64) int64 {
	t.Helper()
	for next := from; ; next += 8 {
		if next > 1<<20 {
			t.Fatal("the store never fills")
		}
		if err := store.AppendLog(t.Context(), logBatch(next, 8), next%3 == 0); err != nil {
			wantReason(t, err, interlock.ReasonStoreFull, "Free space")
			_, size, err := store.LogCheckpoint(t.Context())
			if err != nil || size != next {
				t.Fatalf("%d entries after %d were acknowledged, %v", size, next, err)
			}
			return next
		}
	}
}

// TestFullDisk fills a real file system, then frees space.
func TestFullDisk(t *testing.T) {
	dir := smallDisk(t, "3m")
	ballast := filepath.Join(dir, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, 1<<20), 0o600))
	store := open(t, filepath.Join(dir, "store.db"), sqlite.Options{})
	_, err := store.Commit(t.Context(), 0, interlock.Change{PutTools: bigRegistry(20)})
	must(t, err)
	acknowledged := fillLog(t, store, 0)
	_, err = store.Commit(t.Context(), 1, interlock.Change{PutTools: bigRegistry(400)})
	wantReason(t, err, interlock.ReasonStoreFull)
	if state, err := store.Load(t.Context()); err != nil || state.Generation != 1 || len(state.Tools) != 20 {
		t.Fatalf("reading from a full disk: generation %d, %d tools, %v", state.Generation, len(state.Tools), err)
	}
	must(t, os.Remove(ballast))
	must(t, store.AppendLog(t.Context(), logBatch(acknowledged, 8), true))
	acknowledged = fillLog(t, store, acknowledged+8)
	must(t, store.Close())
	store = open(t, filepath.Join(dir, "store.db"), sqlite.Options{})
	entries, err := store.LogEntries(t.Context(), 0, int(acknowledged)+100)
	if err != nil || int64(len(entries)) != acknowledged {
		t.Fatalf("%d entries, want the %d that were acknowledged, %v", len(entries), acknowledged, err)
	}
}

// smallDisk mounts a file system of a few bytes; only root may.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("only root on Linux can mount a small file system")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no small file system here: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	return dir
}

// A reader is answered while a writer is in the middle of a long transaction.
func TestReadersDoNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	store := open(t, path, sqlite.Options{})
	_, err := store.Commit(t.Context(), 0, interlock.Change{PutTools: bigRegistry(5)})
	must(t, err)
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	conn, err := db.Conn(t.Context())
	must(t, err)
	defer conn.Close()
	for _, text := range []string{`BEGIN IMMEDIATE`, `DELETE FROM tools`, `UPDATE registry SET generation = 9`} {
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	state, err := store.Load(ctx)
	if err != nil || state.Generation != 1 || len(state.Tools) != 5 {
		t.Errorf("generation %d with %d tools, %v", state.Generation, len(state.Tools), err)
	}
	if _, err := conn.ExecContext(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
}

// The write-ahead log does not grow without end under steady writing.
func TestWALStaysShort(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a hundred megabytes")
	}
	path := filepath.Join(t.TempDir(), "store.db")
	store := open(t, path, sqlite.Options{})
	next := int64(0)
	for range 12000 {
		must(t, store.AppendLog(t.Context(), logBatch(next, 1), false))
		next++
	}
	info, err := os.Stat(path + "-wal")
	must(t, err)
	if limit := int64(80 << 20); info.Size() > limit {
		t.Errorf("the write-ahead log has %d bytes", info.Size())
	}
	must(t, store.Close())
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the write-ahead log is there after closing: %v", err)
	}
	if _, size, err := open(t, path, sqlite.Options{}).LogCheckpoint(t.Context()); err != nil || size != next {
		t.Errorf("%d entries, want %d, %v", size, next, err)
	}
}

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "interlock")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(context.Background(), filepath.Join(dir, "store.db"), sqlite.Options{LockWait: time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	generation, err := store.Commit(context.Background(), 0, interlock.Change{DropTools: []string{"docs/old"}})
	fmt.Println(generation, err)
	// Output: 1 <nil>
}
