package regular

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Outcome is how a search ended.
type Outcome int

// The outcomes of a search.
const (
	Unknown Outcome = iota // the work allowed did not suffice
	Found
	Empty // proved: no such string exists
)

// Query asks for a string.
type Query struct {
	Must, MustNot []*Language
	Min, Max      int      // of its length in characters; Max below 0 is none
	Not           []string // strings that are not wanted
}

// Find searches for a shortest string that answers q, with at most *work steps,
// which it counts down. A step is a look at an instruction or a character.
func Find(q Query, work *int) (string, Outcome) {
	if q.Max >= 0 && q.Min > q.Max {
		return "", Empty
	}
	s := search{q: q, work: work, langs: slices.Concat(q.Must, q.MustNot), seen: map[string]bool{}}
	if len(s.langs) == 0 {
		return s.plain()
	}
	for _, text := range q.Not {
		*work -= 2 + len(text)
	}
	if *work < 0 {
		return "", Unknown
	}
	s.trie = newTrie(q.Not)
	if !s.alphabet() {
		return "", Unknown
	}
	return s.run()
}

// search walks the product of the automata breadth first.
type search struct {
	q       Query
	work    *int
	langs   []*Language // Must, then MustNot
	symbols []rune
	trie    *trie
	seen    map[string]bool
	spots   []spot
}

// spot is one place of the walk, with the way to it.
type spot struct {
	at     []int
	node   int // in the trie of unwanted strings; below 0 when none can follow
	length int
	parent int
	symbol rune
}

