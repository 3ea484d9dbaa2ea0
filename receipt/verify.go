package receipt

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gowebpki/jcs"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

const (
	maxLine = 2 * MaxBody // bytes of one line of an export
	maxTail = 4 << 10     // bytes of a signed checkpoint
)

// Report says what was verified.
type Report struct {
	Origin  string           `json:"origin"`
	Key     string           `json:"key"`     // verifier key of the checkpoint
	Trusted bool             `json:"trusted"` // the key was given; otherwise it is the file's own word
	Size    int64            `json:"size"`
	Root    string           `json:"root"` // base64
	Types   map[string]int64 `json:"types"`
}

// replay grows the tree anew from entries.
type replay struct {
	right edge
	types map[string]int64
}

func newReplay() *replay { return &replay{types: map[string]int64{}} }

// add checks one entry and takes it into the tree; it gives the hashes that it
// completes.
func (r *replay) add(entry interlock.LogEntry) ([][tlog.HashSize]byte, error) {
	if err := checkEntry(entry, r.right.size); err != nil {
		return nil, err
	}
	r.types[entry.Type]++
	return r.right.add(leafHash(entry), nil), nil
}

// checkEntry checks what can be seen of an entry alone.
func checkEntry(entry interlock.LogEntry, index int64) error {
	if entry.Index != index {
		return invalid(fmt.Sprintf("entry %d stands in the place of entry %d", entry.Index, index))
	}
	if !validType(entry.Type) {
		return invalid(fmt.Sprintf("the type of entry %d is malformed", index))
	}
	if entry.Digest != digestOf(entry.Body) {
		return invalid(fmt.Sprintf("the digest of entry %d is not that of its body", index))
	}
	if text, err := jcs.Transform(entry.Body); err != nil || !bytes.Equal(text, entry.Body) {
		return invalid(fmt.Sprintf("the body of entry %d is not canonical", index))
	}
	return nil
}

// report holds the tree that was grown against the checkpoint.
func (r *replay) report(head checkpoint, key string, trusted bool) (Report, error) {
	if r.right.size != head.size {
		return Report{}, invalid(fmt.Sprintf("there are %d entries, and the checkpoint signs %d", r.right.size, head.size))
	}
	if r.right.root() != head.root {
		return Report{}, invalid("the entries do not make the tree that the checkpoint signs")
	}
	return Report{Origin: head.origin, Key: key, Trusted: trusted, Size: head.size, Root: head.root.String(), Types: r.types}, nil
}

// VerifyExport checks an export offline, line by line as it is read. Any byte
// that was changed, added, moved or left out is an error of ReasonLogInvalid.
// The checkpoint must be signed by one of the trusted verifier keys; with none
// given the key in the file is taken at its word, which shows damage but not a
// forger who signed anew, and the report says Trusted false.
func VerifyExport(r io.Reader, trusted []string) (Report, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	line, err := readLine(in)
	if err != nil {
		return Report{}, atLine(1, err)
	}
	head, verifier, err := openHeader(line, trusted)
	if err != nil {
		return Report{}, atLine(1, err)
	}
	tree := newReplay()
	for n := int64(2); ; n++ {
		if line, err = readLine(in); err != nil {
			return Report{}, atLine(n, err)
		}
		if line[0] != '{' {
			break
		}
		if err := tree.addLine(line); err != nil {
			return Report{}, atLine(n, err)
		}
	}
	signed, err := io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(bytes.Clone(line)), in), maxTail))
	if err != nil {
		return Report{}, fmt.Errorf("read the log: %w", err)
	}
	last, _, err := openCheckpoint(string(signed), []note.Verifier{verifier})
	if err != nil {
		return Report{}, invalid(err.Error())
	}
	if last.origin != head.Origin {
		return Report{}, invalid("the checkpoint is of another log")
	}
	return tree.report(last, head.Key, len(trusted) > 0)
}

// atLine says where an export is wrong; errors of reading stay what they are.
func atLine(n int64, err error) error {
	var known *interlock.Error
	if errors.As(err, &known) {
		return invalid(fmt.Sprintf("line %d: %v", n, known.Err))
	}
	return fmt.Errorf("read the log: %w", err)
}

// readLine reads one line with its end. The slice is good until the next read.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, endOfLine(err)
	}
	whole := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = in.ReadSlice('\n')
		if whole = append(whole, line...); len(whole) > maxLine {
			return nil, invalid("a line is too long")
		}
	}
	return whole, endOfLine(err)
}

