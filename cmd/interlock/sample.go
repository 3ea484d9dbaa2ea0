package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/demo"
)

// sampleListen is where the sample service listens, the same at every start so
// that its tools keep their binding.
const sampleListen = "127.0.0.1:7718"

// sample starts the sample service, registers it, and starts registering the
// reference MCP servers that this machine can run.
func (u *server) sample(ctx context.Context, c upCmd) (stop func() error, err error) {
	if !c.Sample {
		return nil, nil
	}
	service, err := demo.Start(sampleListen)
	if err != nil {
		service, err = demo.Start("127.0.0.1:0")
	}
	if err != nil {
		return nil, err
	}
	if err := u.sampleManifest(ctx, service); err != nil {
		return nil, errors.Join(err, service.Close())
	}
	u.work.Go(func() { u.sampleServers(ctx, c.SampleMCP) })
	return service.Close, nil
}

func (u *server) sampleManifest(ctx context.Context, service *demo.Service) error {
	text, err := service.Manifest("sample.yaml")
	if err != nil {
		return err
	}
	path := u.session.path + ".sample.yaml"
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return fmt.Errorf("sample manifest: %w", err)
	}
	report, err := u.session.Add(ctx, interlock.Local(), interlock.SourceConfig{Name: "sample", Kind: interlock.KindManifest, File: path})
	if err == nil && len(report.Findings) > 0 {
		err = fmt.Errorf("sample manifest: %s: %s", report.Findings[0].Pointer, report.Findings[0].Reason)
	}
	return err
}

// sampleServers registers the reference servers that are installed in dir or on
// the path. Nothing is fetched: one that is not there is said to be missing.
func (u *server) sampleServers(ctx context.Context, dir string) {
	for _, s := range []struct {
		name, program string
		args          []string
		install       string
	}{
		{"everything", "mcp-server-everything", []string{"stdio"}, "npm install --global @modelcontextprotocol/server-everything"},
		{"time", "mcp-server-time", nil, "pipx install mcp-server-time"},
	} {
		path := await(ctx, dir, s.program)
		if path == "" {
			tell(u.app.out, "  - %s: %s is not on the path, and the sample does without; to have it: %s\n", s.name, s.program, s.install)
			continue
		}
		one, cancel := context.WithTimeout(ctx, 30*time.Second)
		report, err := u.session.Add(one, interlock.Local(), interlock.SourceConfig{Name: s.name, Kind: interlock.KindMCP, Trust: interlock.TrustAnnotations,
			Command: append([]string{path}, s.args...), Dir: filepath.Dir(u.session.path)})
		cancel()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			u.app.logger.Warn("a reference server could not be registered", "source", s.name, "err", err)
		default:
			tell(u.app.out, "  + %s: %d tools of the reference MCP server\n", s.name, report.Tools)
		}
	}
}

// await waits a while for a program that may be on its way into dir; without a
// dir it only looks.
func await(ctx context.Context, dir, program string) string {
	for deadline := time.Now().Add(installTime); ; {
		if path := installed(dir, program); path != "" || dir == "" || time.Now().After(deadline) {
			return path
		}
		select {
		case <-ctx.Done():
			return ""
		case <-time.After(2 * time.Second):
		}
	}
}

// installTime is how long the installation of the reference servers may take.
const installTime = 3 * time.Minute

// installed finds a program where a package manager would have put it.
func installed(dir, program string) string {
	if dir != "" {
		for _, place := range []string{"node_modules/.bin", "venv/bin", "bin"} {
			path := filepath.Join(dir, place, program)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path
			}
		}
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return ""
	}
	return path
}
