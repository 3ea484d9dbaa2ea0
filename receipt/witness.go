package receipt

import (
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/seed-ae386458/interlock"
)

// algCosignature is the C2SP type of keys that make timestamped cosignatures.
const algCosignature = 4

// cosigner verifies the cosignatures (C2SP tlog-cosignature, cosignature/v1) of
// one witness. It is a note.Verifier.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (c cosigner) Name() string    { return c.name }
func (c cosigner) KeyHash() uint32 { return c.hash }

// Verify checks a timestamped signature over the text of a checkpoint.
func (c cosigner) Verify(text, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize || sig[0] >= 0x80 { // times have 63 bits
		return false
	}
	return ed25519.Verify(c.key, cosigned(binary.BigEndian.Uint64(sig), text), sig[8:])
}

// cosigned is what a cosignature stands under.
func cosigned(at uint64, text []byte) []byte {
	return append(fmt.Appendf(nil, "cosignature/v1\ntime %d\n", at), text...)
}

func (c cosigner) text() string {
	return fmt.Sprintf("%s+%08x+%s", c.name, c.hash, base64.StdEncoding.EncodeToString(append([]byte{algCosignature}, c.key...)))
}

func newCosigner(name string, key ed25519.PublicKey) cosigner {
	sum := sha256.Sum256(slices.Concat([]byte(name+"\n"), []byte{algCosignature}, key))
	return cosigner{name: name, hash: binary.BigEndian.Uint32(sum[:]), key: key}
}

// parseCosigner reads the verifier key of a witness, in its only spelling.
func parseCosigner(text string) (cosigner, error) {
	name, rest, _ := strings.Cut(text, "+")
	_, coded, _ := strings.Cut(rest, "+")
	key, err := base64.StdEncoding.DecodeString(coded)
	if err != nil || len(key) != 1+ed25519.PublicKeySize || key[0] != algCosignature || !validKeyName(name) {
		return cosigner{}, errors.New("it is no verifier key of a witness, NAME+HASH+KEY with a key of type 4")
	}
	c := newCosigner(name, key[1:])
	if c.text() != text {
		return cosigner{}, errors.New("its hash is not that of its name and key")
	}
	return c, nil
}

