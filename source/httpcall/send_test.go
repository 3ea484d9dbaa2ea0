package httpcall

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// hang answers with the head and part of the body, then drops the connection.
func hang(w http.ResponseWriter, head string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	_, _ = conn.Write([]byte(head))
	_ = conn.Close()
}

func TestOutcomes(t *testing.T) {
	const read, write = interlock.EffectRead, interlock.EffectWrite
	say := func(status int, media, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	squeezed := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			var buf bytes.Buffer
			z := gzip.NewWriter(&buf)
			_, _ = z.Write([]byte(body))
			_ = z.Close()
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(buf.Bytes())
		}
	}
	cut := func(w http.ResponseWriter, _ *http.Request) { hang(w, "") }
	half := func(w http.ResponseWriter, _ *http.Request) {
		hang(w, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"POISON\":")
	}
	slow := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}
	exactly := `{ "a":9223372036854775807,"b":1e400,"c":-0,"d":1.10,"e":"caf\u00e9 <&\/", "f":null}`
	for _, tc := range []struct {
		name    string
		effect  interlock.Effect
		answer  http.HandlerFunc
		how     Answer
		want    string // the result, or the reason
		code    interlock.Code
		outcome interlock.Outcome
		sent    int
	}{
		{"exact", read, say(200, "application/json", " "+exactly+"\n"), "", exactly, "", "", 1},
		{"no content", write, say(204, "", ""), "", "null", "", "", 1},
		{"empty 201", write, say(201, "application/json", " \n"), "", "null", "", "", 1},
		{"a byte order mark", read, say(200, "application/json", "\ufeff1"), "", "1", "", "", 1},
		{"compressed without being asked", read, squeezed(`{"a":1.10}`), "", `{"a":1.10}`, "", "", 1},
		{"documented text", read, say(200, "text/plain", "a\n\"b\" <é>"), AnswerText, `"a\n\"b\" <é>"`, "", "", 1},
		{"documented bytes", read, say(200, "image/png", "\x00\x01\x02"), AnswerBase64, `"AAEC"`, "", "", 1},
		{"html", read, say(200, "text/html", "<html>POISON"), "", "result-malformed", interlock.CodeUpstream, interlock.OutcomeFailed, 1},
		{"cut JSON", read, say(200, "application/json", `{"x":"POISON","list":[1,2`), "", "result-malformed", interlock.CodeUpstream, interlock.OutcomeFailed, 1},
		{"a name twice", read, say(200, "application/json", `{"a":1,"a":2}`), "", "result-malformed", interlock.CodeUpstream, interlock.OutcomeFailed, 1},
		{"too deep", read, say(200, "application/json", strings.Repeat("[", 2000)+strings.Repeat("]", 2000)), "", "result-malformed", interlock.CodeUpstream, interlock.OutcomeFailed, 1},
		{"too large", read, say(200, "application/json", `"`+strings.Repeat("x", 5000)+`"`), "", "result-too-large", interlock.CodeTooLarge, interlock.OutcomeFailed, 1},
		{"too large when unpacked", read, squeezed(`"` + strings.Repeat("x", 1<<20) + `"`), "", "result-too-large", interlock.CodeTooLarge, interlock.OutcomeFailed, 1},
		{"redirect", read, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/POISON", http.StatusFound) }, "", "source-failed", interlock.CodeUpstream, interlock.OutcomeFailed, 1},
		{"400", read, say(400, "application/json", `{"POISON":1}`), "", "source-refused", interlock.CodeUpstream, interlock.OutcomeFailed, 1},
		{"401", read, say(401, "application/json", `{"POISON":1}`), "", "needs-auth", interlock.CodeUpstream, interlock.OutcomeFailed, 1},
		{"429, a read", read, say(429, "", "POISON"), "", "source-refused", interlock.CodeUpstream, interlock.OutcomeFailed, 3},
		{"500, a read", read, say(500, "", "POISON"), "", "source-failed", interlock.CodeUpstream, interlock.OutcomeFailed, 1},
		{"503, a read", read, say(503, "", "POISON"), "", "source-failed", interlock.CodeUpstream, interlock.OutcomeFailed, 3},
		{"503, a write", write, say(503, "", "POISON"), "", "source-failed", interlock.CodeUpstream, interlock.OutcomeFailed, 1},
		{"503, no effect stated", "", say(503, "", "POISON"), "", "source-failed", interlock.CodeUpstream, interlock.OutcomeFailed, 1},
		{"cut off, a read", read, cut, "", "source-failed", interlock.CodeUpstream, interlock.OutcomeUnknown, 3},
		{"cut off, a write", write, cut, "", "indeterminate", interlock.CodeIndeterminate, interlock.OutcomeUnknown, 1},
		{"half an answer, a read", read, half, "", "source-failed", interlock.CodeUpstream, interlock.OutcomeUnknown, 1},
		{"half an answer, destructive", interlock.EffectDestructive, half, "", "indeterminate", interlock.CodeIndeterminate, interlock.OutcomeUnknown, 1},
		{"slow, a read", read, slow, "", "timeout", interlock.CodeTimeout, interlock.OutcomeUnknown, 1},
		{"slow, a write", write, slow, "", "indeterminate", interlock.CodeIndeterminate, interlock.OutcomeUnknown, 1},
	} {
		for _, method := range []string{"GET", "POST"} {
			t.Run(tc.name+" "+method, func(t *testing.T) {
				var count atomic.Int32
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { count.Add(1); tc.answer(w, r) }))
				defer server.Close()
				c := client(t, Options{Backoff: time.Millisecond})
				b := Binding{Method: method, URL: server.URL, Trusted: true, Answer: tc.how}
				timeout := 20 * time.Second
				if strings.HasPrefix(tc.name, "slow") {
					timeout = 300 * time.Millisecond
				}
				reply, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, b), Effect: tc.effect, Timeout: timeout, MaxResult: 4096})
				if int(count.Load()) != tc.sent {
					t.Errorf("%d requests, want %d", count.Load(), tc.sent)
				}
				if tc.code == "" {
					if err != nil || string(reply.Result) != tc.want {
						t.Errorf("result %s, error %v; want %s", reply.Result, err, tc.want)
					}
					return
				}
				checkFailure(t, err, tc.want, tc.code, tc.outcome)
			})
		}
	}
}

