package receipt_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

func (p *place) prune(t testing.TB, before int64) receipt.Pruned {
	t.Helper()
	pruned, err := p.log.Prune(t.Context(), before, "local", "", nil)
	must(t, err)
	return pruned
}

func (p *place) export(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	must(t, p.log.Export(t.Context(), &out))
	return out.Bytes()
}

// A log that was pruned in every way goes on, verifies, and proves the same of
// what is left as one that was not.
func TestPrune(t *testing.T) {
	p, whole := newPlace(t), newPlace(t)
	const size = 1200
	p.append(t, size)
	whole.append(t, size)
	for _, before := range []int64{1, 2, 3, 255, 256, 257, 700, 1024, 1199} {
		root, err := p.log.Consistency(t.Context(), before, size)
		must(t, err)
		want := p.log.Size() - before
		if got := p.prune(t, before); got.Dropped != before || got.Kept != want+1 {
			t.Fatalf("pruned %+v, want %d dropped and %d kept", got, before, want+1)
		}
		again, err := p.log.Consistency(t.Context(), before, size)
		must(t, err)
		if fmt.Sprint(again.Hashes, again.OldRoot) != fmt.Sprint(root.Hashes, root.OldRoot) {
			t.Errorf("before %d: the proof of consistency has changed", before)
		}
		p.reopen(t)
		if report := p.verify(t); report.Dropped != before || report.Size != p.log.Size() {
			t.Errorf("before %d: report %+v", before, report)
		}
		report, err := receipt.VerifyExport(bytes.NewReader(p.export(t)), p.keys.VerifierKeys())
		must(t, err)
		if report.Dropped != before {
			t.Errorf("before %d: the export says %d", before, report.Dropped)
		}
	}
	for _, old := range []int64{0, 1, 100, 256, 300, 1199, 1200, 1203} {
		c, err := p.log.Consistency(t.Context(), old, 0)
		must(t, err)
		must(t, receipt.VerifyConsistency(c, p.keys.VerifierKeys()))
		if c.Hashes = append(c.Hashes, c.OldRoot); receipt.VerifyConsistency(c, p.keys.VerifierKeys()) == nil {
			t.Errorf("from %d: a longer proof passes", old)
		}
	}
	p.append(t, 300)
	p.verify(t)
}

// Whoever kept an entry that was dropped proves it with what is left.
func TestProveDropped(t *testing.T) {
	p := newPlace(t)
	p.append(t, 20)
	kept, err := p.log.Prove(t.Context(), 4)
	must(t, err)
	p.prune(t, 10)
	p.append(t, 5)
	proof, err := p.log.Prove(t.Context(), 4)
	must(t, err)
	if !proof.Dropped {
		t.Error("the proof does not say that the entry was dropped")
	}
	wantReason(t, receipt.VerifyProof(proof, p.keys.VerifierKeys()), interlock.ReasonLogInvalid, "dropped")
	proof.Entry, proof.Dropped = kept.Entry, false
	must(t, receipt.VerifyProof(proof, p.keys.VerifierKeys()))
	_, err = p.log.Attest(t.Context(), 4)
	wantReason(t, err, interlock.ReasonNotFound, "dropped")
}

// The intent of a call that is under way, and what is not there, are not
// dropped.
func TestPruneRefuses(t *testing.T) {
	p := newPlace(t)
	p.append(t, 5)
	blank, err := p.log.Blank()
	must(t, err)
	must(t, p.log.Intend(t.Context(), blank, receipt.IntentBody{}, []byte("{}")))
	p.append(t, 5)
	_, err = p.log.Prune(t.Context(), 6, "local", "", nil)
	wantReason(t, err, interlock.ReasonConflict, "5")
	_, err = p.log.Prune(t.Context(), 100, "local", "", nil)
	wantReason(t, err, interlock.ReasonNotFound)
	p.prune(t, 5)
	p.reopen(t)
	if open := p.log.OpenIntents(); len(open) != 1 || open[0].Receipt != blank.ID {
		t.Errorf("open intents %v", open)
	}
	size := p.log.Size()
	if got := p.prune(t, 3); got.Dropped != 5 || got.Now != 0 || p.log.Size() != size {
		t.Errorf("dropping what is dropped did %+v", got)
	}
}

