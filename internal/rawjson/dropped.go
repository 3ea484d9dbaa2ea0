package rawjson

import "strconv"

// drop counts what is left out one step below where the projector stands.
func (p *projector) drop(last step) {
	p.dropped.Total++
	if len(p.dropped.Pointers) == MaxDropped {
		return
	}
	if pointer, ok := p.pointer(last); ok {
		p.dropped.Pointers = append(p.dropped.Pointers, pointer)
	}
}

// deny notes a member that Deny leaves out; one whose pointer is too long is
// noted as the whole.
func (p *projector) deny(last step) {
	if len(p.dropped.Denied) < MaxDropped {
		pointer, _ := p.pointer(last)
		p.dropped.Denied = append(p.dropped.Denied, pointer)
	}
}

// pointer gives the way to a member or element; false where it is too long.
func (p *projector) pointer(last step) (string, bool) {
	pointer := ""
	for _, s := range append(p.path, last) {
		if len(pointer) > maxPointer {
			return "", false
		}
		pointer = Join(pointer, s.token())
	}
	if len(pointer) > maxPointer {
		return "", false
	}
	return pointer, true
}

func (s step) token() string {
	if s.quoted == nil {
		return strconv.Itoa(s.position)
	}
	return nameOf(s.quoted)
}
