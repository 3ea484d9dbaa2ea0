// Package driftlab is a lab of services that stop doing what they document:
// real HTTP and MCP servers on this machine, each with one fault that can be
// switched on, probed and called through a real router over a real store. It
// promises that for each kind of the catalogue the table of docs/drift-lab.md
// says by which calls or probes it was found, after how many, and how gravely;
// a kind that is not found is named there with the reason. It refuses to reach
// beyond loopback.
//
//	make drift-lab
package driftlab
