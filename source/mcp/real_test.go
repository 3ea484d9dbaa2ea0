package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
)

// TestPublishedServers runs the reference servers. INTERLOCK_TESTENV names
// a directory with node_modules/.bin and venv/bin in which they are installed.
func TestPublishedServers(t *testing.T) {
	root := os.Getenv("INTERLOCK_TESTENV")
	if root == "" {
		t.Skip("INTERLOCK_TESTENV is not set")
	}
	files := t.TempDir()
	if err := os.WriteFile(filepath.Join(files, "a.txt"), []byte("hello é"), 0o600); err != nil {
		t.Fatal(err)
	}
	npm := func(name string) string { return filepath.Join(root, "node_modules/.bin", name) }
	everything := npm("mcp-server-everything")
	for _, tt := range []struct {
		name       string
		cfg        interlock.SourceConfig
		tools      int
		tool, args string
		want       string
	}{
		{"everything", interlock.SourceConfig{Command: []string{everything, "stdio"}}, 13, "echo", `{"message":"\u00e9 9007199254740993"}`, "é 9007199254740993"},
		{"everything over HTTP", interlock.SourceConfig{URL: startEverything(t, everything)}, 13, "echo", `{"message":"hello"}`, "hello"},
		{"filesystem", interlock.SourceConfig{Command: []string{npm("mcp-server-filesystem"), files}}, 14, "read_text_file",
			fmt.Sprintf(`{"path":%q}`, filepath.Join(files, "a.txt")), "hello é"},
		{"time", interlock.SourceConfig{Command: []string{filepath.Join(root, "venv/bin/mcp-server-time")}}, 2, "get_current_time", `{"timezone":"Asia/Seoul"}`, "+09:00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if len(tt.cfg.Command) > 0 {
				if _, err := os.Stat(tt.cfg.Command[0]); err != nil {
					t.Skipf("not installed: %v", err)
				}
			} else if tt.cfg.URL == "" {
				t.Skip("not installed")
			}
			tt.cfg.Trust = interlock.TrustAnnotations
			s := openSource(t, Options{Environ: map[string]string{"PATH": os.Getenv("PATH"), "HOME": t.TempDir()}}, tt.cfg)
			begun := time.Now()
			cat, err := s.Catalogue(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			opened := time.Since(begun)
			if len(cat.Operations) != tt.tools || cat.Total != tt.tools {
				t.Errorf("%d tools of %d, want %d", len(cat.Operations), cat.Total, tt.tools)
			}
			reply, err := s.Call(context.Background(), outbound(s, tt.tool, tt.args, interlock.EffectRead))
			if err != nil || !strings.Contains(string(reply.Result), tt.want) {
				t.Errorf("%s %s: %s, %v", tt.tool, tt.args, reply.Result, err)
			}
			t.Logf("identity %q, revision %s, opened in %v, findings %v, %s gives %.200s", cat.Identity, s.current.Load().revision,
				opened.Round(time.Millisecond), cat.Findings, tt.tool, reply.Result)
			logEffects(t, cat)
			_, err = s.Call(context.Background(), outbound(s, "no_such_tool", `{}`, interlock.EffectRead))
			e := interlock.AsError(err)
			t.Logf("an unknown tool: %s %s %s", e.Code, e.Reason, e.Detail)
			begun = time.Now()
			_ = s.Close()
			t.Logf("closed in %v", time.Since(begun).Round(time.Millisecond))
		})
	}
}

func logEffects(t *testing.T, cat interlock.Catalogue) {
	count := map[interlock.Effect]int{}
	bytes := 0
	for _, op := range cat.Operations {
		count[op.Effect]++
		bytes += len(op.InputSchema) + len(op.OutputSchema)
		if !json.Valid(op.InputSchema) {
			t.Errorf("%s: the input schema is no JSON", op.Name)
		}
	}
	t.Logf("effects %v, %d bytes of schema", count, bytes)
}

// startEverything serves the reference server over streamable HTTP.
func startEverything(t *testing.T, path string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	cmd := exec.Command(path, "streamableHttp")
	cmd.Env = append(os.Environ(), "PORT="+port)
	if err := cmd.Start(); err != nil {
		return ""
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for range 100 {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			c.Close()
			return "http://127.0.0.1:" + port + "/mcp"
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the server does not listen")
	return ""
}
