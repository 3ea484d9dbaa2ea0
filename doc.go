// Package interlock is the vocabulary of Interlock: the plain data that every
// stage, surface and source speaks, and the few interfaces that outsiders
// implement. It imports the standard library alone and does no I/O.
//
// An agent states a [Need]; the answer is a [Resolution] with a [Disposition]
// and, where an agent may act on it, candidates that carry an offer. A call
// repeats the offer with arguments and comes back as a [CallResult], or as an
// [Error] whose [Reason] is one of a closed set.
//
//	res, err := router.Resolve(ctx, who, interlock.Need{Text: "extract fields from a document"})
//	if err != nil { … }                      // the machinery failed
//	if refused := res.Err(); refused != nil { // an answer, not a failure
//		var none *interlock.NoCompatibleContract
//		if errors.As(refused, &none) { … }
//	}
//
// The front door of the library is package router.
package interlock
