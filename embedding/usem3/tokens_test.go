package usem3

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestTokens(t *testing.T) {
	m := load(t)
	word := func(text string) uint32 {
		var c cutting
		m.text.read(&c, text)
		return c.ids[1]
	}
	tests := []struct {
		name, text string
		want       []uint32
	}{
		{"empty", "", []uint32{1, 0, 2}},
		{"spaces", " \t\n\u3000", []uint32{1, 0, 2}},
		{"full width", "ＡＢＣ", []uint32{1, word("ABC"), 2}},
		{"markers are text", "<s>", nil},
		{"unknown characters", "\U0001F9FF\U0001F9FF", []uint32{1, 6, 0, 0, 2}},
		{"not UTF-8", "\xff\xfe", []uint32{1, 6, 0, 0, 2}},
		{"cut UTF-8", "\xed\x95", []uint32{1, 6, 0, 0, 2}},
	}
	for _, tt := range tests {
		var c cutting
		m.text.read(&c, tt.text)
		if tt.want == nil { // an id below firstPiece may not come from its name
			for _, id := range c.ids[1 : len(c.ids)-1] {
				if id == idStart || id == idEnd {
					t.Errorf("%s: ids %v", tt.name, c.ids)
				}
			}
			continue
		}
		if diff := cmp.Diff(tt.want, c.ids); diff != "" {
			t.Errorf("%s: ids of %q (-want +got):\n%s", tt.name, tt.text, diff)
		}
	}
}

func TestNormalise(t *testing.T) {
	m := load(t)
	tests := []struct{ in, want string }{
		{"", ""},
		{"a", "▁a"},
		{"  a  b ", "▁a▁b"},
		{"a\u00a0\t\r\nb", "▁a▁b"},
		{"ﬁle №5", "▁file▁No5"},
		{"e\u0301", "▁é"},
		{"ﾃﾞ", "▁デ"},
		{"a\u200bb", "▁a▁b"},
		{"\x07a", "▁\x07a"}, // the map leaves control characters alone
		{"\ufffda", "▁a"},
		{"\xffa", "▁\ufffda"},
		{strings.Repeat(" ", maxText) + "a", ""},
		{strings.Repeat("가", maxText), "▁" + strings.Repeat("가", maxNormal/3)},
	}
	for _, tt := range tests {
		if got := string(m.text.normal.normalise(nil, tt.in)); got != tt.want {
			t.Errorf("normalise(%.20q…) = %.40q, want %.40q", tt.in, got, tt.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		in    string
		limit int
		want  string
	}{
		{"abc", 5, "abc"}, {"abc", 2, "ab"}, {"aé", 2, "a"}, {"aéb", 3, "aé"},
		{"\U0001F600x", 3, ""}, {"\x80\x80\x80\x80\x80\x80\x80", 6, "\x80\x80"},
	} {
		if got := cut(tt.in, tt.limit); got != tt.want {
			t.Errorf("cut(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
		}
	}
}

// The search must find the best of all cuts, which the stupid way tries.
func TestSearchMatchesExhaustive(t *testing.T) {
	m, err := Open(join(wordSpec().build(t)))
	if err != nil {
		t.Fatal(err)
	}
	spec, r := wordSpec(), rand.New(rand.NewPCG(4, 4))
	for range 400 {
		var text strings.Builder
		for range 1 + r.IntN(9) {
			text.WriteString([]string{"a", "b", "a", "b", " ", "é", "z"}[r.IntN(7)])
		}
		var c cutting
		if !m.text.read(&c, text.String()) {
			continue
		}
		got, want := c.best[len(c.normal)].score, exhaustive(spec, string(c.normal))
		if math.Abs(float64(got-want)) > 1e-4 {
			t.Fatalf("%q: best score %v, exhaustive search finds %v", text.String(), got, want)
		}
		checkCover(t, m, &c)
	}
}

// exhaustive returns the best score of any cut of text.
func exhaustive(s fileSpec, text string) float32 {
	if text == "" {
		return 0
	}
	_, size := utf8.DecodeRuneInString(text)
	best, alone := float32(math.Inf(-1)), false
	for i, p := range s.pieces {
		if strings.HasPrefix(text, p) {
			alone = alone || len(p) == size
			best = max(best, s.scores[i]+exhaustive(s, text[len(p):]))
		}
	}
	if !alone {
		best = max(best, -20+exhaustive(s, text[size:]))
	}
	return best
}

// checkCover checks that the ids spell the normal text, unknowns one character
// each, and carry both marks.
func checkCover(t *testing.T, m *Model, c *cutting) {
	t.Helper()
	rest, last := string(c.normal), len(c.ids)-1
	if len(c.ids) > MaxTokens || c.ids[0] != idStart || c.ids[last] != idEnd {
		t.Fatalf("%q: ids %v", c.normal, c.ids)
	}
	for _, id := range c.ids[1:last] {
		_, size := utf8.DecodeRuneInString(rest)
		if id != idUnknown {
			piece := string(m.text.piece(id))
			if size = len(piece); !strings.HasPrefix(rest, piece) {
				t.Fatalf("%q: piece %q does not continue %q", c.normal, piece, rest)
			}
		}
		rest = rest[size:]
	}
	if rest != "" && len(c.ids) < MaxTokens {
		t.Fatalf("%q: %q is left over", c.normal, rest)
	}
}

// Every piece of the vocabulary is found under its own name.
func TestIndexFindsEveryPiece(t *testing.T) {
	m := load(t)
	for id := uint32(firstPiece); int(id) < len(m.text.scores)/4; id++ {
		piece, h := m.text.piece(id), uint32(hashSeed)
		for _, b := range piece {
			h = hash(h, b)
		}
		if got := m.text.find(h, piece); got != id && string(m.text.piece(got)) != string(piece) {
			t.Fatalf("find(%q) = %d, want %d", piece, got, id)
		}
	}
}

func FuzzTokens(f *testing.F) {
	m := load(f)
	for _, s := range []string{"", "create issue", "이슈 등록해줘", "ｶﾞ\xffﷺ", "\u2581 ▁", "a\x00b", "<s></s>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var c cutting
		some := m.text.read(&c, text)
		if !some {
			if diff := cmp.Diff([]uint32{idStart, idUnknown, idEnd}, c.ids); diff != "" {
				t.Fatal(diff)
			}
			return
		}
		if strings.Contains(string(c.normal), " ") {
			t.Fatalf("normal form %q holds a space", c.normal)
		}
		checkCover(t, m, &c)
	})
}

// FuzzNormalise gives the trie walk arbitrary tries.
func FuzzNormalise(f *testing.F) {
	m := load(f)
	f.Add(m.text.normal.trie[:4096], []byte("x\x00y"), "ab ｶﾞ")
	f.Add([]byte{}, []byte{}, "a")
	f.Fuzz(func(t *testing.T, trie, texts []byte, text string) {
		n := normaliser{trie, texts}
		if got := len(n.normalise(nil, text)); got > 8*maxNormal {
			t.Fatalf("normal form of %d bytes", got)
		}
	})
}
