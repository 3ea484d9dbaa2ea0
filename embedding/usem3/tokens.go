package usem3

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Ids that stand for no text of their own.
const (
	idUnknown  = 0
	idStart    = 1
	idEnd      = 2
	firstPiece = 3
	maxVocab   = 1<<17 - 1
)

// tokeniser cuts normal text into the pieces of a unigram vocabulary, the
// likeliest way: the sum of the pieces' scores is greatest. A character that no
// piece covers alone may be cut off as unknown.
type tokeniser struct {
	normal  normaliser
	pieces  []byte // end to end
	offsets []byte // u32 each: where piece i starts, and one more
	scores  []byte // f32 each
	unknown float32
	longest int // bytes of the longest piece

	// index is an open-addressing hash table, half empty. An entry is 0 or
	// tag<<17 | id, with the top 15 bits of the piece's hash as tag; id ≥ 3.
	index []uint32
}

// A cutting is the scratch of one text: its normal form, and for each byte
// offset the best way to cut what lies before it.
type cutting struct {
	normal []byte
	best   []place
	ids    []uint32
}

type place struct {
	score float32
	from  int32 // where the last piece starts; -1 for an offset not reached
	id    uint32
}

func (t *tokeniser) open(f *container) error {
	t.pieces = f.bytes("sp.blob", "uint8", -1)
	t.offsets = f.bytes("sp.offs", "uint32", f.vocab+1)
	t.scores = f.bytes("sp.scores", "float32", f.vocab)
	t.normal = normaliser{f.bytes("sp.trie", "uint32", -1), f.bytes("sp.norm", "uint8", -1)}
	t.unknown = f.unknown
	if f.err != nil {
		return f.err
	}
	size := 1
	for size < 2*f.vocab {
		size *= 2
	}
	t.index = make([]uint32, size)
	for id := range uint32(f.vocab) {
		if err := t.add(id); err != nil {
			return err
		}
	}
	return nil
}

// add puts a piece into the index; of two alike the first counts.
func (t *tokeniser) add(id uint32) error {
	from, to := wordAt(t.offsets, int(id)), wordAt(t.offsets, int(id)+1)
	if from > to || uint64(to) > uint64(len(t.pieces)) {
		return fmt.Errorf("model file: piece %d at %d to %d of %d bytes", id, from, to, len(t.pieces))
	}
	if !finite(floatAt(t.scores, int(id))) {
		return fmt.Errorf("model file: piece %d has no finite score", id)
	}
	if id < firstPiece || from == to {
		return nil
	}
	piece := t.pieces[from:to]
	t.longest = max(t.longest, len(piece))
	h := uint32(hashSeed)
	for _, b := range piece {
		h = hash(h, b)
	}
	mask := uint32(len(t.index) - 1)
	slot := h & mask
	for t.index[slot] != 0 {
		slot = (slot + 1) & mask
	}
	t.index[slot] = h&^maxVocab | id
	return nil
}

// find returns the id of a piece with hash h, 0 if there is none.
func (t *tokeniser) find(h uint32, piece []byte) uint32 {
	mask := uint32(len(t.index) - 1)
	for slot := h & mask; ; slot = (slot + 1) & mask {
		entry := t.index[slot]
		if entry == 0 {
			return 0
		}
		id := entry & maxVocab
		if (entry^h)&^maxVocab == 0 && string(t.piece(id)) == string(piece) {
			return id
		}
	}
}

func (t *tokeniser) piece(id uint32) []byte {
	return t.pieces[wordAt(t.offsets, int(id)):wordAt(t.offsets, int(id)+1)]
}

const hashSeed = 2166136261

func hash(h uint32, b byte) uint32 { return (h ^ uint32(b)) * 16777619 }

// read sets c.ids to the tokens of text, markers included, at most MaxTokens.
// It tells whether the text holds anything; one that does not is a single
// unknown.
func (t *tokeniser) read(c *cutting, text string) bool {
	c.normal = t.normal.normalise(c.normal[:0], text)
	c.ids = append(c.ids[:0], idStart)
	if len(c.normal) == 0 {
		c.ids = append(c.ids, idUnknown, idEnd)
		return false
	}
	t.search(c)
	c.collect()
	return true
}

// search fills c.best. An offset inside a character is never reached.
func (t *tokeniser) search(c *cutting) {
	n := len(c.normal)
	if cap(c.best) <= n {
		c.best = make([]place, n+1)
	}
	c.best = c.best[:n+1]
	for i := range c.best {
		c.best[i] = place{score: float32(math.Inf(-1)), from: -1}
	}
	c.best[0].score = 0
	for from := 0; from < n; {
		_, size := utf8.DecodeRune(c.normal[from:])
		t.extend(c, from, from+size)
		from += size
	}
}

// extend tries every piece that starts at from, whose first character ends at
// next.
func (t *tokeniser) extend(c *cutting, from, next int) {
	score, alone := c.best[from].score, false
	h := uint32(hashSeed)
	end := min(len(c.normal), from+t.longest)
	for i := from; i < end; i++ {
		h = hash(h, c.normal[i])
		if i+1 < len(c.normal) && !utf8.RuneStart(c.normal[i+1]) {
			continue
		}
		id := t.find(h, c.normal[from:i+1])
		if id == 0 {
			continue
		}
		alone = alone || i+1 == next
		c.improve(i+1, place{score + floatAt(t.scores, int(id)), int32(from), id})
	}
	if !alone {
		c.improve(next, place{score + t.unknown, int32(from), idUnknown})
	}
}

func (c *cutting) improve(at int, p place) {
	if p.score > c.best[at].score {
		c.best[at] = p
	}
}

// collect walks the best cut back and appends its first ids and the end mark.
func (c *cutting) collect() {
	count := 0
	for at := int32(len(c.normal)); at > 0; at = c.best[at].from {
		count++
	}
	kept := min(count, MaxTokens-2)
	c.ids = c.ids[:1]
	for range kept {
		c.ids = append(c.ids, 0)
	}
	for at := int32(len(c.normal)); at > 0; at = c.best[at].from {
		if count--; count < kept {
			c.ids[1+count] = c.best[at].id
		}
	}
	c.ids = append(c.ids, idEnd)
}
