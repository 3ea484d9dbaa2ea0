package rawjson

import "strconv"

// drop counts what is left out one step below where the projector stands.
func (p *projector) drop(last step) {
	p.dropped.Total++
	if len(p.dropped.Pointers) == MaxDropped {
		return
	}
	pointer := ""
	for _, s := range append(p.path, last) {
		if len(pointer) > maxPointer {
			return
		}
		pointer = Join(pointer, s.token())
	}
	if len(pointer) <= maxPointer {
		p.dropped.Pointers = append(p.dropped.Pointers, pointer)
	}
}

func (s step) token() string {
	if s.quoted == nil {
		return strconv.Itoa(s.position)
	}
	return nameOf(s.quoted)
}