// A front that is missing and that nothing states was taken away.
func TestPrunedBehindOurBack(t *testing.T) {
	for name, changes := range map[string][]string{
		"the front taken":           {`DELETE FROM log WHERE idx < 5`},
		"the front taken, floor up": {`DELETE FROM log WHERE idx < 290`, `UPDATE log_floor SET floor = 290`},
		"a tile changed":            {`UPDATE log_tiles SET hashes = zeroblob(length(hashes))`},
		"a tile cut":                {`UPDATE log_tiles SET hashes = substr(hashes, 1, 32)`},
		"a tile gone":               {`DELETE FROM log_tiles WHERE level = 0`},
		"an upper tile changed":     {`UPDATE log_tiles SET hashes = zeroblob(length(hashes)) WHERE level = 1`},
		"the floor down":            {`UPDATE log_floor SET floor = 3`},
		"the statement taken":       {`DELETE FROM log WHERE type = 'retention'`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.append(t, 300)
			if name != "the front taken" {
				p.prune(t, 280)
			}
			p.damage(t, changes...)
			p.openStore(t)
			defer p.store.Close()
			_, err := receipt.VerifyStore(t.Context(), p.store, p.keys)
			wantReason(t, err, interlock.ReasonLogInvalid)
		})
	}
}

// An export without its front and without a statement of it does not verify,
// and neither does one whose statement is about something else.
func TestPrunedExport(t *testing.T) {
	p := newPlace(t)
	p.append(t, 30)
	p.prune(t, 7)
	export := p.export(t)
	lines := bytes.SplitAfter(export, []byte("\n"))
	var h map[string]any
	must(t, json.Unmarshal(lines[0], &h))
	if h["dropped"] != float64(7) || len(h["peaks"].([]any)) != 3 {
		t.Fatalf("header %s", lines[0])
	}
	for i := range lines[0] {
		for bit := range 8 {
			changed := bytes.Clone(export)
			changed[i] ^= 1 << bit
			alarm(t, nil, fmt.Sprintf("byte %d of the header with bit %d flipped", i, bit), changed)
		}
	}
	alarm(t, nil, "the first entry taken out", bytes.Join(append(lines[:1:1], lines[2:]...), nil))
	held, err := p.log.Checkpoint(t.Context())
	must(t, err)
	_, err = receipt.Check{Held: []string{held}}.Export(bytes.NewReader(export))
	must(t, err)
}

// The tiles are those of the format of the Go checksum database, whether or not
// their entries are still there.
func TestTiles(t *testing.T) {
	p := newPlace(t)
	p.append(t, 700)
	tiles := func() map[string][]byte {
		all := map[string][]byte{}
		for _, path := range receipt.TilePaths(0, 700) {
			data, err := p.log.Tile(t.Context(), path)
			must(t, err)
			all[path] = data
		}
		return all
	}
	before := tiles()
	if len(before) != 4 || len(before["tile/8/0/001"]) != 256*32 || len(before["tile/8/0/002.p/188"]) != 188*32 || len(before["tile/8/1/000.p/2"]) != 64 {
		t.Fatalf("tiles %v", receipt.TilePaths(0, 700))
	}
	signed, err := p.log.Checkpoint(t.Context())
	must(t, err)
	p.prune(t, 600)
	for path, data := range tiles() {
		if !bytes.Equal(data, before[path]) {
			t.Errorf("%s has changed", path)
		}
	}
	read := func(path string) ([]byte, error) { return before[path], nil }
	n, err := receipt.VerifyTiles(signed, p.keys.VerifierKeys(), read)
	must(t, err)
	if n != 4 {
		t.Errorf("%d tiles read", n)
	}
	for _, data := range before {
		for _, at := range []int{0, 31, len(data) / 2, len(data) - 1} {
			data[at] ^= 4
			_, err := receipt.VerifyTiles(signed, p.keys.VerifierKeys(), read)
			wantReason(t, err, interlock.ReasonLogInvalid)
			data[at] ^= 4
		}
	}
	for _, path := range []string{"tile/8/0/003", "tile/8/0/002", "tile/8/0/000.p/0", "tile/7/0/000", "tile/8/data/000", "../x", "", "tile/8/8/000.p/1"} {
		_, err := p.log.Tile(t.Context(), path)
		wantReason(t, err, interlock.ReasonNotFound)
	}
}
