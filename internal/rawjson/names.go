package rawjson

import "hash/maphash"

// smallObject is the number of members up to which comparing a name with all
// before it is cheaper than an index.
const smallObject = 16

// names is a stack of the member names of the open objects, unescaped,
// innermost last. The first of them lie inside, so that ordinary text needs
// no allocation.
type names struct {
	count  int
	room   [2 * smallObject][]byte
	more   [][]byte     // those after room
	seed   maphash.Seed // of the indexes
	seeded bool
}

// members is one open object: its names are those from base on. A large
// object has a hash table of them too.
type members struct {
	base int

	// table[p] is 0 or the position of a name, counted from base + 1, where p
	// is the name's hash or the first free place after it.
	// len(table) is a power of two and at least twice the number of names.
	table []int32
}

func (n *names) at(i int) []byte {
	if i < len(n.room) {
		return n.room[i]
	}
	return n.more[i-len(n.room)]
}

// cut closes an object whose names began at base.
func (n *names) cut(base int) {
	n.count = base
	n.more = n.more[:max(0, base-len(n.room))]
}

// add puts one more name into the innermost object, unless it is there
// already.
func (n *names) add(m *members, name []byte) (added bool) {
	if n.count-m.base < smallObject {
		for i := m.base; i < n.count; i++ {
			if string(n.at(i)) == string(name) {
				return false
			}
		}
		n.push(name)
		return true
	}
	if 2*(n.count-m.base) >= len(m.table) {
		m.table = make([]int32, max(8*smallObject, 2*len(m.table)))
		for i := m.base; i < n.count; i++ {
			n.enter(m, n.at(i), i)
		}
	}
	if !n.enter(m, name, n.count) {
		return false
	}
	n.push(name)
	return true
}

func (n *names) push(name []byte) {
	if n.count < len(n.room) {
		n.room[n.count] = name
	} else {
		n.more = append(n.more, name)
	}
	n.count++
}

// enter puts name, which has or will have position i, into the table.
func (n *names) enter(m *members, name []byte, i int) (entered bool) {
	if !n.seeded {
		n.seed, n.seeded = maphash.MakeSeed(), true
	}
	mask := len(m.table) - 1
	place := int(maphash.Bytes(n.seed, name)) & mask
	for ; m.table[place] != 0; place = (place + 1) & mask {
		if string(n.at(m.base+int(m.table[place])-1)) == string(name) {
			return false
		}
	}
	m.table[place] = int32(i - m.base + 1)
	return true
}
