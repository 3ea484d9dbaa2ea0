package drift

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// The limits of a profile.
const (
	maxPaths    = 512
	maxOutcomes = 32
)

// Profile is the bounded summary of what was seen of one tool under one
// documentation. Merge of two profiles is associative and commutative, so that
// nodes combine: where there are too many places or outcomes, those with the
// smallest hashes of their names stay, whatever the order they came in.
type Profile struct {
	Calls    map[Class]int64  `json:"calls,omitempty"`    // by class
	Outcomes map[string]int64 `json:"outcomes,omitempty"` // of contract-relevant calls
	Paths    map[string]Path  `json:"paths,omitempty"`    // of successes
	More     bool             `json:"more,omitempty"`     // places or outcomes were left out
	TookUS   int64            `json:"took_us,omitempty"`  // sum, of contract-relevant calls
	Slowest  int64            `json:"slowest_us,omitempty"`
	Largest  int64            `json:"largest,omitempty"` // bytes
}

// Path is what was seen at one place of a result.
type Path struct {
	Answers int64            `json:"n"` // answers that had it
	Types   map[string]int64 `json:"t"` // values by letter; see typeLetters
	// Sized says that Low and High are set: the decades of its numbers, or of
	// the lengths of its lists.
	Sized bool `json:"z,omitempty"`
	Low   int  `json:"l,omitempty"`
	High  int  `json:"h,omitempty"`
}

// widen takes over the decades of another.
func (p *Path) widen(low, high int) {
	if !p.Sized {
		p.Sized, p.Low, p.High = true, low, high
		return
	}
	p.Low, p.High = min(p.Low, low), max(p.High, high)
}

// types cuts what was seen at a place into its letters and the decades.
func types(seen string) (letters string, low, high int, sized bool) {
	letters, rest, sized := strings.Cut(seen, "^")
	if !sized {
		return letters, 0, 0, false
	}
	from, to, _ := strings.Cut(rest, ":")
	low, bad := strconv.Atoi(from)
	high, worse := strconv.Atoi(to)
	return letters, low, high, bad == nil && worse == nil
}

// NewProfile gives an empty profile.
func NewProfile() *Profile {
	return &Profile{Calls: map[Class]int64{}, Outcomes: map[string]int64{}, Paths: map[string]Path{}}
}

// Add counts one observation.
func (p *Profile) Add(o *Observation) {
	if p.Calls == nil {
		p.Calls, p.Outcomes, p.Paths = map[Class]int64{}, map[string]int64{}, map[string]Path{}
	}
	p.Calls[o.Class]++
	if o.Class != ClassContract {
		return
	}
	p.Outcomes[o.outcome()]++
	p.TookUS += o.Took
	p.Slowest = max(p.Slowest, o.Took)
	p.Largest = max(p.Largest, int64(o.Size))
	for at, seen := range o.Shape {
		path := p.Paths[at]
		if path.Types == nil {
			path.Types = map[string]int64{}
		}
		path.Answers++
		letters, low, high, sized := types(seen)
		if sized {
			path.widen(low, high)
		}
		eachLetter(letters, func(letter byte, n int64) { path.Types[string(letter)] += n })
		p.Paths[at] = path
	}
	p.bound()
}

// bound leaves out what is too much.
func (p *Profile) bound() {
	if len(p.Outcomes) > maxOutcomes {
		smallest(p.Outcomes, maxOutcomes)
		p.More = true
	}
	if len(p.Paths) > maxPaths {
		smallest(p.Paths, maxPaths)
		p.More = true
	}
}

// smallest keeps the n entries whose names hash smallest.
func smallest[V any](m map[string]V, n int) {
	type row struct {
		hash uint64
		name string
	}
	rows := make([]row, 0, len(m))
	for name := range m {
		h := fnv.New64a()
		h.Write([]byte(name))
		rows = append(rows, row{h.Sum64(), name})
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.name, b.name)) })
	for _, r := range rows[n:] {
		delete(m, r.name)
	}
}

// Merge gives what a and b saw together; it changes neither.
func Merge(a, b *Profile) *Profile {
	out := NewProfile()
	for _, p := range [...]*Profile{a, b} {
		if p == nil {
			continue
		}
		for class, n := range p.Calls {
			out.Calls[class] += n
		}
		for name, n := range p.Outcomes {
			out.Outcomes[name] += n
		}
		for at, path := range p.Paths {
			had := out.Paths[at]
			if had.Types == nil {
				had.Types = make(map[string]int64, len(path.Types))
			}
			had.Answers += path.Answers
			for letter, n := range path.Types {
				had.Types[letter] += n
			}
			if path.Sized {
				had.widen(path.Low, path.High)
			}
			out.Paths[at] = had
		}
		out.More = out.More || p.More
		out.TookUS += p.TookUS
		out.Slowest = max(out.Slowest, p.Slowest)
		out.Largest = max(out.Largest, p.Largest)
	}
	out.bound()
	return out
}

// relevant counts the calls that say something of the tool.
func (p *Profile) relevant() int64 { return p.Calls[ClassContract] }

// eachLetter reads the counts of a place: "i18s2".
func eachLetter(seen string, visit func(letter byte, n int64)) {
	for i := 0; i < len(seen); {
		letter := seen[i]
		i++
		from := i
		for i < len(seen) && isDigit(seen[i]) {
			i++
		}
		n := int64(1)
		if i > from {
			n, _ = strconv.ParseInt(seen[from:i], 10, 32)
		}
		if strings.IndexByte(typeLetters, letter) >= 0 {
			visit(letter, n)
		}
	}
}
