package usem3

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync/atomic"
)

// table holds the 4-bit embedding of every piece: 16 blocks of 32 values with
// one half-precision scale each. Byte j of a block holds value j in its low
// and value j+16 in its high half; a value is (half-8)·scale.
type table struct {
	values []byte // vocab × 256
	scales []byte // vocab × 16 f16
}

const (
	blocks    = 16
	blockLen  = Dim / blocks
	rowBytes  = Dim / 2
	rowScales = 2 * blocks
)

func (t *table) open(f *container) {
	t.values = f.bytes("emb.q", "uint8", f.vocab, rowBytes)
	t.scales = f.bytes("emb.s", "float16", f.vocab, blocks)
}

// row sets dst to the embedding of id.
func (t *table) row(dst *[Dim]float32, id uint32) {
	values := t.values[int(id)*rowBytes:][:rowBytes]
	scales := t.scales[int(id)*rowScales:][:rowScales]
	for b := range blocks {
		scale := half(binary.LittleEndian.Uint16(scales[2*b:]))
		out := dst[b*blockLen:][:blockLen]
		for j, v := range values[b*blockLen/2:][:blockLen/2] {
			out[j] = float32(int(v&15)-8) * scale
			out[j+blockLen/2] = float32(int(v>>4)-8) * scale
		}
	}
}

// check reads every scale, which Load leaves alone to keep pages untouched.
func (t *table) check() error {
	for i := 0; i < len(t.scales); i += 2 {
		if !finite(half(binary.LittleEndian.Uint16(t.scales[i:]))) {
			return fmt.Errorf("model file: section emb.s of piece %d is not finite", i/rowScales)
		}
	}
	return nil
}

// half widens a half-precision number.
func half(h uint16) float32 {
	sign, exp, frac := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exp {
	case 0:
		v := float32(frac) / (1 << 24)
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 31:
		return math.Float32frombits(sign | 0xff<<23 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// A token is what an id contributes before its neighbours are looked at.
type token struct {
	id   uint32
	emb  [Dim]float32      // its embedding
	proj [channels]float32 // projected for the three branches and normalised
	peak [3]float32        // the largest magnitude in each branch of proj
}

// tokenCache keeps tokens that texts share, about 5 MB when full. An id has two
// places; the newest token takes the first and what was there moves on. What
// Embed returns never depends on what is found.
type tokenCache [512][2]atomic.Pointer[token]

func (c *tokenCache) get(id uint32) *token {
	places := &c[id%uint32(len(c))]
	for i := range places {
		if tok := places[i].Load(); tok != nil && tok.id == id {
			return tok
		}
	}
	return nil
}

func (c *tokenCache) put(tok *token) {
	places := &c[tok.id%uint32(len(c))]
	places[1].Store(places[0].Swap(tok))
}
