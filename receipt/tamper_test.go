package receipt_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// smallExport gives an export of a few short entries.
func smallExport(t testing.TB, n int) ([]byte, *place) {
	t.Helper()
	p := newPlace(t)
	for i := range n {
		_, err := p.log.Append(t.Context(), interlock.EntryCall, map[string]any{"i": i, "s": "é"}, receipt.Behind)
		must(t, err)
	}
	var out bytes.Buffer
	must(t, p.log.Export(t.Context(), &out))
	return out.Bytes(), p
}

func TestExport(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 1500} {
		export, p := smallExport(t, n)
		for _, trusted := range [][]string{nil, p.keys.VerifierKeys()} {
			report, err := receipt.VerifyExport(bytes.NewReader(export), trusted)
			must(t, err)
			if report.Size != int64(n) || report.Trusted != (trusted != nil) || report.Origin != p.keys.Origin() || report.Key != p.keys.VerifierKeys()[0] {
				t.Errorf("%d entries: report %+v", n, report)
			}
		}
		if lines := bytes.Count(export, []byte("\n")); lines != n+7 {
			t.Errorf("%d lines for %d entries", lines, n)
		}
		must(t, p.log.Close())
		var again bytes.Buffer
		must(t, p.log.Export(t.Context(), &again))
		if !bytes.Equal(export, again.Bytes()) {
			t.Error("exporting again gives other bytes")
		}
	}
}

// A long body is read whole, and a file that is one endless line is not.
func TestExportLongLines(t *testing.T) {
	p := newPlace(t)
	_, err := p.log.Append(t.Context(), interlock.EntryCall, map[string]any{"s": strings.Repeat("x", receipt.MaxBody-100)}, receipt.Written)
	must(t, err)
	var out bytes.Buffer
	must(t, p.log.Export(t.Context(), &out))
	_, err = receipt.VerifyExport(bytes.NewReader(out.Bytes()), nil)
	must(t, err)
	endless := bytes.Replace(out.Bytes(), []byte("xxxx"), bytes.Repeat([]byte("x"), 8<<20), 1)
	_, err = receipt.VerifyExport(bytes.NewReader(endless), nil)
	wantReason(t, err, interlock.ReasonLogInvalid, "line 2", "too long")
}

// alarm fails the test where a changed export passes.
func alarm(t *testing.T, trusted []string, what string, changed []byte) {
	t.Helper()
	report, err := receipt.VerifyExport(bytes.NewReader(changed), trusted)
	if err == nil {
		t.Errorf("%s passes as good: %+v", what, report)
	} else if got := interlock.ReasonOf(err); got != interlock.ReasonLogInvalid {
		t.Errorf("%s: reason %s: %v", what, got, err)
	}
}

// Every byte of an export changed in every bit, replaced, doubled and taken
// out, with a key that is trusted and with the file's own.
func TestEveryByte(t *testing.T) {
	export, p := smallExport(t, 3)
	for name, trusted := range map[string][]string{"trusted": p.keys.VerifierKeys(), "its own word": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range export {
				for bit := range 8 {
					changed := bytes.Clone(export)
					changed[i] ^= 1 << bit
					alarm(t, trusted, fmt.Sprintf("byte %d with bit %d flipped", i, bit), changed)
				}
				for _, put := range []byte{0, ' ', '\n', '\r', '"', '=', 'A', '0', '{'} {
					if export[i] != put {
						changed := bytes.Clone(export)
						changed[i] = put
						alarm(t, trusted, fmt.Sprintf("byte %d replaced by %q", i, put), changed)
					}
					alarm(t, trusted, fmt.Sprintf("%q put in before byte %d", put, i), splice(export, i, i, []byte{put}))
				}
				alarm(t, trusted, fmt.Sprintf("byte %d taken out", i), splice(export, i, i+1, nil))
			}
		})
	}
}

// splice gives data with the part from i to j replaced.
func splice(data []byte, i, j int, with []byte) []byte {
	return bytes.Join([][]byte{data[:i], with, data[j:]}, nil)
}

func TestEveryTruncation(t *testing.T) {
	export, p := smallExport(t, 3)
	for i := range export {
		alarm(t, nil, fmt.Sprintf("cut to %d bytes", i), export[:i])
		if i > 0 {
			alarm(t, p.keys.VerifierKeys(), fmt.Sprintf("%d bytes cut from the front", i), export[i:])
		}
	}
}

