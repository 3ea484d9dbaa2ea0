package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

// everyTransport runs a test over each way that a server is reached.
func everyTransport(t *testing.T, test func(t *testing.T, s *source)) {
	t.Run("stdio", func(t *testing.T) { s, _ := openChild(t, Options{}, "legacy"); test(t, s) })
	t.Run("stdio modern", func(t *testing.T) { s, _ := openChild(t, Options{}, "modern"); test(t, s) })
	web := func(w *webServer) func(*testing.T) {
		return func(t *testing.T) {
			w.session.Store(1)
			if w.raw.modern {
				w.session.Store(0)
			}
			test(t, openWeb(t, Options{}, w))
		}
	}
	t.Run("http json", web(&webServer{raw: &rawServer{}}))
	t.Run("http sse", web(&webServer{raw: &rawServer{}, sse: true}))
	t.Run("http json modern", web(&webServer{raw: &rawServer{modern: true}}))
	t.Run("http sse modern", web(&webServer{raw: &rawServer{modern: true}, sse: true}))
}

func TestArgumentsAndResultsPassUnchanged(t *testing.T) {
	args := `{"z":9223372036854775807,"a":1e400,"m":-0,"b":1.10,"s":"\u00e9\/<>&` + "\u2028" + `","n":null,"deep":{"k":[1.0,{"é":"\ud83d\ude00"}]},"empty":{}}`
	everyTransport(t, func(t *testing.T, s *source) {
		reply, err := s.Call(context.Background(), outbound(s, "echo", args, interlock.EffectRead))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(args, string(reply.Result)); diff != "" {
			t.Errorf("result (-sent +got):\n%s", diff)
		}
		if want := `[{"type":"text","text":"\u00e9\/"}]`; string(reply.Content) != want {
			t.Errorf("content = %s, want %s", reply.Content, want)
		}
	})
}

func TestLineEndsInArguments(t *testing.T) {
	s, _ := openChild(t, Options{}, "legacy")
	reply, err := s.Call(context.Background(), outbound(s, "echo", " {\n\"a\":\r\n1.10,\"b\":\"x\" }\n", interlock.EffectRead))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.ReplaceAll(string(reply.Result), " ", ""); got != "{\"a\":1.10,\"b\":\"x\"}" {
		t.Errorf("result = %s", got)
	}
}

