// Package contract holds what a tool promises: it reads the schemas of an
// operation, gives their three hashes, checks values against them, says what
// of a result they declare, and decides which versions of a family serve the
// callers of another.
//
// It promises exactness: numbers are compared at their full precision, a hash
// moves when the stated meaning moves and never with its spelling, and the
// value at fault is named by its pointer, the same one every time. It promises
// bounded work: size, depth, number of subschemas and the number of checks one
// value can cause are limited, whatever a schema says.
//
// It refuses to read anything but the text it is given: no reference leaves
// the document, no file is opened, no address is asked, and a regular
// expression that cannot be matched in linear time is a finding.
//
// It is pure: no input or output, no clock. It alone imports the JSON Schema
// library.
//
//	if findings := contract.Check(op); len(findings) > 0 { … } // at registration
//	c, err := contract.Compile(op)                             // cheap; the work waits for the first use
//	err = c.ValidateArgs(args)                                 // *interlock.Error with the pointer at fault
package contract

// The limits of what is read. A schema over one of them is a finding.
const (
	MaxSchemaBytes = 1 << 20 // of one schema's text
	MaxSchemaDepth = 128     // of nesting in a schema's text
	MaxSubschemas  = 10_000  // schema positions in one schema
)