func TestEveryLine(t *testing.T) {
	export, _ := smallExport(t, 6)
	lines := bytes.SplitAfter(export, []byte("\n"))
	lines = lines[:len(lines)-1]
	with := func(change func([][]byte) [][]byte) []byte {
		return bytes.Join(change(append([][]byte(nil), lines...)), nil)
	}
	for i := range lines {
		alarm(t, nil, fmt.Sprintf("line %d taken out", i), with(func(l [][]byte) [][]byte { return append(l[:i], l[i+1:]...) }))
		for j := range lines {
			if i < j && !bytes.Equal(lines[i], lines[j]) {
				alarm(t, nil, fmt.Sprintf("lines %d and %d swapped", i, j), with(func(l [][]byte) [][]byte { l[i], l[j] = l[j], l[i]; return l }))
			}
			alarm(t, nil, fmt.Sprintf("line %d again before line %d", i, j), bytes.Join([][]byte{bytes.Join(lines[:j], nil), lines[i], bytes.Join(lines[j:], nil)}, nil))
		}
		alarm(t, nil, fmt.Sprintf("line %d again at the end", i), append(bytes.Clone(export), lines[i]...))
	}
}

func TestAdded(t *testing.T) {
	export, _ := smallExport(t, 2)
	for b := range 256 {
		alarm(t, nil, fmt.Sprintf("byte %d at the end", b), append(bytes.Clone(export), byte(b)))
		alarm(t, nil, fmt.Sprintf("byte %d in front", b), append([]byte{byte(b)}, export...))
	}
	alarm(t, nil, "the export twice", append(bytes.Clone(export), export...))
	alarm(t, nil, "five thousand spaces at the end", append(bytes.Clone(export), bytes.Repeat([]byte(" "), 5000)...))
	alarm(t, nil, "line ends of Windows", bytes.ReplaceAll(export, []byte("\n"), []byte("\r\n")))
	alarm(t, nil, "nothing", nil)
	alarm(t, nil, "an empty object", []byte("{}\n"))
}

// Another log's parts do not fit, and another key is not believed.
func TestForged(t *testing.T) {
	export, p := smallExport(t, 3)
	rotated, err := p.keys.Rotated(&counter{n: 1000})
	must(t, err)
	otherKeys, err := receipt.NewKeys(&counter{n: 5000})
	must(t, err)
	other := &place{path: p.path + ".other", keys: otherKeys}
	other.open(t, options())
	t.Cleanup(func() { _ = other.close() })
	for i := range 3 {
		_, err := other.log.Append(t.Context(), interlock.EntryCall, map[string]any{"i": i, "s": "é"}, receipt.Written)
		must(t, err)
	}
	var out bytes.Buffer
	must(t, other.log.Export(t.Context(), &out))
	_, err = receipt.VerifyExport(bytes.NewReader(out.Bytes()), nil)
	must(t, err)

	alarm(t, p.keys.VerifierKeys(), "a log signed by another key", out.Bytes())
	alarm(t, []string{rotated.VerifierKeys()[0]}, "a log signed by a key that is not trusted", export)
	alarm(t, []string{"nonsense"}, "a trusted key that is none", export)
	mine, theirs := bytes.SplitAfter(export, []byte("\n")), bytes.SplitAfter(out.Bytes(), []byte("\n"))
	for i := range mine {
		if !bytes.Equal(mine[i], theirs[i]) {
			mixed := append(append(append([][]byte(nil), mine[:i]...), theirs[i]), mine[i+1:]...)
			alarm(t, nil, fmt.Sprintf("line %d of another log", i), bytes.Join(mixed, nil))
		}
	}
	if !bytes.Equal(mine[1], theirs[1]) {
		t.Error("the entries of the two logs should be alike")
	}
	must(t, func() error {
		_, err := receipt.VerifyExport(bytes.NewReader(export), rotated.VerifierKeys())
		return err
	}())
}

// Whatever is found in the store's place is an alarm, and what touches the
// right edge keeps the log from being opened.
func TestDamagedStore(t *testing.T) {
	flip := func(column string) string {
		return fmt.Sprintf(`%[1]s = CAST(replace(CAST(%[1]s AS TEXT), 'a', 'b') AS BLOB)`, column)
	}
	for _, each := range []struct {
		name   string
		change string
		edge   bool // Open sees it too
	}{
		{"a body", `UPDATE log SET ` + flip("body") + ` WHERE idx = 2`, false},
		{"the last body", `UPDATE log SET ` + flip("body") + ` WHERE idx = 8`, true},
		{"a body and its digest", `UPDATE log SET body = '{}', digest = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' WHERE idx = 2`, false},
		{"the last body and its digest", `UPDATE log SET body = '{}', digest = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' WHERE idx = 8`, true},
		{"a type", `UPDATE log SET type = 'refused' WHERE idx = 3`, false},
		{"a digest", `UPDATE log SET digest = upper(digest) WHERE idx = 4`, false},
		{"a hash that no peak needs", `UPDATE log SET hashes = zeroblob(32) WHERE idx = 2`, false},
		{"a peak", `UPDATE log SET hashes = zeroblob(length(hashes)) WHERE idx = 7`, true},
		{"an entry gone", `DELETE FROM log WHERE idx = 4`, false},
		{"the last entry gone", `DELETE FROM log WHERE idx = 8`, true},
		{"every entry gone", `DELETE FROM log`, true},
		{"an entry behind the checkpoint", `INSERT INTO log SELECT 9, type, digest, hashes, body FROM log WHERE idx = 8`, true},
		{"two entries swapped", `UPDATE log SET idx = CASE idx WHEN 1 THEN -3 WHEN 3 THEN -1 END WHERE idx IN (1, 3)`, false},
		{"the size", `UPDATE log_head SET size = 8`, true},
		{"the checkpoint", `UPDATE log_head SET checkpoint = replace(checkpoint, 'open 9', 'open 0')`, true},
		{"the checkpoint gone", `UPDATE log_head SET size = 0, checkpoint = ''`, true},
	} {
		t.Run(each.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.append(t, 9)
			changes := []string{each.change}
			if strings.Contains(each.name, "swapped") {
				changes = append(changes, `UPDATE log SET idx = -idx WHERE idx < 0`)
			}
			p.damage(t, changes...)
			p.openStore(t)
			defer p.store.Close()
			_, err := receipt.VerifyStore(t.Context(), p.store, p.keys)
			wantReason(t, err, interlock.ReasonLogInvalid, "copy")
			log, err := receipt.Open(t.Context(), p.store, p.keys, options())
			if err == nil {
				defer log.Close()
			}
			if each.edge {
				wantReason(t, err, interlock.ReasonLogInvalid)
			}
		})
	}
}