// TestAnswers goes through what a server can say to a call.
func TestAnswers(t *testing.T) {
	type want struct {
		Result, Content string
		Code            interlock.Code
		Reason          interlock.Reason
		Outcome         interlock.Outcome
		Detail          string
	}
	const read, write = interlock.EffectRead, interlock.EffectWrite
	tests := []struct {
		tool, args string
		effect     interlock.Effect
		want       want
	}{
		{"unstructured", `{}`, read, want{Result: `{"content":[ {"type":"text","text":"{\"a\":1}"} ]}`, Content: `[ {"type":"text","text":"{\"a\":1}"} ]`}},
		{"bare", `{}`, read, want{Result: `{"other":1e400}`}},
		{"echo", ``, read, want{Result: `{}`, Content: `[{"type":"text","text":"\u00e9\/"}]`}},
		{"fails", `{}`, write, want{Code: interlock.CodeUpstream, Reason: interlock.ReasonToolError, Outcome: interlock.OutcomeFailed,
			Result: `{"n":1.10}`, Content: `[{"type":"text","text":"no \u00e9"}]`,
			Detail: `{"content":[{"type":"text","text":"no \u00e9"}],"structuredContent":{"n":1.10}}`}},
		{"badparams", `{}`, write, want{Code: interlock.CodeUpstream, Reason: interlock.ReasonSourceRefused, Outcome: interlock.OutcomeFailed,
			Result: `{"code":-32602,"message":"bad \u00e9","data":{"n":1e400}}`, Detail: `{"code":-32602,"message":"bad \u00e9","data":{"n":1e400}}`}},
		{"broken", `{}`, write, want{Code: interlock.CodeUpstream, Reason: interlock.ReasonSourceFailed, Outcome: interlock.OutcomeFailed,
			Result: `{"code":-32603,"message":"it broke"}`, Detail: `{"code":-32603,"message":"it broke"}`}},
		{"gone", `{}`, read, want{Code: interlock.CodeUnavailable, Reason: interlock.ReasonUnavailable, Outcome: interlock.OutcomeFailed,
			Result: `{"code":-32602,"message":"Unknown tool: gone"}`, Detail: `{"code":-32602,"message":"Unknown tool: gone"}`}},
		{"malformed", `{}`, read, want{Code: interlock.CodeUpstream, Reason: interlock.ReasonResultMalformed, Outcome: interlock.OutcomeFailed}},
		{"malformed", `{}`, write, want{Code: interlock.CodeUpstream, Reason: interlock.ReasonResultMalformed, Outcome: interlock.OutcomeUnknown}},
		{"textcontent", `{}`, read, want{Code: interlock.CodeUpstream, Reason: interlock.ReasonResultMalformed, Outcome: interlock.OutcomeFailed}},
		{"asksback", `{}`, read, want{Code: interlock.CodeUpstream, Reason: interlock.ReasonSourceFailed, Outcome: interlock.OutcomeFailed}},
		{"huge", `{"bytes":3000}`, read, want{Code: interlock.CodeTooLarge, Reason: interlock.ReasonResultTooLarge, Outcome: interlock.OutcomeFailed}},
		{"huge", `{"bytes":300000}`, write, want{Code: interlock.CodeTooLarge, Reason: interlock.ReasonResultTooLarge, Outcome: interlock.OutcomeUnknown}},
		{"echo", `[1]`, read, want{Code: interlock.CodeInvalid, Reason: interlock.ReasonArgumentsInvalid, Outcome: interlock.OutcomeNotSent}},
		{"echo", `{},"x":{}`, read, want{Code: interlock.CodeInvalid, Reason: interlock.ReasonArgumentsInvalid, Outcome: interlock.OutcomeNotSent}},
	}
	everyTransport(t, func(t *testing.T, s *source) {
		for _, tt := range tests {
			call := outbound(s, tt.tool, tt.args, tt.effect)
			call.MaxResult = 2000
			reply, err := s.Call(context.Background(), call)
			got := want{Result: string(reply.Result), Content: string(reply.Content)}
			if e := (*interlock.Error)(nil); errors.As(err, &e) {
				got.Code, got.Reason, got.Outcome, got.Detail = e.Code, e.Reason, e.Outcome, string(e.Detail)
				if e.Public == "" || e.Stage != "invoke" {
					t.Errorf("%s: the error has public text %q and stage %q", tt.tool, e.Public, e.Stage)
				}
			} else if err != nil {
				t.Errorf("%s: %v is no typed error", tt.tool, err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", tt.tool, tt.args, diff)
			}
		}
		if _, err := s.Call(context.Background(), outbound(s, "echo", `{}`, interlock.EffectWrite)); err != nil {
			t.Errorf("the session did not survive: %v", err)
		}
	})
}

func TestNullResultByEra(t *testing.T) {
	everyTransport(t, func(t *testing.T, s *source) {
		reply, err := s.Call(context.Background(), outbound(s, "nullstructured", `{}`, interlock.EffectRead))
		if err != nil {
			t.Fatal(err)
		}
		want := `{"content":[]}`
		if s.current.Load().modern {
			want = `null`
		}
		if string(reply.Result) != want {
			t.Errorf("result = %s, want %s", reply.Result, want)
		}
	})
}

// TestServerAsks checks that what is not offered is refused aloud.
func TestServerAsks(t *testing.T) {
	everyTransport(t, func(t *testing.T, s *source) {
		if name := t.Name(); strings.Contains(name, "json") || strings.Contains(name, "modern") {
			t.Skip("a server has no way to ask here")
		}
		reply, err := s.Call(context.Background(), outbound(s, "asks", `{}`, interlock.EffectRead))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Error struct{ Code int } }
		if err := json.Unmarshal(reply.Result, &got); err != nil || got.Error.Code == 0 {
			t.Errorf("the server got %s, want an error", reply.Result)
		}
		reply, err = s.Call(context.Background(), outbound(s, "pings", `{}`, interlock.EffectRead))
		if err != nil || !strings.Contains(string(reply.Result), `"result":{}`) {
			t.Errorf("a ping got %s, %v", reply.Result, err)
		}
	})
}

