package main

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

const bossToken = "boss-0123456789abcdef"

const consolePolicies = `
permit (principal, action in [Action::"discover", Action::"invoke", Action::"readField"], resource);
permit (principal in Role::"approver", action == Action::"approve", resource);
forbid (principal in Role::"approver", action == Action::"readField", resource == Field::"docs/store#input:/pin");
`

const consoleManifest = `
interlock: 1
source: docs
tools:
  - name: store
    family: record.store
    version: 1.0.0
    effect: write
    variants: [{id: default, description: "Store <b>one</b> record"}]
    input_schema: {type: object, properties: {n: {type: integer}, note: {type: string}, pin: {type: integer}}}
    output_schema: {type: object, properties: {ok: {type: boolean}}}
    http: {method: POST, url: "UPSTREAM/store"}
`

// consoleBox serves alice, who calls, and a boss, who approves.
func consoleBox(t *testing.T) (*box, *serving, *upstream) {
	t.Helper()
	b, up := newBox(t), newUpstream()
	t.Cleanup(up.server.Close)
	b.must(nil, "add", "manifest", b.file("docs.yaml", strings.ReplaceAll(consoleManifest, "UPSTREAM", up.server.URL)))
	b.file("policies.cedar", consolePolicies)
	config := b.file("interlock.yaml", `
policies: [policies.cedar]
auth:
  tokens:
    - {name: alice, token: "file:`+b.file("alice", aliceToken)+`", tenant: a}
    - {name: boss, token: "file:`+b.file("boss", bossToken)+`", tenant: a, roles: [approver]}
`)
	b.env = append(b.env, "INTERLOCK_CONFIG="+config)
	return b, b.up(), up
}

// asks has alice ask for a call, and gives the offer and the approval's id.
func asks(t *testing.T, s *serving, args string) (offer, id string) {
	t.Helper()
	var found struct{ Candidates []struct{ Offer string } }
	status, text, err := post(s.url+"/v1/resolve", aliceToken, `{"need":"docs/store"}`)
	if err != nil || status != 200 || json.Unmarshal([]byte(text), &found) != nil || len(found.Candidates) == 0 {
		t.Fatalf("%d %s %v", status, text, err)
	}
	var asked struct{ Approval string }
	status, text, err = post(s.url+"/v1/call", aliceToken, `{"offer":"`+found.Candidates[0].Offer+`","args":`+args+`}`)
	if err != nil || status != 403 || json.Unmarshal([]byte(text), &asked) != nil || asked.Approval == "" {
		t.Fatalf("%d %s %v", status, text, err)
	}
	return found.Candidates[0].Offer, asked.Approval
}

// spend repeats a call with its approval.
func spend(t *testing.T, s *serving, offer, id, args string) (int, string) {
	t.Helper()
	status, text, err := post(s.url+"/v1/call", aliceToken, `{"offer":"`+offer+`","approval":"`+id+`","args":`+args+`}`)
	if err != nil {
		t.Fatal(err)
	}
	return status, text
}

