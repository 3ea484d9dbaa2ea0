package usem3

import (
	"testing"

	"github.com/seed-ae386458/interlock/embedding/internal/kernel"
)

// queries average thirteen tokens, markers included.
var queries = []string{
	"develop 브랜치에 최근에 뭐 커밋됐는지 보여줘",
	"失敗したワークフローを今すぐ再実行して",
	"open a bug report about the login page crashing on start",
	"list all pull requests that are waiting for my review",
}

func BenchmarkEmbed(b *testing.B) {
	for _, k := range []kernel.Kernel{kernel.Best(), {}} {
		m := load(b)
		m.kernel = k
		b.Run(k.Name()+"/warm", func(b *testing.B) { embedAll(b, m, func() {}) })
		b.Run(k.Name()+"/cold", func(b *testing.B) { embedAll(b, m, m.forget) })
	}
}

// embedAll reports the cost of one text; before runs ahead of each.
func embedAll(b *testing.B, m *Model, before func()) {
	dst, tokens := make([]float32, 0, Dim), 0
	for _, q := range queries {
		var c cutting
		m.text.read(&c, q)
		tokens += len(c.ids)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		before()
		dst = m.Embed(dst[:0], queries[i%len(queries)])
	}
	b.ReportMetric(float64(tokens)/float64(len(queries)), "tokens/op")
}

// forget empties the token cache.
func (m *Model) forget() {
	for i := range m.tokens {
		m.tokens[i][0].Store(nil)
		m.tokens[i][1].Store(nil)
	}
}

func BenchmarkTokens(b *testing.B) {
	m := load(b)
	var c cutting
	for i := 0; b.Loop(); i++ {
		m.text.read(&c, queries[i%len(queries)])
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		load(b)
	}
}
