package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/policy"
)

const (
	listLaws = `permit (principal == Principal::"alice", action, resource) when { !(resource is Tool) || resource.source == "s0" };
permit (principal == Principal::"bob", action, resource) when { resource is Field || resource is Tool && resource.source == "s1" };`
	listLawsRevoked = `permit (principal == Principal::"alice", action == Action::"discover", resource) when { resource.family == "s0.one" };`
	bobs            = "Bearer bob-token-000000000000000000"
)

// listed is a pane whose sources alice and bob see one each; alice reads the log.
func listed(t *testing.T) *pane {
	t.Helper()
	p := newPane(t)
	cats := map[string]interlock.Catalogue{}
	for s, mark := range map[string]string{"s0": "MARKALICE", "s1": "MARKBOB"} {
		cat := interlock.Catalogue{Source: s}
		for _, name := range []string{"one", "two"} {
			cat.Operations = append(cat.Operations, interlock.Operation{Name: name, Effect: interlock.EffectRead, Binding: json.RawMessage(`"b"`), InputSchema: json.RawMessage(`{"type":"object"}`),
				Variants: []interlock.Variant{{ID: "d", Description: "Ring for " + mark + name}}})
		}
		cats[s] = cat
	}
	p.set(t, &twin{token: auth.Token{Name: "alice", Secret: "alice-token-0000000000000000"}}, cats)
	setLaws(t, p, listLaws)
	guard, err := auth.New(auth.Config{Mode: auth.ModeBearer, Tokens: []auth.Token{{Name: "alice", Secret: "alice-token-0000000000000000"}, {Name: "bob", Secret: interlock.Secret(strings.TrimPrefix(bobs, "Bearer "))}}}, auth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p.public, err = httpapi.Public(p.router, p.router, guard, httpapi.Options{MCP: p.mcp, Holds: p.router.Holds}); err != nil {
		t.Fatal(err)
	}
	return p
}

func setLaws(t *testing.T, p *pane, text string) {
	t.Helper()
	set, err := policy.Load([]policy.File{{Name: "laws.cedar", Text: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	p.router.SetPolicies(set)
}

// cursorOf is a cursor as the library of the MCP face writes it, for a name.
func cursorOf(name string) string {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(struct{ LastUID string }{name}); err != nil {
		panic(err)
	}
	return base64.URLEncoding.EncodeToString(b.Bytes())
}

// TestForgedCursors: over MCP no cursor gives anybody what the list without one
// does not: it is refused in the protocol's words, or gives a part of that list,
// which is the same for everyone.
func TestForgedCursors(t *testing.T) {
	p := listed(t)
	whole := map[string]string{}
	for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"} {
		whole[method] = p.rpc(method, "", `{}`)
		bob := p.http("POST", "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, method, modernMeta), map[string]string{
			"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": era, "Mcp-Method": method, "Authorization": bobs})
		if bob != whole[method] {
			t.Errorf("%s differs between principals:\n%s\n%s", method, bob, whole[method])
		}
		if strings.Contains(whole[method], "nextCursor") {
			t.Errorf("%s has pages, and nobody attacks their cursors here: %s", method, whole[method])
		}
	}
	if !strings.Contains(whole["tools/list"], "find_tools") {
		t.Fatalf("tools/list: %s", whole["tools/list"])
	}
	cursors := []string{`""`, `"x"`, `"=="`, `7`, `null`, `{}`, `[]`, `"` + strings.Repeat("A", 100_000) + `"`, `"-1"`, `"0"`, `"\u0000"`}
	for _, name := range []string{"", "call_tool", "find_tools", "s0/one", "s1/one", "s1", "zzz", "\u202e", strings.Repeat("a", 10_000)} {
		cursors = append(cursors, `"`+cursorOf(name)+`"`, `"`+cursorOf(name)[:8]+`"`)
	}
	refused := 0
	for method, all := range whole {
		for _, cursor := range cursors {
			got := p.rpc(method, "", `{"cursor":`+cursor+`}`)
			name := cursor[:min(60, len(cursor))]
			if strings.Contains(got, "MARK") || strings.HasPrefix(got, "5") {
				t.Errorf("%s after %s: %s", method, name, got)
			}
			if strings.Contains(got, `"error"`) {
				refused++
				if !strings.Contains(got, `"code":-32602`) && !strings.Contains(got, `"code":-32601`) {
					t.Errorf("%s after %s is refused otherwise: %s", method, name, got)
				}
				continue
			}
			for _, tool := range namesIn(got) {
				if !strings.Contains(all, `"name":"`+tool+`"`) {
					t.Errorf("%s after %s has %s, which the list has not", method, name, tool)
				}
			}
		}
	}
	if refused < 20 {
		t.Errorf("only %d cursors were refused", refused)
	}
}

func namesIn(text string) (names []string) {
	for {
		_, rest, ok := strings.Cut(text, `"name":"`)
		if !ok {
			return names
		}
		name, more, _ := strings.Cut(rest, `"`)
		names, text = append(names, name), more
	}
}

// TestListsGoOnByRightsOfNow: over HTTP where a list goes on, and what a caller
// says he has of it already, count for nothing against what he may see now.
func TestListsGoOnByRightsOfNow(t *testing.T) {
	p := listed(t)
	as := func(who, path string, headers map[string]string) string {
		all := map[string]string{}
		for k, v := range headers {
			all[k] = v
		}
		if who == "bob" {
			all["Authorization"] = bobs
		}
		return p.http("GET", path, "", all)
	}
	tagOf := func(answer string) string {
		_, rest, _ := strings.Cut(answer, "Etag[")
		tag, _, _ := strings.Cut(rest, "]")
		return tag
	}
	alice, bob := as("alice", "/v1/tools", nil), as("bob", "/v1/tools", nil)
	if !strings.Contains(alice, "s0/two") || strings.Contains(alice, "s1/") || !strings.Contains(bob, "s1/two") || strings.Contains(bob, "s0/") || tagOf(alice) == "" || tagOf(alice) == tagOf(bob) {
		t.Fatalf("alice %s\nbob %s", alice, bob)
	}
	if got := as("alice", "/v1/tools", map[string]string{"If-None-Match": tagOf(alice)}); !strings.HasPrefix(got, "304") {
		t.Errorf("one's own tag: %s", got)
	}
	// Another's tag, and a forged one, give the list of who asks.
	for _, tag := range []string{tagOf(bob), `"00000000000000000000000000000000"`, `W/` + tagOf(bob), strings.Repeat(`"x",`, 1000), `"`} {
		if got := as("alice", "/v1/tools", map[string]string{"If-None-Match": tag}); got != alice {
			t.Errorf("with the tag %.40s: %s", tag, got)
		}
	}
	// Members of a query that no list has change nothing.
	for _, path := range []string{"/v1/tools", "/v1/sources", "/v1/approvals"} {
		want := as("alice", path, nil)
		for _, q := range []string{"?cursor=" + cursorOf("s1/one"), "?after=s0/two", "?from=1&limit=1", "?page=2", "?principal=bob"} {
			if got := as("alice", path+q, nil); got != want {
				t.Errorf("%s%s: %s", path, q, got)
			}
		}
	}
	first := as("alice", "/v1/log?from=0&limit=2", nil)
	var page struct{ Next *int64 }
	if _, body, _ := strings.Cut(first, "\n"); json.Unmarshal([]byte(body), &page) != nil || page.Next == nil {
		t.Fatalf("the first page of the log: %s", first)
	}
	next := fmt.Sprintf("/v1/log?from=%d&limit=2", *page.Next)
	for _, odd := range []string{"-1", "1e3", "99999999999999999999", "x", "0x10", "%00"} {
		if got := as("alice", "/v1/log?from="+odd, nil); !strings.HasPrefix(got, "400") {
			t.Errorf("the log from %s: %s", odd, got)
		}
	}
	for _, path := range []string{next, "/v1/log?from=0", "/v1/log?from=999999"} {
		if got := as("bob", path, nil); !strings.HasPrefix(got, "403") || strings.Contains(got, "entries") {
			t.Errorf("the log, going on where alice is, for bob: %s", got)
		}
	}
	if got := as("alice", next, nil); !strings.HasPrefix(got, "200") {
		t.Errorf("the next page of the log: %s", got)
	}
	setLaws(t, p, listLawsRevoked)
	if got := as("alice", next, nil); !strings.HasPrefix(got, "403") || strings.Contains(got, "entries") {
		t.Errorf("the next page after the right was revoked: %s", got)
	}
	got := as("alice", "/v1/tools", map[string]string{"If-None-Match": tagOf(alice)})
	if !strings.HasPrefix(got, "200") || !strings.Contains(got, "s0/one") || strings.Contains(got, "s0/two") {
		t.Errorf("the tag of before, after a right was revoked: %s", got)
	}
	// And of an earlier generation.
	setLaws(t, p, listLaws)
	if err := p.router.Remove(context.Background(), interlock.Local(), "s1"); err != nil {
		t.Fatal(err)
	}
	if got := as("bob", "/v1/tools", map[string]string{"If-None-Match": tagOf(bob)}); !strings.HasPrefix(got, "200") || strings.Contains(got, "s1/") {
		t.Errorf("the tag of an earlier generation: %s", got)
	}
	if got := as("alice", "/v1/tools", map[string]string{"If-None-Match": tagOf(alice)}); !strings.HasPrefix(got, "304") {
		t.Errorf("what alice sees did not change: %s", got)
	}
}
