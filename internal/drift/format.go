package drift

import (
	"strings"
	"time"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// textLetter tells the form of a text: UUID, date, instant, or none.
func textLetter(inner []byte) byte {
	switch n := len(inner); {
	case n == 36 && isUUID(inner):
		return 'u'
	case n == 10 && isDate(inner):
		return 'd'
	case n >= 16 && n <= 40 && isDate(inner[:10]) && (inner[10] == 'T' || inner[10] == 't' || inner[10] == ' ') && inner[13] == ':':
		return zoneLetter(inner[11:])
	}
	return 's'
}

// zoneLetter tells an instant in UTC from one with an offset and one with none.
func zoneLetter(clock []byte) byte {
	last := clock[len(clock)-1]
	if last == 'Z' || last == 'z' {
		return 't'
	}
	for i := len(clock) - 1; i >= 5 && i >= len(clock)-6; i-- {
		if clock[i] != '+' && clock[i] != '-' {
			continue
		}
		for _, c := range clock[i+1:] {
			if c != '0' && c != ':' {
				return 'T'
			}
		}
		return 't'
	}
	return 'l'
}

func isUUID(text []byte) bool {
	for i, c := range text {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
			continue
		}
		if !isHex(c) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isDate(text []byte) bool {
	for i, c := range text[:10] {
		if i == 4 || i == 7 {
			if c != '-' {
				return false
			}
		} else if !isDigit(c) {
			return false
		}
	}
	return true
}

// misformed says what came in the place of a documented format, "" where
// nothing speaks against it. It is lenient where documents are loose: an
// instant may lack its zone.
func misformed(format string, letter byte, raw []byte) string {
	switch format {
	case "uuid":
		if letter != 'u' {
			return textForm(raw, letter)
		}
	case "date-time":
		if letter != 't' && letter != 'T' && letter != 'l' {
			return textForm(raw, letter)
		}
	case "date":
		if letter != 'd' {
			return textForm(raw, letter)
		}
	case "email", "idn-email":
		if !strings.Contains(string(raw), "@") {
			return textForm(raw, letter)
		}
	case "uri", "url":
		if !strings.Contains(string(raw), ":") {
			return textForm(raw, letter)
		}
	}
	return ""
}

// textForm describes a text by its form alone.
func textForm(raw []byte, letter byte) string {
	switch letter {
	case 'u':
		return "a UUID"
	case 't', 'T', 'l':
		return "an instant"
	case 'd':
		return "a date"
	}
	text, _ := rawjson.String(raw)
	digits, hex := text != "", text != ""
	for i := range len(text) {
		digits = digits && (isDigit(text[i]) || text[i] == '.')
		hex = hex && (isHex(text[i]) || text[i] == '-')
	}
	switch {
	case text == "":
		return "an empty text"
	case digits:
		return "digits"
	case hex:
		return "hexadecimal digits"
	}
	return "text of another form"
}

// readInstant reads an instant that has a zone.
func readInstant(text string) (time.Time, bool) {
	if len(text) > 10 && text[10] == ' ' {
		text = text[:10] + "T" + text[11:]
	}
	t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text))
	return t, err == nil
}
