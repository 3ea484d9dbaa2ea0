package httpcall

import (
	"mime"
	"strings"
)

// form is a way to write a body.
type form uint8

const (
	formNone form = iota
	formJSON
	formURL
	formMultipart
	formText
	formBytes
)

// formOf tells how a body of a media type is written; formNone where it
// cannot be.
func formOf(media string) form {
	base := baseMedia(media)
	switch {
	case IsJSON(media):
		return formJSON
	case base == "application/x-www-form-urlencoded":
		return formURL
	case base == "multipart/form-data":
		return formMultipart
	case isXML(base), strings.Contains(base, "*"), strings.HasPrefix(base, "multipart/"), !strings.Contains(base, "/"):
		return formNone
	case IsText(media):
		return formText
	}
	return formBytes
}

func isXML(base string) bool {
	return strings.HasSuffix(base, "/xml") || strings.HasSuffix(base, "+xml")
}

// IsJSON reports whether a media type is JSON.
func IsJSON(media string) bool {
	base := baseMedia(media)
	return base == "application/json" || base == "text/json" || strings.HasSuffix(base, "+json")
}

// IsText reports whether a media type is text that people read.
func IsText(media string) bool {
	base := baseMedia(media)
	return strings.HasPrefix(base, "text/") || isXML(base) ||
		base == "application/javascript" || base == "application/yaml" || base == "application/x-ndjson" || base == "application/jsonl"
}

// CanWrite reports whether a body of a media type can be written.
func CanWrite(media string) bool { return formOf(media) != formNone }

// baseMedia is a media type without its parameters, in lower case.
func baseMedia(media string) string {
	if base, _, err := mime.ParseMediaType(media); err == nil {
		return base
	}
	base, _, _ := strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(base))
}
