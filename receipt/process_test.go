package receipt_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// childVar tells this test program to be a process that seals receipts.
const childVar = "INTERLOCK_TEST_RECEIPTS"

// TestChild is not a test of its own: it is the process that TestKill kills. It
// seals receipts and intends calls from several goroutines and says each id
// once it is acknowledged.
func TestChild(t *testing.T) {
	dir := os.Getenv(childVar)
	if dir == "" {
		t.Skip("runs as a child of TestKill")
	}
	store, err := sqlite.Open(context.Background(), filepath.Join(dir, "store.db"), sqlite.Options{LockWait: 5 * time.Second})
	must(t, err)
	keys, err := receipt.LoadKeys(filepath.Join(dir, "keys.json"), rand.Reader)
	must(t, err)
	log, err := receipt.Open(context.Background(), store, keys, receipt.Options{Clock: time.Now, Rand: rand.Reader})
	must(t, err)
	lines := make(chan string)
	for n := range 6 {
		go work(t, log, n, lines)
	}
	for line := range lines {
		fmt.Println(line)
	}
}

// work seals receipts for ever; every third goroutine makes writes, whose
// intents it flushes first and of which it leaves some open.
func work(t *testing.T, log *receipt.Log, n int, lines chan<- string) {
	for i := 0; ; i++ {
		blank, err := log.Blank()
		must(t, err)
		if n%3 == 0 {
			must(t, log.Intend(context.Background(), blank, receipt.IntentBody{Target: receipt.Target{Tool: "a/write"}}, []byte("{}")))
			if i%5 == 4 {
				lines <- "left " + blank.ID
				continue
			}
			lines <- "intent " + blank.ID
		}
		if _, err := log.Append(context.Background(), interlock.EntryResolve, map[string]any{"n": i}, receipt.Behind); err != nil {
			t.Error(err)
		}
		_, err = log.Seal(context.Background(), blank, callBody(), []byte("{}"), []byte("1"), receipt.Durability(n%2))
		must(t, err)
		lines <- "sealed " + blank.ID
	}
}

// said is what a child acknowledged before it was killed.
type said struct{ sealed, intended map[string]bool }

// runAndKill lets a child work until it has sealed so many and left an intent
// open, kills it, and adds what it said.
func (s said) runAndKill(t *testing.T, dir string, enough int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.v")
	cmd.Env = append(os.Environ(), childVar+"="+dir)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	defer func() { _ = cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill() }()
	killed, sealed, left := false, 0, 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		kind, id, _ := strings.Cut(lines.Text(), " ")
		switch {
		case kind == "sealed" && len(id) == 32:
			s.sealed[id] = true
			sealed++
		case kind == "intent" && len(id) == 32:
			s.intended[id] = true
		case kind == "left" && len(id) == 32:
			s.intended[id] = true
			left++
		case strings.Contains(kind, "FAIL"):
			t.Fatalf("the child failed: %s", lines.Text())
		}
		if sealed >= enough && left > 0 && !killed {
			killed = true
			must(t, cmd.Process.Kill())
		}
	}
	if !killed {
		t.Fatalf("the child ended by itself after %d receipts", sealed)
	}
}

// Whatever moment the process is killed at, what it acknowledged is in the log,
// the log verifies, and the calls that it left half done are named.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	acknowledged := said{map[string]bool{}, map[string]bool{}}
	for round := range 4 {
		acknowledged.runAndKill(t, dir, 60+45*round)
		p := &place{path: filepath.Join(dir, "store.db")}
		var err error
		p.keys, err = receipt.LoadKeys(filepath.Join(dir, "keys.json"), rand.Reader)
		must(t, err)
		p.open(t, options())
		report := p.verify(t)
		entries, err := p.log.List(t.Context(), 0, int(report.Size))
		must(t, err)
		var whole strings.Builder
		for _, entry := range entries {
			whole.Write(entry.Body)
		}
		text := whole.String()
		open := map[string]bool{}
		for _, left := range p.log.OpenIntents() {
			open[left.Receipt] = true
			if strings.Contains(text, `"intent":"`+left.Receipt) {
				t.Errorf("intent %s is closed and said to be open", left.Receipt)
			}
			_, err := p.log.Abandon(t.Context(), left)
			must(t, err)
		}
		for id := range acknowledged.sealed {
			if !strings.Contains(text, `"receipt":"`+id) {
				t.Errorf("round %d: receipt %s is lost", round, id)
			}
		}
		for id := range acknowledged.intended {
			if !strings.Contains(text, `"receipt":"`+id) || !open[id] && !strings.Contains(text, `"intent":"`+id) {
				t.Errorf("round %d: intent %s is lost", round, id)
			}
		}
		if len(open) == 0 {
			t.Errorf("round %d: no intent is open", round)
		}
		p.verify(t)
		must(t, p.close())
	}
}
