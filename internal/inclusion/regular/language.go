package regular

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
)

// The contexts that an empty-width test can see before a position.
const (
	atStart uint32 = iota
	afterWord
	afterOther
)

// The states that every automaton has.
const (
	sink  = 0 // a match has been found: all that follows belongs to it
	start = 1
)

// Language is one pattern as an automaton that is built while it is walked.
// It is not safe for concurrent use.
type Language struct {
	prog   *syntax.Prog
	states []state
	known  map[string]int
	marks  []uint32 // of the closure under way: the round that saw an instruction
	round  uint32
	looked int // instructions and states looked at, since the language was made
}

// Size is the number of instructions of the pattern.
func (l *Language) Size() int { return len(l.prog.Inst) }

// state is a set of instructions with what stood before them.
type state struct {
	insts  []uint32
	before uint32
	next   map[rune]int
	ends   int8 // whether the end of the text completes a match: 0 not yet asked, 1 yes, -1 no
}

func newLanguage(prog *syntax.Prog) *Language {
	l := &Language{prog: prog, known: map[string]int{}, marks: make([]uint32, len(prog.Inst))}
	l.states = append(l.states, state{ends: 1})
	l.intern([]uint32{uint32(prog.Start)}, atStart)
	return l
}

func (l *Language) intern(insts []uint32, before uint32) int {
	slices.Sort(insts)
	insts = slices.Compact(insts)
	key := binary.LittleEndian.AppendUint32(nil, before)
	for _, i := range insts {
		key = binary.LittleEndian.AppendUint32(key, i)
	}
	if id, ok := l.known[string(key)]; ok {
		return id
	}
	id := len(l.states)
	l.known[string(key)] = id
	l.states = append(l.states, state{insts: insts, before: before, next: map[rune]int{}})
	return id
}

// isWord reports whether r is a word character, as \b and \w mean it.
func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// flags gives the empty-width conditions that hold between before and next;
// next below 0 is the end of the text.
func flags(before uint32, next rune) syntax.EmptyOp {
	var f syntax.EmptyOp
	if before == atStart {
		f |= syntax.EmptyBeginText
	}
	if next < 0 {
		f |= syntax.EmptyEndText
	}
	if (before == afterWord) != isWord(next) {
		return f | syntax.EmptyWordBoundary
	}
	return f | syntax.EmptyNoWordBoundary
}

// closure calls visit with every instruction that consumes a character and is
// reached without one, and reports whether a match is.
func (l *Language) closure(s *state, next rune, visit func(*syntax.Inst)) bool {
	l.round++
	hold := flags(s.before, next)
	stack := slices.Clone(s.insts)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if l.marks[at] == l.round {
			continue
		}
		l.marks[at] = l.round
		l.looked++
		switch inst := &l.prog.Inst[at]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^hold == 0 {
				stack = append(stack, inst.Out)
			}
		case syntax.InstMatch:
			return true
		case syntax.InstFail:
		default:
			visit(inst)
		}
	}
	return false
}

// step gives the state after a character.
func (l *Language) step(from int, r rune) int {
	if from == sink {
		return sink
	}
	if to, ok := l.states[from].next[r]; ok {
		return to
	}
	insts := []uint32{uint32(l.prog.Start)}
	to := sink
	matched := l.closure(&l.states[from], r, func(inst *syntax.Inst) {
		if inst.MatchRune(r) {
			insts = append(insts, inst.Out)
		}
	})
	if !matched {
		before := afterOther
		if isWord(r) {
			before = afterWord
		}
		to = l.intern(insts, before)
	}
	l.states[from].next[r] = to
	return to
}

// accepts reports whether a text that ends in a state matches.
func (l *Language) accepts(at int) bool {
	s := &l.states[at]
	if s.ends == 0 {
		s.ends = -1
		if l.closure(s, -1, func(*syntax.Inst) {}) {
			s.ends = 1
		}
	}
	return s.ends > 0
}

// Match reports whether the pattern matches text.
func (l *Language) Match(text string) bool {
	at := start
	for _, r := range text {
		if at = l.step(at, r); at == sink {
			return true
		}
	}
	return l.accepts(at)
}

// bounds adds where the classes of characters that l tells apart begin.
func (l *Language) bounds(to []rune) []rune {
	to = append(to, '0', '9'+1, 'A', 'Z'+1, '_', '_'+1, 'a', 'z'+1)
	for i := range l.prog.Inst {
		inst := &l.prog.Inst[i]
		switch inst.Op {
		case syntax.InstRune, syntax.InstRune1:
			if len(inst.Rune) == 1 {
				to = append(to, inst.Rune[0], inst.Rune[0]+1)
			}
			for k := 0; k+1 < len(inst.Rune); k += 2 {
				to = append(to, inst.Rune[k], inst.Rune[k+1]+1)
			}
			if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
				to = appendFolded(to, inst.Rune)
			}
		case syntax.InstRuneAnyNotNL:
			to = append(to, '\n', '\n'+1)
		}
	}
	return to
}

// appendFolded adds the other cases of single characters.
func appendFolded(to, runes []rune) []rune {
	for _, r := range runes {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			to = append(to, f, f+1)
		}
	}
	return to
}
