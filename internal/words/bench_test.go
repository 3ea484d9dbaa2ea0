package words

import "testing"

func BenchmarkRead(b *testing.B) {
	for name, text := range map[string]string{
		"english": "Could you book a table for 8 people at Luigi's tomorrow at 7pm and send the invoice #42 to kim@corp.com?",
		"korean":  "내일 아침 9시에 팀 채팅방에 회의가 10분 늦어진다고 올려줘",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Read(text)
			}
		})
	}
}
