package usem3

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/seed-ae386458/interlock/embedding/internal/kernel"
)

// container is a model file in format ILU1: the magic, the length of a JSON
// header, the header, then raw little-endian arrays at the offsets it names.
type container struct {
	sections map[string]section
	body     []byte
	vocab    int
	unknown  float32 // score of a character without a piece
	eps      float32
	err      error // the first section that did not fit its use
}

type section struct {
	Type  string `json:"dtype"`
	Shape []int  `json:"shape"`
	Off   int    `json:"off"`
}

type header struct {
	Meta struct {
		Bits    int     `json:"bits"`
		Unknown float32 `json:"unk_score"`
		Eps     float32 `json:"eps"`
		Vocab   int     `json:"vocab"`
	} `json:"meta"`
	Sections map[string]section `json:"sections"`
}

const (
	magic     = "ILU1"
	maxHeader = 1 << 20
)

// typeSize is the size of an element of a known type.
func typeSize(kind string) int {
	switch kind {
	case "float16":
		return 2
	case "float32", "uint32":
		return 4
	}
	return 1
}

func parse(data []byte) (*container, error) {
	if len(data) < 8 || string(data[:4]) != magic {
		return nil, errors.New("model file: no ILU1 magic at the start; this is another kind of file")
	}
	n := int64(binary.LittleEndian.Uint32(data[4:]))
	if n > maxHeader || n > int64(len(data)-8) {
		return nil, fmt.Errorf("model file: header of %d bytes in a file of %d; the file is cut or altered", n, len(data))
	}
	var h header
	if err := json.Unmarshal(data[8:8+n], &h); err != nil {
		return nil, fmt.Errorf("model file header: %w", err)
	}
	f := &container{sections: h.Sections, body: data[8+n:], vocab: h.Meta.Vocab, unknown: h.Meta.Unknown, eps: h.Meta.Eps}
	switch {
	case h.Meta.Bits != 4:
		return nil, fmt.Errorf("model file header: table of %d bits; only 4 are known here", h.Meta.Bits)
	case f.vocab < firstPiece || f.vocab > maxVocab:
		return nil, fmt.Errorf("model file header: vocabulary of %d; want %d to %d", f.vocab, firstPiece, maxVocab)
	case !(f.eps > 0 && f.eps < 1):
		return nil, fmt.Errorf("model file header: eps %v outside 0 to 1", f.eps)
	}
	return f, nil
}

// bytes returns a section of the given element type and shape; -1 in shape
// stands for any length. A misfit is kept in f.err, and the result is nil.
func (f *container) bytes(name, kind string, shape ...int) []byte {
	s, ok := f.sections[name]
	if !ok {
		return f.fail("section %s is missing", name)
	}
	fits := func(have, want int) bool { return have == want && want >= 0 || have >= 0 && want < 0 }
	if s.Type != kind || !slices.EqualFunc(s.Shape, shape, fits) {
		return f.fail("section %s is %s%v; want %s%v", name, s.Type, s.Shape, kind, shape)
	}
	size := typeSize(kind)
	for _, n := range s.Shape {
		if n != 0 && size > len(f.body)/n {
			return f.fail("section %s%v is larger than the file", name, s.Shape)
		}
		size *= n
	}
	if s.Off < 0 || s.Off > len(f.body)-size {
		return f.fail("section %s at %d reaches beyond the file; the file is cut or altered", name, s.Off)
	}
	return f.body[s.Off : s.Off+size : s.Off+size]
}

func (f *container) fail(format string, args ...any) []byte {
	if f.err == nil {
		f.err = fmt.Errorf("model file: "+format, args...)
	}
	return nil
}

// floats copies a float32 section, which must be finite.
func (f *container) floats(name string, n int) []float32 {
	raw := f.bytes(name, "float32", n)
	out := make([]float32, len(raw)/4)
	for i := range out {
		out[i] = floatAt(raw, i)
		if !finite(out[i]) {
			f.fail("section %s[%d] is not a finite number", name, i)
			return nil
		}
	}
	return out
}

// A matrix is W[o,i] = weights[o·in+i]·scale[o], used in place.
//
// Invariant: Σ_i |weights[o·in+i]|·kernel.Peak < 2³¹, so that sums are exact.
type matrix struct {
	weights []int8
	scale   []float32
	in, out int
}

func (f *container) matrix(name string, out, in int) matrix {
	raw := f.bytes(name+".q", "int8", out, in)
	m := matrix{scale: f.floats(name+".s", out), in: in, out: out}
	if len(raw) == 0 {
		return m
	}
	m.weights = unsafe.Slice((*int8)(unsafe.Pointer(&raw[0])), len(raw))
	if int64(in)*128*kernel.Peak <= math.MaxInt32 {
		return m
	}
	for o := range out {
		if reach(m.weights[o*in:(o+1)*in]) > math.MaxInt32 {
			f.fail("section %s.q row %d could overflow 32-bit sums", name, o)
		}
	}
	return m
}

// reach is the greatest sum that activations can make of a row.
func reach(row []int8) int64 {
	var sum int64
	for _, w := range row {
		sum += int64(max(int(w), -int(w)))
	}
	return sum * kernel.Peak
}

func floatAt(raw []byte, i int) float32 { return math.Float32frombits(wordAt(raw, i)) }

func wordAt(raw []byte, i int) uint32 { return binary.LittleEndian.Uint32(raw[4*i:]) }

func finite(v float32) bool { return v-v == 0 }
