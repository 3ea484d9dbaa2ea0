package vet

import (
	"strings"

	"github.com/seed-ae386458/interlock"
)

// checkJoined reports an instruction that is split over texts which a reader
// meets one after the other. Every text alone has passed.
func checkJoined(op interlock.Operation) []Flag {
	var b strings.Builder
	var bounds []int // bytes of the joined text at which a new one begins
	pointer := ""
	for _, t := range textsOf(op) {
		if t.kind != kindProse || strings.HasPrefix(t.pointer, "/annotations") {
			continue
		}
		if pointer == "" {
			pointer = t.pointer
		}
		bounds = append(bounds, b.Len())
		b.WriteString(fold(t.value))
		b.WriteByte(' ')
	}
	if len(bounds) < 2 {
		return nil
	}
	s := b.String()
	hits := scan(s)
	there := present(hits)
	for _, sh := range shapes {
		if !sh.among(there) {
			continue
		}
		if met := sh.tight().find(hits); met != nil && crosses(bounds, met[0].from, met[len(met)-1].from) {
			return []Flag{flag(ruleSplit, pointer, quote(s[met[0].from:met[len(met)-1].to]), Quarantine)}
		}
	}
	return nil
}

// crosses reports whether a text begins inside (from, to].
func crosses(bounds []int, from, to int) bool {
	for _, b := range bounds {
		if from < b && b <= to {
			return true
		}
	}
	return false
}
