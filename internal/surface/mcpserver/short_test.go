package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

// way is a face over a router of its own, with one session.
type way struct {
	h       *Handler
	router  *surfacetest.Router
	session string
}

var asker = interlock.Principal{Name: "alice", Tenant: "a", Allow: []string{"*"}}

// newWay makes one, which takes the short way or never does.
func newWay(t testing.TB, short bool) *way {
	t.Helper()
	w := &way{router: surfacetest.New()}
	var err error
	if w.h, err = NewHandler(w.router, Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.h.Close)
	start := w.send(sent{body: `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`})
	if w.session = start.header.Get("Mcp-Session-Id"); w.session == "" {
		t.Fatalf("%+v", start)
	}
	w.h.sessions.of(w.session, asker).short = short
	return w
}

// sent is one request.
type sent struct {
	body   string
	header map[string]string // beside or in the place of the usual; "" leaves one out
}

// got is what came back.
type got struct {
	status int
	header http.Header
	body   string
}

func (w *way) send(s sent) got {
	r := httptest.NewRequest("POST", "/mcp", strings.NewReader(s.body))
	h := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2025-11-25", "Mcp-Session-Id": w.session}
	for name, value := range s.header {
		h[name] = value
	}
	for name, value := range h {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	out := httptest.NewRecorder()
	w.h.ServeAs(out, r, asker)
	if w.session != "" && out.Header().Get("Mcp-Session-Id") == w.session {
		out.Header().Set("Mcp-Session-Id", "its own")
	}
	return got{out.Code, out.Header(), out.Body.String()}
}

// both sends a request both ways and holds the answers against each other.
func both(t testing.TB, short, sdk *way, s sent) got {
	t.Helper()
	a, b := short.send(s), sdk.send(s)
	if a.status != b.status || a.body != b.body || !cmp.Equal(a.header, b.header) {
		t.Fatalf("%+v\nthe short way: %+v\nthe SDK: %+v", s, a, b)
	}
	if short.router.Calls() != sdk.router.Calls() || short.router.LastArgs() != sdk.router.LastArgs() {
		t.Fatalf("%+v: %d calls with %s the short way, %d with %s by the SDK", s, short.router.Calls(), short.router.LastArgs(), sdk.router.Calls(), sdk.router.LastArgs())
	}
	return a
}

// call is a message that calls a tool.
func call(id, name, args string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + args + `}}`
}

const exactArgs = `{"a":9223372036854775807,"b":1e400,"c":-0,"d":1.10,"n":null,"A":1E+2,"s":"caf\u00e9 é <b>&\/ 漢 \ud83d\ude00 ` + "\u2028" + `", "z":[ ],"a2":{"x":1}}`

// messages are calls in plain form and all sorts of messages that nearly are;
// OFFER stands for an offer.
func messages() (plain, other []string) {
	plain = []string{
		call("1", "find_tools", `{"need":"docs/echo"}`), call("-7", "find_tools", `{"need":"none such"}`),
		call(`"an id: a/b_c-1"`, "find_tools", `{"need":"docs/echo","k":1}`), call("0", "find_tools", `{}`),
		call("999999999999999", "find_tools", `{"need":7}`), call("2", "find_tools", `{"nee":"x"}`), call("2", "find_tools", `[1]`), call("2", "find_tools", `null`),
		call("2", "find_tools", `{"need":"a","need":"b"}`), call("2", "find_tools", `{"need":"x","constraints":[{"family":"f","range":"oops"}]}`), call("3", "find_tools", `{"need":"fail"}`),
		call("4", "describe_tools", `{"tools":["docs/echo","none/such"]}`), call("4", "describe_tools", `{"tools":[]}`), call("4", "describe_tools", `{"tools":"docs/echo"}`),
		call("5", "call_tool", `{"offer":OFFER,"args":`+exactArgs+`}`), call("5", "call_tool_read", `{"offer":OFFER, "args": {"a" : [1, 2 ,{"b":"c d"}]} }`),
		call("5", "call_tool_write", `{"offer":OFFER}`), call("5", "call_tool_destructive", `{"offer":OFFER,"args":{}}`), call("6", "call_tool", `{"offer":"forged","args":{}}`),
		call("6", "call_tool", `{"offer":OFFER,"args":[]}`), call("6", "call_tool", `{"offer":OFFER,"args":{"a":1,"a":2}}`), call("6", "call_tool", `{"tool":"docs/echo"}`), call("6", "call_tool", `{}`),
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"find_tools"}}`,
		"\n\t" + `{ "params" : {"arguments" : {"need":"docs/echo"} , "name":"find_tools"}, "method":"tools/call" , "id" : 9, "jsonrpc":"2.0" } ` + "\r\n",
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"x"},"_meta":{"progressToken":3}}}`,
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"_meta":{"progressToken":"p-1"},"name":"find_tools","arguments":{"need":"x"}}}`,
		call("7", "find_tools", `{"need":"`+"\xff"+`"}`),
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"_meta":{},"name":"find_tools","arguments":{"need":"x"}}}`,
	}
	find := `"params":{"name":"find_tools","arguments":{"need":"docs/echo"}}`
	other = []string{
		"", " ", "{", "null", "1", `"x"`, "[]", "{}", "nonsense", `{"jsonrpc":"2.0"}`,
		"[" + plain[0] + "]", "[" + plain[0] + "," + plain[1] + "]", plain[0] + plain[0], plain[0] + "x",
		`{"jsonrpc":"2.0","method":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":null,"method":"tools/call",` + find + `}`,
		`{"jsonrpc":"1.0","id":1,"method":"tools/call",` + find + `}`, `{"jsonrpc":2.0,"id":1,"method":"tools/call",` + find + `}`, `{"id":1,"method":"tools/call",` + find + `}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":1e2,"method":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":-0,"method":"tools/call",` + find + `}`,
		`{"jsonrpc":"2.0","id":9223372036854775807,"method":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":1234567890123456,"method":"tools/call",` + find + `}`,
		`{"jsonrpc":"2.0","id":"","method":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":"\u0061","method":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":"<é>","method":"tools/call",` + find + `}`,
		`{"jsonrpc":"2.0","id":true,"method":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":{},"method":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":"` + strings.Repeat("i", 500) + `","method":"tools/call",` + find + `}`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping",` + find + `}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call",` + find + `,` + find + `}`,
		`{"jsonrpc":"2.0","id":1,"\u006dethod":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":1,"Method":"tools/call",` + find + `}`, `{"jsonrpc":"2.0","id":1,"method":"tools\/call",` + find + `}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","extra":1,` + find + `}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","result":{},` + find + `}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}`, call("1", "no_such_tool", "{}"), call("1", "find_tool\\u0073", `{"need":"docs/echo"}`), call("1", "", "{}"), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","name":"call_tool"}}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{},"arguments":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"x"},"extra":1}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"x"},"_meta":null}}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"x"},"_meta":[]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"x"},"_meta":{"progressToken":1.5}}}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"x"},"_meta":{"a":1,"progressToken":1}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"x"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"x"},"requestState":"s","inputResponses":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":` + strings.Repeat("[", 12000) + strings.Repeat("]", 12000) + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		strings.Replace(plain[0], "docs/echo", strings.Repeat("x", maxMessage), 1),
	}
	return plain, other
}

