package receipt_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// watched is a log whose last checkpoint is kept outside its store.
func watched(t *testing.T) (*place, receipt.Options, string) {
	t.Helper()
	p := newPlace(t)
	must(t, p.close())
	opts := options()
	seen := filepath.Join(t.TempDir(), "seen")
	opts.Seen = receipt.NewSeen(seen)
	p.open(t, opts)
	return p, opts, seen
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	must(t, err)
	must(t, os.WriteFile(to, data, 0o600))
}

// A store that is put back whole verifies by itself, and not against what was
// kept outside it.
func TestPutBack(t *testing.T) {
	p, opts, seen := watched(t)
	p.append(t, 3)
	must(t, p.close())
	copyFile(t, p.path, p.path+".old")
	p.open(t, opts)
	p.append(t, 2)
	must(t, p.close())
	newest := p.path + ".new"
	copyFile(t, p.path, newest)

	copyFile(t, p.path+".old", p.path)
	p.openStore(t)
	p.verify(t)
	opts.Seen = receipt.NewSeen(seen)
	_, err := receipt.Open(t.Context(), p.store, p.keys, opts)
	wantReason(t, err, interlock.ReasonLogPutBack, "3 entries", "signs 5")

	// Growing as long again in another way does not help.
	other := options()
	p.log, err = receipt.Open(t.Context(), p.store, p.keys, other)
	must(t, err)
	_, err = p.log.Append(t.Context(), interlock.EntryCall, map[string]any{"n": 1}, receipt.Written)
	must(t, err)
	p.append(t, 3)
	must(t, p.log.Close())
	_, err = receipt.Open(t.Context(), p.store, p.keys, opts)
	wantReason(t, err, interlock.ReasonLogPutBack, "first 5 entries")

	// On purpose it is put on record, and that is the new state.
	p.log, err = receipt.OpenRestored(t.Context(), p.store, p.keys, opts, "local")
	must(t, err)
	must(t, p.close())
	p.open(t, opts)
	entries, err := p.log.List(t.Context(), p.log.Size()-1, 1)
	must(t, err)
	if entries[0].Type != interlock.EntryRestored || !strings.Contains(string(entries[0].Body), `"lost":`) {
		t.Errorf("the last entry is %s %s", entries[0].Type, entries[0].Body)
	}
	p.verify(t)

	// The store that was put aside is now the one that is not it.
	must(t, p.close())
	copyFile(t, newest, p.path)
	p.openStore(t)
	defer p.store.Close()
	_, err = receipt.Open(t.Context(), p.store, p.keys, opts)
	wantReason(t, err, interlock.ReasonLogPutBack)
}

// A seen file of which one half was torn serves by its other half; one that
// holds nothing of this log is refused.
func TestSeenFile(t *testing.T) {
	p, opts, seen := watched(t)
	for range 5 {
		p.append(t, 1)
		must(t, p.log.Flush(t.Context()))
	}
	must(t, p.close())
	whole, err := os.ReadFile(seen)
	must(t, err)
	if len(whole) != 1024 {
		t.Fatalf("%d bytes", len(whole))
	}
	for name, each := range map[string]struct {
		data []byte
		ok   bool
	}{
		"whole":           {whole, true},
		"first half torn": {append([]byte("torn"), whole[4:]...), true},
		"second half":     {append(bytes.Clone(whole[:600]), bytes.Repeat([]byte("x"), 424)...), true},
		"cut":             {whole[:700], true},
		"empty":           {nil, true},
		"both torn":       {bytes.Repeat([]byte("x"), 1024), false},
		"endless":         {bytes.Repeat([]byte("x"), 1<<20), false},
		"zeros":           {make([]byte, 1024), true},
	} {
		t.Run(name, func(t *testing.T) {
			must(t, os.WriteFile(seen, each.data, 0o600))
			p.openStore(t)
			defer p.store.Close()
			opts.Seen = receipt.NewSeen(seen)
			log, err := receipt.Open(t.Context(), p.store, p.keys, opts)
			if !each.ok {
				wantReason(t, err, interlock.ReasonLogPutBack, "holds no checkpoint")
				return
			}
			must(t, err)
			must(t, log.Close())
		})
	}
}

// A checkpoint that somebody kept finds a log that was put back, in the store and
// in an export.
func TestHeld(t *testing.T) {
	p := newPlace(t)
	p.append(t, 3)
	early := p.export(t)
	p.append(t, 4)
	held, err := p.log.Checkpoint(t.Context())
	must(t, err)
	p.append(t, 2)
	check := receipt.Check{Trusted: p.keys.VerifierKeys(), Held: []string{held}}
	report, err := check.Export(bytes.NewReader(p.export(t)))
	must(t, err)
	if len(report.Held) != 1 || report.Held[0] != 7 {
		t.Errorf("report %+v", report)
	}
	_, err = p.log.Verify(t.Context(), check)
	must(t, err)
	_, err = check.Export(bytes.NewReader(early))
	wantReason(t, err, interlock.ReasonLogPutBack, "7")

	other := newPlace(t)
	for range 9 {
		_, err := other.log.Append(t.Context(), interlock.EntryCall, map[string]any{}, receipt.Behind)
		must(t, err)
	}
	_, err = check.Export(bytes.NewReader(other.export(t)))
	wantReason(t, err, interlock.ReasonLogPutBack, "first 7")
	for _, bad := range []string{"", "nonsense", held[:40], strings.Repeat("x", 100000), held + "x"} {
		check.Held = []string{bad}
		_, err = check.Export(bytes.NewReader(early))
		wantReason(t, err, interlock.ReasonLogInvalid)
	}
}
