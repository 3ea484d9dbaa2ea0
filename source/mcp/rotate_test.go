//go:build unix

package mcp

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/execute/invoke"
)

// TestRotatedSecretReplacesTheChild: a server that was started with a secret in
// its environment is another process once the secret is another, and the old one
// is reaped.
func TestRotatedSecretReplacesTheChild(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, key := t.TempDir(), filepath.Join(t.TempDir(), "key")
	put := func(secret string) {
		t.Helper()
		if err := os.WriteFile(key, []byte(secret), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("one")
	opener, err := New(Options{Secrets: auth.Resolver{}, Grace: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var ahead atomic.Int64
	clock := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	pool := invoke.NewPool(map[string]interlock.Opener{interlock.KindMCP: opener}, auth.Resolver{}, clock)
	cfg := interlock.SourceConfig{Name: "s", Kind: interlock.KindMCP, Command: []string{self}, Dir: dir,
		Env: map[string]string{"MCP_TEST_CHILD": "legacy", "MCP_TEST_DIR": dir, "KEY": "file:" + key}}
	read := func(step string, children int) {
		t.Helper()
		ahead.Add(int64(2 * time.Second))
		if _, err := pool.Read(context.Background(), cfg); err != nil {
			t.Fatalf("%s: %v", step, err)
		}
		if n := len(pids(t, dir)); n != children {
			t.Errorf("%s: %d children were started, want %d", step, n, children)
		}
	}
	read("first", 1)
	read("nothing changed", 1)
	put("two")
	read("rotated", 2)
	read("and no more", 2)
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	gone(t, dir, 2)
}
