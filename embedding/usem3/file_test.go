package usem3

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOpenRefuses(t *testing.T) {
	sections := func(edit func(map[string]section)) func(*header) {
		return func(h *header) { edit(h.Sections) }
	}
	change := func(name string, edit func(*section)) func(*header) {
		return sections(func(all map[string]section) {
			s := all[name]
			edit(&s)
			all[name] = s
		})
	}
	tests := []struct {
		name string
		edit func(*header)
		want string
	}{
		{"missing", sections(func(all map[string]section) { delete(all, "cnn.q") }), "cnn.q is missing"},
		{"other type", change("d0.s", func(s *section) { s.Type = "int8" }), "d0.s is int8[320]"},
		{"other shape", change("emb.q", func(s *section) { s.Shape = []int{13, 255} }), "emb.q is uint8[13 255]"},
		{"no shape", change("emb.s", func(s *section) { s.Shape = nil }), "emb.s is float16[]"},
		{"negative length", change("sp.blob", func(s *section) { s.Shape = []int{-1} }), "sp.blob is uint8[-1]"},
		{"negative place", change("p1.q", func(s *section) { s.Off = -64 }), "beyond the file"},
		{"place too far", change("p1.q", func(s *section) { s.Off = math.MaxInt }), "beyond the file"},
		{"too long", change("sp.trie", func(s *section) { s.Shape = []int{math.MaxInt / 2} }), "larger than the file"},
		{"bits", func(h *header) { h.Meta.Bits = 8 }, "table of 8 bits"},
		{"vocabulary", func(h *header) { h.Meta.Vocab++ }, "sp.offs is uint32[14]"},
		{"tiny vocabulary", func(h *header) { h.Meta.Vocab = 2 }, "vocabulary of 2"},
		{"huge vocabulary", func(h *header) { h.Meta.Vocab = 1 << 17 }, "vocabulary of 131072"},
		{"eps", func(h *header) { h.Meta.Eps = 0 }, "eps 0"},
		{"pieces beyond", change("sp.blob", func(s *section) { s.Shape = []int{3} }), "of 3 bytes"},
		{"scores not finite", change("sp.scores", func(s *section) { s.Off = -1 }), "beyond the file"},
	}
	for _, tt := range tests {
		spec := wordSpec()
		spec.edit = tt.edit
		_, err := Open(join(spec.build(t)))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one about %q", tt.name, err, tt.want)
		}
	}
}

func TestOpenRefusesValues(t *testing.T) {
	nan := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.NaN())))
	tests := []struct {
		name, section string
		patch         []byte
		want          string
	}{
		{"bias", "cnn.b", nan, "cnn.b[0] is not a finite number"},
		{"gain", "ln_g", nan, "ln_g[0] is not a finite number"},
		{"score", "sp.scores", nan, "piece 0 has no finite score"},
		{"half", "emb.s", []byte{0, 0x7c}, "emb.s of piece 0 is not finite"},
		{"offset", "sp.offs", []byte{9}, "piece 0 at 9 to 0"},
		{"sums", "w1_5.q", bytes.Repeat([]byte{0x80}, 5*width), "w1_5.q row 0 could overflow"},
	}
	for _, tt := range tests {
		head, body := wordSpec().build(t)
		f, err := parse(join(head, body))
		if err != nil {
			t.Fatal(err)
		}
		copy(body[f.sections[tt.section].Off:], tt.patch)
		_, err = Open(join(head, body))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one about %q", tt.name, err, tt.want)
		}
	}
}

func TestOpenRefusesOtherFiles(t *testing.T) {
	for _, data := range []string{"", "ILU1", "ILU2\x00\x00\x00\x00", "ILU1\xff\xff\xff\xff{}", "ILU1\x05\x00\x00\x00{}", "ILU1\x02\x00\x00\x00{]", "ILU1\x02\x00\x00\x00{}", "ILU1\x04\x00\x00\x00null"} {
		if _, err := Open([]byte(data)); err == nil {
			t.Errorf("Open(%q) succeeded", data)
		}
	}
}

