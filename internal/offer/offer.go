// Package offer seals what was disclosed into at most 64 characters: a handle,
// an expiry, and a keyed MAC over the principal, the tool and what the tool was
// at that moment. It stores nothing: whoever holds the key computes the MAC
// again from what is current. An offer grants nothing; policy is asked at every
// call.
//
//	text := keys.Seal(offer.Terms{Principal: "alice", Tool: "docs/extract", …}, expires)
//	claim, err := offer.Parse(text)
//	ok := keys.Holds(claim, terms)
package offer

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"
)

// The parts of an offer, in bytes; together a multiple of three, so that its
// base64 has no spare bits and no second spelling.
const (
	handleSize = 8
	expirySize = 4
	macSize    = 18
	size       = handleSize + expirySize + macSize
)

// prefix is the first character of every offer, so that none looks like a flag.
const prefix = "o"

// Length is the number of characters of every offer.
const Length = len(prefix) + size/3*4

// Terms are what an offer binds. Two offers with equal terms and expiry are
// equal.
type Terms struct {
	Principal string
	Tenant    string
	Tool      string // whole name
	Changed   uint64 // generation of the tool's last change
	Contract  string // contract hash
	Binding   string // binding fingerprint
}

// Keys seal and check offers: the first seals, all check.
type Keys [][]byte

// Claim is an offer taken apart; nothing in it is proved yet.
type Claim struct {
	Handle  [handleSize]byte
	Expires time.Time // whole seconds
	mac     [macSize]byte
}

// Seal makes the offer of a tool with the given handle.
func (k Keys) Seal(handle [handleSize]byte, t Terms, expires time.Time) string {
	raw := make([]byte, 0, size)
	raw = append(raw, handle[:]...)
	raw = binary.BigEndian.AppendUint32(raw, uint32(expires.Unix()))
	mac := sum(k[0], raw, t)
	return prefix + base64.RawURLEncoding.EncodeToString(append(raw, mac[:]...))
}

// Parse takes an offer apart. It refuses anything that is not, to the
// character, what Seal could have written.
func Parse(text string) (Claim, error) {
	var c Claim
	if len(text) != Length || text[:1] != prefix {
		return c, errors.New("not of an offer's form")
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text[1:])
	if err != nil || len(raw) != size {
		return c, errors.New("not of an offer's form")
	}
	copy(c.Handle[:], raw)
	c.Expires = time.Unix(int64(binary.BigEndian.Uint32(raw[handleSize:])), 0)
	copy(c.mac[:], raw[handleSize+expirySize:])
	return c, nil
}

// Holds reports whether the claim was sealed for exactly these terms. It takes
// the same time whatever differs.
func (k Keys) Holds(c Claim, t Terms) bool {
	raw := binary.BigEndian.AppendUint32(append([]byte(nil), c.Handle[:]...), uint32(c.Expires.Unix()))
	ok := false
	for _, key := range k {
		mac := sum(key, raw, t)
		ok = hmac.Equal(mac[:], c.mac[:]) || ok
	}
	return ok
}

// sum is the MAC over a handle, an expiry and terms, each part with its length
// before it.
func sum(key, head []byte, t Terms) [macSize]byte {
	h := hmac.New(sha256.New, key)
	buf := append([]byte("interlock/offer/1\x00"), head...)
	buf = binary.BigEndian.AppendUint64(buf, t.Changed)
	for _, part := range [...]string{t.Principal, t.Tenant, t.Tool, t.Contract, t.Binding} {
		buf = binary.BigEndian.AppendUint32(buf, uint32(len(part)))
		buf = append(buf, part...)
	}
	h.Write(buf)
	return [macSize]byte(h.Sum(nil)[:macSize])
}