func validKeyName(name string) bool {
	return name != "" && len(name) <= 256 && !strings.ContainsAny(name, " \t\r\n+") && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// WitnessPolicy says whose signatures a checkpoint must have beside the log's
// own. The zero value asks for none.
type WitnessPolicy struct {
	Keys   []string      // verifier keys of witnesses, NAME+HASH+KEY
	Need   int           // how many of them
	Within time.Duration // how old the newest such checkpoint may be; 0 does not ask
}

// Validate refuses a policy that nothing can satisfy, and keys that are none.
func (p WitnessPolicy) Validate() error {
	keys := map[string]bool{}
	for i, text := range p.Keys {
		c, err := parseCosigner(text)
		if err != nil {
			return fmt.Errorf("witness key %d: %w", i+1, err)
		}
		if keys[string(c.key)] { // the name is not signed: one key could sign under two
			return fmt.Errorf("witness key %d stands twice; one witness counts once", i+1)
		}
		keys[string(c.key)] = true
	}
	if p.Need < 0 || p.Need > len(p.Keys) {
		return fmt.Errorf("%d witnesses are needed, and the keys of %d are given", p.Need, len(p.Keys))
	}
	return nil
}

// Witnessed says which witnesses have signed a checkpoint.
type Witnessed struct {
	Size int64     `json:"size"`
	By   []string  `json:"by"` // names, in order
	At   time.Time `json:"at"` // the time by which as many as are needed had signed
}

// witnesses reads who of the policy has signed a checkpoint that is otherwise
// known to be good.
func (p WitnessPolicy) witnesses(c checkpoint) Witnessed {
	var verifiers []note.Verifier
	for _, text := range p.Keys {
		if v, err := parseCosigner(text); err == nil {
			verifiers = append(verifiers, v)
		}
	}
	w := Witnessed{Size: c.size, By: []string{}}
	opened, err := note.Open([]byte(c.signed), note.VerifierList(verifiers...))
	if err != nil {
		return w
	}
	times := map[string]time.Time{}
	for _, sig := range opened.Sigs {
		id := fmt.Sprintf("%s+%08x", sig.Name, sig.Hash)
		if _, twice := times[id]; !twice {
			times[id] = timeOf(sig)
			w.By = append(w.By, sig.Name)
		}
	}
	slices.Sort(w.By)
	order := make([]time.Time, 0, len(times))
	for _, at := range times {
		order = append(order, at)
	}
	slices.SortFunc(order, func(a, b time.Time) int { return a.Compare(b) })
	if n := max(p.Need, 1); len(order) >= n {
		w.At = order[n-1]
	}
	return w
}

// timeOf reads the time of a cosignature that has been verified.
func timeOf(sig note.Signature) time.Time {
	raw, err := base64.StdEncoding.DecodeString(sig.Base64)
	if err != nil || len(raw) < 12 {
		return time.Time{}
	}
	return time.Unix(int64(min(binary.BigEndian.Uint64(raw[4:]), 1<<40)), 0).UTC()
}

// judge gives the newest of the checkpoints that satisfies the policy; nil where
// it asks for nothing and none is signed by its witnesses. It refuses where it
// asks and is not satisfied.
func (p WitnessPolicy) judge(known []checkpoint, now time.Time) (*Witnessed, error) {
	known = slices.Clone(known)
	slices.SortFunc(known, func(a, b checkpoint) int { return cmp.Compare(b.size, a.size) })
	var best *Witnessed
	for _, c := range known {
		if w := p.witnesses(c); len(w.By) >= max(p.Need, 1) {
			best = &w
			break
		}
	}
	switch {
	case p.Need == 0:
		return best, nil
	case best == nil:
		return nil, unwitnessed(fmt.Sprintf("no checkpoint of it is signed by %d of the %d witnesses", p.Need, len(p.Keys)))
	case p.Within > 0 && best.At.Sub(now) > time.Hour:
		return nil, unwitnessed(fmt.Sprintf("the newest checkpoint with enough witnesses is of %s, which is yet to come; one of the clocks is wrong", best.At.Format(time.RFC3339)))
	case p.Within > 0 && now.Sub(best.At) > p.Within:
		return nil, unwitnessed(fmt.Sprintf("the newest checkpoint with enough witnesses is of %s, more than %s ago", best.At.Format(time.RFC3339), p.Within))
	}
	return best, nil
}

func unwitnessed(what string) error {
	return &interlock.Error{Code: interlock.CodeInternal, Reason: interlock.ReasonLogUnwitnessed, Stage: stage,
		Public: "The log is not witnessed as the configuration asks: " + what + ".", Err: errors.New(what)}
}

// Witness signs checkpoints of other logs. It signs only what grew out of the
// last checkpoint of that log that it has signed.
type Witness struct {
	cosigner
	seed  []byte
	clock func() time.Time
}

// NewWitness makes a witness of a name out of randomness, and gives the text of
// its secret key.
func NewWitness(name string, randomness io.Reader) (secret string, err error) {
	if !validKeyName(name) {
		return "", fmt.Errorf("the name %q of a witness is empty or has spaces or a plus", name)
	}
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(randomness, seed); err != nil {
		return "", fmt.Errorf("make the key of a witness: %w", err)
	}
	c := newCosigner(name, publicOf(seed))
	return fmt.Sprintf("PRIVATE+KEY+%s+%08x+%s", name, c.hash, base64.StdEncoding.EncodeToString(append([]byte{algCosignature}, seed...))), nil
}

func publicOf(seed []byte) ed25519.PublicKey {
	key, _ := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	return key
}

// ParseWitness reads the secret key of a witness.
func ParseWitness(secret string, clock func() time.Time) (Witness, error) {
	parts := strings.SplitN(strings.TrimSpace(secret), "+", 5)
	if len(parts) != 5 || parts[0] != "PRIVATE" || parts[1] != "KEY" || !validKeyName(parts[2]) {
		return Witness{}, errors.New("it is no secret key of a witness")
	}
	raw, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(raw) != 1+ed25519.SeedSize || raw[0] != algCosignature {
		return Witness{}, errors.New("it is no secret key of a witness")
	}
	w := Witness{cosigner: newCosigner(parts[2], publicOf(raw[1:])), seed: raw[1:], clock: clock}
	if fmt.Sprintf("%08x", w.hash) != parts[3] {
		return Witness{}, errors.New("the hash of the witness's key is not that of its name and key")
	}
	return w, nil
}

// VerifierKey is what others need to check the witness's signatures.
func (w Witness) VerifierKey() string { return w.text() }

// Format keeps the secret from package fmt.
func (w Witness) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "witness "+w.name) }

// line signs the text of a checkpoint: one line of a note.
func (w Witness) line(text string) string {
	at := uint64(max(0, w.clock().Unix()))
	sig := binary.BigEndian.AppendUint32(nil, w.hash)
	sig = binary.BigEndian.AppendUint64(sig, at)
	sig = append(sig, ed25519.Sign(ed25519.NewKeyFromSeed(w.seed), cosigned(at, []byte(text)))...)
	return fmt.Sprintf("— %s %s\n", w.name, base64.StdEncoding.EncodeToString(sig))
}