// TestConsoleApproves: a person signs in with the keyboard alone, reads what is
// asked as it was sent, approves it and denies another; the calls go by that.
func TestConsoleApproves(t *testing.T) {
	w := startBrowser(t)
	_, s, up := consoleBox(t)
	args := "{\"n\":9223372036854775807,\"note\":\"<img src=x onerror=alert(1)> a\u202eb\",\"pin\":4711}"
	offer, id := asks(t, s, args)
	w.page(s.url + "/console/approvals")
	w.looks(900, "light")
	w.until(`!document.getElementById("enter").hidden`)
	w.shoot("1-enter")
	w.tabTo(`e.id === "token"`)
	w.write("nobody-0123456789abcdef")
	w.press("Enter")
	w.until(`document.getElementById("problem").innerText.includes("not known")`)
	w.tabTo(`e.id === "token"`)
	w.write(bossToken)
	w.press("Enter")
	w.until(`document.querySelector("#waiting > li")`)
	text := w.text()
	for _, want := range []string{"docs/store", "alice", "writes", "9223372036854775807", "<img src=x onerror=alert(1)> a\\u{202e}b"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "4711") || strings.Contains(text, "pin") {
		t.Errorf("the page shows a masked argument:\n%s", text)
	}
	w.shoot("2-waiting")
	w.eval(nil, `document.querySelector("#waiting details").open = true`)
	w.until(`document.body.innerText.includes("Store <b>one</b> record")`)

	// Back, by Escape: nothing happens.
	w.tabTo(`e.textContent === "Approve…"`)
	w.press("Enter")
	w.until(`document.getElementById("confirm").open && document.activeElement.id === "back"`)
	w.shoot("3-confirm")
	w.press("Escape")
	w.until(`!document.getElementById("confirm").open`)
	if status, text := spend(t, s, offer, id, args); status != 403 || up.hits("/store") != 0 {
		t.Fatalf("before it was approved: %d %s", status, text)
	}
	w.tabTo(`e.textContent === "Approve…"`)
	w.press("Enter")
	w.until(`document.getElementById("confirm").open`)
	w.tabTo(`e.id === "go"`)
	w.press("Enter")
	w.until(`document.querySelector("#past > li[data-state=granted]")`)
	if status, text := spend(t, s, offer, id, args); status != 200 || up.hits("/store") != 1 {
		t.Fatalf("approved: %d %s", status, text)
	}
	w.until(`document.querySelector("#past > li[data-state=used]")`) // without a touch
	offer, id = asks(t, s, `{"n":2}`)
	w.until(`document.querySelector("#waiting > li")`)
	w.tabTo(`e.textContent === "Deny…"`)
	w.press("Enter")
	w.until(`document.getElementById("confirm").open`)
	w.tabTo(`e.id === "go"`)
	w.press("Enter")
	w.until(`document.querySelector("#past > li[data-state=refused]")`)
	if status, text := spend(t, s, offer, id, `{"n":2}`); status != 403 || up.hits("/store") != 1 {
		t.Errorf("denied: %d %s", status, text)
	}
	w.looks(900, "dark")
	asks(t, s, `{"n":3,"note":"`+strings.Repeat("long ", 60)+`"}`)
	w.until(`document.querySelector("#waiting > li")`)
	w.shoot("4-dark")
	w.looks(360, "dark")
	w.shoot("5-phone")
	wide := 0
	if w.eval(&wide, "document.documentElement.scrollWidth"); wide > 360 {
		t.Errorf("on a phone the page is %d wide", wide)
	}
	w.tabTo(`e.id === "leave"`)
	w.press("Enter")
	w.until(`!document.getElementById("enter").hidden && !sessionStorage.length && !localStorage.length && !document.cookie`)
	if text := w.text(); strings.Contains(text, "alice") {
		t.Errorf("what was shown stays after the token is forgotten:\n%s", text)
	}
	for _, said := range w.said {
		if !strings.Contains(said, "401") { // the refused token
			t.Errorf("the page complains: %s", said)
		}
	}
}

// TestConsoleOfTheOperator: without tokens whoever is on the machine looks, and
// who has the link of `interlock console` decides; the link leaves the address.
func TestConsoleOfTheOperator(t *testing.T) {
	w := startBrowser(t)
	b, up := pinged(t)
	s := b.up()
	_, code := b.run("call", "docs/store", "--args", `{"n":1}`)
	if code != 3 || up.hits("/store") != 0 {
		t.Fatalf("exit %d", code)
	}
	w.page(s.url + "/console/approvals")
	w.until(`document.querySelector("#waiting > li")`)
	w.until(`!document.getElementById("looking").hidden && !document.querySelector("#waiting button")`)
	w.shoot("6-looking")
	var link httpapi.ConsoleLink
	b.must(&link, "console")
	w.page(link.URL)
	w.until(`document.querySelector("#waiting button") && location.hash === "" && location.href.endsWith("/console/approvals")`)
	w.eval(nil, `document.querySelector("#waiting button").click()`)
	w.eval(nil, `document.getElementById("go").click()`)
	w.until(`document.querySelector("#past > li[data-state=granted]")`)
	if strings.Contains(readAll(t, s.log)+b.logged(), "interlock-console-") {
		t.Error("a link stands in a log")
	}
}

