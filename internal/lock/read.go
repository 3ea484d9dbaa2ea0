package lock

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/spelling"
	"github.com/seed-ae386458/interlock/internal/version"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// Read reads a lock file, JSON or YAML. What it refuses comes as an
// *interlock.Error with the pointer at fault.
func Read(text []byte) (File, error) {
	doc, err := yamljson.Parse(text, yamljson.Limits{Bytes: MaxBytes, Depth: 16, Values: 20 * MaxCapabilities})
	if err != nil {
		if bytes.Contains(text, []byte("\n<<<<<<< ")) {
			return File{}, fault("", "It holds an unresolved merge: resolve it, then run `interlock lock`.")
		}
		return File{}, fault("", "It is neither JSON nor YAML: %v.", err)
	}
	if len(doc.Twice) > 0 {
		return File{}, fault(doc.Twice[0], "This key stands twice.")
	}
	f := New()
	if err := members(doc.Root, "", []string{"lockfile", "capabilities"}); err != nil {
		return File{}, err
	}
	if err := checkFormat(doc.Root.Get("lockfile")); err != nil {
		return File{}, err
	}
	list := doc.Root.Get("capabilities")
	if !list.Is(yamljson.Array) || len(list.Items) > MaxCapabilities {
		return File{}, fault("/capabilities", "This has to be a list of at most %d capabilities.", MaxCapabilities)
	}
	for i, item := range list.Items {
		c, err := capability(item, "/capabilities/"+strconv.Itoa(i))
		if err != nil {
			return File{}, err
		}
		f.Capabilities = append(f.Capabilities, c)
	}
	return f.sorted()
}

func fault(pointer, format string, args ...any) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "lock", Pointer: pointer,
		Public: "The lock file cannot be read. " + fmt.Sprintf(format, args...)}
}

func checkFormat(n *yamljson.Node) error {
	if n == nil {
		return fault("/lockfile", "A lock file begins with `lockfile: %d`.", Format)
	}
	if v, err := strconv.Atoi(string(n.Raw)); n.Is(yamljson.Number) && err == nil && v > Format {
		return fault("/lockfile", "It is of format %d and this version reads format %d; use the newer interlock.", v, Format)
	} else if !n.Is(yamljson.Number) || err != nil || v != Format {
		return fault("/lockfile", "This has to be the number %d.", Format)
	}
	return nil
}

// sorted puts the capabilities in order and refuses a family twice.
func (f File) sorted() (File, error) {
	at := map[string]int{}
	for i, c := range f.Capabilities {
		if first, twice := at[c.Family]; twice {
			return File{}, fault(fmt.Sprintf("/capabilities/%d/family", i), "The family %q stands at /capabilities/%d too; join the two ranges in one.", c.Family, first)
		}
		at[c.Family] = i
	}
	slices.SortFunc(f.Capabilities, func(a, b Capability) int { return cmp.Compare(a.Family, b.Family) })
	return f, nil
}

// members checks that an object has known keys alone.
func members(n *yamljson.Node, at string, known []string) error {
	if !n.Is(yamljson.Object) {
		return fault(at, "This has to be an object with the keys %s, and is %s.", strings.Join(known, ", "), n.KindOf())
	}
	for _, m := range n.Members {
		if slices.Contains(known, m.Name) {
			continue
		}
		at, name := rawjson.Join(at, clip(m.Name)), clip(m.Name)
		if near := spelling.Nearest(m.Name, known); near != "" {
			return fault(at, "Unknown key %q; did you mean %q?", name, near)
		}
		return fault(at, "Unknown key %q; known are %s.", name, strings.Join(known, ", "))
	}
	return nil
}

// keys are the members of a capability, and whether each must be there.
var keys = [...]struct {
	name string
	must bool
}{{"family", true}, {"range", true}, {"built_against", true}, {"built_contract", false}, {"version", true}, {"tool", true}, {"effect", true}, {"contract", true}, {"pin", true}}

func capability(n *yamljson.Node, at string) (Capability, error) {
	known, texts := make([]string, len(keys)), map[string]string{}
	for i, k := range keys {
		known[i] = k.name
	}
	if err := members(n, at, known); err != nil {
		return Capability{}, err
	}
	for _, k := range keys {
		text, err := word(n.Get(k.name), at+"/"+k.name, k.must)
		if err != nil {
			return Capability{}, err
		}
		texts[k.name] = text
	}
	c := Capability{Family: texts["family"], Range: texts["range"], BuiltAgainst: texts["built_against"], BuiltContract: texts["built_contract"],
		Version: texts["version"], Tool: texts["tool"], Contract: texts["contract"], Pin: texts["pin"]}
	for _, step := range []func(at string) error{c.checkVersions, c.checkHashes} {
		if err := step(at); err != nil {
			return Capability{}, err
		}
	}
	effect, err := interlock.ParseEffect(texts["effect"])
	if err != nil {
		return Capability{}, fault(at+"/effect", "%q is no effect; effects are read, write, destructive, unknown.", clip(texts["effect"]))
	}
	c.Effect = effect
	return c, nil
}

// word reads a text of one line.
func word(n *yamljson.Node, at string, must bool) (string, error) {
	switch {
	case n == nil && !must:
		return "", nil
	case n == nil:
		return "", fault(at, "This key is missing; `interlock lock` writes it.")
	case !n.Is(yamljson.String):
		return "", fault(at, "This has to be text, and is %s; put it into quotes.", n.KindOf())
	}
	text := n.Text()
	if text == "" || len(text) > maxText || strings.ContainsFunc(text, unicode.IsControl) || strings.ContainsRune(text, unicode.ReplacementChar) {
		return "", fault(at, "This has to be one line of text, %d bytes at most.", maxText)
	}
	return text, nil
}

func (c Capability) checkVersions(at string) error {
	r, err := version.ParseRange(c.Range)
	if err != nil {
		return fault(at+"/range", "The range does not parse: %v.", err)
	}
	for _, v := range []struct{ key, text string }{{"built_against", c.BuiltAgainst}, {"version", c.Version}} {
		parsed, err := version.Parse(v.text)
		if err != nil || parsed.String() != v.text {
			return fault(at+"/"+v.key, "%q is no strict version, as 2.3.0 is.", clip(v.text))
		}
		if v.key == "version" && !r.Match(parsed) {
			return fault(at+"/version", "%s is outside the range %s; run `interlock lock '%s=%s'`.", v.text, c.Range, c.Family, c.Range)
		}
	}
	return nil
}

func (c Capability) checkHashes(at string) error {
	for _, h := range []struct{ key, text string }{{"built_contract", c.BuiltContract}, {"contract", c.Contract}, {"pin", c.Pin}} {
		if h.text != "" && !isHash(h.text) {
			return fault(at+"/"+h.key, "This has to be a SHA-256 in hex, 64 small letters and digits.")
		}
	}
	if same := c.BuiltAgainst == c.Version; same && c.BuiltContract != "" && c.BuiltContract != c.Contract {
		return fault(at+"/built_contract", "built_against is the version itself, whose contract is another.")
	} else if !same && c.BuiltContract == "" {
		return fault(at+"/built_contract", "This key is missing: built_against is another version, and its contract counts.")
	}
	return nil
}

func isHash(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// clip bounds text that a message repeats.
func clip(text string) string {
	if len(text) <= 80 {
		return text
	}
	return strings.ToValidUTF8(text[:80], "") + "…"
}