func checkFailure(t *testing.T, err error, reason string, code interlock.Code, outcome interlock.Outcome) {
	t.Helper()
	var e *interlock.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v is no *interlock.Error", err)
	}
	if string(e.Reason) != reason || e.Code != code || e.Outcome != outcome || e.Stage != "invoke" {
		t.Errorf("%s, %s, %s at %s; want %s, %s, %s", e.Reason, e.Code, e.Outcome, e.Stage, reason, code, outcome)
	}
	if strings.Contains(err.Error(), "POISON") || e.Public == "" {
		t.Errorf("the error repeats the answer, or says nothing: %v", err)
	}
}

// A write on a connection that has been used before must not be sent again by
// the HTTP library when that connection turns out to be dead.
func TestWriteIsSentOnceOnAnOldConnection(t *testing.T) {
	for _, method := range []string{"GET", "HEAD", "POST", "DELETE"} {
		var count atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if count.Add(1) > 1 {
				hang(w, "")
				return
			}
			_, _ = w.Write([]byte("1"))
		}))
		c := client(t, Options{Backoff: time.Millisecond})
		raw := encode(t, Binding{Method: method, URL: server.URL, Trusted: true})
		if _, err := c.Call(context.Background(), interlock.Outbound{Binding: raw, Effect: interlock.EffectRead}); err != nil {
			t.Fatal(err)
		}
		_, err := c.Call(context.Background(), interlock.Outbound{Binding: raw, Effect: interlock.EffectDestructive})
		checkFailure(t, err, "indeterminate", interlock.CodeIndeterminate, interlock.OutcomeUnknown)
		if count.Load() != 2 {
			t.Errorf("%s: %d requests came, want 2", method, count.Load())
		}
		server.Close()
	}
}

