package lexicon

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

// TestGolden holds the reader to made-up requests whose words were worked out
// by the reader that the vocabulary was made with.
func TestGolden(t *testing.T) {
	lex, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/golden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var row struct {
			Text  string
			Gloss map[string]float64
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		got := lex.Gloss(row.Text)
		if len(got) != len(row.Gloss) {
			t.Errorf("%s: %v, want %v", row.Text, got, row.Gloss)
		}
		for _, w := range got {
			if math.Abs(w.Weight-row.Gloss[w.Text]) > 0.0006 {
				t.Errorf("%s: %s weighs %v, want %v", row.Text, w.Text, w.Weight, row.Gloss[w.Text])
			}
		}
	}
	if n < 20 {
		t.Errorf("%d golden rows", n)
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, line := range []string{"ko\tx", "fr\tx\ty\t1\t1", "ko\tx\ty,z\t1\t1", "ko\tx\ty\tmuch\t1"} {
		if _, err := open(line, rulesText); err == nil {
			t.Errorf("a table with the line %q is taken", line)
		}
	}
	if _, err := open("", []byte("{")); err == nil {
		t.Error("rules that do not parse are taken")
	}
}

func FuzzGloss(f *testing.F) {
	lex, err := Load()
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"거실 조명 켜줘", "明日の天気を教えて", "Slack に投稿して", "ㅋㅋ", strings.Repeat("漢", 3000), "a\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, w := range lex.Gloss(text) {
			if w.Text == "" || w.Weight <= 0 || w.Weight > 3 {
				t.Errorf("%q: %v", text, w)
			}
		}
	})
}

func TestGlossary(t *testing.T) {
	lex, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	with, err := lex.With([]Entry{{"슬랙", []string{"Slack", "chat"}}, {"연차", []string{"leave"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := with.Gloss("슬랙에 메시지 보내줘"); len(got) < 3 || got[0] != (Word{Text: "slack", Weight: 1}) || got[1].Text != "chat" {
		t.Errorf("%v", got)
	}
	if with.Name() == lex.Name() || !strings.HasPrefix(with.Name(), lex.Name()) {
		t.Errorf("names %q and %q", lex.Name(), with.Name())
	}
	if got := lex.Gloss("슬랙"); len(got) > 0 && got[0].Text == "slack" && got[0].Weight == 1 && len(got) > 1 && got[1].Text == "chat" {
		t.Error("the vocabulary itself was changed")
	}
	for _, bad := range [][]Entry{{{"가", []string{"x"}}}, {{"가나", nil}}, {{"가나", []string{" "}}}, {{"가나", []string{"x"}}, {"가나", []string{"y"}}}, make([]Entry, maxEntries+1)} {
		if _, err := lex.With(bad); err == nil {
			t.Errorf("%.60v is taken", bad)
		}
	}
}
