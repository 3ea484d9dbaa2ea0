package rawjson

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const arguments = `{"city":"Seoul","units":"metric","days":3,"fields":["temperature","humidity"],"verbose":false}`

// catalogue looks like a page of tool descriptions.
func catalogue() []byte {
	var rows []string
	for i := range 200 {
		rows = append(rows, fmt.Sprintf(`{"name": "tool_%d", "description": "Reads the current weather for a city and answers with temperature, humidity and wind.", `+
			`"id": %d, "score": 0.%d, "tags": ["weather", "read", "카탈로그"], "nested": {"ok": true, "none": null, "list": [1, 2, 3.5, -4e2]}}`, i, i*7919, i))
	}
	return []byte("[" + strings.Join(rows, ",\n  ") + "]")
}

// wide is one object with many members and little else.
func wide() []byte {
	var members []string
	for i := range 5000 {
		members = append(members, fmt.Sprintf(`"member_%d":%d`, i, i))
	}
	return object(members)
}

func BenchmarkCheck(b *testing.B) {
	for name, text := range map[string][]byte{"arguments": []byte(arguments), "catalogue": catalogue(), "wide": wide()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := Check(text, Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/encoding-json-valid", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if !json.Valid(text) {
					b.Fatal("invalid")
				}
			}
		})
	}
}

func BenchmarkProject(b *testing.B) {
	text := catalogue()
	row := &Shape{Members: map[string]*Shape{"name": nil, "id": nil, "tags": {Any: true}, "nested": {Members: map[string]*Shape{"ok": nil}}}}
	shape := &Shape{Items: row}
	var dst []byte
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = Project(dst[:0], text, shape)
	}
}

func BenchmarkEqual(b *testing.B) {
	text := catalogue()
	compact := Compact(nil, text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if !Equal(text, compact) {
			b.Fatal("differ")
		}
	}
}

func TestCheckDoesNotAllocate(t *testing.T) {
	for _, text := range [][]byte{[]byte(arguments), catalogue()} {
		if n := testing.AllocsPerRun(10, func() { _ = Check(text, Limits{}) }); n > 0 {
			t.Errorf("Check of %d bytes allocates %v times", len(text), n)
		}
	}
}
