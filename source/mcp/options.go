package mcp

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
)

// Options says what sources get from their surroundings. The zero value works
// for servers that need no secret and whose command is an absolute path.
type Options struct {
	// Logger takes what children write to their standard error, at debug level.
	// Default: nothing is logged.
	Logger *slog.Logger
	// Secrets resolves the references in headers and environments. Without it a
	// configuration that holds one does not open.
	Secrets interlock.Secrets
	// Environ is all that a child inherits: PATH, HOME, LANG, TMPDIR and the
	// like. Its PATH also finds the command. Default: empty.
	Environ map[string]string
	// Changed is told the name of a source whose server says that its tools are
	// no longer the listed ones. It must not block. Default: nobody is told, and
	// no stream is kept open for it.
	Changed func(source string)
	// Proxy picks the proxy of an HTTP request. Default: none.
	Proxy func(*http.Request) (*url.URL, error)
	// Version is this program's, for the handshake. Default: "0".
	Version string
	// Revision is the protocol revision that is asked for first; an older one is
	// taken where a server has it not. Default: the newest.
	Revision string
	// ConnectTimeout bounds the start of a server together with its handshake.
	// Default: 30 s.
	ConnectTimeout time.Duration
	// Grace is how long a child may take to end after its input is closed, and
	// again after it is told to. Default: 2 s.
	Grace time.Duration
	// Now is the clock of the backoff. Default: time.Now.
	Now func() time.Time
}

// The bounds of what is read of a server.
const (
	maxPages      = 1000     // of one list of tools
	maxTools      = 50_000   // of one list of tools
	maxPage       = 64 << 20 // bytes of one page
	pageTimeout   = 30 * time.Second
	maxHandshake  = 16 << 20 // bytes of one message of the handshake
	maxErrorBody  = 64 << 10 // bytes read of an HTTP answer that is no success
	notifyTimeout = 5 * time.Second
)

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Version == "" {
		o.Version = "0"
	}
	if o.ConnectTimeout <= 0 {
		o.ConnectTimeout = 30 * time.Second
	}
	if o.Grace <= 0 {
		o.Grace = 2 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func (o Options) validate() error {
	if known := sdk.SupportedProtocolVersions(); o.Revision != "" && !slices.Contains(known, o.Revision) {
		return fmt.Errorf("protocol revision %q is none of %v", o.Revision, known)
	}
	return nil
}
