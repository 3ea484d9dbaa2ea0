// Package spelling finds the known name that a misspelled one stands for. It
// promises to find nothing rather than something far off.
//
//	if near := spelling.Nearest("lisen", []string{"listen"}); near != "" { … }
package spelling

// Nearest gives the known name that is likely meant by name, or "" where none
// is near: at most two edits away, and fewer than half of its letters.
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
	return best
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
