// Package usem3 embeds short multilingual texts: Google's Universal Sentence
// Encoder Multilingual v3, pruned and quantised into one file inside the
// program, computed in Go without cgo, network or disk.
//
// It promises that a text gives the same 512 numbers, bit for bit, on every
// processor and kernel; that Embed is safe for concurrent use and bounded in
// time and memory whatever the text; and that a file which is cut or altered
// is an error. It refuses to read beyond MaxTokens tokens or 64 KiB: what follows
// does not change the vector.
//
//	model, err := usem3.Load()
//	vec := model.Embed(nil, "이슈 하나 등록해줘") // unit length, or zeros for no text
package usem3

import (
	"crypto/sha256"
	_ "embed" // carries the model file
	"encoding/hex"
	"fmt"
	"sync"
	"unsafe"

	"github.com/seed-ae386458/interlock/embedding/internal/kernel"
)

// file is the model. A string, so that it stays in read-only pages which the
// system brings in as they are touched.
//
//go:embed usem3-q4.ilu
var file string

// fileDigest is the SHA-256 of file. A test holds it true, so that Load need
// not read 38 MB to name the model.
const fileDigest = "e816132a7f6e2a34fb6780f38f7d287a294b5870afa31d4ced7a608beb80c243"

const (
	// Dim is the length of every vector.
	Dim = 512
	// MaxTokens is how many tokens of a text count, its two markers included.
	MaxTokens = 256
	// revision counts changes of the computation that change vectors.
	revision = "1"
)

// A Model turns texts into vectors. It is immutable but for bounded caches and
// safe for concurrent use.
type Model struct {
	name    string
	kernel  kernel.Kernel
	text    tokeniser
	table   table
	branch  [3]branch
	head    head
	norm    affine // of the joined 1,280 channels
	eps     float32
	tokens  tokenCache
	scratch sync.Pool // of *scratch
}

// Load opens the model inside the program. It copies only the small sections;
// one Model is enough for a process.
func Load() (*Model, error) {
	m, err := open(unsafe.Slice(unsafe.StringData(file), len(file)))
	if err != nil {
		return nil, fmt.Errorf("load embedded model: %w", err)
	}
	m.name = name(fileDigest)
	return m, nil
}

// Open reads a model file, checks the whole of it and keeps data, which must
// not change afterwards.
func Open(data []byte) (*Model, error) {
	m, err := open(data)
	if err != nil {
		return nil, err
	}
	if err := m.table.check(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	m.name = name(hex.EncodeToString(sum[:]))
	return m, nil
}

func name(digest string) string { return "usem3-q4/" + revision + "-" + digest[:12] }

// Name identifies the computation and the weights. Vectors may be compared
// only if they carry the same name.
func (m *Model) Name() string { return m.name }

// Dim returns the length of the vectors, 512.
func (m *Model) Dim() int { return Dim }

// Kernel tells which instructions the model runs on: "avx2", "neon" or "plain".
// It does not change the vectors.
func (m *Model) Kernel() string { return m.kernel.Name() }

// Embed appends the vector of text to dst: 512 values of length one, or zeros
// if the text holds nothing but space. It reads at most MaxTokens tokens and
// never fails; bytes that are not UTF-8 count as unknown characters.
func (m *Model) Embed(dst []float32, text string) []float32 {
	s := m.borrow()
	defer m.scratch.Put(s)
	n := len(dst)
	dst = append(dst, s.zeros[:]...)
	if m.text.read(&s.text, text) {
		m.forward(dst[n:], s, s.text.ids)
	}
	return dst
}

func (m *Model) borrow() *scratch {
	if s, ok := m.scratch.Get().(*scratch); ok {
		return s
	}
	return new(scratch)
}

func open(data []byte) (*Model, error) {
	f, err := parse(data)
	if err != nil {
		return nil, err
	}
	return f.model()
}

func (f *container) model() (*Model, error) {
	m := &Model{kernel: kernel.Best(), eps: f.eps}
	if err := m.text.open(f); err != nil {
		return nil, err
	}
	m.table.open(f)
	for i, n := range [3]int{2, 3, 5} {
		m.branch[i].open(f, n)
	}
	m.norm = affine{f.floats("ln_g", joined), f.floats("ln_b", joined)}
	m.head.open(f)
	if f.err != nil {
		return nil, f.err
	}
	return m, nil
}
