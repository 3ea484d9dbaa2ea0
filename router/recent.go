package router

// recent keeps the last values that were put, in two generations: when the
// younger is full, the older is let go, so it holds between one and two times
// its room. It is not safe for concurrent use.
type recent[K comparable, V any] struct {
	room       int
	young, old map[K]V
}

func newRecent[K comparable, V any](room int) *recent[K, V] {
	return &recent[K, V]{room: room, young: map[K]V{}}
}

func (r *recent[K, V]) get(key K) (V, bool) {
	if v, ok := r.young[key]; ok {
		return v, true
	}
	v, ok := r.old[key]
	return v, ok
}

// use is get, and counts the value among the younger ones.
func (r *recent[K, V]) use(key K) (V, bool) {
	if v, ok := r.young[key]; ok {
		return v, true
	}
	v, ok := r.old[key]
	if ok {
		r.put(key, v)
	}
	return v, ok
}

// len counts what is held.
func (r *recent[K, V]) len() int {
	n := len(r.young)
	for key := range r.old {
		if _, again := r.young[key]; !again {
			n++
		}
	}
	return n
}

func (r *recent[K, V]) put(key K, v V) {
	if len(r.young) >= r.room {
		r.young, r.old = map[K]V{}, r.young
	}
	r.young[key] = v
}
