package words

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for _, tc := range []struct{ text, language, acts, bare, values string }{
		{"Book a table at 7 pm tomorrow", "en", "create", "Book a table", "time:at 7 pm date:tomorrow"},
		{"is the front door locked?", "en", "read state", "is the front door locked?", ""},
		{"lock the front door", "en", "close", "lock the front door", ""},
		{"Merge #42 and tell kim@corp.com", "en", "read send", "Merge and tell", "email:kim@corp.com id:#42"},
		{`rename "old name" to report.pdf`, "en", "update", "rename to", "quoted:old name path:report.pdf"},
		{"7", "en", "", "7", "number:7"},
		{"거실 조명 켜줘", "ko", "on", "거실 조명 켜줘", ""},
		{"거실 조명이 켜져있어?", "ko", "read state", "거실 조명이 켜져있어?", ""},
		{"내일 9시에 회의 취소해줘", "ko", "stop", "회의 취소해줘", "time:9시에 date:내일"},
		{"明日の予定を削除して", "ja", "delete", "予定を削除して", "date:明日の"},
		{"玄関の鍵は閉まっていますか?", "ja", "read state", "玄関の鍵は閉まっていますか?", ""},
		{"", "en", "", "", ""},
	} {
		r := Read(tc.text)
		var values []string
		for _, l := range r.Literals {
			values = append(values, string(l.Kind)+":"+l.Text)
		}
		if r.Language.String() != tc.language || r.Operations.String() != tc.acts || r.Bare != tc.bare || strings.Join(values, " ") != tc.values {
			t.Errorf("%q: %s, acts %q, bare %q, values %q", tc.text, r.Language, r.Operations, r.Bare, strings.Join(values, " "))
		}
	}
}

// TestImplied: what is asked for by a turn of phrase, in the words of tools.
func TestImplied(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"how far is the station", "distance"},
		{"How many seats are left?", "count number"},
		{"what is 20 euros in yen", "currency exchang convert"},
		{"pay 20 euros", ""},
		{"will it be windy or sunny?", "wind sun"},
		{"bring the party home", ""},
		{"부산 몇 도야?", "temperatur weather 온도 기온"},
		{"3만원이면 달러로 얼마야", "currency exchang convert 통화 환율 환전 변환"},
		{"지원 센터에 전화해줘", ""},
		{"駅までどのくらい離れていますか", "distanc 距離"},
		{"何度も電話して", ""},
	} {
		if got := strings.Join(Read(tc.text).Implied, " "); got != strings.ReplaceAll(tc.want, "distance", "distanc") {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
	}
}

// TestInstruments: what a need asks to be used, and not what it is used for.
func TestInstruments(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"stop the printer using the taskkill command", "taskkill command"},
		{"use the Maps API and tell me how far it is", "map api"},
		{"ship it via the express service, then call me", "express servic"},
		{"use my card to buy an app", "buy app"}, // the whole of it stands behind the last "to"
		{"a new tool", ""},
		{"택시를 불러 via the app", ""},
	} {
		if got := strings.Join(Read(tc.text).Instruments, " "); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
	}
}

// TestMoments: what says when, as seen from the day of the need.
func TestMoments(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"Will it rain today or next week?", "today next week"},
		{"what is the current balance", "current"},
		{"on 3 May", ""},
		{"오늘 날씨", ""},
	} {
		if got := strings.Join(Read(tc.text).Moments, " "); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestToolOperations(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"deleteUser", "Delete a user account and send a notice", "delete"},
		{"x", "목록을 조회한다. 삭제는 하지 않는다", "read list"},
		{"turn_on", "Switches a light", "update on"},
		{"y", "", ""},
	} {
		if got := ToolOperations(tc.name, tc.text).String(); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"Pay $5 to 'Bob' at 9:30", "오늘 날씨", "今日は?", "https://x/y?z=1", strings.Repeat("9-", 4000), "\xff\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := Read(text)
		if len(r.Literals) > maxLiterals || len(r.Bare) > 3*maxRead {
			t.Errorf("%d values, %d bytes left", len(r.Literals), len(r.Bare))
		}
	})
}

// TestAbsent: a form that is passed over has no value in the text, nor has one
// that is looked for from the first digit on a value before it.
func TestAbsent(t *testing.T) {
	pieces := strings.Fields(`for in next every 오전 午後の word, + at 7 pm 7pm 10:30 2026-01-02 1/2 #42 AB-12 5f $ 20 usd % 30 minutes 3 km 9시 30분 5월 2일 明日 9時 5月 今 오늘 next week a.m. o'clock abcdef12 "q" ' x@y.z www.a.b /a/b c.txt
		12345678-1234-1234-123456789 ab12cdef ₩ krw 年 人 명 to - +`)
	chance := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var b strings.Builder
		for range 1 + chance.IntN(6) {
			b.WriteString(pieces[chance.IntN(len(pieces))] + []string{" ", "", " "}[chance.IntN(3)])
		}
		text := b.String()
		for _, fs := range forms() {
			for _, f := range fs {
				if f.absent(strings.ToLower(text)) && f.pattern.MatchString(text) {
					t.Fatalf("%q: a %s is not seen", text, f.kind)
				}
				if !f.digits {
					continue
				}
				all, late := f.pattern.FindAllString(text, -1), f.pattern.FindAllString(text[beforeDigit(text):], -1)
				if !slices.Equal(all, late) {
					t.Fatalf("%q: of %q only %q are seen", text, all, late)
				}
			}
		}
	}
}
