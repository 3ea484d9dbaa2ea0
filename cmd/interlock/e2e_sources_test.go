package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReferenceServers: tools of real MCP servers are registered and called,
// over both transports, each by its own effect.
func TestReferenceServers(t *testing.T) {
	b := newBox(t)
	s := b.up()
	everything := counterpart(t, "node_modules", ".bin", "mcp-server-everything")
	web := serveEverything(t, everything)
	folder := filepath.Join(b.dir, "files")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	b.file("files/note.txt", "a note")
	for name, args := range map[string][]string{
		"everything": {"--", everything, "stdio"},
		"web":        {web},
		"files":      {"--", counterpart(t, "node_modules", ".bin", "mcp-server-filesystem"), folder},
		"time":       {"--", counterpart(t, "venv", "bin", "mcp-server-time")},
	} {
		var report struct {
			Operations, Tools int
			Unstated          int `json:"unstated_effects"`
			Findings          []any
		}
		b.must(&report, append([]string{"add", "mcp", "--trust", "annotations", "--name", name}, args...)...)
		if report.Tools == 0 || report.Tools+len(report.Findings) < report.Operations || report.Unstated != 0 {
			t.Errorf("%s: %+v", name, report)
		}
	}
	for _, tc := range []struct{ tool, args, want string }{
		{"everything/echo", `{"message":"hello"}`, "Echo: hello"},
		{"everything/get-sum", `{"a":2,"b":3}`, "5"},
		{"everything/get-structured-content", `{"location":"Chicago"}`, `"temperature"`},
		{"web/echo", `{"message":"hello"}`, "Echo: hello"},
		{"web/get-structured-content", `{"location":"Chicago"}`, `"temperature"`},
		{"files/read_text_file", `{"path":` + quoted(filepath.Join(folder, "note.txt")) + `}`, "a note"},
		{"files/list_directory", `{"path":` + quoted(folder) + `}`, "note.txt"},
		{"time/convert_time", `{"source_timezone":"Asia/Seoul","time":"12:00","target_timezone":"Asia/Tokyo"}`, "Asia/Tokyo"},
	} {
		out, code := b.run("--json", "call", tc.tool, "--args", tc.args)
		if code != 0 || !strings.Contains(out, tc.want) {
			t.Errorf("%s: %d %s", tc.tool, code, out)
		}
	}
	writes(t, b, folder)
	text := readAll(t, s.log)
	if strings.Contains(text, "ERROR") || strings.Contains(text, "WARN") {
		t.Errorf("the log is noisy:\n%s", text)
	}
	// A server's own refusal is told as its own words.
	out, code := b.run("--json", "call", "files/read_text_file", "--args", `{"path":"/etc/hostname"}`)
	if code != 1 || !strings.Contains(out, `"tool-error"`) {
		t.Errorf("outside of its folder: %d %s", code, out)
	}
	if err := s.end(t, syscall.SIGTERM); err != nil {
		t.Errorf("up ended with %v", err)
	}
}

// writes sends a file past the approval that it needs.
func writes(t *testing.T, b *box, folder string) {
	path := filepath.Join(folder, "new.txt")
	args := `{"path":` + quoted(path) + `,"content":"written"}`
	out, code := b.run("--json", "call", "files/write_file", "--args", args)
	var asked struct {
		Error struct{ Reason, Approval string }
	}
	if err := json.Unmarshal([]byte(out), &asked); err != nil || code != 3 || asked.Error.Reason != "approval-required" {
		t.Fatalf("an unapproved write: %d %s", code, out)
	}
	if _, err := os.Stat(path); err == nil {
		t.Fatal("an unapproved write was sent")
	}
	b.must(nil, "approve", asked.Error.Approval)
	b.must(nil, "call", "files/write_file", "--args", args, "--approval", asked.Error.Approval)
	if text := readAll(t, path); text != "written" {
		t.Errorf("the file holds %q", text)
	}
}

func quoted(text string) string {
	out, _ := json.Marshal(text) // a string always marshals
	return string(out)
}

// serveEverything starts the reference server on streamable HTTP.
func serveEverything(t *testing.T, program string) (url string) {
	t.Helper()
	port := freePort(t)
	startEverything(t, program, port)
	return fmt.Sprintf("http://127.0.0.1:%d/mcp", port)
}

func startEverything(t *testing.T, program string, port int) *child {
	t.Helper()
	c := &child{cmd: exec.Command(program, "streamableHttp")}
	c.cmd.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port))
	c.start(t)
	c.wait(t, func() bool {
		conn, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	}, func() string { return "" })
	return c
}

