package rawjson

// Shape says which parts of a value [Project] keeps. A value that is neither
// object nor array is always kept. Shapes may lead back to themselves, as
// recursive schemas do. The zero Shape, like a nil one, keeps no member and no
// element.
type Shape struct {
	Any bool // keep objects and arrays whole

	Members  map[string]*Shape // members kept, by name
	Patterns []PatternShape    // members kept, by pattern; a name counts for every pattern it matches
	Rest     *Shape            // members that Members and Patterns pass over; nil leaves them out

	// Deny are members that are left out whatever else keeps them, this shape or
	// another for the same value. Where one has Any it is not asked.
	Deny map[string]bool

	Prefix []*Shape // elements kept, by position
	Items  *Shape   // elements after Prefix; nil leaves them out

	// Union are further shapes for the same value: kept is what any of them,
	// or this one, keeps. Schemas combined by allOf, anyOf, oneOf or a
	// reference with siblings come to this.
	Union []*Shape
}

// PatternShape is a shape for the members whose names match.
type PatternShape struct {
	Match func(name string) bool
	Shape *Shape
}

// MaxDropped is the number of pointers that Dropped lists.
const MaxDropped = 20

// Dropped tells what Project left out: how many members and elements, and
// where the first of them stood in the source. Pointers over maxPointer bytes
// are counted only.
type Dropped struct {
	Pointers []string
	Total    int
	Denied   []string // the first that Deny left out, which are in neither of the others
}

const maxPointer = 512

// Project appends to dst what s keeps of text. Every token kept is spelled and
// ordered as in the source. Elements of an array are left out only at its end,
// so those kept stay at their positions.
func Project(dst, text []byte, s *Shape) ([]byte, Dropped) {
	p := projector{text: text}
	p.apply(0, s)
	out, _ := p.value(dst, skipSpace(text, 0), 0)
	return out, p.dropped
}

// projector copies text. shapes is a stack: for each value that is open, the
// shapes that apply to it, which never repeat there and have their unions
// beside them.
type projector struct {
	text    []byte
	shapes  []*Shape
	path    []step
	dropped Dropped
}

// step is one token of the path to where the projector stands.
type step struct {
	quoted   []byte // a member name in its quotes; nil for an element
	position int
}

// apply puts s, and what it is united with, on the stack from base on.
func (p *projector) apply(base int, s *Shape) {
	if s == nil {
		return
	}
	for _, known := range p.shapes[base:] {
		if known == s {
			return
		}
	}
	p.shapes = append(p.shapes, s)
	for _, other := range s.Union {
		p.apply(base, other)
	}
}

// value copies the value at i under the shapes from base on, and gives the
// position after it.
func (p *projector) value(dst []byte, i, base int) ([]byte, int) {
	switch active := p.shapes[base:]; {
	case anyOf(active):
	case peek(p.text, i) == '{':
		return p.object(dst, i, active)
	case peek(p.text, i) == '[':
		return p.array(dst, i, active)
	}
	end := skipValue(p.text, i)
	return append(dst, p.text[i:end]...), end
}

func anyOf(shapes []*Shape) bool {
	for _, s := range shapes {
		if s.Any {
			return true
		}
	}
	return false
}

func (p *projector) object(dst []byte, i int, active []*Shape) ([]byte, int) {
	base := len(p.shapes)
	separator := byte('{')
	for i = skipSpace(p.text, i+1); peek(p.text, i) == '"'; {
		quoted, value := memberAt(p.text, i)
		if quoted == nil {
			i = len(p.text)
			break
		}
		here := step{quoted: quoted}
		if denied(active, quoted) {
			p.deny(here)
			i = skipValue(p.text, value)
		} else if p.declared(active, quoted) && len(p.path) < MaxDepth {
			dst = append(append(append(dst, separator), quoted...), ':')
			dst, i = p.within(here, dst, value, base)
			separator = ','
		} else {
			p.drop(here)
			i = skipValue(p.text, value)
		}
		p.shapes = p.shapes[:base]
		i = skipComma(p.text, i)
	}
	if separator == '{' {
		dst = append(dst, '{')
	}
	return append(dst, '}'), min(i+1, len(p.text))
}

func (p *projector) array(dst []byte, i int, active []*Shape) ([]byte, int) {
	base := len(p.shapes)
	dst = append(dst, '[')
	i = skipSpace(p.text, i+1)
	for n := 0; i < len(p.text) && p.text[i] != ']'; n++ {
		start, here := i, step{position: n}
		if p.counted(active, n) && len(p.path) < MaxDepth {
			if n > 0 {
				dst = append(dst, ',')
			}
			dst, i = p.within(here, dst, i, base)
		} else {
			p.drop(here)
			i = skipValue(p.text, i)
		}
		p.shapes = p.shapes[:base]
		if i == start {
			i = len(p.text)
		}
		i = skipComma(p.text, i)
	}
	return append(dst, ']'), min(i+1, len(p.text))
}

// within copies a value one step further down.
func (p *projector) within(here step, dst []byte, i, base int) ([]byte, int) {
	p.path = append(p.path, here)
	dst, i = p.value(dst, i, base)
	p.path = p.path[:len(p.path)-1]
	return dst, i
}

// denied reports whether some active shape leaves a member out for good.
func denied(active []*Shape, quoted []byte) bool {
	for _, s := range active {
		if len(s.Deny) > 0 && s.Deny[string(nameBytes(quoted))] {
			return true
		}
	}
	return false
}

// declared puts the shapes of a member on the stack and reports whether some
// active shape declares it.
func (p *projector) declared(active []*Shape, quoted []byte) bool {
	base, found := len(p.shapes), false
	name := nameBytes(quoted)
	for _, s := range active {
		member, here := s.Members[string(name)] // does not allocate
		p.apply(base, member)
		for _, pattern := range s.Patterns {
			if pattern.Match(string(name)) {
				here = true
				p.apply(base, pattern.Shape)
			}
		}
		if !here && s.Rest != nil {
			here = true
			p.apply(base, s.Rest)
		}
		found = found || here
	}
	return found
}

// counted does for an element what declared does for a member.
func (p *projector) counted(active []*Shape, n int) bool {
	base, found := len(p.shapes), false
	for _, s := range active {
		switch {
		case n < len(s.Prefix):
			found = true
			p.apply(base, s.Prefix[n])
		case s.Items != nil:
			found = true
			p.apply(base, s.Items)
		}
	}
	return found
}