func TestRetryMayBeAnswered(t *testing.T) {
	var count atomic.Int32
	address, _ := recorder(t, func(w http.ResponseWriter, _ *http.Request) {
		if count.Add(1) < 3 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_, _ = w.Write([]byte(`"third"`))
	})
	c := client(t, Options{Backoff: time.Millisecond, Random: func() float64 { return 0 }})
	reply, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, Binding{Method: "GET", URL: address, Trusted: true}), Effect: interlock.EffectRead})
	if err != nil || string(reply.Result) != `"third"` || reply.Status != 200 {
		t.Errorf("%s %d %v", reply.Result, reply.Status, err)
	}
}

func TestHeadHasNoBody(t *testing.T) {
	address, _ := recorder(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "1000000") })
	reply, err := client(t, Options{}).Call(context.Background(), interlock.Outbound{Binding: encode(t, Binding{Method: "HEAD", URL: address, Trusted: true}), MaxResult: 10})
	if err != nil || string(reply.Result) != "null" {
		t.Errorf("%s %v", reply.Result, err)
	}
}

// Whatever a binding and arguments hold, composing gives a message or a typed
// failure, and the path is the template's.
func FuzzCompose(f *testing.F) {
	f.Add(`{"method":"GET","url":"http://h/{a}?x","trusted":true,"params":[{"arg":"a","name":"a","in":"path","style":"matrix","explode":true}],"query":true}`, `{"a":{"k":"v"},"b":[1.10,[2]]}`)
	f.Add(`{"method":"POST","url":"http://h/","params":[{"arg":"q","name":"q","in":"query","style":"deepObject"},{"arg":"c","name":"c","in":"cookie","style":"form"}],"body":{"media":"multipart/form-data","files":["f"]}}`, `{"q":{"a":{"b":1}},"f":"AAEC","g":[{}]}`)
	f.Add(`{"method":"PUT","url":"https://h/x","body":{"media":"text/plain","arg":"b"}}`, `{"b":"x"}`)
	c, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, binding, args string) {
		if rawjson.Check([]byte(args), rawjson.Limits{}) != nil {
			return
		}
		m, err := compose([]byte(binding), []byte(args))
		if err == nil {
			_, err = c.request(context.Background(), m)
		}
		var e *interlock.Error
		if err != nil && (!errors.As(err, &e) || e.Outcome != interlock.OutcomeNotSent) {
			t.Errorf("%s %s: %v", binding, args, err)
		}
	})
}

func TestRetryStaysInsideTheTime(t *testing.T) {
	address, seen := recorder(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	start := time.Now()
	_, err := client(t, Options{}).Call(context.Background(), interlock.Outbound{Binding: encode(t, Binding{Method: "GET", URL: address, Trusted: true}), Effect: interlock.EffectRead, Timeout: 20 * time.Second})
	checkFailure(t, err, "source-failed", interlock.CodeUpstream, interlock.OutcomeFailed)
	if len(*seen) != 1 || time.Since(start) > 15*time.Second {
		t.Errorf("%d requests in %s; a wait of 60 s does not fit and must not be begun", len(*seen), time.Since(start))
	}
}

func TestNotSent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := "http://" + l.Addr().String()
	_ = l.Close()
	c := client(t, Options{Backoff: time.Millisecond})
	for _, effect := range []interlock.Effect{interlock.EffectRead, interlock.EffectWrite} {
		_, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, Binding{Method: "POST", URL: dead + "/x?key=SECRET", Trusted: true}), Effect: effect})
		checkFailure(t, err, "source-unreachable", interlock.CodeUnavailable, interlock.OutcomeNotSent)
		if strings.Contains(err.Error(), "SECRET") {
			t.Errorf("the error repeats the query: %v", err)
		}
	}
	for _, raw := range []string{"", "{}", `{"method":"GET","url":"file:///etc/passwd"}`, `{"method":"GET","url":"http://a/{x}"}`} {
		_, err := c.Call(context.Background(), interlock.Outbound{Binding: []byte(raw)})
		checkFailure(t, err, "unavailable", interlock.CodeUnavailable, interlock.OutcomeNotSent)
	}
	_, err = c.Call(context.Background(), interlock.Outbound{Binding: encode(t, Binding{Method: "POST", URL: dead, Trusted: true}), Args: []byte("[]")})
	checkFailure(t, err, "arguments-invalid", interlock.CodeInvalid, interlock.OutcomeNotSent)
}