// alphabet picks one character of every class that the query tells apart;
// false where that alone is too much work.
func (s *search) alphabet() bool {
	bounds := []rune{0, 0xd800, 0xe000, utf8.MaxRune + 1}
	for _, l := range s.langs {
		bounds = l.bounds(bounds)
	}
	for _, text := range s.q.Not {
		for _, r := range text {
			bounds = append(bounds, r, r+1)
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	for _, l := range s.langs {
		*s.work -= len(bounds) * l.Size() / 16
	}
	if *s.work < 0 {
		return false
	}
	groups := map[string]int{}
	for i := 0; i+1 < len(bounds); i++ {
		lo, hi := bounds[i], bounds[i+1]-1
		if lo >= 0xd800 && lo < 0xe000 || lo > utf8.MaxRune {
			continue
		}
		s.group(groups, lo, hi)
	}
	slices.SortFunc(s.symbols, func(a, b rune) int { return rank(a) - rank(b) })
	return true
}

// group puts an interval to those that behave alike.
func (s *search) group(groups map[string]int, lo, hi rune) {
	best := lo
	for _, r := range "axA0 -~!/\u00e9" {
		if r >= lo && r <= hi {
			best = r
			break
		}
	}
	if lo > ' ' && lo < 0x7f && rank(lo) < rank(best) {
		best = lo
	}
	key := s.signature(lo)
	if at, ok := groups[key]; ok {
		if rank(best) < rank(s.symbols[at]) {
			s.symbols[at] = best
		}
		return
	}
	groups[key] = len(s.symbols)
	s.symbols = append(s.symbols, best)
}

// signature tells what a character means to every automaton.
func (s *search) signature(r rune) string {
	var b strings.Builder
	for _, l := range s.langs {
		for i := range l.prog.Inst {
			if inst := &l.prog.Inst[i]; inst.Op >= syntax.InstRune {
				if inst.MatchRune(r) {
					b.WriteByte('1')
				} else {
					b.WriteByte('0')
				}
			}
		}
	}
	if isWord(r) {
		b.WriteByte('w')
	}
	if s.trie.chars[r] {
		b.WriteRune(r)
	}
	return b.String()
}

// rank orders characters by how well they read; those whose meaning readers
// of patterns dispute come last.
func rank(r rune) int {
	switch {
	case r >= 'a' && r <= 'z':
		return int(r - 'a')
	case r >= 'A' && r <= 'Z':
		return 100 + int(r-'A')
	case r >= '0' && r <= '9':
		return 200 + int(r-'0')
	case r > ' ' && r < 0x7f:
		return 300 + int(r)
	case r == ' ':
		return 500
	case r == '\n':
		return 501
	case r == '\t':
		return 502
	case r == '\r' || r == '\v' || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0x3000 || r >= 0x2000 && r <= 0x205f || r == 0xa0 || r == 0x85:
		return 1 << 22
	case r < ' ' || r == 0x7f:
		return 1 << 21
	}
	return 1000 + int(r)
}

// plain answers a query without patterns.
func (s *search) plain() (string, Outcome) {
	cost := s.q.Min/16 + len(s.q.Not)
	if cost > *s.work {
		return "", Unknown
	}
	*s.work -= cost
	not := make(map[string]bool, len(s.q.Not))
	for _, text := range s.q.Not {
		not[text] = true
	}
	for length := s.q.Min; s.q.Max < 0 || length <= s.q.Max; length++ {
		text := strings.Repeat("a", length)
		for length > 0 && not[text] {
			if *s.work -= 2 + length/8; *s.work < 0 {
				return "", Unknown
			}
			text = successor(text)
		}
		if length > 0 || !not[""] {
			return text, Found
		}
	}
	return "", Empty
}

// successor gives the next text of one length, over more characters than any
// list of unwanted texts holds.
func successor(text string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	runes := []rune(text)
	for i := len(runes) - 1; i >= 0; i-- {
		if at := strings.IndexRune(letters, runes[i]); at < 0 {
			runes[i]++
			return string(runes)
		} else if at+1 < len(letters) {
			runes[i] = rune(letters[at+1])
			return string(runes)
		}
		if i == 0 {
			runes[i] = 0x4e00
			return string(runes)
		}
		runes[i] = 'a'
	}
	return ""
}

func (s *search) run() (string, Outcome) {
	first := spot{at: make([]int, len(s.langs)), parent: -1}
	for i := range first.at {
		first.at[i] = start
	}
	s.add(first)
	for i := 0; i < len(s.spots); i++ {
		if s.accepts(i) {
			return s.text(i), Found
		}
		if s.q.Max >= 0 && s.spots[i].length >= s.q.Max {
			continue
		}
		for _, r := range s.symbols {
			if *s.work -= 4 + 2*len(s.langs); *s.work < 0 {
				return "", Unknown
			}
			before := s.looked()
			s.add(s.follow(i, r))
			*s.work -= (s.looked() - before) / 4
		}
	}
	return "", Empty
}

// looked counts the instructions that were looked at to build the automata.
func (s *search) looked() int {
	total := 0
	for _, l := range s.langs {
		total += l.looked
	}
	return total
}

// accepts reports whether the text that leads to a spot answers the query.
func (s *search) accepts(i int) bool {
	p := &s.spots[i]
	if p.length < s.q.Min || p.node >= 0 && s.trie.nodes[p.node].ends {
		return false
	}
	for k, l := range s.langs {
		if l.accepts(p.at[k]) != (k < len(s.q.Must)) {
			return false
		}
	}
	return true
}

func (s *search) follow(i int, r rune) spot {
	p := s.spots[i]
	next := spot{at: make([]int, len(p.at)), node: s.trie.step(p.node, r), length: p.length + 1, parent: i, symbol: r}
	for k, l := range s.langs {
		next.at[k] = l.step(p.at[k], r)
	}
	return next
}

// add takes up a spot that is new and can still lead to an answer.
func (s *search) add(p spot) {
	for k := len(s.q.Must); k < len(s.langs); k++ {
		if p.at[k] == sink {
			return
		}
	}
	// The first way to a place is the shortest, so past Min it stands for all.
	length := min(p.length, s.q.Min)
	key := binary.AppendVarint(binary.AppendVarint(nil, int64(length)), int64(p.node))
	for _, at := range p.at {
		key = binary.AppendVarint(key, int64(at))
	}
	if !s.seen[string(key)] {
		s.seen[string(key)] = true
		s.spots = append(s.spots, p)
	}
}

// text reads the way to a spot.
func (s *search) text(i int) string {
	var runes []rune
	for ; s.spots[i].parent >= 0; i = s.spots[i].parent {
		runes = append(runes, s.spots[i].symbol)
	}
	slices.Reverse(runes)
	return string(runes)
}

// trie holds the strings that are not wanted.
type trie struct {
	nodes []trieNode
	chars map[rune]bool
}

type trieNode struct {
	next map[rune]int
	ends bool
}

func newTrie(texts []string) *trie {
	t := &trie{nodes: []trieNode{{next: map[rune]int{}}}, chars: map[rune]bool{}}
	for _, text := range texts {
		at := 0
		for _, r := range text {
			t.chars[r] = true
			to, ok := t.nodes[at].next[r]
			if !ok {
				to = len(t.nodes)
				t.nodes[at].next[r] = to
				t.nodes = append(t.nodes, trieNode{next: map[rune]int{}})
			}
			at = to
		}
		t.nodes[at].ends = true
	}
	return t
}

func (t *trie) step(at int, r rune) int {
	if at < 0 {
		return -1
	}
	if to, ok := t.nodes[at].next[r]; ok {
		return to
	}
	return -1
}
