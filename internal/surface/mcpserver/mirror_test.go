package mcpserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock/internal/surface/mcpserver"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

// TestMirroredHeaders: what a request asks for is decided from its body alone. In
// the newer era headers repeat the method and the tool for those who stand in
// between; where they say something else, or nothing, the request is refused and
// nothing is done. (In the older era they mean nothing: see the short way's tests.)
func TestMirroredHeaders(t *testing.T) {
	r := surfacetest.New()
	url := web(t, r, bearer(t), mcpserver.Options{})
	offer := webCaller(t, url, aliceKey, modernEra).offer(t, surfacetest.Echo)
	before := r.Calls()
	body := func(method, tool string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,"name":%q,"arguments":{"offer":%s,"args":{}}}}`, method, meta, tool, offer)
	}
	for _, c := range []struct{ method, name string }{
		{"tools/list", "call_tool"}, {"tools/call", "find_tools"}, {"tools/call", "call_tool_read"}, {"ping", "call_tool"}, {"tools/call", ""}, {"", "call_tool"},
		{"TOOLS/CALL", "call_tool"}, {"tools/call", "Call_tool"}, {"tools/call", "call_tool,find_tools"},
	} {
		status, _, said := post(t, url, aliceKey, "", modernEra, c.method, c.name, body("tools/call", "call_tool"))
		if status != http.StatusBadRequest || strings.Contains(said, `"result"`) || r.Calls() != before {
			t.Errorf("method %q and name %q: %d %s, %d calls", c.method, c.name, status, said, r.Calls()-before)
		}
	}
	before = r.Calls()
	if status, _, said := post(t, url, aliceKey, "", modernEra, "tools/call", "call_tool", body("tools/call", "call_tool")); status != 200 || r.Calls() != before+1 {
		t.Errorf("headers that agree: %d %s", status, said)
	}
	if status, _, said := post(t, url, aliceKey, "", modernEra, "tools/call", "call_tool", body("tools/call", "find_tools")); status != http.StatusBadRequest || strings.Contains(said, `"result"`) {
		t.Errorf("a body that the headers do not name: %d %s", status, said)
	}
}
