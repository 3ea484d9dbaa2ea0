package httpcall

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// filled are the parts of a request that carry credentials and the operator's
// own headers.
type filled struct {
	header  http.Header
	query   []string
	cookies []string
	secret  bool // a reference was read
}

// credentials reads what the operator configured, at the moment of the send.
func (c *Client) credentials(security [][]Scheme) (*filled, error) {
	out := &filled{header: http.Header{}}
	schemes, err := c.choose(security)
	if err != nil {
		return nil, err
	}
	for _, s := range schemes {
		if err := c.fill(out, s); err != nil {
			return nil, err
		}
	}
	for name, value := range c.opts.Headers {
		if interlock.IsReference(value) {
			if value, err = c.secret(value); err != nil {
				return nil, noCredential("the header "+name, err)
			}
			out.secret = true
		}
		out.header[http.CanonicalHeaderKey(name)] = []string{value}
	}
	return out, nil
}

// choose takes the first alternative whose schemes can all be filled; one that
// asks for nothing comes last.
func (c *Client) choose(security [][]Scheme) ([]Scheme, error) {
	if len(security) == 0 {
		return nil, nil
	}
	free, lacking := false, ""
	for _, all := range security {
		if len(all) == 0 {
			free = true
			continue
		}
		if lacks := c.lacks(all); lacks == "" {
			return all, nil
		} else if lacking == "" {
			lacking = lacks
		}
	}
	if free {
		return nil, nil
	}
	return nil, noCredential(lacking, errors.New("no alternative of the security requirements has its credentials"))
}

// Lacks names the credential for want of which a call by this binding would not
// be sent; "" where none is wanting, or none that could be given is.
func (c *Client) Lacks(binding []byte) string {
	var b Binding
	if !bytes.Contains(binding, []byte(`"security"`)) || json.Unmarshal(binding, &b) != nil {
		return ""
	}
	if _, err := c.choose(b.Security); err == nil {
		return ""
	}
	for _, all := range b.Security {
		if name := c.lacks(all); !slices.ContainsFunc(all, func(s Scheme) bool { return s.Type == SchemeOther }) {
			return name
		}
	}
	return ""
}

// lacks names the first scheme that nothing is configured for.
func (c *Client) lacks(all []Scheme) string {
	for _, s := range all {
		_, own := c.opts.Credentials[s.Name]
		if s.Type == SchemeOther || !own && !c.covered(s) {
			return s.Name
		}
	}
	return ""
}

// covered reports whether one of the operator's headers is the one that a
// scheme fills.
func (c *Client) covered(s Scheme) bool {
	want := "Authorization"
	if s.Type == SchemeKey {
		if want = s.Key; s.In != InHeader {
			return false
		}
	}
	for name := range c.opts.Headers {
		if strings.EqualFold(name, want) {
			return true
		}
	}
	return false
}

func (c *Client) fill(out *filled, s Scheme) error {
	ref, own := c.opts.Credentials[s.Name]
	if !own {
		return nil // the operator's header stands for it
	}
	secret, err := c.secret(ref)
	if err != nil {
		return noCredential(s.Name, err)
	}
	out.secret = true
	switch {
	case s.Type == SchemeBearer:
		out.header.Set("Authorization", "Bearer "+secret)
	case s.Type == SchemeBasic:
		out.header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(secret)))
	case s.In == InHeader && isToken(s.Key):
		out.header.Set(s.Key, secret)
	case s.In == InQuery:
		out.query = append(out.query, escape(s.Key)+"="+escape(secret))
	case s.In == InCookie && isToken(s.Key):
		out.cookies = append(out.cookies, s.Key+"="+escape(secret))
	default:
		return noCredential(s.Name, errors.New("the scheme names no place that a credential could go"))
	}
	return nil
}

func (c *Client) secret(ref string) (string, error) {
	if c.opts.Secrets == nil {
		return "", errors.New("there is nothing to read references with")
	}
	read, err := c.opts.Secrets.Secret(ref)
	if err != nil {
		return "", err
	}
	secret := strings.TrimRight(read.Reveal(), "\r\n")
	if secret == "" || !headerSafe(secret) {
		return "", errors.New("the credential is empty or holds a control character")
	}
	return secret, nil
}