func endOfLine(err error) error {
	if errors.Is(err, io.EOF) {
		return invalid("the log is cut off")
	}
	return err
}

// openHeader reads the first line and chooses the key that the checkpoint must
// be signed with.
func openHeader(line []byte, trusted []string) (header, note.Verifier, error) {
	var h header
	if json.Unmarshal(line, &h) != nil || h.Format != exportFormat {
		return h, nil, invalid("it is no log of the format " + exportFormat)
	}
	if again, err := headerLine(h); err != nil || !bytes.Equal(again, line) {
		return h, nil, invalid("the header is malformed")
	}
	verifiers, err := parseVerifiers([]string{h.Key})
	if err != nil {
		return h, nil, invalid(err.Error())
	}
	if verifiers[0].Name() != h.Origin {
		return h, nil, invalid("the key is of another log")
	}
	if len(trusted) == 0 {
		return h, verifiers[0], nil
	}
	for _, key := range trusted {
		if key == h.Key {
			return h, verifiers[0], nil
		}
	}
	return h, nil, invalid("it is signed with a key that is not trusted")
}

// addLine takes the line of an entry. It must be spelled as Export spells it.
func (r *replay) addLine(line []byte) error {
	var entry interlock.LogEntry
	if json.Unmarshal(line, &entry) != nil || !bytes.Equal(appendLine(nil, entry), line) {
		return invalid("the entry is malformed")
	}
	_, err := r.add(entry)
	return err
}

// VerifyStore checks the whole log of a store: every entry, every stored hash
// and the checkpoint. It may run while the log is written.
func VerifyStore(ctx context.Context, store interlock.LogStore, keys Keys) (Report, error) {
	text, size, err := store.LogCheckpoint(ctx)
	if err != nil {
		return Report{}, err
	}
	head := checkpoint{origin: keys.origin, root: edge{}.root()}
	if text != "" || size != 0 {
		if head, err = keys.openHead(text, size); err != nil {
			return Report{}, err
		}
	}
	tree := newReplay()
	var grown hashCheck
	err = eachEntry(ctx, store, 0, head.size, func(entry interlock.LogEntry) error {
		hashes, err := tree.add(entry)
		if err != nil {
			return err
		}
		return grown.take(ctx, store, hashes)
	})
	if err == nil {
		err = errors.Join(grown.compare(ctx, store), checkBehind(ctx, store, head.size))
	}
	if err != nil {
		return Report{}, err
	}
	return tree.report(head, keys.signerOf(text), true)
}

// checkBehind checks that no entry stands behind the checkpoint; on a log that
// is being written a newer checkpoint covers it.
func checkBehind(ctx context.Context, store interlock.LogStore, size int64) error {
	entries, err := store.LogEntries(ctx, size, 1)
	if err != nil || len(entries) == 0 {
		return err
	}
	if _, now, err := store.LogCheckpoint(ctx); err != nil || now > size {
		return err
	}
	return invalid("entries stand behind the checkpoint")
}

// signerOf gives the verifier key of a checkpoint that has been opened, or the
// newest for an empty log.
func (k Keys) signerOf(signed string) string {
	for _, key := range k.signers {
		if _, _, err := openCheckpoint(signed, []note.Verifier{key.verifier}); err == nil {
			return key.public
		}
	}
	return k.signers[0].public
}

// hashCheck compares hashes that were computed with those that are stored, many
// at a time.
type hashCheck struct {
	from int64
	want [][tlog.HashSize]byte
}

func (h *hashCheck) take(ctx context.Context, store interlock.LogStore, hashes [][tlog.HashSize]byte) error {
	if h.want = append(h.want, hashes...); len(h.want) < 2*page {
		return nil
	}
	return h.compare(ctx, store)
}

func (h *hashCheck) compare(ctx context.Context, store interlock.LogStore) error {
	indexes := make([]int64, len(h.want))
	for i := range indexes {
		indexes[i] = h.from + int64(i)
	}
	stored, err := readHashes(ctx, store, indexes)
	if err != nil {
		return err
	}
	for i := range stored {
		if stored[i] != h.want[i] {
			return invalid(fmt.Sprintf("the stored hash %d is not that of its entries", indexes[i]))
		}
	}
	h.from, h.want = h.from+int64(len(h.want)), h.want[:0]
	return nil
}
