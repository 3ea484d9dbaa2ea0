package receipt

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/seed-ae386458/interlock"
)

// idSize is the length of a receipt's id and of its salt, in bytes.
const idSize = 16

// Blank is a receipt that is not written yet: its id, and the salt under which
// it names arguments and result. One blank serves one call, from its intent to
// its receipt.
type Blank struct {
	ID       string
	salt     [idSize]byte
	intended bool
}

// Blank draws a fresh id and salt.
func (l *Log) Blank() (*Blank, error) {
	l.rand.Lock()
	defer l.rand.Unlock()
	var drawn [2 * idSize]byte
	if _, err := io.ReadFull(l.opts.Rand, drawn[:]); err != nil {
		return nil, fmt.Errorf("draw a receipt's id: %w", err)
	}
	b := &Blank{ID: hex.EncodeToString(drawn[:idSize])}
	copy(b.salt[:], drawn[idSize:])
	return b, nil
}

// Digest names data without telling it: hex SHA-256 over salt and data.
func (b *Blank) Digest(data []byte) string { return saltedDigest(b.salt[:], data) }

func saltedDigest(salt, data []byte) string {
	sum := sha256.New()
	sum.Write(salt)
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil))
}

// Intend writes down that the call of blank is about to be sent, and returns
// after the disk has confirmed. It fills in id, time and the digest of the
// arguments. Seal, Refuse or Indeterminate with the same blank closes it.
func (l *Log) Intend(ctx context.Context, b *Blank, body IntentBody, args []byte) error {
	body.Receipt, body.ArgsDigest = b.ID, b.Digest(args)
	body.At = l.orNow(body.At)
	_, err := l.Append(ctx, interlock.EntryIntent, body, Flushed)
	if err == nil {
		b.intended = true
	}
	return err
}

// Seal writes the record of a call and gives the caller's receipt for it. It
// fills in id, time, digests and the intent that it closes; a result that is
// nil has no digest.
func (l *Log) Seal(ctx context.Context, b *Blank, body CallBody, args, result []byte, d Durability) (interlock.Receipt, error) {
	body.Receipt, body.ArgsDigest, body.Intent = b.ID, b.Digest(args), b.intent()
	body.At = l.orNow(body.At)
	if body.Rows > 0 || len(body.Observed) > 0 {
		body.Blind = l.KeyedDigest([]byte("rows " + b.ID))
	}
	if result != nil {
		body.ResultDigest = b.Digest(result)
	}
	r, err := l.hand(ctx, interlock.EntryCall, body, d)
	if err != nil {
		return interlock.Receipt{}, err
	}
	receipt, signErr := l.sign(b, r.entry.Digest) // while the owner writes
	if _, err := r.wait(); err != nil {
		return interlock.Receipt{}, err
	}
	return receipt, signErr
}

// sign gives the caller's receipt for a body of a digest.
func (l *Log) sign(b *Blank, digest string) (interlock.Receipt, error) {
	key := l.keys.signers[0]
	signature, err := key.Sign(receiptText(b.ID, digest))
	if err != nil {
		return interlock.Receipt{}, fmt.Errorf("sign receipt %s: %w", b.ID, err)
	}
	return interlock.Receipt{ID: b.ID, Digest: digest, Salt: hex.EncodeToString(b.salt[:]),
		Signature: base64.StdEncoding.EncodeToString(signature), Key: key.id()}, nil
}

// receiptText is what the signature of a receipt stands under. Its first line
// keeps it apart from checkpoints, which the same key signs.
func receiptText(id, digest string) []byte {
	return fmt.Appendf(nil, "interlock/receipt/1\n%s\n%s\n", id, digest)
}

// Refuse writes the record of a call that was refused before it was sent. It
// fills in id, time, the digest of the arguments where there are any, and the
// intent that it closes.
func (l *Log) Refuse(ctx context.Context, b *Blank, body RefusedBody, args []byte, d Durability) (interlock.LogEntry, error) {
	body.Receipt, body.Intent = b.ID, b.intent()
	body.At = l.orNow(body.At)
	if args != nil {
		body.ArgsDigest = b.Digest(args)
	}
	return l.Append(ctx, interlock.EntryRefused, body, d)
}

// Indeterminate writes that nobody knows what came of the call of blank, which
// was intended and sent. It returns after the disk has confirmed.
func (l *Log) Indeterminate(ctx context.Context, b *Blank, body IndeterminateBody, args []byte) (interlock.LogEntry, error) {
	body.Receipt, body.Intent, body.ArgsDigest = b.ID, b.ID, b.Digest(args)
	body.At = l.orNow(body.At)
	return l.Append(ctx, interlock.EntryIndeterminate, body, Flushed)
}

// intent gives the id of the intent that is open on a blank.
func (b *Blank) intent() string {
	if b.intended {
		return b.ID
	}
	return ""
}

func (l *Log) orNow(at string) string {
	if at != "" {
		return at
	}
	return l.Now()
}

// KeyedDigest names data for the holder of the keys alone: hex HMAC-SHA256
// under a secret of the log. It serves where nobody is given a salt, as for
// needs. After a rotation of the keys the same data has another name, which
// Keys.KeyedDigests gives beside the older ones.
func (l *Log) KeyedDigest(data []byte) string { return keyedDigest(l.keys.offers[0], data) }

// KeyedDigests gives the names that data may have in a log of these keys, that
// under the newest keys first.
func (k Keys) KeyedDigests(data []byte) []string {
	out := make([]string, len(k.offers))
	for i, secret := range k.offers {
		out[i] = keyedDigest(secret, data)
	}
	return out
}

func keyedDigest(secret, data []byte) string {
	derive := hmac.New(sha256.New, secret)
	derive.Write([]byte("interlock/need/1"))
	mac := hmac.New(sha256.New, derive.Sum(nil))
	mac.Write(data)
	return hex.EncodeToString(mac.Sum(nil))
}
