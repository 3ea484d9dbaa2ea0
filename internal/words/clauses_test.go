package words

import (
	"slices"
	"testing"
)

// TestClauses: a need parts where it clearly holds several requests, and nowhere
// else.
func TestClauses(t *testing.T) {
	for _, tc := range []struct {
		need string
		want []string
	}{
		{"book a table for two and send an email to Bob", []string{"book a table for two", "send an email to Bob"}},
		{"Find the area of a rectangle. Also, calculate the area of a circle.", []string{"Find the area of a rectangle", "calculate the area of a circle."}},
		{"Please create a branch, then open a pull request and also delete the old tag", []string{"Please create a branch", "open a pull request", "delete the old tag"}},
		{"open a ticket about the printer and bake a cake with cherries", []string{"open a ticket about the printer", "bake a cake with cherries"}},
		{"서울 날씨 알려주고 회의 일정 등록해줘", []string{"서울 날씨 알려주고", "회의 일정 등록해줘"}},
		{"거실 조명 끄고 현관문 잠가줘", []string{"거실 조명 끄고", "현관문 잠가줘"}},
		{"보고서 번역한 다음 팀에 메일 보내줘", []string{"보고서 번역한 다음", "팀에 메일 보내줘"}},
		{"会議を予約して、資料を送信して", []string{"会議を予約して、", "資料を送信して"}},
		{"天気を調べて。それから予定を追加してください", []string{"天気を調べて。それから", "予定を追加してください"}},

		{"salt and pepper prices", nil},
		{"find a flight to Rome and after the meeting a hotel", nil},
		{"open the door to the hall and to the kitchen", nil},
		{"find flights and hotels in Paris", nil},
		{"rent a car with pickup and return times", nil},
		{"find the users and delete them", nil},
		{"Who discovered gravity and what was the method used?", nil},
		{"I am planning a trip. We like museums. Find a hotel and book a car.", nil},
		{`send "buy milk and call the dentist" to Bob`, nil},
		{"날씨 알려주고 싶어요 메일 보내줘", nil},
		{"광고 등록해줘", nil},
		{"夜景が楽しめて、広い部屋を予約して", nil},
		{"one two", nil},
		{"", nil},
	} {
		if got := Clauses(tc.need); !slices.Equal(got, tc.want) {
			t.Errorf("%q parts into %q, want %q", tc.need, got, tc.want)
		}
	}
}
