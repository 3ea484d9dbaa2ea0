// Package receipt seals what happened into an append-only log that anyone can
// check without trusting the machine it lay on.
//
// It promises: an entry that Append acknowledged is in the log, under a signed
// checkpoint, whatever ends the process, and where Flushed was asked whatever
// ends the power; a copy of the log in which any byte was changed, added, moved
// or left out does not verify; no argument, result or credential is in the log
// in the clear. It refuses to open a log that does not agree with its own last
// checkpoint, and bodies that are not plain text, whole numbers, truth values,
// and lists and objects of those.
//
//	log, err := receipt.Open(ctx, store, keys, receipt.Options{Clock: time.Now, Rand: rand.Reader})
//	if err != nil { … }
//	defer log.Close()
//	blank, err := log.Blank()
//	…
//	sealed, err := log.Seal(ctx, blank, receipt.CallBody{…}, args, result, receipt.Written)
//
// DESIGN.md beside this file has the formats and the reasons.
package receipt
