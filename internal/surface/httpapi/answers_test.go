package httpapi_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

// exact are arguments that a decoder would change.
const exact = `{ "a": 9223372036854775807, "b": 1e400, "c": -0, "d": 1.10, "n": null, "A": 1E+2,` + "\n" + ` "s": "caf\u00e9 é <b>&\/ 漢 \ud83d\ude00", "z": [ ] }`

func TestCallIsExact(t *testing.T) {
	d := serve(t, httpapi.Public, bearer(t), httpapi.Options{})
	o := d.offer("Echo a document", as(alice))
	a := d.ask("POST", "/v1/call", `{"offer":"`+o+`", "args": `+exact+`}`, as(alice))
	if a.status != 200 || d.router.LastArgs() != exact || !strings.HasPrefix(a.body, `{"result":{ "echo":`+exact+` },"receipt":{"id":"r0"`) || a.header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %s\nsent %s", a.status, a.body, d.router.LastArgs())
	}
	if strings.Contains(a.body, "content") {
		t.Errorf("content was not asked for: %s", a.body)
	}
}

func TestRefusedCalls(t *testing.T) {
	d := serve(t, httpapi.Public, bearer(t), httpapi.Options{})
	o := d.offer("Echo a document", as(alice))
	broken := d.offer(surfacetest.Broken, as(alice))
	store := d.offer(surfacetest.Store, as(alice))
	for _, c := range []struct {
		name, body, token string
		headers           []string
		status            int
		reason, stage     string
		pointer, approval string
	}{
		{"forged", `{"offer":"x` + o + `","args":{}}`, alice, nil, 409, "offer-invalid", "recheck", "", ""},
		{"another's", `{"offer":"` + o + `","args":{}}`, bob, nil, 409, "offer-invalid", "recheck", "", ""},
		{"wrong type", `{"offer":"` + o + `","args":{"fields":5}}`, alice, nil, 400, "arguments-invalid", "recheck", "/fields", ""},
		{"twice", `{"offer":"` + o + `","args":{"a":1,"a":2}}`, alice, nil, 400, "arguments-invalid", "recheck", "/a", ""},
		{"null", `{"offer":"` + o + `","args":null}`, alice, nil, 400, "arguments-invalid", "recheck", "", ""},
		{"list", `{"offer":"` + o + `","args":[]}`, alice, nil, 400, "arguments-invalid", "recheck", "", ""},
		{"unapproved", `{"offer":"` + store + `","args":{}}`, alice, nil, 403, "approval-required", "recheck", "", "ap0"},
		{"too strong", `{"offer":"` + store + `","args":{}}`, alice, []string{"Interlock-Limit: read"}, 400, "effect-too-strong", "recheck", "", ""},
		{"result breaks", `{"offer":"` + broken + `","args":{}}`, alice, nil, 502, "result-invalid", "validate", "", ""},
	} {
		a := d.ask("POST", "/v1/call", c.body, append([]string{as(c.token)}, c.headers...)...)
		p := a.problem(t)
		if a.status != c.status || p.Reason != c.reason || p.Stage != c.stage || p.Pointer != c.pointer || p.Approval != c.approval || strings.Contains(a.body, `"result"`) {
			t.Errorf("%s: %d %s", c.name, a.status, a.body)
		}
	}
	if n := d.router.Calls(); n != 1 { // the one whose result breaks
		t.Errorf("%d calls were sent", n)
	}
}

var anyOffer = regexp.MustCompile(`offer\d{27}`)

func TestEqualNeedsAreEqualBytes(t *testing.T) {
	d := serve(t, httpapi.Public, bearer(t), httpapi.Options{})
	var first string
	for range 5 {
		a := d.ask("POST", "/v1/resolve", `{"need":"Echo a document; Break <every> promise & more"}`, as(alice))
		text := anyOffer.ReplaceAllString(a.body, "offer")
		if first == "" {
			first = text
		}
		if a.status != 200 || text != first || !strings.Contains(text, "Break <every> promise & more") || !strings.Contains(text, `<b>caf\u00e9<\/b>`) {
			t.Fatalf("%d %s\nfirst %s", a.status, text, first)
		}
	}
	a := d.ask("POST", "/v1/resolve", `{"need":"Echo a document","constraints":[{"family":"doc.echo","range":"^2.0"}]}`, as(alice))
	if a.status != 200 || !strings.Contains(a.body, `"refusal":{"type":"NoCompatibleContract"`) {
		t.Errorf("a refused need is an answer: %d %s", a.status, a.body)
	}
}

