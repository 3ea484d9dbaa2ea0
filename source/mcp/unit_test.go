package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

func listenOn(t *testing.T, addr string) net.Listener {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Log(err)
		return nil
	}
	return l
}

// TestCredentialsAreBlamedForTheirOwn: only a status that speaks of them does.
func TestCredentialsAreBlamedForTheirOwn(t *testing.T) {
	for status, want := range map[int]bool{400: false, 401: true, 403: true, 404: false, 409: false} {
		e := callFailure(statusFault(&http.Response{StatusCode: status}, true), interlock.Outbound{Effect: interlock.EffectRead}, nil)
		if got := strings.Contains(e.Public, "credential"); got != want || e.Outcome != interlock.OutcomeFailed {
			t.Errorf("%d: %q (%s)", status, e.Public, e.Outcome)
		}
	}
}

func TestPickRefusesTwice(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":1,"b":[{"a":2}]}`:           "",
		`{"a":1,"\u0061":2}`:              `member "a" occurs twice`,
		`[1]`:                             errNotObject.Error(),
		` { "b" : "a\"}" , "a" : null } `: "",
	} {
		_, err := pick([]byte(raw), "a")
		if got := ""; err != nil {
			if got = err.Error(); got != want {
				t.Errorf("%s: %q, want %q", raw, got, want)
			}
		} else if want != "" {
			t.Errorf("%s passes", raw)
		}
	}
}

// FuzzPick compares picking members out of raw text with decoding it.
func FuzzPick(f *testing.F) {
	for _, seed := range []string{`{}`, `[]`, ` { "a" : [1,{"b":"}"}] , "c\\\"" : -1.0e400 }`, `{"a":{"a":"\u00e9\\"},"b":true}`, ` {"0`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := pick(raw, "a", "b")
		want := map[string]json.RawMessage{}
		if err != nil || json.Unmarshal(raw, &want) != nil || want == nil {
			return
		}
		for i, name := range []string{"a", "b"} {
			if !bytes.Equal(got[i], bytes.TrimSpace(want[name])) {
				t.Errorf("member %s of %q: %q, want %q", name, raw, got[i], want[name])
			}
		}
	})
}

// slowEvents reads events the obvious way.
func slowEvents(stream string) (data []string) {
	stream = strings.ReplaceAll(stream, "\r\n", "\n")
	end := strings.LastIndex(stream, "\n\n")
	if strings.HasPrefix(stream, "\n") && end < 0 || end < 0 {
		return nil
	}
	for _, block := range strings.Split(stream[:end], "\n\n") {
		var lines []string
		for _, line := range strings.Split(block, "\n") {
			if line == "data" {
				lines = append(lines, "")
			} else if value, ok := strings.CutPrefix(line, "data:"); ok {
				lines = append(lines, strings.TrimPrefix(value, " "))
			}
		}
		if lines != nil {
			data = append(data, strings.Join(lines, "\n"))
		}
	}
	return data
}

func FuzzEvents(f *testing.F) {
	for _, seed := range []string{"", "data: a\n\n", "id: 1\r\nevent: x\r\ndata: a\r\ndata:b\r\n\r\n", ": note\n\ndata\n\n\ndata:  c\n\ndata: cut", strings.Repeat("data: "+strings.Repeat("x", 40)+"\n", 9) + "\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		var got []string
		e := events{r: bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(stream)), 16), limit: 1 << 20}
		for {
			ev, err := e.next()
			if err != nil {
				if err != io.EOF && err != io.ErrUnexpectedEOF {
					t.Fatal(err)
				}
				break
			}
			got = append(got, string(ev.data))
		}
		if diff := cmp.Diff(slowEvents(stream), got); diff != "" {
			t.Errorf("events of %q (-slow +fast):\n%s", stream, diff)
		}
	})
}

func TestEventsOverTheLimit(t *testing.T) {
	for _, stream := range []string{"data: " + strings.Repeat("x", 5000) + "\n\n", strings.Repeat("data: xxxxxxxxx\n", 500) + "\n", strings.Repeat("x", 9000)} {
		e := events{r: bufio.NewReaderSize(strings.NewReader(stream), 64), limit: 1000}
		if _, err := e.next(); err != errTooLarge {
			t.Errorf("%.20q…: %v", stream, err)
		}
	}
}

