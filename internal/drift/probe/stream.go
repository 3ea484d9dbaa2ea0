package probe

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// stream is chance that is the same for the same seed.
type stream struct {
	seed string
	n    uint64
}

func newStream(seed string) *stream { return &stream{seed: seed} }

// bytes gives the next 32 bytes.
func (s *stream) bytes() [32]byte {
	s.n++
	return sha256.Sum256(binary.BigEndian.AppendUint64([]byte(s.seed), s.n))
}

// below gives a number from 0 to n-1.
func (s *stream) below(n int) int {
	b := s.bytes()
	return int(binary.BigEndian.Uint64(b[:8]) % uint64(n)) // the skew is far below what matters here
}

// uuid gives a random UUID of version 4.
func (s *stream) uuid() string {
	b := s.bytes()
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// like gives a text of the form of another: letters for letters, digits for
// digits, everything else as it is.
func (s *stream) like(text string) string {
	out := []byte(text)
	b, at := s.bytes(), 0
	for i, c := range out {
		if at == len(b) {
			b, at = s.bytes(), 0
		}
		switch {
		case c >= '0' && c <= '9':
			out[i] = '0' + b[at]%10
		case c >= 'a' && c <= 'f':
			out[i] = 'a' + b[at]%6
		case c >= 'g' && c <= 'z':
			out[i] = 'a' + b[at]%26
		case c >= 'A' && c <= 'Z':
			out[i] = 'A' + b[at]%26
		}
		at++
	}
	if len(out) > 1 && out[0] == '0' && text[0] != '0' {
		out[0] = '1' // a number does not begin with nought
	}
	return string(out)
}
