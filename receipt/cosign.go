package receipt

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/seed-ae386458/interlock"
)

// maxRequest is the most bytes of a request to a witness, and of a checkpoint
// with its signatures.
const maxRequest = 64 << 10

// SizeOf reads how many entries a checkpoint signs, without believing it.
func SizeOf(signed string) (int64, error) {
	text, _, _ := strings.Cut(signed, "\n\n")
	c, err := parseCheckpoint(text + "\n")
	if err != nil {
		return 0, unproved(err.Error())
	}
	return c.size, nil
}

// WitnessRequest is what a witness is asked with, in the C2SP format of
// add-checkpoint: the size that it knows, the proof from there, and the signed
// checkpoint.
func (l *Log) WitnessRequest(ctx context.Context, old int64) (string, error) {
	if err := l.Flush(ctx); err != nil {
		return "", err
	}
	head := *l.head.Load()
	if old < 0 || old > head.size {
		return "", notFound(fmt.Sprintf("The log never had %d entries; it has %d.", old, head.size))
	}
	hashes, err := proveTree(head.size, old, hashReader(ctx, l.store))
	if err != nil {
		return "", err
	}
	signed, err := l.keys.sign(head)
	if err != nil {
		return "", err
	}
	return strings.Join(append([]string{fmt.Sprintf("old %d", old)}, append(hashes, "", signed)...), "\n"), nil
}

// StaleError is a witness's answer to a proof from another size than the one
// that it knows.
type StaleError struct{ Size int64 }

func (e *StaleError) Error() string {
	return fmt.Sprintf("the witness knows the log at %d entries; send the proof from there", e.Size)
}

// Cosign answers a request: it gives the line of its signature, and the
// checkpoint to remember, which takes the place of last. The log is named by its
// verifier keys; last is empty for a log that is new to the witness.
func (w Witness) Cosign(request, last string, log []string) (line, remember string, err error) {
	verifiers, err := parseVerifiers(log)
	if err != nil {
		return "", "", unproved(err.Error())
	}
	old, hashes, signed, err := parseRequest(request)
	if err != nil {
		return "", "", err
	}
	next, err := openHeld(signed, verifiers)
	if err != nil {
		return "", "", err
	}
	known := checkpoint{origin: next.origin, root: (edge{}).root()}
	if last != "" {
		if known, err = openHeld(last, verifiers); err != nil {
			return "", "", err
		}
	}
	switch {
	case known.origin != next.origin:
		return "", "", unproved("the checkpoint is of another log than the one before it")
	case old != known.size:
		return "", "", &StaleError{known.size}
	}
	if err := checkTree(hashes, next.size, next.root, known.size, known.root); err != nil {
		return "", "", putBack(interlock.AsError(err).Err.Error())
	}
	return w.line(next.text()), signed, nil
}

// parseRequest reads the text of WitnessRequest.
func parseRequest(request string) (old int64, hashes []string, signed string, err error) {
	bad := unproved("the request to a witness is malformed")
	if len(request) > maxRequest {
		return 0, nil, "", bad
	}
	top, signed, found := strings.Cut(request, "\n\n")
	lines := strings.Split(top, "\n")
	size, isOld := strings.CutPrefix(lines[0], "old ")
	old, numberErr := strconv.ParseInt(size, 10, 64)
	if !found || !isOld || numberErr != nil || old < 0 || strconv.FormatInt(old, 10) != size || len(lines) > 64 {
		return 0, nil, "", bad
	}
	return old, lines[1:], signed, nil
}

// WitnessKept says what became of signatures that were brought to the log.
type WitnessKept struct {
	Size       int64    `json:"size"`
	Signatures []string `json:"signatures"` // names of every witness of the policy that has signed this size
	Enough     bool     `json:"enough"`     // as many as the policy asks for
}

// AddWitness takes a checkpoint of this log with the signatures of witnesses and
// keeps it, beside those that are kept for it already. Signatures that are not by
// witnesses of the policy are left out; one must be.
func (l *Log) AddWitness(ctx context.Context, text string, policy WitnessPolicy) (WitnessKept, error) {
	if len(text) > maxRequest {
		return WitnessKept{}, unproved("the checkpoint is too long")
	}
	head := *l.head.Load()
	c, err := openTrusted(text, l.keys.VerifierKeys())
	if err != nil {
		return WitnessKept{}, err
	}
	if c.origin != l.keys.origin {
		return WitnessKept{}, unproved("the checkpoint is of another log")
	}
	if err := continues(ctx, l.store, head, c); err != nil {
		return WitnessKept{}, err
	}
	if c, err = l.merged(ctx, c, policy); err != nil {
		return WitnessKept{}, err
	}
	w := policy.witnesses(c)
	if len(w.By) == 0 {
		return WitnessKept{}, unwitnessed("no witness of the configuration has signed the checkpoint that was given")
	}
	if err := l.store.PutLogWitness(ctx, c.size, c.signed); err != nil {
		return WitnessKept{}, err
	}
	return WitnessKept{Size: c.size, Signatures: w.By, Enough: len(w.By) >= policy.Need}, nil
}

// merged puts the signatures that are kept for the size of a checkpoint below
// it, and leaves out those that are not the log's own or a witness's.
func (l *Log) merged(ctx context.Context, c checkpoint, policy WitnessPolicy) (checkpoint, error) {
	own, err := l.keys.sign(c)
	if err != nil {
		return c, err
	}
	texts := []string{c.signed}
	kept, err := l.store.LogWitnesses(ctx, 1000)
	if err != nil {
		return c, err
	}
	for _, w := range kept {
		if w.Size == c.size {
			texts = append(texts, w.Text)
		}
	}
	lines := map[string]bool{}
	for _, text := range texts {
		for _, line := range policy.lines(text) {
			if !lines[line] {
				lines[line] = true
				own += line
			}
		}
	}
	c.signed = own
	return c, nil
}

// lines gives the lines of the signatures that witnesses of the policy have put
// under a checkpoint.
func (p WitnessPolicy) lines(signed string) []string {
	var list []string
	for _, key := range p.Keys {
		v, err := parseCosigner(key)
		if err != nil {
			continue
		}
		opened, err := note.Open([]byte(signed), note.VerifierList(v))
		if err != nil {
			continue
		}
		for _, sig := range opened.Sigs {
			list = append(list, fmt.Sprintf("— %s %s\n", sig.Name, sig.Base64))
		}
	}
	return list
}

// Checkpoint gives the signed checkpoint of the log as it stands, after the disk
// has confirmed it.
func (l *Log) Checkpoint(ctx context.Context) (string, error) {
	if err := l.Flush(ctx); err != nil {
		return "", err
	}
	return l.keys.sign(*l.head.Load())
}

// Witnesses lists the newest witnessed checkpoints with who has signed each.
func (l *Log) Witnesses(ctx context.Context, policy WitnessPolicy) ([]Witnessed, error) {
	kept, err := l.store.LogWitnesses(ctx, 100)
	if err != nil {
		return nil, err
	}
	list := []Witnessed{}
	for _, w := range kept {
		c, err := openTrusted(w.Text, l.keys.VerifierKeys())
		if err != nil {
			return nil, err
		}
		list = append(list, policy.witnesses(c))
	}
	return list, nil
}
