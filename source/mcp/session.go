package mcp

import (
	"context"
	"encoding/json"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// modernRevision is the first protocol revision without sessions.
const modernRevision = "2026-07-28"

// legacyRevision is what a server gets that does not understand the newer way
// to begin.
const legacyRevision = "2025-11-25"

// link carries requests to one server.
type link interface {
	// exchange sends a request and gives what the server says to it. Its errors
	// are faults. It runs concurrently with itself.
	exchange(ctx context.Context, req request) (answer, error)
	// alive tells whether the link can carry another request.
	alive() bool
	// why says what ended the link.
	why() error
	// retire lets exchanges under way end and takes no new ones.
	retire()
	// close ends the link and everything that it started.
	close()
}

// session is one conversation with a server, after the handshake.
type session struct {
	link
	server   string // the name that the server gives itself
	revision string
	modern   bool   // every request carries its own context
	meta     []byte // that context, as the raw value of _meta; nil in the older era
	tools    bool   // the server says that it has tools
	born     time.Time
}

// implementation is how this program names itself to servers.
func implementation(opts Options) *sdk.Implementation {
	return &sdk.Implementation{Name: "interlock", Version: opts.Version}
}

// newClient makes an SDK client that offers nothing: no sampling, no
// elicitation, no roots.
func newClient(opts Options, changed func()) *sdk.Client {
	options := &sdk.ClientOptions{
		Logger:         opts.Logger,
		Capabilities:   &sdk.ClientCapabilities{},
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
	}
	if changed != nil {
		options.ToolListChangedHandler = func(context.Context, *sdk.ToolListChangedRequest) { changed() }
	}
	return sdk.NewClient(implementation(opts), options)
}

// newSession reads what the handshake brought.
func newSession(l link, info *sdk.InitializeResult, opts Options) *session {
	s := &session{link: l, born: opts.Now(), revision: info.ProtocolVersion, modern: info.ProtocolVersion >= modernRevision}
	if info.ServerInfo != nil {
		s.server = info.ServerInfo.Name
	}
	s.tools = info.Capabilities != nil && info.Capabilities.Tools != nil
	if s.modern {
		s.meta = requestContext(info.ProtocolVersion, opts)
	}
	return s
}

// requestContext writes what each request of the newer era says of its sender.
func requestContext(revision string, opts Options) []byte {
	raw, _ := json.Marshal(map[string]any{ // strings alone: always marshals
		sdk.MetaKeyProtocolVersion:    revision,
		sdk.MetaKeyClientInfo:         map[string]string{"name": "interlock", "version": opts.Version},
		sdk.MetaKeyClientCapabilities: struct{}{},
	})
	return raw
}

// params closes an object of parameters that b has begun, with the context
// where the era wants one.
func (s *session) params(b []byte) []byte {
	if s.meta != nil {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(b, `"_meta":`...)
		b = append(b, s.meta...)
	}
	return append(b, '}')
}

// toolsCall asks for one call; args go in byte for byte.
func (s *session) toolsCall(tool string, args []byte, mirrors []mirror, limit int64) request {
	b := make([]byte, 0, len(tool)+len(args)+len(s.meta)+48)
	b = append(b, `{"name":`...)
	b = appendQuoted(b, tool)
	b = append(b, `,"arguments":`...)
	b = append(b, args...)
	return request{method: "tools/call", tool: tool, params: s.params(b), mirrors: mirrors, args: args, limit: limit}
}

// toolsList asks for one page of the list of tools.
func (s *session) toolsList(cursor []byte) request {
	b := []byte{'{'}
	if cursor != nil {
		b = append(append(b, `"cursor":`...), cursor...)
	}
	return request{method: "tools/list", params: s.params(b), limit: maxPage}
}
