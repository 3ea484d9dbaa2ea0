// Command testreport reads what go test -json writes and prints it for people:
// a line a package, whatever failed in full, every test that was skipped with
// its reason, and a closing line with counts. It promises to hide no failure:
// a run that did not end well, or that ran no test, ends it with exit code 1.
//
//	go test -json ./... | go run ./scripts/testreport
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	good, err := report(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
	}
	if err != nil || !good {
		os.Exit(1)
	}
}

// event is one line of go test -json.
type event struct {
	Action     string
	Package    string
	ImportPath string // of a build's output
	Test       string
	Output     string
	Elapsed    float64
}

// tally is what is known of a run so far. Only whole tests are counted, not
// the parts that a test names inside itself.
type tally struct {
	out                     io.Writer
	passed, failed, skipped int
	broken                  int                 // packages that failed without a failed test: a build, a crash
	said                    map[string][]string // output by package and test, dropped when it ended well
	failures                map[string]int      // failed tests of a package
	skips                   []string
}

// report reads a whole run and reports whether it was good.
func report(in io.Reader, out io.Writer) (bool, error) {
	t := &tally{out: out, said: make(map[string][]string), failures: make(map[string]int)}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			t.line(line)
		}
		if err == io.EOF {
			return t.close(), nil
		}
		if err != nil {
			return false, fmt.Errorf("read the run: %w", err)
		}
	}
}

func (t *tally) line(line string) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
		fmt.Fprint(t.out, line) // not of the test's making: a warning of the go command
		return
	}
	switch e.Action {
	case "output":
		t.keep(e)
	case "build-output":
		fmt.Fprint(t.out, e.Output)
	case "pass", "fail", "skip":
		t.end(e)
	}
}

// keep holds what a test says until it is known how it ended. The lines that a
// package closes with are shown at once.
func (t *tally) keep(e event) {
	if e.Test == "" && (strings.HasPrefix(e.Output, "ok  \t") || strings.HasPrefix(e.Output, "?   \t")) {
		fmt.Fprint(t.out, e.Output)
		return
	}
	t.said[key(e)] = append(t.said[key(e)], e.Output)
}

func (t *tally) end(e event) {
	switch {
	case e.Test == "":
		t.endPackage(e)
	case strings.Contains(e.Test, "/"):
		t.endPart(e)
	default:
		t.endTest(e)
	}
	delete(t.said, key(e))
}

func (t *tally) endTest(e event) {
	switch e.Action {
	case "pass":
		t.passed++
	case "skip":
		t.skipped++
		t.skips = append(t.skips, e.Package+" "+e.Test+": "+reason(t.said[key(e)]))
	case "fail":
		t.failed++
		t.failures[e.Package]++
		t.show(e)
	}
}

// endPart shows a failed part of a test; its test is counted when that ends.
func (t *tally) endPart(e event) {
	switch e.Action {
	case "skip":
		t.skips = append(t.skips, e.Package+" "+e.Test+": "+reason(t.said[key(e)]))
	case "fail":
		t.show(e)
	}
}

func (t *tally) endPackage(e event) {
	if e.Action != "fail" {
		return
	}
	if t.failures[e.Package] == 0 {
		t.broken++
		t.unended(e.Package)
	}
	t.show(e)
}

// unended shows the tests of a package that never ended: a crash or a timeout
// leaves its trace with the test that was running.
func (t *tally) unended(pkg string) {
	var keys []string
	for k := range t.said {
		if strings.HasPrefix(k, pkg+" ") && !strings.HasSuffix(k, " ") {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		fmt.Fprint(t.out, strings.Join(t.said[k], ""))
	}
}

func (t *tally) show(e event) { fmt.Fprint(t.out, strings.Join(t.said[key(e)], "")) }

func (t *tally) close() bool {
	if len(t.skips) > 0 {
		fmt.Fprintln(t.out, "\nSkipped:")
		for _, s := range t.skips {
			fmt.Fprintln(t.out, "  "+s)
		}
	}
	if t.broken > 0 {
		fmt.Fprintf(t.out, "\n%d package(s) did not build, crashed or ran out of time; each counts as one failure.\n", t.broken)
	}
	fmt.Fprintf(t.out, "\n%d passed, %d failed, %d skipped\n", t.passed, t.failed+t.broken, t.skipped)
	return t.failed+t.broken == 0 && t.passed > 0
}

func key(e event) string { return e.Package + " " + e.Test }

// reason is what a skipped test said, on one line.
func reason(said []string) string {
	var words []string
	for _, line := range said {
		text := strings.TrimSpace(line)
		if text != "" && !strings.HasPrefix(text, "===") && !strings.HasPrefix(text, "---") {
			words = append(words, text)
		}
	}
	return strings.Join(words, " ")
}
