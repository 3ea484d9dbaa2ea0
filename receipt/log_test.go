package receipt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

func TestAppend(t *testing.T) {
	p := newPlace(t)
	var want []interlock.LogEntry
	for n, d := range []receipt.Durability{receipt.Written, receipt.Flushed, receipt.Written, receipt.Flushed} {
		entry, err := p.log.Append(t.Context(), interlock.EntryCall, map[string]any{"n": n, "b": "<&>", "a": true, "l": []any{"x", 1}}, d)
		must(t, err)
		if entry.Index != int64(n) {
			t.Errorf("index %d, want %d", entry.Index, n)
		}
		if text := fmt.Sprintf(`{"a":true,"b":"<&>","l":["x",1],"n":%d}`, n); string(entry.Body) != text {
			t.Errorf("body %s, want %s", entry.Body, text)
		}
		want = append(want, entry)
	}
	for range 2 {
		got, err := p.log.List(t.Context(), 0, 100)
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if report := p.verify(t); report.Size != 4 || report.Types[interlock.EntryCall] != 4 || !report.Trusted {
			t.Errorf("report %+v", report)
		}
		p.reopen(t)
	}
}

// TestFollow: whoever follows hears of every entry, in order and once, before
// whoever appended it goes on.
func TestFollow(t *testing.T) {
	p := newPlace(t)
	must(t, p.close())
	var mu sync.Mutex
	var heard []interlock.LogEntry
	opts := options()
	opts.Follow = func(entries []interlock.LogEntry) {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, entries...)
	}
	p.open(t, opts)
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for n := range 25 {
				entry, err := p.log.Append(t.Context(), interlock.EntryCall, map[string]any{"w": worker, "n": n, "half": 0.5}, receipt.Durability(n%3))
				must(t, err)
				mu.Lock()
				if n%3 != int(receipt.Behind) && int64(len(heard)) <= entry.Index {
					t.Errorf("entry %d is answered and not heard of", entry.Index)
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	must(t, p.log.Flush(t.Context()))
	want, err := p.log.List(t.Context(), 0, 1000)
	must(t, err)
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Error(diff)
	}
}

