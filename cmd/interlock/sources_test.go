package main

import (
	"regexp"
	"strings"
	"testing"
)

func TestNameOf(t *testing.T) {
	for _, tc := range []struct{ command, want string }{
		{"npx -y @modelcontextprotocol/server-everything stdio", "everything"},
		{"npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /tmp/x", "filesystem"},
		{"/opt/bin/mcp-server-everything stdio", "everything"},
		{"mcp-server-time --local-timezone UTC", "time"},
		{"python3 -m mcp_server_time", "time"},
		{"uvx mcp-server-git --repository .", "git"},
		{"uv run server.py", "server"},
		{"docker run -i --rm -e KEY=value mcp/time", "time"},
		{"node dist/weather.mjs stdio", "weather"},
		{"env A=b my.tool", "my-tool"},
		{"./ServerX.exe", "ServerX"},
		{"npx", "npx"},
		{"http://127.0.0.1:3000/mcp", "127-0-0-1-3000"},
		{"https://tools.example/mcp", "tools-example"},
	} {
		if got := nameOf(strings.Fields(tc.command)); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.command, got, tc.want)
		}
	}
}

func TestFileName(t *testing.T) {
	for path, want := range map[string]string{"/a/petstore.yaml": "petstore", "api.github.com.json": "api", "https://x.example/v1/openapi.json": "openapi", "my list.jsonl": "my-list"} {
		if got := fileName(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestIsURL(t *testing.T) {
	for text, want := range map[string]bool{"http://a/mcp": true, "https://a": true, "ftp://a": false, "a/b": false, "http://": false, "C:\\x": false, ":": false} {
		if got := isURL(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// FuzzNameOf: whatever the command, the name is one that a source may have, or
// empty.
func FuzzNameOf(f *testing.F) {
	f.Add("npx -y @a/server-b stdio")
	f.Add("docker run mcp/時間")
	f.Add("http://[::1]:80/")
	ok := regexp.MustCompile(`^[a-zA-Z0-9_-]{0,64}$`)
	f.Fuzz(func(t *testing.T, command string) {
		words := strings.Fields(command)
		if len(words) == 0 {
			return
		}
		if got := nameOf(words); !ok.MatchString(got) {
			t.Errorf("%q: %q", command, got)
		}
	})
}
