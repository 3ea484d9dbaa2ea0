package httpcall

import (
	"context"
	"mime"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

const exact = `{"b":9223372036854775807,"a":1e400,"c":-0,"d":1.10,"n":null,"u":"caf\u00e9 é <b>&\/ 漢","o":{"z":1,"y":[]}}`

func TestBodies(t *testing.T) {
	address, seen := recorder(t, nil)
	c := client(t, Options{})
	query := []Param{{Arg: "q", Name: "q", In: InQuery, Style: StyleForm, Explode: true}}
	for _, tc := range []struct {
		name   string
		body   Body
		params []Param
		args   string
		media  string
		want   string
	}{
		{"all arguments, as they came", Body{Media: "application/json", Required: true}, nil, " " + exact, "application/json", " " + exact},
		{"what is no parameter", Body{Media: "application/json", Required: true}, query, `{"\u0062": 1.10, "q": "x", "a": -0}`, "application/json", `{"\u0062":1.10,"a":-0}`},
		{"none of its members", Body{Media: "application/json"}, query, `{"q":"x"}`, "", ""},
		{"none, and required", Body{Media: "application/json", Required: true}, query, `{"q":"x"}`, "application/json", `{}`},
		{"an array", Body{Media: "application/json", Arg: "body"}, query, `{"q":"x","body":[3,9007199254740993,-1]}`, "application/json", "[3,9007199254740993,-1]"},
		{"a string", Body{Media: "application/json", Arg: "body"}, nil, `{"body":"é<"}`, "application/json", `"é<"`},
		{"null", Body{Media: "application/json", Arg: "body"}, nil, `{"body":null}`, "application/json", `null`},
		{"absent", Body{Media: "application/json", Arg: "body"}, nil, `{}`, "", ""},
		{"its own JSON type", Body{Media: "application/vnd.api+json", Arg: "body"}, nil, `{"body":{"b":2}}`, "application/vnd.api+json", `{"b":2}`},
		{"text", Body{Media: "text/plain", Arg: "body"}, nil, `{"body":"hello\nwörld"}`, "text/plain; charset=utf-8", "hello\nwörld"},
		{"bytes", Body{Media: "application/octet-stream", Arg: "body"}, nil, `{"body":"AAEC"}`, "application/octet-stream", "\x00\x01\x02"},
		{"a form", Body{Media: "application/x-www-form-urlencoded"}, nil, `{"a":"x y&z=é","b":["1","2"],"c":9007199254740993,"n":null,"o":{"z":1.10}}`,
			"application/x-www-form-urlencoded", "a=x%20y%26z%3D%C3%A9&b=1&b=2&c=9007199254740993&o=%7B%22z%22%3A1.10%7D"},
		{"a form with its own spelling", Body{Media: "application/x-www-form-urlencoded", Encoding: map[string]Encoding{"o": {Style: StyleDeep, Explode: true}, "l": {Style: StyleForm}}},
			nil, `{"o":{"z":1.10},"l":[1,2]}`, "application/x-www-form-urlencoded", "o%5Bz%5D=1.10&l=1,2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			*seen = nil
			b := Binding{Method: "POST", URL: address, Trusted: true, Params: tc.params, Body: &tc.body}
			if _, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, b), Args: []byte(tc.args)}); err != nil {
				t.Fatal(err)
			}
			got := (*seen)[0]
			if got.body != tc.want || got.header.Get("Content-Type") != tc.media {
				t.Errorf("sent %q as %q; want %q as %q", got.body, got.header.Get("Content-Type"), tc.want, tc.media)
			}
		})
	}
}

func TestMultipart(t *testing.T) {
	address, seen := recorder(t, nil)
	b := Binding{Method: "POST", URL: address, Trusted: true, Body: &Body{Media: "multipart/form-data", Files: []string{"file"}}}
	args := `{"title":"é <b>","n":9007199254740993,"meta":{"z":1.10,"a":null},"tags":["x","y"],"none":null,"file":"AAEC"}`
	if _, err := client(t, Options{}).Call(context.Background(), interlock.Outbound{Binding: encode(t, b), Args: []byte(args)}); err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType((*seen)[0].header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	form, err := multipart.NewReader(strings.NewReader((*seen)[0].body), params["boundary"]).ReadForm(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{"title": {"é <b>"}, "n": {"9007199254740993"}, "meta": {`{"z":1.10,"a":null}`}, "tags": {"x", "y"}}
	if diff := cmp.Diff(want, url.Values(form.Value)); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if len(form.File["file"]) != 1 || form.File["file"][0].Size != 3 {
		t.Errorf("files %v, want one of 3 bytes", form.File)
	}
}

func TestBodiesRefused(t *testing.T) {
	address, seen := recorder(t, nil)
	c := client(t, Options{})
	for name, tc := range map[string]struct {
		body Body
		args string
	}{
		"no whole body":         {Body{Media: "application/json", Arg: "body", Required: true}, `{}`},
		"a text that is none":   {Body{Media: "text/plain", Arg: "body"}, `{"body":{}}`},
		"a file that is none":   {Body{Media: "application/octet-stream", Arg: "body"}, `{"body":"***"}`},
		"a part that is none":   {Body{Media: "multipart/form-data", Arg: "body", Files: []string{"f"}}, `{"body":{"f":7}}`},
		"a form deeper than it": {Body{Media: "application/x-www-form-urlencoded", Arg: "body", Encoding: map[string]Encoding{"a": {Style: StyleForm}}}, `{"body":{"a":[[1]]}}`},
	} {
		b := Binding{Method: "POST", URL: address, Trusted: true, Body: &tc.body}
		_, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, b), Args: []byte(tc.args)})
		if e := interlock.AsError(err); err == nil || e.Reason != interlock.ReasonArgumentsInvalid || e.Pointer != "/body" || len(*seen) != 0 {
			t.Errorf("%s: %v, %d sent; want a refusal at /body", name, err, len(*seen))
		}
	}
}

func TestQueryOfEveryArgument(t *testing.T) {
	address, seen := recorder(t, nil)
	b := Binding{Method: "GET", URL: address + "/s?fixed=1", Trusted: true, Query: true}
	args := `{"q":"a b","n":9223372036854775807,"l":[1.10,-0],"o":{"x":1e400},"none":null}`
	if _, err := client(t, Options{}).Call(context.Background(), interlock.Outbound{Binding: encode(t, b), Args: []byte(args), Effect: interlock.EffectRead}); err != nil {
		t.Fatal(err)
	}
	if want := "/s?fixed=1&q=a%20b&n=9223372036854775807&l=1.10&l=-0&o=%7B%22x%22%3A1e400%7D"; (*seen)[0].target != want {
		t.Errorf("sent %s, want %s", (*seen)[0].target, want)
	}
}
