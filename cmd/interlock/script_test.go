package main

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed-ae386458/interlock"
)

// TestScenarios runs the scripts: each is one behaviour of the command line,
// told in prose first. Beside testscript's own words they use:
//
//	exits CODE interlock …     the command ends with exactly this exit code
//	json PATH == VALUE         a member of the JSON that was printed last; also
//	                           != and =~, and `len`: json .candidates len 2
//	keep NAME PATH             a member of it, kept as an environment variable
//	serve [FLAG…]              a running `up`; its address is $URL
//	settle SOURCE…             waits until the server has read these sources
//	until TEXT COMMAND…        repeats a command until it prints the text
//	stop [KILL]                its end, by TERM or by KILL
//	hup                        SIGHUP to it: read the configuration again
//	get STATUS PATH            an HTTP request to it, with $TOKEN
//	hits PATH N                how often the upstream at $UPSTREAM was asked
//	flip FILE N                one bit of byte N of a file, changed
//	unguessed VALUE…           no bare hash of a value was printed last
//	$SAMPLE is a folder with labelled cases and their catalogue
//	witnessed FILE KEY         a configuration that asks for this witness
func TestScenarios(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		Setup:              setupScript,
		RequireUniqueNames: true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": scriptExits, "json": scriptJSON, "keep": scriptKeep, "serve": scriptServe, "stop": scriptStop,
			"settle": scriptSettle, "until": scriptUntil, "hup": scriptHup, "get": scriptGet, "hits": scriptHits, "flip": scriptFlip, "witnessed": scriptWitnessed, "unguessed": scriptUnguessed,
		},
	})
}

type (
	upstreamKey struct{}
	serverKey   struct{}
)

// setupScript gives each script a store, an upstream, and no environment but
// its own. Meaning costs time that only few scripts need.
func setupScript(env *testscript.Env) error {
	up := newUpstream()
	env.Defer(up.server.Close)
	env.Values[upstreamKey{}], env.Values[serverKey{}] = up, &servers{}
	env.Setenv("UPSTREAM", up.server.URL)
	env.Setenv("INTERLOCK_STORE", filepath.Join(env.WorkDir, "interlock.db"))
	env.Setenv("INTERLOCK_EMBEDDER", "none")
	sample, err := filepath.Abs("../../internal/eval/testdata/sample")
	if err != nil {
		return err
	}
	env.Setenv("SAMPLE", sample)
	env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("TERM", "xterm")
	env.Setenv("LONG", strings.Repeat("long", 20))
	return placeManifests(env.WorkDir, up.server.URL)
}

// placeManifests writes the upstream's address into the files of the script.
func placeManifests(dir, url string) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, bytes.ReplaceAll(text, []byte("UPSTREAM"), []byte(url)), 0o600)
	})
}

func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	code := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%s: %v", args[1], err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// member finds a member of the JSON on standard output: .a.b.0
func member(ts *testscript.TestScript, path string) any {
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		ts.Fatalf("standard output is not JSON: %v", err)
	}
	for name := range strings.SplitSeq(strings.Trim(path, "."), ".") {
		switch x := v.(type) {
		case map[string]any:
			if _, ok := x[name]; !ok && name != "" {
				ts.Fatalf("%s: there is no member %q", path, name)
			}
			if name != "" {
				v = x[name]
			}
		case []any:
			i, err := strconv.Atoi(name)
			if name == "" {
				continue
			}
			if err != nil || i >= len(x) {
				ts.Fatalf("%s: there is no element %q of %d", path, name, len(x))
			}
			v = x[i]
		default:
			ts.Fatalf("%s: %v has no member %q", path, v, name)
		}
	}
	return v
}

func spell(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, _ := json.Marshal(v) // it came from JSON
	return string(text)
}

func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: json PATH ==|!=|=~|len VALUE")
	}
	v := member(ts, args[0])
	got, ok := spell(v), false
	switch args[1] {
	case "==":
		ok = got == args[2]
	case "!=":
		ok = got != args[2]
	case "=~":
		ok = strings.Contains(got, args[2])
	case "len":
		list, _ := v.([]any)
		got = fmt.Sprint(len(list))
		ok = got == args[2]
	default:
		ts.Fatalf("json knows no %q", args[1])
	}
	if !ok {
		ts.Fatalf("%s is %s, want %s %s", args[0], got, args[1], args[2])
	}
}

func scriptKeep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep NAME PATH")
	}
	ts.Setenv(args[0], spell(member(ts, args[1])))
}

// child is a process that a test started.
type child struct {
	cmd  *exec.Cmd
	done chan error // gives its end once
}

// readyTime is how long a server may take to say that it is up.
const readyTime = 30 * time.Second

