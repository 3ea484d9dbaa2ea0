package usem3

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock/embedding/internal/kernel"
)

// goldenBits is the SHA-256 of the vectors of all golden texts, as
// little-endian float32. It is the same on every processor and kernel; a change
// of it is a new revision of the computation.
const goldenBits = "2ff339dfc9be6d56e88cfc99094f9ace6a6b2c4622f92fa3589447f8f62a4c81"

type golden struct {
	Text string    `json:"text"`
	IDs  []uint32  `json:"ids"`
	Vec  []float64 `json:"vec"`
}

func load(t testing.TB) *Model {
	t.Helper()
	m, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func goldens(t testing.TB) []golden {
	t.Helper()
	data, err := os.ReadFile("testdata/usem3-q4.golden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	if len(all) != 70 {
		t.Fatalf("golden file has %d lines, want 70", len(all))
	}
	return all
}

// The golden vectors come from an independent implementation of the same
// weights in double precision. It embeds a text of nothing as one unknown
// token; Embed gives zeros there, so those lines check the forward pass alone.
func TestGolden(t *testing.T) {
	m, worst := load(t), 1.0
	for _, g := range goldens(t) {
		var c cutting
		some := m.text.read(&c, g.Text)
		if diff := cmp.Diff(g.IDs, c.ids); diff != "" {
			t.Errorf("%q: ids (-want +got):\n%s", g.Text, diff)
			continue
		}
		got := make([]float32, Dim)
		m.forward(got, new(scratch), c.ids)
		cos := cosine(g.Vec, got)
		if cos <= 0.9999 {
			t.Errorf("%q: cosine %v to the golden vector", g.Text, cos)
		}
		worst = min(worst, cos)
		if !some {
			got = make([]float32, Dim)
		}
		if diff := cmp.Diff(got, m.Embed(nil, g.Text)); diff != "" {
			t.Errorf("%q: Embed and the forward pass differ:\n%s", g.Text, diff)
		}
	}
	t.Logf("least cosine %.7f on kernel %s", worst, m.Kernel())
}

func cosine(want []float64, got []float32) float64 {
	var ab, aa, bb float64
	for i, w := range want {
		g := float64(got[i])
		ab, aa, bb = ab+w*g, aa+w*w, bb+g*g
	}
	return ab / math.Sqrt(aa*bb)
}

func TestSameBitsOnEveryKernel(t *testing.T) {
	for _, k := range []kernel.Kernel{{}, kernel.Best()} {
		m := load(t)
		m.kernel = k
		h := sha256.New()
		for _, g := range goldens(t) {
			if err := binary.Write(h, binary.LittleEndian, m.Embed(nil, g.Text)); err != nil {
				t.Fatal(err)
			}
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != goldenBits {
			t.Errorf("kernel %s: golden vectors hash to %s, want %s", k.Name(), got, goldenBits)
		}
	}
}

func TestDigestIsTheFiles(t *testing.T) {
	sum := sha256.Sum256([]byte(file))
	if got := hex.EncodeToString(sum[:]); got != fileDigest {
		t.Errorf("model file has digest %s; fileDigest says %s", got, fileDigest)
	}
	m := load(t)
	opened, err := Open([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if m.Name() != opened.Name() || !strings.HasPrefix(m.Name(), "usem3-q4/1-e816132a") {
		t.Errorf("Load names it %q, Open %q", m.Name(), opened.Name())
	}
}
