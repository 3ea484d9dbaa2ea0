package openapi

import (
	"net/url"
	"strings"

	"github.com/seed-ae386458/interlock/source/httpcall"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// place is what the operator said about where the service and its document
// are.
type place struct {
	base string // the service's address, which beats the document's own
	from string // the document's address
}

// binding tells how the operation is sent; nil where no address is known.
func (d *document) binding(e *endpoint, in input, out output, where place) (*httpcall.Binding, error) {
	base, trusted, err := d.server(e, where)
	if err != nil {
		return nil, err
	}
	known := base != ""
	if !known {
		base = "http://address.invalid" // to check the rest of the binding
	}
	b := &httpcall.Binding{Method: e.method, URL: strings.TrimSuffix(base, "/") + e.path, Trusted: trusted,
		Params: in.params, Body: in.body, Accept: out.accept, Answer: out.answer}
	if err := b.Validate(); err != nil {
		return nil, faultAt(e.pointer, "%s", err)
	}
	if !known {
		return nil, nil
	}
	return b, nil
}

// server finds the address of the service. Only what the operator wrote, or
// what names the host that he gave, is trusted.
func (d *document) server(e *endpoint, where place) (base string, trusted bool, err error) {
	if where.base != "" {
		return where.base, true, nil
	}
	text, at := d.statedServer(e)
	if text == "" && where.from == "" {
		return "", false, nil
	}
	if text == "" {
		text = "/"
	}
	u, err := url.Parse(text)
	if err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", false, faultAt(at, "the server address %q cannot be used", clip(text))
	}
	if where.from != "" {
		from, err := url.Parse(where.from)
		if err != nil {
			return "", false, faultAt(at, "the document's own address cannot be read")
		}
		u = from.ResolveReference(u)
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		return u.String(), u.Scheme == from.Scheme && u.Host == from.Host, nil
	}
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", false, nil
	}
	return text, false, nil
}

// statedServer gives the first server of the operation, the path or the
// document that is http, with its variables at their defaults.
func (d *document) statedServer(e *endpoint) (address, at string) {
	if d.dialect == swagger2 {
		return d.oldServer(), d.serversPointer()
	}
	for _, level := range []struct {
		list node
		at   string
	}{{e.op.Get("servers"), join(e.pointer, "servers")}, {e.item.Get("servers"), join(e.itemAt, "servers")}, {d.root.Get("servers"), "/servers"}} {
		if !level.list.Is(yamljson.Array) {
			continue
		}
		for _, s := range level.list.Items {
			if text := fillServer(s); text != "" && !strings.HasPrefix(text, "ws:") && !strings.HasPrefix(text, "wss:") {
				return text, level.at
			}
		}
	}
	return "", d.serversPointer()
}

// fillServer puts defaults into a server's address; "" where one is missing.
func fillServer(s node) string {
	text := s.Get("url").Text()
	for _, m := range membersOf(s.Get("variables")) {
		text = strings.ReplaceAll(text, "{"+m.Name+"}", m.Value.Get("default").Text())
	}
	if strings.ContainsAny(text, "{}") {
		return ""
	}
	return text
}

func (d *document) oldServer() string {
	host, path := d.root.Get("host").Text(), d.root.Get("basePath").Text()
	if host == "" {
		return path
	}
	scheme := "https"
	if schemes := d.root.Get("schemes").Texts(); len(schemes) > 0 {
		scheme = schemes[0]
		for _, s := range schemes {
			if s == "https" {
				scheme = s
			}
		}
	}
	return scheme + "://" + host + path
}

// serversPointer is where an address would stand in the document.
func (d *document) serversPointer() string {
	for _, name := range []string{"servers", "host", "paths", "info"} {
		if d.root.Get(name) != nil {
			return "/" + name
		}
	}
	return ""
}
