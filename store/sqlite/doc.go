// Package sqlite keeps a store in one SQLite file, through a driver in pure Go.
//
// It promises: what it acknowledged survives the end of the process however
// that comes, and what it acknowledged as flushed survives the loss of power;
// a change is made as a whole or not at all; reading never waits for writing;
// one process at a time has the store. It refuses a store of a newer schema, a
// file that is no store, and a store that another process holds, and says which.
//
//	store, err := sqlite.Open(ctx, "/var/lib/interlock/store.db", sqlite.Options{LockWait: 2 * time.Second})
//	if err != nil { … }
//	defer store.Close()
//
// DESIGN.md beside this file says how durability is had and what was rejected.
package sqlite
