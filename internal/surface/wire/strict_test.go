package wire_test

import (
	"errors"
	"testing"

	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

func TestStrict(t *testing.T) {
	type inner struct {
		Token string `json:"token"`
	}
	type outer struct {
		Name  string           `json:"name"`
		Inner []inner          `json:"inner"`
		Map   map[string]inner `json:"map"`
	}
	for raw, want := range map[string]string{
		`{"name":"a","inner":[{"token":"b"}]} `: "",
		`{"nme":"a"}`:                           `unknown key "nme"; did you mean "name"?`,
		`{"inner":[{"tokn":"a"}]}`:              `unknown key "tokn"; did you mean "token"?`,
		`{"endpoint":1}`:                        `unknown key "endpoint"; did you mean "endpoints"?`,
		`{"zebra":1}`:                           `unknown key "zebra"; known: name, inner, token, map, endpoints`,
		`{"name":1}`:                            "name: expected text (put it into quotes), found number",
		`{"inner":"a"}`:                         "inner: expected a list, found string",
		`{"map":"a"}`:                           "map: expected an object, found string",
		`[]`:                                    "the whole: expected an object, found array",
		`{} {}`:                                 "it is more than one JSON value",
		`{`:                                     "unexpected EOF",
	} {
		var into outer
		err := wire.Strict([]byte(raw), &into, "endpoints")
		if got := text(err); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
	var stray *wire.Stray
	if err := wire.Strict([]byte(`{"zebra":1}`), &struct{}{}); !errors.As(err, &stray) || stray.Name != "zebra" || stray.Near != "" {
		t.Errorf("%v", err)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
