package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

// TestCommandSecrets: a command gives a secret without a shell, within bounds,
// and neither its output nor its arguments are in an error.
func TestCommandSecrets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are those of Unix")
	}
	dir := t.TempDir()
	program := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
		return "command:" + path
	}
	r := auth.Resolver{Run: (&programs{}).secret}
	counted := program("counts", `echo x >> "$0.runs"; printf '  tok-%s\n' "$1"`)
	for ref, want := range map[string]string{
		counted + " one":   "tok-one",
		counted + "   two": "tok-two",
		program("shell", `printf '%s' "$1"`) + " $(id)": "$(id)",
	} {
		for range 3 {
			if got, err := r.Secret(ref); err != nil || got.Reveal() != want || !interlock.IsReference(ref) {
				t.Errorf("%s: %q %v", ref, got.Reveal(), err)
			}
		}
	}
	runs, err := os.ReadFile(filepath.Join(dir, "counts.runs"))
	if err != nil || strings.Count(string(runs), "x") != 2 {
		t.Errorf("the command ran %d times for two secrets: %v", strings.Count(string(runs), "x"), err)
	}
	for name, ref := range map[string]string{
		"fails":   program("fails", "echo leaked-output; echo leaked-error >&2; exit 3") + " --password=leaked-argument",
		"empty":   program("empty", "true"),
		"too big": program("big", "yes leaked-output"),
		"absent":  "command:" + filepath.Join(dir, "none"),
		"nothing": "command:  ",
	} {
		got, err := r.Secret(ref)
		if err == nil || got != "" || interlock.ReasonOf(err) != interlock.ReasonCredential || strings.Contains(err.Error(), "leaked") {
			t.Errorf("%s: %q %v", name, got.Reveal(), err)
		}
	}
	if _, err := (auth.Resolver{}).Secret(counted + " one"); err == nil {
		t.Error("a resolver that runs nothing ran a command")
	}
}
