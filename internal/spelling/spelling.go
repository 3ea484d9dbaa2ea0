// Package spelling finds the known name that a misspelled one stands for. It
// promises to find nothing rather than something far off.
//
//	if near := spelling.Nearest("lisen", []string{"listen"}); near != "" { … }
package spelling

// Nearest gives the known name that is likely meant by name, or "" where none
// is near: at most two edits away, and fewer than half of its letters, or the
// only one that is short for name or long for it (args, arguments).
func Nearest(name string, known []string) string {
	best, least := "", 3
	for _, k := range known {
		if len(name) > len(k)+least || len(k) > len(name)+least {
			continue
		}
		if d := edits(name, k); d < least && 2*d < len(k) {
			best, least = k, d
		}
	}
	if best != "" {
		return best
	}
	for _, k := range known {
		if !shortFor(k, name) && !shortFor(name, k) {
			continue
		}
		if best != "" {
			return ""
		}
		best = k
	}
	return best
}

// begin is how many letters a short form shares with the beginning of the long
// one at least.
const begin = 3

// shortFor reports whether short is long with letters left out after the
// beginning.
func shortFor(short, long string) bool {
	if len(short) < begin || len(short) >= len(long) || short[:begin] != long[:begin] {
		return false
	}
	rest := short
	for i := range len(long) {
		if rest != "" && rest[0] == long[i] {
			rest = rest[1:]
		}
	}
	return rest == ""
}

// edits is the Levenshtein distance of two short names, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