func freePort(t *testing.T) int {
	t.Helper()
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer lis.Close() //nolint:errcheck // only its number is wanted
	return lis.Addr().(*net.TCPAddr).Port
}

// TestOneSourceDown: a server that goes away takes its own tools with it and
// nothing else, and when it is back they are.
func TestOneSourceDown(t *testing.T) {
	b, up := pinged(t)
	b.up()
	program, port := counterpart(t, "node_modules", ".bin", "mcp-server-everything"), freePort(t)
	first := startEverything(t, program, port)
	b.must(nil, "add", "mcp", "--trust", "annotations", "--name", "web", fmt.Sprintf("http://127.0.0.1:%d/mcp", port))
	b.must(nil, "call", "web/echo", "--args", `{"message":"one"}`)
	_ = first.end(t, syscall.SIGKILL)
	out, code := b.run("--json", "call", "web/echo", "--args", `{"message":"two"}`)
	if code == 0 || !strings.Contains(out, `"error"`) {
		t.Errorf("a call of a source that is down: %d %s", code, out)
	}
	b.must(nil, "call", "docs/ping")
	if out, code := b.run("--json", "add", "mcp", "http://127.0.0.1:9/mcp"); code != 1 || !strings.Contains(out, "source-unreachable") {
		t.Errorf("adding what is not there: %d %s", code, out)
	}
	b.must(nil, "call", "docs/ping")
	startEverything(t, program, port)
	eventually(t, "the source is back", readyTime, func() bool {
		_, code := b.run("--json", "call", "web/echo", "--args", `{"message":"three"}`)
		return code == 0
	})
	if up.hits("/ping") != 2 {
		t.Errorf("sent %d times, want 2", up.hits("/ping"))
	}
}

// publishedDocuments gives OpenAPI documents: those beside the checkout where there are
// any, and the small ones of the tests otherwise.
func publishedDocuments(t *testing.T) []string {
	t.Helper()
	for _, pattern := range []string{"../../../shared/data/openapi/*.[jy]*", "../../source/openapi/testdata/*.[jy]*"} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var small []string
		for _, path := range list {
			if info, err := os.Stat(path); err != nil || info.Size() > 1<<20 {
				continue
			}
			if path, err = filepath.Abs(path); err != nil {
				t.Fatal(err)
			}
			small = append(small, path)
		}
		if len(small) > 0 {
			return small
		}
	}
	t.Skip("SKIPPED: no OpenAPI documents are here")
	return nil
}

// TestDocuments: published OpenAPI documents become catalogues, each operation
// a tool or a finding, and an operation is found by its name.
func TestDocuments(t *testing.T) {
	b := newBox(t)
	b.up()
	called, operations := 0, 0
	service := http.NewServeMux()
	service.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		called++
		http.Error(w, `{"message":"gone"}`, http.StatusGone)
	})
	base := serveHandler(t, service)
	for i, path := range publishedDocuments(t) {
		name := fmt.Sprintf("api%d", i)
		var report struct {
			Operations, Tools int
			Findings          []struct {
				Reason  string
				Dropped bool
			}
		}
		b.must(&report, "add", "openapi", path, "--name", name, "--base-url", base)
		operations += report.Operations
		dropped := 0
		for _, f := range report.Findings {
			if f.Dropped {
				dropped++
			}
		}
		if report.Operations == 0 {
			continue // a document of schemas alone
		}
		if report.Tools+dropped < report.Operations || report.Tools < report.Operations*9/10 || report.Tools == 0 {
			t.Fatalf("%s: %d tools of %d operations, %d dropped", filepath.Base(path), report.Tools, report.Operations, dropped)
		}
		var tools []struct{ Tool, Effect string }
		b.must(&tools, "tools", name+"/")
		longest := slices.MaxFunc(tools, func(x, y struct{ Tool, Effect string }) int { return len(x.Tool) - len(y.Tool) })
		out, _ := b.run("--json", "resolve", strings.TrimPrefix(longest.Tool, name+"/"), "--k", "10")
		if !strings.Contains(out, `"tool":"`+longest.Tool+`"`) {
			t.Errorf("%s: %s is not among ten candidates", filepath.Base(path), longest.Tool)
		}
	}
	if operations < 10 {
		t.Errorf("%d operations in all documents", operations)
	}
	if called != 0 {
		t.Errorf("registering and finding called the service %d times", called)
	}
}

// serveHandler serves a handler on loopback for the test.
func serveHandler(t *testing.T, h http.Handler) string {
	t.Helper()
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go srv.Serve(lis) //nolint:errcheck // ends with the test
	t.Cleanup(func() { _ = srv.Close() })
	return "http://" + lis.Addr().String()
}
