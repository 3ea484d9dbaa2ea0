package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/policy"
)

// TestChurn keeps 300 requests over HTTP and MCP in flight on loopback while
// policies are swapped there and back and a source comes and goes. No answer is
// a failure of the server, and once a swap is acknowledged nothing is called or
// disclosed by the policies before it.
func TestChurn(t *testing.T) {
	const flying = 300
	rounds := 4
	if n, err := strconv.Atoi(os.Getenv("INTERLOCK_ATTACK")); err == nil && n > 0 {
		rounds = 40
	}
	s := &storm{pane: newPane(t), t: t, arriving: make(chan struct{})}
	s.begin(t)
	late := time.Now().Add(time.Minute) // a busy machine is given more rounds, and no more than that
	ctx, stop := context.WithCancel(context.Background())
	var changing, asking sync.WaitGroup
	changing.Go(func() { s.swap(ctx) })
	changing.Go(func() { s.comeAndGo(ctx) })
	for i := range flying {
		asking.Go(func() {
			for n := 0; n < rounds || !s.enough() && time.Now().Before(late); n++ {
				s.one(i, n)
			}
		})
	}
	asking.Wait()
	stop()
	changing.Wait()
	t.Logf("%d answers, %d requests at a time, %d swaps, %d goings: %d allowed, %d denied, %d in between; %d calls arrived", s.answers.Load(), flying, s.swaps.Load(), s.goings.Load(), s.allowed.Load(), s.denied.Load(), s.between.Load(), s.arrived.Load())
	if !s.enough() {
		t.Error("hardly anything happened")
	}
}

// enough reports whether the storm was one.
func (s *storm) enough() bool {
	return s.swaps.Load() >= 4 && s.goings.Load() >= 4 && s.allowed.Load() >= 10 && s.denied.Load() >= 10 && s.arrived.Load() >= 5
}

// storm is a store behind its doors whose policies change.
type storm struct {
	*pane
	t                                 *testing.T
	url                               string
	laws                              [2]*policy.Set // what denies alice everything, what permits it
	law                               atomic.Int64   // counts swaps, two for each: odd while one is under way, 0 mod 4 permits
	swaps, goings                     atomic.Int64
	allowed, denied, between, arrived atomic.Int64
	answers                           atomic.Int64
	arriving                          chan struct{} // told of calls that are about to be written
	client                            http.Client
}

