package contract

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/seed-ae386458/interlock"
)

func BenchmarkValidateArgs(b *testing.B) {
	c := compiled(b, extract, "")
	args := []byte(`{"document":"invoice-7","fields":["total","date"],"limit":10}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := c.ValidateArgs(args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidateArgsRefused(b *testing.B) {
	c := compiled(b, extract, "")
	args := []byte(`{"document":"invoice-7","fields":["total",5],"limit":10}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := c.ValidateArgs(args); err == nil {
			b.Fatal("passes")
		}
	}
}

func BenchmarkValidateRecursive(b *testing.B) {
	c := compiled(b, `{"properties":{"x":{"$ref":"#"},"v":{"type":"integer"}}}`, "")
	args := []byte(nested(10, `{"v":1}`))
	b.ReportAllocs()
	for b.Loop() {
		if err := c.ValidateArgs(args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHash(b *testing.B) {
	op := full()
	op.InputSchema = json.RawMessage(extract)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Hash(op); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	op := operation(extract, extract)
	b.ReportAllocs()
	for b.Loop() {
		if f := Check(op); f != nil {
			b.Fatal(f)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	text := []byte(`{"type":"call","args":{"document":"invoice-7","fields":["total","date"],"limit":9223372036854775807},"at":"2026-01-01T00:00:00Z"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Canonical(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTerms(b *testing.B) {
	op := operation(extract, extract)
	b.ReportAllocs()
	for b.Loop() {
		Terms(op)
	}
}

// The catalogue at start: 4,000 contracts made ready, none compiled.
func BenchmarkCompile4000(b *testing.B) {
	ops := make([]interlock.Operation, 4000)
	for i := range ops {
		ops[i] = operation(extract, extract)
		ops[i].Name = fmt.Sprint("tool", i)
	}
	for b.Loop() {
		for _, op := range ops {
			if _, err := Compile(op); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkReach(b *testing.B) {
	var versions []VersionContract
	for i := range 50 {
		versions = append(versions, VersionContract{ver(b, fmt.Sprintf("1.%d.0", i)), "a"})
	}
	g := NewGraph(versions, edges("1.3.0 1.7.0 none", "1.9.0 1.10.0 backward"), nil)
	for b.Loop() {
		g.Compatible(versions[0].Version, versions[49].Version)
	}
}

// BenchmarkMask takes one member out of a small output.
func BenchmarkMask(b *testing.B) {
	op := interlock.Operation{Name: "t", Variants: []interlock.Variant{{ID: "d", Description: "tool number one"}}, InputSchema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}}}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"},"pay":{"type":"number"}}}`), Binding: json.RawMessage(`"b"`)}
	b.ReportAllocs()
	for b.Loop() {
		m, err := Mask(op, []string{"output:/pay"})
		if err != nil || len(m.Contract.Terms().Outputs) != 1 {
			b.Fatal(m, err)
		}
	}
}
