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

func (r *recent[K, V]) put(key K, v V) {
	if len(r.young) >= r.room {
		r.young, r.old = map[K]V{}, r.young
	}
	r.young[key] = v
}