func TestViews(t *testing.T) {
	d := serve(t, httpapi.Public, bearer(t), httpapi.Options{})
	for token, want := range map[string]string{alice: "docs/broken docs/echo docs/panics eff/store img/picture", bob: "docs/broken docs/echo docs/panics"} {
		var list []struct{ Tool string }
		a := d.ask("GET", "/v1/tools", "", as(token))
		if err := json.Unmarshal([]byte(a.body), &list); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, x := range list {
			names = append(names, x.Tool)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s sees %s", token, got)
		}
	}
	if a := d.ask("GET", "/v1/tools/eff/store", "", as(bob)); a.status != 404 {
		t.Errorf("bob sees the store: %d", a.status)
	}
	if a := d.ask("GET", "/v1/tools/docs%2Fecho", "", as(bob)); a.status != 200 || !strings.Contains(a.body, `"maximum":9223372036854775807`) {
		t.Errorf("a name written with an escaped slash: %d %s", a.status, a.body)
	}
	if a := d.ask("GET", "/v1/sources", "", as(bob)); a.body != `[{"name":"docs","kind":"manifest","tools":3}]` {
		t.Errorf("sources: %s", a.body)
	}
}

func TestEntityTag(t *testing.T) {
	d := serve(t, httpapi.Public, bearer(t), httpapi.Options{})
	tag := d.ask("GET", "/v1/tools", "", as(alice)).header.Get("Etag")
	if other := d.ask("GET", "/v1/tools", "", as(bob)).header.Get("Etag"); tag == "" || tag == other {
		t.Errorf("tags %s and %s of different views", tag, other)
	}
	for _, held := range []string{tag, `"x", ` + tag, "W/" + tag, "*"} {
		if a := d.ask("GET", "/v1/tools", "", as(alice), "If-None-Match: "+held); a.status != 304 || a.body != "" || a.header.Get("Etag") != tag {
			t.Errorf("%s: %d %s", held, a.status, a.body)
		}
	}
	if _, err := d.router.Add(t.Context(), interlock.Local(), addConfig); err != nil {
		t.Fatal(err)
	}
	if a := d.ask("GET", "/v1/tools", "", as(alice), "If-None-Match: "+tag); a.status != 200 || a.header.Get("Etag") == tag {
		t.Errorf("after a change: %d", a.status)
	}
}

func TestApprovalsAreOnesOwn(t *testing.T) {
	d := serve(t, httpapi.Public, bearer(t), httpapi.Options{})
	id := d.ask("POST", "/v1/call", `{"offer":"`+d.offer(surfacetest.Store, as(alice))+`","args":{"id":7}}`, as(alice)).problem(t).Approval
	if a := d.ask("GET", "/v1/approvals", "", as(alice)); a.status != 200 || !strings.Contains(a.body, `"id":"`+id+`"`) {
		t.Errorf("alice's own: %d %s", a.status, a.body)
	}
	if a := d.ask("GET", "/v1/approvals/"+id, "", as(alice)); a.status != 200 || !strings.Contains(a.body, `"state":"asked"`) {
		t.Errorf("alice's own: %d %s", a.status, a.body)
	}
	if a := d.ask("GET", "/v1/approvals", "", as(bob)); a.body != "[]" {
		t.Errorf("bob sees %s", a.body)
	}
	if a := d.ask("GET", "/v1/approvals/"+id, "", as(bob)); a.status != 404 {
		t.Errorf("bob sees %s", a.body)
	}
	if a := d.ask("POST", "/v1/approvals/"+id, `{"decision":"approve"}`, as(alice)); a.status != 403 {
		t.Errorf("alice approves her own call: %d %s", a.status, a.body)
	}
}
