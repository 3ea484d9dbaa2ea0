package usem3

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
)

// A fileSpec describes a small model file: a real layout with few pieces and
// random weights.
type fileSpec struct {
	pieces []string // from id 3 on
	scores []float32
	trie   []uint32
	norm   string
	edit   func(*header)
}

// build writes the header and the body of the file.
func (s fileSpec) build(t testing.TB) (head, body []byte) {
	t.Helper()
	h := header{Sections: map[string]section{}}
	h.Meta.Bits, h.Meta.Unknown, h.Meta.Eps, h.Meta.Vocab = 4, -20, 1e-12, 3+len(s.pieces)
	var out bytes.Buffer
	put := func(name, kind string, data any, shape ...int) {
		h.Sections[name] = section{kind, shape, out.Len()}
		if err := binary.Write(&out, binary.LittleEndian, data); err != nil {
			t.Fatal(err)
		}
	}
	s.putText(put)
	putWeights(put, h.Meta.Vocab)
	if s.edit != nil {
		s.edit(&h)
	}
	head, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return head, out.Bytes()
}

func (s fileSpec) putText(put func(name, kind string, data any, shape ...int)) {
	blob, offs := "", []uint32{0, 0, 0, 0}
	for _, p := range s.pieces {
		blob += p
		offs = append(offs, uint32(len(blob)))
	}
	scores := append([]float32{0, 0, 0}, s.scores...)
	trie := s.trie
	if trie == nil {
		trie = []uint32{0}
	}
	put("sp.blob", "uint8", []byte(blob), len(blob))
	put("sp.offs", "uint32", offs, len(offs))
	put("sp.scores", "float32", scores, len(scores))
	put("sp.trie", "uint32", trie, len(trie))
	put("sp.norm", "uint8", []byte(s.norm), len(s.norm))
}

func putWeights(put func(name, kind string, data any, shape ...int), vocab int) {
	r := rand.New(rand.NewPCG(1, 2))
	floats := func(name string, n int, of float32) {
		x := make([]float32, n)
		for i := range x {
			x[i] = of * (0.5 + r.Float32())
		}
		put(name, "float32", x, n)
	}
	matrix := func(name string, out, in int, bias bool) {
		w := make([]int8, out*in)
		for i := range w {
			w[i] = int8(r.IntN(61) - 30)
		}
		put(name+".q", "int8", w, out, in)
		floats(name+".s", out, 0.002)
		if bias {
			floats(name+".b", out, 0.1)
		}
	}
	table, scales := make([]byte, vocab*rowBytes), make([]uint16, vocab*blocks)
	for i := range table {
		table[i] = byte(r.IntN(256))
	}
	for i := range scales {
		scales[i] = 0x2C00 // 1/16
	}
	put("emb.q", "uint8", table, vocab, rowBytes)
	put("emb.s", "float16", scales, vocab, blocks)
	for _, n := range []int{2, 3, 5} {
		matrix(fmt.Sprintf("proj%d", n), width, Dim, true)
		matrix(fmt.Sprintf("w1_%d", n), width, n*width, true)
		matrix(fmt.Sprintf("w2_%d", n), width, n*width, true)
		floats(fmt.Sprintf("lng%d", n), width, 1)
		floats(fmt.Sprintf("lnb%d", n), width, 0.1)
	}
	floats("ln_g", joined, 1)
	floats("ln_b", joined, 0.1)
	matrix("cnn", Dim, joined, true)
	matrix("d0", narrow, Dim, false)
	matrix("d1", narrow, narrow, false)
	matrix("d2", Dim, narrow, false)
	matrix("d3", Dim, Dim, false)
	matrix("p1", narrow, Dim, false)
	matrix("p3", Dim, narrow, false)
}

// join puts a header in front of a body.
func join(head, body []byte) []byte {
	data := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(head)))
	return append(append(data, head...), body...)
}

// wordSpec knows a few pieces over a, b and ▁.
func wordSpec() fileSpec {
	return fileSpec{
		pieces: []string{"▁", "a", "b", "ab", "▁a", "▁ab", "bab", "abab", "é", "▁b"},
		scores: []float32{-2, -3, -3.5, -4.25, -4, -6.5, -7, -9, -5, -5.25},
	}
}
