package mcp

import (
	"net/http"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// reveal resolves a value that may be, or end in, a reference.
func reveal(secrets interlock.Secrets, what, clear, ref string) (string, error) {
	if ref == "" {
		return clear, nil
	}
	secret, err := secrets.Secret(ref)
	if err != nil {
		return "", faultf(faultCredential, false, "%s: %w", what, err)
	}
	return clear + strings.TrimRight(secret.Reveal(), "\r\n"), nil
}

// headers sets the operator's own headers on requests, references resolved
// each time.
type headers struct {
	secrets interlock.Secrets
	rows    []headerRow
}

type headerRow struct{ name, clear, ref string }

// reserved are the headers that the transport itself decides.
var reserved = [...]string{"Accept", "Connection", "Content-Length", "Content-Type", "Host", "Last-Event-Id",
	"Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", "Mcp-Session-Id", "Transfer-Encoding"}

// newHeaders checks the names and clear values of configured headers.
func newHeaders(cfg interlock.SourceConfig, secrets interlock.Secrets) (headers, error) {
	h := headers{secrets: secrets}
	for name, value := range cfg.Headers {
		row := headerRow{name: http.CanonicalHeaderKey(name)}
		row.clear, row.ref = interlock.SplitReference(value)
		switch {
		case !isToken(name):
			return headers{}, invalid(cfg.Name, "header name %q is not an HTTP token", name)
		case slices.Contains(reserved[:], row.name) || strings.HasPrefix(row.name, "Mcp-Param-"):
			return headers{}, invalid(cfg.Name, "header %s is the transport's own; leave it out", row.name)
		case !isHeaderText(row.clear):
			return headers{}, invalid(cfg.Name, "the value of header %s holds a control character", row.name)
		}
		h.rows = append(h.rows, row)
	}
	slices.SortFunc(h.rows, func(a, b headerRow) int { return strings.Compare(a.name, b.name) })
	return h, nil
}

// set resolves and sets them all.
func (h headers) set(header http.Header) error {
	for _, row := range h.rows {
		value, err := reveal(h.secrets, "header "+row.name, row.clear, row.ref)
		if err != nil {
			return err
		}
		if !isHeaderText(value) {
			return faultf(faultCredential, false, "header %s: the secret holds a control character", row.name)
		}
		header[row.name] = []string{value}
	}
	return nil
}

// childEnviron is what a child gets: the allowed part of the surroundings, and
// over it what the operator states, references resolved.
func childEnviron(cfg interlock.SourceConfig, opts Options) (map[string]string, error) {
	env := make(map[string]string, len(opts.Environ)+len(cfg.Env))
	for name, value := range opts.Environ {
		env[name] = value
	}
	for name, value := range cfg.Env {
		clear, ref := value, ""
		if interlock.IsReference(value) {
			clear, ref = "", value
		}
		value, err := reveal(opts.Secrets, "environment variable "+name, clear, ref)
		if err != nil {
			return nil, err
		}
		env[name] = value
	}
	return env, nil
}

// holdsReference tells whether opening cfg needs somebody who resolves secrets.
func holdsReference(cfg interlock.SourceConfig) bool {
	for _, value := range cfg.Headers {
		if _, ref := interlock.SplitReference(value); ref != "" {
			return true
		}
	}
	for _, value := range cfg.Env {
		if interlock.IsReference(value) {
			return true
		}
	}
	return false
}

// checkEnviron refuses names and values that no environment can hold.
func checkEnviron(cfg interlock.SourceConfig) error {
	for name, value := range cfg.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00") {
			return invalid(cfg.Name, "environment variable %q cannot be set", name)
		}
	}
	return nil
}