func TestFrames(t *testing.T) {
	long := strings.Repeat("y", 300)
	in := "\n{\"a\":1}\r\n  \n" + long + "\n{\"id\":9,\"result\":\"" + strings.Repeat("x", 5000) + "\"}\nlast"
	r := bufio.NewReaderSize(strings.NewReader(in), 16)
	var got []string
	for {
		f, err := readFrame(r, func() int64 { return 1000 })
		if err != nil {
			break
		}
		if f.over {
			f.line = []byte("over " + string(f.id))
		}
		got = append(got, string(f.line))
	}
	if diff := cmp.Diff([]string{`{"a":1}`, long, "over 9", "last"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzIDFinder compares finding the id piece by piece with decoding the whole.
func FuzzIDFinder(f *testing.F) {
	for _, seed := range []string{`{"id":5}`, `{"result":{"id":1,"a":["id",{"id":2}]},"jsonrpc":"2.0","id":77}`, `{"a\"id":1,"id" : "x\"y" }`, `{"x":"id","id":-3}`, `{"id":{"id":4}}`} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, raw []byte, size int) {
		var find idFinder
		for rest := raw; len(rest) > 0; {
			n := min(len(rest), max(1, size))
			find.feed(rest[:n])
			rest = rest[n:]
		}
		parts, err := [][]byte(nil), error(nil)
		if json.Valid(raw) {
			parts, err = pick(raw, "id")
		}
		if parts == nil || err != nil || bytes.Contains(raw, []byte(`\u00`)) || parts[0] == nil {
			return // not an object, twice, or a spelling of "id" that is not looked for
		}
		if k := parts[0][0]; k == '{' || k == '[' || len(parts[0]) > maxID {
			return
		}
		if !bytes.Equal(find.id(), parts[0]) {
			t.Errorf("id of %q: %q, want %q", raw, find.id(), parts[0])
		}
	})
}

// FuzzParse checks that no text brings the reading of messages down.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1048577,"result":{}}`, `{"id":null,"error":{"code":-32602,"message":"x"}}`, `[`, `{"method":"ping","id":"a"}`, `{"id":1,"id":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := parse(raw)
		if err != nil {
			return
		}
		if m.method != "" && m.id != nil && !json.Valid(refusal(m)) {
			t.Errorf("the refusal of %q is %q", raw, refusal(m))
		}
		if m.isAnswer() && m.result != nil {
			_, _ = readReply(m.result, true, 1000, interlockCall())
		}
	})
}

func TestHeaderValues(t *testing.T) {
	for in, want := range map[string]string{
		"plain":           "plain",
		"a b":             "a b",
		" a":              "=?base64?IGE=?=",
		"é":               "=?base64?w6k=?=",
		"a\nb":            "=?base64?YQpi?=",
		"=?base64?eA==?=": "=?base64?PT9iYXNlNjQ/ZUE9PT89?=",
		"":                "",
	} {
		if got := headerValue(in); got != want || !isHeaderText(got) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestMirrors(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"properties":{"c":{"type":"integer","x-mcp-header":"C"}}}}}`: `[{"path":["a"],"header":"A"},{"path":["b","c"],"header":"C"}]`,
		`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`:                                                                `x-mcp-header of "a" stands on a type that is not string, integer or boolean`,
		`{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}`:                                                              `x-mcp-header of "a" is not an HTTP token`,
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`:                       `two properties ask for the header a`,
		`{"properties":[]}`: `null`,
	} {
		found, err := mirrors([]byte(schema))
		got, _ := json.Marshal(found)
		if err != nil {
			got = []byte(err.Error())
		}
		if string(got) != want {
			t.Errorf("%s:\n got %s\nwant %s", schema, got, want)
		}
	}
	for raw, want := range map[string]string{`"x"`: "x", `true`: "true", `1e3`: "1000", `-7`: "-7", `1.5`: "", `9007199254740993`: "", `null`: "", `[]`: ""} {
		if got, _ := mirrored([]byte(`{"a":`+raw+`}`), []string{"a"}); got != want {
			t.Errorf("%s is repeated as %q, want %q", raw, got, want)
		}
	}
}

func interlockCall() interlock.Outbound { return interlock.Outbound{Effect: interlock.EffectRead} }

// TestDeepDefinitionCostsItself: a definition nested deeper than any reader of
// JSON goes is the fault of one tool, not of the list it came in.
func TestDeepDefinitionCostsItself(t *testing.T) {
	deep := strings.Repeat(`{"a":["x]\"}",`, 20_000) + "1" + strings.Repeat("]}", 20_000)
	m, err := parse([]byte(`{"jsonrpc":"2.0","id":2000000,"result":{"tools":[` + deep + `,{"name":"b"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if m.flaw == nil {
		t.Error("the message has no flaw")
	}
	parts, err := pick(m.result, "tools")
	if err != nil {
		t.Fatal(err)
	}
	var last []byte
	n := 0
	for _, one := range rawjson.Elements(parts[0]) {
		last = one
		n++
	}
	if n != 2 || string(last) != `{"name":"b"}` {
		t.Errorf("%d tools, the last %s", n, last)
	}
	for _, broken := range []string{deep[1:], deep + "]", deep[:len(deep)-1], strings.Repeat("[", 20_000), `{"a":` + deep + `"`} {
		if _, err := parse([]byte(broken)); err == nil {
			t.Errorf("%.20s… passed for a message", broken)
		}
	}
	if text := `{"a":["\\\\","]",{"b":[]}]}`; string(shallow([]byte(text))) != text {
		t.Errorf("got %s, want %s", shallow([]byte(text)), text)
	}
}
