package main

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestClientAndUpstream lets the client call the real upstream in both eras.
func TestClientAndUpstream(t *testing.T) {
	server := httptest.NewServer(upstreamHandler())
	defer server.Close()
	for _, era := range []string{sessionEra, statelessEra} {
		t.Run(era, func(t *testing.T) {
			c, err := dial(t.Context(), server.URL, era)
			if err != nil {
				t.Fatal(err)
			}
			defer c.close()
			if has := c.session != ""; has != (era == sessionEra) {
				t.Errorf("a session: %t", has)
			}
			for range 3 { // over one connection and session
				got, err := c.call(t.Context(), "echo", []byte(`{"message":"seven"}`), "seven")
				if err != nil || string(got) != `{"message":"seven"}` {
					t.Fatalf("echo gives %s, %v", got, err)
				}
			}
			if _, err := c.call(t.Context(), "echo", []byte(`{"message":"seven"}`), "eight"); err == nil {
				t.Error("an answer without the expected text passes")
			}
			if _, err := c.call(t.Context(), "echo", []byte(`{"massage":"seven"}`), "massage"); err == nil {
				t.Error("a failed call passes")
			}
			if _, err := c.call(t.Context(), "none", []byte(`{}`), ""); err == nil {
				t.Error("a tool that is not there answers")
			}
		})
	}
}

// TestDrive counts what is right and what is wrong.
func TestDrive(t *testing.T) {
	server := httptest.NewServer(upstreamHandler())
	defer server.Close()
	for _, callers := range []int{1, 4} {
		good := sides(server.URL, "")[0]
		took, wall, err := good.drive(t.Context(), statelessEra, callers, 40)
		if err != nil || len(took) != 40 || good.wrong.Load() != 0 || wall < took.quantile(0) {
			t.Errorf("%d callers: %d calls in %v, %d wrong, %v", callers, len(took), wall, good.wrong.Load(), err)
		}
	}
	bad := sides(server.URL, "")[0]
	bad.expect = "what nobody says"
	if _, _, err := bad.drive(t.Context(), sessionEra, 1, 10); err == nil || bad.wrong.Load() == 0 {
		t.Errorf("wrong answers alone: error %v, %d wrong", err, bad.wrong.Load())
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, _, err := sides(server.URL, "")[0].drive(ctx, sessionEra, 1, 1<<30); err == nil {
		t.Error("a run that is over goes on")
	}
}

func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{"http://127.0.0.1:1/mcp": true, "http://[::1]:1/mcp": true, "http://10.0.0.1/mcp": false, "http://example.com/mcp": false, "://": false} {
		if got := loopback(address) == nil; got != want {
			t.Errorf("%s is put under load: %t, want %t", address, got, want)
		}
	}
}

func TestEvents(t *testing.T) {
	for stream, want := range map[string][]string{
		"":              nil,
		"data: one\n\n": {"one"},
		"event: message\ndata: one\n\ndata:two\n\n":  {"one", "two"},
		"data: one\ndata: more\r\n\r\n: comment\n\n": {"one\nmore"},
		"data: cut": {"cut"},
	} {
		var got []string
		for _, e := range events([]byte(stream)) {
			got = append(got, string(e))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", stream, diff)
		}
	}
}

func TestAnswerAmong(t *testing.T) {
	for _, tc := range []struct {
		messages string
		want     string
		bad      bool
	}{
		{`{"id":7,"result":{"a":1}}`, `{"a":1}`, false},
		{"{\"method\":\"notifications/progress\"}\n{\"id\":6,\"result\":1}\n{\"id\":7,\"result\":2}", `2`, false},
		{`{"id":7,"error":{"code":-32602,"message":"no"}}`, "", true},
		{`{"id":8,"result":1}`, "", true},
		{`no JSON`, "", true},
		{``, "", true},
	} {
		var messages [][]byte
		for _, m := range strings.Split(tc.messages, "\n") {
			messages = append(messages, []byte(m))
		}
		got, err := answerAmong(messages, 7)
		if (err != nil) != tc.bad || string(got) != tc.want {
			t.Errorf("%s: %s, %v", tc.messages, got, err)
		}
	}
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte("data: {\"id\":1,\"result\":{}}\n\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		if len(stream) > 0 && len(events(stream)) > strings.Count(string(stream), "data:") {
			t.Error("more events than lines of data")
		}
		_, _ = answerAmong(events(stream), 1)
	})
}
