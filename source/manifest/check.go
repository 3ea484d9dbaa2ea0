package manifest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/version"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// fault is one thing that is wrong, and where.
type fault struct{ pointer, reason string }

// reading collects the faults of one part of the manifest. Its methods read a
// member and give its zero value where something is wrong with it.
type reading struct{ faults []fault }

func (r *reading) fault(pointer, format string, args ...any) {
	r.faults = append(r.faults, fault{pointer, fmt.Sprintf(format, args...)})
}

func (r *reading) first() *fault {
	if len(r.faults) == 0 {
		return nil
	}
	return &r.faults[0]
}

// reason is the first fault's, and what else is wrong with its place.
func (r *reading) reason() string {
	text := r.faults[0].reason
	for i, f := range r.faults[1:] {
		if i == 4 {
			return text + fmt.Sprintf("; and %d more", len(r.faults)-5)
		}
		text += "; also " + f.pointer + ": " + f.reason
	}
	return text
}

// object takes an object with known members alone; nil where it is none.
func (r *reading) object(n node, at, known string) node {
	if !n.Is(yamljson.Object) {
		r.fault(at, "this has to be an object, and is %s", n.KindOf())
		return nil
	}
	names := strings.Fields(known)
	for _, m := range n.Members {
		if !strings.Contains(" "+known+" ", " "+m.Name+" ") || m.Name == "" {
			r.fault(rawjson.Join(at, m.Name), "the key %q is not known; %s", clip(m.Name), suggest(m.Name, names))
		}
	}
	return n
}

// get gives a member; null counts as absent, and so does everything in what is
// no object.
func (r *reading) get(n node, at, name string, needed bool) node {
	v := n.Get(name)
	if v != nil && !v.Is(yamljson.Null) {
		return v
	}
	if needed && n != nil {
		r.fault(at, "%q is missing", name)
	}
	return nil
}

func (r *reading) text(n node, at, name string, needed bool) string {
	v := r.get(n, at, name, needed)
	if v == nil {
		return ""
	}
	return r.plain(v, rawjson.Join(at, name))
}

// plain takes a text that is not empty.
func (r *reading) plain(v node, at string) string {
	if !v.Is(yamljson.String) {
		r.fault(at, "this has to be text, and is %s; put it into quotes", v.KindOf())
		return ""
	}
	if v.Text() == "" {
		r.fault(at, "this text is empty")
	}
	return v.Text()
}

// word takes one of a few words.
func (r *reading) word(n node, at, name string, needed bool, words string) string {
	text := r.text(n, at, name, needed)
	if text != "" && (!strings.Contains(" "+words+" ", " "+text+" ") || strings.Contains(text, " ")) {
		r.fault(rawjson.Join(at, name), "%q is none of %s", clip(text), strings.ReplaceAll(words, " ", ", "))
		return ""
	}
	return text
}

// namePattern is what a source, a tenant or a principal can be called.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func (r *reading) name(n node, at, name string, needed bool) string {
	text := r.text(n, at, name, needed)
	if text != "" && !namePattern.MatchString(text) {
		r.fault(rawjson.Join(at, name), "%q is no name: letters, digits, dots, hyphens and underscores, at most 64", clip(text))
		return ""
	}
	return text
}

var familyPattern = regexp.MustCompile(`^[A-Za-z0-9_~/-]+(\.[A-Za-z0-9_~/-]+)*$`)

func (r *reading) family(n node, at string, needed bool) string {
	text := r.text(n, at, "family", needed)
	if text != "" && (!familyPattern.MatchString(text) || len(text) > 256) {
		r.fault(rawjson.Join(at, "family"), "%q is no family: words joined by dots, as in document.extract", clip(text))
		return ""
	}
	return text
}

// version takes a strict semantic version.
func (r *reading) version(n node, at, name string, needed bool) string {
	text := r.text(n, at, name, needed)
	if text == "" {
		return ""
	}
	if v, err := version.Parse(text); err != nil || v.String() != text {
		r.fault(rawjson.Join(at, name), "%q is no semantic version; write MAJOR.MINOR.PATCH", clip(text))
		return ""
	}
	return text
}

func (r *reading) list(n node, at, name string) []node {
	v := r.get(n, at, name, false)
	if v == nil {
		return nil
	}
	if !v.Is(yamljson.Array) {
		r.fault(rawjson.Join(at, name), "this has to be a list, and is %s", v.KindOf())
		return nil
	}
	return v.Items
}

func (r *reading) texts(n node, at, name string) []string {
	var out []string
	for i, item := range r.list(n, at, name) {
		out = append(out, r.plain(item, rawjson.Join(at, name, strconv.Itoa(i))))
	}
	return out
}

// dictionary takes an object of texts.
func (r *reading) dictionary(n node, at, name string) map[string]string {
	v := r.get(n, at, name, false)
	if v == nil {
		return nil
	}
	at = rawjson.Join(at, name)
	if !v.Is(yamljson.Object) {
		r.fault(at, "this has to be an object of texts, and is %s", v.KindOf())
		return nil
	}
	out := make(map[string]string, len(v.Members))
	for _, m := range v.Members {
		if m.Name == "" {
			r.fault(at, "a key is empty")
		}
		out[m.Name] = r.plain(m.Value, rawjson.Join(at, m.Name))
	}
	return out
}

// clip bounds text that a message repeats.
func clip(text string) string {
	if len(text) <= 100 {
		return text
	}
	return strings.ToValidUTF8(text[:100], "") + "…"
}

// printable reports whether people can read text on one line.
func printable(text string) bool {
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return strings.TrimSpace(text) == text
}

// suggest names the nearest known key, or all of them.
func suggest(name string, known []string) string {
	best, least := "", 1+len(name)/2
	for _, k := range known {
		if d := distance(name, k); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return "known are " + strings.Join(known, ", ")
	}
	return fmt.Sprintf("is %q meant?", best)
}

// distance counts the insertions, deletions and changes between two short
// words.
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
