package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/seed-ae386458/interlock"
)

// logLineOf says an entry in one line for people: its place, when, what kind, and
// the short members of its body. Digests, long texts and what is nested are in
// --json, which is the entry itself.
func logLineOf(e interlock.LogEntry) string {
	var body map[string]any
	d := json.NewDecoder(bytes.NewReader(e.Body))
	d.UseNumber()
	if d.Decode(&body) != nil {
		return fmt.Sprintf("%6d  %-19s  %-11s %s", e.Index, "", e.Type, strconv.QuoteToASCII(string(e.Body)))
	}
	at, _ := body["at"].(string)
	when := at
	if t, err := time.Parse(time.RFC3339, at); err == nil {
		when = t.UTC().Format(time.DateTime)
	}
	delete(body, "at")
	var parts []string
	for _, name := range logNames(body) {
		if text := logValue(body[name]); text != "" {
			parts = append(parts, name+"="+text)
		}
	}
	return fmt.Sprintf("%6d  %-19s  %-11s %s", e.Index, when, logType(e.Type), strings.Join(parts, " "))
}

// logType shortens the one name that no column holds.
func logType(t string) string {
	return strings.TrimSuffix(t, "_behavior_fingerprint")
}

// logFirst are the members that say the most, in the order of a sentence.
var logFirst = []string{"principal", "disposition", "outcome", "decision", "action", "reason", "source", "tool", "version"}

// logNames orders the members of a body: those that say the most, then by name.
func logNames(body map[string]any) []string {
	place := func(name string) int {
		if i := slices.Index(logFirst, name); i >= 0 {
			return i
		}
		return len(logFirst)
	}
	names := make([]string, 0, len(body))
	for name := range body {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if x, y := place(a), place(b); x != y {
			return x - y
		}
		return strings.Compare(a, b)
	})
	return names
}

// logValue writes a short member; empty is one for --json.
func logValue(v any) string {
	switch v := v.(type) {
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case []any:
		if len(v) == 0 {
			return ""
		}
		return fmt.Sprintf("[%d]", len(v))
	case string:
		return logText(v)
	}
	return ""
}

func logText(s string) string {
	if _, err := hex.DecodeString(s); err == nil && len(s) >= 64 || s == "" {
		return "" // a digest
	}
	if runes := []rune(s); len(runes) > 80 {
		s = string(runes[:80]) + "…"
	}
	odd := func(r rune) bool { return r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r) }
	if strings.ContainsFunc(s, odd) {
		return strconv.Quote(s) // spells out what is not printed, directions of writing among it
	}
	return s
}
