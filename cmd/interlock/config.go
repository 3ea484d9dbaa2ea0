package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding/lexicon"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// config is the configuration file.
type config struct {
	Listen   string         `json:"listen"`
	Store    string         `json:"store"`
	Sources  []configSource `json:"sources"`
	Auth     auth.Config    `json:"auth"`
	TLS      configTLS      `json:"tls"`
	Policies *[]string      `json:"policies"` // files of Cedar text; without the key there are none
	Embedder configEmbedder `json:"embedder"`
	Reranker configReranker `json:"reranker"`
	// Calibration names the file that calibrate wrote.
	Calibration string `json:"calibration"`
	// Glossary holds words of the operator's own for needs in other languages.
	Glossary []lexicon.Entry `json:"glossary"`
	Log      configLog       `json:"log"`
	Drift    configDrift     `json:"drift"`
	Probes   *configProbes   `json:"probes"` // probes that nobody asks for; without the key there are none
	Poll     string          `json:"poll"`   // how often sources are read again, as a duration

	dir string            // of the file; relative paths start there
	sum [sha256.Size]byte // of its text
}

// configSource is one source of a configuration.
type configSource struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	URL      string   `json:"url"`
	Command  []string `json:"command"`
	File     string   `json:"file"`
	BaseURL  string   `json:"base_url"`
	Tenant   string   `json:"tenant"`
	Trust    string   `json:"trust"`
	Review   string   `json:"review"`
	Sessions string   `json:"sessions"`
	Results  struct {
		Hidden string `json:"hidden"`
	} `json:"results"`
	Headers     map[string]string `json:"headers"`
	Env         map[string]string `json:"env"`
	Credentials map[string]string `json:"credentials"`
}

// configDrift says how much of a tool's behaviour may leave its documentation
// before the tool is rejected, where nobody accepted it by name.
type configDrift struct {
	RequireDocumentation bool           `json:"require_documentation"`
	Read                 drift.Severity `json:"read"`  // highest severity lived with of tools that read; MINOR
	Write                drift.Severity `json:"write"` // of all others; MINOR
	// Insufficient says whether calls go on while too little is known of a tool:
	// proceed (default) or refuse.
	Insufficient string `json:"insufficient"`
	// InsensitiveReads lets callers say that for a read behaviour does not matter.
	InsensitiveReads bool `json:"insensitive_reads"`
}

// policy checks the severities.
func (c configDrift) policy() (drift.Policy, error) {
	for name, s := range map[string]drift.Severity{"read": c.Read, "write": c.Write} {
		switch s {
		case drift.None, drift.Minor, drift.Major, drift.Critical:
		default:
			return drift.Policy{}, configError("drift.%s: %q is none of MINOR, MAJOR, CRITICAL", name, s)
		}
	}
	switch c.Insufficient {
	case "", "proceed", "refuse":
	default:
		return drift.Policy{}, configError("drift.insufficient: %q is none of proceed, refuse", c.Insufficient)
	}
	return drift.Policy{RequireDocumentation: c.RequireDocumentation, Read: c.Read, Write: c.Write, RefuseInsufficient: c.Insufficient == "refuse"}, nil
}

// later are keys that the format has and this version does not serve. They are
// refused rather than passed over, because each of them restricts something.
var later = []string{"endpoints", "budgets", "telemetry"}

// loadConfig reads a configuration; an empty path gives an empty one.
func loadConfig(path string) (config, error) {
	var c config
	if path == "" {
		return c, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return c, configError("the configuration cannot be read: %v", err)
	}
	doc, err := yamljson.Parse(text, yamljson.Limits{Bytes: 4 << 20})
	if err != nil {
		return c, configError("%s: %v", filepath.Base(path), err)
	}
	if len(doc.Twice) > 0 {
		return c, configError("%s: the key at %s stands twice", filepath.Base(path), doc.Twice[0])
	}
	for _, key := range later {
		if doc.Root.Get(key) != nil {
			return c, configError("%s: `%s` is not served by this version yet; take it out", filepath.Base(path), key)
		}
	}
	if err := wire.Strict(doc.Root.JSON(), &c, later...); err != nil {
		return c, configError("%s: %v", filepath.Base(path), err)
	}
	if err := c.check(); err != nil {
		return c, configError("%s: %v", filepath.Base(path), err)
	}
	c.dir, c.sum = filepath.Dir(path), sha256.Sum256(text)
	if c.Auth.JWT != nil {
		for _, file := range []*string{&c.Auth.JWT.JWKSFile, &c.Auth.JWT.CA} {
			if *file != "" {
				*file = c.path(*file)
			}
		}
	}
	return c, nil
}