// TestShortWayIsTheSDKs: for every message, plain or not, status, headers and
// body are those that the SDK gives, and the same is sent on.
func TestShortWayIsTheSDKs(t *testing.T) {
	short, sdk := newWay(t, true), newWay(t, false)
	offer := func() string {
		found := both(t, short, sdk, sent{body: call("1", "find_tools", `{"need":"docs/echo"}`)})
		raw, _ := rawjson.At([]byte(found.body), "/result/structuredContent/candidates/0/offer")
		return string(raw)
	}()
	plain, other := messages()
	for _, m := range plain {
		m = strings.ReplaceAll(m, "OFFER", offer)
		if _, ok := readPlain([]byte(m)); !ok {
			t.Errorf("not taken for a plain call: %s", m)
		}
		both(t, short, sdk, sent{body: m})
	}
	for _, m := range other {
		if _, ok := readPlain([]byte(m)); ok && len(m) <= maxMessage && !strings.Contains(m, "no_such_tool") {
			t.Errorf("taken for a plain call: %.200s", m)
		}
		both(t, short, sdk, sent{body: m})
	}
	for _, header := range []map[string]string{
		{"Mcp-Protocol-Version": "2025-06-18"}, {"Mcp-Protocol-Version": "2025-03-26"}, {"Mcp-Protocol-Version": "2024-11-05"}, {"Mcp-Protocol-Version": ""}, {"Mcp-Protocol-Version": "2023-01-01"},
		{"Mcp-Protocol-Version": "2026-07-28"}, {"Mcp-Protocol-Version": "2027-01-01"}, {"Mcp-Protocol-Version": "x"}, {"Mcp-Session-Id": "pNOSUCH"}, {"Mcp-Session-Id": "q"},
		{"Content-Type": "text/plain"}, {"Content-Type": ""}, {"Content-Type": "application/json; charset=utf-8"}, {"Content-Type": "application/json;"}, {"Accept": ""}, {"Accept": "application/json"}, {"Accept": "text/event-stream"},
		{"Accept": "*/*"}, {"Accept": "text/event-stream, application/json"}, {"Accept": "application/json;q=1, text/event-stream"}, {"Last-Event-Id": "x_1"}, {"Mcp-Method": "x", "Mcp-Name": "y"},
	} {
		for _, m := range []string{plain[0], "[" + plain[0] + "]", other[0]} {
			both(t, short, sdk, sent{body: m, header: header})
		}
	}
}

