package receipt

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/seed-ae386458/interlock"
)

const (
	keysFormat  = "interlock/keys/1"
	originStart = "interlock/"
	secretSize  = 32
)

// Keys are the secrets of one log: what signs it and what seals offers, each a
// list with the newest first. The newest signs and seals; the older ones
// verify. The zero value signs nothing. Printing Keys shows no secret.
type Keys struct {
	origin  string
	signers []signer
	offers  [][]byte
}

// signer is a signing key with its two texts.
type signer struct {
	note.Signer
	verifier note.Verifier
	private  string // note form, secret
	public   string // note form
}

// id names a key as receipts do: the verifier key without the key itself.
func (s signer) id() string { return keyID(s.verifier) }

// keysFile is the JSON form of Keys.
type keysFile struct {
	Format  string   `json:"format"`
	Origin  string   `json:"origin"`
	Signing []string `json:"signing"` // note signer keys, newest first
	Offers  []string `json:"offers"`  // base64 of 32 bytes, newest first
}

// NewKeys makes keys for a new log out of randomness.
func NewKeys(randomness io.Reader) (Keys, error) {
	name := make([]byte, 8)
	if _, err := io.ReadFull(randomness, name); err != nil {
		return Keys{}, fmt.Errorf("make keys: %w", err)
	}
	return Keys{origin: fmt.Sprintf("%s%x", originStart, name)}.Rotated(randomness)
}

// Rotated gives keys with a new signing key and a new secret for offers in
// front; what stood there before still verifies.
func (k Keys) Rotated(randomness io.Reader) (Keys, error) {
	fresh := make([]byte, ed25519.SeedSize+secretSize)
	if _, err := io.ReadFull(randomness, fresh); err != nil {
		return Keys{}, fmt.Errorf("make keys: %w", err)
	}
	text, err := signerText(k.origin, fresh[:ed25519.SeedSize])
	if err != nil {
		return Keys{}, fmt.Errorf("make keys: %w", err)
	}
	front, err := parseSigner(k.origin, text)
	if err != nil {
		return Keys{}, fmt.Errorf("make keys: %w", err)
	}
	return Keys{
		origin:  k.origin,
		signers: append([]signer{front}, k.signers...),
		offers:  append([][]byte{fresh[ed25519.SeedSize:]}, k.offers...),
	}, nil
}

// ParseKeys reads keys in the form of the keys file.
func ParseKeys(data []byte) (Keys, error) {
	keys, err := parseKeys(data)
	if err != nil {
		return Keys{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: stage,
			Public: "The keys of the log cannot be read: " + err.Error() + ". Restore the file from a backup; without it the log cannot be continued.", Err: err}
	}
	return keys, nil
}

func parseKeys(data []byte) (Keys, error) {
	var file keysFile
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&file) != nil || decoder.Decode(new(any)) != io.EOF {
		return Keys{}, errors.New("not one JSON object of the known members") // a cause could repeat a secret
	}
	switch {
	case file.Format != keysFormat:
		return Keys{}, fmt.Errorf("the format is not %s", keysFormat)
	case !strings.HasPrefix(file.Origin, originStart) || strings.ContainsAny(file.Origin, " \t\r\n+"):
		return Keys{}, errors.New("the origin is malformed")
	case len(file.Signing) == 0 || len(file.Offers) == 0:
		return Keys{}, errors.New("no signing key or no secret for offers")
	}
	keys := Keys{origin: file.Origin}
	for i, text := range file.Signing {
		key, err := parseSigner(file.Origin, text)
		if err != nil {
			return Keys{}, fmt.Errorf("signing key %d: %w", i+1, err)
		}
		keys.signers = append(keys.signers, key)
	}
	for i, text := range file.Offers {
		secret, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(secret) != secretSize {
			return Keys{}, fmt.Errorf("offer secret %d is not %d bytes in base64", i+1, secretSize)
		}
		keys.offers = append(keys.offers, secret)
	}
	return keys, nil
}

// signerText gives the note form of a signing key.
func signerText(name string, seed []byte) (string, error) {
	public, _ := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	verifier, err := note.NewEd25519VerifierKey(name, public)
	if err != nil {
		return "", err
	}
	hash := strings.SplitN(verifier, "+", 3)[1]
	return fmt.Sprintf("PRIVATE+KEY+%s+%s+%s", name, hash, base64.StdEncoding.EncodeToString(append([]byte{1}, seed...))), nil
}

func parseSigner(name, text string) (signer, error) {
	key, err := note.NewSigner(text)
	if err != nil || key.Name() != name {
		return signer{}, fmt.Errorf("it is no signing key of %s", name)
	}
	secret, err := base64.StdEncoding.DecodeString(strings.SplitN(text, "+", 5)[4])
	if err != nil || len(secret) != 1+ed25519.SeedSize {
		return signer{}, errors.New("it is no Ed25519 key")
	}
	pair, _ := ed25519.NewKeyFromSeed(secret[1:]).Public().(ed25519.PublicKey)
	public, err := note.NewEd25519VerifierKey(name, pair)
	if err != nil {
		return signer{}, err
	}
	verifier, err := note.NewVerifier(public)
	return signer{Signer: key, verifier: verifier, private: text, public: public}, err
}

// encode gives the keys file.
func (k Keys) encode() ([]byte, error) {
	file := keysFile{Format: keysFormat, Origin: k.origin}
	for _, key := range k.signers {
		file.Signing = append(file.Signing, key.private)
	}
	for _, secret := range k.offers {
		file.Offers = append(file.Offers, base64.StdEncoding.EncodeToString(secret))
	}
	data, err := json.MarshalIndent(file, "", "  ")
	return append(data, '\n'), err
}

// Origin names the log.
func (k Keys) Origin() string { return k.origin }

// VerifierKeys gives the public keys in note form, newest first: what others
// need to check the log.
func (k Keys) VerifierKeys() []string {
	var list []string
	for _, key := range k.signers {
		list = append(list, key.public)
	}
	return list
}

// OfferSecrets gives the 32-byte secrets for offers, newest first: the first
// seals, all of them verify.
func (k Keys) OfferSecrets() [][]byte {
	var list [][]byte
	for _, secret := range k.offers {
		list = append(list, bytes.Clone(secret))
	}
	return list
}

// String names the log and keeps the secrets.
func (k Keys) String() string {
	return fmt.Sprintf("keys of %s (%d signing, %d for offers)", k.origin, len(k.signers), len(k.offers))
}

// Format writes String for every verb, so that package fmt prints no secret.
func (k Keys) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, k.String()) }

// LogValue is String, so that no logger writes a secret.
func (k Keys) LogValue() slog.Value { return slog.StringValue(k.String()) }
