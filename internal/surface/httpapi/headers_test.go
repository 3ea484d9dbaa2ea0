package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

// refusals keeps what a door tells of.
type refusals struct {
	mu   sync.Mutex // guards told
	told []string
}

func (r *refusals) add(rule, _, _ string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told = append(r.told, rule)
}

func (r *refusals) has(rule string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.told, rule)
}

// bounded serves a door on loopback, in clear or over TLS (HTTP/1 and 2).
func bounded(t *testing.T, secure bool) (url string, client *http.Client, told *refusals) {
	t.Helper()
	told = &refusals{}
	r := surfacetest.New()
	door, err := httpapi.Public(r, r, bearer(t), httpapi.Options{Refused: told.add})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(door)
	srv.Config = httpapi.NewServer(door, nil)
	srv.EnableHTTP2 = secure
	srv.Listener = httpapi.Bound(srv.Config, srv.Listener)
	if secure {
		srv.StartTLS()
	} else {
		srv.Start()
	}
	t.Cleanup(srv.Close)
	return srv.URL, srv.Client(), told
}

// TestClaimOfAMegabyte: what is too long is refused in our own words and on
// record, over every protocol, and the connection serves on.
func TestClaimOfAMegabyte(t *testing.T) {
	for _, secure := range []bool{false, true} {
		url, client, told := bounded(t, secure)
		ask := func(name, value string) (int, string) {
			req, err := http.NewRequest(http.MethodGet, url+"/v1/tools", nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+alice)
			req.Header.Set(name, value)
			resp, err := client.Do(req)
			if err != nil {
				t.Fatalf("TLS %t: %v", secure, err)
			}
			defer resp.Body.Close() //nolint:errcheck // read only
			body, _ := io.ReadAll(resp.Body)
			if secure && resp.ProtoMajor != 2 {
				t.Errorf("protocol %s", resp.Proto)
			}
			return resp.StatusCode, string(body)
		}
		megabyte := strings.Repeat("A", 1_400_000) // of base64
		for _, tc := range []struct {
			name, value string
			status      int
			says, rule  string
		}{
			{"Authorization", "Bearer eyJhbGciOiJFUzI1NiJ9." + megabyte + ".AAAA", 401, "smaller claims", "credential-too-long"},
			{"Cookie", megabyte, 431, `"reason":"too-large"`, "headers-too-large"},
			{"Cookie", strings.Repeat("A", 70<<10), 431, `"reason":"too-large"`, "headers-too-large"},
			{"X-Fine", "x", 200, "docs", ""},
		} {
			status, body := ask(tc.name, tc.value)
			if status != tc.status || !strings.Contains(body, tc.says) || tc.rule != "" && !told.has(tc.rule) {
				t.Errorf("TLS %t, %s of %d bytes: %d %s, told %v", secure, tc.name, len(tc.value), status, body, told.told)
			}
			if len(body) > 4096 || strings.Contains(body, "AAAA") {
				t.Errorf("the answer repeats what came: %d bytes", len(body))
			}
		}
	}
}

// TestRoomForHeaders: however many connections send headers that are too large,
// few are read, and others are served meanwhile.
func TestRoomForHeaders(t *testing.T) {
	url, client, _ := bounded(t, false)
	addr := strings.TrimPrefix(url, "http://")
	var flood []net.Conn
	for range 40 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close() //nolint:errcheck // a client's
		flood = append(flood, c)
		go fmt.Fprintf(c, "GET /v1/tools HTTP/1.1\r\nHost: %s\r\nCookie: %s", addr, strings.Repeat("A", 1<<20)) //nolint:errcheck // it may be cut
	}
	var cut atomic.Int64
	for _, c := range flood {
		go func() {
			_, _ = bufio.NewReader(c).ReadByte() // nothing comes but the end
			cut.Add(1)
		}()
	}
	begun := time.Now()
	for cut.Load() < int64(len(flood)-8) && time.Since(begun) < 30*time.Second {
		time.Sleep(5 * time.Millisecond)
	}
	req, _ := http.NewRequest(http.MethodGet, url+"/v1/tools", nil)
	req.Header.Set("Authorization", "Bearer "+alice)
	resp, err := client.Do(req)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("meanwhile: %v %v", resp, err)
	}
	_ = resp.Body.Close()
	time.Sleep(100 * time.Millisecond)
	n := int(cut.Load())
	if n < len(flood)-8 || n > len(flood)-8 && time.Since(begun) < 9*time.Second { // then the server's patience with headers ends
		t.Errorf("%d of %d connections were cut, want all but 8", n, len(flood))
	}
	for _, c := range flood { // they go, and their room is free again
		_ = c.Close()
	}
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		req, _ := http.NewRequest(http.MethodGet, url+"/v1/tools", nil)
		req.Header.Set("Cookie", strings.Repeat("A", 1<<20))
		if resp, err := client.Do(req); err == nil {
			_ = resp.Body.Close()
			break
		}
		if time.Now().After(until) {
			t.Fatal("no room came free")
		}
	}
}
