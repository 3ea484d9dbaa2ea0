package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxName = 512

// nameAll names every operation: by its operationId where that is usable and
// stands once, otherwise by method and path. Which of two operations comes
// first in the document never decides a name.
func nameAll(endpoints []endpoint) {
	ids, slugs := map[string]int{}, map[string]int{}
	for i := range endpoints {
		if id := endpoints[i].id(); id != "" {
			ids[id]++
		}
		slugs[endpoints[i].slug()]++
	}
	for i := range endpoints {
		e := &endpoints[i]
		if id := e.id(); id != "" && ids[id] == 1 {
			e.name = id
			continue
		}
		e.name = e.slug()
		if slugs[e.name] > 1 || ids[e.name] > 0 {
			e.name += "_" + e.digest()
		}
	}
}

// id is the operationId, "" where it is missing or no usable name.
func (e *endpoint) id() string {
	id := e.op.Get("operationId").Text()
	if len(id) > maxName || !utf8.ValidString(id) || strings.TrimSpace(id) != id {
		return ""
	}
	for _, r := range id {
		if !unicode.IsPrint(r) {
			return ""
		}
	}
	return id
}

// slug is method and path in words: get_pets_petId.
func (e *endpoint) slug() string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(e.method) + "/" + e.path {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('_')
			gap = false
		}
		b.WriteRune(r)
	}
	if b.Len() > maxName-10 {
		return strings.ToLower(e.method) + "_" + e.digest()
	}
	return b.String()
}

// digest tells apart what the slug does not.
func (e *endpoint) digest() string {
	sum := sha256.Sum256([]byte(e.method + " " + e.path))
	return hex.EncodeToString(sum[:4])
}
