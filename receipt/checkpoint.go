package receipt

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// checkpoint is what a signature stands under: the log, how many entries it
// has, the root of their tree, and the index of the oldest intent that is still
// open (size where none is).
type checkpoint struct {
	origin string
	size   int64
	root   tlog.Hash
	open   int64
	signed string // the note, where it has been signed already
	met    bool   // a log that was verified grew out of it
}

// text gives the C2SP checkpoint; the oldest open intent is its extension line.
func (c checkpoint) text() string {
	return fmt.Sprintf("%s\n%d\n%s\nopen %d\n", c.origin, c.size, base64.StdEncoding.EncodeToString(c.root[:]), c.open)
}

// sign gives the signed note over a checkpoint.
func (k Keys) sign(c checkpoint) (string, error) {
	if len(k.signers) == 0 {
		return "", errors.New("no key to sign the checkpoint with")
	}
	signed, err := note.Sign(&note.Note{Text: c.text()}, k.signers[0].Signer)
	return string(signed), err
}

var errCheckpoint = errors.New("the checkpoint is malformed")

// openCheckpoint reads a signed checkpoint. There must be one signature, by one
// of the verifiers, and the text must be spelled as sign spells it.
func openCheckpoint(signed string, verifiers []note.Verifier) (checkpoint, note.Verifier, error) {
	opened, err := note.Open([]byte(signed), note.VerifierList(verifiers...))
	if err != nil {
		return checkpoint{}, nil, fmt.Errorf("the checkpoint's signature: %w", err)
	}
	if len(opened.Sigs) != 1 || len(opened.UnverifiedSigs) != 0 {
		return checkpoint{}, nil, errors.New("the checkpoint has more than one signature")
	}
	c, err := parseCheckpoint(opened.Text)
	if err != nil {
		return checkpoint{}, nil, err
	}
	sig := opened.Sigs[0]
	raw, err := base64.StdEncoding.DecodeString(sig.Base64)
	if err != nil || c.origin != sig.Name || signed != c.text()+"\n— "+sig.Name+" "+base64.StdEncoding.EncodeToString(raw)+"\n" {
		return checkpoint{}, nil, errCheckpoint
	}
	c.signed = signed
	for _, v := range verifiers {
		if v.Name() == sig.Name && v.KeyHash() == sig.Hash {
			return c, v, nil
		}
	}
	return checkpoint{}, nil, errCheckpoint
}

// parseCheckpoint reads the text that checkpoint.text gives, and no other.
func parseCheckpoint(text string) (checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[3], "open ") {
		return checkpoint{}, errCheckpoint
	}
	c := checkpoint{origin: lines[0]}
	var err1, err2, err3 error
	c.size, err1 = strconv.ParseInt(lines[1], 10, 64)
	c.root, err2 = tlog.ParseHash(lines[2])
	c.open, err3 = strconv.ParseInt(strings.TrimPrefix(lines[3], "open "), 10, 64)
	if err1 != nil || err2 != nil || err3 != nil || c.open < 0 || c.open > c.size || c.text() != text {
		return checkpoint{}, errCheckpoint
	}
	return c, nil
}

// parseVerifiers reads verifier keys, each in its only spelling.
func parseVerifiers(keys []string) ([]note.Verifier, error) {
	var list []note.Verifier
	for _, text := range keys {
		v, err := note.NewVerifier(text)
		if err != nil {
			return nil, errors.New("a verifier key is malformed")
		}
		if key, err := base64.StdEncoding.DecodeString(strings.SplitN(text, "+", 3)[2]); err != nil ||
			text != fmt.Sprintf("%s+%08x+%s", v.Name(), v.KeyHash(), base64.StdEncoding.EncodeToString(key)) {
			return nil, errors.New("a verifier key is spelled oddly")
		}
		list = append(list, v)
	}
	return list, nil
}
