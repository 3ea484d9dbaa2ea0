package rawjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// randomText spells a random value in a random way: white space anywhere,
// escapes, odd numbers, sometimes a name twice.
func randomText(rng *rand.Rand, depth int) string {
	space := func() string { return pick(rng, "", "", "", " ", "\n\t", "\r ") }
	switch kind := rng.IntN(8); {
	case kind < 2 && depth > 0:
		var members []string
		for range rng.IntN(5) {
			members = append(members, space()+randomString(rng)+space()+":"+randomText(rng, depth-1))
		}
		return space() + "{" + strings.Join(members, ",") + space() + "}" + space()
	case kind < 4 && depth > 0:
		var elements []string
		for range rng.IntN(5) {
			elements = append(elements, randomText(rng, depth-1))
		}
		return space() + "[" + strings.Join(elements, ",") + space() + "]" + space()
	case kind < 5:
		return space() + randomString(rng) + space()
	case kind < 7:
		return space() + randomNumber(rng) + space()
	}
	return space() + pick(rng, "true", "false", "null") + space()
}

func randomString(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(4) {
		b.WriteString(pick(rng, "a", "b", "a", "c/d", "~", "é", "온도", "😀", `\u0061`, `\n`, `\\`, `\"`, `\/`, `\ud83d\ude00`, "long enough for words"))
	}
	return `"` + b.String() + `"`
}

func randomNumber(rng *rand.Rand) string {
	return pick(rng, "", "", "-") + pick(rng, "0", "1", "10", "100", "12", "9223372036854775807") +
		pick(rng, "", "", ".0", ".10", ".01", ".5") + pick(rng, "", "", "e0", "E+1", "e-1", "e2", "e400")
}

// damaged changes, drops or adds one byte or a piece.
func damaged(rng *rand.Rand, text string) string {
	at, to := rng.IntN(len(text)+1), rng.IntN(len(text)+1)
	piece := pick(rng, "{", "}", "[", "]", ",", ":", `"`, `\`, "0", "-", ".", "e", " ", "\x00", "\xff", "\xed\xa0\x80", `\ud83d`, `\u`, "é", "1", "nul")
	switch rng.IntN(3) {
	case 0:
		return text[:at] + piece + text[at:]
	case 1:
		return text[:min(at, to)] + text[max(at, to):]
	}
	return text[:at] + piece + text[min(at+1, len(text)):]
}

func pick(rng *rand.Rand, words ...string) string { return words[rng.IntN(len(words))] }

// node is a value as the standard decoder reads it, members in order.
type node struct {
	scalar   any // json.Number, string, bool or nil
	object   bool
	array    bool
	names    []string
	children []node
}

// decode reads text by the standard decoder, token by token.
func decode(t testing.TB, text []byte) node {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	n, err := decodeNode(d)
	if err != nil {
		t.Fatalf("decode %q: %v", text, err)
	}
	return n
}

func decodeNode(d *json.Decoder) (node, error) {
	token, err := d.Token()
	if err != nil {
		return node{}, err
	}
	n := node{scalar: token}
	if token == json.Delim('{') || token == json.Delim('[') {
		n = node{object: token == json.Delim('{'), array: token == json.Delim('[')}
		for d.More() {
			if n.object {
				name, err := d.Token()
				if err != nil {
					return n, err
				}
				n.names = append(n.names, name.(string))
			}
			child, err := decodeNode(d)
			if err != nil {
				return n, err
			}
			n.children = append(n.children, child)
		}
		_, err = d.Token()
	}
	return n, err
}

// duplicate reports whether a name stands twice in one object.
func (n node) duplicate() bool {
	seen := map[string]bool{}
	for _, name := range n.names {
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	for _, child := range n.children {
		if child.duplicate() {
			return true
		}
	}
	return false
}

func (n node) depth() int {
	deepest := 0
	for _, child := range n.children {
		deepest = max(deepest, child.depth())
	}
	if n.object || n.array {
		deepest++
	}
	return deepest
}

// tokens are the tokens of valid text as they are spelled.
func tokens(text []byte) []string {
	var out []string
	for i := skipSpace(text, 0); i < len(text); i = skipSpace(text, i) {
		end := i + 1
		switch {
		case text[i] == '"':
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end++
		case !strings.ContainsRune("{}[],:", rune(text[i])):
			for end < len(text) && !strings.ContainsRune("{}[],: \n\r\t", rune(text[end])) {
				end++
			}
		}
		out = append(out, string(text[i:end]))
		i = end
	}
	return out
}

func TestTokensOfTheTests(t *testing.T) {
	got := fmt.Sprintf("%q", tokens([]byte(` {"a\"":[-1.0e5 ,true]} `)))
	if want := `["{" "\"a\\\"\"" ":" "[" "-1.0e5" "," "true" "]" "}"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
