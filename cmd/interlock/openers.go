package main

import (
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/source/manifest"
	"github.com/seed-ae386458/interlock/source/mcp"
	"github.com/seed-ae386458/interlock/source/openapi"
	"github.com/seed-ae386458/interlock/source/toollist"
)

// inherited are the variables that a child process gets of our environment;
// everything else is the operator's to give with the source.
var inherited = []string{"PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "SHELL", "SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "PATHEXT"}

// openers gives what opens each kind of source.
func (a *app) openers(changed func(source string)) (map[string]interlock.Opener, error) {
	environ := map[string]string{}
	for _, name := range inherited {
		if text, ok := a.lookup(name); ok {
			environ[name] = text
		}
	}
	// A session costs a call half of what the stateless era does; a server that
	// has the newer era alone is met in it.
	servers, err := mcp.New(mcp.Options{Logger: a.logger, Secrets: a.secrets(), Environ: environ, Version: version, Changed: changed, Revision: "2025-11-25"})
	if err != nil {
		return nil, fmt.Errorf("mcp sources: %w", err)
	}
	return map[string]interlock.Opener{
		interlock.KindMCP:      servers,
		interlock.KindOpenAPI:  openapi.NewOpener(openapi.Options{Secrets: a.secrets()}),
		interlock.KindManifest: manifest.NewOpener(manifest.Options{Secrets: a.secrets()}),
		interlock.KindTools:    toollist.NewOpener(),
	}, nil
}