func scriptServe(ts *testscript.TestScript, neg bool, args []string) {
	out, err := os.Create(ts.MkAbs("up.out"))
	ts.Check(err)
	defer out.Close() //nolint:errcheck // the child has its own
	cmd := exec.Command("interlock", append([]string{"up", "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), out, out
	for _, name := range []string{"PATH", "HOME", "INTERLOCK_STORE", "INTERLOCK_CONFIG", "INTERLOCK_EMBEDDER", "ALICE_TOKEN", "BOB_TOKEN", "FROM_ENV", "INTERLOCK_LOG_LEVEL"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(cmd.Start())
	r := &child{cmd, make(chan error, 1)}
	go func() { r.done <- cmd.Wait() }()
	ts.Value(serverKey{}).(*servers).now = r
	ts.Defer(func() {
		_ = cmd.Process.Kill() // it may have ended
	})
	for until := time.Now().Add(readyTime); ; time.Sleep(10 * time.Millisecond) {
		text := ts.ReadFile("up.out")
		if _, rest, ok := strings.Cut(text, "HTTP   "); ok && strings.Contains(text, "store  ") {
			url, _, _ := strings.Cut(rest, "/v1")
			ts.Setenv("URL", url)
			return
		}
		select {
		case err := <-r.done:
			ts.Fatalf("up ended (%v) before it was ready:\n%s", err, text)
		default:
		}
		if time.Now().After(until) {
			ts.Fatalf("up is not ready after %v:\n%s", readyTime, text)
		}
	}
}

// servers holds the running server of a script.
type servers struct{ now *child }

func scriptStop(ts *testscript.TestScript, neg bool, args []string) {
	r := ts.Value(serverKey{}).(*servers).now
	if r == nil {
		ts.Fatalf("no server runs")
	}
	sig := syscall.SIGTERM
	if len(args) > 0 && args[0] == "KILL" {
		sig = syscall.SIGKILL
	}
	ts.Check(r.cmd.Process.Signal(sig))
	select {
	case err := <-r.done:
		if sig == syscall.SIGTERM && err != nil {
			ts.Fatalf("up ended with %v:\n%s", err, ts.ReadFile("up.out"))
		}
	case <-time.After(20 * time.Second):
		ts.Fatalf("up did not end within 20 s of its signal")
	}
}

func scriptHup(ts *testscript.TestScript, neg bool, args []string) {
	r := ts.Value(serverKey{}).(*servers).now
	if neg || len(args) > 0 || r == nil {
		ts.Fatalf("usage: hup, while a server runs")
	}
	ts.Check(r.cmd.Process.Signal(syscall.SIGHUP))
}

func scriptSettle(ts *testscript.TestScript, neg bool, args []string) {
	for until := time.Now().Add(readyTime); ; time.Sleep(20 * time.Millisecond) {
		ts.Check(ts.Exec("interlock", "sources"))
		have := ts.ReadFile("stdout")
		missing := slices.DeleteFunc(slices.Clone(args), func(name string) bool {
			_, row, listed := strings.Cut(have, "\n"+name+" ")
			row, _, _ = strings.Cut(row, "\n")
			return listed && !strings.Contains(row, interlock.SourceUnread)
		})
		if len(missing) == 0 {
			return
		}
		if time.Now().After(until) {
			ts.Fatalf("%v did not come:\n%s", missing, ts.ReadFile("up.out"))
		}
	}
}

func scriptUntil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until TEXT COMMAND…")
	}
	for until := time.Now().Add(readyTime); ; time.Sleep(20 * time.Millisecond) {
		ts.Check(ts.Exec(args[1], args[2:]...))
		if strings.Contains(ts.ReadFile("stdout"), args[0]) {
			return
		}
		if time.Now().After(until) {
			ts.Fatalf("%q did not come:\n%s", args[0], ts.ReadFile("up.out"))
		}
	}
}

func scriptGet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: get STATUS PATH")
	}
	req, err := http.NewRequest(http.MethodGet, ts.Getenv("URL")+args[1], nil)
	ts.Check(err)
	if token := ts.Getenv("TOKEN"); token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer resp.Body.Close() //nolint:errcheck // read only
	var body bytes.Buffer
	_, err = body.ReadFrom(resp.Body)
	ts.Check(err)
	fmt.Fprintln(ts.Stdout(), body.String())
	if fmt.Sprint(resp.StatusCode) != args[0] {
		ts.Fatalf("status %d, want %s: %s", resp.StatusCode, args[0], body.String())
	}
}

func scriptHits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hits PATH N")
	}
	if n := ts.Value(upstreamKey{}).(*upstream).hits(args[0]); fmt.Sprint(n) != args[1] {
		ts.Fatalf("%s was asked %d times, want %s", args[0], n, args[1])
	}
}

func scriptFlip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip FILE N")
	}
	path := ts.MkAbs(args[0])
	text, err := os.ReadFile(path)
	ts.Check(err)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text[n] ^= 1
	ts.Check(os.WriteFile(path, text, 0o600))
}

func scriptWitnessed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: witnessed FILE KEY")
	}
	text := fmt.Sprintf("log: {witness: {need: 1, within: 24h, by: [{key: %q}]}}\n", args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// scriptUnguessed looks for the hashes that somebody who guesses a value would
// try, whole or by their first sixteen digits.
func scriptUnguessed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: unguessed VALUE…")
	}
	text := ts.ReadFile("stdout")
	for _, value := range args {
		for _, sum := range []string{fmt.Sprintf("%x", sha256.Sum256([]byte(value))), fmt.Sprintf("%x", sha1.Sum([]byte(value))), fmt.Sprintf("%x", md5.Sum([]byte(value)))} {
			if strings.Contains(text, sum[:16]) {
				ts.Fatalf("the bare hash %s of %q was printed", sum[:16], value)
			}
		}
	}
}
