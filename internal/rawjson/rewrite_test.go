package rawjson_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

func TestRewrite(t *testing.T) {
	var at []string
	drop := func(pointer func() string, inner []byte) []byte {
		if !bytes.Contains(inner, []byte("x")) {
			return inner
		}
		at = append(at, pointer())
		return bytes.ReplaceAll(inner, []byte("x"), nil)
	}
	for text, want := range map[string]string{
		` {"x":"ax\"","b/":[ 1e400 ,"x" , {"c~":"\u0078x"}], "n":-0 } `: ` {"x":"a\"","b/":[ 1e400 ,"" , {"c~":"\u0078"}], "n":-0 } `,
		`"xx"`: `""`, `[]`: `[]`, `{}`: `{}`, `9223372036854775807`: `9223372036854775807`, ``: ``, `["a`: `["a`, `{"a":`: `{"a":`,
	} {
		if got := string(rawjson.Rewrite([]byte(text), drop)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, want := range []string{"/x", "/b~1/1", "/b~1/2/c~0", ""} {
		if !strings.Contains("|"+strings.Join(at, "|")+"|", "|"+want+"|") {
			t.Errorf("%q was not pointed at: %q", want, at)
		}
	}
}

func TestRunes(t *testing.T) {
	var spelled []string
	var said []rune
	for r, raw := range rawjson.Runes([]byte(`a\n\u200B\udb40\udc41é\ud800.` + "\xff\\")) {
		spelled, said = append(spelled, string(raw)), append(said, r)
	}
	if got := strings.Join(spelled, "|"); got != `a|\n|\u200B|\udb40\udc41|é|\ud800|.|`+"\xff|\\" {
		t.Errorf("%s", got)
	}
	if got := string(said); got != "a\n\u200b\U000E0041é\ufffd.\ufffd\ufffd" {
		t.Errorf("%q", got)
	}
}

// FuzzRewrite: what nothing is changed in keeps every byte, whatever it is.
func FuzzRewrite(f *testing.F) {
	for _, seed := range []string{`{"a":["\u200b",1.10]}`, `[`, `{"a":`, `"\`, `{"a" "b"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := rawjson.Rewrite(text, func(at func() string, inner []byte) []byte {
			var same []byte
			for _, raw := range rawjson.Runes(inner) {
				same = append(same, raw...)
			}
			_ = at()
			return same
		})
		if !bytes.Equal(got, text) {
			t.Errorf("%q became %q", text, got)
		}
	})
}
