package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestBM25(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tools.jsonl")
	text := `{"name":"list_orders","description":"Lists orders of a customer."}
{"name":"send_mail","description":"Sends a mail to a customer."}
{"name":"weather","description":"Says how the weather is."}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := newBM25(file)
	if err != nil {
		t.Fatal(err)
	}
	for need, want := range map[string][]int{"the weather": {2, 0}, "a mail to my customer": {1, 0}, "orders": {0, 1}} {
		if got := p.best(need, 2); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", need, got, want)
		}
	}
}
