package auth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// Claims says which claims of a token make its principal. Each is the name of a
// claim, or a JSON pointer ("/realm_access/roles") to one inside another.
type Claims struct {
	Name   string `json:"name,omitempty" yaml:"name,omitempty"` // text; default: sub
	Tenant string `json:"tenant,omitempty" yaml:"tenant,omitempty"`
	Roles  string `json:"roles,omitempty" yaml:"roles,omitempty"` // a list, or one role
	// Scopes is a list or text parted by spaces; of it the known scopes count,
	// and a token without any may do nothing. Without it nothing is narrowed.
	Scopes     string            `json:"scopes,omitempty" yaml:"scopes,omitempty"`
	Attributes map[string]string `json:"attributes,omitempty" yaml:"attributes,omitempty"` // attribute → claim
}

// The most that a token may say of a principal.
const (
	maxClaimText = 256 // bytes of a name, a tenant, a role, an attribute
	maxClaimList = 256 // roles, scopes
)

// reader makes principals of claims.
type reader struct {
	name, tenant, roles, scopes []string // ways into the claims; nil: not read
	attributes                  map[string][]string
	lists                       interlock.Principal // of every principal: Allow, Deny, Invoke
}

func newReader(cfg JWT) (reader, error) {
	c := cfg.Claims
	if c.Name == "" {
		c.Name = "sub"
	}
	r := reader{attributes: map[string][]string{}, lists: interlock.Principal{
		Allow: slices.Clone(cfg.Allow), Deny: slices.Clone(cfg.Deny), Invoke: slices.Clone(cfg.Invoke)}}
	r.name, r.tenant, r.roles, r.scopes = way(c.Name), way(c.Tenant), way(c.Roles), way(c.Scopes)
	for attribute, claim := range c.Attributes {
		if attribute == "" || strings.Contains(attribute, "=") || claim == "" {
			return r, fmt.Errorf("claims.attributes: %q: %q needs two names, the first without =", attribute, claim)
		}
		r.attributes[attribute] = way(claim)
	}
	return r, nil
}

// way parts the name of a claim or a pointer to it.
func way(claim string) []string {
	pointer, is := strings.CutPrefix(claim, "/")
	switch {
	case claim == "":
		return nil
	case !is:
		return []string{claim}
	}
	parts := strings.Split(pointer, "/")
	for i, p := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(p)
	}
	return parts
}

// principal reads the claims. One that is absent says nothing; one of a form
// that cannot be meant refuses the token.
func (r reader) principal(payload []byte) (interlock.Principal, error) {
	var claims map[string]any
	dec := json.NewDecoder(bytes.NewReader(payload))
	dec.UseNumber()
	if err := dec.Decode(&claims); err != nil {
		return interlock.Principal{}, err
	}
	p := r.lists
	var errs [4]error
	p.Name, errs[0] = text(claims, r.name)
	p.Tenant, errs[1] = text(claims, r.tenant)
	p.Roles, errs[2] = list(claims, r.roles, false)
	p.Attributes, errs[3] = r.attributesOf(claims)
	if err := errors.Join(errs[:]...); err != nil {
		return interlock.Principal{}, err
	}
	if p.Name == "" {
		return interlock.Principal{}, fmt.Errorf("the claim %q, which is the name, is missing or empty", strings.Join(r.name, "/"))
	}
	if r.scopes == nil {
		return p, nil
	}
	given, err := list(claims, r.scopes, true)
	if err != nil {
		return interlock.Principal{}, err
	}
	p.Scopes = slices.DeleteFunc(Scopes(), func(s string) bool { return !slices.Contains(given, s) })
	return narrowed(p), nil
}

func (r reader) attributesOf(claims map[string]any) (map[string]string, error) {
	if len(r.attributes) == 0 {
		return nil, nil
	}
	out := map[string]string{}
	for name, at := range r.attributes {
		value, err := text(claims, at)
		if err != nil {
			return nil, err
		}
		if value != "" {
			out[name] = value
		}
	}
	return out, nil
}

// claim follows a way into the claims; nil where there is nothing.
func claim(claims map[string]any, at []string) any {
	var value any = claims
	for _, name := range at {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return value
}

// text gives a claim that is one text, a number or a truth; "" where it is
// absent.
func text(claims map[string]any, at []string) (string, error) {
	if at == nil {
		return "", nil
	}
	var out string
	switch v := claim(claims, at).(type) {
	case nil:
		return "", nil
	case string:
		out = v
	case json.Number:
		out = v.String()
	case bool:
		out = fmt.Sprint(v)
	default:
		return "", fmt.Errorf("the claim %q is neither text, number nor truth", strings.Join(at, "/"))
	}
	return out, bounded(out, at)
}

func bounded(text string, at []string) error {
	if len(text) > maxClaimText || strings.ContainsFunc(text, control) {
		return fmt.Errorf("the claim %q is over %d bytes or has a control character", strings.Join(at, "/"), maxClaimText)
	}
	return nil
}

// list gives a claim that is a list of texts, or one text, which may hold
// several parted by spaces. It is sorted.
func list(claims map[string]any, at []string, parted bool) ([]string, error) {
	if at == nil {
		return nil, nil
	}
	var out []string
	switch v := claim(claims, at).(type) {
	case nil:
		return nil, nil
	case string:
		if out = []string{v}; parted {
			out = strings.Fields(v)
		}
	case []any:
		for _, one := range v {
			s, ok := one.(string)
			if !ok {
				return nil, fmt.Errorf("the claim %q is no list of texts", strings.Join(at, "/"))
			}
			out = append(out, s)
		}
	default:
		return nil, fmt.Errorf("the claim %q is neither text nor a list of texts", strings.Join(at, "/"))
	}
	if len(out) > maxClaimList {
		return nil, fmt.Errorf("the claim %q has over %d entries", strings.Join(at, "/"), maxClaimList)
	}
	for _, s := range out {
		if err := bounded(s, at); err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
