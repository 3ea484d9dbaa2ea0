package index

import (
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
)

// exact finds tools by their whole names, and holds none of them: a hash of each,
// under a seed that nobody can choose names by. That two names of one segment and
// a need meet in 64 bits does not happen.
type exact struct {
	seed   maphash.Seed
	shift  int      // of a hash, to the place in starts where those like it begin
	starts []int32  // len(starts) = 2^(64-shift) + 1
	hashes []uint64 // ascending
	tools  []int32  // of each hash; ascending among equal hashes
	words  int      // of the longest name
}

// newExact takes the names of each tool.
func newExact(tools int, names func(tool int) []string) exact {
	type entry struct {
		hash uint64
		tool int32
	}
	x := exact{seed: maphash.MakeSeed()}
	var all []entry
	for tool := range tools {
		for _, name := range names(tool) {
			name = strings.ToLower(strings.Join(strings.Fields(name), " "))
			if name == "" {
				continue
			}
			all = append(all, entry{maphash.String(x.seed, name), int32(tool)})
			x.words = max(x.words, 1+strings.Count(name, " "))
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.tool, b.tool)) })
	all = slices.Compact(all)
	width := bits.Len(uint(len(all)))
	x.shift, x.starts = 64-width, make([]int32, 1<<width+1)
	x.hashes, x.tools = make([]uint64, len(all)), make([]int32, len(all))
	for i, e := range all {
		x.hashes[i], x.tools[i] = e.hash, e.tool
		x.starts[e.hash>>x.shift+1]++
	}
	for i := 1; i < len(x.starts); i++ {
		x.starts[i] += x.starts[i-1]
	}
	return x
}

// of gives the tools of a name in lower case, ascending; it is nobody's to change.
func (x *exact) of(name string) []int32 {
	if len(x.hashes) == 0 {
		return nil
	}
	hash := maphash.String(x.seed, name)
	at := hash >> x.shift
	from, end := x.starts[at], x.starts[at+1]
	for from < end && x.hashes[from] < hash {
		from++
	}
	to := from
	for to < end && x.hashes[to] == hash {
		to++
	}
	return x.tools[from:to]
}
