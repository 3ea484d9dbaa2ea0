package receipt

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"time"

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
	Origin    string           `json:"origin"`
	Key       string           `json:"key"`     // verifier key of the checkpoint
	Trusted   bool             `json:"trusted"` // the key was given; otherwise it is the file's own word
	Size      int64            `json:"size"`
	Root      string           `json:"root"`              // base64
	Dropped   int64            `json:"dropped,omitempty"` // entries that retention has dropped, as an entry of the log states
	Types     map[string]int64 `json:"types"`
	Held      []int64          `json:"held,omitempty"`      // sizes of checkpoints kept elsewhere that the log grew out of
	Witnessed *Witnessed       `json:"witnessed,omitempty"` // newest checkpoint that satisfies the policy
	Books     *Books           `json:"books,omitempty"`     // what the bodies say, where it was asked for
}

// Check is what a log is held against when it is verified; the zero value holds
// it against itself alone.
type Check struct {
	// Trusted are the verifier keys one of which must have signed the
	// checkpoint of an export. With none the file's own key is taken at its
	// word, which shows damage but not a forger who signed anew.
	Trusted []string
	// Held are checkpoints that were kept elsewhere. The log must have grown out
	// of each.
	Held []string
	// Witness is who else must have signed one of Held, or of the checkpoints
	// that the log brings along, and Now the time by which that is judged.
	Witness WitnessPolicy
	Now     time.Time
	// Books reads the bodies too: ids, digests, times, intents.
	Books bool
	// Each is called with every entry once it fits; what it reads is good only
	// once the verification has ended well. The body is the callee's to keep.
	Each func(interlock.LogEntry) error
	// Progress hears from time to time how many entries of how many are done;
	// for an export the second is 0.
	Progress func(done, total int64)
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
	if !isCanonical(entry.Body) {
		return invalid(fmt.Sprintf("the body of entry %d is not canonical", index))
	}
	return nil
}

// VerifyExport checks an export offline, line by line as it is read. Any byte
// that was changed, added, moved or left out is an error of ReasonLogInvalid.
// The checkpoint must be signed by one of the trusted verifier keys; with none
// given the key in the file is taken at its word, which shows damage but not a
// forger who signed anew, and the report says Trusted false.
func VerifyExport(r io.Reader, trusted []string) (Report, error) {
	return Check{Trusted: trusted}.Export(r)
}

// Export is VerifyExport with everything that a log can be held against.
func (c Check) Export(r io.Reader) (Report, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	line, err := readLine(in)
	if err != nil {
		return Report{}, atLine(1, err)
	}
	head, verifier, err := openHeader(line, c.Trusted)
	if err != nil {
		return Report{}, atLine(1, err)
	}
	verifiers := []note.Verifier{verifier}
	tree, err := c.replayFrom(head, verifiers)
	if err != nil {
		return Report{}, atLine(1, err)
	}
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
	last, _, err := openCheckpoint(string(signed), verifiers)
	if err != nil {
		return Report{}, invalid(err.Error())
	}
	if last.origin != head.Origin {
		return Report{}, invalid("the checkpoint is of another log")
	}
	return tree.report(last, head.Key, len(c.Trusted) > 0)
}

// replayFrom begins the replay of an export: at its first entry, on the peaks of
// what retention has dropped.
func (c Check) replayFrom(head header, verifiers []note.Verifier) (*replay, error) {
	peaks, err := parseHashes(head.Peaks)
	if err != nil || len(peaks) != bits.OnesCount64(uint64(head.Dropped)) || head.Dropped < 0 {
		return nil, invalid("the header does not give the tree of what was dropped")
	}
	if len(c.Trusted) > 0 { // a checkpoint that was kept may be by an older key
		if verifiers, err = parseVerifiers(c.Trusted); err != nil {
			return nil, invalid(err.Error())
		}
	}
	held, err := openAll(append(slices.Clone(c.Held), head.Cosigned...), verifiers)
	if err != nil {
		return nil, err
	}
	return newReplay(c, edge{head.Dropped, peaks}, held)
}

