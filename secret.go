package interlock

import (
	"fmt"
	"strings"
)

// Secret is a text that nothing prints, logs or writes by accident: every way
// of formatting it gives hiddenSecret. Reveal is the one way to the text.
type Secret string

// hiddenSecret stands wherever a secret would.
const hiddenSecret = "[secret]"

// Reveal gives the text, for whoever is about to send it or compare with it.
func (s Secret) Reveal() string { return string(s) }

// String hides the text.
func (s Secret) String() string { return hiddenSecret }

// GoString hides the text.
func (s Secret) GoString() string { return hiddenSecret }

// Format hides the text whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hiddenSecret)) }

// MarshalText hides the text from JSON, YAML, logs and all that go by it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hiddenSecret), nil }

// UnmarshalText reads one, as a configuration holds it.
func (s *Secret) UnmarshalText(text []byte) error {
	*s = Secret(text)
	return nil
}

// referenceKinds are the beginnings of a reference to a secret.
var referenceKinds = [...]string{"env:", "file:", "command:", "keyring:"}

// IsReference reports whether a text refers to a secret: "env:NAME",
// "file:PATH", "command:PROGRAM ARGUMENT …", or "keyring:SERVICE/NAME".
func IsReference(text string) bool {
	for _, kind := range referenceKinds {
		if strings.HasPrefix(text, kind) {
			return true
		}
	}
	return false
}

// SplitReference parts a value into what stands as it is and the reference at
// its end: "Bearer env:TOKEN" is ("Bearer ", "env:TOKEN"). A command goes to the
// end of the value.
func SplitReference(value string) (clear, ref string) {
	for at := 0; ; {
		if IsReference(value[at:]) && (strings.HasPrefix(value[at:], "command:") || !strings.Contains(value[at:], " ")) {
			return value[:at], value[at:]
		}
		next := strings.IndexByte(value[at:], ' ')
		if next < 0 {
			return value, ""
		}
		at += next + 1
	}
}