func TestAppendRefuses(t *testing.T) {
	p := newPlace(t)
	type nested struct {
		N *int `json:"n"`
	}
	for name, body := range map[string]any{
		"a fraction of many digits": map[string]any{"n": 0.1234567890123456}, "a tiny fraction": json.RawMessage(`{"n":0.0000001}`), "a zero at the end": json.RawMessage(`{"n":1.50}`), "a large number": map[string]any{"n": int64(1) << 53}, "a small number": map[string]any{"n": -(int64(1) << 53)},
		"an exponent": json.RawMessage(`{"n":1e3}`), "minus zero": json.RawMessage(`{"n":-0}`), "null": map[string]any{"n": nil}, "a nil inside": nested{},
		"a list": []any{1}, "a string": "x", "a number": 7, "nothing": nil, "a channel": make(chan int), "no JSON": json.RawMessage(`{`),
		"a name twice": json.RawMessage(`{"a":1,"a":2}`), "too much": map[string]any{"s": strings.Repeat("x", receipt.MaxBody)},
	} {
		if _, err := p.log.Append(t.Context(), interlock.EntryCall, body, receipt.Written); interlock.ReasonOf(asError(err)) != interlock.ReasonInternal {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, typ := range []string{"", "Call", "a b", `a"`, "é", strings.Repeat("x", 33)} {
		if _, err := p.log.Append(t.Context(), typ, map[string]any{}, receipt.Written); err == nil {
			t.Errorf("type %q is taken", typ)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.log.Append(ctx, interlock.EntryCall, map[string]any{}, receipt.Written); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: %v", err)
	}
	if size := p.log.Size(); size != 0 {
		t.Errorf("%d entries after refusals", size)
	}
	for _, edge := range []int64{1<<53 - 1, -(1<<53 - 1), 0} {
		_, err := p.log.Append(t.Context(), interlock.EntryCall, map[string]any{"n": edge}, receipt.Written)
		must(t, err)
	}
	p.verify(t)
}

// asError stands an error up where there is none, so that a test can ask for
// its reason.
func asError(err error) error {
	if err == nil {
		return &interlock.Error{Reason: "none"}
	}
	return err
}

func TestOpenRequires(t *testing.T) {
	p := newPlace(t)
	for name, opts := range map[string]receipt.Options{"no clock": {Rand: &counter{}}, "no randomness": {Clock: fixedTime}} {
		if _, err := receipt.Open(t.Context(), p.store, p.keys, opts); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := receipt.Open(t.Context(), p.store, receipt.Keys{}, options()); err == nil {
		t.Error("empty keys are taken")
	}
}

// Every acknowledged entry of many callers has its own place, and the tree is
// the one that the verifier grows.
func TestAppendParallel(t *testing.T) {
	p := newPlace(t)
	const callers, each = 16, 40
	indexes := make([][]int64, callers)
	var group sync.WaitGroup
	for n := range callers {
		group.Go(func() {
			for i := range each {
				entry, err := p.log.Append(t.Context(), interlock.EntryCall, map[string]any{"caller": n, "i": i}, receipt.Durability(i%3))
				if err != nil {
					t.Error(err)
					return
				}
				indexes[n] = append(indexes[n], entry.Index)
			}
		})
	}
	group.Wait()
	must(t, p.log.Flush(t.Context()))
	entries, err := p.log.List(t.Context(), 0, callers*each+1)
	must(t, err)
	if len(entries) != callers*each {
		t.Fatalf("%d entries, want %d", len(entries), callers*each)
	}
	for n, list := range indexes {
		for i, index := range list {
			if behind := i%3 == int(receipt.Behind); behind != (index == -1) {
				t.Errorf("caller %d, entry %d: index %d", n, i, index)
			} else if want := fmt.Sprintf(`{"caller":%d,"i":%d}`, n, i); !behind && string(entries[index].Body) != want {
				t.Errorf("entry %d is %s, want %s", index, entries[index].Body, want)
			}
		}
	}
	p.verify(t)
}

// A clock that goes back leaves the order and the log as they are.
func TestClockGoesBack(t *testing.T) {
	now := fixedTime()
	log, _, p := faultyLog(t, receipt.Options{Clock: func() time.Time { now = now.Add(-time.Hour); return now }, Rand: &counter{}})
	for range 5 {
		blank, err := log.Blank()
		must(t, err)
		_, err = log.Seal(t.Context(), blank, callBody(), []byte("{}"), []byte("1"), receipt.Written)
		must(t, err)
	}
	entries, err := log.List(t.Context(), 0, 10)
	must(t, err)
	var times []string
	for _, entry := range entries {
		var body receipt.CallBody
		must(t, json.Unmarshal(entry.Body, &body))
		times = append(times, body.At)
	}
	if len(times) != 5 || times[0] <= times[4] || times[0] != "2026-05-06T06:08:09.123Z" {
		t.Errorf("times %v", times)
	}
	p.verify(t)
}

// Callers that wait at once share one flush; those who want less wait for none.
func TestGroupCommit(t *testing.T) {
	log, f, _ := faultyLog(t, options())
	f.set(func(f *faulty) { f.pause = 30 * time.Millisecond })
	const callers = 20
	var group sync.WaitGroup
	for n := range callers {
		group.Go(func() {
			if _, err := log.Append(t.Context(), interlock.EntryIntent, map[string]any{"n": n}, receipt.Flushed); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := f.flushes.Load(); n == 0 || n > callers/2 {
		t.Errorf("%d callers took %d flushes", callers, n)
	}
	begun := time.Now()
	_, err := log.Append(t.Context(), interlock.EntryCall, map[string]any{}, receipt.Written)
	must(t, err)
	if took := time.Since(begun); took > 25*time.Millisecond {
		t.Logf("a written entry took %v", took)
	}
}

// A written entry is flushed soon though nobody asks.
func TestWrittenIsFlushedSoon(t *testing.T) {
	log, f, _ := faultyLog(t, options())
	_, err := log.Append(t.Context(), interlock.EntryCall, map[string]any{}, receipt.Written)
	must(t, err)
	waitFor(t, "a flush", func() bool { return f.flushes.Load() > 0 })
	before := f.flushes.Load()
	time.Sleep(150 * time.Millisecond)
	if after := f.flushes.Load(); after != before {
		t.Errorf("%d flushes of nothing", after-before)
	}
}

func waitFor(t testing.TB, what string, true func() bool) {
	t.Helper()
	for until := time.Now().Add(10 * time.Second); !true(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%s never came", what)
		}
	}
}

func TestBehind(t *testing.T) {
	log, f, p := faultyLog(t, receipt.Options{Clock: fixedTime, Rand: &counter{}, Queue: 8, FlushEvery: time.Hour})
	for n := range 8 {
		entry, err := log.Append(t.Context(), interlock.EntryResolve, map[string]any{"n": n}, receipt.Behind)
		must(t, err)
		if entry.Index != -1 {
			t.Errorf("a queued entry has index %d", entry.Index)
		}
	}
	if size := log.Size(); size != 0 {
		t.Errorf("%d entries are written already", size)
	}
	entry, err := log.Append(t.Context(), interlock.EntryResolve, map[string]any{"n": 8}, receipt.Behind)
	must(t, err)
	if entry.Index != 8 {
		t.Errorf("with a full queue the entry has index %d, want 8, written after the queued ones", entry.Index)
	}
	if n := f.batches.Load(); n != 1 {
		t.Errorf("%d batches for one queue", n)
	}
	_, err = log.Append(t.Context(), interlock.EntryResolve, map[string]any{"n": 9}, receipt.Behind)
	must(t, err)
	must(t, log.Close())
	if report := p.verify(t); report.Size != 10 {
		t.Errorf("%d entries after closing, want 10", report.Size)
	}
}

func TestBehindIsWrittenSoon(t *testing.T) {
	p := newPlace(t)
	_, err := p.log.Append(t.Context(), interlock.EntryResolve, map[string]any{}, receipt.Behind)
	must(t, err)
	waitFor(t, "the entry", func() bool { return p.log.Size() == 1 })
}

// Closing writes what is queued and flushes; nothing is taken afterwards.
func TestClose(t *testing.T) {
	log, f, p := faultyLog(t, receipt.Options{Clock: fixedTime, Rand: &counter{}, FlushEvery: time.Hour})
	for n := range 3000 {
		_, err := log.Append(t.Context(), interlock.EntryResolve, map[string]any{"n": n}, receipt.Behind)
		must(t, err)
	}
	must(t, log.Close())
	must(t, log.Close())
	if f.flushes.Load() == 0 {
		t.Error("closing did not flush")
	}
	if _, err := log.Append(t.Context(), interlock.EntryCall, map[string]any{}, receipt.Written); err == nil {
		t.Error("a closed log takes entries")
	}
	if report := p.verify(t); report.Size != 3000 {
		t.Errorf("%d entries, want 3000", report.Size)
	}
	p.reopen(t)
	p.append(t, 1)
	p.verify(t)
}

// Appends and a close that race end, each acknowledged or refused for good.
func TestCloseRace(t *testing.T) {
	p := newPlace(t)
	var group sync.WaitGroup
	acknowledged := make([]int64, 8)
	begun := make(chan struct{}, len(acknowledged))
	for n := range acknowledged {
		group.Go(func() {
			for {
				if _, err := p.log.Append(context.Background(), interlock.EntryCall, map[string]any{"n": n}, receipt.Durability(n%2)); err != nil {
					return
				}
				if acknowledged[n]++; acknowledged[n] == 1 {
					begun <- struct{}{}
				}
			}
		})
	}
	for range acknowledged {
		<-begun
	}
	must(t, p.log.Close())
	group.Wait()
	total := int64(0)
	for _, n := range acknowledged {
		total += n
	}
	if report := p.verify(t); report.Size != total || total == 0 {
		t.Errorf("%d entries, %d acknowledged", report.Size, total)
	}
}

func TestList(t *testing.T) {
	p := newPlace(t)
	p.append(t, 10)
	for _, each := range []struct {
		index int64
		limit int
		want  int
	}{{0, 4, 4}, {8, 4, 2}, {10, 4, 0}, {99, 4, 0}, {0, 0, 0}} {
		got, err := p.log.List(t.Context(), each.index, each.limit)
		if err != nil || len(got) != each.want {
			t.Errorf("list from %d, %d at most: %d entries, %v", each.index, each.limit, len(got), err)
		}
	}
	_, err := p.log.List(t.Context(), -1, 4)
	wantReason(t, err, interlock.ReasonRequestInvalid)
}

func FuzzCanonical(f *testing.F) {
	for _, text := range []string{`{}`, `{"b":1,"a":[true,"\u00e9\u2028<"]}`, `{"n":9007199254740991}`, `{"n":9007199254740992}`, `{"x":null}`, `{"s":"null 1.5 \" \\"}`, `{"a":1,"a":2}`, `{"\ud800":1}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		body, err := receipt.Canonical(json.RawMessage(text))
		if err != nil {
			return
		}
		again, err := receipt.Canonical(body)
		if err != nil || string(again) != string(body) {
			t.Fatalf("canonical %s became %s, %v", body, again, err)
		}
		decoder := json.NewDecoder(strings.NewReader(string(body)))
		decoder.UseNumber()
		for depth := 0; ; depth++ {
			token, err := decoder.Token()
			if err != nil {
				break
			}
			if number, is := token.(json.Number); is {
				if _, err := number.Int64(); err != nil {
					t.Fatalf("the number %s went through in %s", number, body)
				}
			} else if token == nil {
				t.Fatalf("null went through in %s", body)
			}
		}
	})
}
