package usem3

import (
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestEmbedShapes(t *testing.T) {
	m := load(t)
	if m.Dim() != Dim {
		t.Errorf("Dim() = %d", m.Dim())
	}
	tests := []struct {
		name, text string
		length     float64
	}{
		{"empty", "", 0},
		{"spaces", " \n\t\u3000 ", 0},
		{"word", "hello", 1},
		{"unknown only", "\U0001F9FF", 1},
		{"not UTF-8", "\xff\xfe\xed\x95", 1},
		{"control", "a\x00\x01\x02b", 1},
		{"pruned script", "שלום", 1},
		{"one character often", strings.Repeat("가", 3000), 1},
	}
	for _, tt := range tests {
		v := m.Embed(nil, tt.text)
		if len(v) != Dim {
			t.Fatalf("%s: %d values", tt.name, len(v))
		}
		var squares float64
		for _, x := range v {
			squares += float64(x) * float64(x)
		}
		if got := math.Sqrt(squares); math.Abs(got-tt.length) > 1e-5 {
			t.Errorf("%s: length %v, want %v", tt.name, got, tt.length)
		}
	}
}

func TestEmbedAppends(t *testing.T) {
	m := load(t)
	want := m.Embed(nil, "create an issue")
	dst := make([]float32, 2, 2+Dim)
	dst[0], dst[1] = 7, 8
	for i := range dst[:cap(dst)][2:] {
		dst[:cap(dst)][2+i] = 99 // what lay there may not shine through
	}
	got := m.Embed(dst, "create an issue")
	if &got[0] != &dst[0] || got[0] != 7 || got[1] != 8 {
		t.Error("Embed moved or altered what it appends to")
	}
	if diff := cmp.Diff(want, got[2:]); diff != "" {
		t.Errorf("appended vector differs:\n%s", diff)
	}
	for _, x := range m.Embed(dst, "")[2:] {
		if x != 0 {
			t.Fatal("an empty text appended something else than zeros")
		}
	}
}

// Languages meet: a request is nearer to the tool it asks for than to another.
func TestEmbedMeans(t *testing.T) {
	m := load(t)
	issue := m.Embed(nil, "create issue: Create a new issue in a GitHub repository")
	weather := m.Embed(nil, "get forecast: Weather forecast for a city")
	for _, tt := range []struct {
		text string
		near []float32
		far  []float32
	}{
		{"please file a bug report in the repository", issue, weather},
		{"저장소에 새로운 이슈를 만들어 주세요", issue, weather},
		{"リポジトリに新しい課題を作成して", issue, weather},
		{"will it rain in Paris tomorrow", weather, issue},
		{"내일 서울 날씨 알려줘", weather, issue},
		{"明日の東京の天気を教えて", weather, issue},
	} {
		v := m.Embed(nil, tt.text)
		if near, far := dot(v, tt.near), dot(v, tt.far); near < far+0.05 {
			t.Errorf("%q: %.3f to its tool, %.3f to the other", tt.text, near, far)
		}
	}
}

func dot(a, b []float32) float64 {
	var s float64
	for i, v := range a {
		s += float64(v) * float64(b[i])
	}
	return s
}

// Neither the order of texts, the cache nor other callers change a vector.
func TestEmbedConcurrent(t *testing.T) {
	all := goldens(t)[:24]
	want := make([][]float32, len(all))
	for i, g := range all {
		want[i] = load(t).Embed(nil, g.Text)
	}
	m := load(t)
	var callers sync.WaitGroup
	for c := range 4 {
		callers.Go(func() {
			var dst []float32
			for i := range all {
				i = (i*5 + c*7) % len(all)
				if i%6 == 0 {
					m.forget()
				}
				dst = m.Embed(dst[:0], all[i].Text)
				if diff := cmp.Diff(want[i], dst); diff != "" {
					t.Errorf("caller %d, %q differs:\n%s", c, all[i].Text, diff)
					return
				}
			}
		})
	}
	callers.Wait()
}

// Ids that share places of the cache evict the oldest and stay apart.
func TestCachePlaces(t *testing.T) {
	var c tokenCache
	step := uint32(len(c))
	tokens := []*token{{id: 5}, {id: 5 + step}, {id: 5 + 2*step}}
	if c.get(5) != nil {
		t.Error("an empty cache found something")
	}
	for n, tok := range tokens {
		c.put(tok)
		for i, old := range tokens {
			want := old
			if i > n || i < n-1 {
				want = nil
			}
			if got := c.get(old.id); got != want {
				t.Errorf("after %d puts: id %d found %v", n+1, old.id, got != nil)
			}
		}
	}
}

func TestLongTexts(t *testing.T) {
	m := load(t)
	word := strings.Repeat("interlock the tools ", 400)
	short := m.Embed(nil, word)
	if diff := cmp.Diff(short, m.Embed(nil, word+"and something else")); diff != "" {
		t.Error("text beyond the limit changes the vector")
	}
	if diff := cmp.Diff(short, m.Embed(nil, word[:1000])); diff == "" {
		t.Error("text within the limit does not change the vector")
	}
	start := time.Now()
	m.Embed(nil, word)
	limit := 20*time.Since(start) + 200*time.Millisecond // what 256 tokens cost here
	for _, unit := range []string{"x", "word ", " ", "가", "\xff", "\u200b", "ﷺ", "▁", "\u0301", "a\u0301"} {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		start := time.Now()
		m.Embed(nil, text)
		if took := time.Since(start); took > limit {
			t.Errorf("1 MB of %q took %v, want at most %v", unit, took, limit)
		}
	}
}

func TestTanh(t *testing.T) {
	for v := float32(-12); v < 12; v += 0.0113 {
		if got, want := tanh(v), math.Tanh(float64(v)); math.Abs(float64(got)-want) > 1e-7 {
			t.Errorf("tanh(%v) = %v, want %v", v, got, want)
		}
	}
	for _, v := range []float32{0, 1e-9, float32(math.Inf(1)), float32(math.Inf(-1)), 1e30} {
		if got, want := tanh(v), float32(math.Tanh(float64(v))); math.Abs(float64(got-want)) > 1e-7 {
			t.Errorf("tanh(%v) = %v, want %v", v, got, want)
		}
	}
	if v := tanh(float32(math.NaN())); v == v {
		t.Errorf("tanh(NaN) = %v", v)
	}
}

func TestLoadIsCheap(t *testing.T) {
	got := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			load(b)
		}
	})
	if bytes := got.AllocedBytesPerOp(); bytes > 4<<20 {
		t.Errorf("Load allocates %d bytes, want at most 4 MB", bytes)
	}
}

func TestWarmEmbedDoesNotAllocate(t *testing.T) {
	m, out, s := load(t), make([]float32, Dim), new(scratch)
	embed := func() {
		m.text.read(&s.text, queries[0])
		m.forward(out, s, s.text.ids)
	}
	if n := testing.AllocsPerRun(20, embed); n > 0 {
		t.Errorf("a warm text allocates %v times, want none", n)
	}
}
