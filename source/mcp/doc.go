// Package mcp reads MCP servers, over stdio and streamable HTTP, in both
// generations of the protocol: 2026-07-28 and the ones that begin with an
// initialize request. It opens sources of kind "mcp".
//
// It promises that arguments and results pass token by token: no number is
// parsed, no string is spelled anew and no member changes its place, because
// requests are put together and answers taken apart as bytes. It promises that
// calls to one server run at the same time over one session, that a session
// which ended is opened again once, and that a call which may change the world
// is sent at most once. A call that is given up tells the server so. Children
// run in a process group of their own, restart no faster than a backoff lets
// them, and are reaped always.
//
// It refuses a name that a server lists twice, a list of tools that does not
// end, a definition that does not hold together (each alone, as a finding), an
// answer over the limit of the call, and redirects to another host. It grants
// nothing on a server's word: annotations decide an effect only where the
// operator trusts them. Sampling, elicitation and roots are not offered at the
// handshake, and a server that asks for them all the same gets an error.
//
// Session set-up and the control messages of stdio are the official SDK's; the
// messages that carry schemas, arguments and results are this package's own,
// since the SDK decodes numbers on the way.
//
//	opener, err := mcp.New(mcp.Options{Logger: logger, Secrets: secrets})
//	src, err := opener.Open(interlock.SourceConfig{Name: "time", Kind: "mcp", Command: []string{"mcp-server-time"}})
//	cat, err := src.Catalogue(ctx)
package mcp
