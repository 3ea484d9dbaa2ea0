package receipt

import (
	"math/bits"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// edge is the right edge of the tree: the roots of its whole subtrees, the
// largest first, one for each one-bit of size. It is all that an append needs
// of the tree.
type edge struct {
	size  int64
	peaks []tlog.Hash // len(peaks) == OnesCount(size)
}

// clone gives an edge that grows on its own.
func (e edge) clone() edge { return edge{e.size, slices.Clone(e.peaks)} }

// add appends a leaf and gives stored with the hashes that it completes, in
// storage order.
func (e *edge) add(leaf tlog.Hash, stored [][tlog.HashSize]byte) [][tlog.HashSize]byte {
	stored = append(stored, leaf)
	for n := e.size; n&1 == 1; n >>= 1 {
		last := len(e.peaks) - 1
		leaf = tlog.NodeHash(e.peaks[last], leaf)
		e.peaks = e.peaks[:last]
		stored = append(stored, leaf)
	}
	e.peaks = append(e.peaks, leaf)
	e.size++
	return stored
}

// root gives the hash of the whole tree.
func (e edge) root() tlog.Hash {
	if len(e.peaks) == 0 {
		root, _ := tlog.TreeHash(0, nil) // of the empty tree, which reads nothing
		return root
	}
	root := e.peaks[len(e.peaks)-1]
	for i := len(e.peaks) - 2; i >= 0; i-- {
		root = tlog.NodeHash(e.peaks[i], root)
	}
	return root
}

// peakIndexes gives the storage indexes of the peaks of a tree.
func peakIndexes(size int64) []int64 {
	var indexes []int64
	for from := int64(0); from < size; {
		level := bits.Len64(uint64(size-from)) - 1
		indexes = append(indexes, tlog.StoredHashIndex(level, from>>level))
		from += 1 << level
	}
	return indexes
}