func (s *storm) begin(t *testing.T) {
	load := func(text string) *policy.Set {
		set, err := policy.Load([]policy.File{{Name: "laws.cedar", Text: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	s.laws = [2]*policy.Set{load(`permit (principal, action in [Action::"discover", Action::"invoke", Action::"readField"], resource);`), load(``)}
	for _, name := range []string{"s0", "s1"} {
		s.shelf[name] = interlock.Catalogue{Source: name, Operations: []interlock.Operation{{Name: "ring", Family: name + ".ring", Version: "1.0.0", Effect: interlock.EffectRead,
			Variants: []interlock.Variant{{ID: "d", Description: "Ring the bell of " + name}}, Binding: json.RawMessage(`"b"`), InputSchema: json.RawMessage(`{"type":"object"}`),
			OutputSchema: json.RawMessage(`{"type":"object","properties":{"by":{"type":"string"}}}`)}}}
		if _, err := s.router.Add(context.Background(), interlock.Local(), interlock.SourceConfig{Name: name, Kind: interlock.KindManifest}); err != nil {
			t.Fatal(err)
		}
	}
	s.sent = func(call interlock.Outbound) error {
		select {
		case s.arriving <- struct{}{}:
			time.Sleep(20 * time.Millisecond) // slow to begin, and under the lease
		default:
		}
		before := s.law.Load()
		err := call.Dispatched()
		if err == nil && before%4 == 2 {
			s.t.Error("a call arrived after its right was taken")
		}
		if err == nil {
			s.arrived.Add(1)
		}
		return err
	}
	s.router.SetPolicies(s.laws[0])
	guard, err := auth.New(auth.Config{Mode: auth.ModeBearer, Tokens: []auth.Token{{Name: "alice", Secret: "alice-token-0000000000000000", Tenant: "a"}}}, auth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	door, err := httpapi.Public(s.router, s.router, guard, httpapi.Options{MCP: s.mcp})
	if err != nil {
		t.Fatal(err)
	}
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv, done := httpapi.NewServer(door, nil), make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(lis)
	}()
	t.Cleanup(func() {
		s.client.CloseIdleConnections()
		_ = srv.Close()
		<-done
	})
	s.url = "http://" + lis.Addr().String()
	s.client.Transport = &http.Transport{MaxIdleConnsPerHost: 400}
}

// swap takes every right and gives it back, again and again.
func (s *storm) swap(ctx context.Context) {
	for ctx.Err() == nil {
		s.law.Add(1)
		s.router.SetPolicies(s.laws[s.law.Load()/2%2^1])
		s.law.Add(1)
		s.swaps.Add(1)
		since, leaving := s.answers.Load(), false
		for s.swaps.Load()%4 > 0 && !leaving && s.answers.Load() < since+400 && ctx.Err() == nil { // every fourth is there and back at once
			select {
			case <-s.arriving: // the right moment: a call is on its way out
				leaving = s.answers.Load() > since+100
			case <-time.After(time.Millisecond):
			}
		}
	}
}

func (s *storm) comeAndGo(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.router.Remove(context.Background(), interlock.Local(), "s1"); err != nil {
			s.t.Error(err)
		}
		if _, err := s.router.Add(context.Background(), interlock.Local(), interlock.SourceConfig{Name: "s1", Kind: interlock.KindManifest}); err != nil {
			s.t.Error(err)
		}
		s.goings.Add(1)
		time.Sleep(5 * time.Millisecond)
	}
}

// one resolves and calls, over one face or the other, and holds each answer
// against the law that was in force all the while.
func (s *storm) one(i, n int) {
	family := fmt.Sprintf("s%d.ring", (i+n)%2)
	need := `{"need":"ring the bell","constraints":[{"family":"` + family + `","range":"^1.0"}]}`
	mcp := i%2 == 1
	offer := ""
	s.judged(family, func() (bool, string) {
		body := s.ask(mcp, "/v1/resolve", "find_tools", need)
		offer, _, _ = strings.Cut(after(body, `"offer":"`), `"`)
		return offer != "", body
	})
	if offer == "" {
		offer = "o" + strings.Repeat("A", 40)
	}
	s.judged(family, func() (bool, string) {
		body := s.ask(mcp, "/v1/call", "call_tool", `{"offer":"`+offer+`","args":{}}`)
		return strings.Contains(body, `"by":`), body
	})
}

func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// judged holds one answer against the law. What the coming and going source is
// asked may be refused at any time.
func (s *storm) judged(family string, ask func() (bool, string)) {
	before := s.law.Load()
	got, body := ask()
	s.answers.Add(1)
	switch now := s.law.Load(); {
	case now != before || now%2 == 1:
		s.between.Add(1)
	case now%4 == 2:
		s.denied.Add(1)
		if got || strings.Contains(body, "Ring the bell") {
			s.t.Errorf("after everything was forbidden: %s", body)
		}
	case got:
		s.allowed.Add(1)
	case family == "s0.ring" && !strings.Contains(body, "offer-invalid") && !strings.Contains(body, "fingerprint-changed"):
		s.t.Errorf("refused while everything is permitted: %s", body)
	}
}

// ask asks one face; a failure of the server is an error of the test.
func (s *storm) ask(mcp bool, path, tool, body string) string {
	headers := map[string]string{"Content-Type": "application/json", "Authorization": "Bearer alice-token-0000000000000000"}
	if mcp {
		path, body = "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s,"name":%q,"arguments":%s}}`, modernMeta, tool, body)
		for k, v := range map[string]string{"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": era, "Mcp-Method": "tools/call", "Mcp-Name": tool} {
			headers[k] = v
		}
	}
	req, err := http.NewRequest("POST", s.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		s.t.Error(err)
		return ""
	}
	for k, v := range headers {
		req.Header.Set(k, v)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Errorf("%s: %v", path, err)
		return ""
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	withheld := bytes.Contains(raw, []byte(`"reason":"result-withheld"`)) // sent, and not released: told as a call that failed
	if err != nil || resp.StatusCode >= 500 && !withheld || bytes.Contains(raw, []byte(`"reason":"internal"`)) {
		s.t.Errorf("%s: %d %s %v", path, resp.StatusCode, raw, err)
	}
	return string(raw)
}
