package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A socket stands beside its store, or where a file there says; nobody else may
// open it, and nothing is left of it.
func TestListenBeside(t *testing.T) {
	short, long := t.TempDir(), filepath.Join(t.TempDir(), strings.Repeat("x", 120))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{short, long} {
		store := filepath.Join(dir, "store.db")
		for range 2 { // the second time over what the first one left
			lis, _, err := listenBeside(store)
			if err != nil {
				t.Fatal(err)
			}
			path := socketPath(store)
			if len(path) > maxSocket || (len(store+".sock") <= maxSocket) != (path == store+".sock") {
				t.Errorf("the socket of %s is %s", store, path)
			}
			if client := running(store); client == nil {
				t.Errorf("%s is not found", path)
			} else {
				client.Close()
			}
			if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
				t.Errorf("%s: %v %v", path, info, err)
			}
			if unix, ok := lis.(interface{ SetUnlinkOnClose(bool) }); ok {
				unix.SetUnlinkOnClose(false) // as when the process is killed
			}
			if err := lis.Close(); err != nil {
				t.Fatal(err)
			}
			if client := running(store); client != nil {
				t.Errorf("%s answers after its end", path)
			}
		}
		lis, remove, err := listenBeside(store)
		if err != nil {
			t.Fatal(err)
		}
		path := socketPath(store)
		if err := errors.Join(lis.Close(), remove()); err != nil {
			t.Error(err)
		}
		for _, left := range []string{path, store + ".sock"} {
			if _, err := os.Lstat(left); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is left: %v", left, err)
			}
		}
	}
}

// What stands in the place of a socket and was not left by a server stays, and
// so does what it names.
func TestClearSocketRemovesNothingElse(t *testing.T) {
	for what, text := range map[string]func(dir, precious string) string{
		"a note":             func(_, _ string) string { return "remember the milk" },
		"nothing":            func(_, _ string) string { return "" },
		"a path":             func(_, precious string) string { return precious },
		"a relative path":    func(_, _ string) string { return "interlock-x/sock" },
		"a file as a socket": func(dir, _ string) string { return filepath.Join(dir, "interlock-x", "sock") },
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			store, precious := filepath.Join(dir, "store.db"), filepath.Join(dir, "precious")
			if err := os.Mkdir(filepath.Join(dir, "interlock-x"), 0o700); err != nil {
				t.Fatal(err)
			}
			kept := map[string]string{precious: "mine", filepath.Join(dir, "interlock-x", "sock"): "mine too"}
			if what != "a file as a socket" {
				kept[store+".sock"] = text(dir, precious)
			}
			for path, text := range kept {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(store+".sock", []byte(text(dir, precious)), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := clearSocket(store); err == nil {
				t.Error("it was taken for what a server left")
			}
			for path, text := range kept {
				if got, err := os.ReadFile(path); err != nil || string(got) != text {
					t.Errorf("%s: %q %v", path, got, err)
				}
			}
		})
	}
}

// A socket on which somebody answers is not removed, whoever he is.
func TestClearSocketLeavesWhoAnswers(t *testing.T) {
	short, long := t.TempDir(), filepath.Join(t.TempDir(), strings.Repeat("x", 120))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{short, long} {
		store := filepath.Join(dir, "store.db")
		lis, remove, err := listenBeside(store)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := listenBeside(store); err == nil || !strings.Contains(err.Error(), "somebody answers") {
			t.Errorf("%s was taken away from who listens: %v", socketPath(store), err)
		}
		if client := running(store); client == nil {
			t.Error("the listener is gone")
		} else {
			client.Close()
		}
		if err := errors.Join(lis.Close(), remove()); err != nil {
			t.Error(err)
		}
	}
}

// A socket that somebody else put beside a store is not spoken to.
func TestRunningRefusesAnothersSocket(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() != 0 {
		t.Skip("only root can give a socket away")
	}
	store := filepath.Join(t.TempDir(), "s.db")
	if err := os.WriteFile(store, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	lis, remove, err := listenBeside(store)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(lis.Close(), remove()); err != nil {
			t.Error(err)
		}
	}()
	for _, each := range []struct {
		store, socket int
		spoken        bool
	}{{0, 0, true}, {12345, 0, true}, {12345, 12345, true}, {0, 12345, false}, {54321, 12345, false}} {
		if err := errors.Join(os.Chown(store, each.store, -1), os.Chown(store+".sock", each.socket, -1)); err != nil {
			t.Fatal(err)
		}
		client := running(store)
		if (client != nil) != each.spoken {
			t.Errorf("store of %d, socket of %d: spoken to is %t", each.store, each.socket, client != nil)
		}
		if client != nil {
			client.Close()
		}
	}
}
