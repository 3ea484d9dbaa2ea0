package index

// Bitset marks tools of a segment.
type Bitset []uint64

// NewBitset gives an empty set that can hold n members.
func NewBitset(n int) Bitset { return make(Bitset, (n+63)/64) }

// AllOf gives the set of all n members.
func AllOf(n int) Bitset {
	b := NewBitset(n)
	for i := range n {
		b.Set(i)
	}
	return b
}

// Set marks member i.
func (b Bitset) Set(i int) { b[i>>6] |= 1 << (i & 63) }

// Has reports whether member i is marked.
func (b Bitset) Has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }

// View is the part of some segments that one principal may see. Every count
// that scoring uses is taken inside it.
type View struct {
	segments []*Segment
	visible  []Bitset
	tools    int
	docs     int
	length   float64
	offset   []int // of each segment's first doc in the answer of Search
	words    int
}

// NewView marks what is visible of each segment: visible[i] speaks of
// segments[i].
func NewView(segments []*Segment, visible []Bitset) *View {
	v := &View{segments: segments, visible: visible}
	total := 0
	for i, s := range segments {
		v.offset = append(v.offset, total)
		total += len(s.docs)
		v.words = max(v.words, s.words)
		for t := range s.tools {
			if visible[i].Has(t) {
				v.tools++
			}
		}
		for _, d := range s.docs {
			if visible[i].Has(int(d.tool)) {
				v.docs++
				v.length += float64(d.length)
			}
		}
	}
	v.offset = append(v.offset, total)
	return v
}

// Tools counts the visible tools.
func (v *View) Tools() int { return v.tools }

// averageLength of the visible docs; 1 where there is none.
func (v *View) averageLength() float64 {
	if v.docs == 0 {
		return 1
	}
	return v.length / float64(v.docs)
}