// openAll reads checkpoints that were kept elsewhere.
func openAll(texts []string, verifiers []note.Verifier) ([]checkpoint, error) {
	var list []checkpoint
	for _, text := range texts {
		held, err := openHeld(text, verifiers)
		if err != nil {
			return nil, err
		}
		list = append(list, held)
	}
	return list, nil
}

// atLine says where an export is wrong; errors of reading stay what they are.
func atLine(n int64, err error) error {
	var known *interlock.Error
	switch {
	case errors.As(err, &known) && known.Reason == interlock.ReasonLogInvalid:
		return invalid(fmt.Sprintf("line %d: %v", n, known.Err))
	case known != nil:
		return err
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

// VerifyStore checks the whole log of a store: every entry, every stored hash
// and tile, and the checkpoint. It may run while the log is written.
func VerifyStore(ctx context.Context, store interlock.LogStore, keys Keys) (Report, error) {
	return Check{}.Store(ctx, store, keys)
}

// Store is VerifyStore with everything that a log can be held against.
func (c Check) Store(ctx context.Context, store interlock.LogStore, keys Keys) (Report, error) {
	for {
		floor, err := store.LogFloor(ctx)
		if err != nil {
			return Report{}, err
		}
		report, err := c.store(ctx, store, keys, floor)
		if err == nil {
			return report, nil
		}
		if now, again := store.LogFloor(ctx); again != nil || now == floor {
			return Report{}, err
		} // entries were dropped while they were read
	}
}

func (c Check) store(ctx context.Context, store interlock.LogStore, keys Keys, floor int64) (Report, error) {
	held, err := c.heldBy(ctx, store, keys)
	if err != nil {
		return Report{}, err
	}
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
	right, held, err := c.dropped(ctx, store, head, floor, held)
	if err != nil {
		return Report{}, err
	}
	tree, err := newReplay(c, right, held)
	if err != nil {
		return Report{}, err
	}
	tree.total = head.size
	grown := hashCheck{from: tlog.StoredHashCount(floor)}
	err = eachEntry(ctx, store, floor, head.size, func(entry interlock.LogEntry) error {
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

// heldBy gives the checkpoints that the log of a store is held against: those
// given, and those that witnesses have signed.
func (c Check) heldBy(ctx context.Context, store interlock.LogStore, keys Keys) ([]checkpoint, error) {
	verifiers, err := parseVerifiers(keys.VerifierKeys())
	if err != nil {
		return nil, err
	}
	kept, err := store.LogWitnesses(ctx, 1000)
	if err != nil {
		return nil, err
	}
	texts := slices.Clone(c.Held)
	for _, w := range kept {
		texts = append(texts, w.Text)
	}
	return openAll(texts, verifiers)
}

// dropped checks the tiles of what retention has dropped, and with them the held
// checkpoints that lie there; the others are left.
func (c Check) dropped(ctx context.Context, store interlock.LogStore, head checkpoint, floor int64, held []checkpoint) (edge, []checkpoint, error) {
	if floor == 0 {
		return edge{}, held, nil
	}
	tiles := newTileCheck(floor, func(tile tlog.Tile) ([]byte, error) { return store.LogTile(ctx, tile.L, tile.N) })
	right, err := tiles.run()
	if err != nil {
		return right, nil, err
	}
	var later []checkpoint
	for _, h := range held {
		if h.size >= floor {
			later = append(later, h)
		} else if err := continues(ctx, store, head, h); err != nil {
			return right, nil, err
		}
	}
	return right, append(later, below(held, floor)...), nil
}

// below gives the checkpoints under a floor, marked as met.
func below(held []checkpoint, floor int64) []checkpoint {
	var list []checkpoint
	for _, h := range held {
		if h.size < floor {
			h.met = true
			list = append(list, h)
		}
	}
	return list
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
