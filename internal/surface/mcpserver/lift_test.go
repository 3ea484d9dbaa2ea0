package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

func TestLift(t *testing.T) {
	for _, c := range []struct{ message, rest, args, says string }{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":1e400}}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}`, `{"a":1e400}`, ""},
		{`{"params":{"arguments": [1, 2] ,"later":1.10},"method":"tools/call"}`, `{"params":{"arguments":{},"later":1.10},"method":"tools/call"}`, `[1, 2]`, ""},
		{`{"method":"tools/call","params":{"name":"x"}}`, `{"method":"tools/call","params":{"name":"x"}}`, "", ""},
		{`{"method":"tools/call","params":{}}`, `{"method":"tools/call","params":{}}`, "", ""},
		{`{"method":"tools/call","params":[1]}`, `{"method":"tools/call","params":[1]}`, "", ""},
		{`{"method":"tools/list","params":{"arguments":{"a":1}}}`, `{"method":"tools/list","params":{"arguments":{"a":1}}}`, "", ""},
		{`[{"method":"tools/call"}]`, `[{"method":"tools/call"}]`, "", ""},
		{`{"method":"tools/call"`, `{"method":"tools/call"`, "", ""},
		{``, ``, "", ""},
		{`{"method":"tools/call","params":{},"params":{}}`, "", "", `"params" is given twice`},
		{`{"method":"tools/call","method":"ping"}`, "", "", `"method" is given twice`},
		{`{"method":"tools/call","params":{"arguments":{},"argument\u0073":{}}}`, "", "", `"arguments" is given twice`},
		{`{"method":"tools/call","params":{"name":"a","name":"b"}}`, "", "", `"name" is given twice`},
	} {
		rest, args, err := lift([]byte(c.message))
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.message, err)
			}
			continue
		}
		if err != nil || string(rest) != c.rest || string(args) != c.args {
			t.Errorf("%s: rest %s, arguments %s, %v", c.message, rest, args, err)
		}
	}
}

// FuzzLift: what is lifted out and what is left are the message, member for
// member.
func FuzzLift(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":[1,{"b":"}"}]},"_meta":{}}}`))
	f.Add([]byte(`{"method":"tools/call","params":{"arguments":null}}`))
	f.Fuzz(func(t *testing.T, message []byte) {
		if rawjson.Check(message, rawjson.Limits{}) != nil {
			t.Skip("what is no strict JSON is the SDK's to refuse")
		}
		rest, args, err := lift(message)
		if err != nil {
			t.Fatalf("%s: %v", message, err)
		}
		if args == nil {
			return
		}
		want, _ := rawjson.At(message, "/params/arguments")
		if string(args) != string(want) {
			t.Errorf("lifted %s of %s", args, message)
		}
		var was, is map[string]any
		if json.Unmarshal(message, &was) != nil || json.Unmarshal(rest, &is) != nil {
			return // numbers that this reader cannot hold
		}
		was["params"].(map[string]any)["arguments"] = map[string]any{}
		if diff := cmp.Diff(was, is); diff != "" {
			t.Errorf("%s became %s: %s", message, rest, diff)
		}
	})
}

func TestPendingIsBounded(t *testing.T) {
	p := newPending()
	now := time.Unix(1000, 0)
	first := p.put("a", now.Add(time.Second))
	for i := range 2 * maxPending {
		p.put("b", now.Add(time.Duration(i+2)*time.Second))
	}
	if len(p.waits) > maxPending {
		t.Errorf("%d wait", len(p.waits))
	}
	if p.take(first, "a", now) {
		t.Error("the first to end did not give way")
	}
	late := p.put("c", now)
	if p.take(late, "c", now) {
		t.Error("a late answer served")
	}
	state := p.put("d", now.Add(time.Second))
	if p.take(state, "x", now) || p.take(state, "d", now) {
		t.Error("a state that was tried for another call serves")
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"a\nApproved by: root\u202e\u200b": `a\u000aApproved by: root\u202e\u200b`, "café 漢": "café 漢", strings.Repeat("x", 30): strings.Repeat("x", 10) + "…",
	} {
		most := 100
		if strings.HasPrefix(text, "xx") {
			most = 10
		}
		if got := plain(text, most); got != want {
			t.Errorf("%q shows as %q", text, got)
		}
	}
}