func TestTextThatRepeatsIsCountedOnce(t *testing.T) {
	structured := `{"a":"` + strings.Repeat("x", 900) + `"}`
	quoted, _ := json.Marshal(structured)
	content := `[{"type":"text","text":` + string(quoted) + `}]`
	for _, tt := range []struct {
		name, content, structured string
		limit                     int64
		want                      bool
	}{
		{"repeats", content, structured, 1000, false},
		{"says more", strings.Replace(content, "x", "y", 1), structured, 1000, true},
		{"two blocks", `[{"type":"text","text":"a"},` + content[1:], structured, 1000, true},
		{"structured alone too large", content, structured, 900, true},
		{"no structured", content, "", 900, true},
		{"fits", content, structured, 5000, false},
	} {
		var s []byte
		if tt.structured != "" {
			s = []byte(tt.structured)
		}
		if got := overLimit([]byte(tt.content), s, tt.limit); got != tt.want {
			t.Errorf("%s: over the limit = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestBindingGuardsTheEndpoint(t *testing.T) {
	s := openSource(t, Options{}, interlock.SourceConfig{URL: "http://127.0.0.1:1/mcp"})
	other := binding{Transport: "http", URL: "http://127.0.0.1:2/mcp", Tool: "echo"}.encode()
	for _, tt := range []struct {
		operation string
		binding   string
		want      interlock.Reason
	}{
		{"echo", string(other), interlock.ReasonFingerprintChanged},
		{"other", string(s.bind("echo", nil)), interlock.ReasonFingerprintChanged},
		{"echo", "", interlock.ReasonUnavailable},
		{"echo", `{"transport":"http"}`, interlock.ReasonUnavailable},
		{"echo", `{"tool":"echo","url":"http://127.0.0.1:1/mcp","transport":"http"}`, interlock.ReasonSourceUnreachable},
	} {
		_, err := s.Call(context.Background(), interlock.Outbound{Operation: tt.operation, Binding: json.RawMessage(tt.binding), Args: json.RawMessage(`{}`)})
		e := interlock.AsError(err)
		if e.Reason != tt.want || e.Outcome != interlock.OutcomeNotSent {
			t.Errorf("%s over %s: %s, %s; want %s, not_sent", tt.operation, tt.binding, e.Reason, e.Outcome, tt.want)
		}
	}
}

// TestEachWritingIsAskedFor: what may not be written is not, the first time or
// once more, and a repeat that may not be is no refusal of what was sent.
func TestEachWritingIsAskedFor(t *testing.T) {
	barred := &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonFingerprintChanged, Outcome: interlock.OutcomeNotSent}
	everyTransport(t, func(t *testing.T, s *source) {
		call := outbound(s, "echo", `{}`, interlock.EffectRead)
		call.Dispatched = func() error { return barred }
		if _, err := s.Call(context.Background(), call); interlock.ReasonOf(err) != interlock.ReasonFingerprintChanged || interlock.AsError(err).Outcome != interlock.OutcomeNotSent {
			t.Errorf("%v", err)
		}
	})
	var cuts atomic.Int64
	srv := &webServer{raw: &rawServer{}}
	srv.session.Store(1)
	srv.before = func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
		if !strings.Contains(string(body), "tools/call") {
			return false
		}
		cuts.Add(1)
		conn, _, _ := http.NewResponseController(w).Hijack()
		_ = conn.Close()
		return true
	}
	s := openWeb(t, Options{}, srv)
	call := outbound(s, "echo", `{}`, interlock.EffectRead)
	call.Dispatched = func() error {
		if cuts.Load() > 0 {
			return barred
		}
		return nil
	}
	if _, err := s.Call(context.Background(), call); err == nil || interlock.ReasonOf(err) == interlock.ReasonFingerprintChanged || cuts.Load() != 1 {
		t.Errorf("%v after %d sends", err, cuts.Load())
	}
}