// TestShortWayOnBrokenMessages: the same for messages that were plain and were
// broken at random.
func TestShortWayOnBrokenMessages(t *testing.T) {
	short, sdk := newWay(t, true), newWay(t, false)
	rng := rand.New(rand.NewPCG(3, 4))
	plain, other := messages()
	seeds := append(plain, other[:len(other)-1]...)
	pieces := []string{"{", "}", "[", "]", `"`, ":", ",", "null", "1e9", `"id":1,`, `"method":"ping",`, `\u0000`, " ", "\xff", `"_meta":{},`, "0", "-"}
	for range 3000 {
		m := []byte(strings.ReplaceAll(seeds[rng.IntN(len(seeds))], "OFFER", `"o"`))
		for range 1 + rng.IntN(2) {
			at := rng.IntN(len(m) + 1)
			piece := pieces[rng.IntN(len(pieces))]
			end := min(len(m), at+rng.IntN(3))
			m = append(m[:at:at], append([]byte(piece), m[end:]...)...)
		}
		both(t, short, sdk, sent{body: string(m)})
	}
}

// FuzzShortWay: the same for any message.
func FuzzShortWay(f *testing.F) {
	plain, other := messages()
	for _, m := range append(plain, other[:len(other)-1]...) {
		f.Add(m)
	}
	short, sdk := newWay(f, true), newWay(f, false)
	f.Fuzz(func(t *testing.T, message string) { both(t, short, sdk, sent{body: message}) })
}

// held is a router whose calls wait for their end.
type held struct {
	*surfacetest.Router
	began chan struct{}
	let   chan struct{}
}

func (h held) Call(ctx context.Context, _ interlock.Principal, _ interlock.CallRequest) (interlock.CallResult, error) {
	h.began <- struct{}{}
	select {
	case <-ctx.Done():
		return interlock.CallResult{}, ctx.Err()
	case <-h.let:
		return interlock.CallResult{Result: json.RawMessage(`{"let":true}`)}, nil
	}
}

// holding makes a way whose calls wait, and a call under way on it.
func holding(t *testing.T, short bool, id string) (*way, held, <-chan got) {
	t.Helper()
	w := newWay(t, short)
	r := held{w.router, make(chan struct{}, 8), make(chan struct{})}
	w.h.tools.face = r
	answer := make(chan got, 1)
	go func() { answer <- w.send(sent{body: call(id, "call_tool", `{"offer":"o"}`)}) }()
	select {
	case <-r.began:
	case <-time.After(10 * time.Second):
		t.Fatal("the call did not begin")
	}
	return w, r, answer
}

// come waits for an answer.
func come(t *testing.T, c <-chan got) got {
	t.Helper()
	select {
	case g := <-c:
		return g
	case <-time.After(10 * time.Second):
		t.Fatal("no answer")
	}
	return got{}
}

