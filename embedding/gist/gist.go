// Package gist turns English text into short vectors by looking its words up:
// no network, no layers, some microseconds a sentence. It promises the same
// vector for the same text on every processor, and a length of one or nothing:
// words that it does not know, other scripts, numbers and punctuation count for
// nothing. It reads synonyms where a search by terms sees none; it knows nothing
// of word order.
//
//	t, err := gist.Load()
//	v := t.Embed("delete the old invoice")
package gist

import (
	_ "embed" // carries the table
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

//go:embed gist.bin
var file string

// Table is the vectors of word pieces. A word is cut into the longest pieces
// from its start; those that continue a word stand apart from those that begin
// one.
type Table struct {
	begin, inside map[string]int32
	scales        []float32
	values        string // two values a byte, low half first
	longest       int
}

// Dim is the length of a vector.
const Dim = 128

// maxText bounds the bytes of a text that are read, maxWord those of a word.
const (
	maxText = 4 << 10
	maxWord = 100
)

const magic = "gist/1\n"

// Load gives the table that is linked in. It is read once.
func Load() (*Table, error) { return shipped() }

var shipped = sync.OnceValues(func() (*Table, error) { return read(file) })

// read reads a table: the magic, the number of pieces, the pieces each ended by
// a line feed (those inside a word begin with #), the scale of each as a 32-bit
// float, and half a byte a value.
func read(text string) (*Table, error) {
	bad := errors.New("gist: the table is damaged")
	rest, ok := strings.CutPrefix(text, magic)
	if !ok || len(rest) < 4 {
		return nil, bad
	}
	n := int(binary.LittleEndian.Uint32([]byte(rest[:4])))
	rest = rest[4:]
	if n <= 0 || n > len(rest)/(4+Dim/2) {
		return nil, bad
	}
	t := &Table{begin: make(map[string]int32, n), inside: map[string]int32{}, scales: make([]float32, n)}
	for i := range n {
		piece, after, ok := strings.Cut(rest, "\n")
		if !ok || piece == "" {
			return nil, bad
		}
		rest = after
		if inner, in := strings.CutPrefix(piece, "#"); in {
			t.inside[inner] = int32(i)
		} else {
			t.begin[piece] = int32(i)
		}
		t.longest = max(t.longest, len(piece))
	}
	if len(rest) != n*(4+Dim/2) {
		return nil, bad
	}
	for i := range n {
		t.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32([]byte(rest[4*i : 4*i+4])))
	}
	t.values = rest[4*n:]
	return t, nil
}

// Embed gives the direction of a text; nil where it holds no known word.
func (t *Table) Embed(text string) []float32 {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	var sum [Dim]float32
	found := false
	var word []byte
	flush := func() {
		found = t.add(&sum, word) || found
		word = word[:0]
	}
	for _, r := range norm.NFD.String(text) {
		switch {
		case r < 0x80 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9'):
			word = append(word, byte(r))
		case r < 0x80 && r >= 'A' && r <= 'Z':
			word = append(word, byte(r)+'a'-'A')
		case unicode.Is(unicode.Mn, r): // an accent
		default:
			flush()
		}
	}
	flush()
	if !found {
		return nil
	}
	return unit(sum[:])
}

// add adds the pieces of one word. A word of which a part is unknown counts for
// nothing.
func (t *Table) add(sum *[Dim]float32, word []byte) bool {
	if len(word) == 0 || len(word) > maxWord {
		return false
	}
	var rows []int32
	pieces := t.begin
	for at := 0; at < len(word); pieces = t.inside {
		end := min(len(word), at+t.longest)
		row, ok := int32(0), false
		for ; end > at && !ok; end-- {
			row, ok = pieces[string(word[at:end])]
		}
		if !ok {
			return false
		}
		rows = append(rows, row)
		at = end + 1
	}
	for _, row := range rows {
		scale, values := t.scales[row], t.values[int(row)*Dim/2:]
		for i := range Dim / 2 {
			b := values[i]
			sum[2*i] += float32(float32(int8(b<<4)>>4) * scale)
			sum[2*i+1] += float32(float32(int8(b)>>4) * scale)
		}
	}
	return true
}

// unit scales a vector to length one; nil where it points nowhere.
func unit(v []float32) []float32 {
	square := 0.0
	for _, x := range v {
		square += float64(float64(x) * float64(x))
	}
	if square < 1e-12 {
		return nil
	}
	scale := float32(1 / math.Sqrt(square))
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x * scale)
	}
	return out
}

// Mean gives the mean direction of texts; nil where none holds a known word.
func (t *Table) Mean(texts ...string) []float32 {
	sum := make([]float32, Dim)
	for _, text := range texts {
		for i, x := range t.Embed(text) {
			sum[i] += x
		}
	}
	return unit(sum)
}
