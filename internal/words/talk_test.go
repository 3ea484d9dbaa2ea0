package words

import "testing"

func TestTalkOf(t *testing.T) {
	for _, tc := range []struct {
		text string
		want Talk
	}{
		{"Explain the process of natural selection.", Talk{Speech: "explain"}},
		{"Could you please write a short poem about autumn?", Talk{Speech: "write", Texts: 1}},
		{"I need help. Give me some tips to sleep", Talk{Speech: "give", Texts: 1}},
		{"tell me a joke", Talk{Speech: "tell", Texts: 1}},
		{"Why do dogs get in heat?", Talk{Question: true}},
		{"What is the meaning of life?", Talk{Question: true, Texts: 1}},
		{"What the weather will be in Paris", Talk{Values: 1}},
		{"Turn on the kitchen light", Talk{}},
		{"book a table for 4 people at Nonna on 2026-05-01", Talk{Values: 3}},
		{"give me the number of movies directed by Sofia Coppola", Talk{Values: 2}},
		{"시를 써줘", Talk{}},
		{"3월 5일 일정 알려줘", Talk{Values: 1}},
		{"", Talk{}},
	} {
		if got := TalkOf(tc.text, Read(tc.text)); got != tc.want {
			t.Errorf("%q: %+v, want %+v", tc.text, got, tc.want)
		}
	}
}
