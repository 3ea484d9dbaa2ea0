package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/policy"
)

// TestTakenWhileItRan: a tool is taken from its caller while his call runs at
// the source. Every face tells him of a call that was sent and failed, in the
// same bytes whatever took the tool and whatever came of the call.
func TestTakenWhileItRan(t *testing.T) {
	const permit = `permit (principal, action in [Action::"discover", Action::"invoke", Action::"readField"], resource);`
	laws := func(text string) *policy.Set {
		set, err := policy.Load([]policy.File{{Name: "laws.cedar", Text: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	p := newPane(t)
	cat := interlock.Catalogue{Source: "s0", Operations: []interlock.Operation{{Name: "ring", Version: "1.0.0", Effect: interlock.EffectRead, Binding: json.RawMessage(`"b"`),
		Variants: []interlock.Variant{{ID: "d", Description: "Ring the bell"}}, InputSchema: json.RawMessage(`{"type":"object"}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"}}}`)}}}
	tw := &twin{laws: permit, token: auth.Token{Name: "alice", Secret: "alice-token-0000000000000000", Tenant: "a", Allow: []string{"*"}}}
	ways := map[string]func() error{
		"hidden":         func() error { p.router.SetPolicies(laws("")); return nil },
		"removed":        func() error { p.shelf = nil; return p.router.Remove(context.Background(), interlock.Local(), "s0") },
		"another's":      func() error { return add(p, "z") },
		"hidden, failed": func() error { p.router.SetPolicies(laws("")); return errors.New("SECRET") },
	}
	faces := map[string]struct {
		q    question
		says []string
	}{
		"http": {question{"call", func(p *pane) string { return web("POST", "/v1/call", ring(p)).ask(p) }}, []string{"502", "urn:interlock:problem:result-withheld", `"stage":"validate"`, `"outcome":"unknown"`}},
		"mcp":  {question{"call_tool", func(p *pane) string { return tool("call_tool", ring(p)).ask(p) }}, []string{"200", `"isError":true`, `"reason":"result-withheld"`, `"outcome":"unknown"`}},
		"cli":  {question{"call", func(p *pane) string { return p.command("call", "s0/ring", "--json") }}, []string{"exit 1", `"reason":"result-withheld"`, `"outcome":"unknown"`}},
	}
	for face, f := range faces {
		answers := map[string]bool{}
		for name, take := range ways {
			p.sent = nil
			p.set(t, tw, map[string]interlock.Catalogue{"s0": cat})
			p.sent = func(call interlock.Outbound) error {
				if err := call.Dispatched(); err != nil {
					return err
				}
				return take()
			}
			got := f.q.ask(p)
			answers[got] = true
			for _, want := range f.says {
				if !strings.Contains(got, want) {
					t.Errorf("%s, %s: %s\nsays nothing of %s", face, name, got, want)
				}
			}
			if strings.Contains(got, `"by":`) || strings.Contains(got, "SECRET") {
				t.Errorf("%s, %s: %s\nreleases what came", face, name, got)
			}
		}
		if len(answers) != 1 {
			t.Errorf("%s tells apart what took the tool: %v", face, answers)
		}
	}
}

// ring finds the tool and gives the call of it.
func ring(p *pane) string {
	found := p.http("POST", "/v1/resolve", `{"need":"s0/ring","constraints":[{"family":"s0.ring","range":"*"}]}`, nil)
	return fmt.Sprintf(`{"offer":%q,"args":{}}`, offerText.FindString(found))
}

// add registers the source of the pane anew, as a tenant's.
func add(p *pane, tenant string) error {
	_, err := p.router.Add(context.Background(), interlock.Local(), interlock.SourceConfig{Name: "s0", Kind: interlock.KindManifest, Tenant: tenant})
	return err
}
