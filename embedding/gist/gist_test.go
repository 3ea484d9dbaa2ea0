package gist

import (
	"math"
	"strings"
	"testing"
)

func load(t testing.TB) *Table {
	t.Helper()
	table, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func cosine(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// TestNear: what means the same lies nearer than what shares a word.
func TestNear(t *testing.T) {
	table := load(t)
	for _, tc := range [][3]string{
		{"get rid of the photo", "delete an image", "get an order"},
		{"how warm is it outside", "weather temperature", "outside agency"},
		{"is the film any good", "movie ratings", "camera lens"},
		{"send a text to Bob", "send an SMS message", "parse a text file"},
	} {
		a, b, c := table.Embed(tc[0]), table.Embed(tc[1]), table.Embed(tc[2])
		if near, far := cosine(a, b), cosine(a, c); near <= far {
			t.Errorf("%q: %.3f to %q, %.3f to %q", tc[0], near, tc[1], far, tc[2])
		}
	}
}

func TestEmbed(t *testing.T) {
	table := load(t)
	for _, text := range []string{"", "   ", "날씨", "🙂", "!?", strings.Repeat("q", 300)} {
		if v := table.Embed(text); v != nil {
			t.Errorf("%q points somewhere", text)
		}
	}
	for _, same := range [][2]string{{"Café menu", "cafe MENU"}, {"read-file!", "read file"}, {"weather 날씨", "weather"}} {
		if a, b := table.Embed(same[0]), table.Embed(same[1]); math.Abs(cosine(a, b)-1) > 1e-6 {
			t.Errorf("%q and %q differ: %v", same[0], same[1], cosine(a, b))
		}
	}
	if v := table.Mean("weather", "", "날씨"); math.Abs(cosine(v, table.Embed("weather"))-1) > 1e-6 {
		t.Error("what points nowhere moves a mean")
	}
}

func TestDamaged(t *testing.T) {
	for _, text := range []string{"", "gist/1\n", file[:len(file)-1], file + "x", "x" + file[1:], file[:200]} {
		if _, err := read(text); err == nil {
			t.Errorf("%d bytes are taken for a table", len(text))
		}
	}
}

func FuzzEmbed(f *testing.F) {
	table := load(f)
	for _, s := range []string{"delete the invoice", "naïve", "\xff\x00", "unbelievably"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := table.Embed(text)
		if v != nil && math.Abs(cosine(v, v)-1) > 1e-4 {
			t.Errorf("%q has the length %v", text, cosine(v, v))
		}
	})
}

func BenchmarkEmbed(b *testing.B) {
	table := load(b)
	b.ReportAllocs()
	for b.Loop() {
		table.Embed("book a table for eight at a steakhouse tonight")
	}
}