// Every cut of a file is an error, wherever it falls.
func TestOpenRefusesCuts(t *testing.T) {
	data := join(wordSpec().build(t))
	if _, err := Open(data); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(2, 2))
	cuts := []int{0, 1, 7, 8, 9, len(data) - 1, len(data) - 4}
	for range 60 {
		cuts = append(cuts, r.IntN(len(data)), r.IntN(6000))
	}
	for _, n := range cuts {
		if _, err := Open(data[:n]); err == nil {
			t.Errorf("Open succeeded on %d of %d bytes", n, len(data))
		}
	}
	for _, n := range []int{len(file) - 1, len(file) / 2, 4096} {
		if _, err := Open([]byte(file[:n])); err == nil {
			t.Errorf("Open succeeded on %d bytes of the model", n)
		}
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float32{
		0x0000: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0400: 1.0 / (1 << 14),
		0x0001: 1.0 / (1 << 24), 0x83ff: -1023.0 / (1 << 24), 0x3555: 0.333251953125,
		0x7c00: float32(math.Inf(1)), 0xfc00: float32(math.Inf(-1)),
	} {
		if got := half(bits); got != want {
			t.Errorf("half(%#04x) = %v, want %v", bits, got, want)
		}
	}
	if v := half(0x7e00); v == v {
		t.Errorf("half(NaN) = %v", v)
	}
}

func TestTableRow(t *testing.T) {
	table := table{values: make([]byte, 2*rowBytes), scales: make([]byte, 2*rowScales)}
	table.values[rowBytes+17] = 0x3f                                  // block 1, j 1: low 15, high 3
	binary.LittleEndian.PutUint16(table.scales[rowScales+2:], 0x3800) // block 1: 0.5
	var got, want [Dim]float32
	for j := range blockLen {
		want[blockLen+j] = -4
	}
	want[blockLen+1], want[blockLen+17] = 3.5, -2.5
	table.row(&got, 1)
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b float32) bool { return a == b })); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
}

// FuzzHeader reads arbitrary headers over a body of zeros.
func FuzzHeader(f *testing.F) {
	head, _ := wordSpec().build(f)
	f.Add(head)
	f.Add([]byte(`{"meta":{"bits":4,"vocab":3,"eps":0.1},"sections":{"sp.blob":{"dtype":"uint8","shape":[1],"off":0}}}`))
	f.Add([]byte(`{"sections":null}`))
	f.Fuzz(func(t *testing.T, head []byte) {
		if _, err := Open(join(head, make([]byte, 4096))); err == nil {
			t.Fatal("opened without room for the weights")
		}
	})
}

// FuzzOpen moves and reshapes one section and patches the body. Whatever still
// opens must embed.
func FuzzOpen(f *testing.F) {
	head, body := wordSpec().build(f)
	whole, err := parse(join(head, body))
	if err != nil {
		f.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(whole.sections))
	offs := uint32(whole.sections["sp.offs"].Off)
	f.Add(uint8(0), 0, -1, uint32(0), []byte{})
	f.Add(uint8(3), 64, 13, offs+16, []byte{0xff, 0xff, 0xff, 0x7f})
	f.Add(uint8(7), -1, 1<<40, offs, []byte{1})
	f.Fuzz(func(t *testing.T, pick uint8, off, length int, at uint32, patch []byte) {
		c := *whole
		c.sections, c.body = maps.Clone(whole.sections), bytes.Clone(body)
		name := names[int(pick)%len(names)]
		s := section{Type: c.sections[name].Type, Shape: slices.Clone(c.sections[name].Shape), Off: off}
		if length >= 0 {
			s.Shape[0] = length
		}
		c.sections[name] = s
		copy(c.body[at%uint32(len(body)):], patch)
		m, err := c.model()
		if err != nil {
			return
		}
		for _, text := range []string{"", "ab abab é?\xff x"} {
			if got := len(m.Embed(nil, text)); got != Dim {
				t.Fatalf("Embed(%q) has %d values", text, got)
			}
		}
	})
}
