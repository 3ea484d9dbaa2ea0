package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

func loadText(t *testing.T, text string) (config, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "interlock.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return loadConfig(path)
}

func TestLoadConfig(t *testing.T) {
	for _, tc := range []struct{ text, fault string }{
		{"", "empty"},
		{"{}", ""},
		{"listen: 127.0.0.1:1\npoll: 0s\nlog: {level: debug}", ""},
		{`{"listen": "127.0.0.1:1", "store": "a.db"}`, ""},
		{"sources: [{name: a, kind: mcp, command: [x]}]", ""},
		{"sources: [{kind: manifest, file: m.yaml}]", ""},
		{"glossary: [{word: 슬랙, english: [slack]}]", ""},
		{"glossary: [{word: 가, english: [x]}]", "glossary: entry 0: a word has 2"},
		{"glossary: [{word: 슬랙, english: []}]", "1 to 5 English words"},
		{"glossary: [{word: 슬랙, into: [x]}]", "into"},
		{"embedder: {kind: openai, url: 'http://127.0.0.1:8080/v1', model: m, key: 'env:KEY', timeout: 5s, wait: 300ms, batch: 64, dimensions: 256}", ""},
		{"embedder: {kind: openai, model: m}", "embedder.url"},
		{"embedder: {kind: openai, url: 'http://h/v1'}", "embedder.model"},
		{"embedder: {kind: openai, url: 'http://h/v1', model: m, key: sk-clear}", "never the key itself"},
		{"embedder: {kind: openai, url: 'http://h/v1', model: m, timeout: soon}", "embedder.timeout"},
		{"embedder: {kind: openai, url: 'http://h/v1', model: m, wait: 1h}", "embedder.wait"},
		{"embedder: {kind: openai, url: 'http://h/v1', model: m, batch: 10000}", "embedder.batch"},
		{"embedder: {kind: builtin, url: 'http://h/v1'}", "are of the kind openai"},
		{"embedder: {kind: cloud}", "embedder.kind"},
		{"embedder: {kind: openai, urls: 'http://h/v1'}", `did you mean "url"`},
		{"reranker: {kind: rerank, url: 'http://127.0.0.1:8080/v1', model: m, key: 'env:KEY', wait: 300ms, first: 30}", ""},
		{"reranker: {kind: rerank, model: m}", "reranker.url"},
		{"reranker: {kind: rerank, url: 'http://h/v1', model: m, first: 1000}", "reranker.first"},
		{"reranker: {kind: rerank, url: 'http://h/v1', model: m, key: sk-clear}", "never the key itself"},
		{"reranker: {url: 'http://h/v1'}", "are of the kind rerank"},
		{"reranker: {kind: best}", "reranker.kind"},
		{"lisen: x", `did you mean "listen"`},
		{"auth: {tokens: [{name: a, tokn: b}]}", `did you mean "token"`},
		{"sources: [{name: a, kind: mcp, urls: b}]", `did you mean "url"`},
		{"budgets: {k: 5}", "budgets"},
		{"telemetry: null", "`telemetry` is not served"},
		{"listen: [a]", "listen: expected text"},
		{"listen: 7717", "listen: expected text"},
		{"auth: yes", "auth: expected an object"},
		{"poll: -5m", "no duration"},
		{"sources: [{name: a, kind: mcp}]", "url or a command"},
		{"sources: [{name: a, kind: openapi}]", "url or a file"},
		{"sources: [{name: a, kind: tools, url: u}]", "has a file"},
		{"sources: [{kind: tools, file: f}]", "name is missing"},
		{"sources: [{name: a}]", "kind"},
	} {
		_, err := loadText(t, tc.text)
		switch {
		case tc.fault == "" && err != nil:
			t.Errorf("%q: %v", tc.text, err)
		case tc.fault != "" && (err == nil || !strings.Contains(err.Error(), tc.fault)):
			t.Errorf("%q: %v, want %q", tc.text, err, tc.fault)
		case err != nil && (interlock.ReasonOf(err) != interlock.ReasonConfigInvalid || strings.Contains(err.Error(), "main.")):
			t.Errorf("%q: %v", tc.text, err)
		}
	}
}

