package fit

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestMarks holds the marks of kinds against patterns that say the same.
func TestMarks(t *testing.T) {
	patterns := map[inputKind]*regexp.Regexp{
		anEmail:   regexp.MustCompile(`(?i)e-?mail|이메일|メール`),
		anAddress: regexp.MustCompile(`(?i)\burl\b|\blink\b|\buri\b|リンク`),
		aMoment:   regexp.MustCompile(`(?i)date|time|\bday\b|\bwhen\b|deadline|period|duration|schedule|날짜|시간|일시|생년월일|기간|년|일|日付|日時|時間|期間`),
		anID:      regexp.MustCompile(`(?i)\bid\b|number\b|\bcode\b|identifier|번호|코드|番号|コード`),
	}
	pieces := strings.Split("e|-|mail|E-Mail|url|URLs|link|uri|day|today|when|whence|id|ID|ids|number|Number|numbers|code|decode|identifier|date|time|_| | |.|9|a|é|일|年|이메일|リンク|번호|コード|、|", "|")
	r := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for range 20000 {
		var b strings.Builder
		for range 1 + r.IntN(5) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		for kind, pattern := range patterns {
			got := false
			for _, m := range inputWords[kind] {
				got = got || m.in(small(b.String()))
			}
			if got != pattern.MatchString(b.String()) {
				t.Fatalf("kind %d of %q: %t", kind, b.String(), got)
			}
			if got {
				hits++
			}
		}
	}
	if hits < 1000 {
		t.Errorf("%d hits alone", hits)
	}
}
