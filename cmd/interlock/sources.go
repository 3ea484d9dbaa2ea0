package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
	"github.com/seed-ae386458/interlock/policy"
)

// Run registers an MCP server.
func (c addMCP) Run(ctx context.Context, a *app) error {
	target := c.Target
	if len(target) > 0 && target[0] == "--" {
		target = target[1:]
	}
	cfg := interlock.SourceConfig{Name: c.Name, Kind: interlock.KindMCP, Trust: c.Trust, Tenant: c.Tenant, Env: c.Env, Headers: c.Header}
	switch {
	case len(target) == 0:
		return usagef("add mcp wants an address, or -- and a command")
	case c.Trust != "" && c.Trust != interlock.TrustAnnotations:
		return usagef("--trust knows annotations alone")
	case len(target) == 1 && isURL(target[0]):
		cfg.URL = target[0]
	default:
		dir, err := os.Getwd()
		if err != nil {
			return fmt.Errorf("add mcp: %w", err)
		}
		cfg.Command, cfg.Dir = target, dir
	}
	if cfg.Name == "" {
		cfg.Name = nameOf(target)
	}
	return a.add(ctx, cfg)
}

func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// nameOf makes a source's name from what it is reached or started by: the host,
// or the program, behind what only launches it.
func nameOf(target []string) string {
	if len(target) == 1 && isURL(target[0]) {
		u, _ := url.Parse(target[0]) // isURL parsed it
		return tidy(u.Hostname() + "-" + u.Port())
	}
	best := target[0]
	if slices.Contains(launchers, programName(best)) {
		for _, word := range target[1:] {
			if !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") && !slices.Contains(launcherWords, word) {
				best = word
				break
			}
		}
	}
	return tidy(programName(best))
}

// launchers start other programs; launcherWords are what they are told on the
// way.
var (
	launchers     = []string{"npx", "node", "bun", "bunx", "deno", "pnpm", "yarn", "uv", "uvx", "pipx", "python", "python3", "docker", "podman", "env", "go", "java"}
	launcherWords = []string{"run", "exec", "tool", "x", "dlx"}
)

// programName is a word without its folder, its version and its extension.
func programName(word string) string {
	name := filepath.Base(word)
	if name, _, cut := strings.Cut(name, "@"); cut && name != "" {
		return name
	}
	switch ext := filepath.Ext(name); ext {
	case ".js", ".mjs", ".cjs", ".ts", ".py", ".exe", ".jar", ".go":
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// tidy keeps what a source's name may hold.
func tidy(text string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		case r == '.', r == ' ', r == ':':
			return '-'
		}
		return -1
	}, text)
	for _, noise := range []string{"mcp-server-", "mcp_server_", "server-", "mcp-"} {
		out = strings.TrimPrefix(out, noise)
	}
	return strings.Trim(out[:min(len(out), 64)], "-")
}

// Run registers an OpenAPI document.
func (c addDoc) Run(ctx context.Context, a *app) error {
	cfg := interlock.SourceConfig{Name: c.Name, Kind: interlock.KindOpenAPI, BaseURL: c.BaseURL, Tenant: c.Tenant, Credentials: c.Credential, Headers: c.Header}
	if isURL(c.Document) {
		cfg.URL = c.Document
	} else {
		path, err := filepath.Abs(c.Document)
		if err != nil {
			return fmt.Errorf("add openapi: %w", err)
		}
		cfg.File = path
	}
	named := cfg.Name != ""
	if !named {
		cfg.Name = fileName(c.Document)
	}
	err := a.add(ctx, cfg)
	a.note(err == nil && !named && !a.JSON, "named "+cfg.Name+" after its document; to name it otherwise: interlock remove "+cfg.Name+", and add it with --name NAME")
	return err
}

func fileName(path string) string {
	base := filepath.Base(path)
	name, _, _ := strings.Cut(base, ".")
	return tidy(name)
}

// Run registers a manifest, under the name that it gives itself.
func (c addManifest) Run(ctx context.Context, a *app) error {
	return c.add(ctx, a, interlock.KindManifest, c.Name)
}

// Run registers a list of tools, under the name of its file.
func (c addTools) Run(ctx context.Context, a *app) error {
	name := c.Name
	if name == "" {
		name = fileName(c.File)
	}
	return c.add(ctx, a, interlock.KindTools, name)
}

func (c addFile) add(ctx context.Context, a *app, kind, name string) error {
	path, err := filepath.Abs(c.File)
	if err != nil {
		return fmt.Errorf("add %s: %w", kind, err)
	}
	return a.add(ctx, interlock.SourceConfig{Name: name, Kind: kind, File: path, Tenant: c.Tenant})
}

// add registers a source and says what became of it.
func (a *app) add(ctx context.Context, cfg interlock.SourceConfig) error {
	a.begins = true
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		if err := s.may(who, policy.Administer, "registers sources"); err != nil {
			return err
		}
		report, err := s.Add(ctx, who, cfg)
		if err != nil {
			return err
		}
		if a.JSON {
			if report.Findings == nil {
				report.Findings = []interlock.Finding{}
			}
			err = a.print(report)
		} else {
			a.tellAdded(report)
		}
		if err == nil && barren(report) {
			err = &exitError{wire.ExitFailed}
		}
		return err
	})
}

// barren reports whether nothing of a source that has something can be used.
func barren(r interlock.AddReport) bool { return r.Tools == 0 && r.Operations > 0 }

// maxTold is how many findings are printed for people.
const maxTold = 20

func (a *app) tellAdded(r interlock.AddReport) {
	st := a.style(a.out)
	added := st.green("added")
	if barren(r) {
		added = st.yellow("added")
	}
	tell(a.out, "%s %s: %s of %s\n", added, st.bold(r.Source), count(r.Tools, "tool"), count(r.Operations, "operation"))
	if r.Unstated > 0 {
		tell(a.out, "  %d state no effect that counts, so they are treated as destructive and ask for approval", r.Unstated)
		if r.Kind == interlock.KindMCP {
			tell(a.out, ";\n  --trust annotations takes the server's word, an overlay in a manifest states yours")
		}
		tell(a.out, "\n")
	}
	for _, name := range r.Lacking {
		tell(a.out, "  %s is wanted by tools that are not called without; --credential %s=env:VARIABLE gives it by reference\n", st.yellow("credential "+name), name)
	}
	if r.Waiting > 0 {
		tell(a.out, "  %s\n", st.yellow(count(r.Waiting, "new definition")+" to review: interlock review"))
	}
	for i, f := range r.Findings {
		if i == maxTold {
			tell(a.out, "  … and %d more; --json prints them all\n", len(r.Findings)-maxTold)
			break
		}
		tell(a.out, "  %s %s: %s\n", st.yellow("finding"), f.Pointer, f.Reason)
	}
	next := "next: interlock tools " + r.Source + "/   or   interlock resolve \"what you need\""
	if barren(r) {
		next = "nothing of it can be used; correct what was found, and add it again"
	}
	tell(a.out, "%s\n", st.dim(next))
}

// count says how many there are of something.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// countOf is count for a word that is another one in the plural.
func countOf(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// Run withdraws a source.
func (c removeCmd) Run(ctx context.Context, a *app) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		if err := s.may(who, policy.Administer, "removes sources"); err != nil {
			return err
		}
		if err := s.Remove(ctx, who, c.Name); err != nil {
			return err
		}
		if a.JSON {
			return a.print(map[string]string{"removed": c.Name})
		}
		err := tell(a.out, "removed %s\n", c.Name)
		return err
	})
}