// TestConsoleOfUnreadArguments: after a restart the arguments of what was asked
// before are not at hand. No single touch approves such a call: who does says that
// he has not read it. Denying it needs no such word.
func TestConsoleOfUnreadArguments(t *testing.T) {
	w := startBrowser(t)
	b, _ := pinged(t)
	s := b.up()
	for _, args := range []string{`{"n":1}`, `{"n":2}`} {
		if _, code := b.run("call", "docs/store", "--args", args); code != 3 {
			t.Fatalf("exit %d", code)
		}
	}
	if err := s.end(t, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	b.up()
	var link httpapi.ConsoleLink
	b.must(&link, "console")
	w.page(link.URL)
	w.until(`document.querySelectorAll("#waiting > li").length === 2 && document.body.innerText.includes("not at hand")`)
	w.tabTo(`e.textContent === "Approve…"`)
	w.press("Enter")
	w.until(`document.getElementById("confirm").open && document.getElementById("go").disabled && !document.getElementById("confirm-unread").hidden`)
	w.shoot("8-unread")
	w.eval(nil, `document.getElementById("go").click()`)
	w.until(`document.getElementById("confirm").open`)
	w.tabTo(`e.id === "unread"`)
	w.eval(nil, `document.getElementById("unread").click()`)
	w.until(`!document.getElementById("go").disabled`)
	w.tabTo(`e.id === "go"`)
	w.press("Enter")
	w.until(`document.querySelector("#past > li[data-state=granted]")`)

	// The word is for one call, and denying goes without it.
	w.tabTo(`e.textContent === "Approve…"`)
	w.press("Enter")
	w.until(`document.getElementById("confirm").open && document.getElementById("go").disabled && !document.getElementById("unread").checked`)
	w.press("Escape")
	w.until(`!document.getElementById("confirm").open`)
	w.tabTo(`e.textContent === "Deny…"`)
	w.press("Enter")
	w.until(`document.getElementById("confirm").open && !document.getElementById("go").disabled && document.getElementById("confirm-unread").hidden`)
	w.tabTo(`e.id === "go"`)
	w.press("Enter")
	w.until(`document.querySelector("#past > li[data-state=refused]")`)
}

// hostile is a keeper whose approvals say what an attacker would have them say.
type hostile struct {
	*surfacetest.Router
	list []interlock.Approval
}

// get answers a list of approvals with its own, and the rest as the door does.
func (h hostile) get(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if r.URL.Path != "/v1/approvals" {
		next.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(h.list)
}

// TestConsoleOfHostileText: whatever stands in a name, an argument, an id or an
// effect, none of it is markup, runs, hides or reorders.
func TestConsoleOfHostileText(t *testing.T) {
	w := startBrowser(t)
	const evil = `"><script>window.owned=1</script><img src=x onerror="window.owned=1"><a href="javascript:window.owned=1">go</a>{{7*7}}${window.owned=1}`
	now := time.Now()
	h := hostile{Router: surfacetest.New(), list: []interlock.Approval{
		{ID: evil, Digest: evil, Principal: "pat\u202etap\u200b", Tool: evil + "/../../x", Effect: interlock.Effect(evil), State: interlock.ApprovalAsked,
			Asked: now, Expires: now.Add(time.Hour), Decidable: true, Args: `{"a":1,"a":2,"<b>":"</pre><script>window.owned=1</script>","n":1e400,"\u202e":"\u2028"}`},
		{ID: "__proto__", Principal: evil, Tool: "constructor", Effect: "toString", State: interlock.ApprovalState(evil), By: evil, Asked: now, Expires: now.Add(time.Hour)},
		{ID: "b", Principal: "p", Tool: "t", Effect: interlock.EffectDestructive, State: interlock.ApprovalGranted, By: evil, Asked: now, Expires: now.Add(-time.Hour), Expired: true},
	}}
	guard, err := auth.New(auth.Config{}, auth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	door, err := httpapi.Public(h, h, guard, httpapi.Options{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { h.get(out, r, door) }))
	t.Cleanup(srv.Close)
	w.page(srv.URL + "/console/approvals")
	w.until(`document.querySelectorAll("#past > li").length === 2 && document.querySelector("#waiting > li")`)
	w.eval(nil, `for (const d of document.querySelectorAll("details")) d.open = true`)
	w.eval(nil, `document.querySelector("#waiting button").click()`)
	w.until(`document.getElementById("confirm").open`)
	w.looks(900, "light")
	w.shoot("7-hostile")
	text := w.text()
	for _, want := range []string{evil, `pat\u{202e}tap\u{200b}`, `"a": 1`, `"a": 2`, `1e400`, `"\u202e": "\u2028"`, `may destroy`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q:\n%s", want, text)
		}
	}
	for _, foreign := range []string{"native code", "[object"} {
		if strings.Contains(text, foreign) {
			t.Errorf("the page reads a name as a part of itself:\n%s", text)
		}
	}
	wide := 0
	if w.eval(&wide, "document.documentElement.scrollWidth"); wide > 900 {
		t.Errorf("a long text makes the page %d wide", wide)
	}
	w.until(`typeof window.owned === "undefined" && document.scripts.length === 1 && !document.querySelector("img, iframe, a[href^='javascript:'], li script, dialog script")`)
	blocked := ""
	w.eval(&blocked, `(() => { try { document.body.innerHTML = "<b>x</b>"; return "set"; } catch { return "blocked"; } })()`)
	if blocked != "blocked" {
		t.Error("a text can become markup")
	}
}