// Relative paths of a configuration start at its own folder, whatever the
// folder of the command.
func TestConfigPaths(t *testing.T) {
	c, err := loadText(t, "store: a.db\nsources: [{name: s, kind: mcp, command: [run]}, {name: d, kind: openapi, file: d.yaml}, {name: u, kind: openapi, url: 'http://h/d'}]")
	if err != nil {
		t.Fatal(err)
	}
	a := &app{commands: &programs{}, keyrings: &keyrings{}, process: process{lookup: func(string) (string, bool) { return "", false }}}
	if got, err := a.storePath(c); err != nil || got != filepath.Join(c.dir, "a.db") {
		t.Errorf("store: %q %v", got, err)
	}
	want := []interlock.SourceConfig{
		{Name: "s", Kind: "mcp", Command: []string{"run"}, Dir: c.dir},
		{Name: "d", Kind: "openapi", File: filepath.Join(c.dir, "d.yaml")},
		{Name: "u", Kind: "openapi", URL: "http://h/d"},
	}
	for i, s := range c.Sources {
		if diff := cmp.Diff(want[i], c.source(s)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestStorePath(t *testing.T) {
	set := func(name, value string) *app {
		return &app{commands: &programs{}, keyrings: &keyrings{}, process: process{lookup: func(asked string) (string, bool) { return value, asked == name }}}
	}
	if got, err := set("XDG_DATA_HOME", "/data").storePath(config{}); err != nil || got != "/data/interlock/interlock.db" {
		t.Errorf("%q %v", got, err)
	}
	flagged := set("XDG_DATA_HOME", "/data")
	flagged.Store = "/flag.db"
	if got, err := flagged.storePath(config{Store: "/config.db"}); err != nil || got != "/flag.db" {
		t.Errorf("the flag comes first: %q %v", got, err)
	}
	if _, err := set("", "").storePath(config{Store: "postgres://h/d"}); interlock.ReasonOf(err) != interlock.ReasonConfigInvalid {
		t.Errorf("PostgreSQL: %v", err)
	}
}

func TestPollEvery(t *testing.T) {
	for _, tc := range []struct {
		flag time.Duration
		text string
		want time.Duration
	}{{-1, "", defaultPoll}, {-1, "30s", 30 * time.Second}, {0, "30s", 0}, {time.Hour, "", time.Hour}, {-1, "0s", 0}} {
		if got, err := (config{Poll: tc.text}).pollEvery(tc.flag); err != nil || got != tc.want {
			t.Errorf("%v %q: %v %v", tc.flag, tc.text, got, err)
		}
	}
}

func TestExposed(t *testing.T) {
	for _, tc := range []struct {
		addr string
		open bool
		ok   bool
	}{
		{"127.0.0.1:1", true, true}, {"[::1]:1", true, true}, {"localhost:1", true, true}, {"127.9.9.9:1", true, true},
		{"0.0.0.0:1", true, false}, {":1", true, false}, {"[::]:1", true, false}, {"host.example:1", true, false}, {"192.0.2.1:1", true, false},
		{"0.0.0.0:1", false, true}, {":1", false, true}, {"7717", false, false},
	} {
		if err := exposed(tc.addr, tc.open); (err == nil) != tc.ok {
			t.Errorf("%s, open %v: %v", tc.addr, tc.open, err)
		}
	}
}

func TestNeed(t *testing.T) {
	three := 3
	got, err := resolveCmd{Need: "x", Have: []string{"a,b"}, Constraint: []string{"f=^1.0", "*=>=2 <3"}, Want: []string{"t:Cel", "u"}, Effect: []string{"read"}, K: &three, Bytes: 5, Tokens: 6}.need()
	want := interlock.Need{Text: "x", Have: []string{"a,b"}, K: 3, Effects: []interlock.Effect{"read"}, Budget: interlock.Budget{SchemaBytes: 5, Tokens: 6},
		Constraints: []interlock.Constraint{{Family: "f", Range: "^1.0"}, {Family: "*", Range: ">=2 <3"}},
		Want:        []interlock.Want{{SemanticID: "t", Unit: "Cel"}, {SemanticID: "u"}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for _, c := range []string{"", "f", "=^1", "="} {
		if _, err := (resolveCmd{Need: "x", Constraint: []string{c}}).need(); err == nil {
			t.Errorf("--constraint %q was taken", c)
		}
	}
}

// FuzzLoadConfig: whatever stands in the file, it is read or refused as a
// configuration, and what is read has checked sources.
func FuzzLoadConfig(f *testing.F) {
	f.Add("listen: 127.0.0.1:1\nsources: [{name: a, kind: mcp, url: u}]")
	f.Add(`{"auth":{"tokens":[{"name":"a"}]}}`)
	f.Add("policies: x")
	f.Add("auth: {mode: jwt, jwt: {issuer: i, audience: [a], claims: {roles: /a/b}}}\ntls: {cert: c, key: k}")
	path := filepath.Join(f.TempDir(), "c.yaml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := loadConfig(path)
		if err != nil && interlock.ReasonOf(err) != interlock.ReasonConfigInvalid {
			t.Errorf("%q: %v", text, err)
		}
		for _, s := range c.Sources {
			if err == nil && s.check() != nil {
				t.Errorf("%q: a source without what it needs was taken", text)
			}
		}
	})
}