func TestCancelled(t *testing.T) {
	arrived := make(chan struct{}, 2)
	address, _ := recorder(t, func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	c := client(t, Options{})
	for effect, want := range map[interlock.Effect]interlock.Reason{interlock.EffectRead: interlock.ReasonCancelled, interlock.EffectWrite: interlock.ReasonIndeterminate} {
		ctx, cancel := context.WithCancel(context.Background())
		go func() { <-arrived; cancel() }()
		_, err := c.Call(ctx, interlock.Outbound{Binding: encode(t, Binding{Method: "POST", URL: address, Trusted: true}), Effect: effect})
		if interlock.ReasonOf(err) != want {
			t.Errorf("%s: %v, want %s", effect, err, want)
		}
		cancel()
	}
}

// What a document names is judged by the address it leads to, however spelled.
func TestGuard(t *testing.T) {
	address, seen := recorder(t, nil)
	port := address[strings.LastIndex(address, ":"):]
	c := client(t, Options{Backoff: time.Millisecond})
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "2130706433", "0x7f000001", "127.1", "0.0.0.0", "[::]",
		"10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[fd00::1]", "[fe80::1]", "[::ffff:10.0.0.1]", "[2002:7f00:1::]", "224.0.0.1", "localhost."} {
		b := Binding{Method: "GET", URL: "http://" + host + port + "/"}
		_, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, b), Effect: interlock.EffectRead, Timeout: 2 * time.Second})
		if e := interlock.AsError(err); err == nil || e.Outcome != interlock.OutcomeNotSent || e.Reason != interlock.ReasonSourceUnreachable && e.Reason != interlock.ReasonTimeout {
			t.Errorf("%s: %v; want a refusal before anything is sent", host, err)
		}
	}
	if len(*seen) != 0 {
		t.Errorf("%d requests went inside", len(*seen))
	}
	if _, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, Binding{Method: "GET", URL: address, Trusted: true})}); err != nil {
		t.Errorf("the operator's own address: %v", err)
	}
}

// TestEachWritingIsAskedFor: a call is written only while it may be, the first
// time and each further one, over a fresh connection and a kept one.
func TestEachWritingIsAskedFor(t *testing.T) {
	barred := &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonFingerprintChanged, Outcome: interlock.OutcomeNotSent, Stage: "invoke", Public: "Not any more."}
	for _, tc := range []struct {
		name    string
		allowed int32 // how often it may be written
		sent    int32
		reason  string
	}{
		{"never", 0, 0, "fingerprint-changed"},
		{"once", 1, 1, "source-failed"},
		{"as often as it is tried", 99, 3, "source-failed"},
	} {
		for _, warm := range []bool{false, true} {
			t.Run(fmt.Sprint(tc.name, " ", warm), func(t *testing.T) {
				var count, asked atomic.Int32
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/warm" {
						_, _ = w.Write([]byte("1"))
						return
					}
					count.Add(1)
					w.WriteHeader(http.StatusServiceUnavailable)
				}))
				defer server.Close()
				c := client(t, Options{Backoff: time.Millisecond})
				if warm {
					if _, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, Binding{Method: "GET", URL: server.URL + "/warm", Trusted: true}), Effect: interlock.EffectRead}); err != nil {
						t.Fatal(err)
					}
				}
				_, err := c.Call(context.Background(), interlock.Outbound{Binding: encode(t, Binding{Method: "POST", URL: server.URL, Trusted: true}), Effect: interlock.EffectRead,
					Dispatched: func() error {
						if asked.Add(1); count.Load() >= tc.allowed {
							return barred
						}
						return nil
					}})
				if interlock.ReasonOf(err) != interlock.Reason(tc.reason) || count.Load() != tc.sent || asked.Load() == 0 {
					t.Errorf("%v after %d requests and %d questions; want %s after %d", err, count.Load(), asked.Load(), tc.reason, tc.sent)
				}
			})
		}
	}
}