// check refuses what can be seen to be wrong without opening anything.
func (c config) check() error {
	if _, err := c.pollEvery(-1); err != nil {
		return err
	}
	if err := c.Log.check(); err != nil {
		return fmt.Errorf("log.%w", err)
	}
	if c.Probes != nil {
		if err := c.Probes.check(); err != nil {
			return err
		}
	}
	if err := c.TLS.check(c.Auth.Certificates()); err != nil {
		return err
	}
	if err := errors.Join(c.Embedder.check(), c.Reranker.check()); err != nil {
		return err
	}
	if _, err := c.glosser(); err != nil {
		return err
	}
	names := map[string]bool{}
	for i, s := range c.Sources {
		if err := s.check(); err != nil {
			return fmt.Errorf("sources[%d]: %w", i, err)
		}
		if s.Name != "" && names[s.Name] {
			return fmt.Errorf("sources[%d]: the name %q is taken", i, s.Name)
		}
		names[s.Name] = true
	}
	return nil
}

// check asks for what a source of its kind cannot do without.
func (s configSource) check() error {
	switch s.Kind {
	case interlock.KindMCP:
		if s.URL == "" && len(s.Command) == 0 {
			return errors.New("an MCP server has a url or a command")
		}
	case interlock.KindOpenAPI:
		if s.URL == "" && s.File == "" {
			return errors.New("an OpenAPI document has a url or a file")
		}
	case interlock.KindManifest, interlock.KindTools:
		if s.File == "" {
			return fmt.Errorf("kind %s has a file", s.Kind)
		}
	default:
		return fmt.Errorf("kind: %q is none of mcp, openapi, manifest, tools", s.Kind)
	}
	if s.Sessions != "" && s.Sessions != interlock.SessionsPrincipal {
		return fmt.Errorf("sessions: %q is none of %s", s.Sessions, interlock.SessionsPrincipal)
	}
	switch s.Results.Hidden {
	case "", interlock.HiddenReport, interlock.HiddenRemove:
	default:
		return fmt.Errorf("results.hidden: %q is none of %s, %s", s.Results.Hidden, interlock.HiddenReport, interlock.HiddenRemove)
	}
	if s.Name == "" && s.Kind != interlock.KindManifest {
		return errors.New("name is missing")
	}
	return nil
}

func configError(format string, args ...any) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: "cmd", Public: fmt.Sprintf(format, args...)}
}

// source gives the configuration of a source as the registry keeps it.
func (c config) source(s configSource) interlock.SourceConfig {
	out := interlock.SourceConfig{Name: s.Name, Kind: s.Kind, Command: s.Command, URL: s.URL, BaseURL: s.BaseURL, Headers: s.Headers, Env: s.Env,
		Credentials: s.Credentials, Tenant: s.Tenant, Trust: s.Trust, Review: s.Review, Sessions: s.Sessions, Results: interlock.SourceResults(s.Results)}
	if s.File != "" {
		out.File = c.path(s.File)
	}
	if len(s.Command) > 0 {
		out.Dir = c.dir
	}
	return out
}

func (c config) path(p string) string {
	if !filepath.IsAbs(p) && c.dir != "" {
		p = filepath.Join(c.dir, p)
	}
	if abs, err := filepath.Abs(p); err == nil {
		return abs
	}
	return p
}

// storePath is where the store is: the flag or its variable, the
// configuration, or the user's data folder.
func (a *app) storePath(c config) (string, error) {
	switch {
	case a.Store != "":
		return filepath.Abs(a.Store)
	case c.Store != "":
		if strings.HasPrefix(c.Store, "postgres://") {
			return "", configError("store: PostgreSQL is not served by this version yet; give a file path")
		}
		return c.path(c.Store), nil
	}
	base := a.env("XDG_DATA_HOME")
	if base == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", usagef("there is no home folder; say where the store is with --store PATH")
		}
		base = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(base, "interlock", "interlock.db"), nil
}

// pollEvery is how often sources are read again.
func (c config) pollEvery(flag time.Duration) (time.Duration, error) {
	if flag >= 0 {
		return flag, nil
	}
	if c.Poll == "" {
		return defaultPoll, nil
	}
	d, err := time.ParseDuration(c.Poll)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("poll: %q is no duration such as 5m", c.Poll)
	}
	return d, nil
}

const defaultPoll = 5 * time.Minute