func TestOtherKeys(t *testing.T) {
	p := newPlace(t)
	p.append(t, 2)
	must(t, p.log.Close())
	other, err := receipt.NewKeys(&counter{n: 77})
	must(t, err)
	_, err = receipt.Open(t.Context(), p.store, other, options())
	wantReason(t, err, interlock.ReasonLogInvalid, "keys")
	_, err = receipt.VerifyStore(t.Context(), p.store, other)
	wantReason(t, err, interlock.ReasonLogInvalid)
}

// A log goes on under rotated keys, and the old checkpoint still opens it.
func TestRotatedKeys(t *testing.T) {
	p := newPlace(t)
	p.append(t, 3)
	must(t, p.close())
	old := p.keys
	var err error
	p.keys, err = old.Rotated(&counter{n: 900})
	must(t, err)
	p.open(t, options())
	if report := p.verify(t); report.Key != old.VerifierKeys()[0] {
		t.Errorf("the old checkpoint is said to be by %s", report.Key)
	}
	p.append(t, 1)
	if report := p.verify(t); report.Key != p.keys.VerifierKeys()[0] || report.Size != 4 {
		t.Errorf("report %+v", report)
	}
	must(t, p.log.Close())
	_, err = receipt.Open(t.Context(), p.store, old, options())
	wantReason(t, err, interlock.ReasonLogInvalid)
}

func TestProve(t *testing.T) {
	p := newPlace(t)
	for size := range int64(12) {
		p.append(t, 1)
		for index := range size + 1 {
			proof, err := p.log.Prove(t.Context(), index)
			must(t, err)
			must(t, receipt.VerifyProof(proof, p.keys.VerifierKeys()))
			changed := proof
			changed.Entry.Type = "call"
			wantReason(t, receipt.VerifyProof(changed, p.keys.VerifierKeys()), interlock.ReasonLogInvalid)
			changed = proof
			changed.Entry.Index = (index + 1) % (size + 2)
			wantReason(t, receipt.VerifyProof(changed, p.keys.VerifierKeys()), interlock.ReasonLogInvalid)
			changed = proof
			changed.Hashes = append([]string{tlog.Hash{}.String()}, proof.Hashes...)
			wantReason(t, receipt.VerifyProof(changed, p.keys.VerifierKeys()), interlock.ReasonLogInvalid)
		}
	}
	for _, index := range []int64{-1, 12} {
		_, err := p.log.Prove(t.Context(), index)
		wantReason(t, err, interlock.ReasonNotFound, "12 entries")
	}
	proof, err := p.log.Prove(t.Context(), 5)
	must(t, err)
	wantReason(t, receipt.VerifyProof(proof, nil), interlock.ReasonLogInvalid)
	other, err := receipt.NewKeys(&counter{n: 77})
	must(t, err)
	wantReason(t, receipt.VerifyProof(proof, other.VerifierKeys()), interlock.ReasonLogInvalid)
}

// The one text that verifies under the key is the export itself.
func FuzzVerifyExport(f *testing.F) {
	export, p := smallExport(f, 3)
	trusted := p.keys.VerifierKeys()
	f.Add(export)
	f.Add(export[:len(export)/2])
	f.Add([]byte(strings.ReplaceAll(string(export), "\n", "\r\n")))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := receipt.VerifyExport(bytes.NewReader(text), trusted); (err == nil) != bytes.Equal(text, export) {
			t.Fatalf("%q: %v", text, err)
		}
		if report, err := receipt.VerifyExport(bytes.NewReader(text), nil); err == nil && report.Trusted {
			t.Fatalf("a key that nobody gave is trusted: %+v", report)
		}
	})
}
