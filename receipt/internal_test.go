package receipt

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The edge in memory gives the same hashes and roots as a tree that is kept
// whole.
func TestEdge(t *testing.T) {
	var e edge
	var stored []tlog.Hash
	whole := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var list []tlog.Hash
		for _, i := range indexes {
			list = append(list, stored[i])
		}
		return list, nil
	})
	for n := range int64(300) {
		want, err := tlog.TreeHash(n, whole)
		if err != nil || e.root() != want || e.size != n {
			t.Fatalf("size %d: root %v, want %v, %v", n, e.root(), want, err)
		}
		var peaks []tlog.Hash
		for _, i := range peakIndexes(n) {
			peaks = append(peaks, stored[i])
		}
		if fmt.Sprint(peaks) != fmt.Sprint(e.peaks) {
			t.Fatalf("size %d: peaks %v, want %v", n, e.peaks, peaks)
		}
		leaf := fmt.Appendf(nil, "leaf %d", n)
		added, err := tlog.StoredHashes(n, leaf, whole)
		if err != nil {
			t.Fatal(err)
		}
		kept := e.clone()
		got := e.add(tlog.RecordHash(leaf), nil)
		if len(got) != len(added) {
			t.Fatalf("size %d: %d hashes, want %d", n, len(got), len(added))
		}
		for i := range got {
			if tlog.Hash(got[i]) != added[i] {
				t.Fatalf("size %d: hash %d differs", n, i)
			}
		}
		if kept.root() != want {
			t.Fatalf("size %d: growing one edge changed its clone", n)
		}
		stored = append(stored, added...)
	}
}

func FuzzCheckpoint(f *testing.F) {
	random := rand.NewChaCha8([32]byte{1})
	keys, err := NewKeys(random)
	if err != nil {
		f.Fatal(err)
	}
	verifiers := []note.Verifier{keys.signers[0].verifier}
	for _, c := range []checkpoint{{origin: keys.origin}, {origin: keys.origin, size: 7, root: tlog.Hash{1}, open: 3}} {
		signed, err := keys.sign(c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(signed)
		f.Add(c.text())
	}
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := parseCheckpoint(text); err == nil && c.text() != text {
			t.Fatalf("%q reads as %q", text, c.text())
		}
		if c, _, err := openCheckpoint(text, verifiers); err == nil {
			if again, err := keys.sign(c); err != nil || again != text {
				t.Fatalf("%q opens, and is not what was signed: %q", text, again)
			}
		}
	})
}

// A checkpoint with a second signature, by whomever, is not spelled as ours.
func TestCheckpointHasOneSignature(t *testing.T) {
	keys, err := NewKeys(rand.NewChaCha8([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	both, err := keys.Rotated(rand.NewChaCha8([32]byte{2}))
	if err != nil {
		t.Fatal(err)
	}
	c := checkpoint{origin: keys.origin, size: 1, open: 1}
	signed, err := note.Sign(&note.Note{Text: c.text()}, both.signers[0].Signer, both.signers[1].Signer)
	if err != nil {
		t.Fatal(err)
	}
	for _, verifiers := range [][]note.Verifier{{both.signers[0].verifier}, {both.signers[0].verifier, both.signers[1].verifier}} {
		if _, _, err := openCheckpoint(string(signed), verifiers); err == nil {
			t.Error("two signatures pass as one")
		}
	}
}
