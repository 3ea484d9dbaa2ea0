package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf16"
)

// safe is text that may go to a terminal as it is: what comes from elsewhere
// in it has gone through plain.
type safe string

// tell prints for people. Every argument that is not safe is made so, because
// names, wordings and findings are written by sources, and a terminal obeys
// what it is sent.
func tell(w io.Writer, format string, args ...any) error {
	for i, arg := range args {
		args[i] = shown(arg)
	}
	_, err := fmt.Fprintf(w, format, args...)
	return err
}

// shown gives an argument as it is printed; numbers keep their verbs.
func shown(arg any) any {
	switch arg := arg.(type) {
	case safe:
		return arg
	case []byte:
		return plain(string(arg))
	case error, fmt.Stringer:
		return plain(fmt.Sprint(arg))
	}
	switch kind := reflect.ValueOf(arg).Kind(); {
	case kind >= reflect.Bool && kind <= reflect.Float64:
		return arg
	}
	return plain(fmt.Sprint(arg))
}

// plain is text on one line with nothing in it that a terminal obeys or a
// reader overlooks: control and format characters, line breaks too, are spelled
// as JSON escapes. Bytes that are no UTF-8, which a terminal may take for
// controls of its own, are replaced.
func plain(text string) safe {
	text = strings.ToValidUTF8(text, "\ufffd")
	if strings.IndexFunc(text, hidden) < 0 {
		return safe(text)
	}
	var out strings.Builder
	for _, r := range text {
		if hidden(r) {
			escape(&out, r)
		} else {
			out.WriteRune(r)
		}
	}
	return safe(out.String())
}

// plainLines is plain for text of ours, whose line breaks are meant.
func plainLines(text string) safe {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = string(plain(line))
	}
	return safe(strings.Join(lines, "\n"))
}

// indent lays JSON out for people; numbers and strings keep their value, and
// what is printed is JSON still.
func indent(raw json.RawMessage) safe {
	var buf bytes.Buffer
	if json.Indent(&buf, raw, "", "  ") != nil {
		return plain(string(raw))
	}
	return plainLines(buf.String())
}

// hidden reports whether a character has no look of its own.
func hidden(r rune) bool { return !unicode.IsGraphic(r) }

// escape writes the JSON escape of a character.
func escape(out *strings.Builder, r rune) {
	switch r {
	case '\n':
		out.WriteString(`\n`)
	case '\t':
		out.WriteString(`\t`)
	default:
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(out, `\u%04x`, unit)
		}
	}
}
