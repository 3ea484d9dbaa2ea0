package httpcall

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

const (
	blue  = `"blue"`
	three = `["blue","black","brown"]`
	rgb   = `{"R":100,"G":200,"B":150}`
	nasty = `"a/b?c=d&e#f%41 g+h:@;,$[]!*'()~-._"`
	coded = "a%2Fb%3Fc%3Dd%26e%23f%2541%20g%2Bh%3A%40%3B%2C%24%5B%5D%21%2A%27%28%29~-._"
)

// styleCases hold every style, exploded or not, in every place that carries
// it; want is what follows the place on the wire, worked out by hand from RFC
// 6570. A want of "!" is a refusal.
var styleCases = []struct {
	in      Place
	style   Style
	explode bool
	raw     string
	want    string
}{
	{InPath, StyleSimple, false, blue, "blue"}, {InPath, StyleSimple, true, blue, "blue"},
	{InPath, StyleSimple, false, three, "blue,black,brown"}, {InPath, StyleSimple, true, three, "blue,black,brown"},
	{InPath, StyleSimple, false, rgb, "R,100,G,200,B,150"}, {InPath, StyleSimple, true, rgb, "R=100,G=200,B=150"},
	{InPath, StyleLabel, false, blue, ".blue"}, {InPath, StyleLabel, true, blue, ".blue"},
	{InPath, StyleLabel, false, three, ".blue,black,brown"}, {InPath, StyleLabel, true, three, ".blue.black.brown"},
	{InPath, StyleLabel, false, rgb, ".R,100,G,200,B,150"}, {InPath, StyleLabel, true, rgb, ".R=100.G=200.B=150"},
	{InPath, StyleMatrix, false, blue, ";color=blue"}, {InPath, StyleMatrix, true, blue, ";color=blue"}, {InPath, StyleMatrix, false, `""`, ";color"},
	{InPath, StyleMatrix, false, three, ";color=blue,black,brown"}, {InPath, StyleMatrix, true, three, ";color=blue;color=black;color=brown"},
	{InPath, StyleMatrix, false, rgb, ";color=R,100,G,200,B,150"}, {InPath, StyleMatrix, true, rgb, ";R=100;G=200;B=150"},
	{InPath, StyleJSON, false, `{ "a": [1.10] }`, "%7B%22a%22%3A%5B1.10%5D%7D"},
	{InPath, StyleSimple, false, nasty, coded}, {InPath, StyleSimple, false, `["a,b","c/d"]`, "a%2Cb,c%2Fd"},
	{InPath, StyleSimple, false, "9223372036854775807", "9223372036854775807"}, {InPath, StyleSimple, false, "1e400", "1e400"},
	{InPath, StyleSimple, false, "-0", "-0"}, {InPath, StyleSimple, false, "1.10", "1.10"}, {InPath, StyleSimple, false, `"東京 é"`, "%E6%9D%B1%E4%BA%AC%20%C3%A9"},
	{InPath, StyleSimple, false, `""`, "!"}, {InPath, StyleSimple, false, "null", "!"}, {InPath, StyleSimple, false, "[]", "!"},
	{InPath, StyleSimple, false, `".."`, "!"}, {InPath, StyleSimple, false, `"."`, "!"}, {InPath, StyleLabel, false, `"."`, "!"},
	{InPath, StyleLabel, false, `""`, "!"}, {InPath, StyleSimple, false, `"../admin"`, "..%2Fadmin"}, {InPath, StyleSimple, false, `"%2e%2e"`, "%252e%252e"},
	{InPath, StyleSimple, false, `"..\\x"`, "..%5Cx"}, {InPath, StyleSimple, false, `[["a"]]`, "!"},

	{InQuery, StyleForm, true, blue, "color=blue"}, {InQuery, StyleForm, false, blue, "color=blue"}, {InQuery, StyleForm, true, `""`, "color="},
	{InQuery, StyleForm, true, three, "color=blue&color=black&color=brown"}, {InQuery, StyleForm, false, three, "color=blue,black,brown"},
	{InQuery, StyleForm, true, rgb, "R=100&G=200&B=150"}, {InQuery, StyleForm, false, rgb, "color=R,100,G,200,B,150"},
	{InQuery, StyleSpace, false, three, "color=blue%20black%20brown"}, {InQuery, StyleSpace, false, rgb, "color=R%20100%20G%20200%20B%20150"},
	{InQuery, StyleSpace, true, three, "color=blue&color=black&color=brown"},
	{InQuery, StylePipe, false, three, "color=blue%7Cblack%7Cbrown"}, {InQuery, StylePipe, false, rgb, "color=R%7C100%7CG%7C200%7CB%7C150"},
	{InQuery, StylePipe, true, three, "color=blue&color=black&color=brown"},
	{InQuery, StyleTab, false, three, "color=blue%09black%09brown"},
	{InQuery, StyleDeep, true, rgb, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"},
	{InQuery, StyleDeep, true, `{"a b":"x&y","é":"[z]"}`, "color%5Ba%20b%5D=x%26y&color%5B%C3%A9%5D=%5Bz%5D"},
	{InQuery, StyleDeep, true, `{"a":{"b":[1,2],"n":null}}`, "color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bb%5D=2"},
	{InQuery, StyleDeep, true, three, "!"}, {InQuery, StyleDeep, true, `{"a":[[1]]}`, "!"},
	{InQuery, StyleJSON, true, `{"b":[1.10,null],"a":"x y"}`, "color=%7B%22b%22%3A%5B1.10%2Cnull%5D%2C%22a%22%3A%22x%20y%22%7D"},
	{InQuery, StyleForm, true, nasty, "color=" + coded}, {InQuery, StyleForm, false, `["a,b","c|d"]`, "color=a%2Cb,c%7Cd"},
	{InQuery, StyleForm, true, `{"a=b":"c&d"}`, "a%3Db=c%26d"}, {InQuery, StyleForm, true, "1e400", "color=1e400"},
	{InQuery, StyleForm, true, "-0", "color=-0"}, {InQuery, StyleForm, true, "true", "color=true"}, {InQuery, StyleForm, true, `"a\r\nb"`, "color=a%0D%0Ab"},
	{InQuery, StyleForm, true, "null", ""}, {InQuery, StyleForm, true, "[]", ""}, {InQuery, StyleForm, true, `[1,null,2]`, "color=1&color=2"},
	{InQuery, StyleForm, true, `[{"a":1}]`, "!"}, {InQuery, StyleForm, true, `{"a":{"b":1}}`, "!"},

	{InHeader, StyleSimple, false, blue, "blue"}, {InHeader, StyleSimple, false, three, "blue,black,brown"}, {InHeader, StyleSimple, true, three, "blue,black,brown"},
	{InHeader, StyleSimple, false, rgb, "R,100,G,200,B,150"}, {InHeader, StyleSimple, true, rgb, "R=100,G=200,B=150"},
	{InHeader, StyleSimple, false, "9007199254740993", "9007199254740993"}, {InHeader, StyleJSON, false, `{"a": 1.10}`, `{"a":1.10}`},
	{InHeader, StyleSimple, false, `"a\r\nX-Evil: 1"`, "!"}, {InHeader, StyleSimple, false, `"a\nb"`, "!"}, {InHeader, StyleSimple, false, `"a\u0000b"`, "!"},

	{InCookie, StyleForm, true, blue, "color=blue"}, {InCookie, StyleForm, false, three, "color=blue,black,brown"},
	{InCookie, StyleForm, false, rgb, "color=R,100,G,200,B,150"}, {InCookie, StyleForm, true, "9007199254740993", "color=9007199254740993"},
	{InCookie, StyleForm, true, `"a; b=c"`, "color=a%3B%20b%3Dc"},
}

// sent is one request as it came to the server.
type sent struct {
	method, target, body string
	header               http.Header
}

// recorder is a server that remembers every request.
func recorder(t *testing.T, answer http.HandlerFunc) (address string, seen *[]sent) {
	t.Helper()
	seen = &[]sent{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body strings.Builder
		buf := make([]byte, 1024)
		for {
			n, err := r.Body.Read(buf)
			body.Write(buf[:n])
			if err != nil {
				break
			}
		}
		*seen = append(*seen, sent{r.Method, r.RequestURI, body.String(), r.Header})
		if answer == nil {
			_, _ = w.Write([]byte(`{"ok":true}`))
			return
		}
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, seen
}

func client(t *testing.T, opts Options) *Client {
	t.Helper()
	c, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func encode(t *testing.T, b Binding) []byte {
	t.Helper()
	raw, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestStyles(t *testing.T) {
	address, seen := recorder(t, nil)
	c := client(t, Options{})
	for _, tc := range styleCases {
		*seen = nil
		name, url := "color", address+"/c"
		if tc.in == InHeader {
			name = "X-Color"
		}
		if tc.in == InPath {
			url = address + "/c/{color}"
		}
		b := Binding{Method: "GET", URL: url, Trusted: true, Params: []Param{{Arg: "arg", Name: name, In: tc.in, Style: tc.style, Explode: tc.explode}}}
		_, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, b), Args: []byte(`{"arg": ` + tc.raw + `}`), Effect: interlock.EffectRead})
		got := onTheWire(tc.in, *seen)
		if tc.want == "!" {
			if e := interlock.AsError(err); err == nil || e.Reason != interlock.ReasonArgumentsInvalid || e.Pointer != "/arg" || e.Outcome != interlock.OutcomeNotSent || len(*seen) > 0 {
				t.Errorf("%s %s explode=%v %s: error %v, sent %d; want a refusal at /arg", tc.in, tc.style, tc.explode, tc.raw, err, len(*seen))
			}
			continue
		}
		if err != nil || got != tc.want {
			t.Errorf("%s %s explode=%v %s: sent %q, error %v; want %q", tc.in, tc.style, tc.explode, tc.raw, got, err, tc.want)
		}
	}
}

func onTheWire(in Place, seen []sent) string {
	if len(seen) != 1 {
		return "not one request"
	}
	path, query, _ := strings.Cut(seen[0].target, "?")
	switch in {
	case InPath:
		return strings.TrimPrefix(path, "/c/")
	case InQuery:
		return query
	case InHeader:
		return strings.Join(seen[0].header["X-Color"], "|")
	}
	return strings.Join(seen[0].header["Cookie"], "|")
}

func TestStylesThatAPlaceCannotCarry(t *testing.T) {
	all := []Style{StyleSimple, StyleLabel, StyleMatrix, StyleForm, StyleSpace, StylePipe, StyleTab, StyleDeep, StyleJSON, "", "odd"}
	can := map[Place][]Style{
		InPath: {StyleSimple, StyleLabel, StyleMatrix, StyleJSON}, InQuery: {StyleForm, StyleSpace, StylePipe, StyleTab, StyleDeep, StyleJSON},
		InHeader: {StyleSimple, StyleJSON}, InCookie: {StyleForm, StyleJSON}, "body": nil,
	}
	for place, want := range can {
		var got []Style
		for _, s := range all {
			if (Param{Arg: "a", Name: "a", In: place, Style: s}).validate() == nil {
				got = append(got, s)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", place, diff)
		}
	}
}

func TestAllowReserved(t *testing.T) {
	for raw, want := range map[string]string{
		`"a/b:c?d@e$f;g"`: "color=a/b:c?d@e$f;g", `"x y/é"`: "color=x%20y/%C3%A9", `["p/q","r:s"]`: "color=p/q&color=r:s",
		`"a&b=c#d+e[f]%"`: "color=a%26b%3Dc%23d%2Be%5Bf%5D%25",
	} {
		p := Param{Arg: "color", Name: "color", In: InQuery, Style: StyleForm, Explode: true, AllowReserved: true}
		got, err := p.pairs([]byte(raw))
		if err != nil || strings.Join(got, "&") != want {
			t.Errorf("%s: %v %v, want %s", raw, got, err, want)
		}
	}
}

func FuzzPathStaysOnItsTemplate(f *testing.F) {
	for _, s := range []string{"x", "..", "../../admin", "%2e%2e%2f", "a/b", "?q", "#f", "\\", ".", "é", "\x00"} {
		f.Add(s, s)
	}
	template := "/v1/{a}/fixed/x{b}.json"
	params := []Param{{Arg: "a", Name: "a", In: InPath, Style: StyleSimple}, {Arg: "b", Name: "b", In: InPath, Style: StyleSimple}}
	f.Fuzz(func(t *testing.T, a, b string) {
		rawA, errA := interlock.Marshal(a)
		rawB, errB := interlock.Marshal(b)
		if errA != nil || errB != nil {
			t.Skip()
		}
		path, err := fillPath(template, params, map[string][]byte{"a": rawA, "b": rawB})
		if err != nil {
			return
		}
		segments := strings.Split(path, "/")
		if len(segments) != 5 || segments[1] != "v1" || segments[3] != "fixed" || segments[2] == "" || segments[2] == "." || segments[2] == ".." ||
			!strings.HasPrefix(segments[4], "x") || !strings.HasSuffix(segments[4], ".json") || strings.ContainsAny(path, "?#\\ ") {
			t.Errorf("%q, %q: path %q left its template", a, b, path)
		}
	})
}