// A call in flight is cancelled by its id, however the id is spelled, and its
// id serves no second one. Both ways say the same.
func TestShortWayInFlight(t *testing.T) {
	for id, notices := range map[string][]string{
		"41":    {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":41}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4.1e1,"reason":"x"}}`},
		`"a-1"`: {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a-1"}}`, `{"params":{"requestId":"\u0061-1"},"method":"notifications/cancelled","jsonrpc":"2.0"}`},
	} {
		for _, notice := range notices {
			var answers, twice, others [2]got
			for i, short := range []bool{true, false} {
				w, _, answer := holding(t, short, id)
				twice[i] = w.send(sent{body: call(id, "call_tool", `{"offer":"o"}`)})
				others[i] = w.send(sent{body: strings.Replace(strings.Replace(notice, "41", "42", 1), "-1", "-2", 1)})
				if notice == notices[0] && len(answer) > 0 {
					t.Error("the cancellation of another call ended this one")
				}
				if got := w.send(sent{body: notice}); got.status != http.StatusAccepted {
					t.Errorf("%+v", got)
				}
				answers[i] = come(t, answer)
			}
			for what, pair := range map[string][2]got{"cancelled": answers, "the id again": twice, "another id": others} {
				if pair[0].body != pair[1].body || pair[0].status != pair[1].status || !cmp.Equal(pair[0].header, pair[1].header) {
					t.Errorf("%s, %s: %+v the short way, %+v by the SDK", id, what, pair[0], pair[1])
				}
			}
			if !strings.Contains(answers[0].body, `"isError":true`) || twice[0].status != http.StatusBadRequest {
				t.Errorf("%s: %+v %+v", id, answers[0], twice[0])
			}
		}
	}
}

// A session that is ended lets its calls end first, and is gone after.
func TestShortWayEndsWithItsSession(t *testing.T) {
	w, r, answer := holding(t, true, "1")
	ended := make(chan int, 1)
	go func() {
		req := httptest.NewRequest("DELETE", "/mcp", nil)
		req.Header.Set("Mcp-Session-Id", w.session)
		out := httptest.NewRecorder()
		w.h.ServeAs(out, req, asker)
		ended <- out.Code
	}()
	select {
	case code := <-ended:
		t.Fatalf("the session ended before its call: %d", code)
	case <-time.After(50 * time.Millisecond):
	}
	close(r.let)
	if got := come(t, answer); got.status != 200 || !strings.Contains(got.body, `"let":true`) {
		t.Errorf("%+v", got)
	}
	if code := <-ended; code != http.StatusNoContent {
		t.Errorf("DELETE: %d", code)
	}
	if got := w.send(sent{body: call("2", "find_tools", `{"need":"x"}`)}); got.status != http.StatusNotFound {
		t.Errorf("after the end: %+v", got)
	}
}

// Calls keep a session from being idle, and an idle one ends.
func TestShortWayKeepsItsSession(t *testing.T) {
	const rest = 200 * time.Millisecond
	h, err := NewHandler(surfacetest.New(), Options{SessionTime: rest})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	w := &way{h: h}
	w.session = w.send(sent{body: `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`}).header.Get("Mcp-Session-Id")
	until := time.Now().Add(3 * rest)
	for i := 0; time.Now().Before(until); i++ {
		if got := w.send(sent{body: call(fmt.Sprint(i), "find_tools", `{"need":"x"}`)}); got.status != 200 {
			t.Fatalf("a session in use ended: %+v", got)
		}
		time.Sleep(rest / 20)
	}
	for range 100 {
		if got := w.send(sent{body: call("1", "find_tools", `{"need":"x"}`)}); got.status == http.StatusNotFound {
			return
		}
		time.Sleep(rest * 3 / 2)
	}
	t.Error("an idle session does not end")
}

// A client that can be asked is asked, so its calls go by the SDK.
func TestShortWayIsNotForWhomCanBeAsked(t *testing.T) {
	h, err := NewHandler(surfacetest.New(), Options{Elicit: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	for caps, short := range map[string]bool{`{}`: true, `{"elicitation":{}}`: false, `{"elicit\u0061tion":{}}`: false, `{"elicitation":{"url":{}}}`: false, `{"roots":{}}`: true} {
		w := &way{h: h}
		w.session = w.send(sent{body: `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` + caps + `,"clientInfo":{"name":"t","version":"1"}}}`}).header.Get("Mcp-Session-Id")
		if s := h.sessions.of(w.session, asker); s == nil || s.short != short {
			t.Errorf("%s: %+v", caps, s)
		}
	}
	if h.sessions.of("", asker) != nil {
		t.Error("a session without an id")
	}
}
